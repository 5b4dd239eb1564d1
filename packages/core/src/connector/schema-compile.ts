/** From a schema's JSON to linked nodes; anything that cannot be read with certainty is a problem, never a guess. */
import { type Json, type JsonObject, isJsonArray, isJsonObject, own } from '../ground/index.js';
import { linkNodes } from './schema-link.js';
import { namePattern } from './schema-pattern.js';
import { type NamePattern, SchemaNode, anyType, bit, holdsValue } from './schema-node.js';

/** Most schemas in one tool's schema; the largest of 1,660 real tools has fewer than 1,000. */
const mostNodes = 20_000;

const typeBits: ReadonlyMap<Json | undefined, number> = new Map<Json | undefined, number>([
  ['null', bit.null],
  ['boolean', bit.boolean],
  ['integer', bit.integer],
  ['number', bit.integer | bit.fraction],
  ['string', bit.string],
  ['array', bit.array],
  ['object', bit.object],
]);

/** The root node, or what is wrong with the schema. Never throws; work is bounded by {@link mostNodes}. */
export function compileNodes(schema: Json): SchemaNode | { readonly problem: string } {
  if (!isJsonObject(schema)) return { problem: 'the input schema is no object' };
  const compiler = new Compiler(schema);
  const root = compiler.node(schema);
  const problem = compiler.run() ?? linkNodes(compiler.nodes);
  if (problem !== undefined) return { problem };
  if ((root.mask & bit.object) === 0) return { problem: 'the input schema accepts no object' };
  return root;
}

class Compiler {
  readonly nodes: SchemaNode[] = [];
  readonly #root: JsonObject;
  readonly #made = new Map<JsonObject, SchemaNode>();
  readonly #queue: [JsonObject, SchemaNode][] = [];
  #problem: string | undefined;

  constructor(root: JsonObject) {
    this.#root = root;
  }

  /** Fills every node that was asked for; returns the first problem. */
  run(): string | undefined {
    for (let next = this.#queue.pop(); next !== undefined; next = this.#queue.pop()) {
      this.#fill(next[1], next[0]);
      if (this.#problem !== undefined) return this.#problem;
    }
    return this.#problem;
  }

  /** The node of a schema at any place; filled later. */
  node(json: Json | undefined): SchemaNode {
    if (typeof json === 'boolean') return this.#constant(json);
    if (!isJsonObject(json)) {
      this.#problem ??= 'a schema that is neither an object nor a boolean';
      return this.#constant(false);
    }
    const made = this.#made.get(json);
    if (made !== undefined) return made;
    const node = this.#constant(true);
    this.#made.set(json, node);
    this.#queue.push([json, node]);
    return node;
  }

  #constant(accepts: boolean): SchemaNode {
    const node = new SchemaNode();
    if (!accepts) node.types = 0;
    this.nodes.push(node);
    if (this.nodes.length > mostNodes) this.#problem ??= `more than ${mostNodes} schemas in one`;
    return node;
  }

  #fill(node: SchemaNode, json: JsonObject): void {
    if (this.#problem !== undefined) return;
    node.types = this.#types(json);
    node.values = this.#values(json);
    node.fallback = own(json, 'default');
    this.#fillObject(node, json);
    this.#fillArray(node, json);
    const all = this.#list(json, 'allOf') ?? [];
    const ref = own(json, '$ref');
    node.every = ref === undefined ? all : [...all, this.node(this.#resolve(ref))];
    node.groups = [this.#list(json, 'anyOf'), this.#list(json, 'oneOf')].filter(
      (group) => group !== undefined,
    );
  }

  #types(json: JsonObject): number {
    const said = own(json, 'type');
    if (isNever(json)) return 0;
    if (said === undefined) return unsaidTypes(json);
    const names = isJsonArray(said) ? said : [said];
    let types = own(json, 'nullable') === true ? bit.null : 0;
    for (const name of names) {
      const one = typeBits.get(name);
      if (one === undefined) this.#problem ??= 'a type that JSON Schema does not have';
      types |= one ?? 0;
    }
    return types;
  }

  #values(json: JsonObject): readonly Json[] | undefined {
    const listed = own(json, 'enum');
    const single = own(json, 'const');
    if (listed !== undefined && !isJsonArray(listed)) {
      this.#problem ??= 'an enum that is no list';
      return undefined;
    }
    if (single === undefined) return listed;
    return listed === undefined || holdsValue(listed, single) ? [single] : [];
  }

  #fillObject(node: SchemaNode, json: JsonObject): void {
    const additional = own(json, 'additionalProperties');
    const properties = this.#map(json, 'properties');
    const patterns = this.#map(json, 'patternProperties');
    node.declares = properties !== undefined || patterns !== undefined || additional !== undefined;
    node.properties = properties ?? node.properties;
    node.patterns = [...(patterns ?? [])].map(([source, of]) => pattern(source, of));
    if (typeof additional === 'boolean' || additional === undefined) node.additional = additional;
    else node.additional = isJsonObject(additional) && isNever(additional) ? false : this.node(additional);
    node.required = new Set(this.#names(own(json, 'required') ?? []));
  }

  #names(json: Json): readonly string[] {
    const names = isJsonArray(json) ? json.filter((name) => typeof name === 'string') : [];
    if (!isJsonArray(json) || names.length !== json.length) {
      this.#problem ??= 'a required that is no list of names';
    }
    return names;
  }

  #fillArray(node: SchemaNode, json: JsonObject): void {
    const items = own(json, 'items');
    const tuple = isJsonArray(items) ? 'items' : 'prefixItems';
    const rest = isJsonArray(items) ? own(json, 'additionalItems') : items;
    node.prefix = this.#list(json, tuple) ?? [];
    node.items = rest === undefined ? undefined : this.node(rest);
  }

  #map(json: JsonObject, key: string): ReadonlyMap<string, SchemaNode> | undefined {
    const member = own(json, key);
    if (member === undefined) return undefined;
    if (isJsonObject(member))
      return new Map(Object.keys(member).map((name) => [name, this.node(own(member, name))]));
    this.#problem ??= `${key} that are no object`;
    return undefined;
  }

  #list(json: JsonObject, key: string): readonly SchemaNode[] | undefined {
    const member = own(json, key);
    if (member === undefined) return undefined;
    if (isJsonArray(member) && (member.length > 0 || key === 'items' || key === 'prefixItems')) {
      return member.map((one) => this.node(one));
    }
    this.#problem ??= `${key} that is no list of schemas`;
    return undefined;
  }

  #resolve(ref: Json): Json | undefined {
    if (typeof ref !== 'string' || !(ref === '#' || ref.startsWith('#/'))) {
      this.#problem ??= 'a $ref that is no pointer into the schema itself';
      return undefined;
    }
    let at: Json | undefined = this.#root;
    for (const part of ref.split('/').slice(1)) {
      const key = unescapePointer(part);
      at = isJsonArray(at) ? elementAt(at, key) : isJsonObject(at) ? own(at, key) : undefined;
    }
    if (at === undefined) this.#problem ??= 'a $ref to nothing';
    return at;
  }
}

/**
 * Without `type`, a schema that speaks of properties and neither of elements nor of values means objects: less than
 * JSON Schema would accept, since nothing could be said about the names in another kind of value.
 */
function unsaidTypes(json: JsonObject): number {
  const has = (...keywords: readonly string[]): boolean =>
    keywords.some((keyword) => Object.hasOwn(json, keyword));
  if (!has('properties', 'patternProperties')) return anyType;
  if (has('items', 'prefixItems', 'enum', 'const')) return anyType;
  return own(json, 'nullable') === true ? bit.object | bit.null : bit.object;
}

/** `{ not: {} }` and `{ not: true }`: how generators write "no value". */
function isNever(json: JsonObject): boolean {
  const not = own(json, 'not');
  return not === true || (isJsonObject(not) && Object.keys(not).length === 0);
}

function pattern(source: string, node: SchemaNode): NamePattern {
  return { matches: namePattern(source), node };
}

function elementAt(list: readonly Json[], key: string): Json | undefined {
  return /^(?:0|[1-9][0-9]{0,8})$/u.test(key) ? list[Number(key)] : undefined;
}

function unescapePointer(part: string): string {
  const text = part.replaceAll(/%([0-7][0-9a-fA-F])/gu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}
