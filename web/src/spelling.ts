// Texts of a file as the values that they stood for in training; the library's table/spelling.cpp, calendar.cpp and
// dataset/match.cpp, which a test compares with this.
import type { ModelFile, Value } from "./data";
import { plainNumber } from "./csv";
import type { Reading } from "./values";

const kUnits = ["US$", "USD", "EUR", "GBP", "CHF", "JPY", "CNY", "INR", "CAD", "AUD", "SEK", "NOK", "DKK", "PLN", "CZK", "BRL", "Fr.", "R$", "kr", "z\u0142", "$", "\u20ac", "\u00a3", "\u00a5", "\u20b9", "%"];
const kNothing = new Set(["-", "--", "---", "\u2013", "\u2014", ".", "..", "...", "*", "n/a", "#n/a", "#na", "n.a.", "na", "nan", "null", "#null!", "none", "nil", "missing", "unknown", "tbd"]);
const kTruths = ["false", "true", "no", "yes", "f", "t", "n", "y", "off", "on", "0", "1"];
const kMonths = ["january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december"];
const kDay = 86400;

const lower = (text: string) => text.replace(/[A-Z]/g, (c) => c.toLowerCase());
const standsForNothing = (text: string) => /^[ \t]*$/.test(text) || kNothing.has(lower(text));
const trim = (text: string) => text.replace(/^[ \u00a0\u202f\u2009]+|[ \u00a0\u202f\u2009]+$/g, "");

function truthOf(text: string): boolean | null {
  const at = kTruths.indexOf(lower(text));
  return at < 0 ? null : at % 2 === 1;
}

// 1.234,50 EUR; (12); 5 %
function spelledNumber(text: string, r: Reading): number {
  let body = trim(text);
  let negative = false;
  const sign = (): boolean => {
    if (body.length > 2 && body.startsWith("(") && body.endsWith(")")) body = body.slice(1, -1);
    else if (body.startsWith("+")) return (body = body.slice(1)), true;
    else if (/^[-\u2212]/.test(body)) body = body.slice(1);
    else return false;
    body = trim(body);
    return (negative = true);
  };
  const signFirst = sign();
  const own = r.unit ?? "";
  let unit = "";
  if (own !== "" && body.endsWith(own)) {
    unit = own;
    body = trim(body.slice(0, -own.length));
  } else
    for (const u of kUnits) {
      if (!body.startsWith(u) && !body.endsWith(u)) continue;
      body = trim(body.startsWith(u) ? body.slice(u.length) : body.slice(0, -u.length));
      unit = u;
      break;
    }
  if (!signFirst) sign();
  const currency = own !== "%" && kUnits.includes(own);
  if (unit !== own && (unit !== "" || !currency)) return NaN;
  body = body.replace(/[\u00a0\u202f\u2009]/g, " ");
  const thousands = r.thousands ?? "";
  const decimal = r.decimal ?? ".";
  const escape = (c: string) => c.replace(/[.']/g, "\\$&");
  const parts = new RegExp(`^(\\d*${thousands === "" ? "" : `|[1-9]\\d{0,2}(?:${escape(thousands)}\\d{3})+`})(?:${escape(decimal)}(\\d*))?((?:[eE].*)?)$`).exec(body);
  if (!parts || (parts[1] === "" && !parts[2])) return NaN;
  const whole = thousands === "" ? parts[1]! : parts[1]!.split(thousands).join("");
  const number = plainNumber(`${whole}${parts[2] === undefined ? "" : `.${parts[2]}`}${parts[3]}`);
  return negative ? -number : number;
}

// Days from 1970-01-01 of a date that exists.
function day(year: number, month: number, date: number): number {
  const d = new Date(0);
  d.setUTCFullYear(year, month - 1, date);
  return month >= 1 && d.getUTCMonth() === month - 1 && d.getUTCDate() === date ? d.getTime() / 1000 / kDay : NaN;
}

const kDates = {
  ymd: /^(\d{4})([-/.])(\d\d)\2(\d\d)(?!\d)/,
  dmy: /^(\d{1,2})([-/. ])(\d{1,2}|[A-Za-z]+)\2(\d{4})(?!\d)/,
  mdy: /^(\d{1,2})([-/.])(\d{1,2})\2(\d{4})(?!\d)/,
};

function monthOf(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  const word = lower(text);
  return 1 + kMonths.findIndex((m) => m === word || (word.length === 3 && m.startsWith(word)));
}

// Seconds from 1970-01-01 00:00, and whether there is a time.
function momentOf(text: string, order: "ymd" | "dmy" | "mdy"): { seconds: number; time: boolean } | null {
  const date = kDates[order].exec(text);
  if (!date || (date[2] === " " && /^\d/.test(date[3]!))) return null;
  const [a, b, c] = [Number(date[1]), date[3]!, Number(date[4])];
  const days = order === "ymd" ? day(a, Number(b), c) : order === "dmy" ? day(c, monthOf(b), a) : day(c, a, Number(b));
  if (Number.isNaN(days)) return null;
  const rest = text.slice(date[0].length);
  if (rest === "") return { seconds: days * kDay, time: false };
  const t = /^[T ](\d{1,2}):(\d\d)(?::(\d\d)(?:\.(?=.)(\d*))?)?(Z|[+-]\d\d:?\d\d|[+-]\d\d)?$/.exec(rest);
  if (!t || Number(t[1]) > 23 || Number(t[2]) > 59 || Number(t[3] ?? 0) > 60) return null;
  let seconds = days * kDay + Number(t[1]) * 3600 + Number(t[2]) * 60 + Number(t[3] ?? 0);
  let unit = 0.1;
  for (const digit of t[4] ?? "") (seconds += Number(digit) * unit), (unit /= 10);
  if (t[5] !== undefined && t[5] !== "Z") {
    const [hours, minutes] = [Number(t[5].slice(1, 3)), Number(t[5].slice(3).replace(":", "") || 0)];
    if (hours > 14 || minutes > 59) return null;
    seconds -= (t[5][0] === "-" ? -1 : 1) * (hours * 3600 + minutes * 60);
  }
  return { seconds, time: true };
}

function durationOf(text: string, fields: number): number {
  const parts = (fields === 2 ? /^(-?)(\d{1,6}):([0-5]\d)$/ : /^(-?)(\d{1,6}):([0-5]\d):([0-5]\d)$/).exec(text);
  return parts ? (parts[1] ? -1 : 1) * parts.slice(2).reduce((sum, p) => sum * 60 + Number(p), 0) : NaN;
}

// The number that a text stands for; NaN: none.
export function numberOf(r: Reading | undefined, text: string): number {
  switch (r?.kind) {
    case "number":
      return spelledNumber(text, r);
    case "date":
    case "moment": {
      const found = momentOf(text, r.order ?? "ymd");
      if (!found || found.time !== (r.kind === "moment")) return NaN;
      return found.time ? found.seconds : found.seconds / kDay;
    }
    case "duration":
      return durationOf(text, r.fields ?? 3);
    case "ordinal": {
      const at = r.levels!.indexOf(text);
      return at < 0 ? NaN : at;
    }
    default:
      return plainNumber(text);
  }
}

// The shortest plain decimal of the same number: 1.50 is 1.5, -0.0 is 0; null for any other text.
function plainDecimal(text: string): string | null {
  const parts = /^(-?)(0|[1-9][0-9]*)(?:\.([0-9]*))?$/.exec(text);
  if (!parts) return null;
  const rest = (parts[3] ?? "").replace(/0+$/, "");
  const shortest = rest === "" ? parts[2]! : `${parts[2]}.${rest}`;
  return shortest === "0" ? "0" : parts[1] + shortest;
}

// What a text of a column of texts means, as predict has it (docs/formats.md): to the letter, a truth, true or false in whichever
// case, the same number, the rest.
function meant(levels: string[], text: string, other: string | undefined, ordered: boolean): string | undefined {
  if (levels.includes(text)) return text;
  const number = plainDecimal(text);
  const truth = (t: string) => truthOf(plainDecimal(t) ?? t);
  const of = levels.map(truthOf);
  if (!ordered && levels.length === 2 && of[0] !== null && of[1] !== null && of[0] !== of[1] && truth(text) !== null) return levels[of.indexOf(truth(text))];
  const word = /^(true|false)$/.test(lower(text)) ? lower(text) : null;
  const alike = levels.filter((l) => (number !== null && plainDecimal(l) === number) || (word !== null && lower(l) === word));
  return alike.length === 1 ? alike[0] : other;
}

// A text of a column as the model takes it. Unseen: a category that did not occur in training; bad: it cannot be read.
export interface Taken { value: Value; unseen: boolean; bad: boolean }
export function take(c: ModelFile["columns"][0], text: string): Taken {
  const good = (value: Value, unseen = false): Taken => ({ value, unseen, bad: false });
  const missing = c.reading?.missing?.includes(text) ?? false;
  if (c.type === "nominal") {
    if (missing) return good(null);
    const known = meant(c.levels!, text, c.reading?.other || undefined, false);
    return good(known ?? text, known === undefined);
  }
  if (c.reading?.kind === "ordinal") {
    const levels = c.reading.levels!;
    const word = meant(levels, text, undefined, true);
    return missing ? good(null) : good(word === undefined ? levels.length : levels.indexOf(word), word === undefined);
  }
  const number = numberOf(c.reading, text);
  if (!Number.isNaN(number)) return good(c.reading?.missing?.some((t) => plainNumber(t) === number) ? null : number);
  return missing || standsForNothing(text) ? good(null) : { value: null, unseen: false, bad: true };
}
