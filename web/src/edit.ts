// Editing by hand: another test, threshold, edge or answer, with the errors at once. The result is a model like the others, except
// that nothing is proven of it.
import type { ModelFile, Page, RowSet, Value } from "./data";
import { counted, decimal, h, list, percent, shown } from "./dom";
import { save } from "./downloads";
import { figuresOf, liftOf, mostPaths, pathCounts, saved, targets, thresholdText, withAnswer, withEdge, withTest, type Target, type Test, type Weighed } from "./draft";
import { histogram } from "./histogram";
import { modelOf, Names, Originals, relabelled } from "./labels";
import { Diagram, edgeKey, type AskedColumn } from "./logic";
import { Cases, follow, type Brief, type Entry, type Models } from "./models";
import { place } from "./place";
import { rules } from "./rules";
import { example, valueOf, valueText } from "./values";

type Log = { page: string; file: string };
interface Step { model: ModelFile; log: Log[]; tag: string } // a tag: moving the same threshold again is the same step

const kEdited = "edited by hand: nothing is proven, better ones may exist"; // as claim/words.cpp says it
const kTried = 40; // thresholds or categories that are tried for a new column

// [yes, no] of each feature, in the model's words.
function testWords(model: ModelFile): [string, string][] {
  return model.features.map((f) => {
    const c = model.columns[f.column]!;
    const name = shown(c.name);
    if (f.test === "missing") return [`${name} is missing`, `${name} is present`];
    if (f.test === "at_most") {
      const cut = thresholdText(c.reading, f.threshold!);
      return [`${name} \u2264 ${cut}`, `${name} > ${cut}`];
    }
    if (c.levels!.join() === "0,1" && f.level === "1") return [name, `not ${name}`];
    return [`${name} = ${shown(f.level!)}`, `${name} \u2260 ${shown(f.level!)}`];
  });
}

const quoted = (text: string) => `\u201c${shown(text, 60)}\u201d`;
const testName = (model: ModelFile, n: number) => {
  const node = model.diagram.nodes[n]!;
  return "class" in node ? "" : quoted(testWords(model)[node.feature]![0]);
};
const targetName = (model: ModelFile, to: Target) => ("class" in to ? `the answer ${quoted(model.classes[to.class]!)}` : `test ${to.node + 1} ${testName(model, to.node)}`);
const childOf = (model: ModelFile, n: number, high: boolean): Target => {
  const node = model.diagram.nodes[n] as { low: number; high: number };
  const to = high ? node.high : node.low;
  const child = model.diagram.nodes[to]!;
  return "class" in child ? { class: child.class } : { node: to };
};

// Rows with their weights; null where these are not on the page.
function weighed(set: RowSet, model: ModelFile, names: Names): Weighed | null {
  if (set.shown === 0) return null;
  if (!set.weighted) return { set, weights: null, scale: 1 };
  const name = (model.reading as { weight?: string } | undefined)?.weight;
  const column = name === undefined ? undefined : set.columns.find((c) => c.name === names.column(name));
  if (!column) return null;
  const scale = model.training.weight_scale || 1;
  const weights = column.values.map((w) => Math.round((w as number) * scale));
  return column.values.every((w, i) => Math.abs((w as number) * scale - weights[i]!) < 1e-6) ? { set, weights, scale } : { set, weights: column.values as number[], scale: 1 };
}

class Editor {
  readonly element = h("section", { id: "edit", class: "edit", "aria-labelledby": "edit-title" });
  private readonly parts = h("div", { class: "edit-parts" });
  private readonly effect = h("div", { class: "edit-effect" });
  private base!: Entry;
  private steps: Step[] = [];
  private at = 0;
  private mine: Entry | null = null; // the edited one, once there is one
  private mineAt = 0; // its step
  private part = 0;
  private waiting = 0; // the timer of `later`
  private sets: Weighed[] = [];
  private training!: Weighed;
  private names!: Names;
  private original!: Originals;
  private columns: ModelFile["columns"] = []; // in the words of the file
  private index = new Map<string, number>(); // of features of the whole table, by their names on the page

  constructor(private readonly models: Models) {
    this.element.append(h("h2", { id: "edit-title" }, "Edit the model"));
    this.later(models.shown);
    // While editing, a click in the picture chooses what to edit.
    addEventListener("click", (e) => {
      const g = (e.target as Element).closest?.<SVGGElement>(".picture [data-node], .picture [data-edge]");
      const n = Number(g?.dataset.node ?? g?.dataset.edge?.split(":")[0] ?? NaN);
      if (Number.isNaN(n) || this.waiting !== 0 || this.sets.length === 0) return;
      this.part = n;
      this.draw();
    });
  }

  update(entry: Entry) {
    if (this.waiting !== 0 || (entry !== this.mine && entry !== this.base)) return this.later(entry);
    this.at = entry === this.base ? 0 : this.mineAt;
    this.draw();
  }
  // Another model is there at once; what can be done with it takes a moment more.
  private later(entry: Entry) {
    clearTimeout(this.waiting);
    this.waiting = window.setTimeout(() => {
      this.waiting = 0;
      this.reset(entry);
    }, 60);
  }

  private get model() {
    return this.steps[this.at]!.model;
  }
  private get log() {
    return this.steps[this.at]!.log;
  }

  private reset(base: Entry) {
    this.base = base;
    this.mine = null;
    this.part = 0;
    const { page } = base;
    this.names = new Names(page.labels);
    this.original = new Originals(page);
    const model = JSON.parse(page.texts.model) as ModelFile & { edits?: string[] };
    const { edits, ...rest } = model;
    this.steps = [{ model: rest, log: (edits ?? []).map((t) => ({ page: t, file: t })), tag: "" }];
    this.at = 0;
    const all = this.models.cases.map(({ set }) => weighed(set, model, this.names));
    const training = page.history.measure === "cost" ? undefined : all.find((x) => x?.set.role === "training" && (x.weights?.every(Number.isInteger) ?? true));
    this.sets = training ? all.filter((x): x is Weighed => x !== null) : [];
    const title = h("h2", { id: "edit-title" }, "Edit the model");
    if (!training) {
      this.element.replaceChildren(title, page.history.measure === "cost" ? h("p", {}, "This model was made for costs, which this page cannot count: it cannot be edited here.") : h("p", {}, "To edit the model, this page needs its training rows, with their weights if they have any. Make it with ", h("code", {}, "fit --report"), ", or give ", h("code", {}, "report"), " the training table."));
      return;
    }
    this.training = training;
    this.know(page, training.set);
    const part = this.sets.some((x) => x.set.shown < x.set.rows);
    this.element.replaceChildren(title,
      h("p", { class: "hint" }, "Try another test, threshold or answer, here or by a click in the diagram. The errors are counted at once. An edited model is no longer proven, and it says so.",
        part && ` Figures are of the rows on this page, ${list(this.sets.map((x) => `${x.set.shown.toLocaleString("en")} of ${x.set.rows.toLocaleString("en")} ${x.set.role} rows`), "and")}.`,
        this.sets.some((x) => x.set.role === "test") && " Test rows that guide the edits no longer tell how the model does on new rows."),
      h("div", { class: "edit-panel" }, this.parts, this.effect));
    this.draw();
  }

  // Columns that can be tested, and the places of features in the table that was learnt from.
  private know(page: Page, set: RowSet) {
    this.columns = [...this.model.columns];
    this.index.clear();
    let next = 0;
    for (const c of page.history.columns ?? []) {
      c.tests.forEach((test, i) => this.index.set(this.fileName(c, test), next + i));
      next += c.count;
      const { tests: _, count, ...column } = c;
      const name = this.original.column(c.name);
      const words = (l: string[]) => l.map((v) => this.original.value(c.name, v));
      if (count === 0 || this.columns.some((x) => x.name === name) || !set.columns.some((x) => x.name === c.name)) continue;
      this.columns.push({ ...column, name, ...(c.levels && { levels: words(c.levels) }), ...(c.reading?.levels && { reading: { ...c.reading, levels: words(c.reading.levels) } }) });
    }
  }
  // The name of a feature in the file, from that on the page.
  private fileName(c: ModelFile["columns"][0], test: string): string {
    const name = this.original.column(c.name);
    const rest = test.slice(c.name.length);
    if (!rest.startsWith(" = ")) return name + rest;
    const level = this.original.value(c.name, rest.slice(3));
    return level === "1" && c.levels!.map((l) => this.original.value(c.name, l)).join() === "0,1" ? name : `${name} = ${level}`;
  }
  // A test that the fit did not have has no place in its table: it comes after all of them.
  private readonly placeOf = (name: string) => this.index.get(name) ?? this.model.training.num_features;

  private labelled(model: ModelFile) {
    return relabelled(model, this.names);
  }
  private values(column: string): Value[] {
    return this.training.set.columns.find((c) => c.name === this.names.column(column))?.values ?? [];
  }
  private errors(model: ModelFile, rows: Weighed): number {
    const { answers } = follow(new Diagram(this.labelled(model)), new Cases(rows.set));
    return figuresOf(rows, answers, model.classes.length).errors;
  }

  private commit(model: ModelFile, log: Log, tag = "") {
    if (new Diagram(model).numPaths[0]! > mostPaths) return this.draw(`That would make more than ${mostPaths.toLocaleString("en")} paths.`);
    const again = tag !== "" && tag === this.steps[this.at]!.tag;
    const before = again ? this.at - 1 : this.at;
    this.steps = [...this.steps.slice(0, before + 1), { model, log: [...this.steps[before]!.log, log], tag }];
    this.go(before + 1);
  }
  private go(at: number) {
    const focus = (document.activeElement as HTMLElement | null)?.id;
    this.at = at;
    if (this.part >= this.model.diagram.nodes.length) this.part = 0;
    if (at > 0) {
      const brief = this.brief();
      this.mine = this.mine ? this.models.replace(this.mine, brief) : this.models.add(brief);
      this.mineAt = at;
    }
    this.models.show(at > 0 ? this.mine! : this.base);
    if (focus) (document.getElementById(focus) ?? document.getElementById("edit-part"))?.focus({ preventScroll: true });
  }

  // The page of the edited model.
  private brief(): Brief {
    const model = this.model;
    const labelled = this.labelled(model);
    const d = new Diagram(labelled);
    const log = this.log;
    const paths = pathCounts(d, this.training);
    const whole = this.training.set.shown === this.training.set.rows;
    const text = saved(model, paths, this.training, whole, log.map((l) => l.file));
    const file = JSON.parse(text) as ModelFile;
    const { page } = this.base;
    const { alternatives: _, ...own } = page;
    const tests = testWords(labelled);
    const counting = new Diagram(relabelled(file, this.names));
    const make = (): Page => ({
      ...own,
      texts: { model: text, summary: "", rules: rules(counting, tests) },
      diagram: { ...page.diagram, tests, layout: place(modelOf(page), page.diagram.layout, counting, tests) },
      rows: page.rows.map((packed, i) => this.judged(packed, i, d)),
      history: { ...page.history, claim: kEdited, headline: "edited, not proven", optimal: false, feature_sets: "", certifiable: false, certificate: undefined, validation: undefined, bounds: [], outcome: null,
        command: `${page.history.command}\n${log.map((l) => `# then by hand: ${l.file}`).join("\n")}` },
    });
    return { kind: "edited", claim: kEdited, name: `edited by hand, ${counted(log.length, "change")}`, errors: file.training.errors / this.training.scale, tests: model.diagram.nodes.filter((n) => !("class" in n)).length, columns: labelled.columns.map((c) => c.name), page: make };
  }

  private judged(packed: Page["rows"][0], i: number, d: Diagram): Page["rows"][0] {
    const rows = this.sets.find((x) => x.set === this.models.cases[i]!.set);
    if (!rows) return packed;
    const { answers } = follow(d, this.models.cases[i]!);
    const [most, ...others] = packed.baselines;
    const weights = d.model.classes.map((_, k) => this.training.set.truth.reduce((sum, t, r) => sum + (t === k ? this.training.weights?.[r] ?? 1 : 0), 0));
    const always = weights.indexOf(Math.max(...weights));
    return { ...packed, evaluation: figuresOf(rows, answers, d.model.classes.length), baselines: most ? [most.lift ? { ...most, lift: liftOf(rows, answers, always) } : most, ...others] : [] };
  }

  private draw(trouble = "") {
    if (this.sets.length === 0) return;
    const model = this.model;
    const labelled = this.labelled(model);
    const d = new Diagram(labelled);
    const over = this.passing(d);
    const words = testWords(labelled);
    const part = h("select", { id: "edit-part", onchange: () => ((this.part = Number(part.value)), this.draw(), document.getElementById("edit-part")!.focus()) },
      model.diagram.nodes.map((n, i) => h("option", { value: i, selected: i === this.part }, "class" in n ? `square ${i + 1}: answer ${shown(labelled.classes[n.class]!, 60)}` : `test ${i + 1}: ${shown(words[n.feature]![0], 60)}`)));
    this.parts.replaceChildren(field("What to edit", part), ...("class" in model.diagram.nodes[this.part]! ? this.answerFields(labelled) : [...this.testFields(), ...this.edgeFields(labelled, over)]),
      ...(trouble === "" ? [] : [h("p", { class: "warning", role: "alert" }, trouble)]), this.unseen(labelled, over));
    this.tell(model);
  }

  // Training weight over each edge.
  private passing(d: Diagram): Map<string, number> {
    const over = new Map<string, number>();
    pathCounts(d, this.training).forEach((counts, p) => {
      const weight = counts.reduce((a, b) => a + b, 0) / this.training.scale;
      if (weight > 0) for (const s of d.stepsOf(p).steps) over.set(edgeKey(s.node, s.passed), (over.get(edgeKey(s.node, s.passed)) ?? 0) + weight);
    });
    return over;
  }

  private answerFields(labelled: ModelFile): HTMLElement[] {
    const n = this.part;
    const was = (this.model.diagram.nodes[n] as { class: number }).class;
    const answer = h("select", { id: "edit-answer", onchange: () => {
      const to = Number(answer.value);
      if (to === was) return;
      this.commit(withAnswer(this.model, n, to), this.say((m) => `square ${n + 1}: the answer ${quoted(m.classes[was]!)} became ${quoted(m.classes[to]!)}`));
    } }, labelled.classes.map((c, k) => h("option", { value: k, selected: k === was }, shown(c, 60))));
    return [field("Answer", answer)];
  }

  private say(words: (model: ModelFile) => string): Log {
    return { page: words(this.labelled(this.model)), file: words(this.model) };
  }

  // Where the edges lead.
  private edgeFields(labelled: ModelFile, over: Map<string, number>): HTMLElement[] {
    const n = this.part;
    return [true, false].map((high) => {
      const now = childOf(this.model, n, high);
      const key = (t: Target) => ("class" in t ? `c${t.class}` : `n${t.node}`);
      const choices: Target[] = [...labelled.classes.map((_, k) => ({ class: k })), ...targets(this.model, n).map((node) => ({ node }))];
      if (!choices.some((t) => key(t) === key(now))) choices.push(now);
      const select = h("select", { id: high ? "edit-yes" : "edit-no", onchange: () => {
        const to = choices.find((t) => key(t) === select.value)!;
        if (key(to) === key(now)) return;
        this.commit(withEdge(this.model, n, high, to), this.say((m) => `test ${n + 1} ${testName(m, n)}: ${high ? "yes" : "no"} leads to ${targetName(m, to)}, no longer to ${targetName(m, now)}`));
      } }, choices.map((t) => h("option", { value: key(t), selected: key(t) === key(now) }, targetName(labelled, t))));
      const rows = over.get(edgeKey(n, high)) ?? 0;
      return field(high ? "If yes" : "If no", select, rows === 0 ? "no training row goes this way" : this.rows(rows));
    });
  }
  private rows(weight: number): string {
    return this.training.weights === null ? `${counted(weight, "training row")}` : `training weight ${decimal(weight)}`;
  }

  // Edges that nobody took: what they lead to is free to choose.
  private unseen(labelled: ModelFile, over: Map<string, number>): HTMLElement {
    const free = this.model.diagram.nodes.flatMap((x, n) => ("class" in x ? [] : [true, false].filter((high) => !over.has(edgeKey(n, high))).map((high) => ({ n, high }))));
    if (free.length === 0) return h("p", { class: "hint" }, "Training rows went along every edge.");
    return h("details", { class: "edit-unseen" }, h("summary", {}, `No training row took ${counted(free.length, "edge")}: ${free.length === 1 ? "its" : "their"} answers cost nothing in training`),
      h("ul", {}, free.slice(0, 50).map(({ n, high }) => h("li", {}, h("button", { type: "button", class: "quiet", onclick: () => {
        this.part = n;
        this.draw();
        document.getElementById(high ? "edit-yes" : "edit-no")?.focus();
      } }, `test ${n + 1} ${testName(labelled, n)}, ${high ? "yes" : "no"}: ${targetName(labelled, childOf(this.model, n, high))}`)))));
  }

  private testOf(n: number): Test {
    const node = this.model.diagram.nodes[n] as { feature: number };
    const { test, threshold, level, column } = this.model.features[node.feature]!;
    return { test, column: this.model.columns[column]!, ...(threshold !== undefined && { threshold }), ...(level !== undefined && { level }) };
  }
  private samePlaces(n: number): number[] {
    const { feature } = this.model.diagram.nodes[n] as { feature: number };
    return this.model.diagram.nodes.flatMap((x, i) => (!("class" in x) && x.feature === feature ? [i] : []));
  }

  private testFields(): HTMLElement[] {
    const n = this.part;
    const now = this.testOf(n);
    const places = this.samePlaces(n);
    const all = h("input", { type: "checkbox", id: "edit-all", checked: true });
    const where = () => (places.length > 1 && all.checked ? places : [n]);
    const put = (t: Test, tag = "") => {
      const at = where();
      const next = withTest(this.model, at, t, this.placeOf);
      const name = (labels: boolean) => {
        const one = withTest({ ...this.model, diagram: { nodes: [{ feature: (this.model.diagram.nodes[n] as { feature: number }).feature, low: 1, high: 2 }, { class: 0 }, { class: this.model.classes.length > 1 ? 1 : 0 }] } }, [0], t, this.placeOf);
        return one.features.length === 0 ? "" : quoted(testWords(labels ? this.labelled(one) : one)[0]![0]);
      };
      const from = tag !== "" && tag === this.steps[this.at]!.tag ? this.steps[this.at - 1]!.model : this.model;
      const words = (m: ModelFile, labels: boolean) => `test ${n + 1}: ${testName(m, n)} became ${name(labels)}${at.length > 1 ? ` in ${at.length} places` : ""}`;
      this.commit(next, { page: words(this.labelled(from), true), file: words(from, false) }, tag);
    };
    const column = h("select", { id: "edit-column", onchange: () => put(this.bestTest(this.columns[Number(column.value)]!, where())) },
      this.columns.map((c, i) => h("option", { value: i, selected: c.name === now.column.name }, shown(this.names.column(c.name), 60))));
    const c = now.column;
    const kinds: Test["test"][] = [c.type === "numeric" ? "at_most" : "equals", ...(now.test === "missing" || this.values(c.name).some((v) => v === null) ? ["missing" as const] : [])];
    const kind = h("select", { id: "edit-kind", "aria-label": "Kind of test", onchange: () => put(kind.value === "missing" ? { column: c, test: "missing" } : this.bestTest(c, where())) },
      kinds.map((k) => h("option", { value: k, selected: k === now.test }, k === "missing" ? "is missing" : k === "equals" ? "is" : "is at most")));
    const rest = now.test === "missing" ? [] : now.test === "equals" ? [this.levelField(now, put)] : this.thresholdFields(now, put, where);
    return [field("Test", column, "", kind, ...rest.slice(0, 1)), ...rest.slice(1),
      ...(places.length > 1 ? [h("label", { class: "edit-all" }, all, ` also at the other ${places.length === 2 ? "place" : `${places.length - 1} places`} with this test`)] : [])];
  }

  private levelField(now: Test, put: (t: Test) => void) {
    const levels = now.column.levels!;
    const select = h("select", { id: "edit-level", "aria-label": "Category", onchange: () => put({ column: now.column, test: "equals", level: levels[Number(select.value)]! }) },
      levels.map((l, i) => h("option", { value: i, selected: l === now.level }, shown(this.names.value(now.column.name, l), 60))));
    return select;
  }

  // A number, with a slider under the values of the rows; words with an order are a list.
  private thresholdFields(now: Test, put: (t: Test, tag?: string) => void, where: () => number[]): HTMLElement[] {
    const c = now.column;
    const tag = `threshold:${this.part}:${c.name}`;
    if (c.reading?.kind === "ordinal") {
      const words = c.reading.levels!;
      const select = h("select", { id: "edit-threshold", "aria-label": "Highest value that passes", onchange: () => put({ column: c, test: "at_most", threshold: Number(select.value) + 0.5 }) },
        words.slice(0, -1).map((l, i) => h("option", { value: i, selected: i === Math.floor(now.threshold!) }, shown(this.names.value(c.name, l), 60))));
      return [select];
    }
    const cuts = this.cutsOf(c.name);
    const number = h("input", { type: "text", inputmode: "decimal", id: "edit-threshold", "aria-label": "Threshold", size: 9 });
    number.value = c.reading?.kind ? thresholdText(c.reading, now.threshold!) : decimal(now.threshold!);
    if (Number(number.value) !== now.threshold && !c.reading?.kind) number.value = String(now.threshold);
    const picture = h("div", { class: "edit-histogram" });
    const set = (t: number) => ({ column: c, test: "at_most" as const, threshold: t });
    const drawn = this.drawing(c, now.threshold!);
    const preview = (t: number) => {
      picture.replaceChildren(...[this.drawing(c, t)?.element ?? []].flat());
      this.tell(withTest(this.model, where(), set(t), this.placeOf));
    };
    const read = () => valueOf(c.reading, number.value.trim());
    number.addEventListener("input", () => {
      const bad = !Number.isFinite(read());
      number.setAttribute("aria-invalid", String(bad));
      if (!bad) preview(read());
    });
    number.addEventListener("change", () => Number.isFinite(read()) ? read() !== now.threshold && put(set(read()), tag) : this.draw(`${quoted(number.value)} cannot be read; write ${example(c.reading)}, for example.`));
    if (drawn) picture.append(drawn.element);
    if (cuts.length < 2 || !drawn) return [number, picture];
    const slider = h("input", { type: "range", id: "edit-slider", "aria-label": "Threshold, from value to value", min: drawn.low, max: drawn.high, step: "any" });
    slider.value = String(now.threshold);
    slider.setAttribute("aria-valuetext", valueText(c.reading, now.threshold!));
    const nearest = () => cuts.reduce((best, t) => (Math.abs(t - Number(slider.value)) < Math.abs(best - Number(slider.value)) ? t : best));
    slider.addEventListener("input", () => {
      number.value = valueText(c.reading, nearest());
      slider.setAttribute("aria-valuetext", number.value);
      preview(nearest());
    });
    slider.addEventListener("change", () => nearest() !== now.threshold && put(set(nearest()), tag));
    return [number, picture, slider];
  }

  // The middles between neighbouring values: other thresholds part the rows alike.
  private cutsOf(column: string): number[] {
    const values = [...new Set(this.values(column).filter((v): v is number => typeof v === "number"))].sort((a, b) => a - b);
    return values.slice(1).map((v, i) => Number(((v + values[i]!) / 2).toPrecision(12)));
  }

  private drawing(c: ModelFile["columns"][0], cut: number) {
    const name = this.names.column(c.name);
    const column: AskedColumn = { index: 0, name, numeric: true, levels: [], reading: c.reading, features: [], all: 0n, cells: [{ kind: "interval", above: -Infinity, atMost: cut }, { kind: "interval", above: cut, atMost: Infinity }] };
    return histogram(this.base.page, this.base.diagram, column, [this.training.set]);
  }

  // The test of a column that makes the fewest errors in training, among those of a sample.
  private bestTest(c: ModelFile["columns"][0], at: number[]): Test {
    const thin = <T>(all: T[]) => (all.length <= kTried ? all : Array.from({ length: kTried }, (_, i) => all[Math.floor(((i + 0.5) * all.length) / kTried)]!));
    const cuts = c.reading?.kind === "ordinal" ? c.reading.levels!.slice(1).map((_, i) => i + 0.5) : this.cutsOf(c.name);
    const tests: Test[] = c.type === "nominal" ? thin(c.levels!).map((level) => ({ column: c, test: "equals", level })) : thin(cuts).map((threshold) => ({ column: c, test: "at_most", threshold }));
    let best: Test = tests[0] ?? { column: c, test: "missing" };
    let least = Infinity;
    for (const t of tests) {
      const errors = this.errors(withTest(this.model, at, t, this.placeOf), this.training);
      if (errors < least) (least = errors), (best = t);
    }
    return best;
  }

  // Errors before and now, what was done, and what can be done about it.
  private tell(model: ModelFile) {
    const start = this.steps[0]!.model;
    this.element.classList.toggle("edited", this.log.length > 0);
    const row = (rows: Weighed) => {
      const before = this.errors(start, rows);
      const now = this.errors(model, rows);
      const total = figuresOf(rows, rows.set.truth, model.classes.length).total;
      const change = now - before;
      const i = this.models.cases.findIndex((x) => x.set === rows.set);
      return h("tr", {}, h("th", { scope: "row" }, `${rows.set.role} rows`), h("td", { class: "number" }, decimal(before)), h("td", { class: "number strong", "data-figure": `edit.${i}.errors`, "data-value": now }, decimal(now)),
        h("td", { class: `number ${change > 0 ? "worse" : change < 0 ? "better" : ""}` }, change === 0 ? "0" : `${change > 0 ? "+" : "\u2212"}${decimal(Math.abs(change))}`), h("td", { class: "number" }, percent(total > 0 ? 1 - now / total : 0)));
    };
    const button = (id: string, text: string, on: boolean, act: () => void) => h("button", { type: "button", id, disabled: !on, onclick: act }, text);
    this.effect.replaceChildren(h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Errors before and after" }, h("table", { class: "figures", "aria-live": "polite" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "errors in"), ["before", "now", "change", "accuracy"].map((t) => h("th", { scope: "col", class: "number" }, t)))), h("tbody", {}, this.sets.map(row)))),
      h("div", { class: "buttons" }, button("edit-undo", "Undo", this.at > 0, () => this.go(this.at - 1)), button("edit-redo", "Redo", this.at + 1 < this.steps.length, () => this.go(this.at + 1)), button("edit-reset", "Back to the start", this.at > 0, () => this.go(0)),
        button("edit-save", "Save the edited model (JSON)", this.at > 0, () => save("model-edited.json", new Blob([this.models.shown.page.texts.model], { type: "application/json" })))),
      this.log.length === 0 ? h("p", { class: "hint" }, "Nothing has been changed.") : h("ol", { class: "edit-log" }, this.log.map((l) => h("li", { dir: "auto" }, shown(l.page, 300)))));
  }
}

// A name above, a note below.
function field(name: string, control: HTMLElement, note = "", ...more: HTMLElement[]): HTMLElement {
  return h("div", { class: "edit-field" }, h("label", { for: control.id }, name), h("div", { class: "inputs" }, control, more), note !== "" && h("div", { class: "hint" }, note));
}

export function editing(models: Models) {
  const editor = new Editor(models);
  return { element: editor.element, update: (entry: Entry) => editor.update(entry) };
}
