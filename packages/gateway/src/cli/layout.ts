/** Text on a screen: columns, times, sizes, and nothing that a terminal would obey. */

/** Left-aligned columns, two blanks apart; no blanks at the end of a line. */
export function columns(rows: readonly (readonly string[])[]): readonly string[] {
  const widths: number[] = [];
  for (const row of rows)
    for (const [at, cell] of row.entries()) widths[at] = Math.max(widths[at] ?? 0, cell.length);
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}

/** Control characters, and characters that reorder or hide text, or are not seen themselves. */
const unseen = /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** The text with everything escaped that a terminal would obey or not show, cut at `most` characters. */
export function visible(text: string, most = 160): string {
  const cut = text.length <= most ? text : `${text.slice(0, most - 1)}…`;
  return cut.replaceAll(unseen, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`);
}

/** Unix milliseconds as UTC, or a dash for what is no time. */
export function timeText(at: number): string {
  const date = new Date(at);
  return Number.isNaN(date.getTime()) ? '-' : date.toISOString();
}

const units = [
  { unit: 'd', ms: 86_400_000 },
  { unit: 'h', ms: 3_600_000 },
  { unit: 'min', ms: 60_000 },
  { unit: 's', ms: 1000 },
] as const;

/** A span of time in its two largest units. */
export function spanText(milliseconds: number): string {
  let left = Math.max(0, milliseconds);
  const parts: string[] = [];
  for (const { unit, ms } of units) {
    const count = Math.floor(left / ms);
    left -= count * ms;
    if (count > 0) parts.push(`${count} ${unit}`);
  }
  return parts.length === 0 ? '0 s' : parts.slice(0, 2).join(' ');
}

/** A size, in the unit that leaves few digits. */
export function sizeText(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`;
  return bytes < 1_048_576 ? `${Math.round(bytes / 1024)} KiB` : `${Math.round(bytes / 104_857.6) / 10} MiB`;
}

/** A count with its noun. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
