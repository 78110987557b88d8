// Answers for the rows of a file, in the browser: the file is not sent anywhere. The answers are those of `beadwork predict`.
import { guarded, kMissing, openCsv, plainNumber, Refused, type HowToRead, type OpenCsv } from "./csv";
import type { ModelFile, Page, Value } from "./data";
import { counted, h, list, percent, shown } from "./dom";
import { save } from "./downloads";
import { Names } from "./labels";
import { Diagram } from "./logic";
import type { Entry, Models } from "./models";
import { take } from "./spelling";

// One column that the diagram tests: each text once, with the tests that it passes.
class Asked {
  unseen = 0;
  private readonly codes = new Map<string, number>();
  private readonly values: Value[] = [null];
  private readonly strange: boolean[] = [false];
  readonly passed: Map<number, boolean[]>; // feature: by code

  constructor(private readonly c: ModelFile["columns"][0], readonly at: number, private readonly missing: Set<string>, private readonly model: ModelFile, features: number[]) {
    this.passed = new Map(features.map((f) => [f, [this.passes(f, null)]]));
  }
  private passes(f: number, v: Value): boolean {
    const { test, threshold, level } = this.model.features[f]!;
    return test === "missing" ? v === null : v !== null && (test === "at_most" ? (v as number) <= threshold! : v === level);
  }
  // -1: cannot be read.
  code(text: string, literal: boolean): number {
    if (!literal && this.missing.has(text)) return 0;
    let code = this.codes.get(text);
    if (code === undefined) {
      const taken = take(this.c, text);
      code = taken.bad ? -1 : this.values.push(taken.value) - 1;
      this.codes.set(text, code);
      if (code >= 0) {
        this.strange[code] = taken.unseen;
        for (const [f, bits] of this.passed) bits[code] = this.passes(f, taken.value);
      }
    }
    if (code >= 0 && this.strange[code]) ++this.unseen;
    return code;
  }
  get name() {
    return this.c.name;
  }
}

export interface Scored {
  names: string[];
  answers: number[]; // by row
  paths: number[];
  share: (path: number) => number[]; // of the classes
  rows: [start: number, end: number][]; // in the text
  preview: string[][]; // values of the tested columns
  tested: string[];
  truths: Int32Array | null; // -1: not a class
  unseen: [string, number][];
}

// The class that a text of the target stands for.
function classOf(model: ModelFile, text: string): number {
  const cuts = model.target_cuts;
  if (!cuts) return model.classes.indexOf(text);
  const x = plainNumber(text);
  return Number.isNaN(x) ? -1 : cuts.filter((c) => c < x).length;
}

// How a file is read for this model. Where the model does not say what quotes mean, they mean text if one of its own texts would be
// missing without them, as in the library.
function reading(model: ModelFile): HowToRead {
  const missing = model.reading?.missing ?? kMissing;
  const known = [model.classes, ...model.columns.flatMap((c) => [c.levels ?? [], c.reading?.levels ?? []])];
  return { ...model.reading, quotes_mean_text: model.reading?.quotes_mean_text ?? known.some((texts) => texts.some((t) => missing.includes(t))) };
}

// Reads and answers row by row; hands over now and then, so that the page can move.
export async function score(text: string, model: ModelFile, pause: (done: number) => Promise<boolean>): Promise<Scored | null> {
  const d = new Diagram(model);
  const csv: OpenCsv = openCsv(text, reading(model));
  const missing = new Set(model.reading?.missing ?? kMissing);
  const absent = d.columns.filter((c) => !csv.names.includes(c.name)).map((c) => `\u201c${shown(c.name, 40)}\u201d`);
  if (absent.length > 0) throw new Refused(`the model needs the column${absent.length === 1 ? "" : "s"} ${list(absent.slice(0, 8), "and")}, which the file lacks; it has ${list(csv.names.slice(0, 8).map((n) => `\u201c${shown(n, 30)}\u201d`), "and")}${csv.names.length > 8 ? " and more" : ""}`);
  const asked = d.columns.map((c) => new Asked(model.columns[c.index]!, csv.names.indexOf(c.name), missing, model, c.features));
  const owner = new Map(asked.flatMap((a, i) => [...a.passed.keys()].map((f): [number, number] => [f, i])));
  const nodes = model.diagram.nodes.map((n) => ("class" in n ? null : { ...n, column: owner.get(n.feature)!, bits: asked[owner.get(n.feature)!]!.passed.get(n.feature)!, paths: d.numPaths[n.low]! }));
  const target = csv.names.indexOf(model.target);
  const out: Scored = { names: csv.names, answers: [], paths: [], share: shares(d), rows: [], preview: [], tested: asked.map((a) => a.name), truths: null, unseen: [] };
  const truths: number[] = [];
  const codes = asked.map(() => 0);
  let spent = performance.now();
  for (let row = csv.rows.next(); row !== null; row = csv.rows.next()) {
    if (row.texts.length !== csv.names.length) csv.rows.refuse(`this row has ${counted(row.texts.length, "value")}, the header has ${csv.names.length}`, row.line);
    if (row.texts.some((t, i) => i >= csv.unnamed && t !== "")) csv.rows.refuse("a value in a column without a name; give it one in the header", row.line);
    asked.forEach((a, i) => {
      const cell = row!.texts[a.at]!;
      codes[i] = a.code(cell, csv.literal && row!.quoted[a.at]! && cell !== "");
      if (codes[i]! < 0) throw new Refused(`column \u201c${shown(a.name, 40)}\u201d: \u201c${shown(cell, 40)}\u201d in row ${out.rows.length + 1} is not a value of the kind that training had`);
    });
    let n = 0;
    let path = 0;
    for (let node = nodes[0]; node; node = nodes[n]) {
      const passed = node.bits[codes[node.column]!]!;
      if (passed) path += node.paths;
      n = passed ? node.high : node.low;
    }
    out.answers.push(d.classOf(n));
    out.paths.push(path);
    out.rows.push([row.start, row.ends[csv.unnamed - 1]!]);
    if (target >= 0) truths.push(classOf(model, row.texts[target]!));
    if (out.preview.length < kPreview) out.preview.push(asked.map((a) => row!.texts[a.at]!));
    if (out.rows.length % 500 === 0 && performance.now() - spent > 25) {
      if (!(await pause(csv.rows.at / text.length))) return null;
      spent = performance.now();
    }
  }
  if (out.rows.length === 0) throw new Refused("a header but no rows");
  out.truths = target < 0 ? null : Int32Array.from(truths);
  out.unseen = asked.flatMap((a): [string, number][] => (a.unseen > 0 ? [[a.name, a.unseen]] : []));
  return out;
}

// Shares of the classes among the training rows of a path, each path once.
function shares(d: Diagram) {
  const known = new Map<number, number[]>();
  return (path: number) => {
    let s = known.get(path);
    if (!s) {
      const { counts } = d.branchCounts(path);
      const total = counts.reduce((a, b) => a + b, 0);
      known.set(path, (s = counts.map((c) => (total === 0 ? 1 / counts.length : c / total))));
    }
    return s;
  };
}

const kPreview = 8;

// Quoted where needed.
function cell(text: string): string {
  const safe = guarded(text);
  return /[",;\t|\r\n]|^[ \t]|[ \t]$|^(\?|NA|NaN|)$/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
}

// The file as it was, with two more columns.
export function withAnswers(text: string, model: ModelFile, s: Scored): Blob {
  const { header, delimiter, unnamed } = openCsv(text, reading(model));
  const fresh = (name: string): string => (s.names.includes(name) ? fresh(`${name}_`) : name);
  const parts: string[] = [];
  if (header) parts.push(text.slice(header.start, header.ends[unnamed - 1]), delimiter, fresh("prediction"), delimiter, fresh("probability"), "\n");
  const names = model.classes.map(cell);
  s.rows.forEach(([start, end], r) => parts.push(text.slice(start, end), delimiter, names[s.answers[r]!]!, delimiter, String(s.share(s.paths[r]!)[s.answers[r]!]!), "\n"));
  return new Blob([parts.join("")], { type: "text/csv" });
}

// The bytes of a file as text: UTF-8, UTF-16 where the first bytes show it, or as the model says.
export async function textOf(file: Blob, encoding = ""): Promise<string> {
  const bytes = new Uint8Array(await file.arrayBuffer());
  if (bytes[0] === 0x50 && bytes[1] === 0x4b && bytes[2] === 3 && bytes[3] === 4) throw new Refused("this is a zip archive or a spreadsheet; save the table as CSV");
  if (bytes[0] === 0x1f && bytes[1] === 0x8b) throw new Refused("this is compressed by gzip; unpack it first");
  const name = encodingOf(bytes, encoding.toLowerCase().replace(/[-_ ]/g, ""));
  let text: string | null = null;
  try {
    text = name === "latin-1" ? latin1(bytes) : name === "windows-1252" && bytes.some((b) => kNoWindows.has(b)) ? null : new TextDecoder(name, { fatal: true }).decode(bytes); // without the byte-order mark
  } catch {
    // not of this encoding
  }
  if (text?.includes("\0")) throw new Refused("this is no text; save the table as CSV in UTF-8");
  if (text === null) throw new Refused(name === "utf-8" ? "this is not UTF-8 text; save the table as CSV in UTF-8" : `this is not the ${name} text that the model was learnt from`);
  return text;
}

const kNoWindows = new Set([0x81, 0x8d, 0x8f, 0x90, 0x9d]); // bytes that windows-1252 leaves open

function encodingOf(b: Uint8Array, known: string): string {
  if (b[0] === 0xef && b[1] === 0xbb && b[2] === 0xbf) return "utf-8";
  if (b[0] === 0xff && b[1] === 0xfe && !(b[2] === 0 && b[3] === 0)) return "utf-16le";
  if (b[0] === 0xfe && b[1] === 0xff) return "utf-16be";
  const big = b.length >= 4 && b[0] === 0 && b[2] === 0 && b[1] !== 0;
  const little = b.length >= 4 && b[1] === 0 && b[3] === 0 && b[0] !== 0;
  if (known === "latin1" || known === "iso88591") return "latin-1";
  if (known === "windows1252" || known === "cp1252") return "windows-1252";
  if (known === "utf16be" || (known === "utf16" && big)) return "utf-16be";
  if (known === "utf16le" || known === "utf16") return "utf-16le";
  return known === "utf8" ? "utf-8" : big ? "utf-16be" : little ? "utf-16le" : "utf-8";
}

// What a TextDecoder of that name would read as windows-1252.
function latin1(bytes: Uint8Array): string {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}

export function scoring(models: Models) {
  let entry = models.shown;
  let file: File | null = null;
  let run = 0; // the number of the last one; an older one stops
  const result = h("div", { class: "scored", "aria-live": "polite" });
  const input = h("input", { type: "file", id: "score-file", accept: ".csv,.tsv,.txt,text/csv", onchange: () => start(input.files?.[0] ?? null) });
  const zone = h("div", { class: "drop" }, h("label", { for: "score-file" }, "A CSV file with the columns of the model:"), input, h("span", { class: "hint" }, "or drop it on this page"));
  const element = h("section", { id: "score", class: "score", "aria-labelledby": "score-title" }, h("h2", { id: "score-title" }, "Answer a file"),
    h("p", { class: "hint" }, "The model answers every row of a table. The file stays on this computer: nothing is sent."), zone, result);

  const start = async (chosen: File | null) => {
    if (chosen === null) return;
    file = chosen;
    const mine = ++run;
    const bar = h("progress", { max: 1, value: 0, "aria-label": "How much of the file is read" });
    result.replaceChildren(h("p", {}, bar, " ", h("button", { type: "button", onclick: () => (++run, result.replaceChildren(h("p", {}, "Stopped."))) }, "Stop")));
    const model = JSON.parse(entry.page.texts.model) as ModelFile;
    try {
      const text = await textOf(chosen, model.reading?.encoding);
      const scored = await score(text, model, async (done) => {
        bar.value = done;
        await new Promise((go) => setTimeout(go, 0));
        return mine === run;
      });
      if (scored !== null && mine === run) result.replaceChildren(...outcome(entry.page, model, chosen.name, text, scored));
    } catch (error) {
      if (mine === run) result.replaceChildren(h("p", { class: "warning", role: "alert" }, `${shown(chosen.name, 60)}: ${error instanceof Refused ? error.message : "it could not be read"}.`));
    }
  };
  const files = (e: DragEvent) => e.dataTransfer?.types.includes("Files") ?? false;
  addEventListener("dragover", (e) => {
    if (!files(e)) return;
    e.preventDefault();
    zone.classList.add("over");
  });
  addEventListener("dragleave", (e) => e.relatedTarget === null && zone.classList.remove("over"));
  addEventListener("drop", (e) => {
    if (!files(e)) return;
    e.preventDefault();
    zone.classList.remove("over");
    element.scrollIntoView({ block: "nearest" });
    void start(e.dataTransfer!.files[0] ?? null);
  });
  return {
    element,
    update(shownNow: Entry) {
      entry = shownNow;
      void start(file);
    },
  };
}

function outcome(page: Page, model: ModelFile, name: string, text: string, s: Scored): HTMLElement[] {
  const names = new Names(page.labels);
  const label = (k: number) => shown(names.value(model.target, model.classes[k]!), 60);
  const counts = model.classes.map(() => 0);
  for (const k of s.answers) ++counts[k]!;
  const told = counts.flatMap((n, k) => (n === 0 ? [] : [{ n, text: `${n.toLocaleString("en")} ${label(k)}` }])).sort((a, b) => b.n - a.n);
  const answers = told.length > 8 ? `${told.slice(0, 8).map((t) => t.text).join(", ")} and other classes` : list(told.map((t) => t.text), "and");
  const button = h("button", { type: "button", id: "save-scored", onclick: () => save(name.replace(/(\.\w+)?$/, "-answers.csv"), withAnswers(text, model, s)) }, "Save the file with the answers (CSV)");
  return [h("p", { id: "scored-summary" }, `${shown(name, 60)}, ${s.answers.length.toLocaleString("en")} row${s.answers.length === 1 ? "" : "s"}: ${answers}. `, button),
    ...s.unseen.map(([column, n]) => h("p", { class: "warning" }, `${counted(n, "row")} ${n === 1 ? "has" : "have"} a value of ${shown(names.column(column), 60)} that did not occur in training: every test on that column fails.`)),
    ...truth(model, s, label), preview(names, s, label)];
}

// With the true classes in the file: how often it is right.
function truth(model: ModelFile, s: Scored, label: (k: number) => string): HTMLElement[] {
  if (s.truths === null) return [];
  const k = model.classes.length;
  const confusion = Array.from({ length: k }, () => new Array<number>(k).fill(0));
  let [known, right] = [0, 0];
  s.truths.forEach((t, r) => {
    if (t < 0) return;
    ++known;
    if (t === s.answers[r]) ++right;
    ++confusion[t]![s.answers[r]!]!;
  });
  const strange = s.truths.length - known;
  const out: HTMLElement[] = [];
  if (known > 0)
    out.push(h("p", { id: "scored-accuracy" }, h("b", { "data-figure": "scored.accuracy", "data-value": right / known }, `${percent(right / known)} right`), `: the file has the true classes; ${counted(known - right, "mistake")} in ${counted(known, "row")}.`));
  if (strange > 0) out.push(h("p", { class: "warning" }, `${counted(strange, "row")} ${strange === 1 ? "has" : "have"} no class that the model knows; ${strange === 1 ? "it is" : "they are"} not counted.`));
  if (known > 0 && k <= 12)
    out.push(h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Confusion matrix of the file" }, h("table", { class: "confusion figures" }, h("caption", {}, "Confusion matrix of the file"),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true \u2193  answer \u2192"), model.classes.map((_, b) => h("th", { scope: "col", class: "number", dir: "auto" }, label(b))))),
      h("tbody", {}, confusion.map((row, a) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, label(a)), row.map((n, b) => h("td", { class: `number ${a === b ? "hit" : n > 0 ? "miss" : ""}`, "data-figure": `scored.${a}.${b}`, "data-value": n }, n))))))));
  return out;
}

function preview(names: Names, s: Scored, label: (k: number) => string) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "The first rows" }, h("table", { class: "figures", id: "scored-rows" },
    h("caption", {}, s.answers.length > s.preview.length ? `The first ${s.preview.length} rows` : "The rows"),
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "row"), h("th", { scope: "col" }, "answer"), h("th", { scope: "col", class: "number" }, "share in training"), s.tested.map((c) => h("th", { scope: "col", dir: "auto" }, shown(names.column(c), 40))))),
    h("tbody", {}, s.preview.map((values, r) => h("tr", {}, h("td", { class: "number" }, r + 1), h("td", { dir: "auto" }, label(s.answers[r]!)), h("td", { class: "number" }, percent(s.share(s.paths[r]!)[s.answers[r]!]!, 1)),
      values.map((v, i) => h("td", { dir: "auto", class: v === "" ? "absent" : null }, v === "" ? "missing" : shown(names.value(s.tested[i]!, v), 60))))))));
}
