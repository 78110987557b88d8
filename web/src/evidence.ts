// How good it is, what is proven, where it comes from.
import { chart } from "./charts";
import { amount, kRole, type FeatureSet, type Figures, type Lift, type Page, type RowSet, type SizePoint } from "./data";
import { counted, decimal, feature, h, largest, percent, shown } from "./dom";
import { copyButton } from "./downloads";
import { bound, gain, isNear } from "./head";
import { control, interestSelect } from "./interest";
import type { Diagram } from "./logic";
import { wilson } from "./statistics";

const kTitle = { training: "Training", test: "Test", other: "Other rows" } as const;

// The full number is kept with the rounded one, for the tests.
const figure = (name: string, value: number, text: string) => h("span", { "data-figure": name, "data-value": value }, text);

function accuracyTable(sets: RowSet[]) {
  const costs = sets.some((set) => set.evaluation.cost !== undefined);
  const line = (name: HTMLElement | string, note: string, f: Figures, key: string, strong: boolean) =>
    h("tr", { class: strong ? "strong" : null },
      h("th", { scope: "row" }, name, note !== "" && h("div", { class: "hint" }, note)),
      costs && h("td", { class: "number" }, f.cost === undefined ? "\u2013" : figure(`${key}.cost`, f.cost, decimal(f.cost))),
      h("td", { class: "number" }, figure(`${key}.accuracy`, f.accuracy, percent(f.accuracy)), h("div", { class: "hint" }, f.low === null || f.high === null ? "not known" : `${percent(f.low, 1).replace("\u202f%", "")} to ${percent(f.high, 1)}`)),
      h("td", { class: "number" }, figure(`${key}.errors`, f.errors, decimal(f.errors))),
      h("td", { class: "number" }, figure(`${key}.balanced_accuracy`, f.balanced_accuracy, percent(f.balanced_accuracy))));
  return h("div", { class: "pair sets" }, sets.map((set, i) => h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": `Accuracy on ${kRole[set.role]}` }, h("table", { class: "figures" },
    h("caption", {}, `${kTitle[set.role]}: ${counted(set.rows, "row")}${set.name ? `, ${shown(set.name, 60)}` : ""}`),
    h("thead", {}, h("tr", {}, h("td"), costs && h("th", { scope: "col", class: "number" }, "cost"), h("th", { scope: "col", class: "number" }, "accuracy", h("div", { class: "hint" }, "95\u202f% interval")),
      [set.weighted ? "errors (weight)" : "errors", "balanced accuracy"].map((t) => h("th", { scope: "col", class: "number wrap" }, t)))),
    h("tbody", {}, line("this diagram", "", set.evaluation, `${i}`, true),
      set.baselines.map((b, j) => line(h("span", { dir: "auto" }, shown(b.name, 80)), b.note, b, `${i}.baseline${j}`, false)))))));
}

const kMostInMatrix = 40; // classes; of more a matrix shows nothing to anybody

// The commonest mistakes, where a matrix would be too large.
function mistakes(d: Diagram, set: RowSet) {
  const all = set.evaluation.confusion.flatMap((row, a) => row.flatMap((value, b) => (a !== b && value > 0 ? [{ a, b, value }] : [])));
  const most = all.sort((x, y) => y.value - x.value).slice(0, 20);
  const name = (k: number) => shown(d.model.classes[k]!, 60);
  return h("table", { class: "figures mistakes" }, h("caption", {}, `${kTitle[set.role]}: the most frequent mistakes`),
    h("thead", {}, h("tr", {}, ["true class", "answer"].map((t) => h("th", { scope: "col" }, t)), h("th", { scope: "col", class: "number" }, set.weighted ? "weight" : "rows"))),
    h("tbody", {}, most.map((x) => h("tr", {}, h("td", { dir: "auto" }, name(x.a)), h("td", { dir: "auto" }, name(x.b)), h("td", { class: "number" }, decimal(x.value))))));
}

function perClass(page: Page, d: Diagram, set: RowSet, i: number) {
  const names = d.model.classes.map((c) => shown(c, 60));
  if (names.length > kMostInMatrix)
    return h("div", { class: "pair" }, h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Mistakes" }, mistakes(d, set)),
      h("details", {}, h("summary", {}, `${kTitle[set.role]}: all ${names.length} classes`), classTable(page, d, set, i)));
  const most = set.evaluation.confusion.reduce((m, row) => largest(row, m), 1);
  return h("div", { class: "pair" },
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Confusion matrix" }, h("table", { class: "confusion figures" },
      h("caption", {}, `${kTitle[set.role]}: confusion matrix`),
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "true \u2193  answer \u2192"), names.map((n) => h("th", { scope: "col", class: "number", dir: "auto" }, n)))),
      h("tbody", {}, names.map((n, a) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, n), names.map((_, b) => {
        const value = set.evaluation.confusion[a]![b]!;
        const td = h("td", { class: `number ${a === b ? "hit" : value > 0 ? "miss" : ""}` }, figure(`${i}.confusion.${a}.${b}`, value, decimal(value)));
        td.style.setProperty("--share", String(Math.round((100 * value) / most)));
        return td;
      })))))),
    classTable(page, d, set, i));
}

// The class that people ask about comes first.
function positiveFirst(page: Page, d: Diagram): number[] {
  const all = d.model.classes.map((_, k) => k);
  const first = d.model.classes.indexOf(page.positive ?? "");
  return first < 0 || page.positive === undefined ? all : [first, ...all.filter((k) => k !== first)];
}

function classTable(page: Page, d: Diagram, set: RowSet, i: number) {
  return h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Figures of each class" }, h("table", { class: "figures" },
    h("caption", {}, `${kTitle[set.role]}: each class`),
    h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "class"), [set.weighted ? "weight" : "rows", "precision", "recall", "F1", "specificity"].map((t) => h("th", { scope: "col", class: "number" }, t)))),
    h("tbody", {}, positiveFirst(page, d).map((k) => {
      const name = d.model.classes[k]!;
      const c = set.evaluation.per_class[k]!;
      const cell = (key: "support" | "precision" | "recall" | "f1", text: string) => h("td", { class: "number" }, figure(`${i}.${k}.${key}`, c[key], text));
      const specificity = specificityOf(set.evaluation, k);
      return h("tr", { class: name === page.positive ? "strong" : null }, h("th", { scope: "row", dir: "auto" }, shown(name, 60)), cell("support", decimal(c.support)), cell("precision", c.precision.toFixed(3)), cell("recall", c.recall.toFixed(3)), cell("f1", c.f1.toFixed(3)),
        h("td", { class: "number" }, specificity === null ? "\u2013" : figure(`${i}.${k}.specificity`, specificity, specificity.toFixed(3))));
    }))));
}

// Of the rows that are not of the class, the share that does not get its answer; null where there are none.
export function specificityOf(f: Figures, k: number): number | null {
  const others = f.total - f.per_class[k]!.support;
  if (others <= 0) return null;
  const taken = f.confusion.reduce((sum, row, a) => (a === k ? sum : sum + row[k]!), 0);
  return 1 - taken / others;
}

// Sensitivity, specificity and precision for a class of the reader's choice. Weighted rows would need their effective number for intervals.
function ofInterest(page: Page, d: Diagram, sets: RowSet[]) {
  const { classes } = d.model;
  const share = (key: string, set: RowSet, hits: number, n: number) => {
    const { low, high } = wilson(hits, n);
    return h("td", { class: "number" }, n <= 0 ? "\u2013" : [figure(key, hits / n, percent(hits / n, 1)),
      h("div", { class: "hint" }, `${decimal(hits)} of ${decimal(n)}${set.weighted ? " (weight)" : `, ${percent(low, 1).replace("\u202f%", "")} to ${percent(high, 1)}`}`)]);
  };
  const line = (name: string, note: string, of: (c: { hit: number; taken: number; own: number; total: number }) => [number, number], k: number) =>
    h("tr", {}, h("th", { scope: "row" }, name, h("div", { class: "hint" }, note)), sets.map((set, i) => {
      const { confusion, total } = set.evaluation;
      const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
      return share(`${i}.interest.${name}`, set, ...of({ hit: confusion[k]![k]!, taken: sum(confusion.map((row) => row[k]!)), own: sum(confusion[k]!), total }));
    }));
  const box = h("div");
  const draw = () => {
    const k = Number(select.value);
    const name = shown(classes[k]!, 40);
    box.replaceChildren(h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Figures of the class of interest" }, h("table", { class: "figures", id: "interest" },
      h("caption", { dir: "auto" }, `How well ${name} is told from the rest`),
      h("thead", {}, h("tr", {}, h("td"), sets.map((set) => h("th", { scope: "col", class: "number" }, kTitle[set.role], h("div", { class: "hint" }, set.weighted ? "by weight, without intervals" : "95\u202f% interval"))))),
      h("tbody", {}, line("sensitivity", "rows of this class that get this answer", (c) => [c.hit, c.own], k),
        line("specificity", "rows of other classes that get another answer", (c) => [c.total - c.own - c.taken + c.hit, c.total - c.own], k),
        line("precision", "rows with this answer that are of this class", (c) => [c.hit, c.taken], k)))));
  };
  const select = interestSelect("evidence-class", page, classes, draw);
  draw();
  return h("div", { class: "interest" }, control("Class of interest", select), box);
}

function proof(page: Page, d: Diagram) {
  const history = page.history;
  const t = d.model.training;
  const depth = d.model.claim.depth;
  const out: (HTMLElement | null)[] = [
    h("p", { class: history.optimal || isNear(page) ? "proven" : "warning" }, capital(history.claim) + (/[.)]$/.test(history.claim) ? "" : ".")),
    history.optimal && history.feature_sets !== "" && depth > 0 ? h("p", {}, `There are ${history.feature_sets} sets of at most ${depth} of the ${t.num_features} features; the proof covers them all.`) : null,
    h("p", {}, "A feature is a test of one column that holds or fails: ", h("a", { href: "#features" }, "all of them"), ". Errors are those on the training rows."),
    history.optimal ? h("p", {}, "The proof is about the training rows and these features. It says nothing about other rows or other kinds of model"
      + (!d.model.columns.some((c) => c.type === "numeric") ? "." : t.thresholds === "all" ? ". Every threshold that could matter is among the features." : `. For numbers it covers only the chosen thresholds (${t.thresholds}): others might do better.`)) : null];
  if (history.certificate)
    out.push(h("p", {}, "Certificate ", h("code", {}, shown(history.certificate.name, 80)), ", SHA-256 ", h("code", { class: "hash", "data-figure": "certificate" }, history.certificate.sha256),
      ". With it, the model and the table, anyone can check the claim with a small program that shares no code with the engine:"),
      copyable(`beadwork binarize DATA --like model.json${history.certificate.over_values ? " --values" : ""} -o rows.txt\nbeadcheck rows.txt model.json ${/^[\w.-]+$/.test(history.certificate.name) ? history.certificate.name : "CERTIFICATE"}`, "Copy the commands"),
      h("p", { class: "hint" }, history.certificate.verdict === "" ? "This page has not checked it. " : `beadcheck said: ${history.certificate.verdict}. `, "DATA is the table of the training rows; the model says how it was read."));
  else if (history.optimal && !history.certifiable)
    out.push(h("p", {}, "There is no certificate for a claim of this kind: it rests on the run that made it."));
  else if (history.optimal)
    out.push(h("p", {}, "This page was given no certificate; ", h("code", {}, "fit --certificate FILE"), " writes one that a small independent program, ", h("code", {}, "beadcheck"), ", verifies."));
  return out.filter((x): x is HTMLElement => x !== null);
}

function bounds(page: Page) {
  const b = page.history.bounds;
  const upper = b.filter((p) => p[2] !== null).map((p): [number, number] => [p[0], p[2]!]);
  if (upper.length < 2) return [];
  const last = b[b.length - 1]!;
  return [h("h3", {}, "Bounds over time"),
    chart([{ name: `best diagram so far (${page.history.measure})`, kind: "upper", points: upper, step: true },
      { name: "proven lower bound", kind: "lower", points: b.map((p): [number, number] => [p[0], p[1]]), step: true }],
    "seconds", page.history.measure, `After ${decimal(last[0])} seconds the best diagram had ${last[2] === null ? "none" : decimal(last[2])} ${page.history.measure}, and the lower bound was ${decimal(last[1])}.`)];
}

// Errors against nodes: a line for each number of features, as in fit --front-plot.
function sizes(page: Page) {
  const { measure, outcome } = page.history;
  const front = outcome?.front?.points ?? [];
  if (front.length === 0) return [];
  const best = [...front].sort((a, b) => a.size - b.size || amount(a) - amount(b)).filter((p, i, all) => all.slice(0, i).every((q) => amount(q) > amount(p)));
  const out: (HTMLElement | false)[] = [h("h3", {}, `${capital(measure)} against size`),
    h("p", {}, `The best trade-offs between features, nodes and ${measure}.${outcome!.front!.complete ? "" : " The run was stopped: there may be more."}`),
    best.length > 1 && chart([{ name: `least ${measure} with this many nodes`, kind: "upper", points: best.map((p): [number, number] => [p.size, amount(p)]), step: true }],
      "nodes, answers included", measure, "The table below has the numbers.", true),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Sizes" }, h("table", { class: "figures", id: "front" },
      h("thead", {}, h("tr", {}, ["features", "nodes", measure, "status"].map((t) => h("th", { scope: "col", class: t === "status" ? null : "number" }, t)))),
      h("tbody", {}, front.map((p) => h("tr", {}, h("td", { class: "number" }, p.num_features), h("td", { class: "number" }, p.size), h("td", { class: "number" }, decimal(amount(p))),
        h("td", {}, p.status === "optimal" ? "optimal" : `at least ${decimal(p.lower_bound)}`))))))];
  return out.filter((x): x is HTMLElement => x !== false);
}

function front(page: Page) {
  const points = page.history.outcome?.by_depth ?? [];
  if (points.length === 0) return [];
  const out: (HTMLElement | false)[] = [h("h3", {}, `Least ${page.history.measure} for every depth`),
    points.length > 1 && chart([{ name: `least ${page.history.measure}`, kind: "upper", points: points.map((p): [number, number] => [p.depth, amount(p)]), step: false }],
      "depth (largest number of features)", page.history.measure, "The table below has the numbers.", true),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Depths" }, h("table", { class: "figures", id: "depths" },
      h("thead", {}, h("tr", {}, ["depth", page.history.measure, "status", "features"].map((t) => h("th", { scope: "col", class: t === page.history.measure ? "number" : null }, t)))),
      h("tbody", {}, points.map((p) => h("tr", {}, h("th", { scope: "row" }, p.depth), h("td", { class: "number" }, decimal(amount(p))),
        h("td", {}, p.status === "optimal" ? "optimal" : `${p.status}, at least ${decimal(p.lower_bound)}`), h("td", { dir: "auto" }, p.features.map((f) => feature(f)).join(" \u00b7 ")))))))];
  return out.filter((x): x is HTMLElement => x !== false);
}

// How option size chose, over the folds: what held-out rows lost, in percent or in costs.
function choice(page: Page) {
  const c = page.history.outcome?.size_choice;
  if (!c || c.chosen === null) return [];
  const costs = page.history.measure === "cost";
  const lost = (p: SizePoint) => (costs ? -p.mean : 100 * (1 - p.mean));
  const unit = costs ? "mean cost of held-out rows" : "held-out rows wrong, in %";
  const told = (p: SizePoint) => costs ? `a mean cost of ${lost(p).toPrecision(4)} in held-out rows, give or take ${p.standard_error.toPrecision(2)}`
    : `${lost(p).toFixed(2)} % of held-out rows wrong, give or take ${(100 * p.standard_error).toFixed(2)}`;
  const chosen = c.chosen;
  const depths = chosen.nodes === undefined; // a depth was to be chosen, not nodes
  const size = (p: SizePoint) => p.nodes ?? p.depth;
  const sizes = [...new Set(c.curve.map(size))];
  const best = sizes.map((n): [number, number] => [n, -largest(c.curve.filter((p) => size(p) === n).map((p) => -lost(p)))]);
  const out: (HTMLElement | false)[] = [h("h3", {}, `How the ${depths ? "depth" : "size"} was chosen`),
    h("p", { id: "chosen-size" }, `By ${counted(c.folds, "fold")} of the training rows, each answered by diagrams learnt from the others: at most ${chosen.nodes === undefined ? "" : `${counted(chosen.nodes, "node")} on at most `}${counted(chosen.depth, "feature")}, with ${told(chosen)}.${c.complete ? "" : " The run was stopped: larger sizes may not have been tried in full."}`),
    best.length > 1 && chart([{ name: `least ${unit}`, kind: "upper", points: best, step: false }],
      depths ? "features" : "nodes, answers included", unit, "The table below has the numbers.", true),
    h("details", {}, h("summary", {}, `All ${c.curve.length} ${depths ? "depths" : "sizes"}`), h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Sizes tried" }, h("table", { class: "figures", id: "sizes-tried" },
      h("thead", {}, h("tr", {}, [...(depths ? [] : ["nodes"]), "features", unit, "standard error"].map((t) => h("th", { scope: "col", class: "number" }, t)))),
      h("tbody", {}, c.curve.map((p) => h("tr", {}, [...(depths ? [] : [size(p)]), p.depth, lost(p).toFixed(2), (p.standard_error * (costs ? 1 : 100)).toFixed(2)].map((v) => h("td", { class: "number" }, v))))))))];
  return out.filter((x): x is HTMLElement => x !== false);
}

// What leaving out a column costs, the dearest first: the importance of columns, with proof.
function prices(page: Page) {
  const { measure, outcome } = page.history;
  const priced = (outcome?.columns ?? []).filter((c) => c.price !== undefined);
  if (priced.length === 0) return [];
  type Price = NonNullable<(typeof priced)[0]["price"]>;
  const words = (p: Price) => p.status === "required" ? "required: there is no diagram without it"
    : p.status !== "optimal" ? `between ${decimal(p.least!)} and ${decimal(p.most!)} ${measure} more, not proven`
    : p.most === 0 ? "nothing, proven: another diagram without it is as good" : `${decimal(p.most!)} ${p.most === 1 && measure === "errors" ? "error" : measure} more, proven`;
  const dearest = [...priced].sort((a, b) => (b.price!.most ?? Infinity) - (a.price!.most ?? Infinity));
  const most = largest(priced.map((c) => c.price!.most ?? 0), 1);
  const free = priced.filter((c) => c.price!.status === "optimal" && c.price!.most === 0).map((c) => shown(c.column, 60));
  const bar = (p: Price) => {
    const part = (x: number) => h("span", { class: x === p.least ? "bar-least" : "bar-most" });
    const box = h("div", { class: "price-bar", "aria-hidden": "true" }, part(p.least ?? 0), p.most !== p.least && part(p.most ?? 0));
    [p.least ?? 0, (p.most ?? 0) - (p.least ?? 0)].forEach((x, i) => box.children[i] && ((box.children[i] as HTMLElement).style.width = `${(100 * x) / most}%`));
    return box;
  };
  return [h("h3", {}, "What leaving out a column costs"),
    h("p", {}, `${measure === "cost" ? "How much more the best diagram of this size costs" : "How many errors more the best diagram of this size makes"} if it may not test the column at all, and how many training rows get another answer if this column alone has another value.`),
    ...(free.length === 0 ? [] : [h("p", { id: "free-columns" }, `Leaving out ${free.length === 1 ? free[0]! : `any one of ${free.slice(0, -1).join(", ")} and ${free[free.length - 1]}`} costs nothing: another diagram of this size is as good without it.`)]),
    h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Prices" }, h("table", { class: "figures", id: "prices" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "column"), h("th", { scope: "col" }, "without it"), h("th", { scope: "col", class: "number" }, "rows it can turn"))),
      h("tbody", {}, dearest.map((c) => h("tr", {}, h("th", { scope: "row", dir: "auto" }, shown(c.column, 60)), h("td", {}, words(c.price!), c.price!.status !== "required" && bar(c.price!)), h("td", { class: "number" }, decimal(c.turns)))))))];
}

// Sets without features that do nothing in them, each once; the diagram's own is marked.
function near(page: Page) {
  const n = page.history.outcome?.near_sets;
  if (!n) return [];
  const own = [...(page.history.outcome!.used_features ?? [])].sort().join("\n");
  const isOwn = (x: FeatureSet) => [...x.features].sort().join("\n") === own;
  const all = [...(n.without_idle ?? n.sets)].sort((a, b) => amount(a) - amount(b));
  const table = (sets: FeatureSet[]) => h("div", { class: "scroll", tabindex: 0, role: "group", "aria-label": "Feature sets" }, h("table", { class: "figures near" },
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "number" }, page.history.measure), h("th", { scope: "col" }, "features"))),
    h("tbody", {}, sets.map((x) => h("tr", { class: isOwn(x) ? "strong" : null }, h("td", { class: "number" }, decimal(amount(x))),
      h("td", { dir: "auto" }, x.features.length === 0 ? "none: always the same answer" : x.features.map((f) => feature(f)).join(" \u00b7 "), isOwn(x) && h("span", { class: "hint" }, " (this diagram)")))))));
  const count = n.without_idle === undefined && all.length < n.num_sets ? `The first ${all.length} of ${counted(n.num_sets, "feature set")}` : counted(all.length, "feature set");
  const idle = n.without_idle === undefined ? " Some may contain features that do nothing in them." : " Features that do nothing in a set are left out of it.";
  const out: (HTMLElement | false)[] = [h("h3", {}, "The best feature sets"),
    h("p", { id: "near-sets" }, `${count}${all.some(isOwn) ? ", this diagram\u2019s own among them" : ""}.${idle}${n.complete ? "" : " The run was stopped: there may be more."}`),
    table(all.slice(0, 10)), all.length > 10 && h("details", {}, h("summary", {}, `${all.length - 10} more`), table(all.slice(10)))];
  return out.filter((x): x is HTMLElement => x !== false);
}

// Better than always the same answer, and by how much?
const liftWords = (lift: Lift) => `${gain(lift.points, lift)}, 95\u202f% interval ${bound(lift.low, lift)} to ${bound(lift.high, lift)}`;
function heldOut(page: Page, sets: RowSet[]) {
  const out: HTMLElement[] = sets.flatMap((set) => {
    const baseline = set.baselines[0];
    return set.role === "training" || !baseline?.lift ? []
      : [h("p", { class: "lift" }, `On the ${kRole[set.role]} this diagram gains on \u201c${shown(baseline.name, 60)}\u201d: `, h("b", {}, liftWords(baseline.lift)), ".")];
  });
  const v = page.history.validation;
  if (v) out.push(h("p", { class: "lift", id: "validation" }, `Cross-validation: in ${v.folds} parts, the training rows were answered by diagrams of the same kind that were learnt from the other parts. ${v.cost === undefined ? `They were right for ${percent(v.accuracy, 1)} of them; always the most frequent class is right for ${percent(v.baseline, 1)}`
    : `Their answers cost ${v.cost.toPrecision(3)} a row; always the answer that costs least in the other parts costs ${v.baseline_cost!.toPrecision(3)}`}: `,
    h("b", {}, liftWords(v.lift)), `. This took ${v.seconds.toPrecision(2)} seconds; these diagrams need not be proven optimal.`));
  return out;
}

export function evidence(page: Page, d: Diagram, sets: RowSet[]) {
  const training = sets.find((x) => x.role === "training");
  return h("section", { class: "evidence", id: "evidence", "aria-labelledby": "evidence-title" },
    h("h2", { id: "evidence-title" }, "The evidence"),
    h("div", { id: "accuracy" }, accuracyTable(sets)), ...heldOut(page, sets),
    h("p", { class: "hint" }, "Intervals of accuracies are Wilson\u2019s, those of gains Bonett and Price\u2019s for paired answers, at 95\u202f%", sets.some((x) => x.weighted) ? ", computed with Kish\u2019s effective number of rows. " : ". ",
      "Balanced accuracy is the mean of the classes' recalls. ",
      training !== undefined && "Accuracy on training rows is optimistic: the diagram was chosen on them. ",
      !sets.some((x) => x.role === "test") && "There were no test rows for this report. ",
      sets.some((x) => x.baselines.some((b) => b.name === "CART")) && d.model.training.engine !== "cart"
        && `CART's tree may test different features on each branch, more than a diagram of depth ${d.model.claim.depth} can. So it can make fewer errors.`),
    ...sets.flatMap((set) => (set.unseen ?? []).map(([c, n]) => h("p", { class: "warning" }, `${counted(n, "row")} of the ${kRole[set.role]} had a value of ${shown(c, 60)} that did not occur in training: every test on that column fails.`))),
    ofInterest(page, d, sets), ...sets.map((set, i) => perClass(page, d, set, i)),
    h("p", { class: "hint" }, "Precision: the share of the rows with this answer that are of this class. Recall, also called sensitivity: the share of the rows of this class that get this answer. F1: their harmonic mean. Specificity: the share of the rows of other classes that get another answer."),
    h("h3", { id: "proof" }, "What is proven"), ...proof(page, d), ...bounds(page), ...front(page), ...sizes(page), ...choice(page), ...prices(page), ...near(page));
}

export function origin(page: Page, d: Diagram) {
  const t = d.model.training;
  const history = page.history;
  const tested = new Set(d.columns.flatMap((c) => c.features));
  const used = new Set([...tested].map((f) => shown(d.model.features[f]!.name)));
  const fact = (name: string, value: HTMLElement | string) => [h("dt", {}, name), h("dd", {}, value)];
  return h("section", { class: "origin", id: "origin", "aria-labelledby": "origin-title" }, h("h2", { id: "origin-title" }, "How it was made"),
    h("dl", {},
      fact("engine", t.engine), fact("depth", `asks at most ${counted(d.model.claim.depth, "question")}`), fact("features tested", `${tested.size} of ${t.num_features}`),
      fact("training rows", `${t.rows}${t.total_weight !== t.rows * t.weight_scale ? `, weight ${decimal(t.total_weight / t.weight_scale)}` : ""}`),
      fact("thresholds", t.thresholds), fact("seed", String(t.seed)),
      d.model.claim.exactly ? fact("reading", "the paper's") : [],
      t.rows_sha256 ? fact("hash of the training rows, in any order", h("code", { class: "hash" }, t.rows_sha256)) : [],
      t.file_sha256 ? fact("SHA-256 of the file, as sha256sum prints it", h("code", { class: "hash" }, t.file_sha256)) : [],
      t.data_sha256 ? fact("hash of the 0/1 table, of an older kind", h("code", { class: "hash" }, t.data_sha256)) : [],
      fact("beadwork", page.beadwork),
      history.options.length > 0 ? fact("options", history.options.map(([n, v]) => `${n} ${shown(v, 80)}`).join("  ")) : []),
    h("h3", {}, "To make it again"), history.command ? copyable(shownLines(history.command), "Copy the command")
      : h("p", {}, "No command makes this model: a person chose or changed it by hand, or another program made it."),
    page.labels ? [h("h3", {}, "Names on this page"), h("p", {}, "This page uses readable names. The model file, the tables that the page saves and the files that it scores keep the original ones:"),
      h("ul", { class: "columns", id: "labels" }, page.labels.map(([column, value, text]) => h("li", { dir: "auto" }, h("b", {}, shown(text, 120)), value === "" ? ` is the column ${shown(column, 80)}` : ` is ${shown(value, 80)} of ${shown(column, 80)}`)))] : [],
    h("h3", { id: "features" }, "From columns to features"),
    h("p", {}, "Every feature is a test on one column. A missing value, or a category that did not occur in training, fails every test except \u201cis missing\u201d. ",
      history.columns ? `All features${tested.size > 0 ? ", those of the diagram in bold" : ""}:` : "The features of the model:"),
    history.columns ? columnList(history.columns, used) : h("ul", { class: "columns" }, page.diagram.tests.map((x) => h("li", { dir: "auto" }, x[0]))));
}

// Columns of 0 and 1 are their own tests: they share a line.
function columnList(columns: NonNullable<Page["history"]["columns"]>, used: Set<string>) {
  const plain = columns.filter((c) => c.count === 1 && c.tests[0] === shown(c.name));
  return h("ul", { class: "columns" },
    plain.length > 0 && h("li", {}, "columns of 0 and 1, each its own test: ", tests(plain.map((c) => c.tests[0]!), used)),
    columns.filter((c) => !plain.includes(c)).map((c) => h("li", {}, h("b", { dir: "auto" }, shown(c.name, 80)), ` (${c.type === "numeric" ? "numbers" : "categories"}): `,
      c.count === 0 ? "constant, not used" : c.tests.length <= 12 && c.count === c.tests.length ? tests(c.tests, used)
        : h("details", {}, h("summary", {}, `${c.count} tests`), tests(c.tests, used), c.count > c.tests.length ? ` and ${c.count - c.tests.length} more` : ""))));
}

const tests = (names: string[], used: Set<string>) =>
  h("span", { dir: "auto" }, names.map((n, i) => [i > 0 && " \u00b7 ", used.has(n) ? h("b", {}, feature(n, 200)) : feature(n, 200)]));
const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
const shownLines = (text: string) => text.split("\n").map((line) => shown(line, 2000)).join("\n");

export function copyable(text: string, label: string) {
  return h("div", { class: "copyable" }, h("pre", { tabindex: 0, role: "group", "aria-label": "text to copy" }, text), copyButton(() => text, label, "copy"));
}
