// Figures by group, intervals and the class of interest, against the CSV and the model's file read in another way.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { at, beadwork, finish, near, open, random, read, rowsOf, unfold, walk, write } from "./support.mjs";

const web = join(dirname(fileURLToPath(import.meta.url)), "..");

// Numbers with gaps, two kinds of categories, a rare class; `town` has many values and no use.
function people(rows, seed) {
  const r = random(seed);
  const lines = ["age,sex,town,income,children,y"];
  for (let i = 0; i < rows; ++i) {
    const age = 18 + Math.floor(r() * 60);
    const sex = r() < 0.1 ? "" : r() < 0.6 ? "f" : "m";
    const income = r() < 0.15 ? "" : String(Math.floor(r() * 5000) / 10);
    const town = `town${Math.floor(r() ** 3 * 20)}`;
    const sure = Number(income) > 300 ? (sex === "f" ? "yes" : age > 50 ? "yes" : "no") : "no";
    lines.push([age, sex, town, income, Math.floor(r() * 4), r() < (sex === "m" ? 0.3 : 0.1) ? "yes" : r() < 0.03 ? "maybe" : sure].join(","));
  }
  return lines.join("\n") + "\n";
}

before(() => {
  write("train.csv", people(500, 1));
  write("test.csv", people(420, 2));
  beadwork("fit", "train.csv", "--depth", 3, "--thresholds", "quantiles:5", "-o", "model.json", "--report", "people.html", "--test", "test.csv", "-q");
});
after(finish);

// Wilson's interval from its definition: the shares from which the observed one is 1.96 standard errors away.
function wilson(hits, n) {
  const z = 1.959963984540054;
  const off = (pi) => Math.abs(hits / n - pi) - z * Math.sqrt((pi * (1 - pi)) / n);
  const root = (inside, outside) => {
    for (let i = 0; i < 200; ++i) {
      const middle = (inside + outside) / 2;
      if (off(middle) < 0) inside = middle;
      else outside = middle;
    }
    return (inside + outside) / 2;
  };
  const p = hits / n;
  const inside = (p + (z * z) / (2 * n)) / (1 + (z * z) / n);
  return { low: hits === 0 ? 0 : root(inside, 0), high: hits === n ? 1 : root(inside, 1) };
}
function newcombe([a, m], [b, n]) {
  const [first, second] = [wilson(a, m), wilson(b, n)];
  const difference = a / m - b / n;
  return { low: difference - Math.sqrt((a / m - first.low) ** 2 + (second.high - b / n) ** 2), high: difference + Math.sqrt((first.high - a / m) ** 2 + (b / n - second.low) ** 2) };
}

test("intervals and McNemar's p are those of SciPy and of the literature", async () => {
  await build({ entryPoints: [join(web, "src", "statistics.ts")], outfile: at("statistics.mjs"), format: "esm", bundle: true, logLevel: "error" });
  const s = await import(pathToFileURL(at("statistics.mjs")).href);
  // SciPy 1.17.1, binomtest(hits, n).proportion_ci(method="wilson")
  for (const [hits, n, low, high] of [[0, 10, 0, 0.27753279986288926], [3, 10, 0.10779126740630102, 0.6032218525388546], [10, 10, 0.7224672001371109, 1],
    [45, 51, 0.7661915568567753, 0.9449492632208182], [81, 263, 0.2552885198782742, 0.36620957698280004], [9999, 10000, 0.9994337311025987, 0.9999823473263989]]) {
    near(s.wilson(hits, n).low, low, 1e-14);
    near(s.wilson(hits, n).high, high, 1e-14);
    near(wilson(hits, n).low, low, 1e-9); // what the tests below go by
    near(wilson(hits, n).high, high, 1e-9);
  }
  // Newcombe 1998, Table II, method 10
  for (const [a, m, b, n, low, high] of [[56, 70, 48, 80, 0.0524, 0.3339], [9, 10, 3, 10, 0.1705, 0.809], [6, 7, 2, 7, 0.0582, 0.8062], [5, 56, 0, 29, -0.0381, 0.1926],
    [0, 10, 0, 20, -0.1611, 0.2775], [0, 10, 0, 10, -0.2775, 0.2775], [10, 10, 0, 20, 0.6791, 1], [10, 10, 0, 10, 0.6075, 1]]) {
    near(s.newcombe(a, m, b, n).low, low, 0.00005);
    near(s.newcombe(a, m, b, n).high, high, 0.00005);
  }
  // SciPy 1.17.1, binomtest(b, b + c, 0.5).pvalue
  for (const [b, c, p] of [[0, 0, 1], [9, 5, 0.4239501953125], [0, 6, 0.03125], [6, 0, 0.03125], [1, 1, 1], [0, 1, 1], [121, 59, 4.4344492637551645e-6], [30, 12, 0.007915897334896727],
    [1000, 900, 0.023108845108901193], [700, 1300, 1.6293497027602653e-41]])
    assert.ok(Math.abs(s.mcnemar(b, c) / p - 1) < 1e-9, `${b} ${c}: ${s.mcnemar(b, c)}, ${p}`);
  assert.deepEqual([0.42395, 0.03125, 0.0001, 1, 0.0996].map(s.pText), ["p = 0.42", "p = 0.031", "p < 0.001", "p = 1", "p = 0.10"]);
  const cpp = readFileSync(join(web, "..", "src", "beadwork", "report", "intervals.cpp"), "utf8");
  assert.ok(cpp.includes("1.959963984540054"), "both sides use the same quantile");
});

// What the page says, group by group.
const table = (page) => page.evaluate(() => [...document.querySelectorAll("#group-table tbody tr")].map((tr) => ({
  name: tr.querySelector("th").innerText, rows: Number(tr.children[1].innerText.replace(/[ ?,]/g, "")), doubted: tr.children[1].innerText.includes("?"),
  accuracy: tr.querySelector("[data-figure=accuracy]").innerText,
  shares: Object.fromEntries([...tr.querySelectorAll("[data-figure]")].map((td) => [td.dataset.figure, [Number(td.dataset.hits), Number(td.dataset.of)]])),
  rates: [...tr.querySelectorAll("[data-answer]")].map((td) => td.innerText),
})));
function expected(model, rows, k) {
  const answered = rows.map((row) => ({ truth: row.y, answer: walk(model, row).answer }));
  const count = (f) => answered.filter(f).length;
  return {
    rows: rows.length,
    rates: model.classes.map((c) => count((x) => x.answer === c)),
    shares: {
      accuracy: [count((x) => x.answer === x.truth), rows.length],
      sensitivity: [count((x) => x.truth === k && x.answer === k), count((x) => x.truth === k)],
      specificity: [count((x) => x.truth !== k && x.answer !== k), count((x) => x.truth !== k)],
      precision: [count((x) => x.truth === k && x.answer === k), count((x) => x.answer === k)],
    },
  };
}
async function same(page, model, groups, k) {
  // The warning is there exactly where figures are marked.
  assert.equal(await page.locator(".small-groups").count(), (await page.locator("#group-table .warning").count()) > 0 ? 1 : 0);
  const said = await table(page);
  assert.deepEqual(said.map((x) => x.name), groups.map((x) => x.name));
  said.forEach((x, i) => {
    const e = expected(model, groups[i].rows, k);
    assert.deepEqual({ rows: x.rows, shares: x.shares }, { rows: e.rows, shares: e.shares }, x.name);
    assert.equal(x.doubted, e.rows < 30, x.name);
    const { low, high } = wilson(...e.shares.accuracy);
    const [hits, n] = e.shares.accuracy;
    assert.equal(x.accuracy.replace(" ?", "").replace(/\s+/g, " "), `${((100 * hits) / n).toFixed(1)} % ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)} %`);
    assert.deepEqual(x.rates, e.rates.map((r) => (r === 0 ? "0.0\u202f%" : `${((100 * r) / n).toFixed(1)}\u202f%`)));
  });
}
// The largest difference: small groups (30 rows, 5 of what is counted) are left out where two others remain.
function gap(model, groups, measure, k) {
  const all = groups.map((x) => {
    const e = expected(model, x.rows, k);
    return { name: x.name, rows: e.rows, share: e.shares[measure] };
  }).filter((x) => x.share[1] > 0);
  const large = all.filter((x) => x.rows >= 30 && x.share[1] >= 5);
  const list = (large.length >= 2 ? large : all).map((x) => ({ ...x, value: x.share[0] / x.share[1] })).sort((a, b) => b.share[1] - a.share[1]); // of equal shares, that of more rows
  if (list.length < 2) return null;
  const best = list.find((x) => list.every((y) => y.value <= x.value));
  const others = list.filter((x) => x !== best);
  const worst = others.find((x) => others.every((y) => y.value >= x.value));
  return { points: best.value - worst.value, ...newcombe(best.share, worst.share), small: large.length < 2 };
}
async function sameGap(page, model, groups, measure, k) {
  const e = gap(model, groups, measure, k);
  const said = await page.locator("#group-gap").evaluate((p) => ({ ...p.dataset, text: p.innerText }));
  if (e === null) return assert.match(said.text, /no two groups to compare/);
  for (const key of ["points", "low", "high"]) near(Number(said[key]), e[key], 1e-8);
  assert.ok(said.text.includes(e.points === 0 ? "no difference" : `${(100 * e.points).toFixed(1)} points`), said.text);
  assert.equal(said.text.includes("may be chance"), e.low <= 0 && e.points > 0, said.text);
  assert.equal(said.text.includes("Too few groups are large"), e.small, said.text);
}

const byValue = (rows, column, order) => order.map(([name, value]) => ({ name, rows: rows.filter((r) => (typeof value === "function" ? value(r[column]) : r[column] === value)) }));

test("by category, by number and by threshold: the figures are those of the rows", async () => {
  const model = JSON.parse(read("model.json"));
  const page = await open("people.html");
  await page.locator("#groups").scrollIntoViewIfNeeded();
  for (const [set, file] of [["training rows (train.csv)", "train.csv"], ["test rows (test.csv)", "test.csv"]]) {
    const rows = rowsOf(read(file));
    await page.getByLabel("Rows", { exact: true }).selectOption({ label: set });
    for (const k of model.classes) {
      await page.locator("#group-class").selectOption({ label: k });
      // Categories, the most frequent first, and missing.
      await page.getByLabel("Column", { exact: true }).selectOption({ label: "sex" });
      const sexes = byValue(rows, "sex", [["f", "f"], ["m", "m"], ["missing", ""]]);
      await same(page, model, sexes, k);
      for (const measure of ["accuracy", "sensitivity", "specificity", "precision"]) {
        await page.getByLabel("Compare groups by").selectOption({ label: measure });
        await sameGap(page, model, sexes, measure, k);
      }
      // Four values: each a group.
      await page.getByLabel("Column", { exact: true }).selectOption({ label: "children" });
      await same(page, model, byValue(rows, "children", ["0", "1", "2", "3"].map((v) => [v, v])), k);
      // Quartiles: the smallest values that a quarter, half, three quarters of the rows do not exceed.
      await page.getByLabel("Column", { exact: true }).selectOption({ label: "income" });
      const given = rows.map((r) => r.income).filter((v) => v !== "").map(Number);
      const cut = (q) => Math.min(...given.filter((x) => given.filter((y) => y <= x).length >= q * given.length));
      const parts = (cuts) => [...cuts.map((c, i) => [i === 0 ? `\u2264 ${c}` : `> ${cuts[i - 1]}, \u2264 ${c}`, (v) => v !== "" && Number(v) <= c && (i === 0 || Number(v) > cuts[i - 1])]),
        [`> ${cuts[cuts.length - 1]}`, (v) => v !== "" && Number(v) > cuts[cuts.length - 1]], ["missing", ""]];
      await page.locator("#group-cut").selectOption("");
      await same(page, model, byValue(rows, "income", parts([0.25, 0.5, 0.75].map(cut))), k);
      const tested = model.diagram.nodes.filter((n) => !("class" in n)).map((n) => model.features[n.feature]);
      const cuts = [...new Set(tested.filter((f) => f.test === "at_most" && model.columns[f.column].name === "income").map((f) => f.threshold))].sort((a, b) => a - b);
      assert.ok(cuts.length > 0, "the model tests income");
      await page.locator("#group-cut").selectOption("model");
      await same(page, model, byValue(rows, "income", parts(cuts)), k);
    }
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("many categories: the rarest together, small groups marked, the confusion on demand", async () => {
  const model = JSON.parse(read("model.json"));
  const rows = rowsOf(read("test.csv"));
  const page = await open("people.html");
  await page.getByLabel("Column", { exact: true }).selectOption({ label: "town" });
  const count = new Map();
  for (const r of rows) count.set(r.town, (count.get(r.town) ?? 0) + 1);
  assert.ok(count.size > 12);
  const said = await table(page);
  assert.equal(said.length, 11);
  const sizes = [...count.values()].sort((a, b) => b - a);
  assert.deepEqual(said.slice(0, 10).map((x) => x.rows), sizes.slice(0, 10));
  for (const x of said.slice(0, 10)) assert.deepEqual(x.shares, expected(model, rows.filter((r) => r.town === x.name), await page.locator("#group-class option:checked").innerText()).shares, x.name);
  assert.equal(said[10].name, `${count.size - 10} other values`);
  assert.equal(said[10].rows, sizes.slice(10).reduce((a, b) => a + b, 0));
  assert.match(await page.locator(".small-groups").innerText(), /groups have fewer than 30 rows/);
  await unfold(page.getByText("The confusion in each group"));
  const first = await page.evaluate(() => [...document.querySelectorAll("#group-confusions table")].map((t) => [...t.querySelectorAll("tbody tr")].map((tr) => [...tr.querySelectorAll("td")].map((td) => Number(td.innerText)))));
  assert.equal(first.length, 11);
  const town = rows.filter((r) => r.town === said[0].name);
  assert.deepEqual(first[0], model.classes.map((a) => model.classes.map((b) => town.filter((r) => r.y === a && walk(model, r).answer === b).length)));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("the class of interest: sensitivity, specificity and precision are those of evaluate, in all parts of the page", async () => {
  const model = JSON.parse(read("model.json"));
  const page = await open("people.html");
  const support = model.classes.map((_, k) => JSON.parse(beadwork("evaluate", "model.json", "train.csv", "--json")).per_class[k].support);
  const rarest = model.classes[support.indexOf(Math.min(...support))];
  assert.equal(await page.locator("#evidence-class option:checked").innerText(), rarest);
  for (const [k, name] of model.classes.entries()) {
    await page.locator("#evidence-class").selectOption({ label: name });
    assert.equal(await page.locator("#group-class option:checked").innerText(), name, "one class for the page");
    const figures = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#interest [data-figure]")].map((e) => [e.dataset.figure, [Number(e.dataset.value), e.parentElement.innerText]])));
    ["train.csv", "test.csv"].forEach((file, i) => {
      const e = JSON.parse(beadwork("evaluate", "model.json", file, "--json"));
      const own = e.confusion[k].reduce((a, b) => a + b, 0);
      const total = e.confusion.flat().reduce((a, b) => a + b, 0);
      const taken = e.confusion.reduce((sum, row) => sum + row[k], 0);
      near(figures[`${i}.interest.sensitivity`][0], e.per_class[k].recall, 1e-12);
      near(figures[`${i}.interest.specificity`][0], (total - own - (taken - e.confusion[k][k])) / (total - own), 1e-12);
      if (taken === 0) assert.equal(figures[`${i}.interest.precision`], undefined);
      else near(figures[`${i}.interest.precision`][0], e.per_class[k].precision, 1e-12);
      const { low, high } = wilson(e.confusion[k][k], own);
      assert.ok(figures[`${i}.interest.sensitivity`][1].includes(`${e.confusion[k][k]} of ${own}, ${(100 * low).toFixed(1)} to ${(100 * high).toFixed(1)}`), figures[`${i}.interest.sensitivity`][1]);
    });
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a page may name the class of interest", async () => {
  const named = read("people.html").replace(/(<script[^>]*id="data"[^>]*>)\{/, '$1{"positive":"no",');
  write("named.html", named);
  const page = await open("named.html");
  assert.equal(await page.locator("#evidence-class option:checked").innerText(), "no");
  assert.equal(await page.locator("#group-class option:checked").innerText(), "no");
  assert.equal(await page.locator("#group-measure option:checked").innerText(), "sensitivity");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("weights and samples: the page says what the figures count", async () => {
  const r = random(3);
  const lines = ["a,b,w,y"];
  for (let i = 0; i < 10_300; ++i) lines.push([Math.floor(r() * 9), "xy"[Math.floor(r() * 2)], 1 + Math.floor(r() * 3), r() < 0.2 ? "p" : "q"].join(","));
  write("many.csv", lines.join("\n") + "\n");
  beadwork("fit", "many.csv", "--weight", "w", "--depth", 2, "-o", "many.json", "--report", "many.html", "-q");
  const page = await open("many.html");
  await page.locator("#groups").scrollIntoViewIfNeeded();
  const text = await page.locator("#groups").innerText();
  assert.match(text, /This page has 10000 rows of the 10,300 training rows, drawn at random/);
  assert.match(text, /count each row once; those of the evidence are by weight/);
  const said = await table(page);
  assert.equal(said.reduce((sum, x) => sum + x.rows, 0), 10_000);
  assert.match(await page.locator("#interest").innerText(), /by weight, without intervals/);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("a page without rows has no groups, and keeps the class of interest", async () => {
  beadwork("report", "model.json", "-o", "bare.html");
  const page = await open("bare.html");
  assert.equal(await page.locator("#groups").count(), 0);
  assert.equal(await page.locator("nav a[href='#groups']").count(), 0);
  assert.equal(await page.locator("#interest").count(), 1);
  assert.ok(await page.locator("#compare").isHidden());
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
