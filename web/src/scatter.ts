// The models of a page as dots: errors against tests, each reachable by pointer and keys.
import { decimal, s, shown } from "./dom";
import type { Entry } from "./models";

// Safe for colour-blind people, and other than the colours of classes (Tol 2021, muted).
export const kPalette = ["#4477aa", "#aa4499", "#44aa99", "#999933", "#cc6677", "#88ccee", "#117733", "#ddcc77"];
export const kOthers = "#9aa5af";

const [kWidth, kHeight, kLeft, kBottom, kTop, kRight] = [560, 360, 58, 44, 14, 14];

export const told = (e: Entry, measure: string) =>
  `${measure === "cost" ? `cost ${decimal(e.errors)}` : `${decimal(e.errors)} error${e.errors === 1 ? "" : "s"}`}, ${e.tests} test${e.tests === 1 ? "" : "s"}`;

// Equal models stand side by side, in rows about the place that they share.
function spread(entries: Entry[], px: (e: Entry) => number, py: (e: Entry) => number, room: number) {
  const groups = new Map<string, Entry[]>();
  for (const e of entries) {
    const key = `${e.tests} ${e.errors}`;
    groups.set(key, [...(groups.get(key) ?? []), e]);
  }
  const places = new Map<Entry, { x: number; y: number }>();
  for (const group of groups.values()) {
    const across = Math.max(1, Math.min(Math.floor(room / 9), group.length));
    const down = Math.ceil(group.length / across);
    group.forEach((e, i) => {
      const row = Math.floor(i / across);
      const inRow = row === down - 1 ? group.length - row * across : across;
      places.set(e, { x: px(e) + ((i % across) - (inRow - 1) / 2) * 9, y: py(e) + (row - (down - 1) / 2) * 9 });
    });
  }
  return places;
}

function shape(e: Entry, x: number, y: number, colour: string) {
  if (e.kind === "front") return s("path", { class: "mark", d: `M${x} ${y - 5.5}L${x + 5.5} ${y}L${x} ${y + 5.5}L${x - 5.5} ${y}Z`, fill: colour });
  if (e.kind === "fitted") return s("rect", { class: "mark", x: x - 4.5, y: y - 4.5, width: 9, height: 9, fill: colour });
  return s("circle", { class: "mark", cx: x, cy: y, r: 4, fill: colour });
}

export class Scatter {
  readonly element: SVGSVGElement;
  private readonly dots = new Map<Entry, SVGGElement>();
  private readonly tip: SVGTextElement;
  private active = 0;
  private marked: SVGGElement | null = null;
  private left: Entry[];

  // `entries` in the order that keys follow.
  constructor(entries: Entry[], private readonly measure: string, colour: (e: Entry) => string, private readonly onShow: (e: Entry) => void) {
    this.left = entries;
    const range = (values: number[]) => [Math.min(...values), Math.max(...values)] as const;
    const [x0, x1] = range(entries.map((e) => e.tests));
    const [y0, y1] = range(entries.map((e) => e.errors));
    const step = (kWidth - kLeft - kRight) / (x1 - x0 + 1);
    const px = (tests: number) => kLeft + (tests - x0 + 0.5) * step;
    // Points of the front may be far from the others, who would be pressed together.
    const near = Math.max(y0, ...entries.filter((e) => e.kind !== "front").map((e) => e.errors)) - y0;
    const bent = near > 0 && y1 - y0 > 3 * near;
    const height = (errors: number) => (bent ? Math.log1p((2 * (errors - y0)) / near) : errors - y0);
    const py = (errors: number) => kTop + 16 + (1 - height(errors) / (height(y1) || 1)) * (kHeight - kTop - kBottom - 32);
    const places = spread(entries, (e) => px(e.tests), (e) => py(e.errors), step - 2);
    const marks = [...new Set(entries.map((e) => e.errors))].sort((a, b) => a - b);
    const every = Math.ceil(marks.length / 9);
    const labels = x1 - x0 < 24 ? 1 : 5;
    this.tip = s("text", { class: "told", x: kWidth - kRight, y: kTop + 2, "text-anchor": "end", "aria-hidden": "true" });
    this.element = s("svg", { class: "scatter", viewBox: `0 0 ${kWidth} ${kHeight}`, role: "listbox", tabindex: 0, "aria-label": `Models by ${measure} and tests. Arrow keys go from model to model, Enter shows one.` },
      s("g", { "aria-hidden": "true" },
        marks.filter((_, i) => i % every === 0).map((m) => [s("line", { class: "grid", x1: kLeft, x2: kWidth - kRight, y1: py(m), y2: py(m) }), s("text", { x: kLeft - 8, y: py(m) + 4, "text-anchor": "end" }, decimal(m))]),
        Array.from({ length: x1 - x0 + 1 }, (_, i) => x0 + i).filter((t) => t % labels === 0 || x1 === x0).map((t) => s("text", { x: px(t), y: kHeight - kBottom + 16, "text-anchor": "middle" }, t)),
        s("text", { x: (kLeft + kWidth) / 2, y: kHeight - 8, "text-anchor": "middle", class: "axis" }, "tests in the diagram"),
        s("text", { x: -(kHeight - kBottom) / 2, y: 14, "text-anchor": "middle", class: "axis", transform: "rotate(-90)" }, `${measure === "cost" ? "cost" : "errors"} on training rows${bent ? ", larger ones closer" : ""}`)),
      this.tip,
      entries.map((e, i) => {
        const { x, y } = places.get(e)!;
        const g = s("g", { role: "option", id: `dot-${i}`, "aria-selected": "false", class: `dot ${e.kind}`, "aria-label": `${told(e, measure)}: ${e.columns.map((c) => shown(c, 40)).join(", ")}; ${e.name}`,
          onclick: () => onShow(e), onpointerenter: () => this.say(e), onpointerleave: () => this.say(null) },
          s("circle", { class: "ring", cx: x, cy: y, r: 8 }), shape(e, x, y, colour(e)));
        this.dots.set(e, g);
        return g;
      }));
    this.element.addEventListener("keydown", (e) => this.key(e));
    this.element.addEventListener("focus", () => this.go(this.active));
    this.element.addEventListener("blur", () => this.say(null));
  }

  // The models that pass the filters: the others are pale and out of reach.
  filter(left: Entry[]) {
    this.left = left;
    const kept = new Set(left);
    for (const [e, g] of this.dots) g.classList.toggle("out", !kept.has(e));
    this.active = 0;
  }
  mark(shown: Entry) {
    this.marked?.setAttribute("aria-selected", "false");
    this.marked = this.dots.get(shown) ?? null;
    this.marked?.setAttribute("aria-selected", "true");
    this.marked?.parentElement!.append(this.marked); // above the others
    this.active = Math.max(0, this.left.indexOf(shown));
  }
  private say(e: Entry | null) {
    this.tip.textContent = e === null ? "" : `${told(e, this.measure)}: ${shown(e.columns.map((c) => shown(c, 18)).join(", "), 60)}`;
  }
  private go(i: number) {
    const e = this.left[i];
    for (const g of this.dots.values()) g.classList.remove("active");
    if (!e) return;
    this.active = i;
    const g = this.dots.get(e)!;
    g.classList.add("active");
    this.element.setAttribute("aria-activedescendant", g.id);
    this.say(e);
  }
  private key(event: KeyboardEvent) {
    const by = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    const last = this.left.length - 1;
    if (by !== undefined) this.go(Math.max(0, Math.min(last, this.active + by)));
    else if (event.key === "Home") this.go(0);
    else if (event.key === "End") this.go(last);
    else if ((event.key === "Enter" || event.key === " ") && this.left[this.active]) this.onShow(this.left[this.active]!);
    else return;
    event.preventDefault();
  }
}
