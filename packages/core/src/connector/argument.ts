/** Raw arguments by path: naming them, reading them, putting values in. */
import type { ArgumentPath } from '../authority/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own, readJson } from '../ground/index.js';

/** Members and indexes from the arguments object to one place in it. */
export type Place = readonly (string | number)[];

/** What stands at one place. `value` is undefined where nothing does; then `place` is empty unless the object is there. */
export interface Leaf {
  readonly place: Place;
  readonly value: Json | undefined;
}

const plainName = /^[A-Za-z0-9_-]+$/u;

/** `args.a.b`; a member whose name is not plain is quoted: `args."a.b"`. */
export function argumentName(path: ArgumentPath): string {
  return ['args', ...path.map((name) => (plainName.test(name) ? name : JSON.stringify(name)))].join('.');
}

/** The path that a name such as `args.a."b.c"` means; undefined when the text is no such name. */
export function parseArgumentName(text: string): ArgumentPath | undefined {
  if (!text.startsWith('args.')) return undefined;
  const path: string[] = [];
  let rest = text.slice('args'.length);
  while (rest !== '') {
    const step = /^\.(?:"(?<quoted>(?:[^"\\]|\\.)+)"|(?<plain>[^."]+))/u.exec(rest);
    if (step === null) return undefined;
    const name = step.groups?.['plain'] ?? unquote(step.groups?.['quoted'] ?? '');
    if (name === undefined) return undefined;
    path.push(name);
    rest = rest.slice(step[0].length);
  }
  return path.length === 0 ? undefined : path;
}

/** The text that stands between quotes, with the escapes of JSON. */
function unquote(text: string): string | undefined {
  const name = readJson(`"${text}"`);
  return typeof name === 'string' ? name : undefined;
}

/** Everything that stands at a path. An array on the way gives one leaf an element; an object that is not there gives none. */
export function leavesAt(args: JsonObject, path: ArgumentPath): Leaves {
  const found: Found = { leaves: [], spread: false };
  collect(args, { path, depth: 0 }, [], found);
  return found;
}

/** What stands at a path; `spread` says that an array was stepped through. */
export interface Leaves {
  readonly leaves: readonly Leaf[];
  readonly spread: boolean;
}

interface Found {
  leaves: Leaf[];
  spread: boolean;
}

/** A path, and how many of its steps are behind. */
interface Walk {
  readonly path: ArgumentPath;
  readonly depth: number;
}

function collect(object: Json, walk: Walk, place: Place, found: Found): void {
  const { path, depth } = walk;
  const name = path[depth];
  if (name === undefined) {
    found.leaves.push({ place, value: object });
    return;
  }
  if (isJsonArray(object)) {
    found.spread = true;
    object.forEach((element, index) => collect(element, walk, [...place, index], found));
    return;
  }
  const value = isJsonObject(object) ? own(object, name) : undefined;
  const last = depth + 1 === path.length;
  if (value !== undefined) collect(value, { path, depth: depth + 1 }, [...place, name], found);
  else found.leaves.push({ place: isJsonObject(object) && last ? [...place, name] : [], value });
}

/** One value to put in at a place. */
export interface Edit {
  readonly place: Place;
  readonly value: Json;
}

/** The arguments with every edit made; the very same object when no edit changes anything. Never alters its input. */
export function withEdits(args: JsonObject, edits: readonly Edit[]): JsonObject {
  const copies: Copies = new Map();
  let result: Json = args;
  for (const { place, value } of edits) result = put({ place, value, copies }, result, 0);
  return isJsonObject(result) ? result : args;
}

/** Lists that were copied for an edit: the next edit in one of them needs no further copy. */
type Copies = Map<Json, Json[]>;

function put(edit: Edit & { readonly copies: Copies }, at: Json | undefined, depth: number): Json {
  const { place, value, copies } = edit;
  const step = place[depth];
  if (step === undefined) return value;
  if (typeof step === 'number') {
    const list = isJsonArray(at) ? at : [];
    const next = put(edit, list[step], depth + 1);
    if (next === list[step] || step >= list.length) return list;
    const copy = copies.get(list) ?? [...list];
    copies.set(copy, copy);
    copy[step] = next;
    return copy;
  }
  const object: JsonObject = isJsonObject(at) ? at : {};
  const before = own(object, step);
  const next = put(edit, before, depth + 1);
  return next === before ? object : Object.fromEntries([...Object.entries(object), [step, next]]);
}
