// Where the nodes of an edited diagram stand. While only tests change, the picture that C++ made keeps its places; otherwise
// nodes stand in levels, ordered by the middle of their neighbours (Sugiyama, Tagawa and Toda 1981), long edges bending
// at each level that they pass.
import type { Layout, ModelFile } from "./data";
import { feature as shownFeature, shown } from "./dom";
import { edgeKey, type Diagram } from "./logic";

const [kRadius, kMargin, kCaption, kGap] = [18, 12, 40, 22];

let pen: CanvasRenderingContext2D | null = null;
function textWidth(text: string, bold = false): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return 7 * text.length;
  pen.font = `${bold ? "bold " : ""}12px system-ui, "Segoe UI", Helvetica, Arial, "DejaVu Sans", sans-serif`;
  return pen.measureText(text).width;
}
function fitted(text: string, width: number): string {
  if (textWidth(text) <= width) return text;
  const letters = Array.from(text);
  while (letters.length > 1 && textWidth(`${letters.join("")}\u2026`) > width) letters.pop();
  return `${letters.join("")}\u2026`;
}

// 7 as it stands, 12k, 3.4M.
function short(x: number): string {
  if (x < 9999.5) return Number.isInteger(x) ? String(x) : String(Number(x.toPrecision(3)));
  const units = ["k", "M", "G", "T", "P", "E"];
  let unit = 0;
  for (x /= 1000; x >= 999.5 && unit + 1 < units.length; x /= 1000) ++unit;
  return x.toFixed(x < 9.95 ? 1 : 0) + units[unit];
}

// Weights of nodes and edges, from those of the paths.
function weigh(d: Diagram) {
  const scale = d.model.training.weight_scale || 1;
  const at = d.model.diagram.nodes.map(() => ({ all: 0, right: 0 }));
  const over = new Map<string, number>();
  d.model.paths.forEach((counts, p) => {
    const total = counts.reduce((a, b) => a + b, 0) / scale;
    if (total === 0) return;
    const { steps, sink } = d.stepsOf(p);
    for (const { node, passed } of steps) {
      at[node]!.all += total;
      over.set(edgeKey(node, passed), (over.get(edgeKey(node, passed)) ?? 0) + total);
    }
    at[sink]!.all += total;
    at[sink]!.right += counts[d.classOf(sink)]! / scale;
  });
  return { at, over, total: at[0]!.all };
}

const trimmed = (x: number) => Number(x.toPrecision(12));

function captions(d: Diagram, sinkWidth: number) {
  const { at } = weigh(d);
  return d.model.diagram.nodes.map((_, n) => d.isSink(n)
    ? { label: fitted(shown(d.model.classes[d.classOf(n)]!, 60), sinkWidth), note: at[n]!.all === 0 ? "no rows" : `${trimmed(at[n]!.right)} of ${trimmed(at[n]!.all)}` }
    : { label: short(at[n]!.all), note: "" });
}

// A position for each tested feature such that edges lead from earlier to later ones; null if there is none, or a picture by
// features would be much taller than one by tests.
function featureOrder(d: Diagram): number[] | null {
  const { nodes } = d.model.diagram;
  const below = new Map<number, Set<number>>();
  for (const n of nodes) if (!("class" in n)) below.set(n.feature, new Set());
  for (const n of nodes)
    if (!("class" in n)) for (const c of [nodes[n.low]!, nodes[n.high]!]) if (!("class" in c)) below.get(n.feature)!.add(c.feature);
  const order: number[] = [];
  const left = [...below.keys()];
  while (left.length > 0) {
    const next = left.find((f) => !left.some((g) => below.get(g)!.has(f)));
    if (next === undefined) return null;
    order.push(next);
    left.splice(left.indexOf(next), 1);
  }
  return order.length > d.longestPath() + 2 ? null : order;
}

// The same edges and kinds of nodes, and one test for each level.
function keepsPlaces(base: ModelFile, layout: Layout, d: Diagram): boolean {
  const [old, now] = [base.diagram.nodes, d.model.diagram.nodes];
  if (!layout.ordered || old.length !== now.length) return false;
  const testOf = new Map<number, number>();
  return now.every((n, i) => {
    const o = old[i]!;
    if ("class" in n || "class" in o) return "class" in n && "class" in o && (n.class === o.class || textWidth(shown(d.model.classes[n.class]!, 60), true) < 90);
    const { y } = layout.nodes[i]!;
    if (!testOf.has(y)) testOf.set(y, n.feature);
    return n.low === o.low && n.high === o.high && testOf.get(y) === n.feature;
  });
}

export function place(base: ModelFile, layout: Layout, d: Diagram, words: [string, string][]): Layout {
  return keepsPlaces(base, layout, d) ? kept(layout, d, words) : placed(d, words);
}

function kept(layout: Layout, d: Diagram, words: [string, string][]): Layout {
  const { over, total } = weigh(d);
  const text = captions(d, 150);
  const levels = layout.levels.map((level) => {
    const n = d.model.diagram.nodes.findIndex((x, i) => !("class" in x) && layout.nodes[i]!.y === level.y);
    const whole = n < 0 ? level.whole : shownFeature(words[d.test(n).feature]![0], 200);
    return n < 0 || whole === level.whole ? level : { ...level, whole, text: fitted(whole, 300) };
  });
  const more = Math.max(0, ...levels.map((l) => 3 * kMargin + textWidth(l.text) - layout.names_width));
  const moved = (path: string) => {
    let i = 0;
    return path.replace(/-?\d+(\.\d+)?/g, (x) => (i++ % 2 === 0 ? String(Number(x) + more) : x));
  };
  return {
    ...layout, levels, width: layout.width + more, names_width: layout.names_width + more,
    nodes: layout.nodes.map((p, n) => ({ ...p, x: p.x + more, ...text[n]! })),
    edges: layout.edges.map((e) => ({ ...e, d: more > 0 ? moved(e.d) : e.d, share: total > 0 ? (over.get(edgeKey(e.from, e.high)) ?? 0) / total : 0 })),
  };
}

interface Vertex { half: number; up: number[]; down: number[]; x: number; level: number }

function placed(d: Diagram, words: [string, string][]): Layout {
  const { nodes } = d.model.diagram;
  const order = featureOrder(d);
  const ordered = order !== null;
  const level = nodes.map(() => 0);
  nodes.forEach((n, i) => {
    if ("class" in n) return;
    if (order) level[i] = order.indexOf(n.feature);
    for (const c of [n.low, n.high]) level[c] = Math.max(level[c]!, level[i]! + 1);
  });
  const last = Math.max(0, ...nodes.map((n, i) => ("class" in n ? 0 : level[i]! + 1)));
  nodes.forEach((n, i) => "class" in n && (level[i] = last));

  const sinks = nodes.filter((n) => "class" in n).length;
  const text = captions(d, Math.min(260, Math.max(90, 760 / sinks - 40)));
  if (!ordered) nodes.forEach((n, i) => "class" in n || (text[i]!.label = fitted(words[n.feature]![0], last <= 4 ? 180 : 110)));
  const rx = nodes.map((n, i) => (ordered || "class" in n ? kRadius : Math.max(kRadius, textWidth(text[i]!.label) / 2 + 11)));
  const vertices: Vertex[] = nodes.map((n, i) => ({ half: "class" in n ? Math.max(kRadius, textWidth(text[i]!.label, true) / 2, textWidth(text[i]!.note) / 2) : rx[i]!, up: [], down: [], x: 0, level: level[i]! }));
  const edges = nodes.flatMap((n, from) => ("class" in n ? [] : [false, true].map((high) => {
    const to = high ? n.high : n.low;
    const chain = [from];
    for (let l = level[from]! + 1; l < level[to]!; ++l) chain.push(vertices.push({ half: 5, up: [], down: [], x: 0, level: l }) - 1);
    chain.push(to);
    for (let i = 1; i < chain.length; ++i) {
      vertices[chain[i - 1]!]!.down.push(chain[i]!);
      vertices[chain[i]!]!.up.push(chain[i - 1]!);
    }
    return { from, to, high, chain };
  })));
  arrange(vertices, last + 1);

  const ys: number[] = [];
  let y = kMargin + kRadius;
  for (let l = 0; l <= last; ++l) {
    ys.push(y);
    const furthest = Math.max(0, ...vertices.filter((v) => v.level === l).flatMap((v) => v.down.map((w) => Math.abs(vertices[w]!.x - v.x))));
    y += 2 * kRadius + Math.min(110, Math.max(36, 26 + 0.16 * furthest));
  }
  const levels = ys.map((at, l) => {
    const whole = l === last ? shown(d.model.target, 200) : order ? shownFeature(words[order[l]!]![0], 200) : `test ${l + 1}`;
    return { text: fitted(whole, 300), whole, y: at };
  });
  const names = Math.max(...levels.map((l, i) => 3 * kMargin + textWidth(l.text, i === last)));
  const left = Math.min(...vertices.map((v) => v.x - v.half));
  const right = Math.max(...vertices.map((v) => v.x + v.half));
  for (const v of vertices) v.x += names - left;
  const { over, total } = weigh(d);
  const ends = edges.map((e) => arrival(vertices, edges, e, rx[e.to]!));
  return {
    width: names + right - left + 2 * kMargin, height: ys[last]! + kRadius + kCaption + kMargin, names_width: names, ordered, levels,
    nodes: nodes.map((_, n) => ({ x: round(vertices[n]!.x), y: ys[level[n]!]!, rx: rx[n]!, ry: kRadius, ...text[n]! })),
    edges: edges.map(({ from, to, high, chain }, i) => ({
      from, to, high, share: total > 0 ? (over.get(edgeKey(from, high)) ?? 0) / total : 0,
      d: route(chain.map((v) => vertices[v]!), ys, aside(vertices, from, chain[1]!, rx[from]!), ends[i]!, !("class" in nodes[to]!) && ordered),
    })),
  };
}

const round = (x: number) => Math.round(10 * x) / 10;

// The two edges of a node leave it apart.
function aside(vertices: Vertex[], from: number, next: number, rx: number): number {
  const other = vertices[from]!.down.find((v) => v !== next);
  const left = other === undefined ? 0 : Math.sign(vertices[next]!.x - vertices[other]!.x);
  return left * Math.min(9, rx / 2);
}

// And edges arrive side by side.
function arrival(vertices: Vertex[], edges: { to: number; chain: number[] }[], edge: { to: number; chain: number[] }, rx: number): number {
  const before = (e: { chain: number[] }) => vertices[e.chain[e.chain.length - 2]!]!.x;
  const all = edges.filter((e) => e.to === edge.to).sort((a, b) => before(a) - before(b));
  const step = Math.min(7, (2 * (rx - 6)) / Math.max(1, all.length - 1));
  return (all.indexOf(edge) - (all.length - 1) / 2) * step;
}

function route(chain: Vertex[], ys: number[], start: number, end: number, round_end: boolean): string {
  const top = round_end ? Math.sqrt(kRadius ** 2 - end ** 2) : kRadius;
  const last = chain.length - 1;
  const points = chain.map((v, i) => ({ x: v.x + (i === 0 ? start : i === last ? end : 0), y: ys[v.level]! + (i === 0 ? kRadius - 2 : i === last ? -top : 0) }));
  let path = `M${round(points[0]!.x)} ${round(points[0]!.y)}`;
  for (let i = 1; i < points.length; ++i) {
    const [a, b] = [points[i - 1]!, points[i]!];
    const half = (b.y - a.y) / 2;
    path += `C${round(a.x)} ${round(a.y + half)} ${round(b.x)} ${round(b.y - half)} ${round(b.x)} ${round(b.y)}`;
  }
  return path;
}

// Orders each level by the middle of its neighbours, then spreads it out as near to them as there is room.
function arrange(vertices: Vertex[], count: number) {
  const levels: number[][] = Array.from({ length: count }, () => []);
  vertices.forEach((v, i) => levels[v.level]!.push(i));
  const mean = (list: number[], value: (v: number) => number, otherwise: number) => (list.length === 0 ? otherwise : list.reduce((s, v) => s + value(v), 0) / list.length);
  const place = vertices.map(() => 0);
  const number = () => levels.forEach((l) => l.forEach((v, i) => (place[v] = i)));
  const crossings = () => levels.reduce((sum, l) => {
    const ends = l.flatMap((v) => [...vertices[v]!.down].map((w) => [place[v]!, place[w]!] as const));
    return sum + ends.reduce((n, a, i) => n + ends.slice(i + 1).filter((b) => (a[0] - b[0]) * (a[1] - b[1]) < 0).length, 0);
  }, 0);
  number();
  let best = levels.map((l) => [...l]);
  let least = vertices.length > 2000 ? 0 : crossings();
  for (let round = 0; round < 12 && least > 0; ++round) {
    for (const l of round % 2 === 0 ? levels : [...levels].reverse()) {
      const middle = new Map(l.map((v) => [v, mean(round % 2 === 0 ? vertices[v]!.up : vertices[v]!.down, (w) => place[w]!, place[v]!)]));
      l.sort((a, b) => middle.get(a)! - middle.get(b)! || place[a]! - place[b]!);
      l.forEach((v, i) => (place[v] = i));
    }
    const now = crossings();
    if (now < least) (least = now), (best = levels.map((l) => [...l]));
  }
  spread(vertices, best);
}

function spread(vertices: Vertex[], levels: number[][]) {
  const gap = (a: number, b: number) => vertices[a]!.half + vertices[b]!.half + kGap;
  for (const l of levels) l.forEach((v, i) => (vertices[v]!.x = i === 0 ? 0 : vertices[l[i - 1]!]!.x + gap(l[i - 1]!, v)));
  for (const l of levels) {
    const middle = l.length === 0 ? 0 : (vertices[l[0]!]!.x + vertices[l[l.length - 1]!]!.x) / 2;
    for (const v of l) vertices[v]!.x -= middle;
  }
  for (let round = 0; round < 24; ++round)
    for (const l of round % 2 === 0 ? levels : [...levels].reverse()) {
      const wish = l.map((v) => {
        const near = round % 2 === 0 ? vertices[v]!.up : vertices[v]!.down;
        return near.length === 0 ? vertices[v]!.x : near.reduce((s, w) => s + vertices[w]!.x, 0) / near.length;
      });
      // As near as possible from the left, and from the right; the middle of both keeps order and room.
      const fromLeft = [...wish];
      for (let i = 1; i < l.length; ++i) fromLeft[i] = Math.max(wish[i]!, fromLeft[i - 1]! + gap(l[i - 1]!, l[i]!));
      const fromRight = [...wish];
      for (let i = l.length - 2; i >= 0; --i) fromRight[i] = Math.min(wish[i]!, fromRight[i + 1]! - gap(l[i]!, l[i + 1]!));
      l.forEach((v, i) => (vertices[v]!.x = (fromLeft[i]! + fromRight[i]!) / 2));
    }
}
