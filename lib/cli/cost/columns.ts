/** Rows as columns, the first ones to the left and the last `right` ones to the right. */
export function toColumns(rows: readonly (readonly string[])[], right: number): readonly string[] {
  const count = Math.max(...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, at) => Math.max(...rows.map((row) => row[at]?.length ?? 0)));
  return rows.map((row) =>
    row
      .map((cell, at) => (at >= count - right ? cell.padStart(widths[at] ?? 0) : cell.padEnd(widths[at] ?? 0)))
      .join('  ')
      .trimEnd(),
  );
}

/** Money with cents; what is less than half a cent says so. */
export const toUsd = (usd: number): string => (usd > 0 && usd < 0.005 ? '< 0.01' : usd.toFixed(2));

/** A number as a person reads it: at most three digits that count, thousands apart. */
export function toAmount(value: number): string {
  if (value >= 1_000) return Math.round(value).toLocaleString('en-US');
  return String(Number(value.toPrecision(3)));
}
