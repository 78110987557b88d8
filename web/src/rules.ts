// The rules of an edited model, as `beadwork show` words them: one for each path that a case can take.
import { shown } from "./dom";
import type { Diagram, Known } from "./logic";

const kMost = 500;

export function rules(d: Diagram, words: [string, string][]): string | null {
  if (d.numPaths[0]! > kMost) return null;
  const scale = d.model.training.weight_scale || 1;
  const amount = (x: number) => Number((x / scale).toPrecision(12));
  const lines = d.model.classes.map((): string[] => []);
  const walk = (n: number, path: number, known: Known, tests: string[]) => {
    if (d.isSink(n)) {
      const k = d.classOf(n);
      const counts = d.model.paths[path]!;
      const total = counts.reduce((a, b) => a + b, 0);
      const seen = total === 0 ? "no training rows" : `${amount(counts[k]!)} of ${amount(total)}`;
      lines[k]!.push(`  ${tests.length === 0 ? "ALWAYS" : `IF ${tests.join(" AND ")} THEN`} ${shown(d.model.classes[k]!)} (${seen})`);
      return;
    }
    const { feature, low, high } = d.test(n);
    for (const passed of [false, true]) {
      const next = d.given(known, feature, passed);
      if (next[d.askedColumn(feature)] === 0n) continue; // earlier tests exclude it
      const open = d.given(known, feature, !passed)[d.askedColumn(feature)] !== 0n;
      walk(passed ? high : low, passed ? path + d.numPaths[low]! : path, next, open ? [...tests, words[feature]![passed ? 0 : 1]] : tests);
    }
  };
  walk(0, 0, d.nothingKnown(), []);
  return d.model.classes.flatMap((c, k) => (lines[k]!.length === 0 ? [] : [`${shown(c)}:`, ...lines[k]!, ""])).join("\n")
    + "\nA missing value, or a category not seen in training, fails every test except \"is missing\".\n";
}
