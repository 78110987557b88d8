// CSV as the library reads it (src/beadwork/table): RFC 4180, strictly. A quote may only open a value, close it, or be doubled
// inside one; blanks around unquoted values are trimmed. web/test/csv.test.mjs holds it against `beadwork predict`.
export interface Fields { texts: string[]; quoted: boolean[]; ends: number[]; start: number; line: number } // ends: of its values, in the text

export class Refused extends Error {}

const kDelimiters = [",", ";", "\t", "|"];
const kLongest = 1 << 20; // bytes of a value
export const delimiterName = (d: string) => (d === "\t" ? "tab" : `\u201c${d}\u201d`);

// How long Excel's line "sep=;" at the start is; 0 where there is none.
const separatorLine = (text: string) => /^sep=[,;\t|]\r?\n/.exec(text.slice(0, 8))?.[0].length ?? 0;

export class CsvReader {
  at: number;
  width = 0; // values of a row, once it is known: empty ones behind them do not count, as spreadsheets write them
  private line = 1; // of `at`
  constructor(private readonly text: string, private readonly delimiter: string, private readonly trimsQuoted = false) {
    this.at = separatorLine(text);
    if (this.at > 0) ++this.line;
  }

  // Row by row; null at the end.
  next(): Fields | null {
    if (!this.skipBlankLines()) return null;
    const row: Fields = { texts: [], quoted: [], ends: [], start: this.at, line: this.line };
    for (;;) {
      this.field(row);
      row.ends.push(this.at);
      if (this.at >= this.text.length || this.text[this.at] !== this.delimiter) break;
      ++this.at;
    }
    this.at += this.lineBreak(this.at);
    ++this.line;
    if (this.width > 0 && row.texts.slice(this.width).every((t, i) => t === "" && !row.quoted[this.width + i]))
      for (const list of [row.texts, row.quoted, row.ends]) list.splice(this.width);
    return row;
  }

  refuse(message: string, line = this.line): never {
    throw new Refused(`line ${line}: ${message}`);
  }
  private blank(c: string | undefined) {
    return c === " " || (c === "\t" && this.delimiter !== "\t");
  }
  private lineBreak(at: number): number {
    const c = this.text[at];
    return c === "\n" ? 1 : c === "\r" && this.text[at + 1] === "\n" ? 2 : 0;
  }
  private skipBlankLines(): boolean {
    while (this.at < this.text.length) {
      let end = this.at;
      while (this.blank(this.text[end])) ++end;
      const broken = this.lineBreak(end);
      if (end < this.text.length && broken === 0) return true;
      this.at = end + broken;
      ++this.line;
    }
    return false;
  }

  private checkLength(begin: number, end: number) {
    if (3 * (end - begin) > kLongest && new TextEncoder().encode(this.text.slice(begin, end)).length > kLongest)
      this.refuse("a value longer than 1 MiB; is a quote missing somewhere?");
  }

  private field(row: Fields) {
    if (this.text.charCodeAt(this.at) === 34) return this.quotedField(row);
    const { text } = this;
    const delimiter = this.delimiter.charCodeAt(0);
    let end = this.at;
    for (; end < text.length; ++end) {
      const c = text.charCodeAt(end);
      if (c === delimiter || c === 10 || c === 13) break;
      if (c === 34) this.refuse("a quote inside an unquoted value; quote the whole value and double the quote");
    }
    if (text.charCodeAt(end) === 13 && this.lineBreak(end) === 0) this.refuse("a carriage return without a line feed");
    let begin = this.at;
    this.checkLength(begin, end);
    this.at = end;
    while (begin < end && this.blank(text[begin])) ++begin;
    while (begin < end && this.blank(text[end - 1])) --end;
    row.texts.push(text.slice(begin, end));
    row.quoted.push(false);
  }

  private quotedField(row: Fields) {
    const open = this.at;
    let at = open + 1;
    let doubled = false;
    for (;; at += 2) {
      at = this.text.indexOf('"', at);
      if (at < 0) this.refuse("a quote that is never closed");
      if (this.text[at + 1] !== '"') break;
      doubled = true;
    }
    this.checkLength(open + 1, at);
    const raw = this.text.slice(open + 1, at);
    for (let i = raw.indexOf("\n"); i >= 0; i = raw.indexOf("\n", i + 1)) ++this.line;
    const value = doubled ? raw.replace(/""/g, '"') : raw;
    row.texts.push(this.trimsQuoted ? value.replace(/^[ \t]+|[ \t]+$/g, "") : value);
    row.quoted.push(true);
    this.at = at + 1;
    if (this.at < this.text.length && this.text[this.at] !== this.delimiter && this.lineBreak(this.at) === 0)
      this.refuse("text after a closing quote; double the quotes inside a quoted value");
  }
}

// The delimiter that cuts the first ten rows alike, and into most values.
function detect(text: string): string {
  let best = "";
  let most: [boolean, number] = [false, 0];
  for (const delimiter of kDelimiters) {
    const reader = new CsvReader(text, delimiter);
    let [width, even] = [0, true];
    try {
      for (let i = 0; i < 10; ++i) {
        const row = reader.next();
        if (row === null) break;
        if (i === 0) reader.width = width = row.texts.length;
        if (row.texts.length !== width) even = false;
      }
    } catch {
      even = false;
    }
    if (width < 2 || (best !== "" && !(Number(even) > Number(most[0]) || (even === most[0] && width > most[1])))) continue;
    best = delimiter;
    most = [even, width];
  }
  return best || ",";
}

export const kMissing = ["", "?", "NA", "NaN"];
// As the model file says it; quotes_mean_text: is "NA" in quotes the text NA, and are blanks inside quotes part of a value?
export interface HowToRead { delimiter?: string; header?: boolean; missing?: string[]; quotes_mean_text?: boolean; encoding?: string }

export interface OpenCsv { names: string[]; unnamed: number; header: Fields | null; rows: CsvReader; delimiter: string; literal: boolean } // unnamed: from here on columns have no name, and must be empty; literal: quoted text is never missing

// A header, and the rows to read.
export function openCsv(text: string, how: HowToRead): OpenCsv {
  if (/^\s*(%.*\s+)*@relation\b/i.test(text.slice(0, 10_000))) throw new Refused("this is an ARFF file, which the page cannot read; beadwork predict can");
  if (!/[^ \t\r\n]/.test(text)) throw new Refused("the file is empty");
  const delimiter = how.delimiter || (separatorLine(text) > 0 ? text[4]! : detect(text));
  const first = new CsvReader(text, delimiter).next();
  if (first === null) throw new Refused("the file is empty");
  const other = kDelimiters.find((d) => d !== delimiter && !first.quoted[0] && first.texts.length === 1 && first.texts[0]!.includes(d));
  if (other) throw new Refused(`only one column with delimiter ${delimiterName(delimiter)}, but the first line contains ${delimiterName(other)}`);
  const hasHeader = how.header ?? true;
  if (hasHeader && first.texts.every((t, i) => !first.quoted[i] && !Number.isNaN(plainNumber(t)))) throw new Refused("the header has only numbers; the file needs a line with the names of the columns");
  const literal = how.quotes_mean_text ?? false;
  const rows = new CsvReader(text, delimiter, !literal);
  const header = hasHeader ? rows.next() : null;
  rows.width = first.texts.length;
  const names = hasHeader ? [...first.texts] : first.texts.map((_, i) => `c${i + 1}`);
  let unnamed = names.length;
  while (unnamed > 2 && names[unnamed - 1] === "") --unnamed;
  for (let i = unnamed; i < names.length; ++i) names[i] = `(column ${i + 1})`;
  const nameless = names.indexOf("");
  if (nameless >= 0) throw new Refused(`column ${nameless + 1} has no name; give it one in the header`);
  const seen = new Set<string>();
  for (const name of names) {
    if (seen.has(name)) throw new Refused(`two columns are named \u201c${name}\u201d; rename one`);
    seen.add(name);
  }
  return { names, unnamed, header, rows, delimiter, literal };
}

// What a spreadsheet would run as a formula gets a ' in front, as in `beadwork predict`.
export const guarded = (text: string) => (/^[=+\-@]/.test(text) && Number.isNaN(plainNumber(text)) ? `'${text}` : text);

// A whole decimal number; NaN for anything else.
export function plainNumber(text: string): number {
  if (!/^\+?-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || text.startsWith("+-")) return NaN;
  const x = Number(text);
  return !Number.isFinite(x) || (x === 0 && /^[^e]*[1-9]/i.test(text)) ? NaN : x;
}
