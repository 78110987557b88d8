// The values of a column in the rows: bars by true class, a line at each threshold, a mark at the value of the case; below,
// the shares of the classes between the thresholds.
import type { Page, RowSet } from "./data";
import { h, largest, percent, s, shown } from "./dom";
import type { AskedColumn, Diagram } from "./logic";
import { valueText } from "./values";

const [kWidth, kHeight, kStrip, kBins] = [300, 34, 8, 30];

export interface Histogram { low: number; high: number; element: HTMLElement; mark(value: number | null): void }

export function histogram(page: Page, d: Diagram, c: AskedColumn, sets: RowSet[]): Histogram | null {
  const set = sets.find((x) => x.columns.some((y) => y.name === c.name));
  const values = set?.columns.find((x) => x.name === c.name)!.values ?? [];
  const rows = values.flatMap((v, i): [number, number][] => (typeof v === "number" ? [[v, set!.truth[i]!]] : []));
  if (rows.length < 2 || !c.numeric) return null;
  const sorted = rows.map(([v]) => v).sort((a, b) => a - b);
  const cuts = c.cells.flatMap((x) => (x.kind === "interval" && x.atMost !== Infinity ? [x.atMost!] : []));
  // A few values far off would press all others into one bar: they go into the outermost ones.
  const [low, high] = [Math.min(sorted[Math.floor(0.01 * sorted.length)]!, ...cuts), Math.max(sorted[Math.ceil(0.99 * (sorted.length - 1))]!, ...cuts)];
  if (high <= low) return null;
  const at = (v: number) => (kWidth * (Math.min(high, Math.max(low, v)) - low)) / (high - low);
  const bins = Array.from({ length: kBins }, () => d.model.classes.map(() => 0));
  for (const [v, k] of rows) ++bins[Math.min(kBins - 1, Math.floor((at(v) / kWidth) * kBins))]![k]!;
  const most = largest(bins.map((b) => b.reduce((x, y) => x + y, 0)), 1);
  const pile = (counts: number[], x: number, width: number, bottom: number, unit: number) => {
    let y = bottom;
    return counts.map((n, k) => n > 0 && s("rect", { x, width, y: (y -= n * unit), height: n * unit, fill: page.diagram.colours[k]![0] }));
  };
  const ends = [low, ...cuts, high];
  const parts = ends.slice(1).map(() => d.model.classes.map(() => 0));
  for (const [v, k] of rows) ++parts[cuts.filter((cut) => v > cut).length]![k]!;
  const marker = s("path", { class: "mark", d: "M-4 0H4L0 6Z" });
  marker.style.display = "none";
  const words = parts.map((p, i) => {
    const total = p.reduce((a, b) => a + b, 0);
    const top = p.indexOf(largest(p));
    const where = i === 0 ? `up to ${valueText(c.reading, ends[1]!)}` : i + 1 === parts.length ? `above ${valueText(c.reading, ends[i]!)}` : `above ${valueText(c.reading, ends[i]!)} up to ${valueText(c.reading, ends[i + 1]!)}`;
    return total === 0 ? `${where}: no rows` : `${where}: ${total} row${total === 1 ? "" : "s"}, ${percent(p[top]! / total, 0)} ${shown(d.model.classes[top]!, 40)}`;
  });
  const svg = s("svg", { class: "histogram", viewBox: `-5 -7 ${kWidth + 10} ${kHeight + kStrip + 10}`, role: "img", "aria-label": `${shown(c.name, 60)}, ${words.join("; ")}` },
    s("title", {}, words.join("\n")),
    bins.map((b, i) => pile(b, (i * kWidth) / kBins + 0.5, kWidth / kBins - 1, kHeight, kHeight / most)),
    parts.map((p, i) => pile(p, at(ends[i]!) + 0.5, Math.max(0, at(ends[i + 1]!) - at(ends[i]!) - 1), kHeight + 2 + kStrip, kStrip / Math.max(1, p.reduce((a, b) => a + b, 0)))),
    cuts.map((v) => s("line", { class: "cut", x1: at(v), x2: at(v), y1: -3, y2: kHeight + kStrip + 3 })), marker);
  return {
    low, high,
    element: h("div", {}, svg),
    mark: (value) => {
      marker.style.display = value === null ? "none" : "";
      if (value !== null) marker.setAttribute("transform", `translate(${at(value).toFixed(1)} -7)`);
    },
  };
}
