/** Sets that treat lists as their elements, against each list and each element. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doc, json, readContext, scalarPool } from '../../../../../test/constraints.js';
import type { Json } from '../../ground/index.js';
import {
  type Polarity,
  type ValueSet,
  byElement,
  compileConstraint,
  elementsOf,
  everythingSet,
  isByElement,
  isEmpty,
  member,
  readConstraint,
} from './index.js';

const scalar = fc.constantFrom(...scalarPool);
const one: fc.Arbitrary<Json> = fc.oneof(
  fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }),
  fc.record({ min: fc.constantFrom(0, 1), max: fc.constantFrom(1.5, 2) }),
  fc.constantFrom('a*', '?', '*b').map((glob) => ({ glob })),
);
const constraint: fc.Arbitrary<Json> = fc.oneof(
  one,
  one.map((except) => ({ except })),
  one.map((optional) => ({ optional })),
  fc.constantFrom<Json>('any', 'present', 'absent'),
  fc.record({ in: one, except: one }),
  fc.tuple(one, one).map((either) => ({ either })),
  fc.record({ items: one, minItems: fc.constantFrom(0, 1) }),
  fc.constantFrom<Json>({ minItems: 1 }, { maxItems: 2 }),
  fc.tuple(one, fc.constantFrom<Json>({ maxItems: 2 }, { minItems: 1 })).map((all) => ({ all })),
);

/** The sets that a constraint means as sent, one an alternative; none where it cannot be read. */
function setsOf(sent: Json, polarity: Polarity): readonly ValueSet[] {
  const ctx = readContext({ polarity });
  const found = readConstraint(doc(sent), ctx);
  if (found === undefined) return [];
  return compileConstraint(found, ctx).flatMap((views) => views.get('raw') ?? []);
}

function leavesOf(value: Json): readonly Json[] {
  return Array.isArray(value) ? value.flatMap(leavesOf) : [value];
}
const isList = (value: Json): value is Json[] => Array.isArray(value);
const polarity = fc.constantFrom<Polarity>('admit', 'refuse');
const values = fc.array(json, { minLength: 20, maxLength: 40 });

describe('sets by element', () => {
  test('[P.kind.arrays] hold a list that has elements when all of them are in the set, or when some are', () => {
    let told = 0;
    fc.assert(
      fc.property(constraint, polarity, values, (sent, side, list) => {
        for (const set of setsOf(sent, side)) {
          if (!isByElement(set)) continue;
          const lists = list.filter((value) => isList(value) && leavesOf(value).length > 0);
          const all = lists.every(
            (value) => member(set, value) === leavesOf(value).every((leaf) => member(set, leaf)),
          );
          const some = lists.every(
            (value) => member(set, value) === leavesOf(value).some((leaf) => member(set, leaf)),
          );
          expect([sent, all || some]).toEqual([sent, true]);
          told += 1;
        }
      }),
      { numRuns: 300 },
    );
    expect(told).toBeGreaterThan(150);
  });

  test('[P.kind.arrays] without their lists they hold the same other values, and no list', () => {
    fc.assert(
      fc.property(constraint, polarity, values, (sent, side, list) => {
        for (const set of setsOf(sent, side))
          for (const value of list)
            expect(member(byElement(set), value)).toBe(!isList(value) && member(set, value));
      }),
    );
  });

  test('[P.kind.arrays] what stands in a position or in a list there is an element, and nothing else is', () => {
    fc.assert(
      fc.property(constraint, polarity, values, (sent, side, list) => {
        for (const set of setsOf(sent, side)) {
          const elements = elementsOf(set);
          for (const value of list) {
            if (!member(set, value)) continue;
            for (const leaf of leavesOf(value)) expect(member(elements, leaf)).toBe(true);
          }
          if (isEmpty(set)) expect(isEmpty(elements)).toBe(true);
        }
        expect(member(elementsOf(everythingSet), ['a'])).toBe(false);
      }),
    );
  });
});
