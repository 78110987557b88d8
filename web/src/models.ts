// The models that a page can show: the one that it was made for, and whatever else it carries or a reader makes of it.
import { briefs } from "./alternatives";
import { rowSet, type Column, type ModelFile, type Page, type RowSet } from "./data";
import { modelOf } from "./labels";
import { Diagram } from "./logic";

// fitted: the page's own. near: close to the optimum. front: no diagram beats it in errors and size at once. edited: by a reader.
export type Kind = "fitted" | "near" | "front" | "edited";

// The rows of one set, and which of them pass a test: models share tests.
export class Cases {
  private readonly byName: Map<string, Column>;
  private readonly passed = new Map<string, Uint8Array>();

  constructor(readonly set: RowSet) {
    this.byName = new Map(set.columns.map((c) => [c.name, c]));
  }
  passing(model: ModelFile, f: number): Uint8Array {
    const { column, test, threshold, level } = model.features[f]!;
    const { name } = model.columns[column]!;
    const key = JSON.stringify([name, test, threshold ?? level ?? null]);
    let bits = this.passed.get(key);
    if (!bits) {
      const values = this.byName.get(name)?.values ?? [];
      bits = new Uint8Array(this.set.shown);
      for (let i = 0; i < values.length; ++i) {
        const v = values[i]!;
        if (test === "missing" ? v === null : v !== null && (test === "at_most" ? (v as number) <= threshold! : v === level)) bits[i] = 1;
      }
      this.passed.set(key, bits);
    }
    return bits;
  }
}

// Where the rows of a set end: the path of each, and the class that it gives.
export function follow(d: Diagram, cases: Cases): { paths: number[]; answers: Uint16Array } {
  const { nodes } = d.model.diagram;
  const bits = nodes.map((node) => ("class" in node ? null : cases.passing(d.model, node.feature)));
  const count = cases.set.shown;
  const paths = new Array<number>(count);
  const answers = new Uint16Array(count);
  for (let row = 0; row < count; ++row) {
    let n = 0;
    let path = 0;
    for (let passed = bits[0]; passed; passed = bits[n]) {
      const { low, high } = d.test(n);
      if (passed[row]) path += d.numPaths[low]!;
      n = passed[row] ? high : low;
    }
    paths[row] = path;
    answers[row] = d.classOf(n);
  }
  return { paths, answers };
}

// What a list of models tells of one; `page` is the page as if it were of this model alone.
export interface Brief { kind: Kind; name: string; claim: string; errors: number; tests: number; columns: string[]; page: () => Page }

export class Entry implements Omit<Brief, "page"> {
  readonly kind: Kind;
  readonly name: string;
  readonly claim: string; // what exactly is proven of it
  readonly errors: number; // of training, or costs, in the user's units
  readonly tests: number;
  readonly columns: string[];
  private made: { page: Page; diagram: Diagram } | null = null;
  private followed: { paths: number[]; answers: Uint16Array }[] | null = null;

  constructor(private readonly brief: Brief, private readonly cases: Cases[]) {
    ({ kind: this.kind, name: this.name, claim: this.claim, errors: this.errors, tests: this.tests, columns: this.columns } = brief);
  }
  private make() {
    if (!this.made) {
      const page = this.brief.page();
      this.made = { page, diagram: new Diagram(modelOf(page)) };
    }
    return this.made;
  }
  get page() {
    return this.make().page;
  }
  get diagram() {
    return this.make().diagram;
  }
  private follow() {
    return (this.followed ??= this.cases.map((c) => follow(this.diagram, c)));
  }
  // The class that each row of a set gets.
  answers(set: number): Uint16Array {
    return this.follow()[set]!.answers;
  }
  // The rows with this model's paths and figures.
  sets(): RowSet[] {
    return this.cases.map(({ set }, i) => {
      const { evaluation, baselines } = this.page.rows[i]!;
      return { ...set, evaluation, baselines, paths: this.follow()[i]!.paths };
    });
  }
}

// A section that stays when another model is shown.
export interface Lasting { element: HTMLElement; update(entry: Entry): void }

export class Models {
  readonly entries: Entry[] = []; // the page's own first
  readonly cases: Cases[];
  private readonly watchers: ((entry: Entry) => void)[] = [];
  private at = 0;

  constructor(page: Page) {
    const model = modelOf(page);
    this.cases = page.rows.map((r) => new Cases(rowSet(r, model.classes.length)));
    const d = new Diagram(model);
    const tests = model.diagram.nodes.filter((n) => !("class" in n)).length;
    const { upper_bound, scale } = model.claim;
    this.add({ kind: "fitted", name: page.history.headline, claim: page.history.claim, errors: upper_bound / Math.max(1, scale), tests, columns: d.columns.map((c) => c.name), page: () => page });
    if (page.alternatives) for (const brief of briefs(page, page.alternatives)) this.add(brief);
  }
  get shown(): Entry {
    return this.entries[this.at]!;
  }
  get place(): number {
    return this.at;
  }
  add(brief: Brief): Entry {
    const entry = new Entry(brief, this.cases);
    this.entries.push(entry);
    return entry;
  }
  // In the place of another.
  replace(entry: Entry, brief: Brief): Entry {
    const next = new Entry(brief, this.cases);
    this.entries[this.entries.indexOf(entry)] = next;
    return next;
  }
  // The whole page becomes that of the entry.
  show(entry: Entry) {
    this.at = this.entries.indexOf(entry);
    if (this.at < 0) this.at = this.entries.push(entry) - 1; // replaced since, but kept by somebody
    for (const watcher of this.watchers) watcher(entry);
  }
  onShow(watcher: (entry: Entry) => void) {
    this.watchers.push(watcher);
  }
}
