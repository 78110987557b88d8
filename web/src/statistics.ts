// Intervals and tests for shares of rows. web/test/groups.test.mjs holds them against SciPy and published tables.
export interface Interval { low: number; high: number }

export const kZ = 1.959963984540054; // 95 %

// E. B. Wilson, JASA 1927. The same formula as wilson_interval in src/beadwork/report/intervals.cpp.
export function wilson(hits: number, n: number): Interval {
  if (n <= 0) return { low: 0, high: 1 };
  const share = hits / n;
  const z2 = (kZ * kZ) / n;
  const middle = (share + z2 / 2) / (1 + z2);
  const half = (kZ / (1 + z2)) * Math.sqrt((share * (1 - share)) / n + z2 / (4 * n));
  return { low: hits <= 0 ? 0 : Math.max(0, middle - half), high: hits >= n ? 1 : Math.min(1, middle + half) };
}

// a of m minus b of n, of different rows. R. G. Newcombe, Statistics in Medicine 17, 1998, method 10: from the two Wilson
// intervals. It keeps its level where shares are near 0 or 1 and groups are small, where Wald's does not.
export function newcombe(a: number, m: number, b: number, n: number): Interval {
  if (m <= 0 || n <= 0) return { low: -1, high: 1 };
  const [p, q] = [a / m, b / n];
  const [first, second] = [wilson(a, m), wilson(b, n)];
  return { low: p - q - Math.hypot(p - first.low, second.high - q), high: p - q + Math.hypot(first.high - p, q - second.low) };
}

// McNemar's test, two-sided and exact: of the rows that only one of two models gets right, each is as likely to be right
// on one as the other. The binomial tail is summed in logarithms, so that thousands of rows do not underflow.
export function mcnemar(onlyFirst: number, onlySecond: number): number {
  const n = onlyFirst + onlySecond;
  const fewer = Math.min(onlyFirst, onlySecond);
  if (2 * fewer === n) return 1;
  let log = -n * Math.LN2;
  let tail = 0;
  for (let k = 0; k <= fewer; ++k) {
    tail += Math.exp(log);
    log += Math.log((n - k) / (k + 1));
  }
  return Math.min(1, 2 * tail);
}

// p = 0.42, p = 0.003, p < 0.001.
export function pText(p: number): string {
  return p < 0.001 ? "p < 0.001" : `p = ${p >= 0.995 ? "1" : p < 0.0995 ? p.toFixed(3) : p.toFixed(2)}`;
}
