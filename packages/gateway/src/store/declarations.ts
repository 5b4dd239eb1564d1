/** Stored ceilings and narrowings over the chain: a row for each connector or server of each executor. */
import { type Declaration, type Json, canonicalJson, isJsonObject, mintId } from '@pawl/core';
import type { RowPut } from './backend.js';
import { Fields } from './fields.js';
import { type DeclarationStore, StoreError } from './ports.js';
import type { Table } from './table.js';

/** Kind of their rows. */
export const declarationKind = 'declaration';

/** The port over a store's rows. */
export function declarationStore(table: Table): DeclarationStore {
  return { list: async () => declarationsIn(table.entries(declarationKind)) };
}

/**
 * The entries in rows, by id. A row whose text is none, or says another id, is an entry without fields: what stands there is for
 * that executor and that connector, and refuses. Throws `damaged` where not even the id says whose it is.
 */
export function declarationsIn(
  rows: readonly (readonly [id: string, text: string])[],
): readonly Declaration[] {
  const entries = rows.map(([id, text]) => {
    const [of, on, more] = id.split(' ');
    if (of === undefined || of === '' || on === undefined || on === '' || more !== undefined)
      throw new StoreError('damaged', `a stored ceiling is for nobody: ${JSON.stringify(id.slice(0, 100))}`);
    return readWithin({ of: mintId.executor(of), on }, text);
  });
  return entries.sort((a, b) => (idOf(a) < idOf(b) ? -1 : 1));
}

/** An entry from its stored object. Throws `damaged`. */
export function readDeclaration(json: Json): Declaration {
  const fields = new Fields(declarationKind, json);
  const [by, at, declared] = [fields.optionalText('by'), fields.optionalNumber('at'), fields.json('fields')];
  if (declared !== undefined && !isJsonObject(declared))
    throw new StoreError('damaged', 'a stored ceiling holds no fields');
  return {
    of: mintId.executor(fields.text('of')),
    on: fields.text('on'),
    ...(declared === undefined ? {} : { fields: declared }),
    ...(by === undefined ? {} : { by }),
    ...(at === undefined ? {} : { at }),
  };
}

/** Rows that make of the entries before those of now. What cannot be read is not touched: it stays evidence of what happened to it. */
export function changedDeclarations(
  before: readonly Declaration[],
  now: readonly Declaration[],
): readonly RowPut[] {
  const old = new Map(before.map((entry) => [idOf(entry), textOf(entry)]));
  const kept = new Set(now.map(idOf));
  const put = now.filter((entry) => entry.fields !== undefined && old.get(idOf(entry)) !== textOf(entry));
  return [
    ...put.map((entry) => ({ kind: declarationKind, id: idOf(entry), text: textOf(entry) })),
    ...[...old.keys()].flatMap((id) => (kept.has(id) ? [] : [{ kind: declarationKind, id, text: null }])),
  ];
}

function readWithin(place: Pick<Declaration, 'of' | 'on'>, text: string): Declaration {
  try {
    const read = readDeclaration(new Fields(declarationKind, text).whole);
    return idOf(read) === idOf(place) ? read : place;
  } catch {
    return place;
  }
}

function idOf({ of, on }: Pick<Declaration, 'of' | 'on'>): string {
  return `${of} ${on}`;
}

function textOf(entry: Declaration): string {
  return canonicalJson({ ...entry });
}
