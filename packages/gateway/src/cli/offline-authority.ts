/** Changing stored ceilings and narrowings while no daemon runs: the same reload, over the stored generation. */
import {
  type CompiledPolicy,
  type Declaration,
  type GenerationSource,
  type JsonObject,
  type Proposal,
  type ReloadRequest,
  type Reloaded,
  type Reloader,
  Freezes,
  currentCell,
  executorId,
  isJsonObject,
  reloader,
  start,
  systemAlarm,
} from '@pawl/core';
import { type Answer, no } from '../control/index.js';
import type { ReadPolicy } from '../config/index.js';
import type { LiveAuthority, OperationParts } from './operation-parts.js';
import { prove } from './prove.js';
import type { StoredPin } from '../store/index.js';
import { type ToolsInForce, compileSource, sourceOf, toolsOf } from './source.js';

/** What a stored generation was made from, with what is stored for executors now. */
interface Stored {
  readonly read: ReadPolicy;
  readonly policy: CompiledPolicy;
  readonly source: GenerationSource;
  readonly declared: readonly Declaration[];
}

/** The part of a daemon that declares, over a store that this process holds. Nothing is in force: there is nobody to call. */
export async function offlineAuthority(
  parts: OperationParts,
): Promise<Pick<LiveAuthority, 'declare' | 'declared' | 'accept'> | Extract<Answer<never>, { ok: false }>> {
  const { store } = parts;
  const generation = await store.generations.current();
  if (generation === undefined)
    return no(
      'refused',
      'this store has no policy yet; pawl run stores one, and declarations are for its agents',
    );
  const declared = await store.declarations.list();
  const loaded = compiledWith(generation.source, declared);
  if (!loaded.ok)
    return no('unavailable', `the stored policy cannot be read: ${loaded.problems[0]?.message ?? 'unknown'}`);
  const stored: Stored = { read: loaded.read, policy: loaded.policy, source: generation.source, declared };
  return {
    declared: () => loaded.policy.declared,
    declare: (wish, act) =>
      reloaded(parts, stored, {
        ...(act && { act }),
        declared: { of: wish.of, by: wish.by },
        propose: async () => proposalOf(stored, { declared: wish.entries(around(stored)) }),
      }),
    accept: (wish, act) =>
      reloaded(parts, stored, {
        act,
        accepting: true,
        propose: async () => {
          const waiting = (await store.pins.list()).filter(({ state }) => state === 'waiting');
          return acceptance(stored, wish(waiting));
        },
      }),
  };
}

async function reloaded(
  parts: OperationParts,
  stored: Stored,
  request: Omit<ReloadRequest, 'trigger'>,
): Promise<Reloaded> {
  const line = await offlineReloader(parts, stored);
  try {
    return await line.reload({ trigger: 'operator', ...request });
  } finally {
    line.close();
  }
}

/** The stored generation with these definitions in force. */
function acceptance(stored: Stored, pins: readonly StoredPin[]): ReturnType<typeof proposalOf> {
  const tools = new Map(toolsOf(stored.source));
  for (const { server, tool: name, definition } of pins) {
    const before = tools.get(server);
    if (before === undefined || !isJsonObject(definition))
      throw new Error(`the stored policy has no server ${server}`);
    const others = before.filter((tool) => tool.name !== name);
    const after = { name, definition };
    const changed = before.map((tool) => (tool.name === name ? after : tool));
    tools.set(server, others.length === before.length ? [...before, after] : changed);
  }
  const accepts = pins.map(({ server, tool, digest }) => ({ server, tool, digest, firstUse: false }));
  return { ...proposalOf(stored, { tools }), accepts };
}

function around({
  read,
  policy,
  declared,
}: Stored): Parameters<Parameters<LiveAuthority['declare']>[0]['entries']>[0] {
  return { document: read.document, facts: read.facts, policy, stored: declared };
}

/** What is otherwise than stored. */
interface Otherwise {
  readonly declared?: readonly Declaration[];
  readonly tools?: ToolsInForce;
}

function proposalOf(
  { source: before, declared: kept }: Stored,
  { declared = kept, tools = toolsOf(before) }: Otherwise,
): Proposal {
  const lists = [...tools].map(([server, list]): [string, readonly JsonObject[]] => [
    server,
    list.map(({ definition }) => definition),
  ]);
  const source: GenerationSource = { ...before, tools: Object.fromEntries(lists) };
  const loaded = compiledWith(source, declared);
  if (!loaded.ok) throw new Error(loaded.problems[0]?.message ?? 'the stored policy cannot be read');
  const { read, policy } = loaded;
  const { protectedPaths } = source;
  return { policy, ...sourceOf({ read, policy, declared, tools, protectedPaths }) };
}

function compiledWith(
  source: GenerationSource,
  declared: readonly Declaration[],
): ReturnType<typeof compileSource> {
  return compileSource('stored', { ...source, declared });
}

/** A reloader that goes on from what is stored. */
async function offlineReloader({ store, clock }: OperationParts, { policy }: Stored): Promise<Reloader> {
  const ports = {
    store: { ...store.generations, storeId: store.id },
    cell: currentCell(),
    prover: { compare: async (...pair: Parameters<typeof prove>) => prove(...pair) },
    clock,
    alarm: systemAlarm,
    credentials: () =>
      store.keys.valid(clock.wall()).map(({ agent, instance }) => executorId(agent, instance)),
  };
  const generation = await store.generations.current();
  if (generation === undefined) throw new Error('the store has no generation');
  const { hash, source } = generation;
  const started = await start(ports, { policy, hash, source, bumpEpoch: false });
  if (started.kind === 'refused') throw new Error('the stored generation does not stand');
  return reloader(
    {
      ...ports,
      audit: store.audit,
      sessions: { all: () => [], reissue: () => false },
      freezes: new Freezes([]),
      freezeStore: store.freezes,
      giveUp: () => 0,
    },
    started,
  );
}
