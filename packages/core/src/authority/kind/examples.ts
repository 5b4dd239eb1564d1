/** Members of a set of values: one example, or the scalars when they are few; and the set in words. */
import type { Json } from '../../ground/index.js';
import { type Language, finite, includes, nothing, print, sample as sampleText } from '../automaton/index.js';
import { anyArrays, arraysEmpty, clause, elementsOf, groupsFor, minusArrays } from './algebra.js';
import { allAddresses } from './host-address.js';
import { namedSets } from './host-sets.js';
import { spelledHost } from './host-text.js';
import { anyLeaves, leavesEmpty, noLeaves, sameLeaves } from './leaves.js';
import { printNumbers } from './number-print.js';
import { listNumbers, noNumbers, sampleNumber } from './number-set.js';
import { allPaths } from './path-language.js';
import { printPaths } from './path-print.js';
import { allDrivePaths } from './path-win32.js';
import type { ArraySet, Clause, Leaves, ValueSet } from './set-types.js';
import { type Missing, type Scalar, Spread, type Value, missing } from './value.js';

/** A member that is easy to read, or undefined when the set is empty: a text if there is one, then other scalars, lists, missing. */
export function sample(set: ValueSet): Value | undefined {
  const element = sampleElement(set);
  return element === undefined ? sampleSpread(set.spreads) : element;
}

function sampleElement(set: ValueSet): Json | Missing | undefined {
  const leaf = sampleLeaf(set);
  if (leaf !== undefined) return leaf;
  if (set.null) return null;
  const list = sampleOf(set.arrays, 'arrays')?.filter(isPresent);
  return list ?? (set.missing ? missing : undefined);
}

function sampleLeaf(set: Leaves): string | number | boolean | { readonly [key: string]: Json } | undefined {
  const text = sampleText(set.text);
  if (text !== undefined) return text;
  const number = sampleNumber(set.numbers);
  if (number !== undefined) return number;
  if (set.true || set.false) return set.true;
  return set.objects ? {} : undefined;
}

function isPresent(value: Json | Missing): value is Json {
  return value !== missing;
}

function sampleSpread(set: ArraySet): Spread | undefined {
  const elements = sampleOf(set, 'spreads');
  return elements === undefined ? undefined : new Spread(elements);
}

function sampleOf(set: ArraySet, of: 'arrays' | 'spreads'): readonly (Json | Missing)[] | undefined {
  for (const one of set) {
    const list = sampleClause(one, of);
    if (list !== undefined) return list;
  }
  return undefined;
}

function sampleClause(one: Clause, of: 'arrays' | 'spreads'): readonly (Json | Missing)[] | undefined {
  const groups = groupsFor(one, of);
  if (groups === undefined) return undefined;
  const list: (Json | Missing)[] = [];
  for (const group of groups) {
    const element = sampleElement(group);
    if (element !== undefined) list.push(element);
  }
  if (list.length >= one.min) return list;
  const filler = sampleElement(elementsOf(one, of).every);
  if (filler === undefined) return undefined;
  return [...list, ...Array.from({ length: one.min - list.length }, () => filler)];
}

/**
 * The scalars of the set, when there are at most `limit` of them and everything else in it is missing, or lists made of
 * them alone; else undefined. What an omitted argument may be filled with.
 */
export function scalars(set: ValueSet, limit: number): readonly Scalar[] | undefined {
  if (set.objects || !arraysEmpty(minusArrays(set.arrays, [clause({ leaves: set })], 'arrays'), 'arrays'))
    return undefined;
  const numbers = listNumbers(set.numbers, limit);
  const texts = finite(set.text, limit);
  if (numbers === undefined || texts === undefined) return undefined;
  const found: Scalar[] = [...texts, ...numbers];
  if (set.true) found.push(true);
  if (set.false) found.push(false);
  if (set.null) found.push(null);
  return found.length <= limit ? Object.freeze(found) : undefined;
}

/** The set for people: `"a" or "b"`, `integers 1 to 10`, `any value`. Lists made of the same values are not mentioned. */
export function printSet(set: ValueSet): string {
  if (sameLeaves(set, anyLeaves) && set.arrays === anyArrays)
    return set.missing ? 'any value or absent' : 'any value';
  const parts = leafParts(set);
  const lists = printArrays(set.arrays, set);
  if (lists !== undefined) parts.push(lists);
  if (set.missing) parts.push('absent');
  return parts.length === 0 ? 'no value' : parts.join(' or ');
}

function leafParts(set: Leaves): string[] {
  if (sameLeaves(set, anyLeaves)) return ['any value that is no list'];
  const parts: string[] = [];
  if (set.text !== nothing) parts.push(printText(set.text));
  if (!noNumbers(set.numbers)) parts.push(printNumbers(set.numbers));
  if (set.true) parts.push('true');
  if (set.false) parts.push('false');
  if (set.null) parts.push('null');
  if (set.objects) parts.push('any object');
  return parts;
}

/** A few texts as a list, languages of paths as globs, sets of addresses by name, all else as the automaton prints itself. */
function printText(text: Language): string {
  const few = finite(text, maxListed);
  if (few !== undefined && includes(allAddresses, text)) return few.map(spelledHost).join(' or ');
  if (few !== undefined) return print(text);
  for (const [name, set] of namedSets) if (set === text) return `${name} addresses`;
  const paths = includes(allPaths, text) || includes(allDrivePaths, text);
  return (paths ? printPaths(text) : undefined) ?? print(text);
}

const maxListed = 8;

/** Undefined: nothing worth saying beside the leaves. */
function printArrays(arrays: ArraySet, leaves: Leaves): string | undefined {
  if (arrays === anyArrays) return 'any list';
  const lifted = clause({ leaves });
  const texts = arrays.filter((one) => !sameLift(one, lifted)).map(printClause);
  return texts.length === 0 ? undefined : texts.join(' or ');
}

function sameLift(one: Clause, lifted: Clause): boolean {
  if (one.leaves === undefined || lifted.leaves === undefined || one.all !== undefined) return false;
  return (
    one.someLeaf.length === 0 &&
    one.some.length === 0 &&
    one.min === 0 &&
    one.max === Infinity &&
    sameLeaves(one.leaves, lifted.leaves)
  );
}

function printClause(one: Clause): string {
  const conditions: string[] = [];
  if (one.all !== undefined) conditions.push(`of ${printSet(one.all)}`);
  if (one.leaves !== undefined) conditions.push(`of ${printLeaves(one.leaves)}`);
  for (const some of one.some) conditions.push(`with some ${printSet(some)}`);
  for (const some of one.someLeaf) conditions.push(`with some ${printLeaves(some)}`);
  if (one.min > 0) conditions.push(`of at least ${one.min}`);
  if (one.max < Infinity) conditions.push(`of at most ${one.max}`);
  return ['lists', ...conditions].join(' ');
}

function printLeaves(leaves: Leaves): string {
  if (sameLeaves(leaves, noLeaves) || leavesEmpty(leaves)) return 'nothing';
  return leafParts(leaves).join(' or ');
}
