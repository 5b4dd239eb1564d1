/** Records and generations of a store, asked of its daemon, else read from the store itself. */
import { type Json, type StoredGeneration, readEnvelope, readJson } from '@pawl/core';
import { type Answer, type EvidenceQuery, mostRecords, yes } from '../control/index.js';
import type { CallRecord } from '../review/index.js';
import { operate } from './operate.js';
import { evidenceOperations } from './operations.js';
import type { StorePlace } from './store-option.js';

/** Records of a store with what was kept of arguments, in order of the chain; unreadable ones are left out. */
export async function evidence(
  place: StorePlace,
  query: EvidenceQuery,
): Promise<Answer<readonly CallRecord[]>> {
  const answer = await operate(place, 'evidence', query, () =>
    evidenceOperations(place.folder).evidence(query),
  );
  if (!answer.ok) return answer;
  return yes(
    answer.value.flatMap(({ text, body }): readonly CallRecord[] => {
      const envelope = readEnvelope(text);
      const args: Json | undefined = body === undefined ? undefined : readJson(body);
      return envelope === undefined
        ? []
        : [{ ...envelope, ...(args === undefined ? {} : { arguments: args }) }];
    }),
  );
}

/** All records, page by page; those that `keep` does not want are let go at once. */
export async function allEvidence(
  place: StorePlace,
  keep: (record: CallRecord) => boolean,
): Promise<Answer<readonly CallRecord[]>> {
  const kept: CallRecord[] = [];
  for (let from = 0; ; ) {
    const page = await evidence(place, { limit: mostRecords, from });
    if (!page.ok) return page;
    for (const record of page.value) if (keep(record)) kept.push(record);
    const last = page.value.at(-1);
    if (last === undefined || page.value.length < mostRecords) return yes(kept);
    from = last.seq + 1;
  }
}

/** A stored generation of that number, or the one in force. */
export function storedGeneration(place: StorePlace, number?: number): Promise<Answer<StoredGeneration>> {
  const asked = number === undefined ? {} : { number };
  return operate(place, 'generation', asked, () => evidenceOperations(place.folder).generation(asked));
}
