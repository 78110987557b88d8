// What the near-optimal models of a page say of a case, and which rows they dispute.
import type { Value } from "./data";
import { decimal, h, list, shown } from "./dom";
import type { AskedColumn, Cell, Diagram, Known } from "./logic";
import type { Entry, Models } from "./models";

// What is known of a case, for models that test other columns: values, and where only replies are known, the cells of the
// shown model in which a column may be.
export interface Case { values: Map<string, Value>; cells: { column: AskedColumn; known: bigint }[] }

// May a value lie in both? The cells of two models divide a column in different ways.
function meet(a: Cell, b: Cell): boolean {
  if (a.kind === "interval" && b.kind === "interval") return Math.max(a.above!, b.above!) < Math.min(a.atMost!, b.atMost!);
  if (a.kind === "level" && b.kind === "level") return a.level === b.level;
  if (a.kind === "level" && b.kind === "other") return b.levels!.includes(a.level!);
  if (a.kind === "other" && b.kind === "level") return a.levels!.includes(b.level!);
  return a.kind === b.kind;
}

function knownTo(d: Diagram, asked: Case): Known {
  const known = d.nothingKnown();
  d.columns.forEach((c, i) => {
    const value = asked.values.get(c.name);
    if (value !== undefined) known[i] = d.cellOf(c, value);
    const told = asked.cells.find((x) => x.column.name === c.name);
    if (value !== undefined || !told) return;
    const open = told.column.cells.filter((_, at) => (told.known & (1n << BigInt(at))) !== 0n);
    known[i] = c.cells.reduce((bits, cell, at) => (open.some((x) => meet(x, cell)) ? bits | (1n << BigInt(at)) : bits), 0n);
  });
  return known;
}

export class Agreement {
  readonly voters: Entry[];
  readonly who: string; // "92 models here within 5 errors": of the page, which may not have all
  private readonly classes: string[];
  private votes: Uint16Array[] | null = null; // by set: rows x classes
  private done: (() => void) | null = null; // of the latest that waits

  constructor(private readonly models: Models) {
    const own = models.entries[0]!;
    this.voters = models.entries.filter((e) => e.kind === "fitted" || e.kind === "near");
    this.classes = own.diagram.model.classes;
    const errors = this.voters.map((e) => e.errors);
    const spread = errors.reduce((a, b) => Math.max(a, b), -Infinity) - errors.reduce((a, b) => Math.min(a, b), Infinity);
    const unit = own.page.history.measure === "cost" ? `a cost of ${decimal(spread)}` : `${decimal(spread)} error${spread === 1 ? "" : "s"}`;
    this.who = spread > 0 ? `${this.voters.length} models here within ${unit}` : `${this.voters.length} equally good models here`;
  }

  // "88 of the 92 models here within 5 errors say disease; 1 says healthy; 3 need more answers."
  words(asked: Case): HTMLElement {
    const counts = new Map<number, number>();
    let open = 0;
    for (const { diagram } of this.voters) {
      const { classes } = diagram.explore(knownTo(diagram, asked));
      if (classes.size !== 1) ++open;
      else for (const k of classes) counts.set(k, (counts.get(k) ?? 0) + 1);
    }
    const most = [...counts].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
    const name = (k: number) => h("b", { dir: "auto" }, shown(this.classes[k]!, 60));
    const all = this.voters.length;
    const says = (n: number) => (n === 1 ? "says" : "say");
    const parts = most.slice(0, 4).map(([k, n], i) => i === 0 ? [n === all ? `All ${this.who} say ` : `${n} of the ${this.who} ${says(n)} `, name(k)] : [`; ${n} ${says(n)} `, name(k)]);
    const rest = most.slice(4).reduce((sum, [, n]) => sum + n, 0);
    return h("p", { class: "agreement", "data-open": open, "data-votes": JSON.stringify(most) }, parts,
      rest > 0 && `; ${rest} say other things`,
      open > 0 && (most.length === 0 ? `The ${this.who} need more answers` : `; ${open} need${open === 1 ? "s" : ""} more answers`), ".");
  }
  // Columns that some of them test and the shown model does not: known of this case from elsewhere, or not.
  others(own: Diagram, asked: Case): HTMLElement | null {
    const names = [...new Set(this.voters.flatMap((e) => e.columns))].filter((n) => !own.columns.some((c) => c.name === n));
    const words = (some: string[]) => (some.length > 6 ? `${some.length} more columns` : list(some.map((n) => shown(n, 40)), "and"));
    const [known, open] = [names.filter((n) => asked.values.has(n)), names.filter((n) => !asked.values.has(n))];
    if (names.length === 0) return null;
    return h("p", { class: "hint" }, known.length > 0 && `Other models also test ${words(known)}: there they go by the row that you chose, or by what you told another model. `,
      open.length > 0 && `${known.length > 0 ? "Some" : "Other models"} also test ${words(open)}: choose a row of the data to fill ${open.length === 1 ? "it" : "them"} in.`);
  }

  // How many give another answer to a row; null until it is counted.
  against(set: number, row: number, answer: number): number | null {
    return this.votes === null ? null : this.voters.length - this.votes[set]![row * this.classes.length + answer]!;
  }
  get counted() {
    return this.votes !== null;
  }
  // At once.
  count() {
    if (this.votes !== null) return;
    const votes = this.models.cases.map(({ set }) => new Uint16Array(set.shown * this.classes.length));
    for (const entry of this.voters) this.add(entry, votes);
    this.votes = votes;
  }
  // In pauses, a few models at a time, so that the page stays quick.
  countSoon(done: () => void) {
    if (this.votes !== null) return;
    const first = this.done === null;
    this.done = done;
    if (!first) return;
    const votes = this.models.cases.map(({ set }) => new Uint16Array(set.shown * this.classes.length));
    const step = (from: number) => {
      if (this.votes !== null) return this.done!();
      const until = performance.now() + 12;
      let at = from;
      while (at < this.voters.length && performance.now() < until) this.add(this.voters[at++]!, votes);
      if (at < this.voters.length) return void setTimeout(() => step(at), 4);
      this.votes = votes;
      this.done!();
    };
    setTimeout(() => step(0), 50);
  }
  private add(entry: Entry, votes: Uint16Array[]) {
    votes.forEach((table, set) => {
      const answers = entry.answers(set);
      for (let row = 0, at = 0; row < answers.length; ++row, at += this.classes.length) ++table[at + answers[row]!]!;
    });
  }
}

// Null where there are not several near-optimal models.
export function agreement(models: Models): Agreement | null {
  return models.entries.filter((e) => e.kind === "fitted" || e.kind === "near").length > 1 ? new Agreement(models) : null;
}
