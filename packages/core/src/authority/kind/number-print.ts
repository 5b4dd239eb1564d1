/** Sets of numbers in words. */
import { fractions, integers, nextDown, nextUp } from './double.js';
import {
  type NumberSet,
  anyNumber,
  complementNumbers,
  hasNumber,
  listNumbers,
  noNumber,
  sameNumbers,
} from './number-set.js';

const maxListed = 8;

/** The set for people: `1, 2 or 5`, `numbers 0 to 10`, `integers 1 and more`. Not to be parsed. */
export function printNumbers(a: NumberSet): string {
  if (sameNumbers(a, anyNumber)) return 'any number';
  if (sameNumbers(a, noNumber)) return 'no number';
  const few = listNumbers(a, maxListed);
  if (few !== undefined) return listed(few);
  const outside = listNumbers(complementNumbers(a), maxListed);
  if (outside !== undefined) return `any number except ${listed(outside)}`;
  if (a.fractions.length === 0) return `integers ${ranges(a.integers, integers.least, integers.greatest)}`;
  return realRanges(a) ?? `integers ${integerText(a)}, fractions ${fractionText(a)}`;
}

function listed(values: readonly number[]): string {
  const texts = [...values].sort((a, b) => a - b).map(String);
  const last = texts.pop() ?? '';
  return texts.length === 0 ? last : `${texts.join(', ')} or ${last}`;
}

function integerText(a: NumberSet): string {
  return a.integers.length === 0 ? 'none' : ranges(a.integers, integers.least, integers.greatest);
}

function fractionText(a: NumberSet): string {
  return ranges(a.fractions, fractions.least, fractions.greatest);
}

function ranges(parts: readonly number[], least: number, greatest: number): string {
  return pairs(parts)
    .map(([lo, hi]) => {
      if (lo === hi) return `${lo}`;
      if (lo === least) return hi === greatest ? 'any' : `up to ${hi}`;
      return hi === greatest ? `${lo} and more` : `${lo} to ${hi}`;
    })
    .join(', ');
}

/** As intervals of the number line, when the integers between the fractions are all in; else undefined. */
function realRanges(a: NumberSet): string | undefined {
  const texts: string[] = [];
  for (const [lo, hi] of pairs(a.fractions)) {
    if (!integersFill(a, lo, hi)) return undefined;
    texts.push(rangeText(bound(a, lo, nextDown), bound(a, hi, nextUp)));
  }
  if (texts.length === 0) return undefined;
  const loose = pairs(a.integers).filter(([lo, hi]) => !touches(a.fractions, lo, hi));
  if (loose.length > 0) texts.push(`integers ${ranges(loose.flat(), integers.least, integers.greatest)}`);
  return `numbers ${texts.join(', ')}`;
}

function pairs(parts: readonly number[]): (readonly [number, number])[] {
  const out: (readonly [number, number])[] = [];
  for (let i = 0; i < parts.length; i += 2) out.push([parts[i] ?? 0, parts[i + 1] ?? 0]);
  return out;
}

interface End {
  /** The bound to print, and whether it is a member. */
  readonly shown: number;
  readonly open: boolean;
  readonly endless: boolean;
}

function bound(a: NumberSet, fraction: number, outward: (x: number) => number): End {
  const beyond = outward(fraction);
  const endless =
    Math.abs(fraction) === fractions.greatest && hasNumber(a, Math.sign(fraction) * integers.greatest);
  if (Number.isInteger(beyond)) return { shown: beyond, open: !hasNumber(a, beyond), endless };
  const open = `${beyond}`.length < `${fraction}`.length;
  return { shown: open ? beyond : fraction, open, endless };
}

function integersFill(a: NumberSet, lo: number, hi: number): boolean {
  const first = Math.ceil(lo);
  const last = Math.floor(hi);
  return first > last || pairs(a.integers).some(([from, to]) => from <= first && to >= last);
}

function touches(parts: readonly number[], lo: number, hi: number): boolean {
  return pairs(parts).some(([from, to]) => from <= nextUp(hi) && to >= nextDown(lo));
}

function rangeText(lo: End, hi: End): string {
  const from = lo.endless ? '' : `${lo.open ? 'above ' : 'from '}${lo.shown}`;
  const to = hi.endless ? '' : `${hi.open ? 'below ' : 'up to '}${hi.shown}`;
  return [from, to].filter((text) => text !== '').join(' ') || 'any';
}
