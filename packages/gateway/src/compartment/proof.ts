/** A compartment counts once it was seen to refuse: a probe tries what may not work, as a tool of its own. */
import { isJsonArray } from '@pawl/core';
import type { Compartments } from './compartments.js';
import { CompartmentFailure } from './failure.js';

const probe = `
const attempt = (could, what, work) => { try { if (work() !== false) could.push(what); } catch {} };
const outside = ['process', 'require', 'fetch', 'Buffer', 'WebAssembly', 'SharedArrayBuffer', 'Atomics', 'setTimeout', 'global'];
export const tries = (args, powers) => {
  const could = [];
  for (const name of outside) attempt(could, 'see ' + name, () => name in globalThis);
  attempt(could, 'see the process by Function', () => Function('return typeof process')() !== 'undefined');
  attempt(could, 'see the process by eval', () => (0, eval)('typeof process') !== 'undefined');
  for (const made of [() => {}, async () => {}, function* () {}, async function* () {}])
    attempt(could, 'see the process by a constructor', () => {
      const found = made.constructor('return typeof process')();
      return typeof found === 'string' && found !== 'undefined';
    });
  for (const shared of [Object, Array, Promise, Function, Error, powers])
    attempt(could, 'change what is shared', () => {
      (shared.prototype ?? shared).poison = 1;
    });
  return could;
};
export const spins = () => { for (;;); };
`;
const triesMs = 10_000;
const spinsMs = 100;

/**
 * Runs the probe. Undefined: everything was refused, and what would not end was ended. Else why there is no compartment here. Rejects
 * with NoConfinement where memory cannot be bounded.
 */
export async function whyNoCompartment(compartments: Compartments): Promise<string | undefined> {
  try {
    const files = new Map([['probe.js', new TextEncoder().encode(probe)]]);
    const module = (await compartments.load(files, ['probe.js'])).get('probe.js');
    if (module === undefined) return 'the probe could not be loaded';
    const compartment = await compartments.open(module, { probe: {} });
    try {
      const could = await compartment.call('tries', {}, { deadlineMs: triesMs });
      if (!isJsonArray(could)) return 'the probe gave no answer';
      if (could.length > 0) return `the probe could ${could.map(String).join(', ')}`;
      await compartment.call('spins', {}, { deadlineMs: spinsMs });
      return 'the probe ended by itself';
    } finally {
      compartment.close();
    }
  } catch (error) {
    if (!(error instanceof CompartmentFailure)) throw error;
    return error.code === 'timeout' ? undefined : `the probe failed: ${error.message}`;
  }
}
