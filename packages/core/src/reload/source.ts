/** What a generation was made from: plain data that crosses threads, is stored, and can be compiled again. */
import type { Declaration } from '../ceiling/index.js';
import type { Digest, Json, JsonObject } from '../ground/index.js';

/** Everything that decides, before it is compiled. Plain JSON. */
export interface GenerationSource {
  /** Text of the document. */
  readonly document: string;
  /** Absolute folder of the document: what relative roots are meant from. */
  readonly folder: string | undefined;
  /** Captured facts: name to the JSON of its file. */
  readonly facts: Readonly<Record<string, Json>>;
  /** Tool definitions in force, by server, in the server's order. */
  readonly tools: Readonly<Record<string, readonly JsonObject[]>>;
  /** Entries of ceilings and narrowings that are stored beside the document; absent where there are none. */
  readonly declared?: readonly Declaration[];
  /** Canonical paths denied to every executor. */
  readonly protectedPaths: readonly string[];
  /** The connector of each server with the version of its table; null for a server without. */
  readonly connectors: Readonly<Record<string, ConnectorVersion | null>>;
  /** Version of what documents and connectors mean. */
  readonly semantics: number;
  /** Hash of everything that decides but for what Pawl itself brings along: versions of semantics and of connector tables. */
  readonly content: Digest;
}

/** A connector table by name and version. */
export interface ConnectorVersion {
  readonly name: string;
  readonly version: number;
}

/** Whether Pawl itself changed between two sources: the same document would mean something else. No comparison covers that. */
export function pawlMoved(old: GenerationSource, next: GenerationSource): boolean {
  if (old.semantics !== next.semantics) return true;
  return Object.entries(next.connectors).some(([server, now]) => {
    const before = Object.hasOwn(old.connectors, server) ? old.connectors[server] : undefined;
    return before?.name === now?.name && before?.version !== now?.version;
  });
}

/** Bytes of the texts of a source: an estimate of what its generation keeps in memory, from below. */
export function sourceBytes(source: GenerationSource): number {
  return JSON.stringify(source).length;
}
