// Rows in groups by the values of one column, and how often a model is right in each.
import type { Column } from "./data";
import { counted, shown } from "./dom";
import { newcombe, type Interval } from "./statistics";
import { valueText } from "./values";

const kMostGroups = 12;
const kFewValues = 6; // numbers with at most this many values: a group for each

// Small: the figures of a group say little.
export const kFewRows = 30;
export const kFewOfClass = 5; // rows that a share is of

export interface Grouping { names: string[]; plain: boolean[]; of: Uint8Array } // plain: a value, not "missing" or the rest

// A quarter of the rows each, as nearly as equal values permit.
export function quartiles(values: (number | null)[]): number[] {
  const sorted = values.filter((v): v is number => v !== null).sort((a, b) => a - b);
  const n = sorted.length;
  const cuts = [1, 2, 3].map((q) => sorted[Math.ceil((q * n) / 4) - 1]!);
  return [...new Set(cuts)].filter((c) => c < sorted[n - 1]!);
}

// Number g for the rows up to cuts[g], the last for those above.
function byCuts(column: Column, cuts: number[]): Grouping {
  const text = (x: number) => valueText(column.reading, x);
  const names = cuts.map((c, i) => (i === 0 ? `\u2264 ${text(c)}` : `> ${text(cuts[i - 1]!)}, \u2264 ${text(c)}`));
  if (cuts.length > 0) names.push(`> ${text(cuts[cuts.length - 1]!)}`);
  else names.push("all values");
  return withMissing(column, names, (v) => {
    let g = 0;
    while (g < cuts.length && (v as number) > cuts[g]!) ++g;
    return g;
  });
}

function withMissing(column: Column, names: string[], place: (v: number | string) => number, rest = -1): Grouping {
  const of = Uint8Array.from(column.values, (v) => (v === null ? names.length : place(v)));
  const plain = names.map((_, i) => i !== rest);
  return column.values.includes(null) ? { names: [...names, "missing"], plain: [...plain, false], of } : { names, plain, of };
}

// Each value a group, numbers by size, categories by how many rows have them; the rest together.
function byValue(column: Column, counts: Map<number | string, number>): Grouping {
  const most = kMostGroups - 1; // and "missing"
  const values = [...counts.keys()].sort((a, b) => (column.numeric ? (a as number) - (b as number) : counts.get(b)! - counts.get(a)!));
  const kept = values.length > most ? values.slice(0, most - 1) : values;
  const names = kept.map((v) => (typeof v === "number" ? valueText(column.reading, v) : shown(v, 60)));
  const places = new Map(kept.map((v, i) => [v, i]));
  const others = values.length - kept.length;
  if (others === 0) return withMissing(column, names, (v) => places.get(v)!);
  return withMissing(column, [...names, counted(others, "other value")], (v) => places.get(v) ?? kept.length, kept.length);
}

// thresholds: of the model, or null for quartiles.
export function grouping(column: Column, thresholds: number[] | null): Grouping {
  const counts = new Map<number | string, number>();
  for (const v of column.values) if (v !== null) counts.set(v, (counts.get(v) ?? 0) + 1);
  if (!column.numeric) return byValue(column, counts);
  if (thresholds) {
    const every = Math.ceil(thresholds.length / (kMostGroups - 2));
    return byCuts(column, thresholds.filter((_, i) => i % every === 0));
  }
  if (counts.size <= (column.reading?.kind === "ordinal" ? kMostGroups - 1 : kFewValues)) return byValue(column, counts);
  return byCuts(column, quartiles(column.values as (number | null)[]));
}

export type Measure = "accuracy" | "rate" | "sensitivity" | "specificity" | "precision";

// What does not depend on the model: rows, and rows of the class, by group.
export class Frame {
  readonly rows: Uint32Array;
  readonly ofClass: Uint32Array;
  readonly truth: Uint16Array;

  constructor(readonly groups: Grouping, truth: number[], readonly k: number) {
    this.truth = Uint16Array.from(truth);
    this.rows = new Uint32Array(groups.names.length);
    this.ofClass = new Uint32Array(groups.names.length);
    groups.of.forEach((g, row) => {
      ++this.rows[g]!;
      if (truth[row] === k) ++this.ofClass[g]!;
    });
  }
}

// What a model does in each group: rows that it gets right, that get the answer k, and those of them that are of class k.
export class Tally {
  private readonly counts: Uint32Array; // group x whether k is the answer x whether it is right

  constructor(readonly frame: Frame, answers: Uint16Array) {
    const { truth, k } = frame;
    const { of, names } = frame.groups;
    const counts = (this.counts = new Uint32Array(4 * names.length));
    for (let row = 0; row < of.length; ++row) {
      const answer = answers[row]!;
      ++counts[4 * of[row]! + (answer === k ? 2 : 0) + (answer === truth[row] ? 1 : 0)]!;
    }
  }
  // A share of rows of a group: how many of how many.
  share(measure: Measure, g: number): [number, number] {
    const { rows, ofClass } = this.frame;
    const others = rows[g]! - ofClass[g]!;
    const hit = this.counts[4 * g + 3]!;
    const taken = hit + this.counts[4 * g + 2]!;
    switch (measure) {
      case "accuracy": return [hit + this.counts[4 * g + 1]!, rows[g]!];
      case "rate": return [taken, rows[g]!];
      case "sensitivity": return [hit, ofClass[g]!];
      case "specificity": return [others - (taken - hit), others];
      case "precision": return [hit, taken];
    }
  }
  small(measure: Measure, g: number): boolean {
    return this.frame.rows[g]! < kFewRows || this.share(measure, g)[1] < kFewOfClass;
  }
  accuracy(): number {
    return this.counts.reduce((sum, n, i) => (i % 2 === 1 ? sum + n : sum), 0) / Math.max(1, this.frame.truth.length);
  }
}

export interface Gap { best: number; worst: number; points: number; interval: Interval; small: boolean }

// The largest difference between two groups; of equal ones, that between larger groups. Small ones are left out unless fewer
// than two others remain.
export function gapOf(tally: Tally, measure: Measure): Gap | null {
  const all = tally.frame.groups.names.map((_, g) => g).filter((g) => tally.share(measure, g)[1] > 0);
  const large = all.filter((g) => !tally.small(measure, g));
  const list = large.length >= 2 ? large : all;
  if (list.length < 2) return null;
  const value = (g: number) => {
    const [hits, n] = tally.share(measure, g);
    return hits / n;
  };
  const larger = (a: number, b: number) => tally.share(measure, b)[1] - tally.share(measure, a)[1] || a - b;
  const best = [...list].sort((a, b) => value(b) - value(a) || larger(a, b))[0]!;
  const worst = list.filter((g) => g !== best).sort((a, b) => value(a) - value(b) || larger(a, b))[0]!;
  return { best, worst, points: value(best) - value(worst), interval: newcombe(...tally.share(measure, best), ...tally.share(measure, worst)), small: large.length < 2 };
}
