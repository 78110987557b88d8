// Alternatives: all models of the page, to choose among. A choice makes the whole page that of another model.
import { counted, decimal, h, s, shown } from "./dom";
import { save } from "./downloads";
import type { Entry, Lasting, Models } from "./models";
import { kOthers, kPalette, Scatter, told } from "./scatter";

interface Limit { element: HTMLElement; most(): number }
type Wish = "any" | "must" | "not";

const set = (e: Entry) => [...e.columns].sort().join("\u0000");
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const columnsOf = (e: Entry, most = 40) => (e.columns.length === 0 ? "no columns" : e.columns.map((c) => shown(c, most)).join(", "));

function mark(kind: Entry["kind"], colour: string) {
  return s("svg", { class: "swatch", width: 13, height: 13, "aria-hidden": "true" },
    kind === "front" ? s("path", { d: "M6.5 1L12 6.5L6.5 12L1 6.5Z", fill: colour }) : kind === "fitted" ? s("rect", { x: 2, y: 2, width: 9, height: 9, fill: colour }) : s("circle", { cx: 6.5, cy: 6.5, r: 4.5, fill: colour }));
}

export function chooser(models: Models): Lasting | null {
  const all = models.entries.filter((e) => e.kind !== "edited");
  if (all.length < 2) return null;
  return new Chooser(models, all.sort((a, b) => a.errors - b.errors || a.tests - b.tests));
}

class Chooser implements Lasting {
  readonly element: HTMLElement;
  private readonly own: Entry;
  private marked: Entry;
  private readonly measure: string;
  private readonly colours = new Map<string, string>(); // by set of columns
  private readonly scatter: Scatter;
  private readonly items = new Map<Entry, HTMLElement>();
  private readonly limits: Limit[];
  private readonly wishes = new Map<string, Wish>();
  private readonly count = h("p", { class: "count", role: "status" });
  private readonly now = h("div", { class: "now", role: "status" });
  private readonly pins = h("ol", { class: "pins" });
  private readonly pinned = new Map<Entry, string>(); // with notes
  private readonly savePins = h("button", { type: "button", id: "save-pins", onclick: () => this.saveAll() }, "Save the pinned models and notes (JSON)");
  private readonly pinBox = h("div", { class: "pin-box", hidden: true }, h("h3", {}, "Pinned"), this.pins, this.savePins);

  constructor(private readonly models: Models, private readonly all: Entry[]) {
    this.marked = this.own = models.entries[0]!;
    this.measure = this.own.page.history.measure;
    this.choose_colours();
    const colour = (e: Entry) => this.colours.get(set(e)) ?? kOthers;
    this.scatter = new Scatter(all, this.measure, colour, (e) => models.show(e));
    this.limits = [this.limit("most-errors", this.measure === "cost" ? "cost" : "errors", (e) => e.errors), this.limit("most-tests", "tests", (e) => e.tests)];
    for (const e of all) this.items.set(e, h("li", {}, h("button", { type: "button", onclick: () => models.show(e), title: shown(e.claim, 1000) }, mark(e.kind, colour(e)), " ",
      h("span", {}, told(e, this.measure)), e === this.own && h("b", {}, ", the page\u2019s own"), h("span", { class: "hint", dir: "auto" }, ` ${columnsOf(e, 30)}`))));
    this.element = h("section", { id: "alternatives", class: "chooser", "aria-labelledby": "alternatives-title" },
      h("h2", { id: "alternatives-title" }, "Alternatives"), this.words(),
      this.now,
      h("div", { class: "filters" }, this.limits.map((l) => l.element), this.columns()), this.count,
      h("div", { class: "field-of-models" },
        h("div", {}, this.scatter.element, this.legend()),
        h("div", { class: "models", tabindex: 0, role: "group", "aria-label": "All models, those with the fewest errors first" }, h("ol", {}, [...this.items.values()]))),
      this.pinBox);
    this.filter();
    this.update(models.shown);
  }

  update(entry: Entry) {
    this.scatter.mark(entry);
    this.items.get(this.marked)?.firstElementChild!.removeAttribute("aria-current");
    this.items.get(entry)?.firstElementChild!.setAttribute("aria-current", "true");
    this.marked = entry;
    const pinned = this.pinned.has(entry);
    this.now.replaceChildren(
      h("p", {}, h("b", {}, entry === this.own ? "Shown: the page\u2019s own model, " : "Shown: another model, "), `${/^(\d|cost )/.test(entry.claim) ? counted(entry.tests, "test") : told(entry, this.measure)}. `, h("span", { class: "exactly" }, `${capital(entry.claim)}.`)),
      h("div", { class: "inputs" },
        h("a", { href: "#diagram" }, "See its diagram"),
        h("button", { type: "button", id: "back-to-own", disabled: entry === this.own, onclick: () => this.models.show(this.own) }, "Back to the page\u2019s own model"),
        h("button", { type: "button", id: "pin-shown", "aria-pressed": String(pinned), onclick: () => this.pin(entry, !pinned) }, pinned ? "Unpin it" : "Pin it"),
        h("button", { type: "button", id: "save-shown", onclick: () => this.save(entry) }, "Save it (JSON)")));
  }

  private words() {
    const { claim } = this.own.page.alternatives ?? { claim: "" };
    const front = this.all.filter((e) => e.kind === "front").length;
    return h("div", {},
      claim !== "" && h("p", { id: "alternatives-claim" }, `${capital(claim)}.`),
      front > 0 && h("p", {}, `${counted(front, "model")} of the front: where it is proven, no ordered diagram with as few features and as few nodes ${this.measure === "cost" ? "costs less" : "makes fewer errors"}.`),
      h("p", {}, "Every mark is a whole model. Choose one, and diagram, form, rows and evidence become those of that model; what you have typed into the form stays."));
  }

  // The most frequent sets of columns have colours of their own.
  private choose_colours() {
    const counts = new Map<string, number>();
    for (const e of this.all) counts.set(set(e), (counts.get(set(e)) ?? 0) + 1);
    const first = set(this.own);
    const order = [...counts.keys()].sort((a, b) => Number(b === first) - Number(a === first) || counts.get(b)! - counts.get(a)!);
    order.slice(0, kPalette.length).forEach((key, i) => this.colours.set(key, kPalette[i]!));
  }
  private legend() {
    const some = (key: string) => this.all.filter((e) => set(e) === key);
    const rest = this.all.filter((e) => !this.colours.has(set(e))).length;
    const kinds = new Set(this.all.map((e) => e.kind));
    return h("ul", { class: "legend columns-legend", "aria-label": "Colours: the columns of a model" },
      h("li", { class: "faint" }, mark("fitted", "currentColor"), " the page\u2019s own ", kinds.has("near") && [mark("near", "currentColor"), " near the optimum "], kinds.has("front") && [mark("front", "currentColor"), " of the front"]),
      [...this.colours].map(([key, colour]) => h("li", { dir: "auto" }, mark("near", colour), ` ${columnsOf(some(key)[0]!, 24)} (${some(key).length})`)),
      rest > 0 && h("li", {}, mark("near", kOthers), ` other columns (${rest})`));
  }

  // A slider over the values that models have.
  private limit(id: string, noun: string, of: (e: Entry) => number): Limit {
    const values = [...new Set(this.all.map(of))].sort((a, b) => a - b);
    const most = () => values[Number(input.value)]!;
    const output = h("output", { for: id });
    const say = () => {
      output.textContent = decimal(most());
      input.setAttribute("aria-valuetext", `at most ${decimal(most())} ${noun}`);
    };
    const input = h("input", { type: "range", id, min: 0, max: values.length - 1, step: 1, value: values.length - 1, disabled: values.length < 2, oninput: () => {
      say();
      this.filter();
    } });
    say();
    return { element: h("div", { class: "limit" }, h("label", { for: id }, noun === "cost" ? "Cost at most " : `At most this many ${noun}: `), output, input), most };
  }

  private columns() {
    const uses = new Map<string, number>();
    for (const e of this.all) for (const c of e.columns) uses.set(c, (uses.get(c) ?? 0) + 1);
    const choices: [Wish, string][] = [["any", "may use"], ["must", "must use"], ["not", "must not use"]];
    return h("details", { class: "wishes", open: uses.size <= 16 }, h("summary", {}, "Columns"),
      h("div", { class: "wish-list" }, [...uses].sort((a, b) => b[1] - a[1]).map(([column, count], i) => h("div", { class: "wish" },
        h("label", { for: `wish-${i}`, dir: "auto", title: shown(column, 1000) }, shown(column, 60)), h("span", { class: "hint" }, ` in ${count} `),
        h("select", { id: `wish-${i}`, onchange: (e: Event) => {
          this.wishes.set(column, choices[(e.target as HTMLSelectElement).selectedIndex]![0]);
          this.filter();
        } }, choices.map(([, text]) => h("option", {}, text)))))));
  }

  private filter() {
    const [errors, tests] = this.limits.map((l) => l.most());
    const wished = [...this.wishes].filter(([, wish]) => wish !== "any");
    const left = this.all.filter((e) => e.errors <= errors! && e.tests <= tests! && wished.every(([column, wish]) => e.columns.includes(column) === (wish === "must")));
    const kept = new Set(left);
    for (const [e, item] of this.items) item.hidden = !kept.has(e);
    this.scatter.filter(left);
    this.count.textContent = left.length === this.all.length ? `${counted(left.length, "model")}.` : `${left.length} of ${counted(this.all.length, "model")} left.`;
  }

  private save(e: Entry) {
    save(e === this.own ? "model.json" : `model-${decimal(e.errors)}-${this.measure}-${e.tests}-tests.json`, new Blob([e.page.texts.model], { type: "application/json" }));
  }
  private pin(e: Entry, on: boolean) {
    if (on) this.pinned.set(e, "");
    else this.pinned.delete(e);
    this.drawPins();
    this.update(this.models.shown);
    this.element.querySelector<HTMLElement>("#pin-shown")!.focus();
  }
  private drawPins() {
    this.pinBox.hidden = this.pinned.size === 0;
    this.pins.replaceChildren(...[...this.pinned].map(([e, note], i) => h("li", {},
      h("button", { type: "button", class: "quiet", onclick: () => this.models.show(e) }, `${told(e, this.measure)}: ${columnsOf(e)}`),
      h("span", { class: "hint" }, ` ${e.name} `),
      h("div", { class: "inputs" },
        h("label", { for: `note-${i}` }, "Note "), h("input", { type: "text", id: `note-${i}`, value: note, oninput: (event: Event) => this.pinned.set(e, (event.target as HTMLInputElement).value) }),
        h("button", { type: "button", onclick: () => this.save(e) }, "Save (JSON)"),
        h("button", { type: "button", onclick: () => this.pin(e, false) }, "Unpin")))));
  }
  // The model files are texts, as they would be saved one by one: their checksums are of these bytes.
  private saveAll() {
    const list = [...this.pinned].map(([e, note]) => ({ note, [this.measure]: e.errors, tests: e.tests, columns: e.columns, claim: e.claim, model: e.page.texts.model }));
    save("pinned.json", new Blob([JSON.stringify({ format: "beadwork-pinned", version: 1, models: list }, null, 1) + "\n"], { type: "application/json" }));
  }
}
