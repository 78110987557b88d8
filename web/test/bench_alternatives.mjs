// How a page with 300 other models and 10,000 rows does: node test/bench_alternatives.mjs. Nothing here is a test.
import { statSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { at, beadwork, finish, launch, median, openTimed, random, read, write } from "./support.mjs";

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
const browser = await launch();
let { page, times: opened } = await openTimed("large.html");
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
await page.close();

// What all the models say of the rows, by group. The page's policy forbids code from text, so the measuring page has it off.
const context = await browser.newContext({ bypassCSP: true, viewport: { width: 1440, height: 900 } });
const say = (name, times) => console.log(`${name} ${median(times).toFixed(1)} ms, least ${least(times).toFixed(1)} ms, longest ${Math.max(...times).toFixed(1)} ms`);
const first = [];
for (let i = 0; i < 5; ++i) {
  page = await context.newPage();
  // Nothing is done in pauses, and nothing is seen before it is asked for.
  await page.addInitScript(() => {
    const own = window.setTimeout;
    window.setTimeout = (f, ms) => (ms === 50 ? 0 : own(f, ms));
    window.IntersectionObserver = class {
      constructor(seen) { this.seen = seen; }
      observe(e) { if (e.id === "groups") window.see = () => this.seen([{ isIntersecting: true }]); }
      disconnect() {}
    };
  });
  await page.goto(pathToFileURL(at("large.html")).href);
  await page.waitForSelector("body[data-ready]");
  first.push(await page.evaluate(() => {
    const start = performance.now();
    window.see();
    document.body.getBoundingClientRect();
    return performance.now() - start;
  }));
  if (i < 4) await page.close();
}
say("group rates of all models, before any has answered a row", first);
const measure = (act) => page.evaluate(async (source) => {
  const act = new Function("i", source);
  const times = [];
  for (let i = 0; i < 20; ++i) {
    const start = performance.now();
    act(i);
    document.body.getBoundingClientRect();
    times.push(performance.now() - start);
    await new Promise((go) => requestAnimationFrame(() => setTimeout(go)));
  }
  return times;
}, act);
const pick = (id) => `const s = document.querySelector("${id}"); s.selectedIndex = (i + 1) % s.options.length; s.dispatchEvent(new Event("change"));`;
say("group rates of all models, by another column", await measure(pick("#group-column")));
say("by another figure", await measure(pick("#group-measure")));
say("agreement on a case", await measure('document.querySelectorAll(".rows tbody tr[data-at]")[i % 10].click();'));
await finish();
