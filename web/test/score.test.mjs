// Files that the page answers, held against `beadwork predict`; links that carry a case; readable names.
import assert from "node:assert/strict";
import { build } from "esbuild";
import { readFileSync } from "node:fs";
import test from "node:test";
import { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { at, beadwork, finish, highlighted, open, random, read, walk, write } from "./support.mjs";

after(finish);

const quote = (t) => (/[",;\t|\r\n]/.test(t) || t !== t.trim() ? `"${t.replaceAll('"', '""')}"` : t);
const kinds = ["number", "comma", "money", "category", "bit", "date", "duration", "truth", "mixture"];

// A value as text, of each kind of column; what training never had now and then.
function value(r, kind, fresh) {
  if (r() < 0.08) return ["", "?", "NA"][Math.floor(r() * 3)];
  const n = Math.floor(r() * 40);
  switch (kind) {
    case "number": return String(n / 4);
    case "comma": return `${n},${Math.floor(r() * 10)}5`;
    case "money": return `${1 + Math.floor(n / 8)}.${String(Math.floor(r() * 1000)).padStart(3, "0")},50 \u20ac`;
    case "bit": return fresh && r() < 0.2 ? ["1.0", "-0.0", "TRUE", "no", "1e0", "01", "2"][n % 7] : r() < 0.5 ? "0" : "1";
    case "date": return `${String(1 + (n % 28)).padStart(2, "0")}.${String(1 + (n % 12)).padStart(2, "0")}.20${10 + (n % 9)}`;
    case "duration": return `${n}:${String(n % 60).padStart(2, "0")}:05`;
    case "truth": return fresh && r() < 0.2 ? ["1.00", "0", "-0", "on", "1e0", "yess"][n % 6] : ["yes", "no", "TRUE", "False", "Y"][n % 5];
    case "mixture": return fresh && r() < 0.3 ? ["TRUE", "false", "10.0", "2.5", "010", "1e1", "3.50"][n % 7] : ["True", "False", "maybe", "10", "2.50"][n % 5];
    default: return fresh && r() < 0.15 ? `new "${n}", \u00e4` : ["red", "green, dark", 'blue "x"', " spaced", "caf\u00e9"][n % 5];
  }
}

function table(r, columns, rows, fresh, { delimiter, crlf, bom, classes }) {
  const lines = [[...columns.map((c) => c.name), ...(classes ? ["class"] : [])]];
  for (let i = 0; i < rows; ++i) {
    const cells = columns.map((c) => value(r, c.kind, fresh));
    const score = cells.reduce((s, c) => s + (c.charCodeAt(0) || 7) + c.length, 0);
    lines.push([...cells, ...(classes ? [["no", "yes", "may, be"][(score + Math.floor(r() * 2)) % 3]] : [])]);
  }
  const text = lines.map((l) => l.map((t) => (delimiter === "," || !/[";\t\r\n]/.test(t) ? (t.includes(delimiter) ? quote(t) : quote(t).startsWith('"') && !t.includes('"') && t === t.trim() && !t.includes(delimiter) ? t : quote(t)) : quote(t))).join(delimiter)).join(crlf ? "\r\n" : "\n");
  return (bom ? "\ufeff" : "") + text + (crlf ? "\r\n" : "\n");
}

// Cells of a CSV file: a reader of its own.
function parse(text, delimiter = ",") {
  const rows = [[]];
  let [cell, quoted] = ["", false];
  for (let i = 0; i < text.length; ++i) {
    const c = text[i];
    if (quoted) {
      if (c !== '"') cell += c;
      else if (text[i + 1] === '"') (cell += '"'), ++i;
      else quoted = false;
    } else if (c === '"') quoted = true;
    else if (c === delimiter || c === "\n") {
      rows.at(-1).push(cell);
      cell = "";
      if (c === "\n") rows.push([]);
    } else if (c !== "\r") cell += c;
  }
  rows.pop();
  return rows;
}

async function choose(page, name) {
  await page.setInputFiles("#score-file", at(name));
  await page.waitForSelector("#save-scored, .scored .warning[role=alert]", { timeout: 30000 });
}

test("answers of random files are those of beadwork predict", async () => {
  let [rows, unseen, tables] = [0, 0, 0];
  const readings = new Set();
  for (let seed = 1; seed <= 24; ++seed) {
    const r = random(seed);
    const columns = Array.from({ length: 4 }, (_, i) => ({ kind: kinds[Math.floor(r() * kinds.length)], name: [`c${i}`, `col, ${i}`, `caf\u00e9 "${i}"`][Math.floor(r() * 3)] }));
    const style = { delimiter: [",", ";", "\t"][Math.floor(r() * 3)], crlf: r() < 0.5, bom: r() < 0.3 };
    write("train.csv", table(r, columns, 150, false, { ...style, classes: true }));
    write("new.csv", table(r, columns, 200, true, { ...style, classes: r() < 0.5 }));
    beadwork("fit", "train.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q", "--dates", "dmy");
    for (const c of JSON.parse(read("m.json")).columns) readings.add(`${c.type} ${c.reading?.kind ?? ""} ${c.reading?.unit ?? ""} ${c.reading?.order ?? ""}`.trim());
    let said = null;
    try {
      said = JSON.parse(beadwork("predict", "m.json", "new.csv", "--json", "-q"));
    } catch { /* refused: the page must refuse as well */ }
    const page = await open("r.html");
    await choose(page, "new.csv");
    if (said === null) {
      assert.equal(await page.locator("#save-scored").count(), 0, `seed ${seed}: the page answers what predict refuses`);
    } else {
      assert.equal(await page.locator("#save-scored").count(), 1, `seed ${seed}: ${await page.locator(".scored").innerText()}`);
      const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save-scored")]);
      const saved = parse(readFileSync(await download.path(), "utf8"), style.delimiter);
      assert.deepEqual(saved[0].slice(-2), ["prediction", "probability"]);
      const original = parse(read("new.csv").replace(/^\ufeff/, ""), style.delimiter);
      assert.deepEqual(saved.map((l) => l.slice(0, -2)), original);
      said.predictions.forEach((p, i) => {
        assert.equal(saved[i + 1].at(-2), p.class, `seed ${seed}, row ${i + 1}`);
        assert.ok(Math.abs(Number(saved[i + 1].at(-1)) - p.probabilities[said.classes.indexOf(p.class)]) < 1e-12);
      });
      rows += said.predictions.length;
      ++tables;
      const warned = (await page.locator(".scored .warning").allInnerTexts()).join("\n");
      for (const [column, n] of Object.entries(said.unseen)) {
        ++unseen;
        assert.ok(warned.includes(`${n} row`), `seed ${seed}: ${column} ${n} in ${warned}`);
      }
    }
    assert.deepEqual(page.faults, []);
    await page.context().close();
  }
  assert.ok(tables > 15 && rows > 3000 && unseen > 2, `${tables} tables, ${rows} rows, ${unseen} columns with unseen values`);
  console.log([...readings].join("; "));
  for (const kind of ["number", "date", "duration", "boolean"]) assert.ok([...readings].some((x) => x.includes(kind)), `no column read as ${kind}`);
});

// How people write numbers, dates and times: the page takes exactly what the library takes, for the same values.
const spellings = {
  euro: [Array.from({ length: 40 }, (_, i) => `${1 + (i % 7)}.${String(100 + i * 13).slice(-3)},50 \u20ac`), []],
  comma: [Array.from({ length: 40 }, (_, i) => `${i},5`), []],
  percent: [Array.from({ length: 40 }, (_, i) => `${i}.5 %`), []],
  dmy: [Array.from({ length: 40 }, (_, i) => `${1 + (i % 28)}.${1 + (i % 12)}.20${10 + (i % 9)}`), ["--dates", "dmy"]],
  mdy: [Array.from({ length: 40 }, (_, i) => `${1 + (i % 12)}/${1 + (i % 28)}/20${10 + (i % 9)}`), ["--dates", "mdy"]],
  moment: [Array.from({ length: 40 }, (_, i) => `2024-0${1 + (i % 9)}-1${i % 9} ${10 + (i % 9)}:3${i % 9}`), []],
  hms: [Array.from({ length: 40 }, (_, i) => `${i}:1${i % 9}:05`), []],
  ms: [Array.from({ length: 40 }, (_, i) => `${i}:1${i % 9}`), []],
  plain: [Array.from({ length: 40 }, (_, i) => `${i / 4}`), []],
  dash: [Array.from({ length: 40 }, (_, i) => (i % 8 ? `${i / 4}` : "-")), []],
  quote: [Array.from({ length: 40 }, (_, i) => `1'${String(100 + i * 13).slice(-3)}.5`), []],
  blank: [Array.from({ length: 40 }, (_, i) => `${1 + i % 3} ${String(100 + i * 13).slice(-3)},5`), []],
};
const texts = ["1", "-1", "+1", "+-1", "-+1", "1.", ".5", ".", "1e3", "1E3", "1e", "1e400", "1e-400", "1,5", "1.5", "1.234,5", "1.234", "1,234", "1,234.5", "12.34,5", "0.123,4", "01.234", "1.234.567", "(5)", "(1.234,50 \u20ac)", "-5 \u20ac", "\u20ac5", "\u20ac -5", "5 EUR", "EUR 5", "5$", "US$5", "5 %", "%5", "5%", "5 % ", "\u22125", "5\u00a0\u20ac", "1\u00a0234,5", "1 234,5", "1'234.5", "1'23", "--", "-", "n/a", "N/A", "null", "NULL", "none", "abc", "nan", "inf", "Infinity", "0x10", "1_000", "5 kr", "kr5", "5 z\u0142", "1.3.2024", "01.03.2024", "31.02.2024", "29.02.2023", "29.02.2024", "1-Mar-2024", "1 Mar 2024", "1 March 2024", "1 mar. 2024", "1/3/2024", "3/31/2024", "13/1/2024", "2024-03-01", "2024/03/01", "2024.03.01", "2024-3-1", "2024-03-01T12:30", "2024-03-01 12:30:15", "2024-03-01 12:30:15.25", "2024-03-01 12:30:15.", "2024-03-01 24:30", "2024-03-01 12:60", "2024-03-01 12:30Z", "2024-03-01 12:30+02:00", "2024-03-01 12:30-0530", "2024-03-01 12:30+02", "2024-03-01 12:30+15:00", "2024-03-01 9:30", "2024-03-01  12:30", "12:30", "1:02:03", "1:2:3", "1:60", "1:60:00", "-1:30", "-0:30", "1234567:00", "123456:59", "1:30:99", "", "?", "NA", "99999-01-01", "0001-01-01", "0000-01-01", "1.1.0001", "1e+2", "1E-2", "1,5e3", "12 345", "12 34", " 5", "5 ", "5 \u20ac\u20ac", "(-5)", "-(5)", "+5 \u20ac", "\u20ac+5", "- 5", "\u2212 5", "5 Fr.", "R$5", "5R$"];

test("texts are the values that the library reads", async () => {
  await build({ entryPoints: [fileURLToPath(new URL("../src/spelling.ts", import.meta.url))], outfile: at("spelling.mjs"), bundle: true, format: "esm", logLevel: "error" });
  const { take } = await import(pathToFileURL(at("spelling.mjs")).href);
  const always = (t) => `"${t.replaceAll('"', '""')}"`;
  const r = random(5);
  let [taken, refused] = [0, 0];
  for (const [name, [values, flags]] of Object.entries(spellings)) {
    write("t.csv", `x,y,c\n${values.map((v, i) => `${always(v)},${i % 3},${(name === "moment" ? i % 9 < 4 : i < 9 || (i > 20 && i < 26)) ? "a" : "b"}`).join("\n")}\n`);
    beadwork("fit", "t.csv", "--depth", 3, "-o", "m.json", "-q", ...flags);
    const column = JSON.parse(read("m.json")).columns.find((c) => c.name === "x");
    assert.ok(column, name);
    const all = texts.filter((t) => !["", "?", "NA"].includes(t)).map((t) => ({ t, ...take(column, t) }));
    const good = all.filter((x) => !x.bad);
    write("e.csv", `x,y,c\n${good.map((x) => `${always(x.t)},1,a`).join("\n")}\nlast,1,a\n`.replace("last", always(values[1])));
    const data = JSON.parse(/id="data">(.*?)<\/script/s.exec(beadwork("report", "m.json", "e.csv"))[1]);
    const theirs = data.rows.at(-1).columns.find((c) => c.name === "x").values.split(",").map((v) => (v === "" ? null : Number(v)));
    good.forEach((x, i) => assert.ok(x.value === theirs[i] || Math.abs(x.value - theirs[i]) < 1e-6, `${name}: ${JSON.stringify(x.t)} is ${x.value} here, ${theirs[i]} there`));
    taken += good.length;
    // Blanks around a value are cut where nothing shows that quotes mean text.
    for (const x of all.filter((y) => y.bad && y.t === y.t.trim() && r() < 0.15)) {
      write("e.csv", `x,y,c\n${always(x.t)},1,a\n`);
      assert.throws(() => beadwork("predict", "m.json", "e.csv", "-q"), `${name}: ${JSON.stringify(x.t)} is refused here only`);
      ++refused;
    }
  }
  assert.ok(taken > 200 && refused > 80, `${taken} taken, ${refused} refused`);
});

const loans = (n, seed) => {
  const r = random(seed);
  const lines = ["months,job,risk"];
  for (let i = 0; i < n; ++i) {
    const months = Math.floor(r() * 60);
    const job = ["a", "b", "c"][Math.floor(r() * 3)];
    lines.push(`${r() < 0.05 ? "" : months},${job},${months > 20 === (job !== "b") || r() < 0.1 ? "good" : "bad"}`);
  }
  return lines.join("\n") + "\n";
};

test("a file with true classes: accuracy and confusion are those of beadwork evaluate", async () => {
  write("d.csv", loans(300, 3));
  write("e.csv", loans(200, 4));
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q");
  const said = JSON.parse(beadwork("evaluate", "m.json", "e.csv", "--json"));
  const page = await open("r.html");
  await choose(page, "e.csv");
  const figure = async (name) => Number(await page.getAttribute(`.scored [data-figure="${name}"]`, "data-value"));
  assert.equal(await figure("scored.accuracy"), said.accuracy);
  for (const a of [0, 1]) for (const b of [0, 1]) assert.equal(await figure(`scored.${a}.${b}`), said.confusion[a][b]);
  await page.context().close();
});

test("what cannot be read is one line, and nothing is guessed", async () => {
  write("d.csv", loans(300, 3));
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q");
  const page = await open("r.html");
  for (const [text, words] of [
    ["months,job\ntwelve,a\n", /column \u201cmonths\u201d: \u201ctwelve\u201d in row 1 is not a value/],
    ['months,job\n"1,5",a\n', /\u201c1,5\u201d in row 1/],
    ["months\n3\n", /needs the column \u201cjob\u201d/],
    ["months,job\n3\n", /line 2: this row has 1 value, the header has 2/],
    ['months,job\n3,"a\n', /a quote that is never closed/],
    ['months,job\n3,a"b\n', /a quote inside an unquoted value/],
    ["months,job\n", /a header but no rows/],
    ["", /the file is empty/],
    ["1,2\n3,4\n", /the header has only numbers/],
    ["months,months,job\n3,4,a\n", /two columns are named/],
    ["@relation x\n@data\n", /ARFF/],
    [Buffer.from([0x6d, 0xff, 0x0a]), /not UTF-8/],
    [Buffer.from("PK\u0003\u0004xxxx"), /spreadsheet/],
  ]) {
    write("x.csv", text);
    await page.setInputFiles("#score-file", []);
    await choose(page, "x.csv");
    assert.match(await page.locator(".scored .warning[role=alert]").innerText(), words);
    assert.equal(await page.locator("#save-scored").count(), 0);
  }
  assert.deepEqual(page.faults, []);
  await page.context().close();
});

test("100,000 rows do not freeze the page", async () => {
  const r = random(9);
  write("d.csv", loans(300, 3));
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q");
  const more = Array.from({ length: 18 }, (_, i) => `x${i}`);
  const lines = [`months,job,${more.join()}`];
  for (let i = 0; i < 100_000; ++i) lines.push(`${Math.floor(r() * 60)},${"abc"[Math.floor(r() * 3)]},${more.map((_, j) => (i * j) % 97).join()}`);
  write("big.csv", lines.join("\n") + "\n");
  const page = await open("r.html");
  await page.evaluate(() => {
    window.longest = 0;
    let last = performance.now();
    const tick = () => {
      const now = performance.now();
      window.longest = Math.max(window.longest, now - last);
      last = now;
      window.ticking = setTimeout(tick, 0);
    };
    tick();
  });
  const start = Date.now();
  await choose(page, "big.csv");
  const took = Date.now() - start;
  const longest = await page.evaluate(() => (clearTimeout(window.ticking), window.longest));
  console.log(`100,000 rows x 20 columns: ${took} ms, the longest pause ${longest.toFixed(0)} ms`);
  assert.match(await page.locator("#scored-summary").innerText(), /100,000 rows/);
  assert.ok(longest < 0.8 * took, `${longest} of ${took} ms without a break`); // frozen, it would be nearly all
  await page.context().close();
});

test("a link carries the case", async () => {
  write("d.csv", loans(300, 3));
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "-q");
  const model = JSON.parse(read("m.json"));
  const page = await open("r.html");
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (t) => void (window.copied = t);
  });
  await page.fill("#ask-0", "12");
  await page.selectOption("#ask-1", { label: "b" });
  await page.click("text=Copy link to this case");
  const names = await page.locator(".fields .field > label").allInnerTexts();
  assert.deepEqual(names, ["months", "job"]);
  const link = await page.evaluate(() => window.copied);
  assert.match(link, /#case=months:12,job:b$/);
  const before = await highlighted(page);
  await page.goto("about:blank");
  await page.goto(link);
  await page.waitForSelector("body[data-ready]");
  assert.deepEqual(await highlighted(page), before);
  assert.deepEqual(before.nodes, walk(model, { months: "12", job: "b" }).nodes.sort((a, b) => a - b));
  // missing, a value that the model does not know, and a link pasted into an open page
  await page.evaluate(() => (location.hash = "#case=months,job:*"));
  await page.waitForFunction(() => document.querySelector("#ask-0-missing").checked);
  assert.equal(await page.$eval("#ask-1", (s) => s.selectedOptions[0].textContent), "another value");
  for (const [hash, words] of [
    ["#case=%E0%A4%A", /cannot be read/],
    ["#case=months:3&model=x", /cannot be read/],
    ["#case=months:3&model=7", /a model that this page does not carry/],
    ["#case=nothing:3", /does not ask for: \u201cnothing\u201d/],
    [`#case=${encodeURIComponent("<img src=x onerror=alert(1)>")}:3`, /does not ask for: \u201c<img/],
    [`#case=${"a".repeat(200_000)}`, /too long/],
  ]) {
    await page.evaluate((x) => (location.hash = x), hash);
    await page.waitForFunction((s) => new RegExp(s).test(document.querySelector("#ask .warning[role=alert]").textContent), words.source);
  }
  await page.evaluate(() => (location.hash = "#case=months:abc"));
  await page.waitForFunction(() => document.querySelector("#ask-0").getAttribute("aria-invalid") === "true");
  await page.evaluate(() => (location.hash = "#evidence")); // an anchor of the page changes nothing
  assert.equal(await page.inputValue("#ask-0"), "abc");
  assert.deepEqual(page.faults.filter((f) => !/request/.test(f)), []);
  await page.context().close();
});

test("labels, the positive class and the date", async () => {
  write("d.csv", loans(300, 3));
  write("e.csv", loans(200, 4));
  const evil = "<script>alert(1)</script>";
  write("l.csv", `column,value,label\nmonths,,months at the job\njob,b,self-employed\njob,,"${evil}"\nrisk,bad,will not pay\nrisk,,credit risk\n`);
  beadwork("fit", "d.csv", "--depth", 3, "-o", "m.json", "--report", "r.html", "--test", "e.csv", "--labels", "l.csv", "--positive", "bad", "--date", "2026-03-01", "-q");
  const said = JSON.parse(beadwork("evaluate", "m.json", "e.csv", "--json"));
  const page = await open("r.html");
  const text = await page.locator("body").innerText();
  for (const words of ["months at the job", "self-employed", evil, "will not pay", "credit risk", "on 2026-03-01", "to tell \u201cwill not pay\u201d from \u201cgood\u201d"]) assert.ok(text.includes(words), words);
  const k = said.classes.indexOf("bad");
  const figure = async (name) => Number(await page.getAttribute(`[data-figure="positive.${name}"]`, "data-value"));
  assert.ok(Math.abs((await figure("sensitivity")) - said.per_class[k].recall) < 1e-12);
  const others = said.confusion[1 - k];
  assert.ok(Math.abs((await figure("specificity")) - others[1 - k] / (others[0] + others[1])) < 1e-12);
  // the first class of each table is the positive one
  for (const first of await page.locator(".evidence table:has(caption:has-text('each class')) tbody tr:first-child th").allInnerTexts()) assert.equal(first, "will not pay");
  // files keep the original names
  const [model] = await Promise.all([page.waitForEvent("download"), page.click("#save-model")]);
  assert.equal(readFileSync(await model.path(), "utf8"), read("m.json"));
  const [rows] = await Promise.all([page.waitForEvent("download"), page.click("#save-rows")]);
  const saved = parse(readFileSync(await rows.path(), "utf8"));
  assert.ok(saved[0].includes("months") && saved[0].includes("job"), saved[0].join());
  assert.ok(saved.some((l) => l.includes("b")) && !saved.flat().includes("self-employed") && !saved.flat().includes("will not pay"));
  await page.selectOption("#ask-1", { label: "self-employed" });
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (t) => void (window.copied = t);
  });
  await page.click("text=Copy link to this case");
  assert.match(await page.evaluate(() => window.copied), /#case=job:b$/);
  await choose(page, "e.csv");
  assert.equal(Number(await page.getAttribute(`.scored [data-figure="scored.accuracy"]`, "data-value")), said.accuracy);
  assert.deepEqual(page.faults, []);
  await page.context().close();
  const html = read("r.html");
  assert.ok(html.indexOf("months at the job") < html.indexOf('id="data"'), "the still page has labels");
  assert.ok(!html.includes(evil));
});
