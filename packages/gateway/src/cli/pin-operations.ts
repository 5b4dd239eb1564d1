/** Operations on tool definitions: showing what was seen, accepting and rejecting what waits. */
import { type Digest, canonicalJson, sha256 } from '@pawl/core';
import {
  type Answer,
  type Operations,
  type PinAnswer,
  type PinView,
  type PinsAccept,
  type PinsAccepted,
  type PinsAnswered,
  type PinsAsked,
  no,
  yes,
} from '../control/index.js';
import type { StoredPin } from '../store/index.js';
import { guarded } from './guarded.js';
import { offlineAuthority } from './offline-authority.js';
import type { OperationParts } from './operation-parts.js';

/** The operations. */
export function pinOperations(parts: OperationParts): Pick<Operations, 'pins' | 'pinsAccept' | 'pinsReject'> {
  return {
    pins: (asked) => guarded(() => views(parts, asked)),
    pinsAccept: (asked) => guarded(() => accept(parts, asked)),
    pinsReject: (asked) => guarded(() => reject(parts, asked)),
  };
}

/** What an operator names when deciding on several at once: one digest over all of them. Of one it is its own. */
export function digestOver(pins: readonly Pick<StoredPin, 'tool' | 'digest'>[]): Digest {
  const [one, more] = pins;
  if (one !== undefined && more === undefined) return one.digest;
  return sha256(canonicalJson(Object.fromEntries(pins.map(({ tool, digest }) => [tool, digest]))));
}

/** The definitions that somebody asked for. */
export function pinsNamed<T extends Pick<StoredPin, 'server' | 'tool'>>(
  pins: readonly T[],
  { server, tool }: PinsAsked,
): readonly T[] {
  return pins.filter(
    (pin) => (server === undefined || pin.server === server) && (tool === undefined || pin.tool === tool),
  );
}

async function views({ store }: OperationParts, asked: PinsAsked): Promise<Answer<readonly PinView[]>> {
  const whole = asked.server !== undefined;
  const pins = pinsNamed(await store.pins.list(), asked);
  return yes(pins.map(({ definition, ...pin }) => (whole ? { ...pin, definition } : pin)));
}

/** What waits under the digest that was shown, or why nothing is decided on. */
function decided(pins: readonly StoredPin[], asked: PinAnswer): readonly StoredPin[] | string {
  const { server, tool, digest } = asked;
  const name = tool === undefined ? server : `${server}/${tool}`;
  const waiting = pinsNamed(pins, asked).filter(({ state }) => state === 'waiting');
  if (waiting.length === 0) return `nothing of ${name} waits; pawl pins list shows what does`;
  const now = digestOver(waiting);
  if (now.startsWith(digest)) return waiting;
  return `what waits of ${name} is no longer what was shown; look again with: pawl pins show ${name}`;
}

async function accept(parts: OperationParts, asked: PinsAccept): Promise<Answer<PinsAccepted>> {
  const { server, all, reissue } = asked;
  const authority = parts.live ?? (await offlineAuthority(parts));
  if ('error' in authority) return authority;
  let taken: readonly StoredPin[] = [];
  let why: string | undefined;
  const wish = (waiting: readonly StoredPin[]): readonly StoredPin[] => {
    const found = decided(waiting, asked);
    if (typeof found !== 'string') return (taken = found);
    why = found;
    throw new Error(found);
  };
  const reload = await authority.accept(wish, { all: all === true, reissue: reissue === true });
  if (why !== undefined) return no('refused', why);
  return yes({ server, tools: taken.map(({ tool }) => tool), reload });
}

async function reject({ store, live }: OperationParts, asked: PinAnswer): Promise<Answer<PinsAnswered>> {
  const found = decided(await store.pins.list(asked.server), asked);
  if (typeof found === 'string') return no('refused', found);
  for (const { server, tool, digest } of found) await store.pins.reject(server, tool, digest);
  await live?.pinsChanged();
  return yes({ server: asked.server, tools: found.map(({ tool }) => tool) });
}
