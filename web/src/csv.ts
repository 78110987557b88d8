// CSV as the library reads it (src/beadwork/table): RFC 4180, strictly. A quote may only open a value, close it, or be doubled
// inside one; blanks around unquoted values are trimmed.
export interface Fields { texts: string[]; quoted: boolean[]; start: number; end: number; line: number } // start and end of the record in the text

export class Refused extends Error {}

const kDelimiters = [",", ";", "\t", "|"];
export const delimiterName = (d: string) => (d === "\t" ? "tab" : `\u201c${d}\u201d`);

export class CsvReader {
  at = 0;
  private line = 1; // of `at`
  constructor(private readonly text: string, private readonly delimiter: string, private readonly trimsQuoted = false) {}

  // Row by row; null at the end.
  next(): Fields | null {
    if (!this.skipBlankLines()) return null;
    const row: Fields = { texts: [], quoted: [], start: this.at, end: this.at, line: this.line };
    for (;;) {
      this.field(row);
      row.end = this.at;
      if (this.at >= this.text.length) return row;
      if (this.text[this.at] !== this.delimiter) break;
      ++this.at;
    }
    this.at += this.lineBreak(this.at);
    ++this.line;
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
    let raw = this.text.slice(open + 1, at);
    for (let i = raw.indexOf("\n"); i >= 0; i = raw.indexOf("\n", i + 1)) ++this.line;
    if (this.trimsQuoted) {
      let [begin, end] = [0, raw.length];
      while (begin < end && this.blank(raw[begin])) ++begin;
      while (begin < end && this.blank(raw[end - 1])) --end;
      raw = raw.slice(begin, end);
    }
    row.texts.push(doubled ? raw.replace(/""/g, '"') : raw);
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
        if (i === 0) width = row.texts.length;
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
export interface HowToRead { delimiter?: string; header?: boolean; missing?: string[] } // as the model file says it

export interface OpenCsv { names: string[]; header: Fields | null; rows: CsvReader; delimiter: string; literal: boolean } // literal: quoted text is never missing

// A header, and the rows to read.
export function openCsv(text: string, how: HowToRead): OpenCsv {
  if (/^\s*(%.*\s+)*@relation\b/i.test(text.slice(0, 10_000))) throw new Refused("this is an ARFF file, which the page cannot read; beadwork predict can");
  if (!/[^ \t\r\n]/.test(text)) throw new Refused("the file is empty");
  const delimiter = how.delimiter || detect(text);
  const first = new CsvReader(text, delimiter).next()!;
  const other = kDelimiters.find((d) => d !== delimiter && !first.quoted[0] && first.texts.length === 1 && first.texts[0]!.includes(d));
  if (other) throw new Refused(`only one column with delimiter ${delimiterName(delimiter)}, but the first line contains ${delimiterName(other)}`);
  const hasHeader = how.header ?? true;
  if (hasHeader && first.texts.every((t, i) => !first.quoted[i] && !Number.isNaN(plainNumber(t)))) throw new Refused("the header has only numbers; the file needs a line with the names of the columns");
  const usual = (how.missing ?? kMissing).join("\n") === kMissing.join("\n");
  const literal = usual && !quotesEverything(text, delimiter);
  const rows = new CsvReader(text, delimiter, !literal);
  const header = hasHeader ? rows.next() : null;
  const names = hasHeader ? first.texts : first.texts.map((_, i) => `c${i + 1}`);
  const twice = names.find((name, i) => name !== "" && names.indexOf(name) !== i);
  if (twice !== undefined) throw new Refused(`two columns are named \u201c${twice}\u201d; rename one`);
  return { names, header, rows, delimiter, literal };
}

// An exporter that quotes the first two rows through quotes all, and means nothing by it.
function quotesEverything(text: string, delimiter: string): boolean {
  const reader = new CsvReader(text, delimiter);
  try {
    for (let i = 0; i < 2; ++i) {
      const row = reader.next();
      if (row === null || row.texts.length < 2 || !row.quoted.every((q) => q)) return false;
    }
  } catch {
    return false;
  }
  return true;
}

// What a spreadsheet would run as a formula gets a ' in front, as in `beadwork predict`.
export const guarded = (text: string) => (/^[=+\-@]/.test(text) && Number.isNaN(plainNumber(text)) ? `'${text}` : text);

// A whole decimal number; NaN for anything else.
export function plainNumber(text: string): number {
  if (!/^\+?-?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) || text.startsWith("+-")) return NaN;
  const x = Number(text);
  return !Number.isFinite(x) || (x === 0 && /^[^e]*[1-9]/i.test(text)) ? NaN : x;
}
