/** Whether a value is in a set: the reference, and fast predicates that agree with it. */
import { type Language, finite, residue } from '../automaton/index.js';
import type { Json } from '../../ground/index.js';
import { hasNumber } from './number-set.js';
import type { Clause, Leaves, ValueSet } from './set-types.js';
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

const maxListed = 64;

/** A set made ready for many questions; answers as {@link member} does, and texts and numbers at once. */
export class ReadySet {
  readonly #set: ValueSet;
  /** The texts of the set where they are few. */
  readonly #words: ReadonlySet<string> | undefined;
  readonly #prefix: string;
  readonly #rest: Language;

  constructor(set: ValueSet) {
    const words = finite(set.text, maxListed);
    const { prefix, rest } = residue(set.text);
    this.#set = set;
    this.#words = words === undefined ? undefined : new Set(words);
    this.#prefix = prefix;
    this.#rest = rest;
  }

  /** Whether the value is a member. */
  has(value: Value): boolean {
    if (typeof value === 'number') return hasNumber(this.#set.numbers, value);
    if (typeof value !== 'string') return member(this.#set, value);
    if (this.#words !== undefined) return this.#words.has(value);
    return value.startsWith(this.#prefix) && this.#rest.test(value, this.#prefix.length);
  }
}
