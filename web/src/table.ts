// The rows, of which only those in sight are in the document.
import type { Agreement } from "./agreement";
import { kRole, type Column, type Page, type RowSet, type Value } from "./data";
import type { Choice } from "./diagram";
import { counted, h, largest, percent, shown, swatch } from "./dom";
import { saveCsv } from "./downloads";
import { Originals } from "./labels";
import { edgeKey, type Diagram } from "./logic";
import { valueText, type Reading } from "./values";

interface Entry { set: number; row: number; truth: number; answer: number; path: number; wrong: boolean }
interface Heading { name: string; text: string; title: string; width: number; numeric: boolean; reading?: Reading | undefined; value(e: Entry): Value; show?(v: Value): string }

const kHeight = 28;

export class Rows {
  readonly element: HTMLElement;
  private readonly entries: Entry[] = [];
  private shownEntries: Entry[] = [];
  private readonly headings: Heading[];
  private readonly touched = new Map<number, { nodes: Set<number>; edges: Set<string>; answer: number }>(); // by path
  private readonly lookup: Map<string, Value[]>[]; // by set: column name -> values
  private readonly body = h("tbody");
  private readonly scroller: HTMLElement;
  private readonly heads: HTMLTableCellElement[] = [];
  private readonly status = h("p", { class: "count", role: "status" });
  private readonly about = h("p", { class: "about-row hint" }, "Choose a row, by a click or the arrow keys: the diagram shows its path, the form its values.");
  private readonly where = h("select", { id: "filter-node" });
  private readonly filters: Record<"set" | "truth" | "answer" | "error" | "disputed", HTMLSelectElement>;
  private readonly dispute = h("p", { class: "hint", id: "disputed" });
  private sorted: { column: number; down: boolean } | null = null;
  private selected: Entry | null = null;

  constructor(private readonly page: Page, private readonly d: Diagram, private readonly sets: RowSet[],
    private readonly onRow: (values: Map<string, Value>) => void, private readonly onFilter: (c: Choice | null, rows: number, wrong: number) => void, private readonly agreement: Agreement | null = null) {
    sets.forEach((set, i) => set.paths.forEach((path, row) => {
      const answer = this.touch(path).answer;
      this.entries.push({ set: i, row, truth: set.truth[row]!, answer, path, wrong: answer !== set.truth[row] });
    }));
    this.lookup = sets.map((set) => new Map(set.columns.map((c) => [c.name, c.values])));
    this.headings = this.makeHeadings();
    this.filters = this.makeFilters();
    this.makeWhere();
    this.scroller = h("div", { class: "rows", tabindex: 0, role: "group", "aria-label": "Rows. Arrow keys choose one.", onscroll: () => this.draw(), onkeydown: (e: KeyboardEvent) => this.key(e) },
      h("table", { "aria-rowcount": this.entries.length + 1 },
        h("colgroup", {}, this.headings.map((c) => h("col", { width: c.width }))),
        h("thead", {}, h("tr", {}, this.headings.map((c, i) => this.head(c, i)))), this.body));
    this.scroller.querySelector("table")!.style.minWidth = `${this.headings.reduce((w, c) => w + c.width, 0)}px`;
    this.body.addEventListener("click", (e) => {
      const tr = (e.target as Element).closest("tr");
      if (tr?.dataset.at) this.choose(Number(tr.dataset.at));
    });
    this.element = h("section", { class: "data", id: "data-rows", "aria-labelledby": "data-title" },
      h("h2", { id: "data-title" }, "The data"), ...this.notes(), this.dispute, this.filterBar(), this.status,
      h("p", { class: "print-only" }, "The first rows and columns of these:"), this.scroller, this.about);
    new ResizeObserver(() => this.draw()).observe(this.scroller);
    this.apply();
    if (agreement?.counted) this.tellDisputed();
    else agreement?.countSoon(() => this.tellDisputed());
  }

  // How much the answers depend on which of the near-optimal models one takes.
  private tellDisputed() {
    const parts = this.sets.flatMap((set, i) => {
      const disputed = this.entries.filter((e) => e.set === i && this.against(e)! > 0).length;
      return set.shown === 0 ? [] : [`${disputed.toLocaleString("en")} of ${counted(set.shown, kRole[set.role].slice(0, -1))}`];
    });
    this.dispute.textContent = `At least one of the ${this.agreement!.who} gives another answer to ${parts.join(" and ")}.`;
    if (this.dispute.isConnected) this.draw();
  }
  // The share of the near-optimal models that contradict the answer.
  private against(e: Entry): number | null {
    const n = this.agreement!.against(e.set, e.row, e.answer);
    return n === null ? null : n / this.agreement!.voters.length;
  }

  // From the picture: a click on what is filtered by already takes the filter away.
  choose_node(c: Choice) {
    const value = c.high === null ? `n${c.node}` : `e${edgeKey(c.node, c.high)}`;
    this.where.value = this.where.value === value ? "" : value;
    this.apply();
  }
  choice(): Choice | null {
    const v = this.where.value;
    if (v === "") return null;
    const [node, high] = v.slice(1).split(":");
    return { node: Number(node), high: v[0] === "n" ? null : high === "1" };
  }

  private touch(path: number) {
    let t = this.touched.get(path);
    if (!t) {
      const { steps, sink } = this.d.stepsOf(path);
      t = { nodes: new Set([...steps.map((x) => x.node), sink]), edges: new Set(steps.map((x) => edgeKey(x.node, x.passed))), answer: this.d.classOf(sink) };
      this.touched.set(path, t);
    }
    return t;
  }

  private makeHeadings(): Heading[] {
    const classes = this.d.model.classes;
    const wide = Math.min(300, Math.max(110, 60 + 8 * largest(classes.map((c) => c.length))));
    const out: Heading[] = [
      { name: "row", text: "row", title: "number in its file", width: 64, numeric: true, value: (e) => this.sets[e.set]!.numbers[e.row]! }];
    if (this.sets.filter((x) => x.shown > 0).length > 1)
      out.push({ name: "set", text: "set", title: "training or test", width: 100, numeric: false, value: (e) => this.sets[e.set]!.role });
    out.push({ name: "mistake", text: "mistake", title: "is the answer wrong?", width: 100, numeric: false, value: (e) => (e.wrong ? "\u2717 wrong" : "") },
      { name: "true", text: "true", title: `true ${this.d.model.target}`, width: wide, numeric: false, value: (e) => classes[e.truth]! },
      { name: "answer", text: "answer", title: "the model's answer", width: wide, numeric: false, value: (e) => classes[e.answer]! },
      { name: "path", text: "path", title: "number of the path through the diagram", width: 64, numeric: true, value: (e) => e.path + 1 });
    if (this.agreement)
      out.push({ name: "disputed", text: "disputed", title: `share of the ${this.agreement.who} that give another answer`, width: 110, numeric: true, value: (e) => this.against(e), show: (v) => (v === null ? "\u2026" : percent(v as number, 0)) });
    const seen = new Set<string>();
    for (const set of this.sets)
      for (const c of set.columns) {
        if (seen.has(c.name)) continue;
        seen.add(c.name);
        const width = this.widthOf(c);
        out.push({ name: c.name, text: shown(c.name, 40), title: shown(c.name, 1000), width, numeric: c.numeric, reading: c.reading, value: (e) => this.lookup[e.set]!.get(c.name)?.[e.row] ?? null });
      }
    return out;
  }

  // Wide enough for the name and for the values of most rows.
  private widthOf(c: Column) {
    const every = Math.max(1, Math.floor(c.values.length / 500));
    const longest = c.values.reduce((most: number, v, i) => (i % every !== 0 || v === null ? most
      : Math.max(most, typeof v === "number" ? valueText(c.reading, v).length : v.length)), 7);
    return Math.min(360, Math.max(70, 34 + 8 * Array.from(shown(c.name, 40)).length, 44 + 8 * longest));
  }

  private makeFilters() {
    const classes: [string, string][] = this.d.model.classes.map((c, k) => [String(k), shown(c, 60)]);
    const make = (id: string, any: string, options: [string, string][]) =>
      h("select", { id, onchange: () => this.apply() }, h("option", { value: "" }, any), options.map(([v, t]) => h("option", { value: v }, t)));
    return {
      set: make("filter-set", "all", this.sets.flatMap((x, i): [string, string][] => (x.shown > 0 ? [[String(i), `${kRole[x.role]}${x.name ? ` (${shown(x.name, 40)})` : ""}`]] : []))),
      truth: make("filter-truth", "any", classes),
      answer: make("filter-answer", "any", classes),
      error: make("filter-error", "all rows", [["wrong", "mistakes only"], ["right", "right answers only"]]),
      disputed: make("filter-disputed", "all rows", [["some", "disputed only"], ["none", "undisputed only"]]),
    };
  }

  private makeWhere() {
    const sinks = this.d.model.diagram.nodes.filter((n) => "class" in n).length;
    this.where.append(h("option", { value: "" }, "anywhere"));
    this.d.model.diagram.nodes.forEach((_, n) => {
      if (this.d.isSink(n)) {
        this.where.append(h("option", { value: `n${n}` }, `${sinks > this.d.model.classes.length ? `square ${n + 1}: ` : ""}answer ${shown(this.d.model.classes[this.d.classOf(n)]!, 60)}`));
        return;
      }
      const words = this.page.diagram.tests[this.d.test(n).feature]!;
      this.where.append(h("option", { value: `n${n}` }, `test ${n + 1}: ${shown(words[0], 60)}`));
      for (const high of [true, false])
        this.where.append(h("option", { value: `e${edgeKey(n, high)}` }, `\u2003edge ${high ? "\u2014" : "- -"} ${shown(words[high ? 0 : 1], 60)}`));
    });
    this.where.addEventListener("change", () => this.apply());
  }

  private filterBar() {
    const named = (text: string, select: HTMLSelectElement) => h("div", { class: "filter" }, h("label", { for: select.id }, text), select);
    return h("div", { class: "filters" }, this.filters.set.options.length > 2 && named("Set", this.filters.set),
      named("Passing through", this.where), named("True class", this.filters.truth), named("Answer", this.filters.answer),
      named("Mistakes", this.filters.error), this.agreement !== null && named("Disputed", this.filters.disputed),
      h("button", { type: "button", onclick: () => {
        for (const f of [...Object.values(this.filters), this.where]) f.value = "";
        this.apply();
      } }, "Show all rows"),
      h("button", { type: "button", id: "save-rows", onclick: () => this.save() }, "These rows (CSV)"));
  }

  // The rows in their order on the page, values as in the table, in the words of the model file.
  private save() {
    this.agreement?.count();
    const original = new Originals(this.page);
    const cell = (c: Heading, e: Entry) => {
      const value = c.value(e);
      if (value === null) return "";
      const owner = c.name === "true" || c.name === "answer" ? this.d.model.target : c.name;
      return original.value(owner, typeof value === "number" ? valueText(c.reading, value) : value);
    };
    saveCsv("rows.csv", [this.headings.map((c) => original.column(c.name)), ...this.shownEntries.map((e) => this.headings.map((c) => cell(c, e)))]);
  }

  private notes() {
    const out: HTMLElement[] = [];
    for (const set of this.sets) {
      if (set.shown > 0 && set.shown < set.rows)
        out.push(h("p", { class: "warning" }, `${set.shown.toLocaleString("en")} of ${set.rows.toLocaleString("en")} ${kRole[set.role]}, drawn at random, are in this table. The figures under \u201cThe evidence\u201d use all rows.`));
      if ((set.columns_left_out ?? 0) > 0)
        out.push(h("p", { class: "warning" }, `${set.columns_left_out} columns that the model does not test are left out to keep this file small.`));
    }
    return out;
  }

  private head(c: Heading, i: number) {
    const th = h("th", { scope: "col", "aria-sort": "none", title: c.title, class: c.numeric ? "number" : null },
      h("button", { type: "button", onclick: () => this.sort(i) }, h("span", { dir: "auto" }, c.text), h("span", { class: "arrow", "aria-hidden": "true" })));
    this.heads.push(th);
    return th;
  }

  private sort(column: number) {
    this.sorted = this.sorted?.column === column ? (this.sorted.down ? null : { column, down: true }) : { column, down: false };
    this.heads.forEach((th, i) => th.setAttribute("aria-sort", this.sorted?.column === i ? (this.sorted.down ? "descending" : "ascending") : "none"));
    this.apply();
  }

  private apply() {
    const { set, truth, answer, error, disputed } = this.filters;
    if (disputed.value !== "" || (this.sorted && this.headings[this.sorted.column]!.show)) this.agreement?.count();
    const choice = this.choice();
    this.shownEntries = this.entries.filter((e) =>
      (set.value === "" || e.set === Number(set.value)) && (truth.value === "" || e.truth === Number(truth.value)) &&
      (answer.value === "" || e.answer === Number(answer.value)) && (error.value === "" || e.wrong === (error.value === "wrong")) && (disputed.value === "" || this.against(e)! > 0 === (disputed.value === "some")) &&
      (choice === null || (choice.high === null ? this.touch(e.path).nodes.has(choice.node) : this.touch(e.path).edges.has(edgeKey(choice.node, choice.high)))));
    if (this.sorted) {
      const { column, down } = this.sorted;
      const value = this.headings[column]!.value;
      const keyed = this.shownEntries.map((e) => ({ e, v: value(e) }));
      keyed.sort((a, b) => (down ? -1 : 1) * compare(a.v, b.v));
      this.shownEntries = keyed.map((x) => x.e);
    }
    const wrong = this.shownEntries.reduce((n, e) => n + (e.wrong ? 1 : 0), 0);
    this.status.textContent = `${this.shownEntries.length.toLocaleString("en")} of ${this.entries.length.toLocaleString("en")} rows, ${wrong.toLocaleString("en")} mistake${wrong === 1 ? "" : "s"}`;
    this.status.dataset.rows = String(this.shownEntries.length);
    this.status.dataset.wrong = String(wrong);
    this.onFilter(choice, this.shownEntries.length, wrong);
    this.draw();
  }

  private draw() {
    const seen = this.scroller.clientHeight || 400;
    const first = Math.max(0, Math.floor(this.scroller.scrollTop / kHeight) - 5);
    const last = Math.min(this.shownEntries.length, first + Math.ceil(seen / kHeight) + 10);
    const gap = (rows: number) => {
      const tr = h("tr", { class: "gap", "aria-hidden": "true" });
      tr.style.height = `${rows * kHeight}px`;
      return tr;
    };
    const rows: HTMLElement[] = [gap(first)];
    for (let i = first; i < last; ++i) rows.push(this.row(this.shownEntries[i]!, i));
    rows.push(gap(this.shownEntries.length - last));
    this.body.replaceChildren(...rows);
  }

  private row(e: Entry, at: number) {
    return h("tr", { "data-at": at, "aria-rowindex": at + 2, class: (e.wrong ? "wrong" : "") + (e === this.selected ? " selected" : ""), "aria-selected": null },
      this.headings.map((c) => {
        const value = c.value(e);
        const text = c.show ? c.show(value) : value === null ? "missing" : typeof value === "number" ? valueText(c.reading, value) : shown(value, 80);
        const colour = c.text === "true" ? e.truth : c.text === "answer" ? e.answer : null;
        return h("td", { dir: "auto", class: value === null && !c.show ? "absent" : c.numeric ? "number" : null, title: typeof value === "string" && value.length > 12 ? shown(value, 1000) : null },
          colour !== null && c.title !== c.text ? [swatch(this.page.diagram.colours[colour]![0]), " "] : null, text);
      }));
  }

  private choose(at: number) {
    const e = this.shownEntries[at];
    if (!e) return;
    this.selected = e;
    this.draw();
    const values = new Map<string, Value>();
    for (const [name, column] of this.lookup[e.set]!) values.set(name, column[e.row]!);
    this.onRow(values);
    const classes = this.d.model.classes;
    this.about.replaceChildren(`Row ${this.sets[e.set]!.numbers[e.row]} of the ${kRole[this.sets[e.set]!.role]}: the answer is ${shown(classes[e.answer]!, 60)}, ${e.wrong ? `the truth ${shown(classes[e.truth]!, 60)}` : "and right"}. `,
      h("a", { href: "#diagram" }, "Its path"), " \u00b7 ", h("a", { href: "#ask" }, "why"));
  }

  private key(e: KeyboardEvent) {
    if (e.target !== this.scroller) return;
    const at = this.selected ? this.shownEntries.indexOf(this.selected) : -1;
    const page = Math.max(1, Math.floor(this.scroller.clientHeight / kHeight) - 2);
    const to = e.key === "ArrowDown" ? at + 1 : e.key === "ArrowUp" ? at - 1 : e.key === "PageDown" ? at + page : e.key === "PageUp" ? at - page
      : e.key === "Home" ? 0 : e.key === "End" ? this.shownEntries.length - 1 : null;
    if (to === null || this.shownEntries.length === 0) return;
    e.preventDefault();
    const next = Math.min(this.shownEntries.length - 1, Math.max(0, to));
    const top = next * kHeight;
    if (top < this.scroller.scrollTop) this.scroller.scrollTop = top;
    if (top + 2 * kHeight > this.scroller.scrollTop + this.scroller.clientHeight) this.scroller.scrollTop = top + 3 * kHeight - this.scroller.clientHeight;
    this.choose(next);
  }
}

// Missing values last, numbers by size, texts by their letters.
function compare(a: Value, b: Value): number {
  if (a === null || b === null) return (a === null ? 1 : 0) - (b === null ? 1 : 0);
  if (typeof a === "number" && typeof b === "number") return a - b;
  return a < b ? -1 : a > b ? 1 : 0;
}
