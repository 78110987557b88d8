// Readable names for the page: columns, categories and classes. Everything that the page carries has them already, except the
// model file, which stays as it was learnt: downloads, scored files and edited models keep its names.
import type { ModelFile, Page } from "./data";

export type Label = [column: string, value: string, text: string]; // an empty value stands for the column

export class Names {
  private readonly names: Map<string, string>;
  constructor(labels: Label[] | undefined) {
    this.names = new Map((labels ?? []).map(([column, value, text]) => [JSON.stringify([column, value]), text]));
  }
  column(name: string): string {
    return this.names.get(JSON.stringify([name, ""])) ?? name;
  }
  value(column: string, value: string): string {
    return (value === "" ? undefined : this.names.get(JSON.stringify([column, value]))) ?? value;
  }
}

// From the words of the page back to those of the model file.
export class Originals {
  private readonly columns = new Map<string, string>();
  private readonly values = new Map<string, string>();
  constructor(page: Page) {
    const names = new Names(page.labels);
    for (const [column, value, text] of page.labels ?? [])
      if (value === "") this.columns.set(text, column);
      else this.values.set(JSON.stringify([names.column(column), text]), value);
  }
  column(name: string): string {
    return this.columns.get(name) ?? name;
  }
  value(column: string, value: string): string {
    return this.values.get(JSON.stringify([column, value])) ?? value;
  }
}

// What a feature is called in the model file.
export function featureName(model: ModelFile, f: { column: number; test: string; threshold?: number; level?: string }, threshold: string): string {
  const c = model.columns[f.column]!;
  if (f.test === "missing") return `${c.name} is missing`;
  if (f.test === "at_most") return `${c.name} <= ${threshold}`;
  return c.levels!.join() === "0,1" && f.level === "1" ? c.name : `${c.name} = ${f.level}`;
}

// The model as the page speaks of it.
export function modelOf(page: Page): ModelFile {
  const model = JSON.parse(page.texts.model) as ModelFile;
  return page.labels ? relabelled(model, new Names(page.labels)) : model;
}

export function relabelled(model: ModelFile, names: Names): ModelFile {
  const columns = model.columns.map((c) => {
    const words = (list: string[]) => list.map((l) => names.value(c.name, l));
    return { ...c, name: names.column(c.name), ...(c.levels && { levels: words(c.levels) }),
      ...(c.reading && { reading: { ...c.reading, ...(c.reading.levels && { levels: words(c.reading.levels) }) } }) };
  });
  const out = { ...model, target: names.column(model.target), classes: model.classes.map((k) => names.value(model.target, k)), columns };
  out.features = model.features.map((f) => {
    const old = model.columns[f.column]!.name;
    const level = f.level === undefined ? {} : { level: names.value(old, f.level) };
    const cut = f.test === "at_most" && f.name.startsWith(`${old} <= `) ? f.name.slice(old.length + 4) : "";
    const { reading } = columns[f.column]!;
    const renamed = { ...f, ...level };
    return { ...renamed, name: featureName(out, renamed, reading?.kind === "ordinal" ? reading.levels![Math.floor(f.threshold!)] ?? cut : cut) };
  });
  return out;
}
