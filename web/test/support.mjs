// What the browser tests share: the program, a folder of reports, a browser, and a reader of models that shares no code with
// the page.
import { chromium } from "playwright-core";
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

export const folder = mkdtempSync(join(tmpdir(), "beadwork-report-"));
export const at = (name) => join(folder, name);
export const beadwork = (...args) => execFileSync(process.env.BEADWORK_BINARY, args.map(String), { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "pipe"], maxBuffer: 1 << 28 });
export const write = (name, text) => writeFileSync(at(name), text);
export const read = (name) => readFileSync(at(name), "utf8");

// The rows of a plain CSV by the names of its columns.
export const rowsOf = (csv) => {
  const [head, ...lines] = csv.trim().split("\n").map((l) => l.split(","));
  return lines.map((l) => Object.fromEntries(l.map((v, i) => [head[i], v])));
};
export const near = (a, b, room = 1e-9) => assert.ok(Math.abs(a - b) <= room, `${a} is not ${b}`);

// A seeded generator: the same tables every time.
export function random(seed) {
  let s = seed >>> 0;
  return () => {
    s = (s + 0x6d2b79f5) >>> 0;
    let t = s;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

let browser = null;
export async function launch() {
  browser ??= await chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: ["--no-sandbox", "--disable-gpu"] });
  return browser;
}
export async function finish() {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
}

// A page of a report, with a list of what went wrong: console messages, errors, requests beyond the file and its own blobs.
export async function open(name, options = {}) {
  const context = await (await launch()).newContext({ viewport: { width: 1280, height: 900 }, acceptDownloads: true, ...options });
  const page = await context.newPage();
  // A slower machine, played: what a test reads before the page has done it shows.
  const slower = Number(process.env.BEADWORK_PAGE_SLOWER ?? 1);
  if (slower > 1) await (await context.newCDPSession(page)).send("Emulation.setCPUThrottlingRate", { rate: slower });
  page.faults = [];
  page.on("console", (m) => page.faults.push(`${m.type()}: ${m.text()}`));
  page.on("pageerror", (e) => page.faults.push(String(e)));
  page.on("dialog", (d) => {
    page.faults.push(`dialog: ${d.message()}`);
    void d.dismiss();
  });
  const url = pathToFileURL(at(name)).href;
  page.on("request", (r) => {
    if (r.url() !== url && !/^(blob|data):/.test(r.url())) page.faults.push(`request: ${r.url()}`);
  });
  await page.goto(url);
  await page.waitForSelector("body[data-ready]", { timeout: 20000 });
  return page;
}

// Clicks a summary, and waits until its details have heard of it: what is in them may be made only then.
export async function unfold(summary) {
  const details = summary.locator("xpath=ancestor::details[1]");
  await details.evaluate((d) => {
    d.unfolded = new Promise((done) => d.addEventListener("toggle", () => done(), { once: true }));
  });
  await summary.click();
  await details.evaluate((d) => d.unfolded);
}

export const median = (list) => [...list].sort((a, b) => a - b)[Math.floor(list.length / 2)];

// Opens a report five times; the last of the pages, and the milliseconds of each.
export async function openTimed(name) {
  const browser = await launch();
  const times = [];
  let page;
  for (let i = 0; i < 5; ++i) {
    await page?.close();
    page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    const start = performance.now();
    await page.goto(pathToFileURL(at(name)).href);
    await page.waitForSelector("body[data-ready]");
    times.push(performance.now() - start);
  }
  return { page, times };
}

// The model's own word, read from its JSON: nodes and edges on the way of a row of texts.
export function walk(model, row) {
  const missing = (t) => t === undefined || t === "" || t === "?";
  const passes = (f) => {
    const text = row[model.columns[f.column].name];
    if (f.test === "missing") return missing(text);
    if (missing(text)) return false;
    const order = model.columns[f.column].reading?.levels; // words: what has no place comes last
    if (order) return order.slice(0, Math.floor(f.threshold) + 1).includes(text);
    return f.test === "equals" ? text === f.level : Number(text) <= f.threshold;
  };
  const nodes = [0];
  const edges = [];
  let n = 0;
  while (!("class" in model.diagram.nodes[n])) {
    const node = model.diagram.nodes[n];
    const passed = passes(model.features[node.feature]);
    edges.push(`${n}:${passed ? 1 : 0}`);
    n = passed ? node.high : node.low;
    nodes.push(n);
  }
  return { nodes, edges, answer: model.classes[model.diagram.nodes[n].class] };
}

export async function highlighted(page) {
  return page.evaluate(() => ({
    nodes: [...document.querySelectorAll(".picture.asked [data-node].on")].map((g) => Number(g.dataset.node)).sort((a, b) => a - b),
    edges: [...document.querySelectorAll(".picture.asked [data-edge].on")].map((g) => g.dataset.edge).sort(),
  }));
}
