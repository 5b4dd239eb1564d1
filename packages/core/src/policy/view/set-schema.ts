/** A set of values as keywords of JSON Schema, for a place of which the tool's own schema already says something. */
import {
  type FoldedWord,
  type NumberRange,
  type Scalar,
  type ValueSet,
  and,
  byElement,
  elementsOf,
  includes,
  integerSet,
  isEmpty,
  listsIn,
  nothingSet,
  numberRanges,
  or,
  presentSet,
  scalars,
  textsOutside,
  typeSet,
} from '../../authority/index.js';
import { type PropertyInfo, type SchemaType, valuesAt } from '../../connector/index.js';
import type { JsonObject } from '../../ground/index.js';

/** Most values that an enum lists; of more the type alone is told. */
export const mostListed = 1024;
/** Most intervals that are told of a number. */
const mostRanges = 8;

/**
 * Keywords that hold for every value of `allowed`, and among the values that the schema takes for no others, as far as types,
 * lists of values, ranges and elements say it: of texts that are not listed, only that they are texts. Undefined: nothing is to
 * be said. `allowed` must not be empty.
 */
export function keywordsFor(allowed: ValueSet, universe: ValueSet, info: PropertyInfo): JsonObject | undefined {
  if (includes(allowed, universe)) return undefined;
  const forms = [...plainForms(byElement(allowed), byElement(universe)), ...listForms(allowed, universe, info)];
  const [only, second] = forms;
  if (only === undefined) return undefined;
  if (second !== undefined) return { anyOf: forms };
  return includes(typesOf(only), universe) ? withoutType(only) : only;
}

function withoutType({ type: _, ...rest }: JsonObject): JsonObject | undefined {
  return Object.keys(rest).length === 0 ? undefined : rest;
}

/** Everything of the types that a form names; an enum names those of its values. */
function typesOf({ type, enum: listed, const: single }: JsonObject): ValueSet {
  if (listed !== undefined || single !== undefined) return nothingSet;
  const names = Array.isArray(type) ? type : [type];
  return names.reduce<ValueSet>((sum, name: SchemaType) => or(sum, name === 'integer' ? integerSet : typeSet(name)), nothingSet);
}

/** Values that are no lists: free types together, then listed values, then ranges. */
function plainForms(allowed: ValueSet, universe: ValueSet): readonly JsonObject[] {
  const types: SchemaType[] = [];
  const listed: Scalar[] = [];
  const ranges: JsonObject[] = [];
  const texts = within(allowed, 'string');
  const words = isEmpty(texts) ? [] : scalars(texts, mostListed);
  const outside = words === undefined ? textsOutside(texts, universe) : [];
  listed.push(...(words ?? []));
  if (words === undefined && (outside === undefined || outside.length === 0)) types.push('string');
  const numbers = within(allowed, 'number');
  if (!isEmpty(numbers)) {
    const free = includes(numbers, within(universe, 'number'));
    const some = scalars(numbers, mostListed);
    if (free && some === undefined) types.push(isWhole(universe) ? 'integer' : 'number');
    else if (some === undefined || isRange(some)) ranges.push(...rangeForms(numbers));
    else listed.push(...some);
  }
  const booleans = within(allowed, 'boolean');
  if (includes(booleans, typeSet('boolean'))) types.push('boolean');
  else if (!isEmpty(booleans)) listed.push(...(scalars(booleans, 2) ?? []));
  if (allowed.null) types.push('null');
  if (allowed.objects) types.push('object');
  const excepting = words === undefined && outside !== undefined && outside.length > 0 ? [exceptForm(outside)] : [];
  return [...formsOf(types, listed), ...excepting, ...ranges];
}

/** Most spellings of excepted texts that are listed; more are told by a pattern. */
const mostSpellings = 8;

/** Any text but these. */
function exceptForm(words: readonly FoldedWord[]): JsonObject {
  const spellings = words.reduce((sum, word) => sum + word.reduce((product, { length }) => product * length, 1), 0);
  const spelled = spellings > mostSpellings ? undefined : words.flatMap(spellingsOf);
  const not: JsonObject =
    spelled === undefined ? { pattern: `^(?:${words.map(patternOf).join('|')})$` } : { enum: spelled };
  return { type: 'string', not };
}

function spellingsOf(word: FoldedWord): readonly string[] {
  return word.reduce<readonly string[]>((starts, chars) => starts.flatMap((start) => chars.map((char) => start + char)), ['']);
}

/** The text as a pattern that matches it alone. */
export function escapedText(text: string): string {
  return [...text].map(escaped).join('');
}

function patternOf(word: FoldedWord): string {
  return word.map((chars) => (chars.length === 1 ? escaped(chars[0] ?? '') : `[${chars.map(escaped).join('')}]`)).join('');
}

/** Of what folds to something else no character means anything in a class. */
function escaped(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/u.test(char) ? `\\${char}` : char;
}

function within(set: ValueSet, type: 'string' | 'number' | 'boolean'): ValueSet {
  return and(set, typeSet(type));
}

/** Null and booleans join listed values where there are any. */
function formsOf(types: readonly SchemaType[], listed: readonly Scalar[]): readonly JsonObject[] {
  if (listed.length === 0) return types.length === 0 ? [] : [{ type: types.length === 1 ? (types[0] ?? 'string') : types }];
  const joins = types.every((type) => type === 'null' || type === 'boolean');
  const values: readonly Scalar[] = joins
    ? [...listed, ...types.flatMap((type): Scalar[] => (type === 'null' ? [null] : [true, false]))]
    : listed;
  const listing: JsonObject = values.length === 1 ? { const: values[0] ?? null } : { enum: values };
  return joins ? [listing] : [{ type: types.length === 1 ? (types[0] ?? 'string') : types }, listing];
}

/** Whether listed numbers are three or more whole ones in a row. */
function isRange(values: readonly Scalar[]): boolean {
  const numbers = values.filter((value) => typeof value === 'number').sort((a, b) => a - b);
  const [first = 0] = numbers;
  return numbers.length > 2 && numbers.every((value, at) => Number.isInteger(value) && value === first + at);
}

function isWhole(universe: ValueSet): boolean {
  return universe.numbers.fractions.length === 0;
}

function rangeForms(numbers: ValueSet): readonly JsonObject[] {
  const ranges = numberRanges(numbers.numbers, mostRanges);
  if (ranges === undefined) return [{ type: 'number' }];
  return ranges.map(rangeForm);
}

function rangeForm({ min, max, above, below, integer }: NumberRange): JsonObject {
  if (min !== undefined && min === max) return { const: min };
  return {
    type: integer === true ? 'integer' : 'number',
    ...(min === undefined ? {} : { minimum: min }),
    ...(above === undefined ? {} : { exclusiveMinimum: above }),
    ...(max === undefined ? {} : { maximum: max }),
    ...(below === undefined ? {} : { exclusiveMaximum: below }),
  };
}

/** Lists: their elements, where these are no lists themselves, and how many there may be. */
function listForms(allowed: ValueSet, universe: ValueSet, info: PropertyInfo): readonly JsonObject[] {
  const [lists, all] = [listsIn(allowed), listsIn(universe)];
  if (isEmpty(lists)) return [];
  const min = Math.min(...lists.arrays.map((clause) => clause.min));
  const max = Math.max(...lists.arrays.map((clause) => clause.max));
  return [
    {
      type: 'array',
      ...(min > 0 ? { minItems: min } : {}),
      ...(max < Infinity ? { maxItems: max } : {}),
      ...(includes(lists, all) ? {} : elementKeywords(lists, info)),
    },
  ];
}

/** A list in a list is judged by what is in it: of such elements no more is told. */
function elementKeywords(lists: ValueSet, { items }: PropertyInfo): JsonObject {
  const universe = items === undefined ? presentSet : valuesAt(items);
  const elements = and(elementsOf(lists), byElement(universe));
  const nested = isEmpty(listsIn(universe)) ? [] : [{ type: 'array' }];
  if (nested.length === 0 && isEmpty(elements)) return { maxItems: 0 };
  if (nested.length === 0 && items !== undefined) {
    const of = keywordsFor(elements, universe, items);
    return of === undefined ? {} : { items: of };
  }
  if (includes(elements, byElement(universe))) return {};
  return { items: { anyOf: [...plainForms(elements, byElement(universe)), ...nested] } };
}
