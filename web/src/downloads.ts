// Files that the page hands out, all from what it carries.
import { guarded } from "./csv";
import { h } from "./dom";

export function save(name: string, content: Blob) {
  const url = URL.createObjectURL(content);
  const a = h("a", { href: url, download: name });
  document.body.append(a);
  a.click();
  a.remove();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

async function png(svg: string): Promise<Blob> {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  try {
    const image = new Image();
    image.src = url;
    await image.decode();
    const scale = Math.max(0.1, Math.min(2, 8000 / Math.max(image.naturalWidth, image.naturalHeight)));
    const canvas = h("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
    const context = canvas.getContext("2d")!;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    return await new Promise((done, fail) => canvas.toBlob((b) => (b ? done(b) : fail(new Error("no picture"))), "image/png"));
  } finally {
    URL.revokeObjectURL(url);
  }
}

export function csvLine(cells: string[]): string {
  return cells.map(guarded).map((c) => (/[",\r\n]/.test(c) ? `"${c.replace(/"/g, '""')}"` : c)).join(",");
}
export function saveCsv(name: string, lines: string[][]) {
  save(name, new Blob([lines.map(csvLine).join("\n") + "\n"], { type: "text/csv" }));
}

export function downloads(texts: { model: string; svg: () => string; rules: string | null }) {
  const button = (id: string, label: string, act: () => void | Promise<void>) => h("button", { type: "button", id, onclick: act }, label);
  const text = (name: string, content: string, type: string) => () => save(name, new Blob([content], { type }));
  return h("div", { class: "downloads", role: "group", "aria-label": "Downloads" },
    button("save-model", "Model (JSON)", text("model.json", texts.model, "application/json")),
    button("save-svg", "Picture (SVG)", () => save("diagram.svg", new Blob([texts.svg()], { type: "image/svg+xml" }))),
    button("save-png", "Picture (PNG)", async () => save("diagram.png", await png(texts.svg()))),
    texts.rules !== null && button("save-rules", "Rules (text)", text("rules.txt", texts.rules, "text/plain")));
}

export function copyButton(text: () => string, label: string, kind = "") {
  const button = h("button", { type: "button", class: kind, onclick: async () => {
    await copy(text());
    button.textContent = "Copied";
    setTimeout(() => (button.textContent = label), 1500);
  } }, label);
  return button;
}

// A page from a file has no clipboard API in every browser.
async function copy(text: string) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    const area = h("textarea", { readonly: true, class: "unseen" });
    area.value = text;
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
}
