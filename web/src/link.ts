// A link that carries a case in its fragment: #case=age:63,thal,cp:4&model=2. Names and values are those of the model file,
// percent-encoded; a column without a value is missing, * is a value that the model does not know. The model is its place
// in the list of those that the page can show, left out for the page's own.
import { shown } from "./dom";

export const kAnother = "\u0000another";
export interface LinkedCase { model: number; values: [column: string, value: string | null][] }

const encode = (text: string) => encodeURIComponent(text).replace(/\*/g, "%2A");

export function caseFragment({ model, values }: LinkedCase): string {
  const cells = values.map(([name, v]) => (v === null ? encode(name) : `${encode(name)}:${v === kAnother ? "*" : encode(v)}`));
  return `#case=${cells.join(",")}${model > 0 ? `&model=${model}` : ""}`;
}

// null: a fragment that is about something else. A text: why it cannot be read.
export function readFragment(fragment: string): LinkedCase | string | null {
  if (!fragment.startsWith("#case=")) return null;
  if (fragment.length > 100_000) return "The link is too long to be one to a case.";
  const [cells, ...rest] = fragment.slice("#case=".length).split("&");
  const model = rest.length === 0 ? "0" : /^model=(\d{1,6})$/.exec(rest[0]!)?.[1];
  if (model === undefined || rest.length > 1) return "The link to a case cannot be read: after the values there may be only the number of a model.";
  try {
    const values = cells! === "" ? [] : cells!.split(",").map((cell): [string, string | null] => {
      const at = cell.indexOf(":");
      if (at < 0) return [decodeURIComponent(cell), null];
      const value = cell.slice(at + 1);
      return [decodeURIComponent(cell.slice(0, at)), value === "*" ? kAnother : decodeURIComponent(value)];
    });
    return { model: Number(model), values };
  } catch {
    return `The link to a case cannot be read: \u201c${shown(cells!, 60)}\u201d is not percent-encoded text.`;
  }
}
