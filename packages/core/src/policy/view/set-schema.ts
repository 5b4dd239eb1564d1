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
import { type Json, type JsonObject, isJsonArray, own } from '../../ground/index.js';

/** Most values that an enum lists; of more the type alone is told. */
export const mostListed = 1024;
/** Most intervals that are told of a number. */
const mostRanges = 8;

/**
 * Keywords that hold for every value of `allowed`, and among the values that the schema takes for no others, as far as types,
 * lists of values, ranges and elements say it: of texts that are not listed, only that they are texts. Undefined: nothing is to
 * be said. `allowed` must not be empty.
 */
export function keywordsFor(
  allowed: ValueSet,
  universe: ValueSet,
  info: PropertyInfo,
): JsonObject | undefined {
  if (includes(allowed, universe)) return undefined;
  const forms = [
    ...plainForms(byElement(allowed), byElement(universe)),
    ...listForms(allowed, universe, info),
  ].map((form) => inOrder(form, info));
  const [only, second] = forms;
  if (only === undefined) return undefined;
  if (second !== undefined) return { anyOf: forms };
  return includes(typesOf(only), universe) ? withoutType(only) : only;
}

/** Listed values in the order of the schema's own list, or else of their texts. */
function inOrder(form: JsonObject, info: PropertyInfo): JsonObject {
  const listed = own(form, 'enum');
  if (!isJsonArray(listed)) return form;
  const place = (value: Json): number => info.enum?.indexOf(value) ?? -1;
  const text = (value: Json): string => (typeof value === 'string' ? value : '');
  const sorted = listed.toSorted(
    (a, b) => place(a) - place(b) || (text(a) < text(b) ? -1 : Number(text(a) > text(b))),
  );
  return { ...form, enum: sorted };
}

function withoutType(form: JsonObject): JsonObject | undefined {
  const rest = Object.entries(form).filter(([key]) => key !== 'type');
  return rest.length === 0 ? undefined : Object.fromEntries(rest);
}

/** Everything of the types that a form names; an enum names those of its values. */
function typesOf({ type, enum: listed, const: single }: JsonObject): ValueSet {
  if (listed !== undefined || single !== undefined) return nothingSet;
  const names = Array.isArray(type) ? type : [type];
  return names.reduce<ValueSet>(
    (sum, name: SchemaType) => or(sum, name === 'integer' ? integerSet : typeSet(name)),
    nothingSet,
  );
}

/** Forms of values: free types together, listed values together, and forms of their own. */
interface Forms {
  readonly types: SchemaType[];
  readonly listed: Scalar[];
  readonly others: JsonObject[];
}

/** Values that are no lists. */
function plainForms(allowed: ValueSet, universe: ValueSet): readonly JsonObject[] {
  const forms: Forms = { types: [], listed: [], others: [] };
  addTexts(forms, within(allowed, 'string'), universe);
  addNumbers(forms, within(allowed, 'number'), universe);
  const booleans = within(allowed, 'boolean');
  if (includes(booleans, typeSet('boolean'))) forms.types.push('boolean');
  else forms.listed.push(...(scalars(booleans, 2) ?? []));
  if (allowed.null) forms.types.push('null');
  if (allowed.objects) forms.types.push('object');
  return [...formsOf(forms.types, forms.listed), ...forms.others];
}

function addTexts({ types, listed, others }: Forms, texts: ValueSet, universe: ValueSet): void {
  const words = scalars(texts, mostListed);
  if (words !== undefined) {
    listed.push(...words);
    return;
  }
  const outside = textsOutside(texts, universe) ?? [];
  if (outside.length === 0) types.push('string');
  else others.push(exceptForm(outside));
}

function addNumbers({ types, listed, others }: Forms, numbers: ValueSet, universe: ValueSet): void {
  const some = scalars(numbers, mostListed);
  const free = includes(numbers, within(universe, 'number'));
  if (some !== undefined && !isRange(some)) listed.push(...some);
  else if (some === undefined && free) types.push(isWhole(universe) ? 'integer' : 'number');
  else others.push(...rangeForms(numbers));
}

function within(set: ValueSet, type: 'string' | 'number' | 'boolean'): ValueSet {
  return and(set, typeSet(type));
}

/** Most spellings of excepted texts that are listed; more are told by a pattern. */
const mostSpellings = 8;

/** Any text but these. */
function exceptForm(words: readonly FoldedWord[]): JsonObject {
  const spellings = words.reduce(
    (sum, word) => sum + word.reduce((product, { length }) => product * length, 1),
    0,
  );
  const spelled = spellings > mostSpellings ? undefined : words.flatMap(spellingsOf);
  const not: JsonObject =
    spelled === undefined ? { pattern: `^(?:${words.map(patternOf).join('|')})$` } : { enum: spelled };
  return { type: 'string', not };
}

function spellingsOf(word: FoldedWord): readonly string[] {
  return word.reduce<readonly string[]>(
    (starts, chars) => starts.flatMap((start) => chars.map((char) => start + char)),
    [''],
  );
}

/** The text as a pattern that matches it alone. */
export function escapedText(text: string): string {
  return Array.from(text, escaped).join('');
}

function patternOf(word: FoldedWord): string {
  return word
    .map((chars) => (chars.length === 1 ? escaped(chars[0] ?? '') : `[${chars.map(escaped).join('')}]`))
    .join('');
}

/** Of what folds to something else no character means anything in a class. */
function escaped(char: string): string {
  return /[\\^$.*+?()[\]{}|/]/u.test(char) ? `\\${char}` : char;
}

/** Null and booleans join listed values where there are any. */
function formsOf(types: readonly SchemaType[], listed: readonly Scalar[]): readonly JsonObject[] {
  if (listed.length === 0)
    return types.length === 0 ? [] : [{ type: types.length === 1 ? (types[0] ?? 'string') : types }];
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
