/** Sets of numbers as intervals: exactly the set, or none. */
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { numberRanges } from './number-ranges.js';
import { complementNumbers, interval, noNumber, points, sameNumbers, unionNumbers } from './number-set.js';

const number = fc.constantFrom(-3, 0, 0.5, 1, 2, 2.5, 7, 1e9, 2 ** 53, 1e300);
const one = fc.oneof(
  fc.record({ min: number, max: number, integer: fc.boolean() }, { requiredKeys: [] }).map(interval),
  fc.record({ above: number, below: number }, { requiredKeys: [] }).map(interval),
  fc.array(number, { maxLength: 3 }).map(points),
);

test('the intervals of a set are the set, few as they are', () => {
  let told = 0;
  fc.assert(
    fc.property(fc.array(one, { maxLength: 3 }), fc.boolean(), (parts, outside) => {
      const union = parts.reduce(unionNumbers, noNumber);
      const set = outside ? complementNumbers(union) : union;
      const ranges = numberRanges(set, 16);
      if (ranges === undefined) return;
      told += 1;
      expect(sameNumbers(ranges.map(interval).reduce(unionNumbers, noNumber), set)).toBe(true);
    }),
    { numRuns: 500 },
  );
  expect(told).toBeGreaterThan(400);
});

test('bounds are as a person would write them', () => {
  expect(numberRanges(interval({ above: 0, max: 100 }), 4)).toEqual([{ above: 0, max: 100 }]);
  expect(numberRanges(interval({ min: 1, max: 9, integer: true }), 4)).toEqual([
    { integer: true, min: 1, max: 9 },
  ]);
  expect(numberRanges(interval({ below: 2.5 }), 4)).toEqual([{ below: 2.5 }]);
  expect(numberRanges(noNumber, 4)).toEqual([]);
});
