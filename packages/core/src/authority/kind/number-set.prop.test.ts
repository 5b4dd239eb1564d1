/** Sets of numbers: exact over doubles. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { nextDown, nextUp } from './double.js';
import { printNumbers } from './number-print.js';
import {
  type Bounds,
  anyNumber,
  complementNumbers,
  hasNumber,
  intersectNumbers,
  interval,
  listNumbers,
  noNumber,
  noNumbers,
  points,
  sameNumbers,
  sampleNumber,
  unionNumbers,
} from './number-set.js';

const edges = [
  0,
  -0,
  1,
  -1,
  0.5,
  2,
  2.5,
  3,
  100,
  2 ** 52 - 0.5,
  2 ** 52,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 53 + 2,
  -(2 ** 53),
  Number.MAX_VALUE,
  -Number.MAX_VALUE,
  Number.MIN_VALUE,
];
const base = fc.oneof(
  fc.constantFrom(...edges),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer({ min: -5, max: 5 }),
);
const finite = fc
  .tuple(
    base,
    fc.constantFrom(nextUp, nextDown, (x: number) => x),
  )
  .map(([x, move]) => move(x))
  .filter(Number.isFinite);
const optional = fc.option(finite, { nil: undefined });
const bounds: fc.Arbitrary<Bounds> = fc.record({
  min: optional,
  max: optional,
  above: optional,
  below: optional,
  integer: fc.option(fc.boolean(), { nil: undefined }),
});
const set = fc.array(bounds, { maxLength: 3 }).chain((list) =>
  fc.boolean().map((negate) => {
    const sum = list.map(interval).reduce(unionNumbers, noNumber);
    return negate ? complementNumbers(sum) : sum;
  }),
);

function within(b: Bounds, x: number): boolean {
  return (
    x >= (b.min ?? -Infinity) &&
    x <= (b.max ?? Infinity) &&
    x > (b.above ?? -Infinity) &&
    x < (b.below ?? Infinity) &&
    (b.integer !== true || Number.isInteger(x))
  );
}

describe('sets of numbers', () => {
  test('hold a number exactly when it is within the bounds', () => {
    fc.assert(
      fc.property(bounds, finite, (b, x) => {
        expect(hasNumber(interval(b), x)).toBe(within(b, x));
      }),
      { numRuns: 2000 },
    );
  });

  test('hold the bounds themselves and their neighbours as stated', () => {
    fc.assert(
      fc.property(
        bounds,
        fc.constantFrom(nextUp, nextDown, (x: number) => x),
        (b, move) => {
          for (const edge of [b.min, b.max, b.above, b.below]) {
            const x = edge === undefined ? Infinity : move(edge);
            if (Number.isFinite(x)) expect(hasNumber(interval(b), x)).toBe(within(b, x));
          }
        },
      ),
    );
  });

  test('[P.authority.boolean-algebra] obey the Boolean laws', () => {
    fc.assert(
      fc.property(set, set, set, finite, (a, b, c, x) => {
        const same = (one: typeof a, two: typeof a): void => expect(sameNumbers(one, two)).toBe(true);
        same(unionNumbers(a, b), unionNumbers(b, a));
        same(
          intersectNumbers(a, unionNumbers(b, c)),
          unionNumbers(intersectNumbers(a, b), intersectNumbers(a, c)),
        );
        same(complementNumbers(complementNumbers(a)), a);
        same(
          complementNumbers(unionNumbers(a, b)),
          intersectNumbers(complementNumbers(a), complementNumbers(b)),
        );
        same(unionNumbers(a, complementNumbers(a)), anyNumber);
        same(intersectNumbers(a, complementNumbers(a)), noNumber);
        expect(hasNumber(unionNumbers(a, b), x)).toBe(hasNumber(a, x) || hasNumber(b, x));
        expect(hasNumber(intersectNumbers(a, b), x)).toBe(hasNumber(a, x) && hasNumber(b, x));
        expect(hasNumber(complementNumbers(a), x)).toBe(!hasNumber(a, x));
      }),
    );
  });

  test('[P.authority.boolean-algebra] sample a member, and none exactly when empty', () => {
    fc.assert(
      fc.property(set, (a) => {
        const found = sampleNumber(a);
        expect(found === undefined).toBe(noNumbers(a));
        if (found !== undefined) expect(hasNumber(a, found)).toBe(true);
      }),
      { numRuns: 500 },
    );
  });

  test('list exactly their members when these are few', () => {
    expect(listNumbers(points([3, 1, 1.5, 1]), 3)).toEqual([1, 3, 1.5]);
    expect(listNumbers(points([3, 1, 1.5]), 2)).toBeUndefined();
    expect(listNumbers(interval({ min: 0, max: 2 }), 1000)).toBeUndefined();
    expect(listNumbers(interval({ min: 2 ** 53, max: 2 ** 53 + 6 }), 8)).toEqual([
      2 ** 53,
      2 ** 53 + 2,
      2 ** 53 + 4,
      2 ** 53 + 6,
    ]);
  });

  test('know that no double lies between neighbours, and that open and closed integer bounds agree', () => {
    expect(noNumbers(interval({ above: 1, below: nextUp(1) }))).toBe(true);
    expect(
      sameNumbers(
        interval({ min: 0, max: 10, integer: true }),
        interval({ above: -1, below: 11, integer: true }),
      ),
    ).toBe(true);
  });

  test('sample short numbers', () => {
    expect(sampleNumber(interval({ above: 2, below: 3 }))).toBe(2.5);
    expect(sampleNumber(interval({ min: -7, max: -2 }))).toBe(-2);
  });

  test('are printed for people', () => {
    expect(printNumbers(interval({ min: 0, max: 10, integer: true }))).toBe('integers 0 to 10');
    expect(printNumbers(interval({ above: 0, max: 100 }))).toBe('numbers above 0 up to 100');
    expect(printNumbers(interval({ min: 0.1 }))).toBe('numbers from 0.1');
    expect(printNumbers(points([5, 1]))).toBe('1 or 5');
    expect(printNumbers(complementNumbers(points([5])))).toBe('any number except 5');
  });
});
