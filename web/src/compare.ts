// Two models side by side: their pictures, the rows on which they differ, and whether one is better.
import { kRole, type RowSet, type Value } from "./data";
import { Picture } from "./diagram";
import { h, shown, swatch } from "./dom";
import { columnsOf, rowNotes, setName } from "./groups";
import { control } from "./interest";
import { WhenSeen } from "./lazy";
import type { Entry, Lasting, Models } from "./models";
import { told } from "./scatter";
import { mcnemar, pText } from "./statistics";
import { valueText } from "./values";

const kMostRows = 200; // of those that differ, in the document

// Rows that two models answer differently; who is right on how many.
export interface Differing { rows: number[]; first: number; second: number; neither: number; p: number }
export function differing(truth: number[], a: Uint16Array, b: Uint16Array): Differing {
  const out: Differing = { rows: [], first: 0, second: 0, neither: 0, p: 1 };
  truth.forEach((k, row) => {
    if (a[row] === b[row]) return;
    out.rows.push(row);
    if (a[row] === k) ++out.first;
    else if (b[row] === k) ++out.second;
    else ++out.neither;
  });
  out.p = mcnemar(out.first, out.second);
  return out;
}

// "Of the 14 test rows on which they differ, the first is right on 9 and the second on 5: no clear difference (p = 0.42)."
export function verdictWords(x: Differing, rows: string): string {
  const n = x.rows.length;
  if (n === 0) return `They give the same answer to all ${rows}.`;
  if (n === 1) return `They differ on one of the ${rows}: ${x.first === 1 ? "the first is right" : x.second === 1 ? "the second is right" : "neither is right"}.`;
  const right = `the first is right on ${x.first} and the second on ${x.second}${x.neither > 0 ? `, neither on ${x.neither}` : ""}`;
  const better = x.p < 0.05 ? `the ${x.first > x.second ? "first" : "second"} is better` : "no clear difference";
  return `Of the ${n.toLocaleString("en")} ${rows} on which they differ, ${right}: ${better} (${pText(x.p)}).`;
}

// As the page draws it, without what answers to keys and pointers.
function still({ page, diagram }: Entry, name: string) {
  const svg = new Picture(page, diagram, () => {}).element.querySelector("svg")!.cloneNode(true) as SVGSVGElement;
  for (const e of svg.querySelectorAll("*")) for (const a of ["role", "tabindex", "aria-label", "data-node", "data-edge", "style"]) e.removeAttribute(a);
  svg.setAttribute("role", "img");
  svg.setAttribute("aria-label", `The diagram of the ${name} model`);
  for (const a of ["aria-roledescription", "style"]) svg.removeAttribute(a);
  svg.classList.add("still");
  svg.style.maxWidth = `${page.diagram.layout.width}px`;
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `The ${name} diagram` }, svg);
}

class Compare implements Lasting {
  readonly element: HTMLElement;
  private first: Entry;
  private readonly other = h("select", { id: "compare-other", onchange: () => this.seen.again() });
  private readonly body = h("div");
  private readonly seen: WhenSeen;

  constructor(private readonly models: Models) {
    this.first = models.shown;
    this.element = h("section", { id: "compare", class: "compare", "aria-labelledby": "compare-title" },
      h("h2", { id: "compare-title" }, "Compare two"),
      h("p", {}, "The shown model, here the first, beside another one of this page."), h("div", { class: "filters" }, control("Second model", this.other),
        h("button", { type: "button", id: "compare-show", onclick: () => this.models.show(this.second) }, "Show the second")), this.body);
    this.seen = new WhenSeen(this.element, () => this.draw());
    this.update(models.shown);
  }
  private get second() {
    return this.models.entries[Number(this.other.value)]!;
  }
  private label(e: Entry) {
    const own = this.models.entries[0]!; // of the others, nothing is unpacked yet
    return `${e === own ? "the page\u2019s own, " : e.kind === "edited" ? "edited, " : ""}${told(e, own.page.history.measure)}: ${columnsOf(e, 80)}`;
  }
  // What was the first becomes the second where the second is shown now.
  update(entry: Entry) {
    const was = this.other.value === "" ? null : this.second;
    const keep = was === entry ? this.first : was;
    this.first = entry;
    const others = this.models.entries.map((e, at) => ({ e, at })).filter(({ e }) => e !== entry);
    this.element.hidden = others.length === 0; // until there is something to compare with
    this.other.replaceChildren(...others.map(({ e, at }) => h("option", { value: at, selected: e === keep }, this.label(e))));
    this.seen.again();
  }

  private draw() {
    const [a, b] = [this.first, this.second];
    const side = (entry: Entry, name: string) => h("div", {}, h("h3", {}, `The ${name}: `, h("span", { dir: "auto" }, this.label(entry))), still(entry, name));
    this.body.replaceChildren(h("div", { class: "two" }, side(a, "first"), side(b, "second")),
      ...this.models.cases.map(({ set }, at) => (set.shown === 0 ? h("div") : this.onSet(set, at))),
      this.models.cases.every(({ set }) => set.shown === 0) ? "" : h("p", { class: "hint" }, "p is that of McNemar\u2019s test, exact and two-sided: how often two equally good models would differ at least this much on these rows by chance. ",
        "Both models were chosen to make few errors on the training rows, so the test says little there. ",
        this.models.entries.length > 2 && "Of many pairs, some have a small p by chance."));
  }

  private onSet(set: RowSet, at: number) {
    const [a, b] = [this.first.answers(at), this.second.answers(at)];
    const x = differing(set.truth, a, b);
    const details = h("details", { class: "differing", ontoggle: () => details.open && details.childElementCount === 1 && details.append(this.rows(set, x, a, b)) },
      h("summary", {}, x.rows.length === 1 ? "The row on which they differ" : `The ${x.rows.length.toLocaleString("en")} rows on which they differ`));
    return h("div", { "data-set": at }, h("p", { class: "mcnemar", "data-first": x.first, "data-second": x.second, "data-neither": x.neither, "data-p": x.p }, verdictWords(x, setName(set))), rowNotes(set), x.rows.length > 0 && details);
  }

  // The columns that either tests.
  private rows(set: RowSet, x: Differing, a: Uint16Array, b: Uint16Array) {
    const { classes } = this.first.diagram.model;
    const { colours } = this.first.page.diagram;
    const used = new Set([...this.first.columns, ...this.second.columns]);
    const columns = set.columns.filter((c) => used.has(c.name));
    const answer = (k: number, truth: number) => h("td", { dir: "auto" }, swatch(colours[k]![0]), " ", shown(classes[k]!, 60), k === truth && h("span", { class: "hint" }, " right"));
    const text = (v: Value, c: RowSet["columns"][0]) => (v === null ? "missing" : typeof v === "number" ? valueText(c.reading, v) : shown(v, 60));
    return h("div", { class: "scroll every", tabindex: 0, role: "group", "aria-label": `Differing ${kRole[set.role]}` },
      x.rows.length > kMostRows && h("p", { class: "hint" }, `The first ${kMostRows} of them:`),
      h("table", { class: "figures" },
        h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, "row"), ["true", "first", "second"].map((t) => h("th", { scope: "col" }, t)), columns.map((c) => h("th", { scope: "col", dir: "auto", class: c.numeric ? "number" : null }, shown(c.name, 40))))),
        h("tbody", {}, x.rows.slice(0, kMostRows).map((row) => h("tr", {}, h("th", { scope: "row", class: "number" }, set.numbers[row]!), h("td", { dir: "auto" }, swatch(colours[set.truth[row]!]![0]), " ", shown(classes[set.truth[row]!]!, 60)),
          answer(a[row]!, set.truth[row]!), answer(b[row]!, set.truth[row]!), columns.map((c) => h("td", { dir: "auto", class: c.values[row] === null ? "absent" : c.numeric ? "number" : null }, text(c.values[row]!, c))))))));
  }
}

export const compare = (models: Models) => new Compare(models);
