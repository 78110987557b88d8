// Numbers that stand for dates, times and words with an order, as people write them: the model file says which columns have them.
export interface Reading {
  kind?: "number" | "date" | "moment" | "duration" | "boolean" | "ordinal"; fields?: number; levels?: string[];
  decimal?: string; thousands?: string; unit?: string; order?: "ymd" | "dmy" | "mdy"; missing?: string[]; other?: string; // of texts in files
}

const kDay = 86400;
const two = (x: number) => String(x).padStart(2, "0");

const dateText = (days: number) => new Date(days * kDay * 1000).toISOString().slice(0, 10);

// Rounded down to what the column can tell apart.
export function valueText(reading: Reading | undefined, x: number): string {
  switch (reading?.kind) {
    case "date":
      return dateText(Math.floor(x));
    case "moment": {
      const text = new Date(Math.floor(x) * 1000).toISOString();
      return `${text.slice(0, 10)} ${text.slice(11, text.slice(17, 19) === "00" ? 16 : 19)}`;
    }
    case "duration": {
      const n = Math.floor(Math.abs(x));
      const sign = x < 0 ? "-" : "";
      return reading.fields === 2 ? `${sign}${Math.floor(n / 60)}:${two(n % 60)}` : `${sign}${Math.floor(n / 3600)}:${two(Math.floor(n / 60) % 60)}:${two(n % 60)}`;
    }
    case "ordinal":
      return reading.levels![Math.floor(x)] ?? "?";
    default:
      return String(x);
  }
}

// NaN for what is no value. 1,5 and 1,000 mean different numbers to different people: neither is taken.
export function valueOf(reading: Reading | undefined, text: string): number {
  switch (reading?.kind) {
    case "date":
      return /^\d{4}-\d\d-\d\d$/.test(text) ? Date.parse(`${text}T00:00:00Z`) / 1000 / kDay : NaN;
    case "moment":
      return /^\d{4}-\d\d-\d\d[ T]\d\d:\d\d(:\d\d)?$/.test(text) ? Date.parse(`${text.replace(" ", "T")}Z`) / 1000 : NaN;
    case "duration": {
      const parts = text.split(":");
      if (parts.length !== reading.fields || !parts.every((p) => /^\d+$/.test(p))) return NaN;
      return parts.reduce((sum, p) => sum * 60 + Number(p), 0);
    }
    default:
      return /^[+-]?(\d+\.?\d*|\.\d+)(e[+-]?\d+)?$/i.test(text) ? Number(text) : NaN;
  }
}

export function example(reading: Reading | undefined): string {
  switch (reading?.kind) {
    case "date": return "2024-03-01";
    case "moment": return "2024-03-01 12:30";
    case "duration": return reading.fields === 2 ? "12:30" : "1:12:30";
    default: return "12.5";
  }
}
