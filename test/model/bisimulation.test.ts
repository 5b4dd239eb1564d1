/** A registry of names beside Pawl: the same results on honest calls, and others exactly where somebody cheats. */
import {
  type JsonObject,
  type ProgramSession,
  CapError,
  actorTools,
  defineActor,
  denial,
  jsonArguments,
  noArguments,
  openProgram,
  power,
} from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { NameRegistry, type World, handlers } from './name-registry.js';

type Args = Readonly<Record<string, string>>;
type Who = 'hermes' | 'other';

/** Files of one folder of the world. */
interface Folder {
  readonly read: (name: string) => string;
  readonly write: (name: string, text: string) => void;
}

function folderOf(files: Map<string, string>, folder: string): Folder {
  const at = (name: string): string => {
    if (/^[a-z]+$/u.test(name)) return `${folder}/${name}`;
    throw new CapError(
      denial({
        code: 'out_of_scope',
        layer: 'ceiling',
        constraint: 'fs.root',
        message: 'stay in the folder',
      }),
    );
  };
  return {
    read: (name) => files.get(at(name)) ?? 'no such file',
    write: (name, text) => void files.set(at(name), text),
  };
}

const name = { type: 'string' } as const;
const reading = jsonArguments({ type: 'object', properties: { name }, required: ['name'] });
const writing = jsonArguments({
  type: 'object',
  properties: { name, text: name },
  required: ['name', 'text'],
});

const notes = defineActor(
  { powers: { fs: power<Folder>({ read: 'method', write: 'method' }) } },
  ({ read, write }) => ({
    read: read(reading, (args, turn) => turn.powers.fs.read(args.name)),
    write: write(writing, (args, turn) => {
      turn.powers.fs.write(args.name, args.text);
      return 'written';
    }),
  }),
);
const logs = defineActor(
  { powers: { fs: power<Folder>({ read: 'method', write: 'method' }) } },
  ({ read }) => ({
    read: read(reading, (args, turn) => turn.powers.fs.read(args.name)),
  }),
);
const admin = defineActor({}, ({ write }) => ({ reset: write(noArguments, () => 'reset') }));

const policy: JsonObject = {
  pawl: 1,
  servers: { notes: {}, logs: {}, admin: {} },
  agents: {
    hermes: { allow: [{ tools: ['notes/*'] }, { tools: ['logs/*'] }] },
    other: { allow: [{ tools: ['logs/*'] }] },
    operator: { allow: [{ tools: ['admin/*'] }] },
  },
};

/** Both houses, with the same files. */
class Both {
  readonly #names = new NameRegistry();
  readonly #world: World;
  readonly #program: ReturnType<typeof openProgram>;
  readonly #tools: ReturnType<typeof actorTools>[];
  readonly sessions: Readonly<Record<Who, ProgramSession>>;

  constructor() {
    const files = (): Map<string, string> =>
      new Map([
        ['/notes/plan', 'a plan'],
        ['/logs/today', 'quiet'],
        ['/secrets/key', 'the key'],
      ]);
    this.#world = { files: files(), last: '/logs/today' };
    for (const [tool, handler] of Object.entries(handlers)) this.#names.register(tool, handler);
    const mine = files();
    this.#tools = [
      actorTools({ server: 'notes', actor: notes, powers: { fs: folderOf(mine, '/notes') } }),
      actorTools({ server: 'logs', actor: logs, powers: { fs: folderOf(mine, '/logs') } }),
      actorTools({ server: 'admin', actor: admin, powers: {} }),
    ];
    this.#program = openProgram({ policy, tools: this.#tools, record: () => undefined });
    this.sessions = { hermes: this.#program.open('hermes'), other: this.#program.open('other') };
  }

  /** The results of one call, of the names first. */
  async call(who: Who, tool: string, args: Args): Promise<readonly [string, string]> {
    return Promise.all([this.#names.dispatch(this.#world, tool, args), this.#pawl(who, { tool, args })]);
  }

  /** By what another session was shown: to the registry of names that is the name. */
  async callForeign(who: Who, tool: string, args: Args): Promise<readonly [string, string]> {
    const shown = this.sessions.hermes.tools().find((one) => one.name === tool);
    const handle = shown?.handle ?? '';
    return Promise.all([this.#names.dispatch(this.#world, tool, args), this.#pawl(who, { handle, args })]);
  }

  async refresh(): Promise<void> {
    const names = this.#names.refresh(handlers);
    for (const { server, entries } of this.#tools) this.#program.registry.refresh(server, entries);
    return names;
  }

  async #pawl(
    who: Who,
    worded: { tool: string; args: Args } | { handle: string; args: Args },
  ): Promise<string> {
    const outcome = await this.sessions[who].call(worded);
    return outcome.kind === 'result' ? String(outcome.value) : `refused: ${outcome.refusal.code}`;
  }
}

type Step =
  | { readonly kind: 'honest'; readonly who: Who; readonly tool: string; readonly args: Args }
  | { readonly kind: 'together'; readonly calls: readonly { readonly tool: string; readonly args: Args }[] }
  | { readonly kind: 'refresh' }
  | { readonly kind: 'attack'; readonly which: AttackName };

const names = fc.constantFrom('plan', 'today', 'other', 'new');
const reads = fc.record({
  tool: fc.constantFrom('notes__read', 'logs__read'),
  args: fc.record({ name: names }),
});
const writes = fc.record({
  tool: fc.constant('notes__write'),
  args: fc.record({ name: names, text: fc.constantFrom('x', 'y', 'a longer text') }),
});

const honest: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .oneof(reads, writes)
      .map((call) => ({ kind: 'honest' as const, who: 'hermes' as const, ...call })),
  },
  {
    weight: 1,
    arbitrary: names.map((file) => ({
      kind: 'honest' as const,
      who: 'other' as const,
      tool: 'logs__read',
      args: { name: file },
    })),
  },
  {
    weight: 1,
    arbitrary: fc
      .array(fc.oneof(reads, writes), { maxLength: 5 })
      .map((calls) => ({ kind: 'together' as const, calls })),
  },
  { weight: 1, arbitrary: fc.constant({ kind: 'refresh' as const }) },
);

/** Each gives both results. What the registry of names lets through, or loses, is in the first. */
const attacks = {
  'a name with a blank behind it': (both: Both) => both.call('hermes', 'logs__read ', { name: 'today' }),
  'a name in capitals': (both: Both) => both.call('hermes', 'LOGS__READ', { name: 'today' }),
  'a tool that was not advertised': (both: Both) => both.call('hermes', 'admin__reset', {}),
  'a path that leads out through a sibling tool': (both: Both) =>
    both.call('hermes', 'logs__read', { name: '../secrets/key' }),
  'a call while the tools are refreshed': async (both: Both) => {
    const refreshing = both.refresh();
    await Promise.resolve();
    const results = await both.call('hermes', 'logs__read', { name: 'today' });
    await refreshing;
    return results;
  },
  'what another tool left behind': async (both: Both) => {
    await both.call('hermes', 'notes__write', { name: 'plan', text: 'for the notes only' });
    return both.call('other', 'logs__read', { name: '' });
  },
  'the handle of another session': (both: Both) => both.callForeign('other', 'notes__read', { name: 'plan' }),
} as const;
type AttackName = keyof typeof attacks;
const attackNames = Object.keys(attacks) as AttackName[];

async function run(both: Both, step: Step): Promise<readonly (readonly [string, string])[]> {
  if (step.kind === 'honest') return [await both.call(step.who, step.tool, step.args)];
  if (step.kind === 'together')
    return Promise.all(step.calls.map(async ({ tool, args }) => both.call('hermes', tool, args)));
  if (step.kind === 'attack') return [await attacks[step.which](both)];
  await both.refresh();
  return [];
}

describe('[S001.bisimulation] beside a registry of names', () => {
  test('Pawl gives the same results on honest calls, one after the other, together, and between refreshes', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(honest, { maxLength: 20 }), async (steps) => {
        const both = new Both();
        for (const step of steps)
          for (const [theirs, ours] of await run(both, step)) expect(ours).toBe(theirs);
      }),
      { numRuns: 60 },
    );
  });

  test.each<[AttackName, string, string]>([
    ['a name with a blank behind it', 'quiet', 'refused: no_such_cap'],
    ['a name in capitals', 'quiet', 'refused: no_such_cap'],
    ['a tool that was not advertised', 'reset', 'refused: no_such_cap'],
    ['a path that leads out through a sibling tool', 'the key', 'refused: out_of_scope'],
    ['a call while the tools are refreshed', 'unknown tool', 'quiet'],
    ['what another tool left behind', 'for the notes only', 'refused: out_of_scope'],
    ['the handle of another session', 'a plan', 'refused: no_such_cap'],
  ])('%s gives there %j and here %j', async (which, theirs, ours) => {
    expect(await attacks[which](new Both())).toEqual([theirs, ours]);
  });

  test('Pawl differs where somebody cheats and nowhere else, in any order of honest steps and attacks', async () => {
    const step = fc.oneof(
      { weight: 4, arbitrary: honest },
      {
        weight: 1,
        arbitrary: fc.constantFrom(...attackNames).map((which): Step => ({ kind: 'attack', which })),
      },
    );
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
        const both = new Both();
        for (const one of steps) {
          const results = await run(both, one);
          for (const [theirs, ours] of results) expect(ours === theirs).toBe(one.kind !== 'attack');
        }
      }),
      { numRuns: 60 },
    );
  });
});
