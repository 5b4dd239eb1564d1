/** The powers of one actor together: as its definition names them, as its spawn takes them, and taken back in one step. */
import { Bundle, type Power, power } from '@pawl/core';
import type { ApprovalPower } from './approval.js';
import type { ClockPower } from './clock.js';
import type { ExecPower } from './exec-form.js';
import type { WritableFs } from './fs.js';
import type { FsReader } from './fs-read.js';
import type { NetPower } from './net.js';
import type { Grant } from './port.js';
import type { SecretPower } from './secret.js';

const reading = {
  read: 'method',
  readText: 'method',
  list: 'method',
  stat: 'method',
  search: 'method',
} as const;

/** Names of these powers for definitions: `defineActor({ powers: { fs: powerOf.readFs } }, …)`. */
export const powerOf: {
  readonly fs: Power<WritableFs>;
  readonly readFs: Power<FsReader>;
  readonly net: Power<NetPower>;
  readonly exec: Power<ExecPower>;
  readonly secret: Power<SecretPower>;
  readonly clock: Power<ClockPower>;
  readonly approval: Power<ApprovalPower>;
} = Object.freeze({
  fs: power<WritableFs>({ ...reading, write: 'method', mkdir: 'method', remove: 'method', move: 'method' }),
  readFs: power<FsReader>(reading),
  net: power<NetPower>({ request: 'method' }),
  exec: power<ExecPower>({ run: 'method', shell: 'method' }),
  secret: power<SecretPower>({ read: 'method' }),
  clock: power<ClockPower>({ now: 'method', elapsed: 'method', sleep: 'method' }),
  approval: power<ApprovalPower>({ request: 'method' }),
});

/** Grants by the names of their powers. */
export type Grants<P extends object> = { readonly [K in keyof P]: Grant<P[K]> };

/**
 * Gathers grants into the bundle that an actor is spawned with. Revoking takes all of them back; so does the signal, where one is given,
 * as that of the capability or session for which they were granted.
 */
export function gathered<P extends object>(grants: Grants<P>, until?: AbortSignal): Grant<Bundle<P>> {
  const all = Object.entries<Grant<unknown>>(grants);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the names are those of the grants
  const powers = Object.fromEntries(all.map(([name, grant]) => [name, grant.power])) as P;
  const revoke = async (): Promise<void> => {
    await Promise.all(all.map(([, grant]) => grant.revoke()));
  };
  // What goes wrong in closing is not the business of whoever aborts.
  const end = (): void => void revoke().catch(() => undefined);
  if (until?.aborted === true) end();
  until?.addEventListener('abort', end, { once: true });
  return Object.freeze({ power: new Bundle(powers), revoke });
}
