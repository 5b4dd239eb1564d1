/** Operations that change what agents may do: reload, revoke, freeze, thaw. */
import {
  type FrozenName,
  type KeyId,
  type Revocation,
  type Thawed,
  everything,
  isMeant,
  mintId,
} from '@pawl/core';
import {
  type Answer,
  type FrozenView,
  type KeyRevoked,
  type Operations,
  type RevokedView,
  type ThawedView,
  no,
  yes,
} from '../control/index.js';
import { type Store, StoreError } from '../store/index.js';
import type { Daemon } from './daemon.js';
import { declare, storedEntries } from './declaring.js';
import { guarded } from './guarded.js';
import type { LiveAuthority, OperationParts } from './operation-parts.js';
import { actOf } from './operator-act.js';

/** That part, of a running daemon. */
export function liveAuthority({
  reloading,
  reloader,
  revocations,
  sessions,
  gate,
  pinsChanged,
}: Daemon): LiveAuthority {
  return {
    revoked: (revocation) => void revocations.revoke(revocation),
    reload: ({ to, ...asked }) => {
      const act = actOf(asked);
      return reloading.reload({ trigger: 'operator', ...(act && { act }), ...(to !== undefined && { to }) });
    },
    propose: ({ to }) => reloading.propose(to),
    declare: (declare, act) => reloading.reload({ trigger: 'operator', declare, ...(act && { act }) }),
    declared: () => reloader.current().snapshot.policy.declared,
    accept: (accept, act) => reloading.reload({ trigger: 'operator', accept, act }),
    pinsChanged,
    freeze: (name) => reloader.freeze(name),
    thaw: (name, reissue) => reloader.thaw(name, { reissue }),
    isOpen: ({ kind, id }) => {
      if (kind === 'session') return sessions.get(id) !== undefined;
      return kind === 'capability' && sessions.all().some((session) => gate.holds(session.id, id));
    },
  };
}

/** The operations; `revokeKey` also ends the credential itself. */
export function authorityOperations(
  parts: OperationParts,
  revokeKey: (key: KeyId) => Promise<Answer<KeyRevoked>>,
): Pick<Operations, 'reload' | 'propose' | 'revoke' | 'freeze' | 'thaw' | 'declare' | 'declared'> {
  const { live } = parts;
  const absent = no('refused', 'no daemon runs on this store, so there is nothing to reload');
  return {
    reload: (asked) => guarded(async () => (live === undefined ? absent : yes(await live.reload(asked)))),
    propose: (asked) => guarded(async () => (live === undefined ? absent : yes(await live.propose(asked)))),
    revoke: (revocation) => guarded(() => revoke(parts, revocation, revokeKey)),
    freeze: ({ name }) => guarded(() => freeze(parts, name)),
    thaw: ({ name, reissue }) => guarded(() => thaw(parts, name, reissue === true)),
    declare: (asked, role) => guarded(() => declare(parts, asked, role)),
    declared: () => guarded(async () => yes(await storedEntries(parts))),
  };
}

async function revoke(
  parts: OperationParts,
  revocation: Revocation,
  revokeKey: (key: KeyId) => Promise<Answer<KeyRevoked>>,
): Promise<Answer<RevokedView>> {
  const { store, live, clock } = parts;
  const { kind, id } = revocation;
  if (revocation.kind === 'key') {
    const answer = await revokeKey(revocation.id);
    return answer.ok ? yes({ subject: kind, id, changed: answer.value.changed, known: true }) : answer;
  }
  const open = live?.isOpen(revocation) === true;
  live?.revoked(revocation);
  const known = open || (await executorsIn(store)).some((each) => kind === 'executor' && each === id);
  const changed = !(await store.revocations.list()).some((each) => each.subject === kind && each.id === id);
  await kept(live, `the ${kind} is revoked in the running daemon`, () =>
    store.revocations.add({ subject: kind, id, at: Math.round(clock.wall()) }),
  );
  return yes({ subject: kind, id, changed, known });
}

async function freeze(parts: OperationParts, name: FrozenName): Promise<Answer<FrozenView>> {
  const { store, live } = parts;
  const why = await whyNobody(store, name);
  if (why !== undefined) return no('refused', why);
  if (live === undefined) {
    const changed = !(await store.freezes.list()).includes(name);
    await store.freezes.freeze(name);
    return yes({ name, changed });
  }
  const changed = await kept(live, 'it is frozen in the running daemon', () => live.freeze(name));
  return yes({ name, changed });
}

/** What is in force already and cannot be stored is told as such: a restart would forget it. */
async function kept<T>(live: LiveAuthority | undefined, what: string, store: () => Promise<T>): Promise<T> {
  try {
    return await store();
  } catch (error) {
    if (!(error instanceof StoreError) || live === undefined) throw error;
    const message = `${what}, but that could not be stored: ask again, or a restart takes it back (${error.message})`;
    throw new StoreError(error.code, message);
  }
}

async function thaw(parts: OperationParts, name: FrozenName, reissue: boolean): Promise<Answer<ThawedView>> {
  const { store, live } = parts;
  const thawed = live === undefined ? await thawStored(parts, name) : await live.thaw(name, reissue);
  const frozen = await store.freezes.list();
  if (thawed.kind === 'thawed') {
    const { moved, reissued, emptied } = thawed;
    return yes({ name, moved, reissued, emptied, frozen });
  }
  if (thawed.kind === 'frozen-again') return no('refused', 'it was frozen again meanwhile; thaw it again');
  if (frozen.length === 0) return no('refused', 'nothing is frozen, so there is nothing to thaw');
  const others = frozen.map(nameText).join(', ');
  return no('refused', `${nameText(name)} is not frozen by that name; frozen: ${others}`);
}

/** As the reloader thaws: the epochs move first, in a generation of their own, then the freeze is lifted. */
async function thawStored(
  { store, clock }: OperationParts,
  name: FrozenName,
): Promise<
  (Pick<Thawed, 'kind'> & { kind: 'not-frozen' }) | Omit<Extract<Thawed, { kind: 'thawed' }>, 'generation'>
> {
  if (!(await store.freezes.list()).includes(name)) return { kind: 'not-frozen' };
  const before = await store.generations.current();
  const moved = (await executorsIn(store)).filter((executor) => isMeant(name, executor));
  if (before !== undefined) {
    const epochs = { ...before.epochs };
    for (const executor of moved) epochs[executor] = (epochs[executor] ?? 0) + 1;
    await store.generations.put({
      ...before,
      number: before.number + 1,
      epochs,
      cause: { trigger: 'operator', verdict: 'thaw', moved, thawed: name },
      createdAt: Math.round(clock.wall()),
    });
  }
  await store.freezes.lift(name);
  return { kind: 'thawed', moved, reissued: 0, emptied: 0 };
}

/** Why nobody is meant by a name, with those that exist. */
async function whyNobody(store: Store, name: FrozenName): Promise<string | undefined> {
  if (name === everything) return undefined;
  const executors = await executorsIn(store);
  if (executors.some((executor) => isMeant(name, executor))) return undefined;
  return `there is no ${name} in this store; it has ${executors.join(', ') || 'no agents'}`;
}

async function executorsIn(store: Store): Promise<readonly ReturnType<typeof mintId.executor>[]> {
  const stored = await store.generations.current();
  return Object.keys(stored?.epochs ?? {}).map((id) => mintId.executor(id));
}

/** A frozen name in words. */
export function nameText(name: FrozenName): string {
  return name === everything ? 'everything' : name;
}
