// Screenshots to look at: node test/screens.mjs FOLDER REPORT.html...; each at 1440 and 390 pixels, dark, and as a PDF.
import { chromium } from "playwright-core";
import { basename, join } from "node:path";
import { mkdirSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [folder, ...files] = process.argv.slice(2);
mkdirSync(folder, { recursive: true });
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox"] });
for (const file of files) {
  const name = basename(file, ".html");
  for (const [kind, options] of Object.entries({
    wide: { viewport: { width: 1440, height: 900 } },
    narrow: { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true },
    dark: { viewport: { width: 1440, height: 900 }, colorScheme: "dark" },
  })) {
    const page = await browser.newPage(options);
    page.on("console", (m) => console.log(name, kind, m.type(), m.text()));
    page.on("pageerror", (e) => console.log(name, kind, String(e)));
    await page.goto(pathToFileURL(file).href);
    await page.waitForSelector("body[data-ready]");
    if (kind === "dark" && (await page.locator(".rows tbody tr[data-at]").count()) > 3) await page.locator(".rows tbody tr[data-at]").nth(2).click();
    await page.screenshot({ path: join(folder, `${name}-${kind}.png`), fullPage: true });
    if (kind === "wide") await page.pdf({ path: join(folder, `${name}.pdf`), format: "A4", printBackground: false });
    await page.close();
  }
}
await browser.close();
