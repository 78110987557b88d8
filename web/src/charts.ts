// Small pictures of numbers, drawn as they print.
import { decimal, h, largest, s } from "./dom";

interface Line { name: string; kind: string; points: [number, number][]; step: boolean }

function ticks(low: number, high: number, whole: boolean): number[] {
  const raw = (high - low) / 5 || 1;
  const power = 10 ** Math.floor(Math.log10(raw));
  let step = [1, 2, 5, 10].map((m) => m * power).find((x) => x >= raw)!;
  if (whole) step = Math.max(1, Math.round(step));
  const out: number[] = [];
  for (let t = Math.ceil(low / step) * step; t <= high + step * 1e-9; t += step) out.push(Number(t.toPrecision(12)));
  return out;
}

export function chart(lines: Line[], x: string, y: string, words: string, wholeX = false) {
  const [width, height, left, bottom] = [520, 240, 52, 40];
  const all = lines.flatMap((l) => l.points);
  const xs = all.map((p) => p[0]);
  const ys = all.map((p) => p[1]);
  const [x0, x1] = [wholeX ? -largest(xs.map((v) => -v)) : 0, largest(xs)];
  const y1 = largest(ys, 1);
  const px = (v: number) => left + ((v - x0) / (x1 - x0 || 1)) * (width - left - 14);
  const py = (v: number) => height - bottom - (v / y1) * (height - bottom - 14);
  const data = (l: Line) => l.points.map(([a, b], i) => i === 0 ? `M${px(a).toFixed(1)} ${py(b).toFixed(1)}`
    : l.step ? `H${px(a).toFixed(1)}V${py(b).toFixed(1)}` : `L${px(a).toFixed(1)} ${py(b).toFixed(1)}`).join("");
  return h("figure", { class: "chart" },
    s("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": words },
      ticks(0, y1, true).map((t) => [s("line", { class: "grid", x1: left, x2: width - 14, y1: py(t), y2: py(t) }),
        s("text", { x: left - 8, y: py(t) + 4, "text-anchor": "end" }, decimal(t))]),
      ticks(x0, x1, wholeX).map((t) => s("text", { x: px(t), y: height - bottom + 16, "text-anchor": "middle" }, decimal(t))),
      s("text", { x: (left + width) / 2, y: height - 6, "text-anchor": "middle", class: "axis" }, x),
      s("text", { x: -(height - bottom) / 2, y: 12, "text-anchor": "middle", class: "axis", transform: "rotate(-90)" }, y),
      lines.map((l) => [s("path", { class: `series ${l.kind}`, d: data(l) }),
        l.points.length <= 40 && l.points.map(([a, b]) => s("circle", { class: `dot ${l.kind}`, cx: px(a), cy: py(b), r: 3 }))])),
    h("figcaption", {}, lines.map((l) => h("span", { class: `key ${l.kind}` }, l.name))));
}
