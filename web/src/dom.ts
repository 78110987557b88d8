// Elements from data. Text becomes text nodes, never markup.
type Child = Node | string | number | null | false | Child[];
type Attributes = Record<string, string | number | boolean | null | ((event: any) => void)>;

function fill<T extends Element>(element: T, attributes: Attributes, children: Child[]): T {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null || value === false) continue;
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else element.setAttribute(name, value === true ? "" : String(value));
  }
  const add = (child: Child): void => {
    if (Array.isArray(child)) child.forEach(add);
    else if (child !== null && child !== false) element.append(child instanceof Node ? child : String(child));
  };
  children.forEach(add);
  return element;
}

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]) {
  return fill(document.createElement(tag), attributes, children);
}
export function s<K extends keyof SVGElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]) {
  return fill(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);
}

// Characters that move or hide text instead of showing themselves.
const kUnseen =
  /[\u0000-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}]/gu;

// As people may see it: what is invisible as \u{..}, cut where it is long.
export function shown(text: string, most = 200): string {
  const characters = text.length > most ? Array.from(text) : null;
  const cut = characters && characters.length > most ? characters.slice(0, most).join("") + "\u2026" : text;
  return cut.replace(kUnseen, (c) => `\\u{${c.codePointAt(0)!.toString(16)}}`);
}

export function decimal(x: number): string {
  return Number.isInteger(x) ? String(x) : String(Number(x.toPrecision(6)));
}
// A share that is not 0 or 1 is never rounded to it.
export function percent(x: number, digits = 2): string {
  const least = 10 ** -digits;
  const value = x > 0 && x < 1 ? Math.min(100 - least, Math.max(least, 100 * x)) : 100 * x;
  return value.toFixed(digits) + "\u202f%";
}
// +0.7, \u22122.0: points of a percentage, with their sign.
export function points(x: number): string {
  const text = Math.abs(100 * x).toFixed(1);
  return text === "0.0" ? text : (x < 0 ? "\u2212" : "+") + text;
}
// The name of a feature as the page writes it: "age <= 40" is the model's own word for age \u2264 40.
export function feature(name: string, most = 60): string {
  return shown(name.replace(/ <= (?=[^<=]*$)/, " \u2264 "), most);
}
// Of a list of any length: the spread operator ends at some hundred thousand.
export function largest(list: number[], least = -Infinity): number {
  return list.reduce((a, b) => Math.max(a, b), least);
}
export function counted(n: number, noun: string): string {
  return `${decimal(n)} ${noun}${n === 1 ? "" : "s"}`;
}
export function list(words: string[], last = "or"): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} ${last} ${words[words.length - 1]}`;
}
export function swatch(colour: string) {
  return s("svg", { class: "swatch", width: 11, height: 11, "aria-hidden": "true" },
    s("rect", { width: 11, height: 11, rx: 2, fill: colour }));
}
