// How a report of 10,000 rows does: node test/bench.mjs. Times are medians of several; nothing here is a test.
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { at, beadwork, finish, launch, median, openTimed, random, write } from "./support.mjs";

const r = random(9);
const names = [...Array.from({ length: 12 }, (_, i) => `number${i}`), ...Array.from({ length: 8 }, (_, i) => `kind${i}`)];
const lines = [[...names, "class"].join(",")];
for (let i = 0; i < 10_000; ++i) {
  const row = [...Array.from({ length: 12 }, () => (r() * 100).toFixed(2)), ...Array.from({ length: 8 }, () => "abcdef"[Math.floor(r() * 6)])];
  lines.push([...row, (Number(row[0]) > 50) !== (row[12] === "a") || r() < 0.1 ? "yes" : "no"].join(","));
}
write("large.csv", lines.join("\n") + "\n");
const before = performance.now();
beadwork("fit", "large.csv", "--depth", 5, "--engine", "local", "-o", "large.json", "-q");
const learnt = performance.now();
beadwork("report", "large.json", "large.csv", "-o", "large.html");
console.log(`fit ${(learnt - before).toFixed(0)} ms, report ${(performance.now() - learnt).toFixed(0)} ms`);
console.log(`size ${(statSync(at("large.html")).size / 1e6).toFixed(2)} MB (10,000 rows, 20 columns)`);

const browser = await launch();
let { page, times: opened } = await openTimed("large.html");
console.log(`open ${median(opened).toFixed(0)} ms, longest ${Math.max(...opened).toFixed(0)} ms`);

// From the change to the frame that shows it.
const measure = (act) => page.evaluate(async (source) => {
  const act = new Function("i", source);
  const times = [];
  for (let i = 0; i < 20; ++i) {
    const start = performance.now();
    act(i);
    document.querySelector(".rows").getBoundingClientRect();
    const done = performance.now();
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
    times.push(done - start);
  }
  return times;
}, act);
const say = (name, times) => console.log(`${name} ${median(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`);
await page.close();
// The page's policy forbids code from text, so the measuring page has it off.
const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1440, height: 900 } });
page = await context.newPage();
await page.goto(pathToFileURL(at("large.html")).href);
await page.waitForSelector("body[data-ready]");
const pick = (id) => `const s = document.querySelector("${id}"); s.selectedIndex = (i + 1) % s.options.length; s.dispatchEvent(new Event("change"));`;
say("filter by node or edge", await measure(pick("#filter-node")));
say("filter by mistake", await measure(pick("#filter-error")));
say("sort", await measure('document.querySelectorAll(".rows th button")[i % 10].click();'));
say("scroll", await measure('document.querySelector(".rows").scrollTop = i * 9000; document.querySelector(".rows").dispatchEvent(new Event("scroll"));'));
say("choose a row", await measure('document.querySelectorAll(".rows tbody tr[data-at]")[i % 10].click();'));
await finish();
