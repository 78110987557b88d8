// What the page says of a case and of tables, against the model's file read in another way and against evaluate.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { beadwork, finish, open, random, read, walk, write } from "./support.mjs";

// Yes only where all of several things hold: many rows are two or three changes away from it.
function strict(rows, seed) {
  const r = random(seed);
  const lines = ["age,colour,income,owner,y"];
  for (let i = 0; i < rows; ++i) {
    const age = 18 + Math.floor(r() * 60);
    const colour = ["red", "green", "blue"][Math.floor(r() * 3)];
    const income = r() < 0.1 ? "" : String(100 * Math.floor(10 + r() * 40));
    const owner = ["yes", "no"][Math.floor(r() * 2)];
    const y = colour === "red" && owner === "yes" && Number(income) > 3000 ? (age < 40 ? "gold" : "silver") : "none";
    lines.push([age, colour, income, owner, y].join(","));
  }
  return lines.join("\n") + "\n";
}
// Three classes, missing values, weights.
function weighted(rows, seed) {
  const r = random(seed);
  const lines = ["a,b,c,w,kind"];
  for (let i = 0; i < rows; ++i) {
    const a = r() < 0.2 ? "?" : String(Math.floor(r() * 100));
    const b = r() < 0.1 ? "" : "xyz"[Math.floor(r() * 3)];
    const c = Math.floor(r() * 10);
    const kind = r() < 0.15 ? "pqr"[Math.floor(r() * 3)] : a === "?" ? "r" : Number(a) > 50 ? "p" : b === "x" ? "q" : "r";
    lines.push([a, b, c, [0.1, 0.5, 1, 2.5][Math.floor(r() * 4)], kind].join(","));
  }
  return lines.join("\n") + "\n";
}
const rowsOf = (csv) => {
  const [head, ...lines] = csv.trim().split("\n").map((l) => l.split(","));
  return lines.map((l) => Object.fromEntries(l.map((v, i) => [head[i], v])));
};

before(() => {
  write("strict.csv", strict(600, 1));
  beadwork("fit", "strict.csv", "--depth", 5, "--thresholds", "quantiles:6", "-o", "strict.json", "--report", "strict.html", "-q");
  write("train.csv", weighted(400, 2));
  write("test.csv", weighted(250, 3));
  beadwork("fit", "train.csv", "--weight", "w", "--depth", 3, "-o", "weighted.json", "--report", "fit.html", "--test", "test.csv", "-q");
  beadwork("report", "weighted.json", "train.csv", "--test", "test.csv", "--weight", "w", "-o", "report.html");
  beadwork("report", "weighted.json", "-o", "bare.html");
});
after(finish);

// Every value of a tested column that some test may tell from others.
function choices(model) {
  const tested = model.diagram.nodes.filter((n) => !("class" in n)).map((n) => model.features[n.feature]);
  return [...new Set(tested.map((f) => f.column))].map((at) => {
    const column = model.columns[at];
    const cuts = tested.filter((f) => f.column === at && f.test === "at_most").map((f) => f.threshold);
    return { name: column.name, values: column.type === "nominal" ? column.levels : [...cuts, Math.max(...cuts, 0) + 1].map(String) };
  });
}
// The answers that n changes of different columns lead to.
function turned(model, row, n, from = 0) {
  const columns = choices(model);
  if (n === 0) return [walk(model, row).answer];
  const out = [];
  for (let c = from; c < columns.length; ++c)
    for (const value of columns[c].values) out.push(...turned(model, { ...row, [columns[c].name]: value }, n - 1, c + 1));
  return out;
}
// "age were at most 40.5" and the like: a value that is so.
function valueOf(words) {
  const between = /^more than (.*) and at most (.*)$/.exec(words);
  if (between) return between[2];
  const above = /^more than (.*)$/.exec(words);
  if (above) return String(Number(above[1]) + 1);
  return /^at most (.*)$/.exec(words)?.[1] ?? words.split(/, | or /)[0];
}
const kClause = /(age|colour|income|owner) were (more than [\d.]+ and at most [\d.]+|more than [\d.]+|at most [\d.]+|\w+(?:, \w+)*(?: or \w+)?)/g;

test("one change, two changes or none: as brute force has it, and the changes do it", async () => {
  const model = JSON.parse(read("strict.json"));
  const page = await open("strict.html");
  const seen = { one: 0, two: 0, none: 0 };
  await page.locator(".rows").focus();
  for (const row of rowsOf(read("strict.csv")).slice(0, 60)) {
    await page.keyboard.press("ArrowDown"); // the next row, into the form
    const now = walk(model, row).answer;
    assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), now);
    const expected = turned(model, row, 1).some((k) => k !== now) ? "one" : turned(model, row, 2).some((k) => k !== now) ? "two" : "none";
    const text = (await page.locator(".turning p, p.turning").first().innerText()).trim();
    const said = text.startsWith("What would change it: ") ? "one" : text.startsWith("No single change is enough. ") ? "two" : "none";
    assert.equal(said, expected, `${JSON.stringify(row)}: ${text}`);
    ++seen[said];
    if (said === "none") {
      assert.equal(text, "Changing one or two of these values would not change the answer.");
    } else {
      const clauses = [...text.split(", it would be ")[0].matchAll(kClause)];
      assert.equal(clauses.length, said === "one" ? 1 : 2, text);
      const changed = { ...row };
      for (const [, name, words] of clauses) changed[name] = valueOf(words);
      assert.equal(walk(model, changed).answer, /, it would be (.*)\.$/.exec(text)[1], text);
    }
  }
  assert.ok(seen.one >= 5 && seen.two >= 5 && seen.none >= 1, JSON.stringify(seen));
  assert.deepEqual(page.faults, []);
});

test("weighted rows of three classes with missing values: the figures are those of evaluate", async () => {
  for (const file of ["fit.html", "report.html", "bare.html"]) {
    const page = await open(file);
    const figures = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("[data-figure][data-value]")].map((e) => [e.dataset.figure, { value: Number(e.dataset.value), text: e.innerText }])));
    (file === "bare.html" ? ["train.csv"] : ["train.csv", "test.csv"]).forEach((data, i) => {
      const e = JSON.parse(beadwork("evaluate", "weighted.json", data, "--weight", "w", "--json"));
      assert.equal(e.confusion.length, 3);
      // The model remembers sums of weights: the last digit may differ from that of sums over rows.
      const same = (name, value) => assert.ok(Math.abs(figures[`${i}.${name}`].value - value) <= (file === "bare.html" ? 1e-12 * Math.max(1, value) : 0), `${file} ${data} ${name}: ${figures[`${i}.${name}`].value}, ${value}`);
      for (const key of ["accuracy", "errors", "balanced_accuracy"]) same(key, e[key]);
      e.confusion.forEach((row, a) => row.forEach((v, b) => same(`confusion.${a}.${b}`, v)));
      e.per_class.forEach((c, k) => ["support", "precision", "recall", "f1"].forEach((key) => same(`${k}.${key}`, c[key])));
      assert.equal(figures[`${i}.accuracy`].text, `${(100 * e.accuracy).toFixed(2)}\u202f%`);
      assert.equal(Number(figures[`${i}.errors`].text), Number(e.errors.toPrecision(6)));
    });
    const text = await page.locator("#evidence").innerText();
    assert.match(text, /errors \(weight\)/);
    assert.equal(/not known/.test(text), file === "bare.html", "without the rows there is no interval");
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});

test("words with an order: a list to choose from, and the rows fill it in", async () => {
  const r = random(7);
  const sizes = ["tiny", "small", "medium", "large", "huge"];
  const lines = ["size,age,y"];
  for (let i = 0; i < 200; ++i) {
    const size = Math.floor(r() * 5);
    const age = 18 + Math.floor(r() * 60);
    lines.push([r() < 0.1 ? "" : sizes[size], age, size <= 2 !== age > 50 ? "yes" : "no"].join(","));
  }
  write("sizes.csv", lines.join("\n") + "\n");
  const order = ["--ordered", `size=${sizes.join(",")}`];
  beadwork("fit", "sizes.csv", ...order, "--depth", 2, "--thresholds", "all", "-o", "sizes.json", "--report", "sizes.html", "--test", "sizes.csv", "-q");
  const model = JSON.parse(read("sizes.json"));
  const page = await open("sizes.html");
  await page.locator(".rows").focus();
  for (const row of rowsOf(read("sizes.csv")).slice(0, 30)) {
    await page.keyboard.press("ArrowDown");
    assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), walk(model, row).answer, JSON.stringify(row));
  }
  const field = page.getByLabel("size", { exact: true });
  assert.deepEqual((await field.locator("option").allInnerTexts()).slice(1), [...sizes, "another value", "missing"]);
  await page.getByLabel("age", { exact: true }).fill("30");
  for (const [label, size] of [...sizes.map((s) => [s, s]), ["another value", "giant"], ["missing", ""]]) {
    await field.selectOption({ label });
    assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), walk(model, { size, age: "30" }).answer, label);
  }
  assert.match(await page.locator(".rows").innerText(), /medium/);
  assert.match(await page.locator("#ask").innerText(), /size \u2264 medium|size > medium|treated as more than medium/);
  assert.deepEqual(page.faults, []);
});
