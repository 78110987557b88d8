// The models that a page offers beside its own: are they all there, is what is said of them true, does the page become theirs?
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import { build } from "esbuild";
import { at, beadwork, finish, open, random, read, unfold, walk, write } from "./support.mjs";

const axe = readFileSync(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
const island = (name) => JSON.parse(/id="data">(.*?)<\/script/s.exec(read(name))[1]);
const rowsOf = (csv) => {
  const [head, ...lines] = csv.trim().split("\n").map((l) => l.split(","));
  return lines.map((l) => Object.fromEntries(l.map((v, i) => [head[i], v])));
};
const text = (data, a) => a.model.map((i) => data.alternatives.texts[i]).join("\n");
const tested = (model) => [...new Set(model.diagram.nodes.filter((n) => !("class" in n)).map((n) => model.features[n.feature].name))].sort();

// Numbers, categories and missing values; `classes` of them.
function table(rows, seed, classes = 2) {
  const r = random(seed);
  const lines = ["age,pain,months,sex,dose,level,risk"];
  for (let i = 0; i < rows; ++i) {
    const age = 18 + Math.floor(r() * 60);
    const pain = r() < 0.1 ? "" : ["none", "typical", "asymptomatic"][Math.floor(r() * 3)];
    const months = r() < 0.05 ? "" : 4 + Math.floor(r() * 50);
    const sex = r() < 0.5 ? "male" : "female";
    const dose = (r() * 10).toFixed(1);
    const level = "abc"[Math.floor(r() * 3)];
    const k = (pain === "asymptomatic" && months > 17 ? 1 : age > 60 && sex === "male" ? 1 : 0) + (dose > 7 ? 1 : 0);
    lines.push([age, pain, months, sex, dose, level, `class${r() < 0.75 ? k % classes : Math.floor(r() * classes)}`].join(","));
  }
  return lines.join("\n") + "\n";
}

// Columns of 0 and 1, so that everything can be tried.
const kBits = ["a", "b", "c", "d", "e", "f"];
function bits(rows, seed) {
  const r = random(seed);
  const lines = [[...kBits, "y"].join(",")];
  for (let i = 0; i < rows; ++i) {
    const x = kBits.map(() => Number(r() < 0.5));
    lines.push([...x, (x[0] && x[1]) || (x[2] && !x[3]) ? (r() < 0.8 ? 1 : 0) : (r() < 0.75 ? 0 : 1)].map((v, j) => (j === kBits.length ? ["no", "yes"][v] : v)).join(","));
  }
  return lines.join("\n") + "\n";
}
const kMargin = 6;
const kDepth = 3;

before(() => {
  write("train.csv", table(400, 3));
  write("test.csv", table(250, 4));
  beadwork("fit", "train.csv", "--depth", 4, "--thresholds", "quantiles:4", "--within", 25, "--front", "--prices", "-o", "own.json", "--report", "page.html", "--test", "test.csv", "-q");
});
after(finish);

// All sets of columns, what each costs, and which have a column to spare.
function everySet(rows) {
  const cost = (columns) => {
    const cells = new Map();
    for (const row of rows) {
      const key = columns.map((c) => row[c]).join();
      const counts = cells.get(key) ?? { no: 0, yes: 0 };
      ++counts[row.y];
      cells.set(key, counts);
    }
    return [...cells.values()].reduce((sum, c) => sum + Math.min(c.no, c.yes), 0);
  };
  const out = [];
  for (let s = 0; s < 1 << kBits.length; ++s) {
    const columns = kBits.filter((_, i) => s >> i & 1);
    if (columns.length > kDepth) continue;
    out.push({ columns, cost: cost(columns), idle: columns.some((c) => cost(columns.filter((x) => x !== c)) === cost(columns)) });
  }
  return out;
}

// For each number of features and nodes, the fewest errors of an ordered diagram: every function of at most three columns, in every order.
function everyDiagram(rows) {
  const best = new Map();
  const orders = (list) => (list.length < 2 ? [list] : list.flatMap((x) => orders(list.filter((y) => y !== x)).map((o) => [x, ...o])));
  for (const { columns } of everySet(rows)) {
    for (const order of orders(columns)) {
      const size = 1 << order.length;
      const counts = Array.from({ length: size }, () => [0, 0]);
      for (const row of rows) ++counts[order.reduce((cell, c) => 2 * cell + Number(row[c]), 0)][row.y === "yes" ? 1 : 0];
      for (let f = 0; f < 2 ** size; ++f) {
        const answers = Array.from({ length: size }, (_, i) => f >> i & 1);
        const errors = answers.reduce((sum, k, i) => sum + counts[i][1 - k], 0);
        const nodes = new Set();
        const used = new Set();
        const reduce = (part, level) => {
          const key = part.join("");
          if (new Set(part).size === 1) return nodes.add(part[0]), String(part[0]);
          const [low, high] = [part.slice(0, part.length / 2), part.slice(part.length / 2)];
          if (low.join() === high.join()) return reduce(low, level + 1);
          reduce(low, level + 1);
          reduce(high, level + 1);
          used.add(order[level]);
          return nodes.add(`${level}:${key}`), key;
        };
        reduce(answers, 0);
        const at = `${used.size} ${nodes.size}`;
        best.set(at, Math.min(best.get(at) ?? Infinity, errors));
      }
    }
  }
  return (features, nodes) => Math.min(...[...best].flatMap(([key, errors]) => {
    const [f, n] = key.split(" ").map(Number);
    return f <= features && n <= nodes ? [errors] : [];
  }));
}

test("every near-optimal set is there, and each claim is what trying everything says", () => {
  for (const seed of [1, 2, 3]) {
    write("bits.csv", bits(90, seed));
    beadwork("fit", "bits.csv", "--depth", kDepth, "--within", kMargin, "--front", "-o", "bits.json", "--report", "bits.html", "-q");
    const rows = rowsOf(read("bits.csv"));
    const sets = everySet(rows);
    const optimum = Math.min(...sets.map((s) => s.cost));
    const near = sets.filter((s) => !s.idle && s.cost <= optimum + kMargin);
    const data = island("bits.html");
    const own = JSON.parse(read("bits.json"));
    const others = data.alternatives.models.filter((m) => m.kind === "near");
    const found = [own, ...others.map((m) => JSON.parse(text(data, m)))].map((m) => tested(m).join());
    assert.deepEqual(found.slice().sort(), near.map((s) => s.columns.join()).sort(), "one for each set without idle columns");
    assert.ok(data.alternatives.claim.startsWith(`all ${near.length} diagrams that make at most ${kMargin} errors more than the optimum`), data.alternatives.claim);
    const least = everyDiagram(rows);
    for (const a of data.alternatives.models) {
      const file = text(data, a);
      write("one.json", file);
      const model = JSON.parse(file);
      const errors = rows.filter((row) => walk(model, row).answer !== row.y).length;
      assert.equal(a.amount, errors);
      assert.equal(JSON.parse(beadwork("evaluate", "one.json", "bits.csv", "--json")).errors, errors);
      beadwork("show", "one.json");
      const { claim } = model;
      assert.equal(claim.upper_bound, errors);
      if (a.kind === "front") {
        assert.equal(claim.status, "optimal");
        assert.equal(least(claim.depth, claim.max_nodes), errors, `no diagram of at most ${claim.max_nodes} nodes on ${claim.depth} features has fewer errors`);
        assert.match(a.claim, new RegExp(`no ordered diagram of at most ${claim.max_nodes} nodes? on at most ${claim.depth} of these 6 features makes fewer errors`));
        assert.equal(a.headline, "proven best of its size");
      } else if (errors === optimum) {
        assert.equal(claim.status, "optimal");
        assert.match(a.claim, /^optimal: /);
      } else {
        assert.deepEqual([claim.status, claim.near_optimum, claim.lower_bound], ["feasible", true, optimum]);
        const s = (n) => `${n} error${n === 1 ? "" : "s"}`;
        assert.ok(a.claim.startsWith(`${s(errors)}, ${errors - optimum} above the proven optimum of ${optimum}: no diagram on at most ${kDepth} of these 6 features makes fewer than ${s(optimum)}`), a.claim);
        assert.equal(a.headline, `${s(errors - optimum)} above the proven optimum`);
        assert.doesNotMatch(a.claim, /optimal/);
      }
    }
  }
});

test("a page that stops at 300 says so", () => {
  beadwork("fit", "train.csv", "--depth", 4, "--thresholds", "quantiles:8", "--within", 60, "--report", "many.html", "-q");
  const data = island("many.html");
  assert.equal(data.alternatives.models.length, 300);
  assert.match(data.alternatives.claim, /^301 diagrams: the first, by errors, of the \d+ that make at most 60 errors more than the optimum/);
  const costs = data.alternatives.models.map((m) => m.amount);
  assert.deepEqual(costs, costs.slice().sort((a, b) => a - b));
});

test("the page's own logic answers as the library, on thousands of models", async () => {
  const bundle = await build({ stdin: { contents: 'export { Models } from "./src/models";', resolveDir: process.cwd(), loader: "ts" }, bundle: true, format: "esm", write: false });
  write("models.mjs", bundle.outputFiles[0].text);
  const { Models } = await import(pathToFileURL(at("models.mjs")).href);
  let count = 0;
  for (let seed = 0; seed < 18; ++seed) {
    write("t.csv", table(120 + 20 * seed, 50 + seed, 2 + (seed % 3)));
    write("u.csv", table(150, 90 + seed, 2 + (seed % 3)));
    beadwork("fit", "t.csv", "--depth", 2 + (seed % 4), "--thresholds", `quantiles:${3 + (seed % 3)}`, "--top", 290, "--front", "--report", "t.html", "--test", "u.csv", "-q");
    const page = island("t.html");
    const models = new Models(page);
    models.entries.forEach((entry, m) => {
      entry.sets().forEach((set, i) => {
        const confusion = set.evaluation.confusion.map((row) => row.map(() => 0));
        entry.answers(i).forEach((k, row) => ++confusion[set.truth[row]][k]);
        assert.deepEqual(confusion, set.evaluation.confusion, `table ${seed}, model ${m}`);
        if (m === 0) assert.equal(set.paths.join(), page.rows[i].paths, "the paths of the rows, as the library has them");
      });
      ++count;
    });
  }
  assert.ok(count > 2000, `${count} models`);
});

// The figures that the page shows now, by their names.
const figures = (page) => page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#evidence [data-figure]")].map((e) => [e.dataset.figure, Number(e.dataset.value)])));
async function saved(page, id) {
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator(id).click()]);
  return readFileSync(await download.path(), "utf8");
}

test("for 20 models the page shows what evaluate says of the file that it saves", async () => {
  const page = await open("page.html");
  const count = await page.locator(".models li").count();
  assert.equal(count, island("page.html").alternatives.models.length + 1);
  const r = random(7);
  const seen = new Set();
  for (let i = 0; i < 20; ++i) {
    await page.locator(".models li button").nth(Math.floor(r() * count)).click();
    const file = await saved(page, "#save-shown");
    assert.equal(await saved(page, "#save-model"), file);
    write("chosen.json", file);
    seen.add(file);
    const shown = await figures(page);
    for (const [i, name] of ["train.csv", "test.csv"].entries()) {
      const said = JSON.parse(beadwork("evaluate", "chosen.json", name, "--json"));
      for (const key of ["accuracy", "errors", "balanced_accuracy"]) assert.equal(shown[`${i}.${key}`], said[key], `${name} ${key}`);
      said.confusion.forEach((row, a) => row.forEach((value, b) => assert.equal(shown[`${i}.confusion.${a}.${b}`], value)));
    }
    // The picture has this model's nodes, the header its claim.
    const model = JSON.parse(file);
    assert.equal(await page.locator(".picture [data-node]").count(), model.diagram.nodes.length);
    const badge = await page.locator("header .badges li").first().innerText();
    const { claim } = model;
    if (claim.near_optimum) assert.equal(badge, `${claim.upper_bound - claim.lower_bound} error${claim.upper_bound - claim.lower_bound === 1 ? "" : "s"} above the proven optimum`);
    else assert.match(badge, claim.max_nodes === null ? /^proven optimal on the training rows$/ : /^proven best of its size on the training rows$/);
    assert.equal(/proven optimal/.test(badge), claim.status === "optimal" && claim.max_nodes === null);
    assert.ok((await page.locator(".now .exactly").innerText()).includes(`${claim.max_nodes === null ? claim.lower_bound : claim.max_nodes}`) || claim.status === "optimal");
  }
  assert.ok(seen.size > 10);
  assert.deepEqual(page.faults, []);
});

test("filters, keys, the form, pins and the way back", async () => {
  const data = island("page.html");
  const all = data.alternatives.models.map((m) => ({ errors: m.amount, tests: m.tests, columns: m.columns.map((c) => data.alternatives.texts[c]) }));
  const ownFile = JSON.parse(read("own.json"));
  all.push({ errors: ownFile.training.errors, tests: ownFile.diagram.nodes.filter((n) => !("class" in n)).length, columns: [...new Set(ownFile.diagram.nodes.filter((n) => !("class" in n)).map((n) => ownFile.columns[ownFile.features[n.feature].column].name))] });
  const page = await open("page.html");
  const left = async () => Number(/^\d+/.exec(await page.locator(".chooser .count").innerText())[0]);
  assert.equal(await left(), all.length);
  const slide = (id, steps) => page.locator(id).evaluate((e, n) => {
    e.value = String(Math.max(0, Number(e.max) - n));
    e.dispatchEvent(new Event("input"));
  }, steps);
  await slide("#most-errors", 3);
  const errors = [...new Set(all.map((m) => m.errors))].sort((a, b) => a - b).at(-4);
  assert.equal(await left(), all.filter((m) => m.errors <= errors).length);
  await slide("#most-tests", 2);
  const tests = [...new Set(all.map((m) => m.tests))].sort((a, b) => a - b).at(-3);
  assert.equal(await left(), all.filter((m) => m.errors <= errors && m.tests <= tests).length);
  if (!(await page.locator(".wishes").evaluate((e) => e.open))) await unfold(page.locator(".wishes summary"));
  await page.getByLabel("sex", { exact: true }).last().selectOption("must not use");
  await page.getByLabel("pain", { exact: true }).last().selectOption("must use");
  const kept = all.filter((m) => m.errors <= errors && m.tests <= tests && !m.columns.includes("sex") && m.columns.includes("pain"));
  assert.equal(await left(), kept.length);
  assert.equal(await page.locator(".models li:visible").count(), kept.length);
  assert.equal(await page.locator(".scatter .dot:not(.out)").count(), kept.length);
  await page.getByLabel("sex", { exact: true }).last().selectOption("may use");
  await page.getByLabel("pain", { exact: true }).last().selectOption("may use");
  await slide("#most-errors", 0);
  await slide("#most-tests", 0);

  // Keys reach every model, the form keeps what was typed.
  await page.locator("#ask input[type=text]").first().fill("61");
  const name = await page.locator("#ask .field label").first().innerText();
  await page.locator(".scatter").focus();
  const reached = new Set();
  await page.keyboard.press("Home");
  for (let i = 0; i < all.length; ++i) {
    reached.add(await page.locator(".scatter").getAttribute("aria-activedescendant"));
    await page.keyboard.press("ArrowRight");
  }
  assert.equal(reached.size, all.length);
  await page.keyboard.press("Enter");
  assert.equal(await page.locator(".scatter [aria-selected=true]").count(), 1);
  assert.equal(await page.locator("#back-to-own").isDisabled(), false);
  await page.locator("#back-to-own").click();
  assert.equal(await page.getByLabel(name, { exact: true }).first().inputValue(), "61", "through a model that may not ask for it");
  assert.equal(await saved(page, "#save-shown"), read("own.json"));

  // Pins, with notes.
  await page.locator(".models li button").nth(2).click();
  await page.locator("#pin-shown").click();
  const file = await saved(page, "#save-shown");
  await page.locator("#note-0").fill("cheaper to measure");
  await page.locator("#back-to-own").click();
  const pinned = JSON.parse(await saved(page, "#save-pins"));
  assert.deepEqual(pinned.models.map((m) => [m.note, m.model]), [["cheaper to measure", file]]);
  await page.locator(".pins li button").first().click();
  assert.equal(await saved(page, "#save-shown"), file);
  assert.deepEqual(page.faults, []);
});

test("the picture of another model is saved with its look", async () => {
  const page = await open("page.html");
  await page.locator(".models li button").nth(2).click();
  const model = JSON.parse(await saved(page, "#save-shown"));
  const svg = await saved(page, "#save-svg");
  const seen = await page.evaluate((text) => {
    const made = new DOMParser().parseFromString(text, "image/svg+xml");
    return { fault: made.querySelector("parsererror") !== null, nodes: made.querySelectorAll("[data-node]").length, styled: made.querySelector("style").textContent.includes(".picture"), scripts: made.querySelectorAll("script").length };
  }, svg);
  assert.deepEqual(seen, { fault: false, nodes: model.diagram.nodes.length, styled: true, scripts: 0 });
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save-png").click()]);
  assert.equal(readFileSync(await download.path()).subarray(1, 4).toString(), "PNG");
  assert.deepEqual(page.faults, []);
});

test("300 models and 10,000 rows take less than 3 MB", async () => {
  write("large.csv", table(10_000, 21));
  beadwork("fit", "large.csv", "--depth", 4, "--within", 1200, "--report", "large.html", "-q");
  const { models } = island("large.html").alternatives;
  assert.ok(models.length > 0 && models.length <= 300);
  const bytes = read("large.html").length;
  assert.ok(bytes < 3e6, `${bytes} bytes, ${models.length} models`);
  assert.ok(JSON.stringify(models).length / models.length < 5000, "about 4 kB for each");
});

test("hostile names stay text while models change", async () => {
  const r = random(5);
  const names = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\u202eright to left\u202c", "long " + "x".repeat(3000), "a\tb", "{{7*7}}"];
  const quoted = (t) => `"${t.replaceAll('"', '""')}"`;
  const classes = ["<script>alert(5)</script>", "\u202efdp.exe"];
  const lines = [[...names, "y"].map(quoted).join(",")];
  for (let i = 0; i < 200; ++i) {
    const cells = names.map(() => names[Math.floor(r() * 3)]);
    lines.push([...cells, classes[Number((cells[0] === names[1]) === (r() < 0.8))]].map(quoted).join(","));
  }
  write("hostile.csv", lines.join("\n") + "\n");
  beadwork("fit", "hostile.csv", "--depth", 3, "--within", 40, "--front", "--report", "hostile.html", "-q");
  const page = await open("hostile.html");
  const count = await page.locator(".models li").count();
  assert.ok(count > 5);
  for (let i = 1; i < Math.min(count, 8); ++i) await page.locator(".models li button").nth(i).click();
  await page.locator("#pin-shown").click();
  const found = await page.evaluate(() => ({ elements: document.querySelectorAll("img, [onerror], svg[onload]").length + document.querySelectorAll("script").length, text: document.body.innerText, wide: document.documentElement.scrollWidth - innerWidth }));
  assert.equal(found.elements, 2, "the page's own two scripts");
  assert.ok(found.text.includes("<img src=x onerror=alert(1)>") && !/[\u202a-\u202e]/.test(found.text));
  assert.ok(found.wide <= 0, "a long name does not widen the page");
  assert.deepEqual(page.faults, []);
});

test("axe finds no serious fault among the alternatives", async () => {
  for (const options of [{ colorScheme: "light" }, { colorScheme: "dark" }, { viewport: { width: 390, height: 800 } }]) {
    const page = await open("page.html", { ...options, bypassCSP: true });
    await page.locator(".models li button").nth(3).click();
    await page.locator("#pin-shown").click();
    await page.evaluate(axe);
    const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
    const serious = violations.filter((v) => ["serious", "critical"].includes(v.impact));
    assert.deepEqual(serious.map((v) => [v.id, v.nodes.map((n) => n.html.slice(0, 120))]), [], JSON.stringify(options));
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth <= 0), true);
    await page.context().close();
  }
});

test("a page of one model has no such section", async () => {
  beadwork("report", "own.json", "train.csv", "-o", "single.html");
  const page = await open("single.html");
  assert.equal(await page.locator("#alternatives").count(), 0);
  assert.equal(await page.locator("nav a[href='#alternatives']").count(), 0);
});
