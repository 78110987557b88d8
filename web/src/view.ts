// Zoom and pan of the picture. A plain wheel scrolls the page, as people expect; with Ctrl it zooms. One finger scrolls, and
// pans what is zoomed; two fingers zoom and pan.
export class View {
  dragged = false; // the last press moved the picture: it was no click
  private scale = 1;
  private x = 0;
  private y = 0;
  private readonly pointers = new Map<number, { x: number; y: number }>();

  constructor(private readonly svg: SVGSVGElement, private readonly moving: SVGGElement, private readonly nodes: { x: number; y: number }[],
    private readonly width: number, private readonly height: number, private readonly onShow: () => void, signal: AbortSignal) {
    svg.addEventListener("wheel", (e) => {
      if (!e.ctrlKey && !e.metaKey) return;
      e.preventDefault();
      this.zoom(Math.exp(-e.deltaY / 300), this.local(e.clientX, e.clientY));
    }, { passive: false });
    svg.addEventListener("pointerdown", (e) => {
      if (e.button !== 0) return;
      this.dragged = false;
      this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
    });
    // Two fingers are ours: the browser would take them for scrolling.
    svg.addEventListener("touchstart", (e) => {
      if (e.touches.length > 1) e.preventDefault();
    }, { passive: false });
    addEventListener("pointermove", (e) => this.move(e), { signal });
    for (const end of ["pointerup", "pointercancel"] as const)
      addEventListener(end, (e) => {
        this.pointers.delete(e.pointerId);
        svg.classList.remove("dragging");
      }, { signal });
  }

  zoom(by: number, at = this.middle()) {
    const scale = Math.min(12, Math.max(0.5, this.scale * by));
    this.x = at.x - ((at.x - this.x) * scale) / this.scale;
    this.y = at.y - ((at.y - this.y) * scale) / this.scale;
    this.scale = scale;
    this.show();
  }
  // The node nearest to the middle of what is in sight, where it is on the screen: zooming there loses nothing.
  private middle() {
    const frame = this.svg.parentElement!.getBoundingClientRect();
    const top = Math.max(frame.top, 0);
    const bottom = Math.max(top, Math.min(frame.bottom, innerHeight));
    const here = this.local((Math.max(frame.left, 0) + Math.min(frame.right, innerWidth)) / 2, (top + bottom) / 2);
    const placed = this.nodes.map((n) => ({ x: this.x + this.scale * n.x, y: this.y + this.scale * n.y }));
    return placed.reduce((a, b) => (Math.hypot(b.x - here.x, b.y - here.y) < Math.hypot(a.x - here.x, a.y - here.y) ? b : a));
  }
  reset() {
    this.scale = 1;
    this.x = this.y = 0;
    this.show();
  }
  // Move as little as brings the element into the frame.
  reveal(g: SVGGElement) {
    const frame = this.svg.parentElement!.getBoundingClientRect();
    const box = g.getBoundingClientRect();
    const off = (low: number, high: number, from: number, to: number) =>
      low < from ? from - low + 8 : high > to ? to - high - 8 : 0;
    const dx = off(box.left, box.right, frame.left, frame.right);
    const dy = off(box.top, box.bottom, frame.top, frame.bottom);
    if (this.scale === 1 && this.x === 0 && this.y === 0) return;
    if (dx !== 0 || dy !== 0) this.pan(dx, dy);
  }

  private local(clientX: number, clientY: number) {
    const p = new DOMPoint(clientX, clientY).matrixTransform(this.svg.getScreenCTM()!.inverse());
    return { x: p.x, y: p.y };
  }
  private pan(dx: number, dy: number) {
    const unit = this.svg.getScreenCTM()!.a;
    this.x += dx / unit;
    this.y += dy / unit;
    this.show();
  }
  private move(e: PointerEvent) {
    const before = this.pointers.get(e.pointerId);
    if (!before) return;
    const others = [...this.pointers].filter(([id]) => id !== e.pointerId).map(([, p]) => p);
    if (others.length > 0) {
      const o = others[0]!;
      const was = Math.hypot(before.x - o.x, before.y - o.y);
      const is = Math.hypot(e.clientX - o.x, e.clientY - o.y);
      this.pan((e.clientX - before.x) / 2, (e.clientY - before.y) / 2); // with the middle of both
      if (was > 0) this.zoom(is / was, this.local((e.clientX + o.x) / 2, (e.clientY + o.y) / 2));
      this.dragged = true;
    } else {
      const dx = e.clientX - before.x;
      const dy = e.clientY - before.y;
      if (!this.dragged && Math.hypot(dx, dy) < 4) return;
      this.dragged = true;
      this.svg.classList.add("dragging");
      this.pan(dx, dy);
    }
    this.pointers.set(e.pointerId, { x: e.clientX, y: e.clientY });
  }
  private show() {
    // Half of the frame keeps some of the picture.
    const keep = (at: number, length: number) => Math.min(length / 2, Math.max(length / 2 - this.scale * length, at));
    this.x = keep(this.x, this.width);
    this.y = keep(this.y, this.height);
    this.moving.setAttribute("transform", `translate(${this.x} ${this.y}) scale(${this.scale})`);
    this.svg.classList.toggle("zoomed", this.scale > 1);
    this.onShow();
  }
}
