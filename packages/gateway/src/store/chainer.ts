/** Gives entries their place in the chain. */
import {
  type Digest,
  type EnvelopeFacts,
  type Head,
  type RowChange,
  envelopeText,
  link,
  mintId,
  sha256,
} from '@pawl/core';
import type { Entry, RowPut } from './backend.js';

/** A record with its place, ready to be stored. */
export interface Chained {
  readonly seq: number;
  readonly text: string;
  readonly hash: Digest;
  readonly entry: Entry;
}

/** Chains entries behind `tip`, in order. `digestOf` is the keyed digest of bodies. */
export function chainEntries(
  tip: Head,
  entries: readonly Entry[],
  digestOf: (body: string) => Digest,
): readonly Chained[] {
  let { seq } = tip;
  let hash = mintId.digest(tip.hash);
  return entries.map((entry) => {
    seq += 1;
    const text = envelopeText(factsOf(seq, entry, digestOf), entry.record);
    hash = link(hash, text);
    return { seq, text, hash, entry };
  });
}

function factsOf(seq: number, entry: Entry, digestOf: (body: string) => Digest): EnvelopeFacts {
  const { at, body, rows } = entry;
  const facts = body === undefined ? { seq, at } : { seq, at, body: digestOf(body) };
  return rows === undefined ? facts : { ...facts, rows: rows.map(changeOf) };
}

function changeOf(row: RowPut): RowChange {
  return { kind: row.kind, id: row.id, digest: row.text === null ? null : sha256(row.text) };
}
