// What the page must not mislead about: chance, changes, missing values, sets, and what is out of sight.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { after, before, test } from "node:test";
import { at, beadwork, finish, launch, open, random, read, walk, write } from "./support.mjs";
import { pathToFileURL } from "node:url";

// `strength` of 0: the columns say nothing about the class, of which seven in ten rows are good.
function credit(rows, seed, strength) {
  const r = random(seed);
  const lines = ["age,pain,months,sex,risk"];
  for (let i = 0; i < rows; ++i) {
    const age = 18 + Math.floor(r() * 60);
    const pain = r() < 0.12 ? "" : ["none", "typical", "asymptomatic"][Math.floor(r() * 3)];
    const months = 4 + Math.floor(r() * 50);
    const sex = r() < 0.5 ? "male" : "female";
    const known = pain === "asymptomatic" && months > 17 ? "bad" : age > 60 && sex === "male" ? "bad" : "good";
    lines.push([age, pain, months, sex, r() < strength ? known : r() < 0.7 ? "good" : "bad"].join(","));
  }
  return lines.join("\n") + "\n";
}
const rowsOf = (csv) => {
  const [head, ...lines] = csv.trim().split("\n").map((l) => l.split(","));
  return lines.map((l) => Object.fromEntries(l.map((v, i) => [head[i], v])));
};
const model = (name) => JSON.parse(read(name));
const island = (name) => JSON.parse(/id="data">(.*?)<\/script/s.exec(read(name))[1]);

before(() => {
  write("noise.csv", credit(400, 1, 0));
  write("noise_test.csv", credit(200, 2, 0));
  write("signal.csv", credit(500, 3, 0.8));
  write("signal_test.csv", credit(300, 4, 0.8));
  for (const name of ["noise", "signal"])
    beadwork("fit", `${name}.csv`, "--depth", 4, "--thresholds", "quantiles:4", "-o", `${name}.json`, "--report", `${name}.html`, "--test", `${name}_test.csv`, "--within", 6, "-q");
});
after(finish);

test("the header has the baseline and the gain on test rows; it is green only if the interval excludes 0", async () => {
  const seen = {};
  for (const name of ["noise", "signal"]) {
    const page = await open(`${name}.html`);
    const rows = rowsOf(read(`${name}_test.csv`));
    const answers = rows.map((row) => walk(model(`${name}.json`), row).answer);
    const share = (list) => list.filter((x) => x).length / list.length;
    const header = await page.locator("header").innerText();
    const accuracy = share(rows.map((row, i) => row.risk === answers[i]));
    const baseline = share(rows.map((row) => row.risk === "good"));
    assert.ok(header.includes(`${(100 * accuracy).toFixed(1)}\u202f% right on test rows; always \u201cgood\u201d: ${(100 * baseline).toFixed(1)}\u202f%`), header);
    const badge = page.locator("header li.lift");
    const [low, high] = [await badge.getAttribute("data-low"), await badge.getAttribute("data-high")].map(Number);
    // Against a bootstrap of the rows, taken in pairs.
    const r = random(9);
    const gains = rows.map((row, i) => Number(row.risk === answers[i]) - Number(row.risk === "good"));
    const means = Array.from({ length: 4000 }, () => gains.reduce((sum) => sum + gains[Math.floor(r() * gains.length)], 0) / gains.length).sort((a, b) => a - b);
    assert.ok(Math.abs(low - means[100]) < 0.012 && Math.abs(high - means[3900]) < 0.012, `${low} ${high}: ${means[100]} ${means[3900]}`);
    assert.equal(await badge.evaluate((e) => e.classList.contains("good")), low > 0, name);
    assert.equal(await page.locator("header .good").count(), low > 0 ? 1 : 0, "nothing else is green");
    seen[name] = low > 0;
    assert.deepEqual(page.faults, []);
  }
  assert.deepEqual(seen, { noise: false, signal: true });
});

test("without test rows: cross-validation where it fits into a fifth of the time, or a word that nothing is known", async () => {
  beadwork("fit", "signal.csv", "--depth", 1, "--thresholds", "quantiles:2", "--report", "quick.html", "-q");
  assert.equal(island("quick.html").history.validation, undefined, "a fit of milliseconds leaves no time for folds");
  const page = await open("quick.html");
  assert.match(await page.locator("header").innerText(), /no test rows: how it does on other rows is not known/);
  assert.equal(await page.locator("header .good").count(), 0);
  // As fit writes it where there is time; tests/unit/evidence and tests/cli hold the figures.
  const v = { folds: 5, accuracy: 0.712, baseline: 0.705, lift: { points: 0.007, low: -0.021, high: 0.035 }, seconds: 0.5 };
  for (const [lift, good] of [[v.lift, 0], [{ points: 0.08, low: 0.03, high: 0.13 }, 1]]) {
    write("held.html", read("quick.html").replace('"bounds":', `"validation":${JSON.stringify({ ...v, lift })},"bounds":`));
    const held = await open("held.html");
    assert.match(await held.locator("header").innerText(), /71\.2\u202f% right on held-out rows \(5 folds\); always \u201cgood\u201d: 70\.5\u202f%/);
    assert.match(await held.locator("header li.lift").innerText(), good ? /^better than/ : /^not clearly better than .*: \+0\.7 points 95\u202f% interval \u22122\.1 to \+3\.5$/);
    assert.equal(await held.locator("header .good").count(), good);
    assert.match(await held.locator("#validation").innerText(), /Cross-validation: in 5 parts/);
    assert.deepEqual(held.faults, []);
  }
  assert.deepEqual(page.faults, []);
});

test("hundreds of classes: a page, not a blank one", async () => {
  const r = random(21);
  const lines = ["a,b,y"];
  for (let i = 0; i < 900; ++i) lines.push([Math.floor(r() * 100), Math.floor(r() * 100), `c${i % 420}`].join(","));
  write("classes.csv", lines.join("\n") + "\n");
  beadwork("fit", "classes.csv", "--depth", 2, "--thresholds", "quantiles:3", "-o", "classes.json", "--report", "classes.html", "-q");
  const page = await open("classes.html");
  assert.equal(await page.locator("body").getAttribute("data-ready"), "true");
  assert.match(await page.locator("#evidence").innerText(), /the most frequent mistakes/);
  assert.deepEqual(page.faults, []);
});

test("an error leaves picture, rules and one line that says so", async () => {
  for (const [name, change] of [["broken.html", (t) => t.replace('"layout":{', '"layuot":{')], ["cut.html", (t) => t.replace('id="data">{', 'id="data">{"')]]) {
    write(name, change(read("signal.html")));
    const page = await (await launch()).newPage();
    await page.goto(pathToFileURL(at(name)).href);
    await page.waitForSelector("body[data-ready=failed]");
    assert.equal(await page.locator(".failed").count(), 1);
    assert.match(await page.locator(".failed").innerText(), /^A part of this page failed: .*\. The picture and the rules are below\.$/);
    assert.ok(await page.locator("#still svg").isVisible());
    assert.match(await page.locator("#rules-text").innerText(), / THEN good /);
    assert.equal(await page.locator("main").count(), 0);
    await page.close();
  }
});

test("without JavaScript the picture and the rules stand in the page", async () => {
  const context = await (await launch()).newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(pathToFileURL(at("signal.html")).href);
  assert.ok(await page.locator("#still svg").isVisible());
  assert.equal(await page.locator("#still svg [data-node]").count(), model("signal.json").diagram.nodes.length);
  assert.match(await page.locator("#rules-text").innerText(), /IF .* THEN good /);
  assert.match(await page.locator("body").innerText(), /training accuracy/);
  await context.close();
});

const label = (page, name) => page.locator(".ask").getByLabel(name, { exact: true });

test("a change that may turn the answer is told as such, with what it depends on", async () => {
  const page = await open("signal.html");
  const m = model("signal.json");
  const columns = [...new Set(m.diagram.nodes.filter((n) => "feature" in n).map((n) => m.columns[m.features[n.feature].column].name))];
  // Every completion of the columns that are not given: by a walk that shares no code with the page.
  const values = { pain: ["none", "typical", "asymptomatic", "?"], sex: ["male", "female"], age: ["20", "35", "50", "61", "75"], months: ["5", "16", "20", "33", "50"] };
  const answers = (given) => {
    let rows = [given];
    for (const c of columns) if (!(c in given)) rows = rows.flatMap((row) => values[c].map((v) => ({ ...row, [c]: v })));
    return new Set(rows.map((row) => walk(m, row).answer));
  };
  let told = 0;
  for (const pain of ["none", "typical", "asymptomatic"])
    for (const other of columns.filter((c) => c !== "pain")) {
      await page.getByRole("button", { name: "Clear", exact: true }).click();
      await label(page, "pain").selectOption({ label: pain });
      const value = values[other][0];
      if (other === "sex") await label(page, other).selectOption({ label: value });
      else await label(page, other).fill(value);
      const given = { pain, [other]: value };
      if (answers(given).size > 1) continue;
      const now = [...answers(given)][0];
      const could = values.pain.filter((v) => v !== "?" && v !== pain).some((v) => answers({ ...given, pain: v }).size > 1);
      const sure = values.pain.filter((v) => v !== "?" && v !== pain).some((v) => !answers({ ...given, pain: v }).has(now));
      const text = await page.locator(".turning").innerText();
      if (could) {
        ++told;
        await page.locator(".turning details").evaluateAll((list) => list.forEach((x) => (x.open = true)));
        assert.match(await page.locator(".turning").innerText(), /If pain were .*?, it could become \w+, depending on (age|months|sex)/, JSON.stringify(given));
        assert.ok(!/would not change the answer/.test(text));
      }
      if (!sure && !could) assert.ok(!/If pain were [^,]*, it/.test(text), text);
    }
  assert.ok(told > 0);
  assert.deepEqual(page.faults, []);
});

test("the pair offered is the nearest; locked columns stay; ways that no training row went are told", async () => {
  const lines = ["a,b,c,y"];
  // Yes only where two of the three numbers are high; from (60, 10, 55), a and c are near, b is far.
  for (let i = 0; i < 300; ++i) {
    const r = random(100 + i);
    const [a, b, c] = [0, 0, 0].map(() => Math.floor(r() * 100));
    lines.push([a, b, c, (a > 70) + (b > 70) + (c > 70) >= 2 ? "yes" : "no"].join(","));
  }
  write("two.csv", lines.join("\n") + "\n");
  beadwork("fit", "two.csv", "--depth", 3, "--thresholds", "all", "-o", "two.json", "--report", "two.html", "-q");
  const page = await open("two.html");
  const fill = async (row) => {
    for (const [name, value] of Object.entries(row)) await label(page, name).fill(String(value));
  };
  const pair = async () => /No single change is enough\. If (\w) were .* and (\w) were /.exec(await page.locator(".turning").innerText())?.slice(1).sort().join("");
  for (const [row, nearest] of [[{ a: 60, b: 10, c: 55 }, "ac"], [{ a: 5, b: 66, c: 50 }, "bc"], [{ a: 65, b: 60, c: 3 }, "ab"]]) {
    await fill(row);
    assert.equal(await pair(), nearest, JSON.stringify(row));
  }
  await fill({ a: 60, b: 10, c: 55 });
  await page.getByRole("button", { name: "Keep c as it is" }).click();
  assert.equal(await pair(), "ab");
  await page.getByRole("button", { name: "Keep b as it is" }).click();
  assert.match(await page.locator(".turning").innerText(), /Changing one or two of these values that may change would not change the answer/);
  await page.getByRole("button", { name: "Keep b as it is" }).click();
  await page.getByRole("button", { name: "Keep c as it is" }).click();
  assert.equal(await pair(), "ac");
  // No row has both 1: whatever the diagram answers there, nobody went that way.
  write("corner.csv", ["u,v,y", ...Array.from({ length: 30 }, (_, i) => ["0,0,p", "1,0,q", "0,1,r"][i % 3])].join("\n") + "\n");
  beadwork("fit", "corner.csv", "--depth", 2, "-o", "corner.json", "--report", "corner.html", "-q");
  const corner = await open("corner.html");
  const m = model("corner.json");
  const told = { seen: 0, unseen: 0 };
  for (const [u, v] of [["0", "0"], ["1", "0"], ["0", "1"]]) {
    await label(corner, "u").selectOption({ label: u });
    await label(corner, "v").selectOption({ label: v });
    await corner.locator(".turning details").evaluateAll((list) => list.forEach((x) => (x.open = true)));
    for (const [, name, to, , rest] of (await corner.locator(".turning").innerText()).matchAll(/If (\w) were (\d), it would be (\w)\.( No training row went that way\.)?/g)) {
      const row = { u, v, [name]: to };
      assert.notEqual(walk(m, row).answer, walk(m, { u, v }).answer);
      assert.equal(rest !== undefined, row.u === "1" && row.v === "1", `${u}${v}: ${name} ${to}`);
      ++told[rest === undefined ? "seen" : "unseen"];
    }
  }
  assert.ok(told.seen > 0 && told.unseen > 0, JSON.stringify(told));
  assert.deepEqual([...page.faults, ...corner.faults], []);
});

test("a missing value is unknown, not unequal", async () => {
  const page = await open("signal.html");
  const m = model("signal.json");
  const at = rowsOf(read("signal.csv")).findIndex((row) => row.pain === "" && walk(m, row).edges.some((e) => e.endsWith(":0") && m.columns[m.features[m.diagram.nodes[Number(e.split(":")[0])].feature].column].name === "pain"));
  await page.locator(".rows").evaluate((e, i) => (e.scrollTop = 28 * i), at);
  await page.locator(`.rows tr[data-at="${at}"]`).click();
  const text = await page.locator(".because").innerText();
  assert.match(text, /pain is unknown, treated as not (asymptomatic|typical|none)/);
  assert.ok(!/pain (≠|!=)/.test(text), text);
  await label(page, "pain").selectOption({ label: "typical" });
  assert.ok(!/unknown/.test(await page.locator(".because").innerText()));
});

test("near sets are told without idle features, and the diagram's own only where it is among them", async () => {
  // y is a alone: every set of two has a feature that does nothing.
  const r = random(5);
  const lines = ["a,b,c,d,y"];
  for (let i = 0; i < 60; ++i) {
    const x = [0, 0, 0, 0].map(() => Math.floor(r() * 2));
    lines.push([...x, x[0] ? "yes" : "no"].join(","));
  }
  write("idle.csv", lines.join("\n") + "\n");
  const told = JSON.parse(beadwork("fit", "idle.csv", "--depth", 2, "--within", 0, "--report", "idle.html", "--json", "-q"));
  assert.ok(told.near_sets.num_sets > 1 && told.near_sets.without_idle.length === 1);
  const page = await open("idle.html");
  assert.match(await page.locator("#near-sets").innerText(), /^1 feature set, this diagram\u2019s own among them\./);
  assert.deepEqual(await page.locator("table.near tbody td:nth-child(2)").allInnerTexts(), ["a (this diagram)"]);
  const signal = await open("signal.html");
  const rows = await signal.locator("table.near tbody tr").count();
  assert.equal(rows, island("signal.html").history.outcome.near_sets.without_idle.length);
});

test("the path's colour is no class's colour", async () => {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open("signal.html", { colorScheme });
    await page.locator(".rows tbody tr[data-at]").nth(1).click();
    const drawn = await page.locator(".asked .edge.on .grip").first().evaluate((e) => getComputedStyle(e).stroke);
    const rgb = (text) => text.match(/\d+/g).slice(0, 3).map(Number);
    const hex = (text) => [1, 3, 5].map((i) => parseInt(text.slice(i, i + 2), 16));
    for (const [colour] of island("signal.html").diagram.colours)
      assert.ok(Math.hypot(...rgb(drawn).map((v, i) => v - hex(colour)[i])) > 80, `${drawn} is like ${colour}`);
    assert.ok(Math.max(...rgb(drawn)) - Math.min(...rgb(drawn)) < 30, "grey");
  }
});

test("zoom keeps the diagram in sight, at any width", async () => {
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const page = await open("signal.html", { viewport });
    await page.locator(".picture").scrollIntoViewIfNeeded();
    const inSight = () => page.evaluate(() => {
      const f = document.querySelector(".frame").getBoundingClientRect();
      return [...document.querySelectorAll("[data-node]")].filter((g) => {
        const b = g.getBoundingClientRect();
        const [x, y] = [(b.left + b.right) / 2, (b.top + b.bottom) / 2];
        return x > f.left && x < f.right && y > f.top && y < f.bottom;
      }).length;
    });
    for (const name of ["Zoom in", "Zoom out"])
      for (let i = 0; i < 9; ++i) {
        await page.getByRole("button", { name }).click();
        assert.ok((await inSight()) > 0, `${viewport.width}: ${name}, ${i + 1} times`);
      }
  }
});

test("a click on a node says what it filtered, in sight; Esc closes the note", async () => {
  const page = await open("signal.html", { viewport: { width: 1366, height: 768 } });
  await page.locator("[data-node='0']").click();
  const picked = page.locator(".picked");
  const box = await picked.boundingBox();
  assert.ok(box.y >= 0 && box.y + box.height <= 768, JSON.stringify(box));
  assert.match(await picked.innerText(), /^800 rows pass there, \d+ mistakes\. See the rows/);
  assert.ok(await page.locator(".tip").isVisible());
  await page.keyboard.press("Escape");
  assert.equal(await page.locator(".tip").isVisible(), false);
  await picked.getByRole("button", { name: "Clear this filter" }).click();
  assert.equal(await picked.isVisible(), false);
  assert.equal(await page.locator("#filter-node").inputValue(), "");
});

test("answers are in sight: those of the diagram, and the one to a case", async () => {
  // The parity of seven columns: as tall as a diagram of depth 7 gets, with seven fields to fill in.
  const names = Array.from({ length: 7 }, (_, i) => `p${i}`);
  const lines = [[...names, "y"].join(",")];
  for (let i = 0; i < 128; ++i) {
    const bits = names.map((_, j) => (i >> j) & 1);
    lines.push([...bits, bits.reduce((x, y) => x ^ y) ? "odd" : "even"].join(","));
  }
  write("parity.csv", lines.join("\n") + "\n");
  beadwork("fit", "parity.csv", "--depth", 7, "-o", "parity.json", "--report", "parity.html", "-q");
  const page = await open("parity.html", { viewport: { width: 1440, height: 900 } });
  for (const g of await page.locator(".sink").all()) {
    const b = await g.boundingBox();
    assert.ok(b.y + b.height <= 900, `a square ends at ${b.y + b.height}`);
  }
  for (const name of names) await label(page, name).selectOption({ label: "1" });
  assert.equal(await page.evaluate(() => scrollY), 0);
  const verdict = await page.locator(".verdict").boundingBox();
  assert.ok(verdict.y >= 0 && verdict.y + verdict.height <= 900, `the answer is at ${verdict.y}`);
  assert.equal(await page.locator(".verdict").getAttribute("data-verdict"), "odd");
});

test("wide diagrams keep letters that can be read; long names use the room there is", async () => {
  const r = random(31);
  const names = Array.from({ length: 9 }, (_, i) => `x${i}`);
  const lines = [[...names, "y"].join(",")];
  for (let i = 0; i < 600; ++i) {
    const x = names.map(() => Math.floor(r() * 2));
    lines.push([...x, r() < 0.5 ? "p" : "q"].join(","));
  }
  write("wide.csv", lines.join("\n") + "\n");
  beadwork("fit", "wide.csv", "--engine", "local", "--depth", 9, "-o", "wide.json", "--report", "wide.html", "-q");
  assert.ok(model("wide.json").diagram.nodes.length > 40);
  for (const viewport of [{ width: 1440, height: 900 }, { width: 390, height: 844 }]) {
    const page = await open("wide.html", { viewport });
    const size = await page.locator(".names text").first().evaluate((t) => t.getBoundingClientRect().height / t.getBBox().height * parseFloat(getComputedStyle(t).fontSize));
    assert.ok(size >= 8.9, `letters of ${size} pixels at ${viewport.width}`);
    assert.ok((await page.evaluate(() => document.documentElement.scrollWidth)) <= viewport.width, "the frame scrolls, not the page");
  }
  const long = "duration of the employment at the present employer in months";
  write("long.csv", credit(300, 3, 0.9).replace("months", long).replaceAll(",good", ",good for another loan of this size").replaceAll(",bad", ",bad"));
  beadwork("fit", "long.csv", "--candidate", long, "--candidate", "pain", "--depth", 3, "--thresholds", "quantiles:4", "-o", "long.json", "--report", "long.html", "-q");
  const page = await open("long.html", { viewport: { width: 1440, height: 900 } });
  const text = await page.locator(".picture").textContent();
  assert.ok(text.includes("good for another loan of this size"), text);
  assert.match(text, new RegExp(`${long} \u2264`));
});

test("values in the table are whole; a printed case has its inputs", async () => {
  const page = await open("long.html", { viewport: { width: 1440, height: 900 } });
  const cut = await page.locator(".rows tbody td").evaluateAll((list) => list.filter((td) => td.scrollWidth > td.clientWidth).map((td) => td.innerText));
  assert.deepEqual(cut, []);
  await page.locator(".rows tbody tr[data-at]").nth(0).click();
  await page.emulateMedia({ media: "print" });
  const printed = await page.locator(".inputs-given").innerText();
  const row = rowsOf(read("long.csv"))[0];
  for (const [name, value] of Object.entries(row)) {
    if ((await label(page, name).count()) === 0) continue;
    assert.ok(printed.includes(name) && printed.includes(value === "" ? "missing" : value), `${printed}: ${name} ${value}`);
  }
  await page.emulateMedia({ media: "screen" });
  assert.equal(await page.locator(".inputs-given").isVisible(), false);
});

test("one vocabulary: \u2264 and \u2260, questions, and few rows said as few", async () => {
  const page = await open("signal.html");
  await page.locator("details").evaluateAll((list) => list.forEach((x) => (x.open = true)));
  const text = await page.locator("body").innerText();
  assert.deepEqual(text.match(/.{0,30}(<=|!=).{0,30}/g), null);
  await page.getByRole("button", { name: "One question at a time" }).click();
  assert.match(await page.locator(".question").innerText(), /^Question 1: Is (pain \w+|(age|months) [\d.]+ or less|sex \w+)\?$/);
  assert.match(await page.locator("header").innerText(), /It asks at most \d questions about /);
  // A way that one training row went.
  write("lone.csv", ["a,b,y", ...Array.from({ length: 12 }, (_, i) => `${i % 2},0,${i % 2 ? "yes" : "no"}`), "0,1,yes"].join("\n") + "\n");
  beadwork("fit", "lone.csv", "--depth", 2, "-o", "lone.json", "--report", "lone.html", "-q");
  const lone = await open("lone.html");
  await lone.locator(".rows").evaluate((e) => (e.scrollTop = e.scrollHeight));
  await lone.locator('.rows tr[data-at="12"]').click();
  assert.match(await lone.locator(".experience").innerText(), /^Only 1 training row went this way: it was yes\.$/);
});

test("prices as bars, and what costs nothing said out loud; the filtered rows as CSV", async () => {
  const told = JSON.parse(beadwork("fit", "signal.csv", "--depth", 3, "--thresholds", "quantiles:4", "--prices", "--report", "prices.html", "--json", "-q"));
  const page = await open("prices.html");
  const most = Math.max(...told.columns.map((c) => c.price.most));
  for (const tr of await page.locator("#prices tbody tr").all()) {
    const name = await tr.locator("th").innerText();
    const price = told.columns.find((c) => c.column === name).price;
    const width = await tr.locator(".price-bar").evaluate((e) => e.firstElementChild.getBoundingClientRect().width / e.getBoundingClientRect().width);
    assert.ok(Math.abs(width - price.most / most) < 0.02, `${name}: ${width}`);
  }
  assert.equal(await page.locator("#free-columns").count(), told.columns.some((c) => c.price.most === 0) ? 1 : 0);
  await page.locator("#filter-error").selectOption("wrong");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save-rows").click()]);
  const saved = rowsOf(readFileSync(await download.path(), "utf8"));
  assert.equal(saved.length, told.training_errors);
  const rows = rowsOf(read("signal.csv"));
  for (const row of saved) for (const name of ["age", "pain", "months", "sex"]) assert.equal(row[name], rows[Number(row.row) - 1][name]);
});

test("rows saved as CSV hold no formulas: names, values and classes are guarded as predict guards them", async () => {
  const values = ['=HYPERLINK("http://example.org")', "@SUM(1)", "+1+cmd", "-2+3", "-5", "plain", "=a,b"];
  const quoted = (t) => `"${t.replace(/"/g, '""')}"`;
  const lines = Array.from({ length: 70 }, (_, i) => `${quoted(values[i % values.length])},${i % 7},${quoted(i % 7 < 3 ? "=yes" : "no")}`);
  write("formulas.csv", `=id,b,y\n${lines.join("\n")}\n`);
  beadwork("fit", "formulas.csv", "--depth", 2, "--require", "=id = plain", "-o", "formulas.json", "--report", "formulas.html", "-q");
  const predicted = beadwork("predict", "formulas.json", "formulas.csv", "-q");
  const page = await open("formulas.html");
  const [download] = await Promise.all([page.waitForEvent("download"), page.locator("#save-rows").click()]);
  const saved = readFileSync(await download.path(), "utf8");
  assert.ok(saved.includes(`"'=HYPERLINK(""http://example.org"")"`) && saved.includes("'@SUM(1)") && saved.includes("'-2+3") && saved.includes("'=yes"), saved.slice(0, 400));
  assert.ok(saved.includes(`"'=a,b"`) && saved.split("\n")[0].includes("'=id"), saved.split("\n")[0]);
  assert.doesNotMatch(saved, /(^|,|\n)"?[=+@]|(^|,|\n)-(?!5)/);
  assert.match(saved, /(^|,)-5(,|$)/m); // a number is none
  assert.match(predicted, /^'=yes,/m);
});

test("a histogram for each number: all rows, the thresholds, the value of the case", async () => {
  const page = await open("signal.html");
  const m = model("signal.json");
  const rows = rowsOf(read("signal.csv"));
  let seen = 0;
  for (const c of m.columns.filter((x) => x.type === "numeric")) {
    const field = page.locator(".field", { has: page.getByLabel(c.name, { exact: true }) });
    if ((await field.count()) === 0) continue;
    ++seen;
    const cuts = [...new Set(m.diagram.nodes.filter((n) => "feature" in n).map((n) => m.features[n.feature]).filter((f) => m.columns[f.column].name === c.name).map((f) => f.threshold))].sort((a, b) => a - b);
    assert.equal(await field.locator(".histogram .cut").count(), cuts.length);
    const words = await field.locator(".histogram").getAttribute("aria-label");
    const below = rows.filter((row) => Number(row[c.name]) <= cuts[0]);
    assert.ok(words.includes(`up to ${cuts[0]}: ${below.length} rows`), words);
    assert.equal(await field.locator(".mark").isVisible(), false);
    const places = [];
    for (const value of [cuts[0] - 1, cuts[0], cuts[0] + 5]) {
      await label(page, c.name).fill(String(value));
      places.push((await field.locator(".mark").boundingBox()).x);
    }
    const cut = await field.locator(".cut").first().boundingBox();
    const mark = await field.locator(".mark").boundingBox();
    assert.ok(places[0] < places[1] && places[1] < places[2], places.join());
    assert.ok(Math.abs(places[1] + mark.width / 2 - (cut.x + cut.width / 2)) < 1.5, "a value at the threshold stands at its line");
  }
  assert.ok(seen > 0);
  assert.deepEqual(page.faults, []);
});
