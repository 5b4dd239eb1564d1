/** Whether a value is in a set: the reference, and fast predicates that agree with it. */
import { type Language, anything, finite, nothing } from '../automaton/index.js';
import type { Json } from '../../ground/index.js';
import { hasNumber, type NumberSet } from './number-set.js';
import type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';
import { type Missing, Spread, type Value, missing } from './value.js';

/** Whether the value is a member. */
export function member(set: ValueSet, value: Value): boolean {
  if (value === missing) return set.missing;
  if (value instanceof Spread) return set.spreads.some((clause) => meets(clause, value.elements));
  if (isArray(value)) return set.arrays.some((clause) => meets(clause, value));
  return isLeaf(set, value);
}

function isArray(value: Json | Missing): value is readonly Json[] {
  return Array.isArray(value);
}

function isLeaf(set: Leaves, value: Json | Missing): boolean {
  if (typeof value === 'string') return set.text.test(value);
  if (typeof value === 'number') return hasNumber(set.numbers, value);
  if (typeof value === 'boolean') return value ? set.true : set.false;
  if (value === missing) return false;
  return value === null ? set.null : set.objects;
}

function meets(clause: Clause, list: readonly (Json | Missing)[]): boolean {
  const { leaves, all } = clause;
  return (
    list.length >= clause.min &&
    list.length <= clause.max &&
    (leaves === undefined || everyLeaf(list, (leaf) => isLeaf(leaves, leaf))) &&
    (all === undefined || list.every((element) => member(all, element))) &&
    clause.someLeaf.every((one) => !everyLeaf(list, (leaf) => !isLeaf(one, leaf))) &&
    clause.some.every((one) => list.some((element) => member(one, element)))
  );
}

function everyLeaf(list: readonly (Json | Missing)[], test: (leaf: Json | Missing) => boolean): boolean {
  return list.every((element) => (isArray(element) ? everyLeaf(element, test) : test(element)));
}

/** A predicate that answers as {@link member} does, made once to be asked often. */
export function compileSet(set: ValueSet): (value: Value) => boolean {
  const text = compileText(set.text);
  const number = compileNumbers(set.numbers);
  const leaf = compileLeaves(set);
  const arrays = compileArrays(set.arrays);
  const spreads = compileArrays(set.spreads);
  const whenMissing = set.missing;
  return (value) => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return number(value);
    if (typeof value === 'symbol') return whenMissing;
    if (typeof value === 'object' && value !== null) {
      if (value instanceof Spread) return spreads(value.elements);
      if (isArray(value)) return arrays(value);
    }
    return leaf(value);
  };
}

type LeafTest = (value: Json | Missing | Spread) => boolean;
type ListTest = (list: readonly (Json | Missing)[]) => boolean;

const never = (): boolean => false;
const always = (): boolean => true;

function compileLeaves(set: Leaves): LeafTest {
  const text = compileText(set.text);
  const number = compileNumbers(set.numbers);
  const { null: whenNull, true: whenTrue, false: whenFalse, objects } = set;
  return (value) => {
    if (typeof value === 'string') return text(value);
    if (typeof value === 'number') return number(value);
    if (typeof value === 'boolean') return value ? whenTrue : whenFalse;
    if (typeof value === 'symbol') return false;
    return value === null ? whenNull : objects;
  };
}

const maxListed = 64;
const shortList = 2;

/** A predicate that answers as the language's test does. */
export function compileText(language: Language): (text: string) => boolean {
  if (language === nothing) return never;
  if (language === anything) return wellFormed;
  const few = finite(language, maxListed);
  if (few === undefined) return (text) => language.test(text);
  if (few.length > shortList) {
    const known = new Set(few);
    return (text) => known.has(text);
  }
  const [first, second] = few;
  return (text) => text === first || text === second;
}

const loneSurrogate = /\p{Surrogate}/u;
function wellFormed(text: string): boolean {
  return !loneSurrogate.test(text);
}

function compileNumbers(numbers: NumberSet): (value: number) => boolean {
  const { integers, fractions } = numbers;
  if (integers.length === 0 && fractions.length === 0) return never;
  if (integers.length > 2 || fractions.length > 2) return (value) => hasNumber(numbers, value);
  const [low = Infinity, high = -Infinity] = integers;
  const [from = Infinity, to = -Infinity] = fractions;
  return (value) => (Number.isInteger(value) ? value >= low && value <= high : value >= from && value <= to);
}

function compileArrays(set: ArraySet): ListTest {
  const tests = set.map(compileClause);
  const [only] = tests;
  if (only === undefined) return never;
  return tests.length === 1 ? only : (list) => tests.some((test) => test(list));
}

function compileClause(clause: Clause): ListTest {
  const { min, max } = clause;
  const tests: ListTest[] = [];
  if (min > 0 || max < Infinity) tests.push((list) => list.length >= min && list.length <= max);
  if (clause.leaves !== undefined) {
    const test = compileLeaves(clause.leaves);
    tests.push((list) => everyLeaf(list, test));
  }
  if (clause.all !== undefined) {
    const test = compileSet(clause.all);
    tests.push((list) => list.every(test));
  }
  for (const one of clause.someLeaf) {
    const test = compileLeaves(one);
    tests.push((list) => !everyLeaf(list, (leaf) => !test(leaf)));
  }
  for (const one of clause.some) {
    const test = compileSet(one);
    tests.push((list) => list.some(test));
  }
  const [only] = tests;
  if (only === undefined) return always;
  return tests.length === 1 ? only : (list) => tests.every((test) => test(list));
}
