/** What the front says to the threads that hold connections, and what they answer. */
import type { Head } from '@pawl/core';
import type { Entry, Opened } from './backend.js';
import { reason } from './folder.js';
import { type ReadRecord, type RecordQuery, StoreError, type StoreErrorCode } from './ports.js';

/** The one request to a reading thread. */
export type ReadQuestion =
  | { readonly ask: 'verify'; readonly folder: string; readonly gate: SharedArrayBuffer }
  | {
      readonly ask: 'rows';
      readonly folder: string;
      readonly gate: SharedArrayBuffer;
    }
  | {
      readonly ask: 'records';
      readonly folder: string;
      readonly query: RecordQuery;
      readonly gate: SharedArrayBuffer;
    }
  | {
      readonly ask: 'generation';
      readonly folder: string;
      readonly number: number | undefined;
      readonly gate: SharedArrayBuffer;
    };

/** One request to the writing thread, the first is `open`; answered before the next is read. */
export type Question =
  | { readonly ask: 'open'; readonly folder: string; readonly gate: SharedArrayBuffer }
  | { readonly ask: 'commit'; readonly entries: readonly Entry[] }
  | { readonly ask: 'probe' }
  | { readonly ask: 'records'; readonly query: RecordQuery }
  | { readonly ask: 'row'; readonly kind: string; readonly id: string }
  | { readonly ask: 'close' };

/** What each request yields. */
export interface Yields {
  readonly open: Opened;
  readonly commit: Head;
  readonly probe: null;
  readonly records: readonly ReadRecord[];
  readonly row: string | null;
  readonly close: null;
}

/** The answer to one request. */
export type Answer<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: StoreErrorCode; readonly message: string };

/** The answer that `work` gives; never throws. */
export function answerTo<T>(work: () => T): Answer<T> {
  try {
    return { ok: true, value: work() };
  } catch (error) {
    const code = error instanceof StoreError ? error.code : 'refused';
    return { ok: false, code, message: reason(error) };
  }
}
