/** Sets of values, arrays included: an exact Boolean algebra, and predicates that agree with it. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { json, scalarPool, value } from '../../../../../test/constraints.js';
import { anything, languageOf, nothing, pattern } from '../automaton/index.js';
import { clause } from './algebra.js';
import {
  type Leaves,
  ReadySet,
  type ValueSet,
  and,
  arraysOf,
  complement,
  equal,
  everyElement,
  everythingSet,
  includes,
  interval,
  isEmpty,
  member,
  minus,
  missing,
  missingSet,
  noNumber,
  nothingSet,
  or,
  points,
  presentSet,
  sample,
  scalars,
  someElement,
  valueSet,
} from './index.js';

const words = fc
  .array(fc.constantFrom(...scalarPool.filter((each) => typeof each === 'string')), { maxLength: 3 })
  .map((list) => languageOf(pattern.words(list)));
const leaves: fc.Arbitrary<Leaves> = fc.record({
  null: fc.boolean(),
  true: fc.boolean(),
  false: fc.boolean(),
  objects: fc.boolean(),
  text: fc.oneof(words, fc.constantFrom(nothing, anything)),
  numbers: fc.oneof(fc.constantFrom(noNumber, interval({ min: 1 })), fc.constant(points([0, 1.5]))),
});

const set: fc.Arbitrary<ValueSet> = fc.letrec<{ set: ValueSet; element: ValueSet }>((tie) => ({
  element: tie('set').map((each) => valueSet({ ...each, missing: false, spreads: [] })),
  set: fc.oneof(
    { depthSize: 'small', maxDepth: 2 },
    leaves.map((each) => valueSet(each)),
    leaves.map(everyElement),
    leaves.map(someElement),
    fc.constantFrom(everythingSet, nothingSet, presentSet, missingSet),
    fc
      .tuple(tie('element'), fc.nat(2), fc.constantFrom(1, 2, Infinity))
      .map(([element, min, max]) => arraysOf(element, min, max)),
    fc
      .tuple(tie('element'), leaves, leaves, fc.constantFrom(1, 2, Infinity))
      .map(([element, every, some, max]) =>
        valueSet({ arrays: [clause({ leaves: every, someLeaf: [some], some: [element], max })] }),
      ),
    fc.tuple(tie('set'), leaves).map(([element, each]) => {
      const noSpreads = valueSet({ ...element, spreads: [] });
      return valueSet({
        ...each,
        spreads: [clause({ all: noSpreads }), clause({ some: [valueSet(each)], min: 2 })],
      });
    }),
    fc.tuple(tie('set'), tie('set')).map(([a, b]) => or(a, b)),
    fc.tuple(tie('set'), tie('set')).map(([a, b]) => minus(a, b)),
  ),
})).set;

const values = fc.array(value, { minLength: 10, maxLength: 30 });

describe('sets of values', () => {
  test('[P.authority.boolean-algebra] combine value by value', () => {
    fc.assert(
      fc.property(set, set, values, (a, b, list) => {
        const [both, either, less, rest] = [and(a, b), or(a, b), minus(a, b), complement(a)];
        for (const each of list) {
          const [inA, inB] = [member(a, each), member(b, each)];
          expect(member(both, each)).toBe(inA && inB);
          expect(member(either, each)).toBe(inA || inB);
          expect(member(less, each)).toBe(inA && !inB);
          expect(member(rest, each)).toBe(!inA);
        }
      }),
      { numRuns: 200 },
    );
  });

  test('[P.authority.boolean-algebra] obey the Boolean laws as sets', () => {
    fc.assert(
      fc.property(set, set, set, (a, b, c) => {
        expect(equal(and(a, or(b, c)), or(and(a, b), and(a, c)))).toBe(true);
        expect(equal(complement(or(a, b)), and(complement(a), complement(b)))).toBe(true);
        expect(equal(complement(complement(a)), a)).toBe(true);
        expect(equal(or(a, complement(a)), everythingSet)).toBe(true);
        expect(isEmpty(and(a, complement(a)))).toBe(true);
        expect(includes(or(a, b), b)).toBe(true);
      }),
      { numRuns: 150 },
    );
  });

  test('[P.authority.boolean-algebra] sample a member, and none exactly when empty', () => {
    fc.assert(
      fc.property(set, set, (a, b) => {
        const rest = minus(a, b);
        const found = sample(rest);
        expect(found === undefined).toBe(isEmpty(rest));
        expect(includes(b, a)).toBe(isEmpty(rest));
        if (found !== undefined) {
          expect(member(a, found)).toBe(true);
          expect(member(b, found)).toBe(false);
        }
      }),
      { numRuns: 400 },
    );
  });

  test('never call a set empty that has a member', () => {
    fc.assert(
      fc.property(set, values, (a, list) => {
        if (isEmpty(a)) for (const each of list) expect(member(a, each)).toBe(false);
      }),
    );
  });

  test('compile to predicates that agree with the reference', () => {
    fc.assert(
      fc.property(set, values, (a, list) => {
        const ready = new ReadySet(a);
        for (const each of list) expect(ready.has(each)).toBe(member(a, each));
      }),
      { numRuns: 200 },
    );
  });
});

describe('lifting over arrays', () => {
  function leavesOf(list: unknown): unknown[] {
    return Array.isArray(list) ? list.flatMap(leavesOf) : [list];
  }

  test('[P.kind.arrays] every element: all leaves at any depth; some element: one of them', () => {
    fc.assert(
      fc.property(leaves, json, (each, whole) => {
        const inside = leavesOf(whole).map((leaf) => member(valueSet(each), leaf as null));
        expect(member(everyElement(each), whole)).toBe(inside.every(Boolean));
        expect(member(someElement(each), whole)).toBe(inside.some(Boolean));
      }),
    );
  });

  test('a list is made of several needs at once where it is short', () => {
    const [a, b] = ['a', 'b'].map((each) => valueSet({ text: languageOf(pattern.literal(each)) }));
    const short = valueSet({ arrays: [clause({ some: [a!, b!], max: 1 })] });
    expect(isEmpty(short)).toBe(true);
    const nested = valueSet({ arrays: [clause({ someLeaf: [a!, b!], max: 1 })] });
    expect(sample(nested)).toEqual([['a', 'b']]);
  });
});

describe('the scalars of a set', () => {
  const ab = valueSet({ text: languageOf(pattern.words(['a', 'b'])), numbers: points([1]), null: true });

  test('[P.fill.single] are listed with missing and their own lists left out', () => {
    expect(scalars(or(everyElement(ab), missingSet), 4)).toEqual(['a', 'b', 1, null]);
    expect(scalars(ab, 3)).toBeUndefined();
  });

  test('are not listed where anything else may stand', () => {
    expect(scalars(valueSet({ ...ab, objects: true }), 10)).toBeUndefined();
    expect(scalars(or(ab, arraysOf(presentSet)), 10)).toBeUndefined();
    expect(scalars(presentSet, 10)).toBeUndefined();
  });

  test('missing is a sample of last resort', () => {
    expect(sample(missingSet)).toBe(missing);
    expect(sample(valueSet({ null: true, missing: true }))).toBe(null);
  });
});
