// A dropped file is read as `beadwork predict` reads it: the same answers, or refused by both. No browser.
import assert from "node:assert/strict";
import { build } from "esbuild";
import test, { after } from "node:test";
import { fileURLToPath, pathToFileURL } from "node:url";
import { at, beadwork, finish, random, read, write } from "./support.mjs";

after(finish);

await build({ stdin: { contents: 'export { score, textOf, withAnswers } from "./score"; export { Refused } from "./csv";', resolveDir: fileURLToPath(new URL("../src", import.meta.url)), loader: "ts" }, outfile: at("score.mjs"), bundle: true, format: "esm", logLevel: "error" });
const { score, textOf, withAnswers, Refused } = await import(pathToFileURL(at("score.mjs")).href);

// Models of n (a number), c (a category) and s (yes and no), which all are asked for.
function model(name, change = (line) => line, ...flags) {
  const lines = ["n,c,s,y"];
  for (let i = 0; i < 240; ++i) {
    const [n, c, s] = [i % 13, ["red", "blue", "dark, blue", "x"][i % 4], ["yes", "no"][(i >> 2) % 2]];
    const right = (n > 6) !== (c === "red") || (s === "yes" && n > 10);
    lines.push(change(`${i % 31 === 0 ? "" : n},${c.includes(",") ? `"${c}"` : c},${s},${right ? "p" : "q"}`, i));
  }
  write(`${name}.csv`, lines.join("\n") + "\n");
  beadwork("fit", `${name}.csv`, "-d", 3, "-o", `${name}.json`, "-q", ...flags);
  return JSON.parse(read(`${name}.json`));
}

async function theirs(name, bytes, args) {
  write("new.csv", bytes);
  try {
    return JSON.parse(beadwork("predict", `${name}.json`, "new.csv", "--json", "-q", ...args)).predictions.map((p) => [p.class, p.path]);
  } catch {
    return null;
  }
}

async function ours(m, bytes) {
  try {
    const text = await textOf(new Blob([bytes]), m.reading?.encoding);
    const scored = await score(text, m, async () => true);
    return { rows: scored.answers.map((k, r) => [m.classes[k], scored.paths[r]]), saved: await withAnswers(text, m, scored).text() };
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    return { rows: null, words: error.message };
  }
}

async function same(name, m, bytes, ...args) {
  const [a, b] = [await theirs(name, bytes, args), await ours(m, bytes)];
  assert.deepEqual(b.rows, a, `${name}, ${JSON.stringify(bytes.toString())}: ${b.words ?? "read"} here, ${a === null ? "refused" : "read"} by predict`);
  return b;
}

const kCases = [
  // RFC 4180, and what breaks it
  'n,c,s\n"5","red","yes"\n', 'n,c,s\r\n5,red,yes\r\n6,"dark, blue",no\r\n', 'n,c,s\n5,"say ""x""",yes\n', 'n,c,s\n5,"two\r\nlines",yes\n6,red,no\n', 'n,c,s\n5,red,yes',
  'n,c,s\n5,r"ed,yes\n', 'n,c,s\n5,re"d",yes\n', 'n,c,s\n5, "red",yes\n', 'n,c,s\n5,"red" ,yes\n', 'n,c,s\n5,"red"x,yes\n', 'n,c,s\n5,"red,yes\n', 'n,c,s\n5,",yes\n', 'n,c,s\n5,"""",yes\n', 'n,c,s\n5,"",yes\n', 'n,c,s\n"5,red,yes\n6,blue,no\n',
  "n,c,s\r5,red,yes\r", "n,c,s\n5,red\r,yes\n", 'n,c,s\n5,"red\r",yes\n', "n,c,s\n5,red,yes\r\r\n", "n,c,s\r\n\r\n5,red,yes\r\n  \r\n6,x,no\r\n", "n,c,s\n\n\n", '"n","c","s"\n"5","red","yes"\n', '"n,c,s\n5,red,yes\n',
  // blanks
  "n , c,s\n 5 ,  red , yes\n", 'n,c,s\n5," red ",yes\n', "n\tc\ts\n5\t red\tyes\n", 'n\tc\ts\n5\t"\tred"\tyes\n', "n;c;s\n5\t;red;yes\n",
  // shapes
  "n;c;s\n5;red;yes\n", "n|c|s\n5|dark, blue|yes\n", "n;c;s\n5,5;red;yes\n", "n,c,s\n5,red,yes,,,\n6,x,no,,\n", "n,c,s\n5,red,yes,,1\n", 'n,c,s\n5,red,yes,""\n', "n,c,s,,\n5,red,yes,,\n6,x,no\n", "n,c,s,,\n5,red,yes,,1\n", "n,,s,c\n5,1,yes,red\n", "n,c,s,n\n5,red,yes,6\n", "n,c,s,d,d\n5,red,yes,6,7\n",
  "n,c,s\n,,\n5,red,yes\n,,\n", "n,c,s\n5,red\n", "n,c,s\n5,red,yes,1\n", "n,c\n5,red\n", "n,c,s\n", "", " \n", "1,2,3\n4,5,6\n", '"1",2,3\n4,5,6\n', "sep=;\nn;c;s\n5;red;yes\n", "sep=;\r\nn;c;s\r\n5;dark, blue;yes\r\n", "sep=,\nn,c,s\n5,red,yes\n", "sep=;\nn,c,s\n5,red,yes\n", "sep=,n,c,s\n5,1,red,yes\n", "sep=:\nn,c,s\n5,red,yes\n", "Report of May\n\nn,c,s\n5,red,yes\n", "# x\nn,c,s\n5,red,yes\n",
  // values that stand for nothing, with and without quotes
  'n,c,s\nNA,NA,NA\n"NA","NA","NA"\n', 'n,c,s\n"?",?,"?"\n', 'n,c,s\n" NA"," NA ","NA"\n', 'n,c,s\n" "," "," "\n', "n,c,s\n-,-,-\nn/a,n/a,n/a\nnull,NULL,none\n", 'n,c,s\n"-","",""\n', "n,c,s\nnan,x,yes\n", "n,c,s\ninf,x,yes\n", "n,c,s\n5.0,x,1\n5e0,x,1.0\n05,x,TRUE\n", "n,c,s\nfive,x,yes\n", "n,c,s\n5,X,YES\n99,x,y\n99.0,x,y\n", "n,c,s\n99,other,off\n",
  // bytes
  Buffer.from("\ufeffn,c,s\n5,red,yes\n"), Buffer.from("\ufeffn,c,s\r\n5,caf\u00e9,yes\r\n", "utf16le"), Buffer.from("n,c,s\n5,red,yes\n", "utf16le"), Buffer.from("n,c,s\n5,caf\u00e9,yes\n", "latin1"), Buffer.from("n,c,s\n5,caf\u00e9 \u201c\u201d,yes\n"), Buffer.from("n,c,s\n5,r\0d,yes\n"), Buffer.from([0x6e, 0x0a, 0x81, 0x0a]),
  `n,c,s\n5,${"x".repeat(1 << 20)},yes\n`, `n,c,s\n5,${"x".repeat((1 << 20) + 1)},yes\n`, `n,c,s\n5,"${"\u00e9".repeat(1 << 19)}",yes\n`, `n,c,s\n5,"${"\u00e9".repeat((1 << 19) + 1)}",yes\n`,
];

test("files of every shape are read, or refused, as predict does", async () => {
  const plain = model("plain");
  const models = {
    plain,
    quoted: model("quoted", (line, i) => (i % 9 === 0 ? line.replace(/,(red|x),/, ',"NA",') : line)),
    everywhere: model("everywhere", (line) => line.replace(/"/g, "").replace("dark, blue", "dark").split(",").map((t) => `"${t}"`).join(",")),
    coded: model("coded", (line, i) => (i % 17 === 0 ? line.replace(/^\d*/, "99") : line), "--missing", "n=99", "--missing-also", "x"),
    listed: model("listed", (line) => line, "--missing", "none"),
    latin: model("latin", (line) => line, "--text-encoding", "latin-1"),
    windows: model("windows", (line) => line, "--text-encoding", "cp1252"),
    few: model("few", (line) => line, "--max-categories", 2, "--delimiter", ","),
  };
  let [answered, refused] = [0, 0];
  for (const [k, [name, m]] of Object.entries(models).entries())
    for (const [i, bytes] of kCases.entries())
      if (k === 0 || i % 3 === k % 3) ((await same(name, m, Buffer.from(bytes))).rows === null ? ++refused : ++answered);
  assert.ok(answered > 80 && refused > 80, `${answered} answered, ${refused} refused`);
});

// Pieces in any order, with what CSV is made of between them.
test("random files are read, or refused, as predict does", async () => {
  const m = model("plain");
  const r = random(11);
  const pick = (list) => list[Math.floor(r() * list.length)];
  let [answered, refused] = [0, 0];
  for (let i = 0; i < 250; ++i) {
    const end = pick(["\n", "\n", "\r\n", pick(["\r", "\n\n", " \n"])]);
    const delimiter = pick([",", ",", ";", "\t"]);
    const wild = r() < 0.5;
    const value = () => pick(["5", "11", "red", "x", "yes", "no", "", "NA", '"red"', '"dark, blue"', '"NA"', '""', " x ", '"a""b"', '"two\nlines"', ...(wild ? ['"', 'a"b', '"a"b', '" x"', "a\rb", delimiter, end] : [])]);
    let text = pick(["", "", "", "\ufeff", `sep=${delimiter}${end}`]) + pick([`n${delimiter}c${delimiter}s`, `"n"${delimiter}"c"${delimiter}"s"`, `s${delimiter}n${delimiter}c${delimiter}${delimiter}`]) + end;
    const [n, s] = [() => pick(["5", "11", "", '"7"', "-", "3.5"]), () => pick(["yes", "no", "", '"yes"', "TRUE"])];
    for (let k = Math.floor(r() * 6); k >= 0; --k)
      text += (wild ? [value(), value(), value()] : text.includes(`s${delimiter}n`) ? [s(), n(), value()] : [n(), value(), s()]).join(delimiter) + pick(["", "", "", delimiter, delimiter + delimiter]) + end;
    const got = await same("plain", m, Buffer.from(text));
    if (got.rows === null) ++refused;
    else {
      ++answered;
      // The file with its answers can be read again, and says the same.
      write("saved.csv", got.saved);
      if (!text.includes("sep="))
        assert.deepEqual(JSON.parse(beadwork("predict", "plain.json", "saved.csv", "--json", "-q")).predictions.map((p) => [p.class, p.path]), got.rows, JSON.stringify(text));
    }
  }
  assert.ok(answered > 70 && refused > 40, `${answered} answered, ${refused} refused`);
});
