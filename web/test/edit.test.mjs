// Models that a reader edits on the page. The downloaded model is held against the library and against a count of its own.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import test, { after } from "node:test";
import { at, beadwork, finish, open as openPage, random, read, unfold, walk, write } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
after(finish);

async function open(name, options) {
  const page = await openPage(name, options);
  await page.waitForSelector("#edit p");
  return page;
}

// Numbers large and small, categories, bits, missing values; three classes.
function rows(n, seed, { weights = false, classes = ["no", "yes", "may <b>be</b>"] } = {}) {
  const r = random(seed);
  const lines = [["age", "pay", "tiny", "job", "flag", ...(weights ? ["w"] : []), "risk"]];
  for (let i = 0; i < n; ++i) {
    const age = Math.floor(r() * 60);
    const pay = Math.floor(r() * 40) * 100_000;
    const job = ["a", "b", "c, d", "<i>e</i>"][Math.floor(r() * 4)];
    const flag = r() < 0.5 ? "0" : "1";
    const k = r() < 0.15 ? Math.floor(r() * classes.length) : (age > 30) === (job === "b") ? 0 : flag === "1" ? 1 : classes.length - 1;
    lines.push([r() < 0.1 ? "" : String(age), String(pay), String(Math.floor(r() * 9) / 1e7), r() < 0.05 ? "" : job, flag, ...(weights ? [["0.5", "1", "2.25"][Math.floor(r() * 3)]] : []), classes[k]]);
  }
  return lines;
}
const csv = (lines) => lines.map((l) => l.map((t) => (/[",]/.test(t) ? `"${t}"` : t)).join(",")).join("\n") + "\n";

const choices = (page, id) => page.$$eval(`#${id} option`, (list) => list.map((o) => o.value));

// One random change; what it was.
async function change(page, r) {
  const parts = await choices(page, "edit-part");
  await page.selectOption("#edit-part", parts[Math.floor(r() * parts.length)]);
  const pick = async (id) => {
    const all = await choices(page, id);
    const now = await page.$eval(`#${id}`, (s) => s.value);
    const others = all.filter((v) => v !== now);
    if (others.length === 0) return false;
    await page.selectOption(`#${id}`, others[Math.floor(r() * others.length)]);
    return true;
  };
  if ((await page.locator("#edit-answer").count()) > 0) return pick("edit-answer");
  const what = r();
  if ((await page.locator("#edit-all").count()) > 0 && r() < 0.5) await page.uncheck("#edit-all");
  if (what < 0.3) return pick("edit-column");
  if (what < 0.4) return pick("edit-kind");
  if (what < 0.6) return pick(r() < 0.5 ? "edit-yes" : "edit-no");
  if ((await page.locator("#edit-level").count()) > 0) return pick("edit-level");
  if ((await page.locator("#edit-threshold").count()) === 0) return false;
  if (what < 0.8) {
    await page.fill("#edit-threshold", String([17.25, 31.5, 1_500_000, 100_000, 2.5e-7, 3.3][Math.floor(r() * 6)]));
    await page.press("#edit-threshold", "Enter");
    return true;
  }
  await page.focus("#edit-slider");
  for (let i = 0; i < 12; ++i) await page.keyboard.press(r() < 0.5 ? "ArrowRight" : "ArrowRight");
  return true;
}

const download = async (page, id) => {
  const [file] = await Promise.all([page.waitForEvent("download"), page.click(id)]);
  return readFileSync(await file.path(), "utf8");
};
const figure = async (page, name) => Number(await page.getAttribute(`[data-figure="${name}"]`, "data-value"));

test("figures after random edits are those of beadwork evaluate, and the counts those of the rows", async () => {
  let edits = 0;
  for (const [seed, weights, depth] of [[1, false, 3], [2, false, 4], [3, true, 3], [4, false, 2], [5, true, 4]]) {
    const r = random(100 + seed);
    const training = rows(300, seed, { weights });
    write("d.csv", csv(training));
    write("e.csv", csv(rows(150, 50 + seed, { weights })));
    const options = weights ? ["--weight", "w"] : [];
    beadwork("fit", "d.csv", "--depth", depth, "-o", "m.json", "--report", "r.html", "--test", "e.csv", "-q", ...options);
    const page = await open("r.html");
    for (let i = 0; i < 8; ++i) {
      await change(page, r);
      if (await page.locator("#edit-undo").isDisabled()) continue;
      write("x.json", await download(page, "#edit-save"));
      const model = JSON.parse(read("x.json"));
      assert.equal(read("x.json"), await download(page, "#save-model"));
      for (const [set, file] of [[0, "d.csv"], [1, "e.csv"]]) {
        const said = JSON.parse(beadwork("evaluate", "x.json", file, "--json", ...options));
        for (const key of ["errors", "accuracy", "balanced_accuracy"]) assert.ok(Math.abs((await figure(page, `${set}.${key}`)) - said[key]) < 1e-9, `seed ${seed}, change ${i}, ${file}: ${key}`);
        assert.ok(Math.abs((await figure(page, `edit.${set}.errors`)) - said.errors) < 1e-9);
        for (let a = 0; a < 3; ++a) for (let b = 0; b < 3; ++b) assert.ok(Math.abs((await figure(page, `${set}.confusion.${a}.${b}`)) - said.confusion[a][b]) < 1e-9);
        for (let k = 0; k < 3; ++k) assert.ok(Math.abs((await figure(page, `${set}.${k}.recall`)) - said.per_class[k].recall) < 1e-9);
      }
      checkCounts(model, training, weights);
      assert.deepEqual([model.claim.status, model.claim.proven_by, model.claim.lower_bound, model.sha256], ["feasible", "hand", 0, undefined]);
      const log = await page.locator(".edit-log li").allInnerTexts();
      assert.equal(model.edits.length, log.length);
      const shown = beadwork("show", "x.json");
      assert.match(shown, /edited, not proven/);
      assert.ok(shown.includes("Edited by hand:"));
      assert.equal(await page.locator("header .badges li").first().innerText(), "edited, not proven");
      ++edits;
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
  assert.ok(edits >= 30, `${edits} edits`);
});

// The training weight of each class on each path, by a walk of our own.
function checkCounts(model, lines, weights) {
  const [names, ...data] = lines;
  const { nodes } = model.diagram;
  const size = (n) => ("class" in nodes[n] ? 1 : size(nodes[n].low) + size(nodes[n].high));
  const counts = model.paths.map((p) => p.map(() => 0));
  for (const line of data) {
    const row = Object.fromEntries(names.map((name, i) => [name, line[i]]));
    let path = 0;
    for (const edge of walk(model, row).edges) {
      const [n, passed] = edge.split(":").map(Number);
      if (passed) path += size(nodes[n].low);
    }
    counts[path][model.classes.indexOf(row.risk)] += Math.round((weights ? Number(row.w) : 1) * model.training.weight_scale);
  }
  assert.deepEqual(model.paths, counts);
  assert.equal(model.training.total_weight, counts.flat().reduce((a, b) => a + b, 0));
  assert.equal(model.training.rows, data.length);
}

test("undo, redo, back to the start; a moved threshold is one change", async () => {
  write("d.csv", csv(rows(300, 1)));
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q");
  const page = await open("r.html");
  const model = () => download(page, "#save-model");
  const original = await model();
  assert.equal(original, read("m.json"));
  assert.ok(await page.locator("#edit-undo").isDisabled());
  await page.selectOption("#edit-column", { label: "age" });
  for (const t of ["20", "21", "22.5"]) {
    await page.fill("#edit-threshold", t);
    await page.press("#edit-threshold", "Enter");
  }
  const log = await page.locator(".edit-log li").allInnerTexts();
  assert.equal(log.length, 2, log.join("\n"));
  assert.match(log[1], /became \u201cage \u2264 22.5\u201d/);
  const second = await model();
  await page.selectOption("#edit-yes", "c1");
  await page.click("#edit-undo");
  assert.equal(await model(), second);
  await page.click("#edit-redo");
  assert.equal((await page.locator(".edit-log li").count()), 3);
  await page.click("#edit-reset");
  assert.equal(await model(), original);
  assert.equal(await page.locator("header .badges li").first().innerText(), "proven optimal on the training rows");
  await page.click("#edit-redo");
  assert.equal((await page.locator(".edit-log li").count()), 1);
  // a bad number changes nothing
  if ((await page.locator("#edit-threshold").count()) > 0) {
    await page.fill("#edit-threshold", "abc");
    await page.press("#edit-threshold", "Enter");
    assert.match(await page.locator("#edit .warning").innerText(), /cannot be read/);
    assert.equal((await page.locator(".edit-log li").count()), 1);
  }
  // a click in the diagram chooses what to edit
  await page.locator('[data-node="1"]').click();
  assert.equal(await page.inputValue("#edit-part"), "1");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("the answer of an edge that no training row took can be turned at no cost in training", async () => {
  // job b with age > 30 never occurs
  const lines = ["age,job,risk"];
  for (let i = 0; i < 200; ++i) lines.push(i % 2 === 0 ? `${10 + (i % 20)},b,yes` : `${i % 60},a,${i % 60 > 30 ? "yes" : "no"}`);
  write("d.csv", lines.join("\n") + "\n");
  beadwork("fit", "d.csv", "--depth", 2, "-o", "m.json", "--report", "r.html", "-q");
  const page = await open("r.html");
  await page.selectOption("#edit-part", "0");
  await page.selectOption("#edit-column", { label: "age" });
  await page.fill("#edit-threshold", "1000");
  await page.press("#edit-threshold", "Enter");
  assert.match(await page.locator("#edit").innerText(), /no training row goes this way/);
  const before = await figure(page, "edit.0.errors");
  await unfold(page.locator(".edit-unseen summary"));
  await page.locator(".edit-unseen button").first().click();
  const now = await page.inputValue("#edit-no");
  await page.selectOption("#edit-no", now === "c0" ? "c1" : "c0");
  assert.equal(await figure(page, "edit.0.errors"), before);
  await page.context().close();
});

test("of a sample the figures say so, and the saved model counts no rows that it has not seen", async () => {
  write("d.csv", csv(rows(10_500, 7)));
  beadwork("fit", "d.csv", "--depth", 2, "-o", "m.json", "--report", "r.html", "-q");
  const page = await open("r.html");
  assert.match(await page.locator("#edit").innerText(), /of the rows on this page, 10,000 of 10,500 training rows/);
  await page.selectOption("#edit-column", { label: "pay" });
  const model = JSON.parse(await download(page, "#edit-save"));
  assert.equal(model.training.rows, 10_000);
  assert.equal(model.training.rows_sha256, "");
  assert.match(model.edits.at(-1), /counts and errors are of 10000 training rows drawn at random from 10500/);
  write("x.json", JSON.stringify(model));
  assert.match(beadwork("show", "x.json"), /10000 rows/);
  await page.context().close();
  beadwork("report", "m.json", "-o", "bare.html");
  const bare = await open("bare.html");
  assert.match(await bare.locator("#edit").innerText(), /needs its training rows/);
  assert.deepEqual(bare.faults, []);
  await bare.context().close();
  write("small.csv", csv(rows(200, 7, { classes: ["no", "yes"] })));
  write("costs.csv", ",no,yes\nno,0,1\nyes,5,0\n");
  beadwork("fit", "small.csv", "--depth", 2, "--costs", "costs.csv", "--report", "costs.html", "-q");
  const costs = await open("costs.html");
  assert.match(await costs.locator("#edit").innerText(), /made for costs/);
  await costs.context().close();
});

test("labels are on the page, original names in the file", async () => {
  const evil = "<img src=x onerror=alert(1)>";
  write("d.csv", csv(rows(300, 1)));
  write("l.csv", `column,value,label\nage,,years\nflag,,flagged\nflag,1,up\njob,b,"${evil}"\nrisk,no,safe\n`);
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q", "--labels", "l.csv");
  const page = await open("r.html");
  await page.selectOption("#edit-column", { label: "flagged" });
  await page.selectOption("#edit-part", "1");
  await page.selectOption("#edit-column", { label: "years" });
  await page.selectOption("#edit-part", "0");
  await page.selectOption("#edit-yes", { label: "the answer \u201csafe\u201d" });
  const text = await download(page, "#edit-save");
  const model = JSON.parse(text);
  assert.ok(model.features.some((f) => f.name === "flag") && model.features.some((f) => /^age <= /.test(f.name)), text);
  assert.ok(!/years|flagged|safe|onerror/.test(text), text);
  assert.match(model.edits.join("\n"), /the answer \u201cno\u201d/);
  assert.match(await page.locator(".edit-log").innerText(), /the answer \u201csafe\u201d/);
  // a test that the fit had has its place in the table
  const index = model.features.find((f) => f.name === "flag").index;
  write("x.json", text);
  const named = beadwork("binarize", "d.csv", "--thresholds", model.training.thresholds).split("\n").find((l) => l.startsWith(`# feature ${index} `));
  assert.match(named, /flag/);
  assert.equal(JSON.parse(beadwork("evaluate", "x.json", "d.csv", "--json")).errors, await figure(page, "0.errors"));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("axe finds no serious fault while editing and scoring; a small screen needs no sideways scrolling", async () => {
  write("d.csv", csv(rows(300, 1)));
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "--test", "d.csv", "-q");
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 } }]) {
    const page = await open("r.html", options);
    await page.selectOption("#edit-column", { label: "age" });
    await page.selectOption("#edit-part", "1");
    await page.selectOption("#edit-yes", "c0");
    await page.setInputFiles("#score-file", at("d.csv"));
    await page.waitForSelector("#save-scored");
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.map((n) => n.html).join(" ")}`), []);
    assert.ok(await page.evaluate(() => document.documentElement.scrollWidth <= innerWidth), "wider than the screen");
    await page.context().close();
  }
});

test("an alternative can be edited, pinned and edited again", async () => {
  write("d.csv", csv(rows(300, 1)));
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q", "--within", 40);
  const page = await open("r.html");
  await page.locator(".models li button").nth(1).click();
  const other = await download(page, "#save-model");
  assert.notEqual(other, read("m.json"));
  await page.waitForTimeout(300);
  await page.selectOption("#edit-column", { label: "pay" });
  const first = await download(page, "#save-model");
  assert.deepEqual(JSON.parse(first).edits.length, 1);
  await page.click("#pin-shown");
  await page.selectOption("#edit-column", { label: "tiny" });
  await page.locator(".pins li button").first().click(); // the pinned one, as it was
  await page.waitForFunction(() => document.querySelectorAll(".edit-log li").length === 1);
  assert.equal(await download(page, "#save-model"), first);
  assert.equal(await page.locator(".edit-log li").count(), 1);
  await page.selectOption("#edit-yes", "c0");
  assert.equal(JSON.parse(await download(page, "#save-model")).edits.length, 2);
  await page.click("#back-to-own");
  assert.equal(await download(page, "#save-model"), read("m.json"));
  await page.waitForFunction(() => document.querySelectorAll(".edit-log li").length === 0);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
