/** Tool definitions over the chain. */
import { type AcceptedTool, type Json, type JsonObject, own } from '@pawl/core';
import type { RowPut } from './backend.js';
import { type PinStore, StoreError, type StoredGeneration, type StoredPin } from './ports.js';
import { pinId, pinRow, readPin } from './row.js';
import type { Table } from './table.js';

/** The port over a store's rows. */
export function pinStore(table: Table): PinStore {
  return {
    list: async (server) =>
      table
        .ofKind('pin')
        .map(readPin)
        .filter((pin) => server === undefined || pin.server === server)
        .sort(byName),
    put: (pins) =>
      table.exclusively(async () => {
        if (pins.length === 0) return;
        const event = pins.some((pin) => pin.firstUse) ? 'first_use' : 'tool_pinned';
        await table.change(event, pins.map(summary), pins.map(pinRow));
      }),
    reject: (server, tool, digest) =>
      table.exclusively(async () => {
        const waiting = waitingIn(table, server, tool);
        if (waiting === undefined || waiting.digest !== digest) return false;
        const gone = { kind: 'pin', id: pinId(waiting), text: null };
        await table.change('tool_pinned', { ...summary(waiting), state: 'rejected' }, [gone]);
        return true;
      }),
  };
}

/**
 * Rows that make the definitions that a generation accepts the accepted ones; what waited with the same digest waits no more.
 * Throws `conflict` where its source does not hold such a tool.
 */
export function acceptedRows(
  table: Table,
  { cause, source, createdAt }: StoredGeneration,
): readonly RowPut[] {
  const accepted = cause?.accepted ?? [];
  const inForce = new Map(
    [...new Set(accepted.map(({ server }) => server))].map((server) => [server, byTool(source, server)]),
  );
  return accepted.flatMap(({ server, tool, digest, firstUse }) => {
    const definition = inForce.get(server)?.get(tool);
    if (definition === undefined)
      throw new StoreError('conflict', `the generation accepts ${server}/${tool}, and does not have it`);
    const at = createdAt ?? 0;
    const pinned = pinRow({ server, tool, digest, definition, state: 'accepted', firstUse, at });
    const waiting = waitingIn(table, server, tool);
    if (waiting?.digest !== digest) return [pinned];
    return [pinned, { kind: 'pin', id: pinId(waiting), text: null }];
  });
}

function byTool(
  { tools }: StoredGeneration['source'],
  server: string,
): ReadonlyMap<Json | undefined, JsonObject> {
  return new Map((tools[server] ?? []).map((definition) => [own(definition, 'name'), definition]));
}

function waitingIn(table: Table, server: AcceptedTool['server'], tool: string): StoredPin | undefined {
  const text = table.text('pin', pinId({ server, tool, state: 'waiting' }));
  return text === undefined ? undefined : readPin(text);
}

function summary(pin: StoredPin): { server: string; tool: string; digest: string; state: string } {
  return { server: pin.server, tool: pin.tool, digest: pin.digest, state: pin.state };
}

function byName(a: StoredPin, b: StoredPin): number {
  const [left, right] = [`${a.server}/${a.tool} ${a.state}`, `${b.server}/${b.tool} ${b.state}`];
  return left < right ? -1 : Number(left > right);
}
