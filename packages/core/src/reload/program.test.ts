import { describe, expect, expectTypeOf, test } from 'vitest';
import type { AuditRecord } from '../audit/index.js';
import { jsonArguments } from '../connector/index.js';
import { CapError, type JsonObject, denial, parseServerName } from '../ground/index.js';
import { actorTools, noSuchCapMessage } from '../handle/index.js';
import type { CallOutcome } from '../dispatch/index.js';
import { checked, defineActor, noArguments, power, spawn, toolRef } from '../vat/index.js';
import { type ProgramOptions, openProgram } from './program.js';

interface Fs {
  readonly read: (path: string) => string;
}
const fs: Fs = {
  read: (path) => {
    if (path.startsWith('/data/')) return `text of ${path}`;
    throw new CapError(
      denial({ code: 'out_of_scope', layer: 'ceiling', constraint: 'fs.root', message: 'outside of /data' }),
    );
  },
};

const path = jsonArguments({
  type: 'object',
  properties: { path: { type: 'string' }, head: { type: 'integer' } },
  required: ['path'],
  additionalProperties: false,
});

const files = defineActor({ powers: { fs: power<Fs>({ read: 'method' }) }, state: 0 }, ({ read, write }) => ({
  read: read(path, (args, turn) => {
    expectTypeOf(args.path).toEqualTypeOf<string>();
    expectTypeOf(args.head).toEqualTypeOf<number | undefined>();
    return turn.powers.fs.read(args.path);
  }),
  count: write(noArguments, (_, turn) => {
    turn.become(turn.state + 1);
    return turn.state + 1;
  }),
  hidden: read(
    checked<object>(() => undefined),
    () => 'never a tool',
  ),
}));

const policy: JsonObject = {
  pawl: 1,
  servers: { files: {} },
  agents: {
    hermes: { allow: [{ tools: ['files/*'] }] },
    other: { allow: [{ tools: ['files/read'], where: { 'args.path': { prefix: '/data/' }, rest: 'any' } }] },
  },
};

function program(options: Partial<ProgramOptions> = {}, powers: { readonly fs?: Fs } = { fs }) {
  const records: AuditRecord[] = [];
  const tools = [
    actorTools({ server: 'files', actor: files, powers, descriptions: { read: 'Reads a file.' } }),
  ];
  const made = openProgram({ policy, tools, record: (one) => void records.push(one), ...options });
  return { ...made, records, tools };
}

function told(outcome: CallOutcome): unknown {
  return outcome.kind === 'result' ? outcome.value : `${outcome.refusal.code}: ${outcome.refusal.message}`;
}

describe('a program', () => {
  test('shows a model the name, the schema and the handle of each tool, and nothing else', () => {
    const tools = program().open('hermes').tools();
    expect(tools.map(({ name }) => name)).toEqual(['files__read', 'files__count']);
    expect(Object.keys(tools[0]!)).toEqual(['name', 'schema', 'handle']);
    expect(tools[0]!.schema).toEqual(path.json);
    expect(tools[0]!.handle).toMatch(/^\/object\/[a-z2-7]{26}$/u);
  });

  test('calls a tool by its name or by its handle, and the actor keeps its state between calls', async () => {
    const { open, records } = program();
    const session = open('hermes');
    const [read, count] = session.tools();
    expect(told(await session.call({ tool: 'files__read', args: { path: '/data/a' } }))).toBe(
      'text of /data/a',
    );
    expect(told(await session.call({ handle: read!.handle, args: { path: '/data/b' } }))).toBe(
      'text of /data/b',
    );
    expect(told(await session.call({ handle: count!.handle }))).toBe(1);
    expect(told(await open('hermes').call({ tool: 'files__count', args: {} }))).toBe(2);
    const each = Array.from({ length: 4 }, () => ['intent', 'settlement']);
    expect(records.map(({ type }) => type)).toEqual(each.flat());
  });

  test('[S001.unknown-handle] [S001.no-name-folding] gives one answer for all that leads nowhere, and records why', async () => {
    let now = 0;
    const { open, records, revocations } = program({ clock: { monotonic: () => now, wall: () => now } });
    const [session, foreign, closed, revoked] = [
      open('hermes'),
      open('hermes'),
      open('hermes'),
      open('hermes'),
    ];
    const handleOf = (one: typeof session): string => one.tools()[0]!.handle;
    const rotated = handleOf(session);
    session.rotate();
    const dead = handleOf(closed);
    closed.close();
    const answers: unknown[] = [];
    for (const worded of [
      { tool: 'files__reed' },
      { tool: 'files__read ' },
      { tool: 'FILES__READ' },
      { tool: 'files/read' },
      { tool: 'files__hidden' },
      { tool: '' },
      { tool: handleOf(session) },
      { handle: '/object/aaaaaaaaaaaaaaaaaaaaaaaaaa' },
      { handle: 'files__read' },
      { handle: rotated },
      { handle: handleOf(foreign) },
      { handle: dead },
      { handle: handleOf(session), tool: 'files__read' } as never,
      {} as never,
    ])
      answers.push(told(await session.call({ ...worded, args: { path: '/data/a' } })));
    answers.push(told(await closed.call({ tool: 'files__read', args: { path: '/data/a' } })));
    const last = handleOf(revoked);
    revocations.revoke({ kind: 'session', id: revoked.id });
    answers.push(told(await revoked.call({ handle: last, args: { path: '/data/a' } })));
    now = 13 * 3_600_000;
    answers.push(told(await session.call({ tool: 'files__read', args: { path: '/data/a' } })));
    expect(new Set(answers)).toEqual(new Set([`no_such_cap: ${noSuchCapMessage}`]));
    const reasons = records.flatMap((one) => (one.type === 'refusal' ? [one.reason] : []));
    expect(reasons).toHaveLength(answers.length);
    expect(new Set(reasons)).toEqual(new Set(['unknown', 'foreign', 'expired', 'revoked']));
  });

  test('[S001.handle-not-logged] records no handle', async () => {
    const { open, records } = program();
    const session = open('hermes');
    for (const { handle } of session.tools()) await session.call({ handle, args: { path: '/etc/passwd' } });
    await session.call({ handle: '/object/aaaaaaaaaaaaaaaaaaaaaaaaaa' });
    const text = JSON.stringify(records);
    expect(records.length).toBeGreaterThan(3);
    for (const { handle } of session.tools()) expect(text).not.toContain(handle.slice('/object/'.length));
  });

  test('[S001.absent-tool] has no tool of an actor whose powers are missing, though rules may name it', async () => {
    const { open, tools } = program({}, {});
    const session = open('hermes');
    expect(tools[0]!.missing).toEqual(['fs']);
    expect(session.tools()).toEqual([]);
    expect(told(await session.call({ tool: 'files__read', args: { path: '/data/a' } }))).toContain(
      'no_such_cap',
    );
  });

  test('judges every call by the policy, and what a power refuses is the refusal of the call', async () => {
    const { open } = program();
    const other = open('other');
    expect(other.tools().map(({ name }) => name)).toEqual(['files__read']);
    expect(told(await other.call({ tool: 'files__read', args: { path: '/etc/passwd' } }))).toContain(
      'not_permitted',
    );
    const outcome = await open('hermes').call({ tool: 'files__read', args: { path: '/etc/passwd' } });
    expect(outcome).toMatchObject({ refusal: { code: 'out_of_scope', constraint: 'fs.root' } });
    const wrong = await open('hermes').call({ tool: 'files__read', args: { pth: 1 } });
    expect(told(wrong)).toContain('malformed_arguments');
  });

  test('refuses arguments that are no plain data, and leaves those of the caller as they are', async () => {
    const session = program().open('hermes');
    let deep: JsonObject = {};
    for (let level = 0; level < 100; level += 1) deep = { deep };
    for (const args of [
      deep,
      { path: (() => 1) as never },
      JSON.parse('{"__proto__":{"path":"/data/a"}}') as JsonObject,
    ])
      expect(told(await session.call({ tool: 'files__read', args }))).toContain('malformed_arguments');
    const mine = { path: '/data/a' };
    await session.call({ tool: 'files__read', args: mine });
    expect(Object.isFrozen(mine)).toBe(false);
  });

  test('makes no call that it cannot record', async () => {
    const { open } = program({
      record: async () => {
        await Promise.resolve();
        throw new Error('the disk is full');
      },
    });
    const session = open('hermes');
    expect(told(await session.call({ tool: 'files__count' }))).toContain('audit_unavailable');
  });

  test('[S001.mount-atomic] lets a call in flight finish when its tool is replaced, and gives new calls the new one', async () => {
    let go: (text: string) => void = () => undefined;
    const old = defineActor({}, ({ read }) => ({
      read: read(path, async () => new Promise<string>((resolve) => (go = resolve))),
    }));
    const tools = [actorTools({ server: 'files', actor: old, powers: {} })];
    const { open, registry } = openProgram({ policy, tools, record: () => undefined });
    const session = open('hermes');
    const [before] = session.tools();
    const flying = session.call({ handle: before!.handle, args: { path: 'a' } });
    await new Promise((resolve) => setImmediate(resolve));
    const next = spawn(
      defineActor({}, ({ read }) => ({ read: read(path, () => 'new') })),
      {},
    );
    registry.refresh(
      parseServerName('files')!,
      tools[0]!.entries.map((entry) => ({ ...entry, ref: toolRef(next, 'read') })),
    );
    expect(told(await session.call({ handle: before!.handle, args: { path: 'a' } }))).toBe('new');
    registry.refresh(parseServerName('files')!, []);
    expect(session.tools()).toEqual([]);
    expect(told(await session.call({ handle: before!.handle, args: { path: 'a' } }))).toContain(
      'no_such_cap',
    );
    go('old');
    expect(told(await flying)).toBe('old');
  });

  test('ends the powers of a call in flight in the step of its revocation', async () => {
    const uses: string[] = [];
    let go: () => void = () => undefined;
    const slow = defineActor({ powers: { fs: power<Fs>({ read: 'method' }) } }, ({ read }) => ({
      read: read(path, async (args, turn) => {
        await new Promise<void>((resolve) => (go = resolve));
        try {
          uses.push(turn.powers.fs.read(args.path));
        } catch (error) {
          uses.push(error instanceof CapError ? error.refusal.code : 'other');
        }
      }),
    }));
    const { open, revocations } = openProgram({
      policy,
      tools: [actorTools({ server: 'files', actor: slow, powers: { fs } })],
      record: () => undefined,
    });
    const session = open('hermes');
    const flying = session.call({ tool: 'files__read', args: { path: '/data/a' } });
    await new Promise((resolve) => setImmediate(resolve));
    revocations.revoke({ kind: 'session', id: session.id });
    go();
    await flying;
    expect(uses).toEqual(['no_such_cap']);
  });

  test('does not open with a policy that is wrong, for an unknown agent, or with a name that is none', () => {
    expect(() => program({ policy: { pawl: 1, agents: { a: { alow: [] } } } })).toThrow('alow');
    expect(() => program().open('nobody')).toThrow('no agent that the policy knows');
    expect(() => actorTools({ server: 'Files', actor: files, powers: { fs } })).toThrow('[a-z][a-z0-9-]*');
  });
});

test('[P.delegate.meet] a program delegates: the child has less, and ends with its parent', async () => {
  const delegating = {
    ...policy,
    agents: { hermes: { allow: [{ tools: ['files/*'] }], delegate: { depth: 1 } } },
  };
  const { open, records } = program({ policy: delegating });
  const parent = open('hermes');
  const made = await parent.delegate({
    allow: [{ tools: ['files/read'], where: { 'args.path': { prefix: '/data/' } } }],
  });
  if (made.kind !== 'delegated') throw new Error(made.message);
  const child = made.session;
  expect(child.tools().map(({ name }) => name)).toEqual(['files__read']);
  const read = (at: string): Promise<CallOutcome> => child.call({ tool: 'files__read', args: { path: at } });
  expect(await read('/data/a')).toMatchObject({ kind: 'result', value: 'text of /data/a' });
  expect(await read('/etc/passwd')).toMatchObject({ refusal: { code: 'not_permitted' } });
  expect(await child.delegate({ allow: [{ tools: ['files/read'] }] })).toMatchObject({
    code: 'not_permitted',
  });
  expect(records.map(({ type }) => type)).toContain('event');
  parent.close();
  expect(await read('/data/a')).toMatchObject({ refusal: { code: 'no_such_cap' } });
});

test('[P.view.follows] a program is shown what its session can use, and a child session what was delegated', async () => {
  const delegating = {
    ...policy,
    agents: { hermes: { allow: [{ tools: ['files/*'] }], delegate: { depth: 1 } } },
  };
  const { open } = program({ policy: delegating });
  const parent = open('hermes');
  const made = await parent.delegate({
    allow: [{ tools: ['files/read'], where: { 'args.path': ['/data/a', '/data/b'] } }],
  });
  if (made.kind !== 'delegated') throw new Error(made.message);
  const pathOf = (session: Pick<typeof parent, 'tools'>): unknown => {
    const schema = session.tools().find(({ name }) => name === 'files__read')?.schema;
    return (schema?.['properties'] as Record<string, unknown> | undefined)?.['path'];
  };
  expect(pathOf(parent)).not.toHaveProperty('enum');
  expect(pathOf(made.session)).toMatchObject({ enum: ['/data/a', '/data/b'] });
});
