/** Generations and epochs over the chain. */
import { type Declaration, causeJson } from '@pawl/core';
import { changedDeclarations } from './declarations.js';
import { generationRow, readGeneration } from './generation-row.js';
import { type GenerationStore, StoreError, type StoredGeneration } from './ports.js';
import { acceptedRows } from './pins.js';
import { currentRow } from './row.js';
import type { Table } from './table.js';

/** The port over a store's rows. */
export function generationStore(table: Table): GenerationStore {
  const current = (): StoredGeneration | undefined => {
    const [text] = table.ofKind('generation');
    return text === undefined ? undefined : readGeneration(text);
  };
  return {
    current: async () => current(),
    at: async (number) => {
      const text = await table.fetch('generation', String(number));
      return text === undefined ? undefined : readGeneration(text);
    },
    put: (generation) => table.exclusively(() => putNext(table, current(), generation)),
  };
}

async function putNext(
  table: Table,
  current: StoredGeneration | undefined,
  generation: StoredGeneration,
): Promise<void> {
  const expected = (current?.number ?? 0) + 1;
  if (generation.number !== expected)
    throw new StoreError(
      'conflict',
      `generation ${generation.number} cannot follow: the next is ${expected}`,
    );
  const before = new Map(Object.entries(current?.epochs ?? {}));
  for (const [executor, epoch] of Object.entries(generation.epochs)) {
    if (epoch < (before.get(executor) ?? 0))
      throw new StoreError('conflict', `the epoch of ${executor} cannot go back to ${epoch}`);
  }
  const { number, hash, cause } = generation;
  const epochs = { ...current?.epochs, ...generation.epochs };
  const declared = changedDeclarations(declaredIn(current), declaredIn(generation));
  const rows = [generationRow({ ...generation, epochs }), currentRow(number), ...declared];
  rows.push(...acceptedRows(table, generation));
  const why = cause === undefined ? {} : { cause: causeJson(cause) };
  await table.change('generation', { number, hash, epochs, ...why }, rows);
}

function declaredIn(generation: StoredGeneration | undefined): readonly Declaration[] {
  return generation?.source.declared ?? [];
}
