/** From what arguments may be to changes of the schema. */
import {
  type ArgumentPath,
  type ValueSet,
  and,
  everythingSet,
  member,
  minus,
  or,
  scalarSet,
  scalars,
  typeSet,
} from '../../authority/index.js';
import { type Json, type JsonObject, isJsonObject, own } from '../../ground/index.js';
import { type Argument, type Group, isAbsence } from './argument.js';
import { type Choice, chosenSet, listsAt } from './choice.js';
import { type Demand, allowedIn } from './demand.js';
import { type Change, type Condition, type MemberEdit, never } from './edit.js';
import { keywordsFor } from './set-schema.js';
import type { Allowed, Product, Table } from './table.js';

/** About the whole schema. */
export interface Whole {
  /** No argument is taken that rules do not name. */
  readonly closed: boolean;
  readonly source: JsonObject;
}

/** The changes that hold for every call. */
export function changesOf({ allowed }: Table, demands: readonly Demand[], whole: Whole): readonly Change[] {
  const filled = allowed.filter((one) => one.filled && one.choices.some(({ kind }) => kind === 'missing'));
  const made = filled
    .flatMap(({ argument: { path } }) => prefixesOf(path))
    .sort((a, b) => b.length - a.length);
  const changes = allowed.flatMap((one): readonly Change[] => {
    if (one.choices.length === 0 || one.argument.group !== undefined) return [];
    const { path } = one.argument;
    const change = { ...changeOf(one, demands, whole), closed: whole.closed, open: isOpen(one.argument) };
    const parents = change.presence === 'required' ? prefixesOf(path) : [];
    return [
      { path, change },
      ...parents.map((parent): Change => ({ path: parent, change: { presence: 'required' } })),
    ];
  });
  return [...changes, ...made.map((path): Change => ({ path, change: { presence: 'made' } }))];
}

/** Where the objects around it stand. */
function prefixesOf(path: ArgumentPath): readonly ArgumentPath[] {
  return path.slice(0, -1).map((_, at) => path.slice(0, at + 1));
}

function isOpen({ info, path }: Argument): boolean {
  return info.known === 'open' && path.length === 1;
}

function changeOf(allowed: Allowed, demands: readonly Demand[], { source }: Whole): MemberEdit {
  const { argument, choices, filled, spare } = allowed;
  if (choices.every(({ kind }) => kind === 'missing')) return { presence: filled ? 'gone' : 'absent' };
  if (spare && filled && !hangsOn(source) && isBound(argument, choices, demands)) return { presence: 'gone' };
  const mayMiss = choices.some(({ kind }) => kind === 'missing');
  const set = setAt(argument, choices, demands);
  const keywords = keywordsOf(argument, set, mayMiss);
  return {
    ...presenceOf(allowed, mayMiss),
    ...(keywords === undefined ? {} : { keywords, dropDefault: isStale(argument, set, mayMiss) }),
  };
}

function presenceOf({ argument, filled }: Allowed, mayMiss: boolean): MemberEdit {
  if (!mayMiss) return { presence: 'required' };
  return filled || argument.required ? { presence: 'free' } : {};
}

/** Whether the default is none of the values that are left. */
function isStale({ info: { default: fallback } }: Argument, set: ValueSet, mayMiss: boolean): boolean {
  if (fallback === undefined || (fallback === null && mayMiss)) return false;
  return !member(set, fallback);
}

/** Keywords that may count on an argument which is filled in: then it stays, with its one value. */
function hangsOn(source: JsonObject): boolean {
  return ['not', 'if', 'dependentSchemas', 'unevaluatedProperties', 'propertyNames'].some(
    (key) => own(source, key) !== undefined,
  );
}

/** Whether one value is all that is allowed; a wildcard stands for it. */
function isBound(argument: Argument, choices: readonly Choice[], demands: readonly Demand[]): boolean {
  const { keys, wildcards, grouped, required } = argument;
  if (grouped && required) return false;
  const isRaw = keys.every(({ view }) => view === 'raw');
  const all = keys.map(({ key }) => allowedIn(demands, key)).reduce<ValueSet>(and, presentOnly);
  const allowed = isRaw ? minus(setAt(argument, choices, demands), scalarSet(wildcards)) : all;
  return (isRaw || keys.length === 1) && scalars(allowed, 1)?.length === 1;
}

const presentOnly: ValueSet = Object.freeze({ ...everythingSet, missing: false });

function setAt(argument: Argument, choices: readonly Choice[], demands: readonly Demand[]): ValueSet {
  return chosenSet(argument, choices, listsAt(argument, demands));
}

/** Null that stands for an absence goes where the argument may be left out. */
function keywordsOf({ info, universe }: Argument, set: ValueSet, mayMiss: boolean): JsonObject | undefined {
  if (!info.nullable || !isAbsence(info)) return keywordsFor(set, universe, info);
  const none = typeSet('null');
  return keywordsFor(mayMiss ? or(set, none) : set, or(universe, none), info);
}

/** A call has to be in one of the products. */
export function conditionOf({ products, allowed }: Table, demands: readonly Demand[]): readonly Condition[] {
  const [first, ...rest] = products?.map((product) => productSchema(product, allowed, demands)) ?? [];
  const [second, third] = rest;
  if (first === undefined || second === undefined) return [];
  return [{ if: first, else: third === undefined ? second : { anyOf: rest } }];
}

/**
 * With conditions on the whole. Not by `anyOf`, `oneOf`, `allOf` or `not` at the root, which several model interfaces refuse
 * there. A schema that has a condition of its own is left as it is.
 */
export function withConditions(schema: JsonObject, conditions: readonly Condition[]): JsonObject {
  const [only, second] = conditions;
  if (only === undefined || ['if', 'then', 'else'].some((key) => own(schema, key) !== undefined))
    return schema;
  if (second === undefined) return { ...schema, ...only };
  return { ...schema, if: { allOf: conditions.map((one) => ({ ...one })) }, else: never };
}

/** What a product says beyond what holds for every call. */
function productSchema(
  product: Product,
  allowed: readonly Allowed[],
  demands: readonly Demand[],
): JsonObject {
  let schema: JsonObject = {};
  for (const { argument, choices: all } of allowed) {
    const choices = product.get(argument.name);
    if (choices === undefined || choices.length === all.length) continue;
    const mayMiss = choices.some(({ kind }) => kind === 'missing');
    if (argument.group !== undefined) {
      const propertyNames = noneOf(argument.group);
      schema = { ...schema, ...(mayMiss ? { propertyNames } : { not: { propertyNames } }) };
      continue;
    }
    if (choices.every(({ kind }) => kind === 'missing')) {
      schema = inserted(schema, argument.path, { keywords: absence(argument), required: false });
      continue;
    }
    const keywords = keywordsOf(argument, setAt(argument, choices, demands), mayMiss);
    schema = inserted(schema, argument.path, { keywords, required: !mayMiss });
  }
  return schema;
}

/** What fits the names of arguments where none of the group is there. */
function noneOf({ members, named }: Group): JsonObject {
  const names = members.flatMap(({ path }) => path);
  return named === undefined
    ? { not: { enum: names } }
    : { enum: named.filter((name) => !names.includes(name)) };
}

/** What fits where an argument is left out. */
function absence({ info }: Argument): JsonObject {
  return info.nullable && isAbsence(info) ? { type: 'null' } : never;
}

interface Insertion {
  readonly keywords: JsonObject | undefined;
  readonly required: boolean;
}

function inserted(schema: JsonObject, [name, ...rest]: ArgumentPath, insertion: Insertion): JsonObject {
  if (name === undefined) return { ...schema, ...insertion.keywords };
  const properties = own(schema, 'properties') ?? {};
  const before = isJsonObject(properties) ? own(properties, name) : undefined;
  const inner = inserted(isJsonObject(before) ? before : {}, rest, insertion);
  const said = own(schema, 'required');
  const required: readonly Json[] = Array.isArray(said) ? said : [];
  const told = Object.keys(inner).length > 0;
  return {
    ...schema,
    ...(told ? { properties: { ...(isJsonObject(properties) ? properties : {}), [name]: inner } } : {}),
    ...(insertion.required && !required.includes(name) ? { required: [...required, name] } : {}),
  };
}
