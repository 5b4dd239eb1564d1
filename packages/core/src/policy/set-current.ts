/** The cell of policy/current with its setter: a door that only `reload` may use. */
import type { Current, Living, Pin } from './current.js';
import type { Snapshot } from './snapshot.js';

/** The cell with its setter. */
export interface CurrentCell {
  readonly current: Current;
  /** Puts a snapshot in force, in one step. */
  set(snapshot: Snapshot): void;
}

/** An empty cell: nothing is in force, so nothing is admitted. */
export function currentCell(): CurrentCell {
  let inForce: Snapshot | undefined;
  const pins = new Map<Snapshot, number>();
  const release = (snapshot: Snapshot): void => {
    const left = (pins.get(snapshot) ?? 0) - 1;
    if (left > 0) pins.set(snapshot, left);
    else pins.delete(snapshot);
  };
  const pin = (): Pin | undefined => {
    const snapshot = inForce;
    if (snapshot === undefined) return undefined;
    pins.set(snapshot, (pins.get(snapshot) ?? 0) + 1);
    let held = true;
    return {
      snapshot,
      release: (): void => {
        if (held) release(snapshot);
        held = false;
      },
    };
  };
  const living = (): readonly Living[] => {
    const all = new Set([...(inForce === undefined ? [] : [inForce]), ...pins.keys()]);
    const list = [...all].map((snapshot) => ({ snapshot, pins: pins.get(snapshot) ?? 0 }));
    return list.sort((a, b) => b.snapshot.generation.number - a.snapshot.generation.number);
  };
  const current: Current = { peek: (): Snapshot | undefined => inForce, pin, living };
  return {
    current: Object.freeze(current),
    set: (snapshot: Snapshot): void => {
      inForce = snapshot;
    },
  };
}
