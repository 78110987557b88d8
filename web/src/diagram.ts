// The picture: drawn from the layout that C++ computed; walked by pointer and by keys.
import type { Layout, Page } from "./data";
import { h, s, shown } from "./dom";
import { Diagram, edgeKey, type Reach } from "./logic";
import { question } from "./questions";
import { View } from "./view";

export interface Choice { node: number; high: boolean | null } // a node, or one of its edges

export const kKeys =
  "Keys: arrow down and up follow edges, left and right choose the dashed or the solid edge of a node, Enter filters the data, + and - zoom, 0 shows everything, Esc closes a note.";

const kLegible = 0.75; // of the sizes in the layout: letters of 9 pixels

export class Picture {
  readonly element: HTMLElement;
  readonly tools: HTMLElement; // zoom
  private readonly svg: SVGSVGElement;
  private readonly scroller: HTMLElement;
  private readonly names = s("g", { class: "names" });
  private readonly tip = h("div", { class: "tip", hidden: true });
  private readonly nodes: SVGGElement[] = [];
  private readonly edges = new Map<string, SVGGElement>();
  private readonly view: View;
  private readonly gone = new AbortController();
  private readonly weights: number[][]; // node, class
  private readonly over = new Map<string, number>(); // edge: training weight

  constructor(private readonly page: Page, private readonly d: Diagram, private readonly onChoose: (c: Choice) => void) {
    const layout = page.diagram.layout;
    this.weights = d.model.diagram.nodes.map(() => d.model.classes.map(() => 0));
    this.count();
    const moving = s("g", { class: "moving" });
    this.svg = s("svg", {
      class: "picture", viewBox: `0 0 ${layout.width} ${layout.height}`, role: "application",
      "aria-label": `Decision diagram for ${shown(d.model.target)}. ${kKeys}`, "aria-roledescription": "diagram",
    }, moving);
    moving.append(this.levels(layout), this.drawEdges(layout), this.drawNodes(layout), this.names);
    this.svg.style.maxWidth = `${Math.round(1.5 * layout.width)}px`; // small diagrams need not be huge
    this.svg.style.minWidth = `${Math.round(kLegible * layout.width)}px`; // on a small screen: legible, and scrolled
    this.scroller = h("div", { class: "frame", onscroll: () => this.keepNames() }, this.svg);
    this.view = new View(this.svg, moving, layout.nodes, layout.width, layout.height, () => this.keepNames(), this.gone.signal);
    this.svg.addEventListener("keydown", (e) => this.key(e));
    const tool = (label: string, text: string, act: () => void) =>
      h("button", { type: "button", class: "tool", "aria-label": label, title: label, onclick: act }, text);
    this.tools = h("div", { class: "tools" }, tool("Zoom in", "+", () => this.view.zoom(1.3)), tool("Zoom out", "\u2212", () => this.view.zoom(1 / 1.3)),
        tool("Show all", "\u2922", () => this.view.reset()));
    this.element = h("div", { class: "stage" }, this.scroller, this.tip);
  }
  // Another picture takes its place.
  stop() {
    this.gone.abort();
  }
  // Once it is in the document: where it is wider than its frame, the root is in the middle.
  start() {
    this.fit();
    addEventListener("resize", () => this.fit(), { signal: this.gone.signal });
    addEventListener("keydown", (e) => e.key === "Escape" && (this.tip.hidden = true), { signal: this.gone.signal });
    this.replies();
    const root = this.nodes[0]!.getBoundingClientRect();
    const frame = this.scroller.getBoundingClientRect();
    this.scroller.scrollLeft = (root.left + root.right - frame.left - frame.right) / 2;
  }
  // The answers, at the bottom, are in sight where that leaves the words legible.
  private fit() {
    const layout = this.page.diagram.layout;
    const top = this.element.getBoundingClientRect().top + scrollY;
    this.svg.style.maxHeight = `${Math.round(Math.max(innerHeight - top - 14, kLegible * layout.height))}px`;
  }
  // Yes and no, at the first edges.
  private replies() {
    for (const high of [false, true]) {
      const line = this.edges.get(edgeKey(0, high))?.querySelector<SVGPathElement>(".line");
      const other = this.edges.get(edgeKey(0, !high))?.querySelector<SVGPathElement>(".line");
      if (!line || !other) continue;
      const p = line.getPointAtLength(Math.min(38, line.getTotalLength() / 2));
      const q = other.getPointAtLength(Math.min(38, other.getTotalLength() / 2));
      const left = p.x < q.x || (p.x === q.x && !high);
      this.names.before(s("text", { class: "reply", "aria-hidden": "true", x: p.x + (left ? -11 : 11), y: p.y + 4, "text-anchor": left ? "end" : "start" }, high ? "yes" : "no"));
    }
  }
  // The names of levels stay at the left edge of the frame, there above their lines: nodes may be on those.
  private keepNames() {
    const at = this.names.getScreenCTM()!;
    const away = Math.max(0, (this.scroller.getBoundingClientRect().left - at.e) / at.a);
    this.names.classList.toggle("away", away > 0);
    for (const name of this.names.children) name.setAttribute("transform", away > 0 ? `translate(${away} -18)` : "translate(0 0)");
  }

  // As a picture by itself, with the page's style.
  still(): string {
    const { width, height } = this.page.diagram.layout;
    const copy = this.svg.cloneNode(true) as SVGSVGElement;
    for (const name of ["style", "role", "aria-label", "aria-roledescription"]) copy.removeAttribute(name);
    copy.setAttribute("xmlns", "http://www.w3.org/2000/svg");
    copy.setAttribute("width", String(width));
    copy.setAttribute("height", String(height));
    copy.querySelector(".moving")!.removeAttribute("transform");
    copy.prepend(s("style", {}, document.querySelector("style")!.textContent!));
    return new XMLSerializer().serializeToString(copy);
  }

  highlight(reach: Reach | null) {
    this.svg.classList.toggle("asked", reach !== null);
    this.nodes.forEach((g, n) => g.classList.toggle("on", reach?.nodes.has(n) ?? false));
    for (const [key, g] of this.edges) g.classList.toggle("on", reach?.edges.has(key) ?? false);
  }
  mark(choice: Choice | null) {
    this.nodes.forEach((g, n) => g.classList.toggle("chosen", choice?.node === n && choice.high === null));
    for (const [key, g] of this.edges)
      g.classList.toggle("chosen", choice !== null && choice.high !== null && key === edgeKey(choice.node, choice.high));
  }

  // Weights of nodes and edges, from those of the paths.
  private count() {
    this.d.model.paths.forEach((counts, p) => {
      const total = counts.reduce((a, b) => a + b, 0);
      if (total === 0) return;
      const { steps, sink } = this.d.stepsOf(p);
      for (const { node, passed } of steps) {
        counts.forEach((w, k) => (this.weights[node]![k]! += w));
        const key = edgeKey(node, passed);
        this.over.set(key, (this.over.get(key) ?? 0) + total);
      }
      counts.forEach((w, k) => (this.weights[sink]![k]! += w));
    });
  }
  private weight(weight: number): string {
    return String(Number((weight / (this.d.model.training.weight_scale || 1)).toPrecision(12)));
  }
  private rows(weight: number): string {
    const t = this.d.model.training;
    const text = this.weight(weight);
    const plain = t.total_weight === t.rows * (t.weight_scale || 1);
    return plain ? `${text} training row${text === "1" ? "" : "s"}` : `training weight ${text}`;
  }
  private total(n: number) {
    return this.weights[n]!.reduce((a, b) => a + b, 0);
  }

  words(c: Choice): string[] {
    if (c.high !== null) {
      const { feature } = this.d.test(c.node);
      return [`${this.page.diagram.tests[feature]![c.high ? 0 : 1]} (${c.high ? "solid" : "dashed"} edge)`,
        `${this.weight(this.over.get(edgeKey(c.node, c.high)) ?? 0)} of the ${this.rows(this.total(c.node))} here go this way`];
    }
    const out: string[] = [];
    if (this.d.isSink(c.node)) {
      out.push(`Answer: ${shown(this.d.model.classes[this.d.classOf(c.node)]!)}`);
    } else {
      const { feature } = this.d.test(c.node);
      out.push(question(this.page, this.d, feature));
    }
    out.push(this.rows(this.total(c.node)));
    const parts = this.weights[c.node]!.flatMap((w, k) =>
      w === 0 ? [] : [`${shown(this.d.model.classes[k]!, 60)}: ${this.weight(w)}`]);
    if (parts.length > 0) out.push(parts.join(", "));
    return out;
  }

  private levels(layout: Layout) {
    layout.levels.forEach((level, i) => this.names.append(
      s("text", { class: i + 1 === layout.levels.length ? "last" : layout.ordered ? "" : "faint", x: 12, y: level.y + 4 }, level.text, s("title", {}, level.whole))));
    return s("g", { class: "levels" }, layout.levels.map((level) =>
      s("line", { x1: layout.names_width - 12, y1: level.y, x2: layout.width - 12, y2: level.y })));
  }

  private drawEdges(layout: Layout) {
    const sorted = [...layout.edges].sort((a, b) => a.share - b.share);
    return s("g", {}, sorted.map((e) => {
      const width = 1.2 + 4.3 * e.share;
      const line = s("path", { class: "line", d: e.d, "stroke-width": width.toFixed(2),
        "stroke-dasharray": e.high ? null : `${(3.5 + width).toFixed(1)} ${(2.5 + 0.8 * width).toFixed(1)}` });
      const g = this.item(s("g", { class: e.share === 0 ? "edge none" : "edge" }, s("path", { class: "grip", d: e.d }), line),
        { node: e.from, high: e.high });
      g.dataset.edge = edgeKey(e.from, e.high);
      this.edges.set(edgeKey(e.from, e.high), g);
      return g;
    }));
  }

  private drawNodes(layout: Layout) {
    return s("g", {}, layout.nodes.map((p, n) => {
      const sink = this.d.isSink(n);
      const g = this.item(s("g", { class: (sink ? "sink" : "node") + (this.total(n) === 0 ? " none" : ""),
        transform: `translate(${p.x} ${p.y})` }, sink ? this.sink(n) : layout.ordered ? this.circle(n) : this.box(n)),
        { node: n, high: null });
      g.dataset.node = String(n);
      if (n === 0) g.setAttribute("tabindex", "0");
      this.nodes.push(g);
      return g;
    }));
  }

  private item(g: SVGGElement, choice: Choice) {
    g.setAttribute("role", "button");
    g.setAttribute("tabindex", "-1");
    // What is seen is part of what is said, so that people who speak to their machine can name it.
    const texts = [...g.querySelectorAll("text")];
    for (const t of texts) t.after(" ");
    const seen = texts.map((t) => t.textContent).join(" ");
    g.setAttribute("aria-label", [...(seen === "" ? [] : [seen]), ...this.words(choice)].join(". "));
    g.addEventListener("pointerenter", (e) => e.pointerType !== "touch" && this.tell(choice, g));
    g.addEventListener("pointerleave", () => (this.tip.hidden = true));
    g.addEventListener("focus", () => this.tell(choice, g));
    g.addEventListener("blur", () => (this.tip.hidden = true));
    g.addEventListener("click", () => {
      if (this.view.dragged) return;
      this.tell(choice, g);
      this.onChoose(choice);
    });
    return g;
  }

  private tell(choice: Choice, g: SVGGElement) {
    this.tip.replaceChildren(...this.words(choice).map((line) => h("div", {}, line)));
    this.tip.hidden = false;
    const stage = this.element.getBoundingClientRect();
    const at = g.getBoundingClientRect();
    const width = this.tip.offsetWidth;
    const x = Math.min(Math.max(4, at.left + at.width / 2 - stage.left - width / 2), Math.max(4, stage.width - width - 4));
    const below = at.bottom - stage.top + 8;
    const above = at.top - stage.top - this.tip.offsetHeight - 8;
    this.tip.style.left = `${x}px`;
    this.tip.style.top = `${below + this.tip.offsetHeight > stage.height && above > 0 ? above : below}px`;
  }

  private ring(n: number, radius: number) {
    const total = this.total(n);
    const out: SVGElement[] = [];
    let turn = 0;
    this.weights[n]!.forEach((w, k) => {
      if (w === 0) return;
      const part = w / total;
      const stroke = this.page.diagram.colours[k]![0];
      if (part >= 1) {
        out.push(s("circle", { class: "ring", r: radius, stroke }));
        return;
      }
      const at = (t: number) => `${(radius * Math.sin(2 * Math.PI * t)).toFixed(2)} ${(-radius * Math.cos(2 * Math.PI * t)).toFixed(2)}`;
      out.push(s("path", { class: "ring", stroke, d: `M${at(turn)}A${radius} ${radius} 0 ${part > 0.5 ? 1 : 0} 1 ${at(turn + part)}` }));
      turn += part;
    });
    return out;
  }
  private circle(n: number) {
    const p = this.page.diagram.layout.nodes[n]!;
    return [s("circle", { class: "shape", r: p.rx - 0.5 }), ...this.ring(n, p.rx - 3),
      s("text", { y: 3.5, class: p.label.length > 3 ? "small" : "count" }, p.label)];
  }
  private box(n: number) {
    const p = this.page.diagram.layout.nodes[n]!;
    const room = 2 * (p.rx - 14);
    let x = -room / 2;
    const bars = this.weights[n]!.map((w, k) => {
      const width = (room * w) / (this.total(n) || 1);
      const bar = s("rect", { x: x.toFixed(2), y: 7, width: width.toFixed(2), height: 4, fill: this.page.diagram.colours[k]![0] });
      x += width;
      return bar;
    });
    return [s("rect", { class: "shape", x: -p.rx + 0.5, y: -p.ry + 0.5, width: 2 * p.rx - 1, height: 2 * p.ry - 1, rx: p.ry - 0.5 }),
      ...bars, s("text", { y: 1.5, class: "test" }, p.label)];
  }
  private sink(n: number) {
    const p = this.page.diagram.layout.nodes[n]!;
    const k = this.d.classOf(n);
    const [fill, ink] = this.page.diagram.colours[k]!;
    const total = this.total(n);
    const share = total === 0 ? 0 : this.weights[n]![k]! / total;
    const text = share < 1 && share >= 0.995 ? ">99%" : share > 0 && share < 0.005 ? "<1%" : `${(100 * share).toFixed(0)}%`;
    return [s("rect", { class: "shape", x: -p.rx + 0.5, y: -p.ry + 0.5, width: 2 * p.rx - 1, height: 2 * p.ry - 1, fill }),
      total > 0 && s("text", { y: 4, class: ink === "#ffffff" ? "share light" : "share dark" }, text),
      s("text", { y: p.ry + 16, class: "answer" }, p.label), s("text", { y: p.ry + 30, class: "note" }, p.note)];
  }

  private focus(choice: Choice) {
    const g = choice.high === null ? this.nodes[choice.node]! : this.edges.get(edgeKey(choice.node, choice.high))!;
    for (const other of this.svg.querySelectorAll("[tabindex='0']")) other.setAttribute("tabindex", "-1");
    g.setAttribute("tabindex", "0");
    g.focus();
    this.view.reveal(g);
    this.tell(choice, g);
  }

  private key(e: KeyboardEvent) {
    const g = (e.target as Element).closest<SVGGElement>("[data-node],[data-edge]");
    const done = () => {
      e.preventDefault();
      e.stopPropagation();
    };
    if (e.key === "+" || e.key === "=") return this.view.zoom(1.3), done();
    if (e.key === "-") return this.view.zoom(1 / 1.3), done();
    if (e.key === "0") return this.view.reset(), done();
    if (e.key === "Escape") return (this.tip.hidden = true), done();
    if (!g) return;
    const edge = g.dataset.edge?.split(":");
    const at: Choice = edge ? { node: Number(edge[0]), high: edge[1] === "1" } : { node: Number(g.dataset.node), high: null };
    if (e.key === "Enter" || e.key === " ") return this.onChoose(at), done();
    if (e.key === "Home") return this.focus({ node: 0, high: null }), done();
    const parent = this.page.diagram.layout.edges.find((x) => x.to === at.node && at.high === null);
    const next: Choice | null =
      e.key === "ArrowUp" ? (at.high !== null ? { node: at.node, high: null } : parent ? { node: parent.from, high: parent.high } : null)
      : e.key === "ArrowDown" ? (at.high !== null ? { node: this.d.child(at.node, at.high), high: null } : this.d.isSink(at.node) ? null : { node: at.node, high: true })
      : e.key === "ArrowLeft" && !this.d.isSink(at.node) ? { node: at.node, high: false }
      : e.key === "ArrowRight" && !this.d.isSink(at.node) ? { node: at.node, high: true }
      : null;
    if (!next) return;
    this.focus(next);
    done();
  }
}
