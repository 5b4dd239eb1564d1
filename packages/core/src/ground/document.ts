/** A parsed document with positions: what a loader (YAML, JSON) hands to the rooms that read meaning out of it. */
import { type Json, isJsonArray, isJsonObject, own } from './json.js';

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

const nowhere: Position = Object.freeze({ line: 1, column: 1 });

/** A document that a program holds as JSON: everything in it stands at its beginning, and problems name its path. */
export function documentOf(json: Json): DocNode {
  if (isJsonArray(json)) return { kind: 'list', at: nowhere, items: json.map(documentOf) };
  if (!isJsonObject(json)) return { kind: 'scalar', at: nowhere, value: json };
  const entries = Object.keys(json).flatMap((key) => {
    const value = own(json, key);
    return value === undefined ? [] : [{ key, keyAt: nowhere, value: documentOf(value) }];
  });
  return { kind: 'map', at: nowhere, entries };
}
