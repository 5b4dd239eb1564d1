/** A parsed document with positions: what a loader (YAML, JSON) hands to the rooms that read meaning out of it. */
import { type Json, isJsonArray, isJsonObject } from './json.js';

/** Where something stands in a file; both count from 1. */
export interface Position {
  readonly line: number;
  readonly column: number;
}

/** A mapping; keys are unique (the loader refuses duplicates). */
export interface DocMap {
  readonly kind: 'map';
  readonly at: Position;
  readonly entries: readonly DocEntry[];
}
/** One member of a mapping. */
export interface DocEntry {
  readonly key: string;
  readonly keyAt: Position;
  readonly value: DocNode;
}
/** A sequence. */
export interface DocList {
  readonly kind: 'list';
  readonly at: Position;
  readonly items: readonly DocNode[];
}
/** A scalar, already resolved by the YAML 1.2 core schema. */
export interface DocScalar {
  readonly kind: 'scalar';
  readonly at: Position;
  readonly value: null | boolean | number | string;
}
/** Any node of a document. */
export type DocNode = DocMap | DocList | DocScalar;

/** One thing wrong with a document: what was found, what is allowed there, and where. */
export interface LoadProblem {
  readonly at: Position;
  /** Path in the document, as `agents.a.allow[2].where`; empty for the whole. */
  readonly path: string;
  readonly found: string;
  readonly allowed: string;
  readonly message: string;
}

/** The value of a mapping's member, or undefined. */
export function entryOf(map: DocMap, key: string): DocEntry | undefined {
  return map.entries.find((entry) => entry.key === key);
}

/** A node in words, for messages: `"text"`, `7`, `a list`, `a mapping`. */
export function nodeInWords(node: DocNode): string {
  if (node.kind === 'list') return node.items.length === 0 ? 'an empty list' : 'a list';
  if (node.kind === 'map') return node.entries.length === 0 ? 'an empty mapping' : 'a mapping';
  return JSON.stringify(node.value);
}

/** A node as plain values. */
export function plainOf(node: DocNode): Json {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plainOf);
  return Object.fromEntries(node.entries.map(({ key, value }) => [key, plainOf(value)]));
}

/** Plain values as a node, all of it at one place. */
export function nodeOf(value: Json, at: Position): DocNode {
  if (isJsonArray(value)) return { kind: 'list', at, items: value.map((item) => nodeOf(item, at)) };
  if (!isJsonObject(value)) return { kind: 'scalar', at, value };
  const entries = Object.entries(value).map(([key, member]) => ({
    key,
    keyAt: at,
    value: nodeOf(member ?? null, at),
  }));
  return { kind: 'map', at, entries };
}
