/** Constraints on raw arguments that hold the values seen. */
import {
  type Json,
  type JsonObject,
  argumentName,
  canonicalJson,
  canonicalPath,
  isJsonArray,
  isJsonObject,
  own,
} from '@pawl/core';
import { type PathValue, pathGlobs } from './path-values.js';

/** The scalars seen at one place, and whether it is always there. */
export interface Leaf {
  readonly path: readonly string[];
  readonly values: readonly Json[];
  /** Whether something else than scalars stood there too. */
  readonly mixed: boolean;
  readonly optional: boolean;
}

/** Every place in the arguments of several calls at which scalars, or nothing more, stand. Elements of lists stand at their list. */
export function leavesOf(calls: readonly JsonObject[]): readonly Leaf[] {
  const found = new Map<string, { path: readonly string[]; values: Json[]; deeper: boolean }>();
  const at = (path: readonly string[]): { path: readonly string[]; values: Json[]; deeper: boolean } => {
    const known = found.get(argumentName(path)) ?? { path, values: [], deeper: false };
    found.set(argumentName(path), known);
    return known;
  };
  const walk = (value: Json, path: readonly string[]): void => {
    if (isJsonArray(value)) {
      if (value.length === 0) at(path);
      for (const element of value) walk(element, path);
    } else if (isJsonObject(value)) {
      const members = Object.entries(value);
      if (members.length === 0) at(path).deeper = true;
      for (const [name, held] of members) walk(held ?? null, [...path, name]);
    } else at(path).values.push(value);
  };
  for (const call of calls) for (const [name, value] of Object.entries(call)) walk(value ?? null, [name]);
  const leaves = [...found.values()];
  const tops = leaves.filter(({ path }) => !leaves.some((other) => isAbove(other, path)));
  return tops.map(({ path, values, deeper }) => ({
    path,
    values: distinct(values),
    mixed: deeper || leaves.some((other) => isBelow(other.path, path)),
    optional: !calls.every((call) => isThere(call, path)),
  }));
}

/** A place at which scalars stand, above another one: both are told as the upper one. */
function isAbove(
  { path, values, deeper }: { path: readonly string[]; values: readonly Json[]; deeper: boolean },
  other: readonly string[],
): boolean {
  return (values.length > 0 || deeper) && isBelow(other, path);
}

function isBelow(path: readonly string[], above: readonly string[]): boolean {
  return path.length > above.length && above.every((name, at) => path[at] === name);
}

function isThere(value: Json, [name, ...rest]: readonly string[]): boolean {
  if (name === undefined) return true;
  if (isJsonArray(value)) return value.every((element) => isThere(element, [name, ...rest]));
  const held = isJsonObject(value) ? own(value, name) : undefined;
  return held !== undefined && isThere(held, rest);
}

function distinct(values: readonly Json[]): readonly Json[] {
  return [...new Map(values.map((value) => [canonicalJson(value), value])).values()];
}

/** A constraint with what is to be said of it. */
export interface Bound {
  readonly constraint: Json;
  /** There where it holds far more than what was seen. */
  readonly wide?: string;
}

/** The tightest plain constraint on a place: at most `most` values are listed. */
export function boundOf(leaf: Leaf, most: number): Bound {
  const bound = leaf.mixed ? open('values of several shapes') : scalarsBound(leaf.values, most);
  return leaf.optional && bound.constraint !== 'any'
    ? { ...bound, constraint: { optional: bound.constraint } }
    : bound;
}

function open(wide: string): Bound {
  return { constraint: 'any', wide };
}

function scalarsBound(values: readonly Json[], most: number): Bound {
  if (values.length === 0) return { constraint: { maxItems: 0 } };
  if (values.length <= most) return { constraint: [...values] };
  const numbers = values.filter((value) => typeof value === 'number');
  if (numbers.length === values.length) {
    const integer = numbers.every(Number.isInteger) ? { integer: true } : {};
    return { constraint: { min: least(numbers), max: -least(numbers.map((each) => -each)), ...integer } };
  }
  const texts = values.filter((value) => typeof value === 'string');
  return texts.length === values.length ? textsBound(texts, most) : open(`${values.length} values`);
}

function least(numbers: readonly number[]): number {
  return numbers.reduce((low, each) => Math.min(low, each), Infinity);
}

function textsBound(texts: readonly string[], most: number): Bound {
  const paths = texts.map(absolutePath);
  if (paths.every((path) => path !== undefined)) return { constraint: { path: [...pathGlobs(paths, most)] } };
  const prefix = commonPrefix(texts);
  if (prefix.length > 0 && !texts.some((text) => text.includes('..'))) return { constraint: { prefix } };
  const maxLength = texts.reduce((longest, text) => Math.max(longest, Array.from(text).length), 0);
  return { constraint: { maxLength }, wide: `${texts.length} different texts` };
}

function absolutePath(text: string): PathValue | undefined {
  const read = text.startsWith('/')
    ? canonicalPath(text, { case: 'sensitive', platform: 'posix' })
    : undefined;
  return read?.ok === true && read.path === text ? { path: text, extent: 'exact' } : undefined;
}

function commonPrefix(texts: readonly string[]): string {
  const [first = '', ...rest] = texts;
  let length = first.length;
  for (const text of rest) while (!text.startsWith(first.slice(0, length))) length -= 1;
  // No half of a surrogate pair.
  return /[\uD800-\uDBFF]$/u.test(first.slice(0, length))
    ? first.slice(0, length - 1)
    : first.slice(0, length);
}
