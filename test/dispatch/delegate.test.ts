/** Delegation at the mediation point: what a child session may do, what it is charged to, and when it ends. */
import { type DelegatedSession, type Json, type Session, accessExclusion } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from './world.js';
import { FakeAlarm } from '../fake-reload.js';

const text = { type: 'string' };
const file = (more: object = {}) => ({
  type: 'object',
  properties: { path: text, ...more },
  required: ['path'],
  additionalProperties: false,
});
const tools = {
  files: { read_text_file: file(), write_file: file({ content: text }) },
  s: {
    t: { type: 'object', properties: { x: text }, additionalProperties: false },
    run: { type: 'object', properties: { command: text }, additionalProperties: false },
  },
};
const document = (agents: string): string => `pawl: 1
servers:
  files: { command: f, connector: filesystem, root: /data }
  s: { command: s }
agents:
${agents}
`;
const lead = (rest = 'delegate: { depth: 2 }'): string => `  lead:
    allow:
      - { tools: [files/read_text_file], where: { path: /data/** } }
      - { tools: [files/write_file], where: { path: /data/out/** } }
      - { tools: [s/t] }
    deny: [ { where: { path: "**/.env" } } ]
    ${rest}`;
const reads = (path: string): Json => [{ tools: ['files/read_text_file'], where: { path } }];

function world(agents: string = lead(), more: Partial<ConstructorParameters<typeof World>[0]> = {}): World {
  return new World({ policy: document(agents), tools, ttl: 3_600_000, ...more });
}

async function child(
  w: World,
  allow: Json,
  more: object = {},
  parent: Session['id'] = w.open('lead').id,
): Promise<DelegatedSession> {
  const made = await w.delegate(parent, { allow, ...more });
  if (made.kind !== 'delegated') throw new Error(`${made.code}: ${made.message}`);
  return made;
}

async function refusedWith(w: World, request: object, who = 'lead'): Promise<unknown> {
  const made = await w.delegate(w.open(who).id, request as never);
  return made.kind === 'delegated' ? 'delegated' : made.code;
}

const codeIn = async (
  w: World,
  made: DelegatedSession,
  name: string,
  args: Json,
): Promise<string | undefined> => refusalOf(await w.callIn(made.session.id, name, args))?.code;
const read = 'files__read_text_file';

describe('[P.delegate.meet] a child session', () => {
  test('[P.delegate.right] a depth or a time that is no such number is refused, and gives no right to anybody', async () => {
    const w = world(lead('delegate: { depth: 1 }'));
    const allow = reads('/data/**');
    for (const more of [
      { depth: Number.NaN },
      { depth: -1 },
      { depth: 0.5 },
      { depth: Infinity },
      { depth: '1' },
      { ttl: Number.NaN },
      { ttl: 0 },
      { ttl: -1 },
      { ttl: 'long' },
      { as: { indexOf: () => -1 } },
    ])
      expect(await refusedWith(w, { allow, ...more }), JSON.stringify(more)).toMatch(
        /malformed_arguments|no_agent/u,
      );
    const made = await child(w, allow, { depth: 7, ttl: Infinity });
    expect(made.certificate.depth).toBe(0);
    expect(await w.delegate(made.session.id, { allow })).toMatchObject({ code: 'not_permitted' });
  });

  test('may do what its parent may and its rules say, and nothing else', async () => {
    const w = world();
    const made = await child(w, reads('/data/in/**'));
    expect(w.names(made.session.id)).toEqual([read]);
    expect(await codeIn(w, made, read, { path: '/data/in/a' })).toBeUndefined();
    expect(await codeIn(w, made, read, { path: '/data/other' })).toBe('not_permitted');
    expect(await codeIn(w, made, read, { path: '/data/in/.env' })).toBe('denied');
    expect(await codeIn(w, made, 'files__write_file', { path: '/data/out/a' })).toBe('no_such_cap');
  });

  test('gets nothing by asking for more than its parent holds, and the record says what', async () => {
    const w = world();
    const made = await child(w, [
      { tools: ['files/read_text_file'] },
      { tools: ['s/run', 'elsewhere/tool'] },
      { tools: ['s/t'], where: { 'args.x': ['a'] } },
    ]);
    expect(await codeIn(w, made, read, { path: '/etc/passwd' })).toBe('not_permitted');
    expect(await codeIn(w, made, read, { path: '/data/a' })).toBeUndefined();
    expect(made.certificate).toMatchObject({
      relation: 'meet',
      notGranted: [{ tool: 'files/read_text_file', left: 'part' }],
      notHeld: ['s/run', 'elsewhere/tool'],
      executors: ['lead'],
    });
    const [event] = w.audit.of('event').filter((each) => each.event === 'delegated');
    expect(event?.data).toMatchObject({
      parentSession: w.open('lead').id,
      session: made.session.id,
      certificate: { relation: 'meet', notHeld: ['s/run', 'elsewhere/tool'] },
    });
    expect(JSON.stringify(w.audit.records)).not.toContain(made.name);
  });

  test('is refused where nothing would be left, where rules cannot be read, and without the right', async () => {
    const w = world(`${lead()}\n  plain: { allow: [ { tools: [s/t] } ] }`);
    expect(await refusedWith(w, { allow: [{ tools: ['s/run'] }] })).toBe('not_permitted');
    expect(await refusedWith(w, { allow: reads('/etc/**') })).toBe('not_permitted');
    expect(await refusedWith(w, { allow: reads('a**b') })).toBe('malformed_arguments');
    expect(await refusedWith(w, { allow: [{ tools: ['s/t'], wher: {} }] })).toBe('malformed_arguments');
    expect(await refusedWith(w, { allow: [] })).toBe('malformed_arguments');
    expect(await refusedWith(w, { allow: [{ tools: ['s/t'] }], as: 'nobody' })).toBe('no_agent');
    expect(await refusedWith(w, { allow: [{ tools: ['s/t'] }] }, 'plain')).toBe('not_permitted');
  });

  test('goes at the lower of the levels, and its approvals are its own', async () => {
    const w = world();
    const made = await child(w, [{ tools: ['s/t'], ask: 'once' }]);
    expect(await codeIn(w, made, 's__t', {})).toBe('consent_required');
    expect(refusalOf(await w.call('lead', 's__t', {}))).toBeUndefined();
  });

  test('fills an argument of which parent and rules leave one value', async () => {
    const agents = `  lead:
    allow: [ { tools: [s/t], where: { args.x: [a, b] } } ]
    delegate: { depth: 1 }`;
    const w = world(agents);
    const made = await child(w, [{ tools: ['s/t'], where: { 'args.x': ['b', 'c'] } }]);
    expect(await codeIn(w, made, 's__t', {})).toBeUndefined();
    expect(w.arrivals.at(-1)?.args).toEqual({ x: 'b' });
    expect(await codeIn(w, made, 's__t', { x: 'c' })).toBe('not_permitted');
  });

  test('reads commands where its rules do, and holds its parent to its own words', async () => {
    const agents = `  lead:
    allow: [ { tools: [s/run], where: { args.command: ["git status", "ls"] } } ]
    delegate: { depth: 1 }`;
    const w = world(agents);
    const made = await child(w, [{ tools: ['s/run'], where: { 'args.command': { program: ['git'] } } }]);
    expect(await codeIn(w, made, 's__run', { command: 'git status' })).toBeUndefined();
    expect(await codeIn(w, made, 's__run', { command: 'git push' })).toBe('not_permitted');
    expect(await codeIn(w, made, 's__run', { command: 'ls' })).toBe('not_permitted');
  });

  test('is held to denials that its parent writes for calls, though its rules read commands', async () => {
    const agents = `  lead:
    allow: [ { tools: [s/run] } ]
    deny: [ { verbs: [call], where: { args.command: { glob: "*push*" } } } ]
    limits: { few: { tools: [s/*], verbs: [call], uses: 2, per: session } }
    delegate: { depth: 1 }`;
    const w = world(agents);
    const made = await child(w, [{ tools: ['s/run'], where: { 'args.command': { program: ['git'] } } }]);
    expect(await codeIn(w, made, 's__run', { command: 'git push' })).toBe('denied');
    expect(await codeIn(w, made, 's__run', { command: 'git status' })).toBeUndefined();
    expect(await codeIn(w, made, 's__run', { command: 'git log' })).toBeUndefined();
    expect(await codeIn(w, made, 's__run', { command: 'git diff' })).toBe('limit_used_up');
  });

  test('acts as another agent only within what both hold', async () => {
    const worker = `  worker:
    allow: [ { tools: [files/read_text_file], where: { path: /data/** } }, { tools: [s/run] } ]
    deny: [ { where: { path: /data/private/** } } ]`;
    const w = world(`${lead()}\n${worker}`);
    const made = await child(w, [{ tools: ['files/read_text_file', 's/run'] }], { as: 'worker' });
    expect(w.names(made.session.id)).toEqual([read]);
    expect(await codeIn(w, made, read, { path: '/data/private/notes.md' })).toBe('denied');
    expect(await codeIn(w, made, read, { path: '/data/.env' })).toBe('denied');
    expect(await codeIn(w, made, read, { path: '/data/a' })).toBeUndefined();
    expect([...(w.capability(made.session.id, read)?.epochs.keys() ?? [])]).toEqual(['lead', 'worker']);
  });
});

describe('[P.delegate.right] depth', () => {
  const rules = [{ tools: ['s/t'] }];

  test('is at most one less than the parent’s, and ends', async () => {
    const w = world();
    const first = await child(w, rules, { depth: 9 });
    expect(first.certificate.depth).toBe(1);
    const second = await child(w, rules, { depth: 9 }, first.session.id);
    expect(second.certificate.depth).toBe(0);
    expect(await w.delegate(second.session.id, { allow: rules })).toMatchObject({ code: 'not_permitted' });
    const last = await child(w, rules);
    expect(await w.delegate(last.session.id, { allow: rules })).toMatchObject({ code: 'not_permitted' });
  });

  test('of a grandchild: both rules hold, and what the child lost does not come back', async () => {
    const w = world();
    const first = await child(w, reads('/data/a/**'), { depth: 1 });
    const second = await child(w, reads('/data/**'), {}, first.session.id);
    expect(await codeIn(w, second, read, { path: '/data/a/x' })).toBeUndefined();
    expect(await codeIn(w, second, read, { path: '/data/b' })).toBe('not_permitted');
    expect(second.certificate.notGranted).toEqual([{ tool: 'files/read_text_file', left: 'part' }]);
  });

  test('a right that is taken away ends what it gave', async () => {
    const w = world();
    const made = await child(w, rules);
    expect(w.names(made.session.id)).toEqual(['s__t']);
    w.reload(document(lead('delegate: { depth: 0 }')));
    expect(w.names(made.session.id)).toEqual([]);
    expect(await codeIn(w, made, 's__t', {})).toBe('not_permitted');
  });
});

describe('[P.delegate.meet] a child ends', () => {
  const rules = [{ tools: ['s/t'] }];

  test('with its parent session, its key, its executor, and whoever it acts as', async () => {
    const worker = '  worker: { allow: [ { tools: [s/t] } ] }';
    const ends = ['session', 'key', 'executor', 'as'] as const;
    for (const end of ends) {
      const w = world(`${lead()}\n${worker}`);
      const made = await child(w, rules, { as: 'worker', depth: 0 });
      const { parent } = made.session.child!;
      const { key, executor } = made.session;
      expect(await codeIn(w, made, 's__t', {})).toBeUndefined();
      if (end === 'session') w.revocations.revoke({ kind: 'session', id: parent });
      else if (end === 'key') w.revocations.revoke({ kind: 'key', id: key });
      else w.revocations.revoke({ kind: 'executor', id: end === 'as' ? ('worker' as never) : executor });
      expect(await codeIn(w, made, 's__t', {}), end).toBe('no_such_cap');
      expect(w.names(made.session.id), end).toEqual([]);
      expect(w.sessions.get(made.session.id), end).toBeUndefined();
    }
  });

  test('with the parent’s capability, tool by tool, and a later child gets none of it either', async () => {
    const w = world();
    const parent = w.open('lead').id;
    const made = await child(w, [{ tools: ['s/t', 'files/read_text_file'] }], { depth: 1 });
    const grand = await child(w, rules, {}, made.session.id);
    w.revocations.revoke({ kind: 'capability', id: w.capability(parent, 's__t')!.id });
    expect([w.names(made.session.id), w.names(grand.session.id)]).toEqual([[read], []]);
    expect(await codeIn(w, made, 's__t', {})).toBe('no_such_cap');
    expect(await codeIn(w, made, read, { path: '/data/a' })).toBeUndefined();
    const later = await child(w, [{ tools: ['s/t', 'files/read_text_file'] }]);
    expect(w.names(later.session.id)).toEqual([read]);
  });

  test('alone: revoking the child leaves the parent as it was', async () => {
    const w = world();
    const made = await child(w, rules);
    w.revocations.revoke({ kind: 'session', id: made.session.id });
    expect(await codeIn(w, made, 's__t', {})).toBe('no_such_cap');
    expect(refusalOf(await w.call('lead', 's__t', {}))).toBeUndefined();
  });

  test('after its ttl, and no later than its parent', async () => {
    const w = world();
    const brief = await child(w, rules, { ttl: 1000 });
    const long = await child(w, rules, { ttl: 1e12 });
    w.now = 1000;
    expect(await codeIn(w, brief, 's__t', {})).toBe('no_such_cap');
    expect(await codeIn(w, long, 's__t', {})).toBeUndefined();
    w.now = 3_600_000;
    expect(await codeIn(w, long, 's__t', {})).toBe('no_such_cap');
  });

  test('with the epoch of any executor on the way, and is not reissued', async () => {
    const w = world();
    const made = await child(w, rules);
    w.reload(document(lead()), true);
    expect(await codeIn(w, made, 's__t', {})).toBe('no_such_cap');
    expect(w.sessions.reissue(made.session.id)).toBe(false);
    expect(w.sessions.reissue(w.open('lead').id)).toBe(true);
    expect(w.names(made.session.id)).toEqual([]);
  });

  test('when frozen with its parent or with whoever it acts as', async () => {
    const w = world(`${lead()}\n  worker: { allow: [ { tools: [s/t] } ] }`);
    const made = await child(w, rules, { as: 'worker' });
    expect(w.names(made.session.id)).toEqual(['s__t']);
    w.freezes.freeze('worker');
    expect(await codeIn(w, made, 's__t', {})).toBe('not_permitted');
    expect(refusalOf(await w.call('lead', 's__t', {}))).toBeUndefined();
  });

  test('also for calls that wait: none is made once its parent was revoked', async () => {
    const w = world();
    const made = await child(w, rules);
    w.audit.hold();
    const waiting = w.callIn(made.session.id, 's__t', {});
    w.revocations.revoke({ kind: 'session', id: made.session.child!.parent });
    w.audit.release();
    expect(refusalOf(await waiting)?.code).toBe('no_such_cap');
    expect(w.arrivals).toEqual([]);
  });

  test('also for calls that wait behind another', async () => {
    let finish = (): void => undefined;
    const w = world(lead(), {
      exclusion: accessExclusion(new FakeAlarm()),
      answer: () => new Promise<string>((resolve) => (finish = () => resolve('ok'))),
    });
    const made = await child(w, rules);
    const first = w.callIn(made.session.id, 's__t', {});
    const second = w.callIn(made.session.id, 's__t', {});
    while (w.arrivals.length === 0) await Promise.resolve();
    w.revocations.revoke({ kind: 'capability', id: w.capability(w.open('lead').id, 's__t')!.id });
    expect(refusalOf(await second)?.code).toBe('no_such_cap');
    finish();
    await first;
    expect(w.arrivals).toHaveLength(1);
  });

  test('in part when a reload narrows its parent, at once', async () => {
    const w = world();
    const made = await child(w, reads('/data/**'));
    expect(await codeIn(w, made, read, { path: '/data/b' })).toBeUndefined();
    w.reload(document(lead().replace('path: /data/** }', 'path: /data/a/** }')));
    expect(await codeIn(w, made, read, { path: '/data/b' })).toBe('not_permitted');
    expect(await codeIn(w, made, read, { path: '/data/a/b' })).toBeUndefined();
  });
});

describe('[P.delegate.charged] what a child is charged to', () => {
  const counted = (limits: string, uses = ''): string => `  lead:
    allow: [ { tools: [s/t]${uses} } ]
    ${limits}
    delegate: { depth: 1 }`;
  const rules = [{ tools: ['s/t'] }];

  test.each(['session', 'executor', 'day'])('a limit per %s is its parent’s own', async (per) => {
    const w = world(counted(`limits: { few: { tools: [s/t], uses: 2, per: ${per} } }`));
    const [one, two] = [await child(w, rules), await child(w, rules)];
    expect(await codeIn(w, one, 's__t', {})).toBeUndefined();
    expect(await codeIn(w, two, 's__t', {})).toBeUndefined();
    expect(await codeIn(w, one, 's__t', {})).toBe('limit_used_up');
    expect(refusalOf(await w.call('lead', 's__t', {}))?.code).toBe('limit_used_up');
  });

  test('a budget of a rule is its parent’s own, and rules of the child may have one as well', async () => {
    const w = world(counted('', ', uses: 3'));
    const made = await child(w, [{ tools: ['s/t'], uses: 1 }]);
    expect(await codeIn(w, made, 's__t', {})).toBeUndefined();
    expect(await codeIn(w, made, 's__t', {})).toBe('limit_used_up');
    const other = await child(w, rules);
    expect(await codeIn(w, other, 's__t', {})).toBeUndefined();
    expect(refusalOf(await w.call('lead', 's__t', {}))).toBeUndefined();
    expect(refusalOf(await w.call('lead', 's__t', {}))?.code).toBe('limit_used_up');
    expect(await codeIn(w, other, 's__t', {})).toBe('limit_used_up');
  });

  test('limits and budgets of whoever it acts as hold too', async () => {
    const worker = `  worker:
    allow: [ { tools: [s/t] } ]
    limits: { once: { tools: [s/t], uses: 1, per: executor } }`;
    const w = world(`${counted('')}\n${worker}`);
    const made = await child(w, rules, { as: 'worker' });
    expect(await codeIn(w, made, 's__t', {})).toBeUndefined();
    expect(await codeIn(w, made, 's__t', {})).toBe('limit_used_up');
    expect(refusalOf(await w.call('worker', 's__t', {}))?.code).toBe('limit_used_up');
    expect(refusalOf(await w.call('lead', 's__t', {}))).toBeUndefined();
  });
});

describe('[P.delegate.child-session] names of children', () => {
  const rules = [{ tools: ['s/t'] }];

  test('lead somewhere beside the session of their own credential only', async () => {
    const w = world(`${lead()}\n  other: { allow: [ { tools: [s/t] } ], delegate: { depth: 1 } }`);
    const made = await child(w, rules, { depth: 1 });
    const grand = await child(w, rules, {}, made.session.id);
    const [own, foreign] = [w.open('lead').id, w.open('other').id];
    expect(w.sessions.childOf(own, made.name)).toBe(made.session.id);
    expect(w.sessions.childOf(own, grand.name)).toBe(grand.session.id);
    expect(w.sessions.childOf(foreign, made.name)).toBeUndefined();
    expect(w.sessions.childOf(made.session.id, grand.name)).toBeUndefined();
    expect(w.sessions.childOf(own, `${made.name} `)).toBeUndefined();
  });

  test('there are 64 at most, and one that ended makes room', async () => {
    const w = world();
    for (let at = 0; at < 64; at += 1) await child(w, rules, at === 0 ? { ttl: 10 } : {});
    expect(await refusedWith(w, { allow: rules })).toBe('limit_used_up');
    w.now = 10;
    expect(await refusedWith(w, { allow: rules })).toBe('delegated');
  });

  test('[P.delegate.recorded] without a durable record there is no child', async () => {
    const w = world();
    w.audit.broken = true;
    expect(await refusedWith(w, { allow: rules })).toBe('audit_unavailable');
    expect(w.sessions.all().filter((session) => session.child !== undefined)).toEqual([]);
  });

  test('[P.delegate.recorded] calls of a child say whose child it is', async () => {
    const w = world();
    const made = await child(w, rules);
    await w.callIn(made.session.id, 's__t', {});
    expect(w.audit.of('intent').at(-1)).toMatchObject({
      executor: 'lead',
      session: made.session.id,
      parentSession: w.open('lead').id,
    });
  });
});
