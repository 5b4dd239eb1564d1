/** Number literals that mean exactly what their double means. */

/**
 * The double of a decimal literal (`[+-]digits[.digits][e[+-]digits]`, grammar checked by the caller), or undefined when
 * the literal does not survive the round trip: when its exact value differs from that of the shortest decimal of its
 * double. `-0` is read as 0. Linear in the length of the literal.
 */
export function exactNumber(literal: string): number | undefined {
  const value = Number(literal);
  if (!Number.isFinite(value)) return undefined;
  const written = decimal(literal);
  if (value === 0) return written.digits === '' ? 0 : undefined;
  const shortest = decimal(String(value));
  return written.digits === shortest.digits && written.exponent === shortest.exponent ? value : undefined;
}

/** Value = 0.digits × 10^exponent up to sign; digits neither begin nor end with 0, so equal values are equal here. */
interface Decimal {
  readonly digits: string;
  readonly exponent: number;
}

function decimal(literal: string): Decimal {
  const mark = literal.search(/[eE]/u);
  const end = mark < 0 ? literal.length : mark;
  const start = literal.startsWith('-') || literal.startsWith('+') ? 1 : 0;
  const point = literal.indexOf('.');
  const whole = literal.slice(start, point < 0 ? end : point);
  const all = point < 0 ? whole : whole + literal.slice(point + 1, end);
  let first = 0;
  while (all.charCodeAt(first) === 48) first += 1;
  let last = all.length;
  while (last > first && all.charCodeAt(last - 1) === 48) last -= 1;
  const power = mark < 0 ? 0 : Number(literal.slice(mark + 1));
  return { digits: all.slice(first, last), exponent: power + whole.length - first };
}
