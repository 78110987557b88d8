// A model that a reader changes: tests, edges, answers. Nodes and features are those of a model file, in its own words.
import type { Figures, Lift, ModelFile, RowSet } from "./data";
import { counted } from "./dom";
import { featureName } from "./labels";
import { Diagram } from "./logic";
import { Cases, follow } from "./models";
import { kZ, wilson } from "./statistics";
import { valueText, type Reading } from "./values";

export type Node = ModelFile["diagram"]["nodes"][0];
export type Test = Pick<ModelFile["features"][0], "test" | "threshold" | "level"> & { column: ModelFile["columns"][0] };
export type Target = { node: number } | { class: number };

// As C++ writes it: the shorter of 100000 and 1e+05, fixed where both are as long.
export function numberText(x: number): string {
  const [digits, exponent] = x.toExponential().split("e") as [string, string];
  const scientific = `${digits}e${exponent[0]}${exponent.slice(1).padStart(2, "0")}`;
  const plain = String(x);
  return /e/.test(plain) || scientific.length < plain.length ? scientific : plain;
}

// A threshold as the names of features have it.
export function thresholdText(reading: Reading | undefined, x: number): string {
  if (reading?.kind === undefined || reading.kind === "number" || reading.kind === "boolean") return numberText(x);
  if (reading.kind === "duration") return valueText(reading, Math.floor(x));
  if (reading.kind !== "moment" || reading.fields !== 3) return valueText(reading, x);
  const seconds = new Date(Math.floor(x) * 1000).toISOString();
  return `${seconds.slice(0, 10)} ${seconds.slice(11, 19)}.${String(Math.floor((x - Math.floor(x)) * 1e6)).padStart(6, "0")}`;
}

const nodesOf = (model: ModelFile) => model.diagram.nodes.map((n) => ({ ...n }));
const withNodes = (model: ModelFile, nodes: Node[]) => normalised({ ...model, diagram: { nodes } });

// `index` is the feature's column in the matrix that was learnt from.
export function withTest(model: ModelFile, at: number[], t: Test, index: (name: string) => number): ModelFile {
  const columns = [...model.columns];
  let column = columns.findIndex((c) => c.name === t.column.name);
  if (column < 0) column = columns.push(t.column) - 1;
  const features = [...model.features];
  let f = features.findIndex((x) => x.column === column && x.test === t.test && x.threshold === t.threshold && x.level === t.level);
  if (f < 0) {
    const made = { column, test: t.test, ...(t.test === "at_most" && { threshold: t.threshold! }), ...(t.test === "equals" && { level: t.level! }) };
    const name = featureName({ ...model, columns }, made, t.test === "at_most" ? thresholdText(t.column.reading, t.threshold!) : "");
    const { column: c, ...rest } = made;
    f = features.push({ name, index: index(name), column: c, ...rest } as ModelFile["features"][0]) - 1;
  }
  const nodes = nodesOf(model).map((n, i) => (!("class" in n) && at.includes(i) ? { ...n, feature: f } : n));
  return withNodes({ ...model, columns, features }, nodes);
}

export function withEdge(model: ModelFile, node: number, high: boolean, to: Target): ModelFile {
  const nodes: Node[] = nodesOf(model);
  const sinks = nodes.filter((n) => "class" in n) as { class: number }[];
  const shared = new Set(sinks.map((n) => n.class)).size === sinks.length; // one square for each answer
  let target = "node" in to ? to.node : shared ? nodes.findIndex((n) => "class" in n && n.class === to.class) : -1;
  if (target < 0) target = nodes.push({ class: (to as { class: number }).class }) - 1;
  const from = nodes[node]!;
  if (!("class" in from)) nodes[node] = high ? { ...from, high: target } : { ...from, low: target };
  return withNodes(model, nodes);
}

export function withAnswer(model: ModelFile, sink: number, answer: number): ModelFile {
  return withNodes(model, nodesOf(model).map((n, i) => (i === sink ? { class: answer } : n)));
}

// The nodes that an edge of this one may lead to: none that lead here.
export function targets(model: ModelFile, node: number): number[] {
  const { nodes } = model.diagram;
  const above = new Set([node]);
  for (let n = node - 1; n >= 0; --n) {
    const x = nodes[n]!;
    if (!("class" in x) && (above.has(x.low) || above.has(x.high))) above.add(n);
  }
  return nodes.flatMap((x, n) => (above.has(n) || "class" in x ? [] : [n]));
}

// Tests that no longer decide anything go, and what nothing leads to; children after their parents, else in the old order.
function normalised(model: ModelFile): ModelFile {
  const { nodes } = model.diagram;
  const skip = new Map<number, number>();
  const settled = (n: number): number => {
    const known = skip.get(n);
    if (known !== undefined) return known;
    const x = nodes[n]!;
    const out = "class" in x ? n : settled(x.low) === settled(x.high) ? settled(x.low) : n;
    skip.set(n, out);
    return out;
  };
  const root = settled(0);
  const children = (n: number) => {
    const x = nodes[n]!;
    return "class" in x ? [] : [settled(x.low), settled(x.high)];
  };
  const parents = new Map<number, number>([[root, 0]]);
  const open = [root];
  for (let n = open.pop(); n !== undefined; n = open.pop())
    for (const c of children(n)) {
      if (!parents.has(c)) open.push(c);
      parents.set(c, (parents.get(c) ?? 0) + 1);
    }
  const order: number[] = [];
  const ready = [root];
  while (ready.length > 0) {
    const n = ready.splice(ready.indexOf(Math.min(...ready)), 1)[0]!;
    order.push(n);
    for (const c of children(n)) {
      parents.set(c, parents.get(c)! - 1);
      if (parents.get(c) === 0) ready.push(c);
    }
  }
  const place = new Map(order.map((n, i) => [n, i]));
  const kept = order.map((n): Node => {
    const x = nodes[n]!;
    return "class" in x ? x : { feature: x.feature, low: place.get(settled(x.low))!, high: place.get(settled(x.high))! };
  });
  return pruned({ ...model, diagram: { nodes: kept } });
}

// Only features that are tested, and only their columns.
function pruned(model: ModelFile): ModelFile {
  const tested = new Set(model.diagram.nodes.flatMap((n) => ("class" in n ? [] : [n.feature])));
  const kept = model.features.map((_, f) => f).filter((f) => tested.has(f));
  const columns = model.columns.map((_, c) => c).filter((c) => kept.some((f) => model.features[f]!.column === c));
  return {
    ...model,
    columns: columns.map((c) => model.columns[c]!),
    features: kept.map((f) => ({ ...model.features[f]!, column: columns.indexOf(model.features[f]!.column) })),
    diagram: { nodes: model.diagram.nodes.map((n) => ("class" in n ? n : { ...n, feature: kept.indexOf(n.feature) })) },
  };
}

export const mostPaths = 2 ** 20;

// Rows of a set with their weights: whole numbers, to be divided by `scale`.
export interface Weighed { set: RowSet; weights: number[] | null; scale: number }
export const weightOf = (w: Weighed, row: number) => (w.weights === null ? w.scale : w.weights[row]!);

// Training weight of each class on each path.
export function pathCounts(d: Diagram, rows: Weighed): number[][] {
  const out = Array.from({ length: d.numPaths[0]! }, () => d.model.classes.map(() => 0));
  follow(d, new Cases(rows.set)).paths.forEach((p, r) => (out[p]![rows.set.truth[r]!]! += weightOf(rows, r)));
  return out;
}

// The figures of answers; intervals as in src/beadwork/report/intervals.cpp.
export function figuresOf(rows: Weighed, answers: ArrayLike<number>, classes: number): Figures {
  const { truth } = rows.set;
  const confusion = Array.from({ length: classes }, () => new Array<number>(classes).fill(0));
  let squares = 0;
  truth.forEach((t, r) => {
    confusion[t]![answers[r]!]! += weightOf(rows, r);
    squares += weightOf(rows, r) ** 2;
  });
  const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
  const total = sum(confusion.map(sum));
  const right = sum(confusion.map((row, k) => row[k]!));
  const wrong = sum(confusion.map((row, k) => sum(row.filter((_, j) => j !== k)))); // a difference of large sums would lose digits
  const per_class = confusion.map((row, k) => {
    const [support, given, hits] = [sum(row), sum(confusion.map((x) => x[k]!)), row[k]!];
    const [precision, recall] = [given > 0 ? hits / given : 0, support > 0 ? hits / support : 0];
    return { support: support / rows.scale, precision, recall, f1: hits > 0 ? (2 * precision * recall) / (precision + recall) : 0 };
  });
  const occurring = per_class.filter((c) => c.support > 0);
  const share = total > 0 ? right / total : 0;
  const n = rows.weights === null ? truth.length : squares > 0 ? total ** 2 / squares : 0;
  return {
    total: total / rows.scale, errors: wrong / rows.scale, accuracy: share, balanced_accuracy: occurring.length > 0 ? sum(occurring.map((c) => c.recall)) / occurring.length : 0,
    ...wilson(share * n, n),
    confusion: confusion.map((row) => row.map((x) => x / rows.scale)), per_class,
  };
}

// How much larger a share the answers get right than one that is always the same.
export function liftOf(rows: Weighed, answers: ArrayLike<number>, always: number): Lift {
  let [total, first, second, squares] = [0, 0, 0, 0];
  rows.set.truth.forEach((t, r) => {
    const w = weightOf(rows, r);
    total += w;
    squares += w * w;
    if (answers[r] === t && always !== t) first += w;
    if (answers[r] !== t && always === t) second += w;
  });
  if (total <= 0) return { points: 0, low: -1, high: 1 };
  const n = total ** 2 / squares;
  const [p, q] = [((first / total) * n + 1) / (n + 2), ((second / total) * n + 1) / (n + 2)];
  const half = kZ * Math.sqrt((p + q - (p - q) ** 2) / (n + 2));
  return { points: (first - second) / total, low: Math.max(-1, p - q - half), high: Math.min(1, p - q + half) };
}

// The file: nothing is proven of it any more, its counts are of the rows given, and it lists what was changed.
export function saved(model: ModelFile, paths: number[][], rows: Weighed, whole: boolean, log: string[]): string {
  const { diagram } = model;
  const d = new Diagram({ ...model, paths });
  const sum = (list: number[]) => list.reduce((a, b) => a + b, 0);
  const total = sum(paths.map(sum));
  const errors = paths.reduce((n, counts, p) => n + sum(counts) - counts[d.classOf(d.stepsOf(p).sink)]!, 0);
  const depth = new Set(diagram.nodes.flatMap((n) => ("class" in n ? [] : [n.feature]))).size;
  const claim = { ...model.claim, status: "feasible", lower_bound: 0, upper_bound: errors, scale: rows.scale, rounding: 0, costs: false, node_penalty: 0,
    depth, exactly: false, max_nodes: null, required: [], proven_by: "hand", solver: "", resumed: false, parts: 1, shards: 1, certifiable: false, canonical: true };
  const training = { ...model.training, rows: rows.set.shown, total_weight: total, weight_scale: rows.scale, errors, ...(whole ? {} : { rows_sha256: "", file_sha256: undefined, data_sha256: undefined }) };
  const { sha256: _, ...rest } = model as ModelFile & { sha256?: string };
  return JSON.stringify({ ...rest, diagram, paths, claim, training, edits: [...log, ...(whole ? [] : [`counts and errors are of ${counted(rows.set.shown, "training row")} drawn at random from ${rows.set.rows}`])] }, null, 1) + "\n";
}
