// The class that sensitivity and the like are about: one for the whole page, chosen in any of its parts.
import type { Page } from "./data";
import { h, shown } from "./dom";

let chosen: number | null = null;
const watchers = new Map<string, () => void>(); // by the id of the control; a part that is made again takes its place

// Asked for by the page, or the rarest that occurs.
export function classOfInterest(page: Page, classes: string[]): number {
  const asked = page.positive === undefined ? -1 : classes.indexOf(page.positive);
  if (chosen !== null && chosen < classes.length) return chosen;
  if (asked >= 0) return asked;
  const support = (k: number) => page.rows[0]?.evaluation.per_class[k]?.support || Infinity;
  return classes.reduce((best, _, k) => (support(k) < support(best) ? k : best), 0);
}

export function interestSelect(id: string, page: Page, classes: string[], act: () => void) {
  const now = classOfInterest(page, classes);
  const select = h("select", { id, onchange: () => {
    chosen = Number(select.value);
    for (const watcher of watchers.values()) watcher();
  } }, classes.map((c, k) => h("option", { value: k, selected: k === now }, shown(c, 60))));
  watchers.set(id, () => {
    select.value = String(chosen);
    act();
  });
  return select;
}

export const control = (text: string, select: HTMLSelectElement) => h("div", { class: "filter" }, h("label", { for: select.id }, text), select);
