/** What the front and the writing thread say to each other. */
import type { Head } from '@pawl/core';
import type { Entry, Opened } from './backend.js';
import type { ReadRecord, RecordQuery, StoreErrorCode } from './ports.js';

/** One request; answered before the next is read. */
export type Question =
  | { readonly ask: 'open'; readonly folder: string }
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
