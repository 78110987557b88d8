// Ask the model: a form of its raw columns, or one question after the other. Both change what is known of a case.
import type { Agreement, Case } from "./agreement";
import { type Page, type RowSet, type Value } from "./data";
import { h, largest, list, shown, swatch } from "./dom";
import { copyButton } from "./downloads";
import { histogram, type Histogram } from "./histogram";
import { Names, Originals } from "./labels";
import { caseFragment, kAnother, type LinkedCase } from "./link";
import { nearestPair, singleChanges, type Asked, type AskedColumn, type Cell, type Change, type Diagram, type Known, type Reach } from "./logic";
import { question } from "./questions";
import { example, valueOf, valueText } from "./values";

interface Field { element: HTMLElement; lock: HTMLButtonElement | null; text(): string; key(): string | null | undefined; read(): { given: boolean; value: Value; bad: boolean }; write(value: Value | undefined): void }

export class Ask {
  readonly element: HTMLElement;
  private readonly verdict = h("div", { class: "verdict-box", "aria-live": "polite" });
  private readonly answer = h("div", { class: "answer-box" });
  private readonly spans: number[]; // of the values of each column
  private readonly fields: Field[];
  private readonly original: Originals;
  private readonly form: HTMLElement;
  private readonly quiz = h("div", { class: "quiz" });
  private readonly tabs: HTMLButtonElement[];
  private mode: "form" | "quiz" = "form";
  private readonly trouble = h("p", { class: "warning", role: "alert", hidden: true }); // with a link
  private asked: { feature: number; reply: "yes" | "no" | "unsure" }[] = [];
  private row: Map<string, Value> | null = null; // all columns of the row that was taken

  constructor(private readonly page: Page, private readonly d: Diagram, sets: RowSet[], private readonly onReach: (r: Reach | null) => void, place = 0, private readonly agreement: Agreement | null = null) {
    this.original = new Originals(page);
    this.spans = d.columns.map((c) => span(c, sets));
    this.fields = d.columns.map((c, i) => this.field(c, i, histogram(page, d, c, sets)));
    this.form = h("form", { class: "fields", autocomplete: "off", onsubmit: (e: Event) => e.preventDefault(), oninput: () => this.update() },
      this.fields.map((f) => f.element),
      this.fields.length > 0 && h("div", { class: "inputs" }, h("button", { type: "button", onclick: () => this.clear() }, "Clear"), copyButton(() => location.href.split("#")[0] + caseFragment({ model: place, values: this.values() }), "Copy link to this case"), this.fields.length > 1 && h("span", { class: "hint" }, "keep: suggest no change of this value")));
    const tab = (mode: "form" | "quiz", text: string) =>
      h("button", { type: "button", "aria-pressed": String(mode === "form"), onclick: () => this.show(mode) }, text);
    this.tabs = [tab("form", "All at once"), tab("quiz", "One question at a time")];
    this.quiz.hidden = true;
    this.element = h("section", { class: "ask blank", id: "ask", "aria-labelledby": "ask-title" },
      h("h2", { id: "ask-title" }, "Ask the model"),
      this.fields.length > 0 ? h("div", { class: "switch" }, this.tabs) : null,
      this.fields.length === 0 && h("p", {}, "This model has no tests: it gives the same answer for every case."),
      this.trouble, this.verdict, this.form, this.quiz, this.answer);
    this.update();
  }

  // The values of a row, column name to value.
  take(values: Map<string, Value>) {
    this.show("form");
    this.row = new Map(values);
    this.d.columns.forEach((c, i) => this.fields[i]!.write(values.get(c.name)));
    this.update();
  }
  // What is known of the case, into `values`: the form, and for columns of other models the row that was taken.
  given(values: Map<string, Value>) {
    values.clear();
    this.row?.forEach((value, name) => values.set(name, value));
    this.d.columns.forEach((c, i) => {
      const { given, value } = this.fields[i]!.read();
      if (given) values.set(c.name, value);
      else values.delete(c.name);
    });
  }
  // The case of a link.
  open(link: LinkedCase | string) {
    this.clear();
    const columns = new Map(typeof link === "string" ? [] : link.values);
    const names = this.d.columns.map((c) => this.original.column(c.name));
    const known = new Set(names);
    const unknown = [...columns.keys()].filter((name) => !known.has(name)).map((name) => `\u201c${shown(name, 40)}\u201d`);
    if (columns.size > unknown.length) {
      this.show("form");
      const labels = new Names(this.page.labels);
      names.forEach((name, i) => {
        const value = columns.get(name);
        this.fields[i]!.write(value == null ? value : labels.value(name, value));
      });
      this.update();
    }
    this.trouble.textContent = typeof link === "string" ? link : unknown.length === 0 ? ""
      : `The link names ${unknown.length === 1 ? "a column" : "columns"} that this model does not ask for: ${list(unknown.slice(0, 5), "and")}.`;
    this.trouble.hidden = this.trouble.textContent === "";
  }
  // What is filled in, in the words of the model file.
  private values(): LinkedCase["values"] {
    return this.fields.flatMap((f, i): LinkedCase["values"] => {
      const key = f.key();
      const { name } = this.d.columns[i]!;
      return key === undefined ? [] : [[this.original.column(name), key === null ? null : this.original.value(name, key)]];
    });
  }

  clear() {
    this.row = null;
    this.fields.forEach((f) => f.write(undefined));
    this.asked = [];
    if (this.mode === "quiz") this.question();
    else this.update();
  }

  private show(mode: "form" | "quiz") {
    if (this.mode === mode) return;
    this.mode = mode;
    this.form.hidden = mode !== "form";
    this.quiz.hidden = mode !== "quiz";
    this.tabs.forEach((t, i) => t.setAttribute("aria-pressed", String((i === 1) === (mode === "quiz"))));
    if (mode === "quiz") this.question();
    else this.update();
  }

  private field(c: AskedColumn, i: number, picture: Histogram | null): Field {
    const id = `ask-${i}`;
    const missing = h("input", { type: "checkbox", id: `${id}-missing` });
    const label = h("label", { for: id, dir: "auto", title: shown(c.name, 1000) }, shown(c.name, 160));
    const lock = this.d.columns.length < 2 ? null : h("button", { type: "button", class: "lock", "aria-pressed": "false", "aria-label": `Keep ${shown(c.name, 60)} as it is`,
      title: "Suggest no change of this value", onclick: () => {
        lock!.setAttribute("aria-pressed", String(lock!.getAttribute("aria-pressed") === "false"));
        this.update();
      } }, "keep");
    const words = c.reading?.kind === "ordinal" ? c.reading.levels! : c.levels;
    if (c.numeric && words.length === 0) {
      const input = h("input", { type: "text", inputmode: c.reading?.kind ? "text" : "decimal", id, "aria-describedby": `${id}-hint` });
      const cuts = c.cells.flatMap((x) => (x.kind === "interval" && x.atMost !== Infinity ? [x.atMost!] : []));
      const element = h("div", { class: "field" }, label,
        h("div", { class: "inputs" }, input, h("label", { class: "missing" }, missing, "missing"), lock), picture?.element ?? null,
        h("div", { class: "hint", id: `${id}-hint` }, c.reading?.kind ? `such as ${example(c.reading)}; ` : "", cuts.length > 0 ? `divided at ${list(cuts.map((x) => valueText(c.reading, x)), "and")}` : "only whether it is missing"));
      const number = () => valueOf(c.reading, input.value.trim());
      return {
        element, lock,
        key: () => (missing.checked ? null : input.value.trim() === "" ? undefined : input.value.trim()),
        text: () => (missing.checked ? "missing" : input.value.trim() === "" ? "not given" : input.value.trim()),
        read: () => {
          input.disabled = missing.checked;
          const text = input.value.trim();
          const bad = !missing.checked && text !== "" && !Number.isFinite(number());
          input.setAttribute("aria-invalid", String(bad));
          picture?.mark(missing.checked || bad || text === "" ? null : number());
          return { given: missing.checked || (text !== "" && !bad), value: missing.checked ? null : number(), bad };
        },
        write: (v) => {
          missing.checked = v === null;
          input.value = v == null ? "" : typeof v === "number" ? valueText(c.reading, v) : String(v);
        },
      };
    }
    const select = h("select", { id });
    const options: [string, Value | undefined][] = [["not given", undefined], ...words.map((l): [string, Value] => [shown(l, 60), l]),
      ["another value", ""], ["missing", null]];
    options.forEach(([text], k) => select.append(h("option", { value: String(k), class: k === 0 || k > words.length ? "special" : null }, text)));
    return {
      element: h("div", { class: "field" }, label, h("div", { class: "inputs" }, select, lock)), lock,
      key: () => (Number(select.value) === options.length - 2 ? kAnother : options[Number(select.value)]![1] as string | null | undefined),
      text: () => options[Number(select.value)]![0],
      read: () => {
        const k = Number(select.value);
        if (c.numeric) return { given: k > 0, value: k === options.length - 1 ? null : k - 1, bad: false };
        return { given: k > 0, value: k === options.length - 2 ? kAnother : options[k]![1] ?? null, bad: false };
      },
      write: (given) => {
        const v = typeof given === "number" ? words[given] ?? "" : given;
        const k = v === undefined ? 0 : v === null ? options.length - 1 : options.findIndex((o, j) => j > 0 && o[1] === v);
        select.value = String(k < 0 ? options.length - 2 : k);
      },
    };
  }

  private read(): { known: Known; numbers: (number | null)[]; given: number; bad: boolean; asked: Case } {
    const known = this.d.nothingKnown();
    const values = new Map(this.row ?? []);
    let given = 0;
    let bad = false;
    const numbers = this.d.columns.map((c, i) => {
      const r = this.fields[i]!.read();
      bad ||= r.bad;
      values.delete(c.name);
      if (!r.given) return null;
      values.set(c.name, r.value);
      ++given;
      known[i] = this.d.cellOf(c, r.value);
      return typeof r.value === "number" ? r.value : null;
    });
    return { known, numbers, given, bad, asked: { values, cells: [] } };
  }

  private update() {
    const { known, numbers, given, bad, asked } = this.read();
    const reach = this.d.explore(known);
    const blank = given === 0 && this.d.columns.length > 0;
    this.onReach(blank ? null : reach);
    this.element?.classList.toggle("blank", blank);
    this.tell(...(blank
      ? [h("p", { class: "faint" }, "Fill in what you know: the diagram shows where the case goes.")]
      : this.answerWords(reach, known, numbers)));
    if (!blank) this.agree(asked);
    const examples = [...new Set(this.d.columns.filter((c) => c.numeric && c.reading?.kind !== "ordinal").map((c) => example(c.reading)))];
    if (bad) this.verdict.prepend(h("p", { class: "warning" }, `Some values cannot be read (write ${list(examples, "or")}, for example); they are ignored.`));
    if (!blank) this.answer.prepend(h("dl", { class: "print-only inputs-given" }, this.d.columns.map((c, i) => [h("dt", { dir: "auto" }, shown(c.name, 60)), h("dd", { dir: "auto" }, this.fields[i]!.text())])));
  }

  // The verdict stands above the form, where it stays while one types; what explains it, below.
  private tell(verdict: HTMLElement | null = null, ...why: HTMLElement[]) {
    this.verdict.replaceChildren(...(verdict === null ? [] : [verdict]));
    this.answer.replaceChildren(...why);
  }

  // What the other near-optimal models say.
  private agree(asked: Case) {
    if (this.agreement === null) return;
    this.verdict.append(this.agreement.words(asked));
    this.answer.append(this.agreement.others(this.d, asked) ?? "");
  }

  private className(k: number) {
    return [swatch(this.page.diagram.colours[k]![0]), " ", h("b", { dir: "auto", class: "class" }, shown(this.d.model.classes[k]!, 100))];
  }

  private answerWords(reach: Reach, known: Known, numbers: (number | null)[]): HTMLElement[] {
    const classes = [...reach.classes].sort((a, b) => a - b);
    if (classes.length > 1)
      return [h("p", { class: "verdict", "data-verdict": "open" }, "It could still be ", classes.map((k, i) => [i > 0 && (i + 1 === classes.length ? " or " : ", "), this.className(k)]), "."),
        ...this.stillAsked(reach)];
    const k = classes[0]!;
    const out: HTMLElement[] = [h("p", { class: "verdict", "data-verdict": this.d.model.classes[k]! }, "The answer is ", this.className(k), ".")];
    if (reach.path !== null) out.push(...this.because(reach, known), this.experience(reach.path, k));
    else out.push(h("p", {}, "The values you left out do not matter: every path that is still open ends there."));
    if (this.d.columns.length > 0)
      out.push(this.turning(known, numbers), h("p", { class: "hint" }, "This describes the model's answer. It says nothing about causes."));
    return out;
  }

  // The columns on which it depends where a case goes on.
  private openColumns(reach: Reach): string[] {
    const names = new Set<string>();
    for (const n of reach.nodes)
      if (!this.d.isSink(n) && reach.edges.has(`${n}:0`) && reach.edges.has(`${n}:1`))
        names.add(shown(this.d.columns[this.d.askedColumn(this.d.test(n).feature)]!.name, 60));
    return [...names];
  }
  private stillAsked(reach: Reach): HTMLElement[] {
    const names = this.openColumns(reach);
    return names.length === 0 ? [] : [h("p", {}, `That depends on ${list(names, "and")}.`)];
  }

  private because(reach: Reach, known: Known): HTMLElement[] {
    if (reach.steps.length === 0) return [];
    return [h("p", { class: "because" }, "Because ", reach.steps.map(({ node, passed }, i) =>
      [i > 0 && (i + 1 === reach.steps.length ? " and " : ", "),
        h("span", { class: "test", dir: "auto" }, this.reason(this.d.test(node).feature, passed, known))]), ".")];
  }

  // A missing value fails tests that say nothing about it.
  private reason(f: number, passed: boolean, known: Known): string {
    const test = this.d.model.features[f]!;
    const at = this.d.askedColumn(f);
    if (passed || test.test === "missing" || !this.d.isMissing(known, at)) return this.page.diagram.tests[f]![passed ? 0 : 1];
    const column = this.d.columns[at]!;
    return `${shown(column.name, 60)} is unknown, treated as ${test.test === "equals" ? `not ${shown(test.level!, 60)}` : `more than ${valueText(column.reading, test.threshold!)}`}`;
  }

  private experience(path: number, k: number): HTMLElement {
    const { counts, own } = this.d.branchCounts(path);
    const scale = this.d.model.training.weight_scale || 1;
    const total = counts.reduce((a, b) => a + b, 0) / scale;
    const right = counts[k]! / scale;
    const t = this.d.model.training;
    const whole = Number(total.toPrecision(12));
    const name = shown(this.d.model.classes[k]!, 60);
    const plain = t.total_weight === t.rows * scale;
    const part = whole === 1 && plain ? `it was ${right === 1 ? "" : "not "}${name}.` : `${Number(right.toPrecision(12))} ${right === 1 ? "was" : "were"} ${name}.`;
    const rows = plain ? `${whole} training row${whole === 1 ? "" : "s"}` : `training weight of ${whole}`;
    if (own && plain && whole < 10) return h("p", { class: "experience" }, `Only ${rows} went this way: ${part}`);
    if (own) return h("p", { class: "experience" }, `Of the ${rows} that went this way, ${part}`);
    return h("p", { class: "experience" }, total === 0 ? "No training row went this way."
      : `No training row went this way. ${whole === 1 && plain ? `On the nearest branch there was ${rows}: ${part}` : `Of the ${rows} on the nearest branch, ${part}`}`);
  }

  private cellWords(column: number, cell: Cell): string {
    const name = shown(this.d.columns[column]!.name, 60);
    const value = (x: number) => valueText(this.d.columns[column]!.reading, x);
    switch (cell.kind) {
      case "interval":
        return cell.above === -Infinity ? `${name} were at most ${value(cell.atMost!)}`
          : cell.atMost === Infinity ? `${name} were more than ${value(cell.above!)}`
          : `${name} were more than ${value(cell.above!)} and at most ${value(cell.atMost!)}`;
      case "level":
        return `${name} were ${shown(cell.level!, 60)}`;
      case "other":
        return cell.levels!.length <= 4 ? `${name} were ${list(cell.levels!.map((l) => shown(l, 60)))}` : `${name} were another value`;
      case "missing":
        return `${name} were missing`;
    }
  }

  // "If age were at most 40, it would be low."
  private changeWords(c: Change): string {
    const steps = c.steps.map((x) => this.cellWords(x.column, this.d.columns[x.column]!.cells[x.cell]!)).join(" and ");
    const names = list(c.classes.map((k) => shown(this.d.model.classes[k]!, 60)));
    const unseen = this.d.seen(c.known) ? "" : " No training row went that way.";
    return c.sure ? `If ${steps}, it would be ${names}.${unseen}`
      : `If ${steps}, it could become ${names}, depending on ${list(this.openColumns(c.reach), "and")}.${unseen}`;
  }

  private turning(known: Known, numbers: (number | null)[]): HTMLElement {
    const locked = this.d.columns.map((_, i) => this.mode === "form" && this.fields[i]!.lock?.getAttribute("aria-pressed") === "true");
    const asked: Asked = { known, numbers, spans: this.spans, locked };
    const single = singleChanges(this.d, asked);
    const two = single[0]?.sure ? null : nearestPair(this.d, asked);
    const first = single[0] ?? null;
    const others = single.slice(1);
    const kept = locked.some((x) => x) ? " that may change" : "";
    if (first === null && two === null) return h("p", { class: "turning" }, `Changing one or two of these values${kept} would not change the answer.`);
    return h("div", { class: "turning" },
      first !== null && h("p", {}, h("b", {}, first.sure ? "What would change it: " : "What could change it: "), this.changeWords(first)),
      two !== null && (first === null || two.sure) && h("p", {}, h("b", {}, "No single change is enough. "), this.changeWords(two)),
      others.length > 0 && h("details", {}, h("summary", {}, `${others.length} other single change${others.length === 1 ? "" : "s"}`),
        h("ul", {}, others.map((c) => h("li", {}, this.changeWords(c))))));
  }

  // The button that was pressed is gone: without this the keyboard would start from the top of the page.
  private toFirst() {
    this.quiz.querySelector<HTMLElement>("button")?.focus();
  }

  // One question at a time. What is known follows from the replies.
  private question() {
    let known = this.d.nothingKnown();
    const unsure = new Set<number>();
    for (const { feature, reply } of this.asked)
      if (reply === "unsure") unsure.add(feature);
      else known = this.d.given(known, feature, reply === "yes");
    const reach = this.d.explore(known);
    const feature = this.d.nextQuestion(known, unsure);
    this.onReach(this.asked.length === 0 ? null : reach);
    this.element.classList.toggle("blank", this.asked.length === 0);
    const reply = (word: "yes" | "no" | "unsure", text: string) =>
      h("button", { type: "button", "data-reply": word, onclick: () => {
        this.asked.push({ feature: feature!, reply: word });
        this.question();
        this.toFirst();
      } }, text);
    this.quiz.replaceChildren(
      h("ol", { class: "replies" }, this.asked.map((a) =>
        h("li", {}, h("span", { dir: "auto" }, question(this.page, this.d, a.feature)), ` ${a.reply === "unsure" ? "not sure" : a.reply}`))),
      feature === null
        ? h("p", { class: "question" }, this.asked.some((a) => a.reply === "unsure") && reach.classes.size > 1 ? "There are no more questions; several answers remain possible." : "No more questions.")
        : h("p", { class: "question" }, h("span", { class: "faint" }, `Question ${this.asked.length + 1}: `),
            h("b", { dir: "auto", "data-feature": feature }, question(this.page, this.d, feature))),
      h("div", { class: "buttons" }, feature !== null && [reply("yes", "Yes"), reply("no", "No"), reply("unsure", "Not sure")],
        this.asked.length > 0 && [h("button", { type: "button", class: "quiet", onclick: () => {
          this.asked.pop();
          this.question();
          this.toFirst();
        } }, "Back"), h("button", { type: "button", class: "quiet", onclick: () => {
          this.clear();
          this.toFirst();
        } }, "Start again")]));
    this.tell(...(this.asked.length === 0 ? [] : this.answerWords(reach, known, this.d.columns.map(() => null))));
    if (this.asked.length > 0) this.agree({ values: new Map(), cells: this.d.columns.map((column, i) => ({ column, known: known[i]! })) });
  }
}

// How far the values of a column lie apart, in the rows or else between its thresholds.
function span(c: AskedColumn, sets: RowSet[]): number {
  const rows = sets.flatMap((set) => set.columns.find((x) => x.name === c.name)?.values ?? []).filter((v): v is number => typeof v === "number");
  const cuts = c.cells.flatMap((x) => (x.kind === "interval" && x.atMost !== Infinity ? [x.atMost!] : []));
  const width = (list: number[]) => largest(list) + largest(list.map((v) => -v));
  for (const list of [rows, cuts]) if (list.length > 1 && width(list) > 0) return width(list);
  return 1;
}
