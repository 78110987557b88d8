// How a page with 300 other models and 10,000 rows does: node test/bench_alternatives.mjs. Nothing here is a test.
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { at, beadwork, finish, launch, random, read, write } from "./support.mjs";

const r = random(11);
const names = [...Array.from({ length: 6 }, (_, i) => `number${i}`), ...Array.from({ length: 4 }, (_, i) => `kind${i}`)];
const lines = [[...names, "class"].join(",")];
for (let i = 0; i < 10_000; ++i) {
  const row = [...Array.from({ length: 6 }, () => (r() * 100).toFixed(1)), ...Array.from({ length: 4 }, () => "abcdef"[Math.floor(r() * 6)])];
  const score = row.slice(0, 6).reduce((sum, v) => sum + Number(v), 0) / 600 + row.slice(6).filter((k) => k < "c").length / 8 + r() * 0.6;
  lines.push([...row, score > 1 ? "yes" : "no"].join(","));
}
write("large.csv", lines.join("\n") + "\n");
const before = performance.now();
beadwork("fit", "large.csv", "--depth", 4, "--within", 120, "--report", "large.html", "-q");
console.log(`fit and page ${(performance.now() - before).toFixed(0)} ms`);
const data = JSON.parse(/id="data">(.*?)<\/script/s.exec(read("large.html"))[1]);
console.log(`${data.alternatives.models.length} models: ${data.alternatives.claim}`);
console.log(`size ${(statSync(at("large.html")).size / 1e6).toFixed(2)} MB, of which alternatives ${(JSON.stringify(data.alternatives).length / 1e6).toFixed(2)} MB`);

const least = (list) => Math.min(...list);
const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];
const browser = await launch();
const opened = [];
let page;
for (let i = 0; i < 5; ++i) {
  await page?.close();
  page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
  const start = performance.now();
  await page.goto(pathToFileURL(at("large.html")).href);
  await page.waitForSelector("body[data-ready]");
  opened.push(performance.now() - start);
}
console.log(`open ${median(opened).toFixed(0)} ms, least ${least(opened).toFixed(0)} ms, longest ${Math.max(...opened).toFixed(0)} ms`);
// From the click to the laid-out page; every swap is to a model that was not shown before.
const swaps = await page.evaluate(async () => {
  const times = [];
  const buttons = [...document.querySelectorAll(".models button")];
  for (let i = 0; i < 40; ++i) {
    const start = performance.now();
    buttons[(7 * i + 3) % buttons.length].click();
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  }
  return times;
});
console.log(`swap ${median(swaps).toFixed(1)} ms, least ${least(swaps).toFixed(1)} ms, longest ${Math.max(...swaps).toFixed(1)} ms`);
await finish();
