// By group: how the shown model, and every other one of the page, does on parts of the rows.
import { kRole, type Column, type RowSet } from "./data";
import { counted, decimal, h, largest, percent, shown } from "./dom";
import { Frame, gapOf, grouping, kFewOfClass, kFewRows, Tally, type Gap, type Measure } from "./grouping";
import { control, interestSelect } from "./interest";
import { WhenSeen } from "./lazy";
import type { Entry, Lasting, Models } from "./models";
import { wilson } from "./statistics";

const kMostAnswers = 4; // classes; of more, only the rate of the chosen one
const kMostInMatrix = 12;
const kMeasures: Measure[] = ["accuracy", "rate", "sensitivity", "specificity", "precision"];

export const setName = (set: RowSet) => `${kRole[set.role]}${set.name ? ` (${shown(set.name, 40)})` : ""}`;

export const columnsOf = (e: Entry, most: number) => (e.columns.length === 0 ? "no columns" : shown(e.columns.map((c) => shown(c, 30)).join(", "), most));

// Of rows that are drawn from more, or have weights.
export function rowNotes(set: RowSet) {
  return [set.shown < set.rows && h("p", { class: "hint" }, `This page has ${counted(set.shown, "row")} of the ${set.rows.toLocaleString("en")} ${kRole[set.role]}, drawn at random. These figures are of the rows on the page.`),
    set.weighted && h("p", { class: "hint by-rows" }, "These rows have weights. The figures here count each row once; those of the evidence are by weight.")];
}

const doubt = () => h("span", { class: "warning", title: "few rows" }, " ?");
const cellOf = (td: HTMLElement, key: string, hits: number, n: number) => {
  Object.assign(td.dataset, { figure: key, hits: String(hits), of: String(n) });
  return td;
};

class Groups implements Lasting {
  readonly element: HTMLElement;
  private entry: Entry;
  private readonly sets: HTMLSelectElement;
  private readonly column = h("select", { id: "group-column", onchange: () => this.offerCuts() });
  private readonly cut = h("select", { id: "group-cut", onchange: () => this.seen.again() });
  private readonly cutField = control("Cut at", this.cut);
  private readonly klass: HTMLSelectElement;
  private readonly measure: HTMLSelectElement;
  private readonly figures = h("div");
  private readonly all = h("div");
  private readonly seen: WhenSeen;
  private drawn = ""; // for which choice the list of models is made
  private sorted: { by: keyof typeof kHeadings; down: boolean } = { by: "gap", down: false };

  constructor(private readonly models: Models) {
    this.entry = models.shown;
    const rows = this.rowSets();
    const test = rows.findIndex((x) => x.set.role === "test");
    this.sets = h("select", { id: "group-set", onchange: () => this.offerColumns() }, rows.map(({ set, at }, i) => h("option", { value: at, selected: i === Math.max(0, test) }, setName(set))));
    const { classes } = this.entry.diagram.model;
    const { page } = this.entry;
    this.klass = interestSelect("group-class", page, classes, () => this.seen.again());
    const first = page.positive === undefined ? "accuracy" : "sensitivity";
    this.measure = h("select", { id: "group-measure", onchange: () => this.seen.again() }, kMeasures.map((m) => h("option", { value: m, selected: m === first }, m === "rate" ? "rate of this answer" : m)));
    this.element = h("section", { id: "groups", class: "groups", "aria-labelledby": "groups-title" },
      h("h2", { id: "groups-title" }, "By group"),
      h("p", {}, "How the model does on parts of the rows, by any column, also one that it does not use."),
      h("div", { class: "filters" }, rows.length > 1 && control("Rows", this.sets), control("Column", this.column), this.cutField, control("Class of interest", this.klass), control("Compare groups by", this.measure)),
      this.figures, this.all);
    this.seen = new WhenSeen(this.element, () => this.draw());
    this.offerColumns();
  }
  update(entry: Entry) {
    this.entry = entry;
    this.offerCuts();
  }

  private rowSets() {
    return this.models.cases.map(({ set }, at) => ({ set, at })).filter(({ set }) => set.shown > 0 && set.columns.length > 0);
  }
  private get set() {
    return this.models.cases[Number(this.sets.value)]!.set;
  }

  // At first the categories with the fewest values, where there are any: people are most often grouped by such.
  private offerColumns() {
    const was = this.column.selectedOptions[0]?.textContent;
    const { columns } = this.set;
    const size = (c: Column) => (c.numeric ? Infinity : new Set(c.values.filter((v) => v !== null)).size);
    const first = columns.reduce((best, c, i) => (size(c) > 1 && size(c) < size(columns[best]!) ? i : best), 0);
    this.column.replaceChildren(...columns.map((c, i) => h("option", { value: i, selected: i === first }, shown(c.name, 60))));
    const again = [...this.column.options].findIndex((o) => o.textContent === was);
    if (again >= 0) this.column.selectedIndex = again;
    this.offerCuts();
  }
  private thresholds(): number[] {
    const { name } = this.set.columns[Number(this.column.value)]!;
    const asked = this.entry.diagram.columns.find((c) => c.numeric && c.name === name);
    return asked?.cells.flatMap((x) => (x.kind === "interval" && x.atMost !== Infinity ? [x.atMost!] : [])) ?? [];
  }
  private offerCuts() {
    const some = this.set.columns[Number(this.column.value)]!.numeric && this.thresholds().length > 0;
    const was = this.cut.value;
    this.cut.replaceChildren(h("option", { value: "" }, "quartiles, or single values"), some ? h("option", { value: "model", selected: was === "model" }, "the model\u2019s thresholds") : "");
    this.cutField.hidden = !some;
    this.seen.again();
  }

  private draw() {
    const column = this.set.columns[Number(this.column.value)]!;
    const frame = new Frame(grouping(column, this.cut.value === "model" ? this.thresholds() : null), this.set.truth, Number(this.klass.value));
    const measure = this.measure.value as Measure;
    const tally = new Tally(frame, this.entry.answers(Number(this.sets.value)));
    this.figures.replaceChildren(h("div", {}, rowNotes(this.set), this.table(tally, column.name), this.small(tally), this.largest(tally, measure), this.confusions(frame)));
    if (this.models.entries.length < 2) return;
    // Another model alone changes nothing in the list but which one is shown.
    const key = JSON.stringify([this.sets.value, column.name, this.cut.value === "model" && this.thresholds(), frame.k, measure, this.models.entries.length]);
    const focused = this.all.contains(document.activeElement) ? document.activeElement?.closest("tr")?.dataset.model : undefined;
    if (key !== this.drawn || this.entry.kind === "edited") this.drawAll(frame, measure);
    this.drawn = key;
    for (const tr of this.all.querySelectorAll<HTMLElement>("[data-model]")) {
      const here = this.models.entries[Number(tr.dataset.model)] === this.entry;
      tr.classList.toggle("strong", here);
      const button = tr.querySelector("button")!;
      button.setAttribute("aria-pressed", String(here));
      if (tr.dataset.model === focused && document.activeElement !== button) button.focus({ preventScroll: true });
    }
  }

  private table(tally: Tally, column: string) {
    const { classes } = this.entry.diagram.model;
    const { frame } = tally;
    const counts = this.answerCounts(frame);
    const answers = classes.length <= kMostAnswers ? classes.map((_, k) => k) : [frame.k];
    const chosen = shown(classes[frame.k]!, 40);
    const share = (key: string, hits: number, n: number, few: boolean, interval: boolean) => {
      const { low, high } = wilson(hits, n);
      return cellOf(h("td", { class: "number" }, n === 0 ? "\u2013" : percent(hits / n, 1), few && n > 0 && doubt(), n > 0 && h("div", { class: "hint" }, interval ? `${percent(low, 1).replace("\u202f%", "")} to ${percent(high, 1)}` : `${hits} of ${n}`)), key, hits, n);
    };
    const head = (text: string, note: string) => h("th", { scope: "col", class: "number" }, h("span", { dir: "auto" }, text), note !== "" && h("div", { class: "hint", dir: "auto" }, note));
    return [h("h3", {}, `The shown model on ${setName(this.set)}, by ${shown(column, 60)}`), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Figures of each group" }, h("table", { class: "figures", id: "group-table" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col", dir: "auto" }, shown(column, 60)), head("rows", ""), head("accuracy", "95\u202f% interval"),
        answers.map((k) => head(`says ${shown(classes[k]!, 30)}`, "")), head(`is ${chosen}`, "rows"), (["sensitivity", "specificity", "precision"] as Measure[]).map((m) => head(m, `of ${chosen}`)))),
      h("tbody", {}, frame.groups.names.map((name, g) => h("tr", { "data-group": g }, h("th", { scope: "row", dir: "auto", class: frame.groups.plain[g] ? null : "absent" }, name),
        h("td", { class: "number" }, frame.rows[g]!.toLocaleString("en"), frame.rows[g]! < kFewRows && doubt()), share("accuracy", ...tally.share("accuracy", g), tally.small("accuracy", g), true),
        answers.map((k) => h("td", { class: "number", "data-answer": k }, frame.rows[g] === 0 ? "\u2013" : percent(counts[g]![k]! / frame.rows[g]!, 1))),
        h("td", { class: "number" }, frame.ofClass[g]!.toLocaleString("en")),
        (["sensitivity", "specificity", "precision"] as Measure[]).map((m) => share(m, ...tally.share(m, g), tally.small(m, g), false)))))))];
  }
  private answerCounts(frame: Frame): Uint32Array[] {
    const counts = frame.groups.names.map(() => new Uint32Array(this.entry.diagram.model.classes.length));
    this.entry.answers(Number(this.sets.value)).forEach((k, row) => ++counts[frame.groups.of[row]!]![k]!);
    return counts;
  }

  private small(tally: Tally) {
    const { rows, groups } = tally.frame;
    const few = groups.names.filter((_, g) => rows[g]! < kFewRows).length;
    const thin = groups.names.some((_, g) => rows[g]! >= kFewRows && kMeasures.some((m) => tally.small(m, g) && tally.share(m, g)[1] > 0));
    if (few === 0 && !thin) return null;
    const parts = [few > 0 && `${few === groups.names.length ? "every group has" : few === 1 ? "one group has" : `${few} groups have`} fewer than ${kFewRows} rows`, thin && `some shares are of fewer than ${kFewOfClass} rows`].filter((x) => x !== false);
    return h("p", { class: "warning small-groups" }, `${capital(parts.join(", and "))}: the figures marked ? say little.`);
  }

  private largest(tally: Tally, measure: Measure) {
    const gap = gapOf(tally, measure);
    if (!gap) return h("p", { id: "group-gap" }, "There are no two groups to compare by this figure.");
    const { names } = tally.frame.groups;
    const value = (g: number) => {
      const [hits, n] = tally.share(measure, g);
      return [h("b", { dir: "auto" }, shown(names[g]!, 60)), ` (${percent(hits / n, 1)})`];
    };
    const large = names.length - names.filter((_, g) => tally.small(measure, g)).length;
    const words = measureWords(measure, this.entry, tally.frame.k);
    const pairs = gap.small ? names.length : large;
    return h("p", { id: "group-gap", "data-points": gap.points, "data-low": gap.interval.low, "data-high": gap.interval.high },
      gap.points === 0 ? `There is no difference in ${words}: ` : [`The largest difference in ${words} is between `, value(gap.best), " and ", value(gap.worst), ": "],
      pointsText(gap), gap.interval.low > 0 || gap.points === 0 ? ". " : ", so it may be chance. ",
      h("span", { class: "hint" }, "The interval is Newcombe\u2019s for two separate groups",
        pairs > 2 ? "; it does not allow for the choice of the largest of several differences." : ".",
        gap.small ? h("span", { class: "warning" }, " Too few groups are large, so small ones are compared too.") : large < names.length ? " Small groups are left out here." : ""));
  }

  // Made when it is unfolded.
  private confusions(frame: Frame) {
    const box = h("div", { class: "pair" });
    const details = h("details", { id: "group-confusions", ontoggle: () => details.open && box.childElementCount === 0 && box.append(...this.matrices(frame)) }, h("summary", {}, "The confusion in each group"), box);
    return details;
  }
  private matrices(frame: Frame) {
    const { classes } = this.entry.diagram.model;
    const answers = this.entry.answers(Number(this.sets.value));
    const counts = frame.groups.names.map(() => new Map<number, number>());
    frame.groups.of.forEach((g, row) => {
      const key = frame.truth[row]! * classes.length + answers[row]!;
      counts[g]!.set(key, (counts[g]!.get(key) ?? 0) + 1);
    });
    return frame.groups.names.map((name, g) => h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Confusion of ${shown(name, 60)}` },
      classes.length <= kMostInMatrix ? matrix(name, classes, counts[g]!) : mistakes(name, classes, counts[g]!)));
  }

  // Every model by its largest difference between groups.
  private drawAll(frame: Frame, measure: Measure) {
    const set = Number(this.sets.value);
    const lines = this.models.entries.map((entry): Line => {
      const tally = new Tally(frame, entry.answers(set));
      return { entry, accuracy: tally.accuracy(), gap: gapOf(tally, measure) };
    });
    const body = h("tbody");
    const heads = new Map<keyof typeof kHeadings, HTMLElement>();
    const fill = () => this.fill(body, heads, lines, frame);
    const head = (by: keyof typeof kHeadings, text: string) => {
      const th = h("th", { scope: "col", class: by === "name" ? null : "number" }, h("button", { type: "button", onclick: () => {
        this.sorted = { by, down: this.sorted.by === by && !this.sorted.down };
        fill();
      } }, text, h("span", { class: "arrow", "aria-hidden": "true" })));
      heads.set(by, th);
      return th;
    };
    this.all.replaceChildren(h("h3", {}, `The same for all ${this.models.entries.length} models`),
      h("p", {}, `For each model the largest difference in ${measureWords(measure, this.entry, frame.k)} between these groups. Choose one to show it.`), this.models.entries.length > 8 ? h("p", { class: "print-only" }, "The first of them:") : "",
      h("div", { class: "scroll every", tabindex: 0, role: "group", "aria-label": "All models by group" }, h("table", { class: "figures sortable", id: "group-models" },
        h("thead", {}, h("tr", {}, head("name", "model"), head("errors", this.entry.page.history.measure === "cost" ? "cost" : "errors"), head("gap", "largest difference"), h("th", { scope: "col" }, "best / worst group"), head("accuracy", "accuracy here"), head("tests", "tests"))), body)),
      h("p", { class: "hint" }, "Errors are those on the training rows. Below each difference is its 95\u202f% interval. With many models to choose from, some look fair by luck."));
    fill();
  }
  private fill(body: HTMLElement, heads: Map<keyof typeof kHeadings, HTMLElement>, lines: Line[], frame: Frame) {
    const { by, down } = this.sorted;
    for (const [key, th] of heads) th.setAttribute("aria-sort", key !== by ? "none" : down ? "descending" : "ascending");
    const value = kHeadings[by];
    const most = largest(lines.map((x) => x.gap?.points ?? 0), 0.01);
    const at = (x: Line) => this.models.entries.indexOf(x.entry);
    const order = [...lines].sort((a, b) => {
      const [p, q] = [value(a), value(b)];
      return (p < q ? -1 : p > q ? 1 : 0) * (down ? -1 : 1) || a.entry.errors - b.entry.errors || at(a) - at(b);
    });
    body.replaceChildren(...order.map((x) => this.line(x, at(x), frame, most)));
  }
  private line({ entry, accuracy, gap }: Line, at: number, frame: Frame, most: number) {
    const { names } = frame.groups;
    const here = entry === this.entry;
    const note = entry === this.models.entries[0] ? "the page\u2019s own" : entry.kind === "front" ? "of the front" : entry.kind === "edited" ? "edited" : "";
    const bar = h("span", { class: "gap-bar", "aria-hidden": "true" });
    bar.style.width = `${(60 * (gap?.points ?? 0)) / most}px`;
    return h("tr", { "data-model": at, class: here ? "strong" : null, "data-points": gap?.points ?? null },
      h("th", { scope: "row" }, h("button", { type: "button", class: "quiet", "aria-pressed": String(here), onclick: () => this.models.show(entry) }, columnsOf(entry, 120)), note !== "" && h("div", { class: "hint" }, note)),
      h("td", { class: "number" }, decimal(entry.errors)),
      h("td", { class: "number" }, gap ? [h("span", { class: "gap-box" }, bar), h("span", { class: "gap-points" }, (100 * gap.points).toFixed(1)), gap.small && doubt(), h("div", { class: "hint" }, `${(100 * gap.interval.low).toFixed(1)} to ${(100 * gap.interval.high).toFixed(1)}`.replace(/-/g, "\u2212"))] : "\u2013"),
      h("td", { dir: "auto" }, gap ? `${shown(names[gap.best]!, 40)} / ${shown(names[gap.worst]!, 40)}` : ""), h("td", { class: "number" }, percent(accuracy, 1)), h("td", { class: "number" }, entry.tests));
  }
}

interface Line { entry: Entry; accuracy: number; gap: Gap | null }
const kHeadings: Record<"name" | "errors" | "tests" | "accuracy" | "gap", (x: Line) => number | string> = {
  name: (x) => columnsOf(x.entry, 1000), errors: (x) => x.entry.errors, tests: (x) => x.entry.tests, accuracy: (x) => x.accuracy, gap: (x) => x.gap?.points ?? 2,
};

function pointsText({ points, interval }: Gap) {
  const text = (x: number) => (100 * x).toFixed(1).replace("-", "\u2212");
  return `${text(points)} points, 95\u202f% interval ${text(interval.low)} to ${text(interval.high)}`;
}
function measureWords(measure: Measure, entry: Entry, k: number) {
  const name = shown(entry.diagram.model.classes[k]!, 60);
  return measure === "accuracy" ? "accuracy" : measure === "rate" ? `the rate of the answer ${name}` : `${measure} for ${name}`;
}
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

function matrix(name: string, classes: string[], counts: Map<number, number>) {
  const most = largest([...counts.values()], 1);
  return h("table", { class: "confusion figures" }, h("caption", { dir: "auto" }, shown(name, 60)),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true \u2193  answer \u2192"), classes.map((c) => h("th", { scope: "col", class: "number", dir: "auto" }, shown(c, 40))))),
    h("tbody", {}, classes.map((c, a) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, shown(c, 40)), classes.map((_, b) => {
      const value = counts.get(a * classes.length + b) ?? 0;
      const td = h("td", { class: `number ${a === b ? "hit" : value > 0 ? "miss" : ""}` }, value);
      td.style.setProperty("--share", String(Math.round((100 * value) / most)));
      return td;
    })))));
}
function mistakes(name: string, classes: string[], counts: Map<number, number>) {
  const of = (key: number) => [Math.floor(key / classes.length), key % classes.length] as const;
  const wrong = [...counts].filter(([key]) => of(key)[0] !== of(key)[1]).sort((a, b) => b[1] - a[1]).slice(0, 10);
  return h("table", { class: "figures" }, h("caption", { dir: "auto" }, `${shown(name, 60)}: the most frequent mistakes`),
    h("thead", {}, h("tr", {}, ["true class", "answer"].map((t) => h("th", { scope: "col" }, t)), h("th", { scope: "col", class: "number" }, "rows"))),
    h("tbody", {}, wrong.map(([key, n]) => h("tr", {}, of(key).map((k) => h("td", { dir: "auto" }, shown(classes[k]!, 40))), h("td", { class: "number" }, n)))));
}

// Null where the page carries no rows.
export function groups(models: Models) {
  return models.cases.some(({ set }) => set.shown > 0 && set.columns.length > 0) ? new Groups(models) : null;
}
