// The diagram as something to ask. A column's values fall into cells that the tests cannot tell apart: the intervals
// between its thresholds, the levels that are tested, all others, and missing. What is known of a case is the set of cells
// that each column may be in, as bits; so "not given" and "not sure" are the same as all cells, and tests that follow from
// earlier ones are never asked twice.
import type { ModelFile, Value } from "./data";
import type { Reading } from "./values";

export interface Cell {
  kind: "interval" | "level" | "other" | "missing";
  above?: number; // interval: above < value <= atMost
  atMost?: number;
  level?: string;
  levels?: string[]; // other: known levels among them
}
export interface AskedColumn {
  index: number; // into the model's columns
  name: string;
  numeric: boolean;
  levels: string[];
  reading: Reading | undefined;
  features: number[]; // tested ones
  cells: Cell[];
  all: bigint;
}
export type Known = bigint[]; // by asked column

export interface Reach {
  nodes: Set<number>;
  edges: Set<string>; // "3:1" is the high edge of node 3
  classes: Set<number>;
  path: number | null; // its number, if there is one path only
  steps: { node: number; passed: boolean }[]; // of that path
  sink: number | null;
}

export const edgeKey = (node: number, high: boolean) => `${node}:${high ? 1 : 0}`;

export class Diagram {
  readonly columns: AskedColumn[] = [];
  readonly numPaths: number[] = [];
  private readonly askedOf: number[] = []; // model column -> asked column
  private readonly passing: bigint[] = []; // by feature: cells of its column that pass
  private readonly repeated: number[] = []; // asked columns with several tests

  constructor(readonly model: ModelFile) {
    const nodes = model.diagram.nodes;
    for (let n = nodes.length - 1; n >= 0; --n) {
      const node = nodes[n]!;
      this.numPaths[n] = "class" in node ? 1 : this.numPaths[node.low]! + this.numPaths[node.high]!;
    }
    for (const node of nodes) if (!("class" in node)) this.addFeature(node.feature);
    for (const column of this.columns) this.divide(column);
    this.columns.forEach((c, i) => {
      if (c.features.length > 1) this.repeated.push(i);
    });
  }

  isSink(n: number) {
    return "class" in this.model.diagram.nodes[n]!;
  }
  classOf(n: number) {
    const node = this.model.diagram.nodes[n]!;
    return "class" in node ? node.class : -1;
  }
  test(n: number) {
    return this.model.diagram.nodes[n] as { feature: number; low: number; high: number };
  }
  child(n: number, high: boolean) {
    return high ? this.test(n).high : this.test(n).low;
  }
  askedColumn(feature: number) {
    return this.askedOf[this.model.features[feature]!.column]!;
  }

  private addFeature(f: number) {
    const index = this.model.features[f]!.column;
    if (this.askedOf[index] === undefined) {
      const c = this.model.columns[index]!;
      this.askedOf[index] = this.columns.length;
      this.columns.push({
        index, name: c.name, numeric: c.type === "numeric", levels: c.levels ?? [], reading: c.reading, features: [], cells: [], all: 0n,
      });
    }
    const column = this.columns[this.askedOf[index]!]!;
    if (!column.features.includes(f)) column.features.push(f);
  }

  private divide(column: AskedColumn) {
    const tests = column.features.map((f) => this.model.features[f]!);
    if (column.numeric) {
      const cuts = [...new Set(tests.filter((t) => t.test === "at_most").map((t) => t.threshold!))].sort((a, b) => a - b);
      [...cuts, Infinity].forEach((atMost, i) =>
        column.cells.push({ kind: "interval", above: i === 0 ? -Infinity : cuts[i - 1]!, atMost }));
    } else {
      const tested = new Set(tests.filter((t) => t.test === "equals").map((t) => t.level!));
      for (const level of tested) column.cells.push({ kind: "level", level });
      column.cells.push({ kind: "other", levels: column.levels.filter((l) => !tested.has(l)) });
    }
    column.cells.push({ kind: "missing" });
    column.all = (1n << BigInt(column.cells.length)) - 1n;
    for (const f of column.features) {
      const t = this.model.features[f]!;
      let mask = 0n;
      column.cells.forEach((cell, i) => {
        const passes = t.test === "missing" ? cell.kind === "missing"
          : t.test === "at_most" ? cell.kind === "interval" && cell.atMost! <= t.threshold!
          : cell.kind === "level" && cell.level === t.level;
        if (passes) mask |= 1n << BigInt(i);
      });
      this.passing[f] = mask;
    }
  }

  nothingKnown(): Known {
    return this.columns.map((c) => c.all);
  }
  cellOf(column: AskedColumn, value: Value): bigint {
    const at = column.cells.findIndex((cell) =>
      value === null ? cell.kind === "missing"
      : column.numeric ? cell.kind === "interval" && (value as number) > cell.above! && (value as number) <= cell.atMost!
      : cell.kind === "level" ? cell.level === value : cell.kind === "other");
    return 1n << BigInt(at);
  }
  // What is left of `known` if the test of feature f passes, or fails.
  given(known: Known, f: number, passed: boolean): Known {
    const c = this.askedColumn(f);
    const out = known.slice();
    out[c] = passed ? known[c]! & this.passing[f]! : known[c]! & ~this.passing[f]!;
    return out;
  }

  // All that a case may still pass through.
  explore(known: Known): Reach {
    const reach: Reach = { nodes: new Set(), edges: new Set(), classes: new Set(), path: null, steps: [], sink: null };
    const seen = new Set<string>();
    const open: { node: number; known: Known }[] = [{ node: 0, known }];
    let forks = false;
    let path = 0;
    while (open.length > 0) {
      const { node, known: here } = open.pop()!;
      const key = node + "|" + this.repeated.map((c) => here[c]).join();
      if (seen.has(key)) continue;
      seen.add(key);
      reach.nodes.add(node);
      if (this.isSink(node)) {
        reach.classes.add(this.classOf(node));
        reach.sink = node;
        continue;
      }
      const { feature, low, high } = this.test(node);
      const c = this.askedColumn(feature);
      let ways = 0;
      for (const passed of [false, true]) {
        const next = this.given(here, feature, passed);
        if (next[c] === 0n) continue;
        ++ways;
        reach.edges.add(edgeKey(node, passed));
        reach.steps.push({ node, passed });
        if (passed) path += this.numPaths[low]!;
        open.push({ node: passed ? high : low, known: next });
      }
      if (ways > 1) forks = true;
    }
    if (forks) return { ...reach, path: null, steps: [], sink: null };
    return { ...reach, path };
  }

  stepsOf(path: number): { steps: { node: number; passed: boolean }[]; sink: number } {
    const steps = [];
    let node = 0;
    while (!this.isSink(node)) {
      const { low, high } = this.test(node);
      const passed = path >= this.numPaths[low]!;
      steps.push({ node, passed });
      if (passed) path -= this.numPaths[low]!;
      node = passed ? high : low;
    }
    return { steps, sink: node };
  }

  // Training weight of each class on a path; where it has none, that of the nearest branch above.
  branchCounts(path: number): { counts: number[]; own: boolean } {
    const sum = (first: number, count: number) => {
      const out = this.model.classes.map(() => 0);
      for (let p = first; p < first + count; ++p) this.model.paths[p]!.forEach((w, k) => (out[k]! += w));
      return out;
    };
    let best = sum(0, this.numPaths[0]!);
    let first = 0;
    for (const { node, passed } of this.stepsOf(path).steps) {
      const { low, high } = this.test(node);
      if (passed) first += this.numPaths[low]!;
      const here = sum(first, this.numPaths[passed ? high : low]!);
      if (here.every((w) => w === 0)) return { counts: best, own: false };
      best = here;
    }
    return { counts: best, own: true };
  }

  longestPath(n = 0, seen = new Map<number, number>()): number {
    if (this.isSink(n)) return 0;
    if (!seen.has(n)) seen.set(n, 1 + Math.max(this.longestPath(this.test(n).low, seen), this.longestPath(this.test(n).high, seen)));
    return seen.get(n)!;
  }

  // Has any training row gone where a case may go? True where there are too many ways to tell.
  seen(known: Known): boolean {
    const open: { node: number; known: Known; path: number }[] = [{ node: 0, known, path: 0 }];
    for (let looked = 0; open.length > 0; ++looked) {
      const { node, known: here, path } = open.pop()!;
      if (looked > 10_000) return true;
      if (this.isSink(node)) {
        if (this.model.paths[path]!.some((w) => w > 0)) return true;
        continue;
      }
      const { feature, low, high } = this.test(node);
      for (const passed of [false, true]) {
        const next = this.given(here, feature, passed);
        if (next[this.askedColumn(feature)] !== 0n) open.push({ node: passed ? high : low, known: next, path: passed ? path + this.numPaths[low]! : path });
      }
    }
    return false;
  }
  // Is it known of a column that its value is missing, and nothing else?
  isMissing(known: Known, column: number): boolean {
    const { cells } = this.columns[column]!;
    return known[column] === 1n << BigInt(cells.length - 1);
  }

  // The first test, from the top, that is still open and not in `unsure`; null if none is left or the class is settled.
  nextQuestion(known: Known, unsure: Set<number>): number | null {
    const reach = this.explore(known);
    if (reach.classes.size < 2) return null;
    for (const n of [...reach.nodes].sort((a, b) => a - b)) {
      if (this.isSink(n) || unsure.has(this.test(n).feature)) continue;
      if (reach.edges.has(edgeKey(n, true)) && reach.edges.has(edgeKey(n, false))) return this.test(n).feature;
    }
    return null;
  }
}

export interface Step { column: number; cell: number }
// What a change of one or two columns leads to. Sure: whatever the columns that are not given hold.
export interface Change { steps: Step[]; reach: Reach; known: Known; classes: number[]; sure: boolean; late: number; distance: number }

// Which changes are looked at: not those of locked columns. `numbers` are the values given, `spans` how far the values of
// each column lie apart, so that steps in different columns compare (Gower 1971: a category is one step, a number its
// part of the span).
export interface Asked { known: Known; numbers: (number | null)[]; spans: number[]; locked: boolean[] }

// Changes of one column that lead, or may lead, to other classes: sure ones first, the nearest first, then those that
// leave the path latest. A value is never suggested to go missing.
export function singleChanges(d: Diagram, asked: Asked): Change[] {
  const out = tried(d, asked, candidates(d, asked).map((c) => [c]));
  // One line a column and class.
  return out.filter((x, i) => out.findIndex((y) => y.sure === x.sure && y.steps[0]!.column === x.steps[0]!.column && y.classes.join() === x.classes.join()) === i);
}

// The nearest pair that surely changes the answer, else one that may.
export function nearestPair(d: Diagram, asked: Asked): Change | null {
  const all = candidates(d, asked);
  const pairs = all.flatMap((a) => all.filter((b) => b.column > a.column).map((b) => [a, b]));
  return tried(d, asked, pairs)[0] ?? null;
}

interface Candidate extends Step { distance: number }

function tried(d: Diagram, asked: Asked, trials: Candidate[][]): Change[] {
  const now = d.explore(asked.known);
  if (now.classes.size !== 1) return [];
  const answer = [...now.classes][0]!;
  const out: Change[] = [];
  for (const steps of trials) {
    const known = asked.known.slice();
    for (const { column, cell } of steps) known[column] = 1n << BigInt(cell);
    const reach = d.explore(known);
    const classes = [...reach.classes].filter((k) => k !== answer);
    if (classes.length === 0) continue;
    const late = now.steps.findIndex((s) => !reach.edges.has(edgeKey(s.node, s.passed)));
    out.push({ steps, reach, known, classes, sure: !reach.classes.has(answer), late, distance: steps.reduce((sum, s) => sum + s.distance, 0) });
  }
  return out.sort((a, b) => Number(b.sure) - Number(a.sure) || a.distance - b.distance || b.late - a.late);
}

function candidates(d: Diagram, asked: Asked): Candidate[] {
  const out: Candidate[] = [];
  d.columns.forEach(({ cells, all }, column) => {
    const known = asked.known[column]!;
    if (known === all || asked.locked[column]) return;
    cells.forEach(({ kind, levels }, cell) => {
      if ((known & (1n << BigInt(cell))) !== 0n || kind === "missing" || (kind === "other" && levels!.length === 0)) return;
      out.push({ column, cell, distance: distance(d.columns[column]!, known, cell, asked.numbers[column] ?? null, asked.spans[column]!) });
    });
  });
  return out;
}

// From a value, or from the intervals that it may be in, to an interval.
function distance(column: AskedColumn, known: bigint, cell: number, value: number | null, span: number): number {
  const to = column.cells[cell]!;
  if (to.kind !== "interval") return 1;
  const gap = (low: number, high: number) => (low > to.atMost! ? low - to.atMost! : high < to.above! ? to.above! - high : 0);
  const gaps = value !== null ? [gap(value, value)]
    : column.cells.flatMap((c, i) => (c.kind === "interval" && (known & (1n << BigInt(i))) !== 0n ? [gap(c.above!, c.atMost!)] : []));
  return gaps.length === 0 ? 1 : Math.min(1, Math.min(...gaps) / span);
}
