/** Reading a document by a closed vocabulary: what is not expected is a problem with its position and what is allowed there. */
import {
  type DocEntry,
  type DocMap,
  type DocNode,
  type LoadProblem,
  type Position,
  nodeInWords,
} from './document.js';
import type { KeyTable } from './keys.js';

/** A node and where it stands. */
export interface Spot {
  readonly node: DocNode;
  /** Path in the document: `agents.a.allow[2]`. */
  readonly path: string;
}

/** A member of a mapping, with the spot of its value. */
export type Member = DocEntry & { readonly spot: Spot };

/** Collects problems while a document is read. Every `expect…` answers undefined after noting a problem. */
export class Expect {
  readonly problems: LoadProblem[] = [];
  readonly findings: LoadProblem[] = [];

  /** Notes a problem: the message says what was found and what is allowed there. */
  problem(at: Position, path: string, found: string, allowed: string): undefined {
    const where = path === '' ? 'the document' : path;
    this.problems.push({
      at,
      path,
      found,
      allowed,
      message: `${where}: found ${found}; allowed here: ${allowed}`,
    });
    return undefined;
  }

  /** Notes something legal that the author should know. */
  finding(at: Position, path: string, message: string): void {
    this.findings.push({ at, path, found: message, allowed: '', message: `${path}: ${message}` });
  }

  /** A mapping whose keys are all in the table (any key, if it is undefined); what is to come is a problem. */
  mapping(spot: Spot, table?: KeyTable): DocMap | undefined {
    const { node, path } = spot;
    const keys = table && Object.keys(table);
    if (node.kind !== 'map') {
      return this.problem(
        node.at,
        path,
        nodeInWords(node),
        `a mapping${keys ? ` with ${keys.join(', ')}` : ''}`,
      );
    }
    if (table !== undefined) for (const entry of node.entries) this.#known(entry, path, table);
    return node;
  }

  #known({ key, keyAt, value }: DocEntry, path: string, table: KeyTable): void {
    const known = Object.hasOwn(table, key) ? table[key] : undefined;
    if (known === undefined)
      this.problem(keyAt, path, `key ${JSON.stringify(key)}`, Object.keys(table).join(', '));
    else if (known.toCome === true) this.notBuilt(value.at, path === '' ? key : `${path}.${key}`, key);
  }

  /** The members of a mapping with any keys. */
  members(spot: Spot): readonly Member[] {
    const map = this.mapping(spot);
    const base = spot.path === '' ? '' : `${spot.path}.`;
    return (map?.entries ?? []).map((entry) => ({
      ...entry,
      spot: { node: entry.value, path: `${base}${entry.key}` },
    }));
  }

  /** The items of a list. */
  list(spot: Spot, what: string): readonly Spot[] | undefined {
    const { node, path } = spot;
    if (node.kind !== 'list') return this.problem(node.at, path, nodeInWords(node), `a list of ${what}`);
    return node.items.map((item, index) => ({ node: item, path: `${path}[${index}]` }));
  }

  /** A string. */
  text(spot: Spot, what: string): string | undefined {
    const { node, path } = spot;
    if (node.kind === 'scalar' && typeof node.value === 'string') return node.value;
    return this.problem(node.at, path, nodeInWords(node), what);
  }

  /** A list of strings. */
  texts(spot: Spot, what: string): readonly string[] | undefined {
    const items = this.list(spot, what)?.map((item) => this.text(item, what));
    return items?.every((item) => item !== undefined) === true
      ? items.filter((item) => item !== undefined)
      : undefined;
  }

  /** One of a closed list of strings. */
  oneOf<T extends string>(spot: Spot, allowed: readonly T[]): T | undefined {
    const { node, path } = spot;
    const found = node.kind === 'scalar' ? allowed.find((word) => word === node.value) : undefined;
    return found ?? this.problem(node.at, path, nodeInWords(node), allowed.join(', '));
  }

  /** A whole number of at least `least`. */
  count(spot: Spot, least: number, what: string): number | undefined {
    const { node, path } = spot;
    const value = node.kind === 'scalar' ? node.value : undefined;
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= least) return value;
    return this.problem(node.at, path, nodeInWords(node), what);
  }

  /** A key of the contract whose enforcement this version does not have: never ignored. */
  notBuilt(at: Position, path: string, what: string): undefined {
    return this.problem(at, path, what, `leave it out: this version of Pawl does not enforce ${what} yet`);
  }
}
