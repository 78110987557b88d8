// A test as one asks for it: "Is months 17 or less?"
import type { Page } from "./data";
import { shown } from "./dom";
import type { Diagram } from "./logic";
import { valueText } from "./values";

export function question(page: Page, d: Diagram, f: number): string {
  const test = d.model.features[f]!;
  const column = d.model.columns[test.column]!;
  const name = shown(column.name, 60);
  if (page.diagram.tests[f]![0] === shown(column.name)) return `Does ${name} hold?`; // a column of 0 and 1 is its own test
  if (test.test === "missing") return `Is ${name} missing?`;
  return test.test === "equals" ? `Is ${name} ${shown(test.level!, 60)}?` : `Is ${name} ${valueText(column.reading, test.threshold!)} or less?`;
}
