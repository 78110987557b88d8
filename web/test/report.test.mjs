import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { after, before, test } from "node:test";
import { at, beadwork, finish, highlighted, open, random, read, unfold, walk, write } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const sorted = (list) => [...list].sort((a, b) => a - b);

// Numbers, categories and missing values; three classes; a test file of other rows.
function loans(rows, seed) {
  const r = random(seed);
  const lines = ["age,income,colour,owner,risk"];
  for (let i = 0; i < rows; ++i) {
    const age = 18 + Math.floor(r() * 60);
    const income = r() < 0.15 ? "" : (1000 + Math.floor(r() * 400) * 10).toString();
    const colour = ["red", "green", "blue", "black"][Math.floor(r() * 4)];
    const owner = r() < 0.1 ? "?" : r() < 0.5 ? "yes" : "no";
    let risk = age < 30 ? "high" : income === "" ? "medium" : Number(income) > 3000 && owner === "yes" ? "low" : colour === "red" ? "high" : "medium";
    if (r() < 0.08) risk = ["low", "medium", "high"][Math.floor(r() * 3)];
    lines.push([age, income, colour, owner, risk].join(","));
  }
  return lines.join("\n") + "\n";
}
function rowsOf(csv) {
  const [head, ...lines] = csv.trim().split("\n");
  const names = head.split(",");
  return lines.map((l) => Object.fromEntries(l.split(",").map((v, i) => [names[i], v])));
}

before(() => {
  write("loans.csv", loans(600, 1));
  write("others.csv", loans(300, 2));
  beadwork("fit", "loans.csv", "--depth", 4, "--thresholds", "quantiles:4", "-o", "model.json", "--report", "fit.html", "--test", "others.csv", "--certificate", "loans.cert", "--top", 15, "-q");
  beadwork("fit", "loans.csv", "--depth", "1..3", "--thresholds", "quantiles:4", "--front", "--bias", "size", "--report", "depths.html", "-q");
  beadwork("report", "model.json", "loans.csv", "--test", "others.csv", "-o", "report.html");
  beadwork("report", "model.json", "-o", "bare.html");
  beadwork("fit", "loans.csv", "--engine", "cart", "--depth", 4, "--thresholds", "quantiles:4", "-o", "tree.json", "--report", "tree.html", "-q");
});
after(finish);

const model = (name = "model.json") => JSON.parse(read(name));
const byLabel = (page, name) => page.locator(".ask").getByLabel(name, { exact: true });
async function enter(page, row, name) {
  for (const c of model(name).columns) {
    const field = byLabel(page, c.name);
    if ((await field.count()) === 0) continue; // selected, and not tested
    const text = row[c.name];
    const missing = text === "" || text === "?";
    if (c.type === "nominal") await field.selectOption({ label: missing ? "missing" : text });
    else {
      const box = page.locator(".field", { has: page.getByLabel(c.name, { exact: true }) }).getByRole("checkbox");
      await box.setChecked(missing);
      if (!missing) await field.fill(text);
    }
  }
}

test("the form highlights the path that the model takes, and says its answer", async () => {
  const page = await open("fit.html");
  for (const row of rowsOf(read("others.csv")).slice(0, 25)) {
    await enter(page, row);
    const expected = walk(model(), row);
    const seen = await highlighted(page);
    assert.deepEqual(seen.nodes, sorted(expected.nodes), JSON.stringify(row));
    assert.deepEqual(seen.edges, [...expected.edges].sort());
    assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), expected.answer);
  }
  await page.getByRole("button", { name: "Clear" }).click();
  assert.deepEqual((await highlighted(page)).nodes, []);
  assert.deepEqual(page.faults, []);
});

test("a decision tree is asked in the same way", async () => {
  const page = await open("tree.html");
  for (const row of rowsOf(read("others.csv")).slice(0, 10)) {
    await enter(page, row, "tree.json");
    const expected = walk(model("tree.json"), row);
    const seen = await highlighted(page);
    assert.deepEqual(seen.nodes, sorted(expected.nodes), JSON.stringify(row));
    assert.deepEqual(seen.edges, [...expected.edges].sort());
    assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), expected.answer);
  }
  assert.deepEqual(page.faults, []);
});

test("what would turn the answer does turn it", async () => {
  const page = await open("fit.html");
  let turned = 0;
  for (const row of rowsOf(read("others.csv")).slice(0, 40)) {
    await enter(page, row);
    const before = await page.locator(".verdict").getAttribute("data-verdict");
    const text = await page.locator(".turning").first().innerText();
    const single = /^What would change it: If (\w+) were (.*?), it would be (.*?)\./.exec(text);
    // Is there one at all? Every level and every interval of every column, by the independent walk.
    const others = new Set();
    for (const c of model().columns) {
      const values = c.type === "nominal" ? c.levels
        : [-1e9, ...model().features.filter((f) => f.threshold !== undefined && model().columns[f.column].name === c.name).map((f) => f.threshold + 1e-6)];
      if (row[c.name] === undefined) continue;
      for (const v of values) {
        const answer = walk(model(), { ...row, [c.name]: String(v) }).answer;
        if (answer !== before) others.add(c.name);
      }
    }
    assert.equal(single !== null, others.size > 0, `${JSON.stringify(row)}: ${text}`);
    if (!single) continue;
    ++turned;
    const [, column, to, answer] = single;
    assert.ok(others.has(column));
    const number = /more than ([\d.e+-]+)/.exec(to) ?? /at most ([\d.e+-]+)/.exec(to);
    const value = model().columns.find((c) => c.name === column).type === "nominal" ? to.split(/, | or /)[0]
      : String(Number(number[1]) + (to.startsWith("more") ? 0.001 : 0));
    assert.equal(walk(model(), { ...row, [column]: value }).answer, answer, text);
  }
  assert.ok(turned > 5);
  assert.deepEqual(page.faults, []);
});

test("the questionnaire asks one thing at a time; not sure keeps both branches", async () => {
  const page = await open("fit.html");
  await page.getByRole("button", { name: "One question at a time" }).click();
  const nodes = model().diagram.nodes;
  const root = model().features[nodes[0].feature].name;
  const asks = async () => model().features[Number(await page.locator(".question b").getAttribute("data-feature"))].name;
  assert.equal(await asks(), root);
  await page.getByRole("button", { name: "Not sure" }).click();
  let seen = await highlighted(page);
  assert.ok(seen.edges.includes("0:0") && seen.edges.includes("0:1"));
  // Not sure of anything: every test is asked once, and all that the model can say stays open.
  const doubted = new Set([root]);
  for (;;) {
    const question = page.locator(".question b");
    if ((await question.count()) === 0) break;
    const name = await asks();
    assert.ok(!doubted.has(name), "a question came twice");
    doubted.add(name);
    await page.getByRole("button", { name: "Not sure" }).click();
  }
  assert.match(await page.locator(".question").innerText(), /several answers remain possible/);
  assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), "open");
  assert.equal((await highlighted(page)).nodes.length, nodes.length);
  await page.getByRole("button", { name: "Start again" }).click();
  // Answer as a row would, and arrive where it does.
  for (const row of rowsOf(read("others.csv")).slice(0, 8)) {
    const asked = new Set();
    for (;;) {
      const question = page.locator(".question b");
      if ((await question.count()) === 0) break;
      const name = await asks();
      assert.ok(!asked.has(name), "a question came twice");
      asked.add(name);
      const f = model().features.find((x) => x.name === name);
      const text = row[model().columns[f.column].name];
      const missing = text === "" || text === "?";
      const yes = f.test === "missing" ? missing : !missing && (f.test === "equals" ? text === f.level : Number(text) <= f.threshold);
      await page.getByRole("button", { name: yes ? "Yes" : "No", exact: true }).click();
    }
    assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), walk(model(), row).answer);
    seen = await highlighted(page);
    for (const e of walk(model(), row).edges.slice(0, asked.size > 0 ? 1 : 0)) assert.ok(seen.edges.includes(e));
    await page.getByRole("button", { name: "Start again" }).click();
  }
  assert.deepEqual(page.faults, []);
});

test("a row's click shows its path; node, edge, class and mistake filter the rows", async () => {
  const page = await open("fit.html");
  const all = [...rowsOf(read("loans.csv")), ...rowsOf(read("others.csv"))].map((row) => ({ row, ...walk(model(), row) }));
  const count = async () => Number(await page.locator(".data .count").getAttribute("data-rows"));
  assert.equal(await count(), all.length);
  const tr = page.locator(".rows tbody tr[data-at]").nth(3);
  await tr.click();
  assert.deepEqual((await highlighted(page)).edges, [...all[3].edges].sort());
  // Every node and edge, by the list; one of each by a click on the picture.
  for (const option of await page.locator("#filter-node option").all()) {
    const value = await option.getAttribute("value");
    if (value === "") continue;
    await page.locator("#filter-node").selectOption(value);
    const expected = all.filter((x) => (value[0] === "n" ? x.nodes.includes(Number(value.slice(1))) : x.edges.includes(value.slice(1))));
    assert.equal(await count(), expected.length, value);
  }
  await page.getByRole("button", { name: "Show all rows" }).click();
  const second = model().diagram.nodes[0].high;
  await page.locator(`[data-node="${second}"]`).click();
  assert.equal(await count(), all.filter((x) => x.nodes.includes(second)).length);
  await page.locator(`[data-node="${second}"]`).click();
  assert.equal(await count(), all.length);
  await page.locator('[data-node="0"]').scrollIntoViewIfNeeded();
  const box = await page.locator('[data-edge="0:0"] .line').evaluate((p) => {
    const middle = p.getPointAtLength(p.getTotalLength() * 0.4).matrixTransform(p.getScreenCTM());
    return { x: middle.x, y: middle.y };
  });
  await page.mouse.click(box.x, box.y);
  assert.equal(await page.locator("#filter-node").inputValue(), "e0:0");
  await page.getByRole("button", { name: "Show all rows" }).click();
  await page.locator("#filter-error").selectOption("wrong");
  assert.equal(await count(), all.filter((x) => x.answer !== x.row.risk).length);
  await page.locator("#filter-truth").selectOption({ label: "low" });
  assert.equal(await count(), all.filter((x) => x.answer !== x.row.risk && x.row.risk === "low").length);
  await page.locator("#filter-error").selectOption("");
  await page.locator("#filter-answer").selectOption({ label: "high" });
  await page.locator("#filter-set").selectOption({ index: 2 });
  assert.equal(await count(), all.slice(600).filter((x) => x.answer === "high" && x.row.risk === "low").length);
  assert.deepEqual(page.faults, []);
});

test("columns sort, missing values last; only the rows in sight are in the document", async () => {
  const page = await open("report.html");
  const head = page.locator(".rows th", { hasText: "income" });
  const index = await head.evaluate((th) => th.cellIndex);
  const top = () => page.locator(".rows tbody tr[data-at] >> nth=0").locator("td").nth(index).innerText();
  const incomes = [...rowsOf(read("loans.csv")), ...rowsOf(read("others.csv"))].map((r) => r.income).filter((x) => x !== "").map(Number);
  await head.getByRole("button").click();
  assert.equal(await top(), String(Math.min(...incomes)));
  assert.equal(await head.getAttribute("aria-sort"), "ascending");
  assert.ok((await page.locator(".rows tbody tr").count()) < 60);
  await page.locator(".rows").evaluate((e) => (e.scrollTop = e.scrollHeight));
  await page.waitForFunction(() => document.querySelector('.rows tr[data-at="899"]') !== null);
  assert.equal(await page.locator('.rows tr[data-at="899"] td').nth(index).innerText(), "missing");
  assert.deepEqual(page.faults, []);
});

test("the figures are those of evaluate --json", async () => {
  for (const file of ["fit.html", "report.html", "bare.html"]) {
    const page = await open(file);
    const figures = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("[data-figure][data-value]")].map((e) => [e.dataset.figure, Number(e.dataset.value)])));
    const sets = file === "bare.html" ? ["loans.csv"] : ["loans.csv", "others.csv"];
    sets.forEach((data, i) => {
      const e = JSON.parse(beadwork("evaluate", "model.json", data, "--json"));
      for (const key of ["accuracy", "errors", "balanced_accuracy"]) assert.equal(figures[`${i}.${key}`], e[key], `${file} ${data} ${key}`);
      e.confusion.forEach((row, a) => row.forEach((v, b) => assert.equal(figures[`${i}.confusion.${a}.${b}`], v)));
      e.per_class.forEach((c, k) => ["support", "precision", "recall", "f1"].forEach((key) => assert.equal(figures[`${i}.${k}.${key}`], c[key])));
    });
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
});

test("the evidence names the certificate, the bounds, the near sets and the command", async () => {
  const page = await open("fit.html");
  const text = await page.locator("main").innerText();
  assert.ok(text.includes(createHash("sha256").update(readFileSync(at("loans.cert"))).digest("hex")));
  assert.ok(text.includes(model().training.rows_sha256));
  assert.match(text, /beadwork fit loans\.csv --depth 4 --thresholds quantiles:4/);
  assert.match(text, /The best feature sets/);
  assert.match(text, /Optimal: no diagram on at most 4/);
  assert.match(text, /always (low|medium|high)/);
  const cart = JSON.parse(beadwork("evaluate", "tree.json", "others.csv", "--json"));
  assert.equal(Number(await page.locator('[data-figure="1.baseline1.accuracy"]').getAttribute("data-value")), cart.accuracy);
  assert.match(text, /CART\s+a greedy tree of depth 4/);
  const depths = await open("depths.html");
  assert.equal(await depths.locator("#depths tbody tr").count(), 3);
  const front = JSON.parse(beadwork("fit", "loans.csv", "--depth", 3, "--thresholds", "quantiles:4", "--front", "--json")).front.points;
  assert.deepEqual(await depths.locator("#front tbody tr").evaluateAll((rows) => rows.map((tr) => [...tr.cells].slice(0, 3).map((td) => Number(td.innerText)))),
    front.map((p) => [p.num_features, p.size, p.training_errors]));
  const bare = await open("bare.html");
  assert.equal(await bare.locator("#data-rows").count(), 0);
  assert.deepEqual([...page.faults, ...depths.faults, ...bare.faults], []);
});

test("a chosen size and prices are told as fit tells them", async () => {
  const told = JSON.parse(beadwork("fit", "loans.csv", "--depth", 3, "--thresholds", "quantiles:4", "--size", "auto", "--prices", "--report", "sized.html", "--json", "-q"));
  const page = await open("sized.html");
  assert.ok(told.columns.length > 0 && told.size_choice.curve.length > 1);
  const chosen = told.size_choice.chosen;
  const words = await page.locator("#chosen-size").innerText();
  assert.match(words, new RegExp(`at most ${chosen.nodes} nodes? on at most ${chosen.depth} features?,`));
  await unfold(page.locator("summary", { hasText: "sizes" }));
  assert.deepEqual(await page.locator("#sizes-tried tbody tr").evaluateAll((rows) => rows.map((tr) => [...tr.cells].slice(0, 2).map((td) => Number(td.innerText)))),
    told.size_choice.curve.map((p) => [p.nodes, p.depth]));
  const prices = await page.locator("#prices tbody tr").evaluateAll((rows) => rows.map((tr) => [...tr.cells].map((td) => td.innerText)));
  assert.deepEqual(prices.map((row) => row[0]).sort(), told.columns.map((c) => c.column).sort());
  for (const [name, text, turns] of prices) {
    const column = told.columns.find((c) => c.column === name);
    assert.equal(Number(turns), column.turns);
    assert.ok(text.startsWith(column.price.most === 0 ? "nothing, proven" : `${column.price.most} errors more, proven`), text);
  }
  assert.deepEqual(page.faults, []);
});

test("bounds over time are drawn where they were recorded", async () => {
  const moments = [[0.1, 3, 90], [0.6, 40, 70.5], [2, 61, 61]];
  write("bounds.html", read("fit.html").replace(/"bounds":\[\[.*?\]\]/, `"bounds":${JSON.stringify(moments)}`));
  const page = await open("bounds.html");
  assert.equal(await page.locator(".chart .dot.upper").count(), 3);
  assert.equal(await page.locator(".chart .dot.lower").count(), 3);
  const y = (kind, i) => page.locator(`.chart .dot.${kind}`).nth(i).getAttribute("cy").then(Number);
  assert.equal(await y("upper", 2), await y("lower", 2), "they meet");
  assert.ok((await y("upper", 0)) < (await y("upper", 1)), "the upper one sinks");
  assert.match(await page.locator(".chart svg").getAttribute("aria-label"), /After 2 seconds/);
  assert.deepEqual(page.faults, []);
});

test("of more than 10,000 rows a sample is shown, and the page says so", async () => {
  write("many.csv", loans(10_050, 3));
  beadwork("report", "model.json", "many.csv", "-o", "many.html");
  const page = await open("many.html");
  assert.match(await page.locator("#data-rows").innerText(), /10,000 of 10,050 rows, drawn at random/);
  assert.equal(await page.locator(".data .count").getAttribute("data-rows"), "10000");
  const e = JSON.parse(beadwork("evaluate", "model.json", "many.csv", "--json"));
  assert.equal(Number(await page.locator('[data-figure="1.errors"]').getAttribute("data-value")), e.errors);
  // Rows keep their numbers: the one in sight is that line of the file.
  await page.locator(".rows").evaluate((x) => (x.scrollTop = x.scrollHeight));
  await page.waitForFunction(() => document.querySelector('.rows tr[data-at="9999"]') !== null);
  const cells = await page.locator('.rows tr[data-at="9999"] td').allInnerTexts();
  const row = rowsOf(read("many.csv"))[Number(cells[0]) - 1];
  const heads = await page.locator(".rows th").allInnerTexts();
  for (const name of ["age", "colour"]) assert.equal(cells[heads.findIndex((t) => t.trim() === name)], row[name]);
  assert.deepEqual(page.faults, []);
});

test("what is no plain number is not taken for one", async () => {
  const page = await open("fit.html");
  for (const text of ["1,5", "1,000", "abc", "0x10", "1e", "Infinity"]) {
    await byLabel(page, "age").fill(text);
    assert.match(await page.locator(".verdict-box").innerText(), /cannot be read/);
    assert.deepEqual((await highlighted(page)).nodes, [], text);
  }
  await byLabel(page, "age").fill("1e1");
  assert.ok((await highlighted(page)).nodes.length > 0);
});

test("downloads: the model byte for byte, the picture, the rules", async () => {
  const page = await open("fit.html");
  const get = async (id) => {
    const [download] = await Promise.all([page.waitForEvent("download"), page.locator(id).click()]);
    return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) };
  };
  const json = await get("#save-model");
  assert.equal(json.name, "model.json");
  assert.equal(json.bytes.toString(), read("model.json"));
  // The page was made by the run that has the proof; from a file, the same is claimed.
  const parts = (svg) => [...svg.matchAll(/class="(?:edge|node|sink)" data-[a-z]+="\d+"(?: data-high="\d")?|<title>[^<]*/g)].map((m) => m[0]).sort();
  const saved = (await get("#save-svg")).bytes.toString();
  assert.deepEqual(parts(saved), parts(beadwork("show", "model.json", "--format", "svg")));
  assert.match(saved, /, optimal/);
  const png = await get("#save-png");
  assert.equal(png.bytes.subarray(1, 4).toString(), "PNG");
  assert.ok(png.bytes.readUInt32BE(16) > 400 && png.bytes.length > 5000);
  const rules = (await get("#save-rules")).bytes.toString();
  assert.match(rules, /^Predicts risk: /);
  assert.match(rules, / THEN high /);
  assert.deepEqual(page.faults, []);
});

test("copying gives the rules", async () => {
  const page = await open("fit.html", { permissions: ["clipboard-read", "clipboard-write"] });
  await page.getByRole("button", { name: "Copy the rules" }).click();
  await page.getByRole("button", { name: "Copied" }).waitFor();
  assert.match(await page.evaluate(() => navigator.clipboard.readText()), /^Predicts risk: /);
});

test("all of it by keyboard alone", async () => {
  const page = await open("fit.html");
  const tabTo = async (selector) => {
    for (let i = 0; i < 80; ++i) {
      if (await page.evaluate((s) => document.activeElement?.matches(s) ?? false, selector)) return;
      await page.keyboard.press("Tab");
    }
    assert.fail(`Tab never reached ${selector}`);
  };
  await tabTo("[data-node='0']");
  assert.match(await page.locator(".tip").innerText(), /training rows/);
  await page.keyboard.press("ArrowLeft");
  assert.equal(await page.evaluate(() => document.activeElement.dataset.edge), "0:0");
  assert.match(await page.locator(".tip").innerText(), /dashed edge/);
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.evaluate(() => Number(document.activeElement.dataset.node)), model().diagram.nodes[0].low);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator("#filter-node").inputValue(), `n${model().diagram.nodes[0].low}`);
  const before = await page.locator(".moving").getAttribute("transform");
  await page.keyboard.press("+");
  assert.notEqual(await page.locator(".moving").getAttribute("transform"), before);
  await page.keyboard.press("0");
  assert.match(await page.locator(".moving").getAttribute("transform"), /scale\(1\)/);
  await tabTo(".ask input[type=text]");
  await page.keyboard.type("25");
  assert.ok((await highlighted(page)).nodes.length > 0);
  await tabTo("#filter-error");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator("#filter-error").inputValue(), "wrong");
  await tabTo(".rows");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  assert.equal(await page.locator(".rows tr.selected").getAttribute("data-at"), "1");
  await page.keyboard.press("End");
  const last = Number(await page.locator(".data .count").getAttribute("data-rows")) - 1;
  assert.equal(await page.locator(".rows tr.selected").getAttribute("data-at"), String(last));
  assert.deepEqual(page.faults, []);
});

test("zoom and pan by the pointer", async () => {
  const page = await open("fit.html");
  const box = await page.locator(".picture").boundingBox();
  const middle = [box.x + box.width / 2, box.y + box.height / 2];
  const transform = () => page.locator(".moving").getAttribute("transform");
  await page.mouse.move(...middle);
  await page.keyboard.down("Control");
  await page.mouse.wheel(0, -300);
  await page.keyboard.up("Control");
  await page.waitForFunction(() => document.querySelector(".moving").getAttribute("transform") !== null);
  const zoomed = await transform();
  assert.ok(Number(/scale\((.*)\)/.exec(zoomed)[1]) > 1.5);
  await page.mouse.down();
  await page.mouse.move(middle[0] + 60, middle[1] + 30, { steps: 4 });
  await page.mouse.up();
  assert.notEqual(await transform(), zoomed);
  assert.equal(await page.locator("#filter-node").inputValue(), "", "a drag is no click");
  await page.getByRole("button", { name: "Show all", exact: true }).click();
  assert.match(await transform(), /translate\(0 0\) scale\(1\)/);
});

test("printed: a PDF of several pages, without the buttons", async () => {
  const page = await open("fit.html");
  const pdf = await page.pdf({ format: "A4" });
  assert.equal(pdf.subarray(0, 5).toString(), "%PDF-");
  assert.ok((pdf.toString("latin1").match(/\/Type\s*\/Page\b/g) ?? []).length >= 2);
  await page.emulateMedia({ media: "print" });
  for (const hidden of ["nav", ".tools", ".downloads", ".filters", ".copy"]) assert.equal(await page.locator(hidden).first().isVisible(), false, hidden);
  for (const seen of [".picture", ".evidence .figures", "#rules pre"]) assert.ok(await page.locator(seen).first().isVisible(), seen);
});

test("dark mode has a dark ground and light ink", async () => {
  const page = await open("fit.html", { colorScheme: "dark" });
  const [ground, ink] = await page.evaluate(() => [getComputedStyle(document.body).backgroundColor, getComputedStyle(document.body).color]);
  const light = (c) => c.match(/\d+/g).slice(0, 3).reduce((a, b) => a + Number(b), 0) / 765;
  assert.ok(light(ground) < 0.2 && light(ink) > 0.8, `${ground} ${ink}`);
});

test("axe finds no serious fault, in light, dark and on a small screen", async () => {
  for (const [file, options] of [["fit.html", {}], ["fit.html", { colorScheme: "dark" }], ["fit.html", { viewport: { width: 390, height: 844 } }], ["bare.html", {}], ["depths.html", {}]]) {
    const page = await open(file, options);
    if (file === "fit.html") await page.locator(".rows tbody tr[data-at]").nth(1).click();
    // Playwright evaluates outside of the page's policy.
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => `${v.id}: ${v.nodes.slice(0, 3).map((n) => n.target.join(" ") + " " + n.failureSummary).join(" | ")}`), [], file);
    await page.context().close();
  }
});
