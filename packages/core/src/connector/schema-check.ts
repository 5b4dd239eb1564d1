/** Arguments against a compiled schema: known names, types and listed values at every depth, nulls that mean absence. */
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../ground/index.js';
import { parseJson } from './json.js';
import { maskTogether, together } from './schema-link.js';
import { type Choice, mayFit, namedNodes, nodeMayFit, unnamed, withAlternative } from './schema-choice.js';
import { type SchemaNode, bit, bitOf, listHolds } from './schema-node.js';
import { expectation, typeInWords } from './schema-words.js';

const deepestValue = 64;
const mostSteps = 400_000;
const mostFrames = 1000;
const tooLong = 'takes too long to compare with the schema';

/** Why a value is refused; `path` is filled from the inside out. */
export class Refusal {
  readonly message: string;
  /** Whether the reason is a required property that is absent. */
  readonly missing: boolean;
  /** Steps from the value outwards: the last one is the outermost. */
  readonly path: (string | number)[] = [];

  constructor(message: string, missing = false) {
    this.message = message;
    this.missing = missing;
  }

  under(step: string | number): this {
    this.path.push(step);
    return this;
  }
}

/** Where a member's value stands. */
interface Place {
  readonly depth: number;
  readonly inText: boolean;
}

const noMember = Symbol('no member');
const nothing: readonly [] = [];

/**
 * One judgement of one arguments object. The answer is the object itself when nothing had to change, a new object when
 * a null was dropped or a text was read as the array or object it had to be, or a {@link Refusal}. With `complete`,
 * required properties must be present too. Bounded: a value or schema that takes too long is refused.
 */
export class Check {
  readonly #complete: boolean;
  #steps = 0;
  #frames = 0;

  constructor(complete: boolean) {
    this.#complete = complete;
  }

  /** Judges a value under schemas that all hold for it; `inText`: it was read from a text already. */
  judge(nodes: readonly SchemaNode[], value: Json, depth: number, inText: boolean): Json | Refusal {
    this.#steps += 1;
    if (this.#steps > mostSteps) return new Refusal(tooLong);
    if (depth > deepestValue) return new Refusal(`is nested deeper than ${deepestValue} levels`);
    const flat = together(nodes);
    if (typeof value === 'string' && !inText) {
      const mask = maskTogether(flat);
      if (onlyStructure(mask)) return this.#fromText(nodes, value, depth);
    }
    if (flat.groups.length > 0 && !flat.conjuncts.every((node) => nodeMayFit(node, value))) {
      const common = { conjuncts: flat.conjuncts, groups: nothing, decided: flat.groups, sealed: false };
      const result = this.#fit(common, value, depth, inText);
      if (result instanceof Refusal) return result;
    }
    const { conjuncts, groups } = flat;
    return this.#choose({ conjuncts, groups, decided: nothing, sealed: false }, value, depth, inText);
  }

  #fromText(nodes: readonly SchemaNode[], text: string, depth: number): Json | Refusal {
    this.#steps += text.length >> 5;
    const parsed = parseJson(text, { depth: deepestValue - depth });
    if (!parsed.ok || typeof parsed.value !== 'object' || parsed.value === null) {
      return new Refusal(`expected ${expectation(nodes)}, found a string that holds none`);
    }
    return this.judge(nodes, parsed.value, depth, true);
  }

  /** Takes the first alternative of each group under which the value fits unchanged, else the first that fits. */
  #choose(choice: Choice, value: Json, depth: number, inText: boolean): Json | Refusal {
    const group = choice.groups[0];
    if (group === undefined) return this.#fit(choice, value, depth, inText);
    const rest = choice.groups.slice(1);
    if (this.#frames >= mostFrames || this.#steps > mostSteps) return new Refusal(tooLong);
    this.#frames += 1;
    const refusals: Refusal[] = [];
    let changed: Json | undefined;
    for (const one of group) {
      this.#steps += 1 + (choice.conjuncts.length >> 1);
      if (!mayFit(one, value)) continue;
      const result = this.#choose(withAlternative(choice, rest, one, group), value, depth, inText);
      if (result instanceof Refusal) refusals.push(result);
      else if (changed === undefined || result === value) changed = result;
      if (result === value) break;
    }
    this.#frames -= 1;
    return changed === undefined ? nearest(refusals, group, value) : changed;
  }

  #fit(choice: Choice, value: Json, depth: number, inText: boolean): Json | Refusal {
    const type = bitOf(value);
    for (const node of choice.conjuncts) {
      if ((node.types & type) === 0)
        return new Refusal(`expected ${expectation(node.self)}, found ${typeInWords(type)}`);
      if (node.values !== undefined && typeof value === 'object') this.#steps += node.values.length >> 3;
      if (node.values !== undefined && !listHolds(node.values, value)) {
        return new Refusal(`expected ${expectation(node.self)}`);
      }
    }
    if (isJsonArray(value)) return this.#items(choice, value, depth, inText);
    return isJsonObject(value) ? this.#members(choice, value, depth, inText) : value;
  }

  #items(choice: Choice, list: readonly Json[], depth: number, inText: boolean): Json | Refusal {
    let copy: Json[] | undefined;
    for (const [index, item] of list.entries()) {
      const nodes: SchemaNode[] = [];
      for (const { prefix, items } of choice.conjuncts) {
        const node = prefix[index] ?? items;
        if (node !== undefined) nodes.push(node);
      }
      if (nodes.length === 0) continue;
      const result = this.judge(nodes, item, depth + 1, inText);
      if (result instanceof Refusal) return result.under(index);
      if (result === item) continue;
      copy ??= [...list];
      copy[index] = result;
    }
    return copy ?? list;
  }

  #members(choice: Choice, object: JsonObject, depth: number, inText: boolean): Json | Refusal {
    const keys = Object.keys(object);
    let kept: Map<string, Json> | undefined;
    for (const key of keys) {
      const value = object[key];
      const result =
        value === undefined ? noMember : this.#member(choice, key, value, { depth: depth + 1, inText });
      if (result instanceof Refusal) return result.under(key);
      if (result === value) continue;
      kept ??= members(object);
      if (result === noMember) kept.delete(key);
      else kept.set(key, result);
    }
    if (this.#complete) {
      const missing = firstMissing(choice.conjuncts, (key) =>
        kept === undefined ? own(object, key) !== undefined : kept.has(key),
      );
      if (missing !== undefined) return new Refusal('is required and absent', true).under(missing);
    }
    return kept === undefined ? object : Object.fromEntries(kept);
  }

  #member(choice: Choice, key: string, value: Json, at: Place): Json | Refusal | typeof noMember {
    this.#steps += choice.conjuncts.length >> 1;
    const named = namedNodes(choice.conjuncts, key);
    if (named.length === 0 && !choice.sealed)
      this.#steps += choice.decided.reduce((sum, group) => sum + group.length, 0);
    const candidates = named.length > 0 ? [named] : unnamed(choice, key);
    if (candidates === 'open') return value;
    if (candidates.length === 0) return new Refusal('is no argument of this tool');
    if (value === null) return this.#nullMember(choice, key, candidates, at);
    let refusal: Refusal | undefined;
    for (const nodes of candidates) {
      const result = this.judge(nodes, value, at.depth, at.inText);
      if (!(result instanceof Refusal)) return result;
      refusal ??= result;
    }
    return refusal ?? value;
  }

  #nullMember(
    choice: Choice,
    key: string,
    candidates: readonly (readonly SchemaNode[])[],
    at: Place,
  ): null | Refusal | typeof noMember {
    const required = choice.conjuncts.some((node) => node.required.has(key));
    const absent = candidates.some((nodes) =>
      together(nodes).conjuncts.some((node) => node.fallback === null),
    );
    if (absent && !required) return noMember;
    const accepted = candidates.some((nodes) => this.judge(nodes, null, at.depth, at.inText) === null);
    if (accepted) return null;
    return required ? new Refusal('is required and may not be null') : noMember;
  }
}

/** Only an array or an object will do (null aside). */
function onlyStructure(mask: number): boolean {
  return (mask & (bit.array | bit.object)) !== 0 && (mask & ~(bit.array | bit.object | bit.null)) === 0;
}

function firstMissing(conjuncts: readonly SchemaNode[], has: (key: string) => boolean): string | undefined {
  for (const node of conjuncts) {
    for (const key of node.required) if (!has(key)) return key;
  }
  return undefined;
}

function members(object: JsonObject): Map<string, Json> {
  const map = new Map<string, Json>();
  for (const key of Object.keys(object)) {
    const value = object[key];
    if (value !== undefined) map.set(key, value);
  }
  return map;
}

function nearest(refusals: readonly Refusal[], group: readonly SchemaNode[], value: Json): Refusal {
  const [first] = refusals;
  if (first !== undefined && refusals.every((one) => isSame(one, first))) return first;
  const missing = refusals.find((refusal) => refusal.missing);
  if (missing !== undefined) return missing;
  if (first !== undefined) return new Refusal('fits none of the forms that the schema allows');
  return new Refusal(`expected ${expectation(group)}, found ${typeInWords(bitOf(value))}`);
}

function isSame(a: Refusal, b: Refusal): boolean {
  if (a.message !== b.message || a.path.length !== b.path.length) return false;
  return a.path.every((step, index) => step === b.path[index]);
}
