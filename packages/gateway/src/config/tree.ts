/** From the nodes of the YAML library to the document tree: core schema only, aliases resolved and counted. */
import {
  type DocEntry,
  type DocNode,
  type DocScalar,
  type LoadProblem,
  type Position,
  exactNumber,
} from '@pawl/core';
import {
  type Pair,
  type ParsedNode,
  type YAMLMap,
  type YAMLSeq,
  isAlias,
  isMap,
  isScalar,
  isSeq,
} from 'yaml';
import type { Lines } from './position.js';
import { loadProblem } from './problem.js';

/** Bounds of one document; nodes are counted as if every alias were written out. */
export const treeLimits: Readonly<Record<'depth' | 'nodes' | 'problems', number>> = Object.freeze({
  depth: 64,
  nodes: 100_000,
  problems: 20,
});

/** A node with what it counts for. */
interface Read {
  readonly node: DocNode;
  readonly size: number;
  readonly height: number;
}

/** Where a node stands. */
interface Place {
  readonly path: string;
  readonly at: Position;
  readonly depth: number;
}

type Contents = ParsedNode | null;

const coreTags: ReadonlySet<string> = new Set(
  ['str', 'int', 'float', 'bool', 'null', 'map', 'seq'].map((name) => `tag:yaml.org,2002:${name}`),
);

/** How a document is read. */
export interface TreeOptions {
  /** Numbers that no double holds, and keys that YAML reads as something else, are the text that stands there; otherwise problems. */
  readonly asSpelled?: boolean;
}

/**
 * Reads one composed document. The tree shares the nodes of aliases, so its memory is bounded by the text; a position
 * inside an alias is that of the anchored text. What is not allowed is among the problems, and then the tree is void.
 */
export function readTree(
  contents: ParsedNode,
  lines: Lines,
  options: TreeOptions = {},
): { readonly root: DocNode; readonly problems: readonly LoadProblem[] } {
  const reader = new TreeReader(lines, options);
  const { node } = reader.read(contents, { path: '', at: lines.at(contents.range[0]), depth: 1 });
  return { root: node, problems: reader.problems };
}

class TreeReader {
  readonly problems: LoadProblem[] = [];
  readonly #lines: Lines;
  readonly #asSpelled: boolean;
  readonly #anchors = new Map<string, Read | 'open'>();
  #nodes = 0;

  constructor(lines: Lines, { asSpelled = false }: TreeOptions) {
    this.#lines = lines;
    this.#asSpelled = asSpelled;
  }

  read(item: Contents, above: Place): Read {
    const place = item === null ? above : { ...above, at: this.#lines.at(item.range[0]) };
    if (this.problems.length >= treeLimits.problems) return scalar(null, place.at);
    if (isAlias(item)) return this.#alias(item.source, place);
    const anchor = item === null ? undefined : item.anchor;
    if (anchor !== undefined) this.#anchors.set(anchor, 'open');
    const read = this.#counted({ size: 1, height: 1 }, place)
      ? this.#plain(item, place)
      : scalar(null, place.at);
    if (anchor !== undefined) this.#anchors.set(anchor, read);
    return read;
  }

  #plain(item: Contents, place: Place): Read {
    if (item === null) return scalar(null, place.at);
    if (item.tag !== undefined && !coreTags.has(item.tag))
      return this.#problem(place, `the tag ${item.tag}`, tagAllowed);
    if (isMap(item)) return this.#map(item, place);
    if (isSeq(item)) return this.#list(item, place);
    return isScalar(item)
      ? this.#scalar(item.value, item.source, place)
      : this.#problem(place, 'a node of another kind', tagAllowed);
  }

  #scalar(value: unknown, source: string, place: Place): Read {
    if (value === null || typeof value === 'string' || typeof value === 'boolean')
      return scalar(value, place.at);
    const number = typeof value === 'number' ? exactScalar(source) : undefined;
    if (number !== undefined) return scalar(number, place.at);
    if (this.#asSpelled) return scalar(source, place.at);
    return this.#problem(
      place,
      `the number ${brief(source)}, which no double holds exactly`,
      'a finite number that survives the round trip through a double, or a quoted text',
    );
  }

  #list(list: YAMLSeq.Parsed, place: Place): Read {
    const reads = list.items.map((item, index) =>
      this.read(item, { path: `${place.path}[${index}]`, at: place.at, depth: place.depth + 1 }),
    );
    return collection({ kind: 'list', at: place.at, items: reads.map((read) => read.node) }, reads);
  }

  #map(map: YAMLMap.Parsed, place: Place): Read {
    const entries: DocEntry[] = [];
    const reads: Read[] = [];
    const seen = new Set<string>();
    for (const pair of map.items) {
      const keyAt = this.#lines.at(pair.key?.range[0] ?? map.range[0]);
      const key = this.#key(pair, { path: place.path, at: keyAt, depth: place.depth }, seen);
      if (key === undefined) continue;
      const path = place.path === '' ? key : `${place.path}.${key}`;
      const read = this.read(pair.value, { path, at: keyAt, depth: place.depth + 1 });
      reads.push(read);
      entries.push({ key, keyAt, value: read.node });
    }
    return collection({ kind: 'map', at: place.at, entries }, reads);
  }

  #key(pair: Pair<Contents, Contents>, place: Place, seen: Set<string>): string | undefined {
    const text = this.#keyText(pair.key, place);
    if (text === undefined) return undefined;
    if (text === '<<') this.#problem(place, 'the merge key <<', 'other keys; YAML 1.2 has no merge key');
    else if (text === '__proto__') this.#problem(place, 'the key __proto__', 'any other key');
    else if (seen.has(text)) this.#problem(place, `the key ${brief(text)} a second time`, 'each key once');
    else {
      seen.add(text);
      return text;
    }
    return undefined;
  }

  #keyText(key: Contents, place: Place): string | undefined {
    if (isAlias(key)) {
      if (!this.#anchors.has(key.source)) this.#unknownAlias(key.source, place);
      else this.#problem(place, `the alias *${key.source} as a key`, keyAllowed);
      return undefined;
    }
    const text = textOf(key, this.#asSpelled);
    if (text !== undefined) {
      if (key?.anchor !== undefined) this.#anchors.set(key.anchor, scalar(text, place.at));
      return text;
    }
    const written = isScalar(key) ? `the key ${brief(key.source) || 'null'}` : 'a key';
    this.#problem(place, `${written}, which is no text`, keyAllowed);
    return undefined;
  }

  #alias(source: string, place: Place): Read {
    const target = this.#anchors.get(source);
    if (target === undefined) return this.#unknownAlias(source, place);
    if (target === 'open')
      return this.#problem(
        place,
        `the alias *${source} inside its own anchor`,
        'an alias of an anchor that ends before it',
      );
    return this.#counted(target, place) ? target : scalar(null, place.at);
  }

  #unknownAlias(source: string, place: Place): Read {
    const written = brief(`*${source}`);
    return this.#problem(
      place,
      `${written} without quotes, which YAML reads as an alias of an anchor that does not exist`,
      `an alias of an anchor above; a glob that begins with * must be quoted: "${written}"`,
    );
  }

  #counted(read: Pick<Read, 'size' | 'height'>, place: Place): boolean {
    this.#nodes += read.size;
    if (this.#nodes > treeLimits.nodes) {
      this.#problem(place, `more than ${treeLimits.nodes} nodes, aliases written out`, 'a smaller document');
      return false;
    }
    if (place.depth + read.height - 1 > treeLimits.depth) {
      this.#problem(place, `more than ${treeLimits.depth} levels`, 'less nesting');
      return false;
    }
    return true;
  }

  #problem(place: Place, found: string, allowed: string): Read {
    if (this.problems.length < treeLimits.problems)
      this.problems.push(loadProblem(place.at, place.path, found, allowed));
    return scalar(null, place.at);
  }
}

/** The text of a key; of one that YAML reads as something else only as it is spelled. */
function textOf(key: Contents, asSpelled: boolean): string | undefined {
  if (!isScalar(key) || (key.tag !== undefined && !coreTags.has(key.tag))) return undefined;
  if (typeof key.value === 'string') return key.value;
  return asSpelled && key.source !== '' ? key.source : undefined;
}

const tagAllowed =
  'the tags of the core schema (!!str !!int !!float !!bool !!null !!map !!seq), or a quoted text';
const keyAllowed = 'a key that is text; quote what YAML reads as something else';

function scalar(value: DocScalar['value'], at: Position): Read {
  return { node: { kind: 'scalar', at, value }, size: 1, height: 1 };
}

function collection(node: DocNode, reads: readonly Read[]): Read {
  let size = 1;
  let height = 0;
  for (const read of reads) {
    size += read.size;
    height = Math.max(height, read.height);
  }
  return { node, size, height: height + 1 };
}

/** A number of the core schema as its exact double; undefined for what is not finite or not exact. */
function exactScalar(source: string): number | undefined {
  if (/^0[ox]/u.test(source)) {
    const whole = BigInt(source);
    return BigInt(Number(whole)) === whole ? Number(whole) : undefined;
  }
  return /^[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?$/u.test(source)
    ? exactNumber(source)
    : undefined;
}

function brief(text: string): string {
  return text.length <= 60 ? text : `${text.slice(0, 59)}…`;
}
