/** Edits of a tool's schema: each gives a new schema, shares what it does not touch, and says no less of anything else. */
import type { ArgumentPath } from '../../authority/index.js';
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../../ground/index.js';
import { merged } from './merge.js';

/** What becomes of one member of an object. */
export interface MemberEdit {
  /**
   * `absent`: it must not be there; `gone`: nor need it, since it is filled in; `required`: it must be there; `free`: the schema
   * need not require it; `made`: it is there in the end, so that it must be given where something in it must be.
   */
  readonly presence?: 'absent' | 'gone' | 'required' | 'free' | 'made';
  /** Holds beside what the schema says. */
  readonly keywords?: JsonObject;
  /** Added to the description, as a line of its own. */
  readonly line?: string;
  /** The default is none of the values that are left. */
  readonly dropDefault?: boolean;
  /** No member is taken that rules do not name, whatever the schema says of members that it does not list. */
  readonly closed?: boolean;
  /** The member may be there although the schema does not list it. */
  readonly open?: boolean;
}

/** A change at one place. */
export interface Change {
  readonly path: ArgumentPath;
  readonly change: MemberEdit;
}

/** What is asked of the whole arguments object. */
export interface Condition {
  readonly if: JsonObject;
  readonly else: JsonObject;
}

/** Most references that are followed one after the other. */
const mostHops = 16;
/** Longest way through references and alternatives. */
const deepest = 40;

/** Edits one place of a schema. Where the schema does not name the place, nothing changes. */
export class SchemaEditor {
  readonly #root: JsonObject;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Edits the member that a path names; a path into an array means its elements. */
  edit(schema: JsonObject, path: ArgumentPath, change: MemberEdit): JsonObject {
    return this.#walk(schema, path, change, 0);
  }

  #walk(schema: JsonObject, path: ArgumentPath, change: MemberEdit, depth: number): JsonObject {
    const [name, ...rest] = path;
    if (name === undefined || depth > deepest) return schema;
    const properties = propertiesOf(schema);
    const opens = change.open === true && depth === 0 && !isRemoval(change);
    if (!Object.hasOwn(properties, name))
      return opens && rest.length === 0
        ? withMember(schema, properties, name, change)
        : this.#elsewhere(schema, path, change, depth);
    if (rest.length === 0) return withMember(schema, properties, name, change);
    const inner = this.#inlined(own(properties, name));
    const next = inner && this.#walk(inner, rest, change, depth + 1);
    if (next === undefined || next === inner) return schema;
    return { ...schema, properties: { ...properties, [name]: next } };
  }

  /** In the elements of a list, or in the alternatives that name it. */
  #elsewhere(schema: JsonObject, path: ArgumentPath, change: MemberEdit, depth: number): JsonObject {
    let edited = schema;
    const items = this.#inlined(own(schema, 'items'));
    if (items !== undefined) {
      const next = this.#walk(items, path, change, depth + 1);
      if (next !== items) edited = { ...edited, items: next };
    }
    for (const key of ['anyOf', 'oneOf', 'allOf']) {
      const parts = own(edited, key);
      if (!isJsonArray(parts)) continue;
      const next = parts.map((part) => {
        const inner = this.#inlined(part);
        const changed = inner === undefined ? inner : this.#walk(inner, path, change, depth + 1);
        return changed === undefined || changed === inner ? part : changed;
      });
      if (next.some((part, at) => part !== parts[at])) edited = { ...edited, [key]: next };
    }
    return edited;
  }

  /** A copy of what a reference leads to, with what stands beside it; undefined for what is no object. */
  #inlined(schema: Json | undefined): JsonObject | undefined {
    let at = isJsonObject(schema) ? schema : undefined;
    for (let hops = 0; at !== undefined && Object.hasOwn(at, '$ref'); hops++) {
      const { $ref, ...beside } = at;
      const target = hops < mostHops ? this.#resolve($ref) : undefined;
      if (target === undefined) return undefined;
      at = { ...target, ...beside };
    }
    return at;
  }

  #resolve(ref: Json | undefined): JsonObject | undefined {
    if (typeof ref !== 'string' || !(ref === '#' || ref.startsWith('#/'))) return undefined;
    let at: Json | undefined = this.#root;
    for (const part of ref.split('/').slice(1)) {
      const key = decodeURIComponent(part).replaceAll('~1', '/').replaceAll('~0', '~');
      at = isJsonArray(at) ? at[Number(key)] : isJsonObject(at) ? own(at, key) : undefined;
    }
    return isJsonObject(at) ? at : undefined;
  }
}

function propertiesOf(schema: JsonObject): JsonObject {
  const said = own(schema, 'properties');
  return isJsonObject(said) ? said : {};
}

function withMember(
  schema: JsonObject,
  properties: JsonObject,
  name: string,
  change: MemberEdit,
): JsonObject {
  if (isRemoval(change)) return withoutMember(schema, properties, name, change);
  const before = own(properties, name) ?? {};
  const after = withKeywords(before, change);
  const edited = after === before ? schema : { ...schema, properties: { ...properties, [name]: after } };
  if (change.presence === undefined) return edited;
  if (change.presence === 'made') return asksMore(after) ? withRequired(edited, name, true) : edited;
  return withRequired(edited, name, change.presence === 'required');
}

function asksMore(schema: Json): boolean {
  const required = isJsonObject(schema) ? own(schema, 'required') : undefined;
  return isJsonArray(required) && required.length > 0;
}

function isRemoval({ presence }: MemberEdit): boolean {
  return presence === 'absent' || presence === 'gone';
}

function withRequired(schema: JsonObject, name: string, required: boolean): JsonObject {
  const said = own(schema, 'required');
  const before = isJsonArray(said) ? said : [];
  if (before.includes(name) === required) return schema;
  const after = required ? [...before, name] : before.filter((one) => one !== name);
  const { required: _, ...rest } = schema;
  return after.length === 0 ? rest : { ...schema, required: after };
}

/** An object that requires what must be absent cannot be there: its schema says both. */
function withoutMember(
  schema: JsonObject,
  properties: JsonObject,
  name: string,
  { presence, closed = false }: MemberEdit,
): JsonObject {
  const required = own(schema, 'required');
  if (presence === 'absent' && isJsonArray(required) && required.includes(name))
    return { ...schema, properties: { ...properties, [name]: never } };
  const said = own(schema, 'additionalProperties');
  const { [name]: _, ...others } = properties;
  const closes = said === false || ((closed || said === undefined) && isPlain(schema));
  const left = closes ? others : { ...properties, [name]: never };
  const edited: JsonObject = {
    ...schema,
    properties: left,
    ...(closes ? { additionalProperties: false } : {}),
  };
  return withoutMentions(withRequired(edited, name, false), name);
}

/** What no value fits. */
export const never: JsonObject = { not: {} };

/** Keywords beside which `additionalProperties: false` would say more than is meant. */
const composed = ['anyOf', 'oneOf', 'allOf', '$ref', '$dynamicRef', 'patternProperties', 'if'];

function isPlain(schema: JsonObject): boolean {
  return !composed.some((key) => Object.hasOwn(schema, key));
}

/** Says that there are no members beside those listed; the very same schema where it says so, or cannot. */
export function closedObject(schema: JsonObject): JsonObject {
  const is = own(schema, 'additionalProperties') === false;
  return is || !isPlain(schema) ? schema : { ...schema, additionalProperties: false };
}

/** Other keywords that count on the member. */
function withoutMentions(schema: JsonObject, name: string): JsonObject {
  let edited = schema;
  const least = own(schema, 'minProperties');
  if (typeof least === 'number' && least > 0) edited = { ...edited, minProperties: least - 1 };
  for (const key of ['dependentRequired', 'dependencies']) {
    const said = own(edited, key);
    if (!isJsonObject(said)) continue;
    const next = Object.entries(said)
      .filter(([of]) => of !== name)
      .map(([of, names]) => [of, isJsonArray(names) ? names.filter((one) => one !== name) : names] as const);
    edited = { ...edited, [key]: Object.fromEntries(next) };
  }
  return edited;
}

/** What the schema says of a member, and the keywords and the line beside. */
function withKeywords(schema: Json, { keywords, line, dropDefault }: MemberEdit): Json {
  if (keywords === undefined && line === undefined && dropDefault !== true) return schema;
  const object = isJsonObject(schema) ? schema : {};
  const { default: fallback, ...rest } = object;
  const base = dropDefault === true || fallback === undefined ? rest : object;
  const told =
    line === undefined ? base : { ...base, description: described(own(base, 'description'), line) };
  return keywords === undefined ? told : merged(told, keywords);
}

function described(before: Json | undefined, line: string): string {
  return typeof before === 'string' && before !== '' ? `${before}\n${line}` : line;
}
