// Several models on a page: by group, two beside each other, what they say of a case and of rows. Every figure is computed
// here from the models that the page hands out and from the CSV.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { join } from "node:path";
import { beadwork, finish, near, open, random, read, rowsOf, unfold, walk, write } from "./support.mjs";


function people(rows, seed) {
  const r = random(seed);
  const lines = ["age,sex,income,owner,region,y"];
  for (let i = 0; i < rows; ++i) {
    const age = 18 + Math.floor(r() * 60);
    const sex = r() < 0.6 ? "f" : "m";
    const income = r() < 0.1 ? "" : String(10 * Math.floor(r() * 50));
    const owner = (Number(income) > 250) !== r() < 0.2 ? "yes" : "no";
    const region = ["north", "south", "east"][Math.floor(r() * 3)];
    const y = r() < 0.2 ? ["good", "bad", "open"][Math.floor(r() * 3)] : Number(income) > 250 ? (age < 45 ? "good" : "open") : sex === "f" && region === "north" ? "good" : "bad";
    lines.push([age, sex, income, owner, region, y].join(","));
  }
  return lines.join("\n") + "\n";
}
const sets = { "train.csv": null, "test.csv": null };
let kinds; // of the models, the page's own first
let models;

// Shows model number i, and hands it out.
async function modelOf(page, i) {
  await page.locator(`#group-models tr[data-model="${i}"] button`).click();
  const [saved] = await Promise.all([page.waitForEvent("download"), page.locator("#save-model").click()]);
  return JSON.parse(readFileSync(await saved.path(), "utf8"));
}
async function ready(name, options) {
  const page = await open(name, options);
  await page.locator("#groups").scrollIntoViewIfNeeded();
  await page.locator("#group-models").waitFor();
  return page;
}

before(async () => {
  write("train.csv", people(260, 11));
  write("test.csv", people(240, 12));
  for (const name of Object.keys(sets)) sets[name] = rowsOf(read(name));
  beadwork("fit", "train.csv", "--depth", 3, "--thresholds", "quantiles:4", "--within", 14, "-o", "model.json", "--report", "several.html", "--test", "test.csv", "-q");
  const data = JSON.parse(/<script[^>]*id="data"[^>]*>(.*?)<\/script>/s.exec(read("several.html"))[1]);
  kinds = ["fitted", ...data.alternatives.models.map((m) => m.kind)];
  assert.ok(kinds.length > 5, `${kinds.length} models`);
  const page = await ready("several.html");
  assert.equal(await page.locator("#group-models tbody tr").count(), kinds.length);
  models = [];
  for (let i = 0; i < kinds.length; ++i) models.push(await modelOf(page, i));
  assert.equal(new Set(models.map((m) => JSON.stringify([m.features, m.diagram]))).size, models.length, "different models");
  assert.deepEqual(models[0], JSON.parse(read("model.json")));
  await page.context().close();
});
after(finish);

const count = (list, f) => list.filter(f).length;

test("every model by group: its difference is that of its answers, and a click shows it", async () => {
  const page = await ready("several.html");
  await page.getByLabel("Column", { exact: true }).selectOption({ label: "region" });
  await page.locator("#group-class").selectOption({ label: "good" });
  const regions = ["north", "south", "east"];
  const share = {
    accuracy: (rows, m) => [count(rows, (r) => walk(m, r).answer === r.y), rows.length],
    sensitivity: (rows, m) => [count(rows, (r) => r.y === "good" && walk(m, r).answer === "good"), count(rows, (r) => r.y === "good")],
    "rate of this answer": (rows, m) => [count(rows, (r) => walk(m, r).answer === "good"), rows.length],
  };
  for (const measure of Object.keys(share)) {
    await page.getByLabel("Compare groups by").selectOption({ label: measure });
    const said = await page.evaluate(() => Object.fromEntries([...document.querySelectorAll("#group-models tbody tr")].map((tr) => [tr.dataset.model, { points: Number(tr.dataset.points), cells: [...tr.querySelectorAll("td")].map((td) => td.innerText) }])));
    models.forEach((m, i) => {
      const values = regions.map((g) => share[measure](sets["test.csv"].filter((r) => r.region === g), m)).map(([a, n]) => a / n);
      near(said[i].points, Math.max(...values) - Math.min(...values), 1e-12);
      assert.equal(Number(said[i].cells[0]), m.training.errors);
      assert.equal(said[i].cells[3], `${((100 * share.accuracy(sets["test.csv"], m)[0]) / sets["test.csv"].length).toFixed(1)}\u202f%`);
    });
    const order = await page.evaluate(() => [...document.querySelectorAll("#group-models tbody tr")].map((tr) => Number(tr.dataset.points)));
    assert.deepEqual(order, [...order].sort((a, b) => a - b), "the smallest difference first");
  }
  await page.locator("#group-models thead").getByRole("button", { name: "errors" }).click();
  const errors = await page.evaluate(() => [...document.querySelectorAll("#group-models tbody tr")].map((tr) => Number(tr.querySelector("td").innerText)));
  assert.deepEqual(errors, models.map((m) => m.training.errors).sort((a, b) => a - b));
  assert.equal(await page.locator("#group-models th[aria-sort=ascending]").innerText(), "errors \u25b2".replace(" \u25b2", ""));
  const last = kinds.length - 1;
  await page.locator(`#group-models tr[data-model="${last}"] button`).click();
  assert.equal(await page.locator("#group-models tr.strong").getAttribute("data-model"), String(last));
  const hits = await page.evaluate(() => [...document.querySelectorAll("#group-table tbody tr")].map((tr) => [tr.querySelector("th").innerText, Number(tr.querySelector("[data-figure=accuracy]").dataset.hits)]));
  for (const [region, right] of hits) assert.equal(right, share.accuracy(sets["test.csv"].filter((r) => r.region === region), models[last])[0], "the table is of the shown model");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

// Two-sided and exact, in whole numbers: a tail of Pascal's triangle.
function mcnemar(b, c) {
  const n = b + c;
  if (b === c) return 1;
  let row = [1n];
  for (let i = 0; i < n; ++i) row = [1n, ...row.slice(1).map((v, k) => v + row[k]), 1n];
  const tail = row.slice(0, Math.min(b, c) + 1).reduce((a, v) => a + v, 0n);
  return Math.min(1, Number((2n * tail * 10n ** 15n) / 2n ** BigInt(n)) / 1e15);
}

test("two models: the rows on which they differ, who is right, and McNemar's test", async () => {
  const page = await ready("several.html");
  await page.locator("#compare").scrollIntoViewIfNeeded();
  let clear = 0;
  for (let i = 1; i < models.length; ++i) {
    await page.getByLabel("Second model", { exact: true }).selectOption(String(i));
    for (const [at, [name, rows]] of Object.entries(sets).entries()) {
      const answers = rows.map((r) => [r.y, walk(models[0], r).answer, walk(models[i], r).answer]);
      const differ = answers.filter(([, a, b]) => a !== b);
      const first = count(differ, ([k, a]) => a === k);
      const second = count(differ, ([k, , b]) => b === k);
      const p = page.locator(`#compare [data-set="${at}"] .mcnemar`);
      const said = await p.evaluate((e) => ({ ...e.dataset, text: e.innerText }));
      assert.deepEqual([said.first, said.second, said.neither].map(Number), [first, second, differ.length - first - second], `${name} ${i}`);
      near(Number(said.p), mcnemar(first, second), 1e-12);
      if (differ.length === 0) assert.match(said.text, /the same answer to all/);
      else if (differ.length === 1) assert.ok(said.text.startsWith(`They differ on one of the ${at === 0 ? "training" : "test"} rows`) && said.text.endsWith(`${first === 1 ? "the first" : second === 1 ? "the second" : "neither"} is right.`), said.text);
      else {
        assert.ok(said.text.startsWith(`Of the ${differ.length} ${at === 0 ? "training" : "test"} rows`), said.text);
        assert.ok(said.text.includes(`the first is right on ${first} and the second on ${second}`), said.text);
        assert.equal(said.text.includes("no clear difference"), mcnemar(first, second) >= 0.05, said.text);
        if (mcnemar(first, second) < 0.05) ++clear;
        const details = page.locator(`#compare [data-set="${at}"] details`);
        await unfold(details.locator("summary"));
        await details.locator("tbody").waitFor();
        const numbers = (await details.locator("tbody th").allInnerTexts()).map(Number);
        assert.deepEqual(numbers, answers.flatMap(([, a, b], row) => (a === b ? [] : [row + 1])).slice(0, 200));
      }
    }
    assert.equal(await page.locator("#compare .two svg").count(), 2);
    assert.equal(await page.locator("#compare [data-node], #compare [tabindex='-1']").count(), 0, "pictures without keys");
  }
  assert.ok(clear > 0, "some differ clearly");
  await page.getByLabel("Second model", { exact: true }).selectOption("2");
  await page.getByRole("button", { name: "Show the second" }).click();
  assert.equal(await page.locator("#group-models tr.strong").getAttribute("data-model"), "2");
  assert.equal(await page.getByLabel("Second model", { exact: true }).inputValue(), "0", "the first has become the second");
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

// Values that any test of any model may tell apart.
function choices(column) {
  const tests = models.flatMap((m) => m.features.filter((f) => m.columns[f.column].name === column));
  const cuts = [...new Set(tests.filter((f) => f.test === "at_most").map((f) => f.threshold))];
  return [...(cuts.length > 0 ? [...cuts, Math.max(...cuts) + 1].map(String) : [...new Set(tests.map((f) => f.level)), "never seen"]), ""];
}
// The answers that a model may give to what is known: every completion of its columns that passes `fits`.
function possible(m, known, fits = () => true) {
  const tested = [...new Set(m.diagram.nodes.filter((n) => !("class" in n)).map((n) => m.columns[m.features[n.feature].column].name))];
  let rows = [{ ...known }];
  for (const c of tested.filter((x) => !(x in known))) rows = rows.flatMap((r) => choices(c).map((v) => ({ ...r, [c]: v })));
  return new Set(rows.filter(fits).map((r) => walk(m, r).answer));
}
function votes(known, fits) {
  const counts = {};
  let open = 0;
  models.forEach((m, i) => {
    if (kinds[i] === "front") return;
    const all = possible(m, known, fits);
    if (all.size > 1) ++open;
    else counts[[...all][0]] = (counts[[...all][0]] ?? 0) + 1;
  });
  return { counts, open };
}
async function sameVotes(page, expected) {
  const said = await page.locator(".agreement").evaluate((p) => ({ votes: JSON.parse(p.dataset.votes), open: Number(p.dataset.open), text: p.innerText }));
  assert.deepEqual({ counts: Object.fromEntries(said.votes.map(([k, n]) => [models[0].classes[k], n])), open: said.open }, expected, said.text);
  const voters = count(kinds, (k) => k !== "front");
  const errors = models.filter((_, i) => kinds[i] !== "front").map((m) => m.training.errors);
  const spread = Math.max(...errors) - Math.min(...errors);
  const [[k, n]] = said.votes.length > 0 ? said.votes : [[0, 0]];
  const name = models[0].classes[k];
  assert.ok(n === 0 ? said.text.endsWith("need more answers.") : said.text.startsWith(n === voters ? `All ${voters} ` : `${n} of the ${voters} models here within ${spread} errors say${n === 1 ? "s" : ""} ${name}`), said.text);
  assert.equal(/need(s)? more answers/.test(said.text), expected.open > 0, said.text);
}

test("agreement on a case: of a row all models answer, of a form or of replies some need more", async () => {
  const page = await ready("several.html");
  await page.locator(".rows").focus();
  let disputed = 0;
  for (const row of sets["train.csv"].slice(0, 40)) {
    await page.keyboard.press("ArrowDown");
    const { y, ...known } = row;
    const expected = votes(known);
    assert.equal(expected.open, 0);
    if (Object.keys(expected.counts).length > 1) ++disputed;
    await sameVotes(page, expected);
  }
  assert.ok(disputed > 3, `${disputed} disputed`);
  await page.getByRole("button", { name: "Clear" }).click();
  assert.equal(await page.locator(".agreement").count(), 0);
  const own = [...new Set(models[0].diagram.nodes.filter((n) => !("class" in n)).map((n) => models[0].columns[models[0].features[n.feature].column]))];
  const known = {};
  let some = 0;
  for (const [i, column] of own.entries()) {
    const value = column.type === "numeric" ? choices(column.name)[1] : column.levels[0];
    known[column.name] = value;
    const field = page.locator("#ask").getByLabel(column.name, { exact: true });
    if (column.type === "numeric") await field.fill(value);
    else await field.selectOption({ label: value });
    const expected = votes(known);
    if (expected.open > 0) ++some;
    await sameVotes(page, expected);
    assert.ok(i >= 0);
  }
  assert.ok(some > 0, "some could not say yet");
  // Replies: what is known of a column is an interval or a set.
  await page.getByRole("button", { name: "One question at a time" }).click();
  const replies = [];
  for (const reply of ["No", "Yes", "No"]) {
    if ((await page.locator("[data-feature]").count()) === 0) break;
    const f = models[0].features[Number(await page.locator("[data-feature]").getAttribute("data-feature"))];
    replies.push({ f, column: models[0].columns[f.column].name, yes: reply === "Yes" });
    await page.getByRole("button", { name: reply, exact: true }).click();
    const fits = (r) => replies.every(({ f, column, yes }) => {
      if (!(column in r)) return true;
      const passes = f.test === "missing" ? r[column] === "" : r[column] !== "" && (f.test === "equals" ? r[column] === f.level : Number(r[column]) <= f.threshold);
      return passes === yes;
    });
    await sameVotes(page, votes({}, fits));
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("disputed rows: the share of models that give another answer, to sort and to filter by", async () => {
  const page = await ready("several.html");
  const voters = models.filter((_, i) => kinds[i] !== "front");
  const shares = Object.values(sets).map((rows) => rows.map((r) => count(voters, (m) => walk(m, r).answer !== walk(models[0], r).answer) / voters.length));
  const text = (x) => `${x > 0 && x < 1 ? Math.min(99, Math.max(1, 100 * x)).toFixed(0) : (100 * x).toFixed(0)}\u202f%`;
  const some = shares.map((list) => count(list, (x) => x > 0));
  await page.locator("#disputed:not(:empty)").waitFor({ state: "attached" });
  assert.match(await page.locator("#disputed").innerText(), new RegExp(`another answer to ${some[0]} of 260 training rows and ${some[1]} of 240 test rows`));
  const at = await page.locator(".rows thead th").allInnerTexts().then((list) => list.findIndex((t) => t.trim() === "disputed"));
  const column = () => page.locator(`.rows tbody tr[data-at] td:nth-child(${at + 1})`).allInnerTexts();
  assert.deepEqual((await column()).slice(0, 12), shares[0].slice(0, 12).map(text));
  await page.getByLabel("Disputed", { exact: true }).selectOption({ label: "disputed only" });
  assert.equal(Number(await page.locator("#data-rows .count").getAttribute("data-rows")), some[0] + some[1]);
  await page.locator(".rows thead").getByRole("button", { name: "disputed" }).click();
  await page.locator(".rows thead").getByRole("button", { name: "disputed" }).click();
  assert.deepEqual((await column()).slice(0, 10), shares.flat().sort((a, b) => b - a).slice(0, 10).map(text));
  await page.getByLabel("Disputed", { exact: true }).selectOption({ label: "undisputed only" });
  assert.equal(Number(await page.locator("#data-rows .count").getAttribute("data-rows")), 500 - some[0] - some[1]);
  // Of another model, other rows are disputed.
  await page.locator(`#group-models tr[data-model="1"] button`).click();
  const others = Object.values(sets).map((rows) => count(rows, (r) => voters.some((m) => walk(m, r).answer !== walk(models[1], r).answer)));
  assert.match(await page.locator("#disputed").innerText(), new RegExp(`another answer to ${others[0]} of 260 training rows and ${others[1]} of 240 test rows`));
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("accessible, narrow, dark and printed", async () => {
  const axe = readFileSync(join(process.cwd(), "node_modules", "axe-core", "axe.min.js"), "utf8");
  for (const options of [{}, { colorScheme: "dark" }, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true }]) {
    const page = await ready("several.html", { ...options, bypassCSP: true });
    await page.locator("#compare").scrollIntoViewIfNeeded();
    for (const summary of await page.locator("#compare summary, #group-confusions summary").all()) await unfold(summary);
    await page.locator(".rows tbody tr[data-at]").first().click();
    await page.evaluate(axe);
    const found = await page.evaluate(() => window.axe.run({ resultTypes: ["violations"] }).then((r) => r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) => `${v.id}: ${v.nodes.map((n) => n.html).slice(0, 3).join(" | ")}`)));
    assert.deepEqual(found, [], JSON.stringify(options));
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0, "the page does not scroll sideways");
    await page.context().close();
  }
  const page = await open("several.html");
  await page.emulateMedia({ media: "print" });
  await page.evaluate(() => dispatchEvent(new Event("beforeprint")));
  assert.equal(await page.locator("#group-models tbody tr").count(), kinds.length, "made for paper though nobody scrolled there");
  assert.ok(await page.locator("#compare .mcnemar").first().isVisible());
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("hostile names stay text in all of these parts", async () => {
  const r = random(21);
  const hostile = ["<img src=x onerror=alert(1)>", "</script><script>alert(2)</script>", "\u202eright to left", "=cmd()", "long" + "x".repeat(500)];
  const classes = ["<script>alert(5)</script>", "\u202efdp.exe"];
  const quoted = (t) => `"${t.replaceAll('"', '""')}"`;
  const lines = [[...hostile, "</style><b>class"].map(quoted).join(",")];
  for (let i = 0; i < 200; ++i) {
    const cells = hostile.map((_, j) => hostile[(j + Math.floor(r() * 3)) % hostile.length]);
    lines.push([...cells, classes[(cells[0] === hostile[1]) !== r() < 0.2 ? 0 : 1]].map(quoted).join(","));
  }
  write("hostile.csv", lines.join("\n") + "\n");
  beadwork("fit", "hostile.csv", "--depth", 2, "--within", 4, "-o", "hostile.json", "--report", "hostile.html", "-q");
  const page = await ready("hostile.html");
  await page.locator("#compare").scrollIntoViewIfNeeded();
  for (const summary of await page.locator("#compare summary, #group-confusions summary").all()) await unfold(summary);
  await page.locator(".rows tbody tr[data-at]").first().click();
  for (const column of await page.locator("#group-column option").all()) await page.locator("#group-column").selectOption(await column.getAttribute("value"));
  const found = await page.evaluate(() => ({ elements: document.querySelectorAll("img, [onerror]").length + document.querySelectorAll("script").length, text: document.body.innerText, wide: document.documentElement.scrollWidth - innerWidth }));
  assert.equal(found.elements, 2, "only the page's own two scripts");
  assert.ok(!/[\u202a-\u202e]/.test(found.text));
  assert.ok(found.wide <= 0);
  assert.deepEqual(page.faults, []);
  await page.context().close();
});
