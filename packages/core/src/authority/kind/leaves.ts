/** Boolean algebra of sets of values that are no arrays. */
import {
  type Language,
  anything,
  complement,
  includes,
  intersect,
  nothing,
  overlaps,
  union,
} from '../automaton/index.js';
import {
  type NumberSet,
  anyNumber,
  complementNumbers,
  intersectNumbers,
  noNumber,
  noNumbers,
  points,
  sameNumbers,
  unionNumbers,
} from './number-set.js';
import type { Leaves } from './set-types.js';
import type { Scalar } from './value.js';

/** No value. */
export const noLeaves: Leaves = Object.freeze({
  null: false,
  true: false,
  false: false,
  numbers: noNumber,
  text: nothing,
  objects: false,
});
/** Every scalar and every object. */
export const anyLeaves: Leaves = Object.freeze({
  null: true,
  true: true,
  false: true,
  numbers: anyNumber,
  text: anything,
  objects: true,
});

/** The texts of a language, nothing else. */
export function textLeaves(text: Language): Leaves {
  return Object.freeze({ ...noLeaves, text });
}

/** The numbers of a set, nothing else. */
export function numberLeaves(numbers: NumberSet): Leaves {
  return Object.freeze({ ...noLeaves, numbers });
}

/** The given scalars that are no texts, and the texts of the language. */
export function scalarLeaves(values: readonly Scalar[], text: Language): Leaves {
  const numbers = values.filter((value) => typeof value === 'number');
  return Object.freeze({
    null: values.includes(null),
    true: values.includes(true),
    false: values.includes(false),
    numbers: points(numbers),
    text,
    objects: false,
  });
}

/** In both. */
export function andLeaves(a: Leaves, b: Leaves): Leaves {
  if (a === b || b === anyLeaves) return a;
  if (a === anyLeaves) return b;
  return Object.freeze({
    null: a.null && b.null,
    true: a.true && b.true,
    false: a.false && b.false,
    numbers: intersectNumbers(a.numbers, b.numbers),
    text: intersect(a.text, b.text),
    objects: a.objects && b.objects,
  });
}

/** In either. */
export function orLeaves(a: Leaves, b: Leaves): Leaves {
  if (a === b || b === noLeaves) return a;
  if (a === noLeaves) return b;
  return Object.freeze({
    null: a.null || b.null,
    true: a.true || b.true,
    false: a.false || b.false,
    numbers: unionNumbers(a.numbers, b.numbers),
    text: union(a.text, b.text),
    objects: a.objects || b.objects,
  });
}

/** Every scalar and object outside. */
export function notLeaves(a: Leaves): Leaves {
  if (a === anyLeaves) return noLeaves;
  if (a === noLeaves) return anyLeaves;
  return Object.freeze({
    null: !a.null,
    true: !a.true,
    false: !a.false,
    numbers: complementNumbers(a.numbers),
    text: complement(a.text),
    objects: !a.objects,
  });
}

/** Whether there is no member. */
export function leavesEmpty(a: Leaves): boolean {
  return !a.null && !a.true && !a.false && !a.objects && a.text === nothing && noNumbers(a.numbers);
}

/** Whether every member of `small` is in `big`. */
export function leavesInclude(big: Leaves, small: Leaves): boolean {
  return (
    implies(small.null, big.null) &&
    implies(small.true, big.true) &&
    implies(small.false, big.false) &&
    implies(small.objects, big.objects) &&
    includes(big.text, small.text) &&
    sameNumbers(intersectNumbers(small.numbers, big.numbers), small.numbers)
  );
}

/** Whether some value is in both. */
export function leavesMeet(a: Leaves, b: Leaves): boolean {
  return (
    (a.null && b.null) ||
    (a.true && b.true) ||
    (a.false && b.false) ||
    (a.objects && b.objects) ||
    !noNumbers(intersectNumbers(a.numbers, b.numbers)) ||
    overlaps(a.text, b.text)
  );
}

/** Whether both have the same members. */
export function sameLeaves(a: Leaves, b: Leaves): boolean {
  return (
    a === b ||
    (a.null === b.null &&
      a.true === b.true &&
      a.false === b.false &&
      a.objects === b.objects &&
      a.text === b.text &&
      sameNumbers(a.numbers, b.numbers))
  );
}

function implies(a: boolean, b: boolean): boolean {
  return !a || b;
}
