/** A store: the front over whichever backend keeps the bytes. */
import { type Clock, type Entropy, systemClock, systemEntropy } from '@pawl/core';
import type { Backend, Opened } from './backend.js';
import { freezeTable } from './freezes.js';
import { countStore } from './counts.js';
import { declarationStore } from './declarations.js';
import { generationStore } from './generations.js';
import { Journal } from './journal.js';
import { keyStore } from './keys.js';
import { MemoryBackend } from './memory.js';
import { pinStore } from './pins.js';
import type { Store } from './ports.js';
import { revocationStore } from './revocations.js';
import { bodyDigest } from './seal.js';
import { sealerOf } from './sealer.js';
import { skillStore } from './skills.js';
import { openSqlite } from './sqlite.js';
import { Table } from './table.js';

/** Powers that a store takes; those of this process when absent. */
export interface StorePowers {
  readonly clock?: Clock;
  readonly entropy?: Entropy;
}

/**
 * Opens the store in `folder` for writing and makes it where there is none. The caller owns it and closes it.
 * Rejects with a {@link StoreError}: `held` while another process has it, `unwritable`, or `damaged`.
 */
export async function openStore(folder: string, powers: StorePowers = {}): Promise<Store> {
  const { backend, opened } = await openSqlite(folder);
  try {
    return assemble(backend, opened, powers.clock ?? systemClock);
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/** A new, empty store that lives in this process and keeps nothing. */
export function memoryStore(powers: StorePowers = {}): Store {
  const { clock = systemClock, entropy = systemEntropy } = powers;
  const backend = new MemoryBackend({ clock, entropy });
  return assemble(backend, backend.opened(), clock);
}

/** The front over a backend that has just opened. */
function assemble(backend: Backend, opened: Opened, clock: Clock): Store {
  const journal = new Journal(backend, opened.head, clock);
  let closing: Promise<void> | undefined;
  const table = new Table(journal, backend, opened.rows);
  return {
    id: opened.id,
    audit: journal,
    generations: generationStore(table),
    keys: keyStore(table),
    pins: pinStore(table),
    revocations: revocationStore(table),
    freezes: freezeTable(table, clock),
    declarations: declarationStore(table),
    counts: countStore(table),
    skills: skillStore(table),
    digest: (text) => bodyDigest(opened.digestKey, text),
    sealer: sealerOf(opened.digestKey),
    publicKey: opened.publicKey,
    head: () => journal.head,
    records: async (query = {}) => {
      await journal.flush();
      return backend.records(query);
    },
    eraseBody: (seq) => table.exclusively(() => eraseBody(journal, backend, seq)),
    close: () => (closing ??= close(journal, backend)),
  };
}

async function close(journal: Journal, backend: Backend): Promise<void> {
  try {
    await journal.close();
  } finally {
    await backend.close();
  }
}

async function eraseBody(journal: Journal, backend: Backend, seq: number): Promise<boolean> {
  await journal.flush();
  const [record] = await backend.records({ from: seq, limit: 1 });
  if (record?.seq !== seq || record.body === undefined) return false;
  await journal.change({ type: 'event', event: 'body_erased', data: { seq } }, { erase: seq });
  return true;
}
