/** Tool definitions over the chain. */
import type { PinStore, StoredPin } from './ports.js';
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
    accept: (server, tool, digest) =>
      table.exclusively(async () => {
        const id = pinId({ server, tool, state: 'waiting' });
        const text = table.text('pin', id);
        const waiting = text === undefined ? undefined : readPin(text);
        if (waiting === undefined || waiting.digest !== digest) return false;
        const accepted: StoredPin = { ...waiting, state: 'accepted' };
        await table.change('tool_pinned', summary(accepted), [
          pinRow(accepted),
          { kind: 'pin', id, text: null },
        ]);
        return true;
      }),
  };
}

function summary(pin: StoredPin): { server: string; tool: string; digest: string; state: string } {
  return { server: pin.server, tool: pin.tool, digest: pin.digest, state: pin.state };
}

function byName(a: StoredPin, b: StoredPin): number {
  const [left, right] = [`${a.server}/${a.tool} ${a.state}`, `${b.server}/${b.tool} ${b.state}`];
  return left < right ? -1 : Number(left > right);
}
