// What a page carries in its element "data": src/beadwork/report/html writes it.
import type { HowToRead } from "./csv";
import type { Label } from "./labels";
import type { Reading } from "./values";

export interface ModelFile {
  target: string;
  classes: string[];
  target_cuts?: number[]; // of a target of numbers: between the classes
  reading?: HowToRead;
  columns: { name: string; type: "numeric" | "nominal"; levels?: string[]; reading?: Reading }[];
  features: { name: string; index?: number; column: number; test: "at_most" | "equals" | "missing"; threshold?: number; level?: string }[];
  diagram: { nodes: ({ feature: number; low: number; high: number } | { class: number })[] };
  paths: number[][];
  training: {
    engine: string; rows: number; total_weight: number; weight_scale: number; errors: number; seed: number;
    thresholds: string; num_features: number; rows_sha256?: string; file_sha256?: string; data_sha256?: string;
  };
  claim: { status: string; depth: number; exactly: boolean; lower_bound: number; upper_bound: number; scale: number; costs?: boolean };
}

export interface Layout {
  width: number; height: number; names_width: number; ordered: boolean;
  levels: { text: string; whole: string; y: number }[];
  nodes: { x: number; y: number; rx: number; ry: number; label: string; note: string }[];
  edges: { from: number; to: number; high: boolean; share: number; d: string }[];
}

export interface Figures {
  total: number; errors: number; accuracy: number; low: number | null; high: number | null; // of the interval
  balanced_accuracy: number;
  cost?: number; // where answers have costs
  confusion: number[][];
  per_class: { support: number; precision: number; recall: number; f1: number }[];
}

interface PackedColumn { name: string; type: "numeric" | "nominal"; values?: string; levels?: string[]; codes?: string; reading?: Reading }

// How many points of accuracy more, 0..1, or how much less a row costs, with its 95 % interval.
export interface Lift { points: number; low: number; high: number; cost?: true }

interface PackedRows {
  role: "training" | "test" | "other"; name: string; rows: number; shown: number; weighted: boolean;
  evaluation: Figures;
  baselines: (Figures & { name: string; note: string; lift?: Lift })[]; // always the same answer, the best one, first
  unseen?: [string, number][];
  truth?: string; paths?: string; numbers?: string; columns?: PackedColumn[]; columns_left_out?: number;
}

// What `fit --json` prints: errors, or costs, stand under training_errors or training_cost.
export interface Amount { training_errors?: number; training_cost?: number }
export const amount = (x: Amount) => x.training_cost ?? x.training_errors ?? 0;
export interface SizePoint { depth: number; nodes?: number; /* any number */ mean: number; standard_error: number }
export interface FeatureSet extends Amount { features: string[] }
export interface Outcome {
  by_depth?: (Amount & { depth: number; lower_bound: number; status: string; features: string[] })[];
  front?: { complete: boolean; points: (Amount & { num_features: number; size: number; lower_bound: number; status: string })[] };
  columns?: { column: string; turns: number; price?: { status: string; least?: number; most?: number } }[];
  size_choice?: { folds: number; complete: boolean; chosen: SizePoint | null; curve: SizePoint[] };
  used_features?: string[];
  near_sets?: { complete: boolean; num_sets: number; sets: FeatureSet[]; without_idle?: FeatureSet[] };
}

// Other models, packed: numbers stand for places in `texts`, which holds the lines of model files and the words that many share.
export interface Alternative {
  kind: "near" | "front";
  amount: number; tests: number; columns: number[]; // errors in training, or costs, in the user's units
  headline: string; claim: string; optimal: boolean;
  model: number[]; words: [number, number][]; rules?: number[];
  layout: {
    size: [number, number, number]; ordered: boolean; levels: [number, number, number][];
    nodes: [number, number, number, number, string, string][]; edges: [number, number, 0 | 1, number, string][];
  };
  on: { evaluation: Figures; lift: Lift; unseen: [string, number][] }[]; // as the rows of the page
}
export interface Alternatives { claim: string; models: Alternative[]; texts: string[] }

export interface Page {
  beadwork: string;
  title?: string;
  positive?: string; // a class, as the page calls it
  date?: string;
  labels?: Label[];
  texts: { model: string; summary: string; rules?: string | null }; // rules: of other models than the page's own
  alternatives?: Alternatives;
  diagram: { layout: Layout; tests: [string, string][]; colours: [string, string][] };
  rows: PackedRows[];
  history: {
    claim: string; headline: string; optimal: boolean; feature_sets: string; certifiable: boolean; measure: string;
    certificate?: { name: string; sha256: string; verdict: string; over_values: boolean };
    validation?: { folds: number; accuracy: number; baseline: number; lift: Lift; seconds: number; cost?: number; baseline_cost?: number /* of a row */ };
    bounds: [number, number, number | null][];
    outcome: Outcome | null;
    columns: (ModelFile["columns"][0] & { tests: string[]; count: number })[] | null;
    options: [string, string][];
    command: string;
  };
}

// null is a missing value.
export type Value = number | string | null;
export interface Column { name: string; numeric: boolean; values: Value[]; reading: Reading | undefined }

export interface RowSet extends Omit<PackedRows, "truth" | "paths" | "numbers" | "columns"> {
  truth: number[];
  paths: number[];
  numbers: number[]; // of the rows in their file, from 1
  columns: Column[];
}

const kDigits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

function unpack(text: string, levels: number): (number | null)[] {
  if (levels <= kDigits.length) return Array.from(text, (c) => (c === "." ? null : kDigits.indexOf(c)));
  return text.split(",").map((t) => (t === "" ? null : Number(t)));
}

function column(packed: PackedColumn): Column {
  if (packed.type === "numeric")
    return { name: packed.name, numeric: true, values: packed.values!.split(",").map((t) => (t === "" ? null : Number(t))), reading: packed.reading };
  const levels = packed.levels!;
  const values = unpack(packed.codes!, levels.length).map((c) => (c === null ? null : levels[c]!));
  return { name: packed.name, numeric: false, values, reading: undefined };
}

export function rowSet(packed: PackedRows, classes: number): RowSet {
  const { truth, paths, numbers, columns, ...rest } = packed;
  if (packed.shown === 0) return { ...rest, truth: [], paths: [], numbers: [], columns: [] };
  return {
    ...rest,
    truth: unpack(truth!, classes).map((k) => k ?? 0),
    paths: paths!.split(",").map(Number),
    numbers: numbers ? numbers.split(",").map((n) => Number(n) + 1) : Array.from({ length: packed.shown }, (_, i) => i + 1),
    columns: columns!.map(column),
  };
}

export const kRole = { training: "training rows", test: "test rows", other: "rows" } as const;
