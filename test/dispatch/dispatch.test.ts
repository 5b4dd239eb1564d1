/** The mediation point: what reaches an actor, what does not, and what is written down of it. */
import { type JsonObject, layers, denialCodes, faultCodes, maxMessageLength } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from './world.js';

const text = { type: 'string' };
const tools = {
  s: {
    t: { type: 'object', properties: { x: text, note: text }, required: ['x'], additionalProperties: false },
    u: { type: 'object', properties: { y: text }, additionalProperties: false },
  },
  files: {
    read_text_file: { type: 'object', properties: { path: text }, required: ['path'] },
    write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
};
const servers = `pawl: 1
servers:
  s: { command: s }
  files: { command: f, connector: filesystem, root: /data }
`;
const open = `${servers}agents:
  a: { allow: [ { tools: [s/t, s/u] } ] }
`;
const onlyRed = `${servers}agents:
  a: { allow: [ { tools: [s/t], where: { args.x: [red], args.note: any } } ] }
`;

describe('the sequence', () => {
  test('[S001.no-name-dispatch] a call is found by its handle in its own session, and a foreign handle leads nowhere', async () => {
    const world = new World({
      policy: `${servers}agents:\n  a: { allow: [ { tools: [s/t] } ] }\n  b: { allow: [ { tools: [s/t] } ] }\n`,
      tools,
    });
    const handle = world.handle('a', 's__t');
    expect(await world.callBy('a', handle, { x: '1' })).toMatchObject({ kind: 'result', value: 'ok' });
    const foreign = refusalOf(await world.callBy('b', handle, { x: '1' }));
    const unknown = refusalOf(await world.call('b', 's__nothing', { x: '1' }));
    expect(foreign).toMatchObject({ code: 'no_such_cap' });
    expect(foreign?.message).toBe(unknown?.message);
    expect(world.arrivals).toHaveLength(1);
  });

  test('[S002.refused-at-dispatch] [S002.constraint-named] an argument outside the ceiling never reaches the tool, and the refusal names the constraint', async () => {
    const policy = `${servers}agents:
  a:
    ceiling: { filesystem: { path: [/data/pub/**] } }
    allow: [ { tools: [files/read_text_file], where: { path: /data/** } } ]
`;
    const world = new World({ policy, tools });
    const outcome = await world.call('a', 'files__read_text_file', { path: '/data/private/x' });
    expect(refusalOf(outcome)).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
      constraint: 'filesystem.path (/data/pub/**)',
    });
    expect(world.arrivals).toEqual([]);
  });

  test('[S002.reads-gated] a tool that only reads meets the same gate', async () => {
    const policy = `${servers}agents:\n  a: { allow: [ { tools: [files/write_file], where: { path: /data/** } } ] }\n`;
    const world = new World({ policy, tools });
    const outcome = await world.call('a', 'files__read_text_file', { path: '/data/x' });
    expect(outcome.kind).toBe('refused');
    expect(world.arrivals).toEqual([]);
  });

  test('[S002.executor-decides] on whose behalf a call is made changes no verdict and is written down', async () => {
    const world = new World({ policy: onlyRed, tools });
    await world.call('a', 's__t', { x: 'red' });
    await world.call('a', 's__t', { x: 'blue' });
    expect(world.audit.of('intent')[0]).toMatchObject({ onBehalfOf: 'somebody else', executor: 'a' });
    expect(world.audit.of('refusal')[0]).toMatchObject({
      onBehalfOf: 'somebody else',
      code: 'not_permitted',
    });
  });

  test('[S002.same-object] arguments that no list constrains reach the tool as the very same object', async () => {
    const world = new World({ policy: open, tools });
    const args = { x: 'anything' };
    await world.call('a', 's__t', args);
    expect(world.arrivals[0]?.args).toBe(args);
  });

  test('[P.dispatch.frozen-arguments] what was admitted cannot be changed by its sender afterwards', async () => {
    const world = new World({ policy: onlyRed, tools });
    const args = { x: 'red' };
    world.audit.hold();
    const called = world.call('a', 's__t', args);
    await Promise.resolve();
    expect(() => Object.assign(args, { x: 'blue' })).toThrow(TypeError);
    world.audit.release();
    await called;
    expect(world.arrivals[0]?.args).toEqual({ x: 'red' });
  });

  test('[P.protected.regions] no document lifts the denial of a protected region', async () => {
    const policy = `${servers}agents:\n  a: { allow: [ { tools: [files/read_text_file], where: { path: /** } } ] }\n`;
    const world = new World({ policy, tools, protectedPaths: ['/data/.pawl'] });
    const outcome = await world.call('a', 'files__read_text_file', { path: '/data/.PAWL/keys/head.pem' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'denied', rule: 'protected' });
    expect((await world.call('a', 'files__read_text_file', { path: '/data/x' })).kind).toBe('result');
  });
});

describe('obligations', () => {
  const asking = `${servers}agents:
  a: { allow: [ { tools: [s/t], where: { args.x: [red, blue] }, ask: once } ], deny: [ { tools: [s/t], where: { args.x: [blue] } } ] }
`;

  test('[P.ask.consent-required] a call that has to be asked for is refused until somebody approves, and is not made', async () => {
    const world = new World({ policy: asking, tools });
    const outcome = await world.call('a', 's__t', { x: 'red' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'consent_required', layer: 'ask', retryable: true });
    expect(world.audit.of('refusal')[0]).toMatchObject({ verdict: 'ask' });
    expect(world.arrivals).toEqual([]);
  });

  test('[P.ask.out-of-scope-first] what is out of scope is refused and never asked', async () => {
    const world = new World({ policy: asking, tools });
    expect(refusalOf(await world.call('a', 's__t', { x: 'blue' }))).toMatchObject({ code: 'denied' });
    expect(refusalOf(await world.call('a', 's__t', { x: 'green' }))).toMatchObject({ code: 'not_permitted' });
  });

  test('a call that waited too long for its turn is busy and nothing of it is charged or made', async () => {
    const world = new World({
      policy: open,
      tools,
      exclusion: { enter: () => Promise.resolve('busy' as const) },
    });
    expect(refusalOf(await world.call('a', 's__t', { x: '1' }))).toMatchObject({
      code: 'busy',
      layer: 'exclusion',
      retryable: true,
    });
    expect(world.arrivals).toEqual([]);
  });
});

describe('the record', () => {
  test('[P.audit.intent-first] nothing is handed over before its intent is durable', async () => {
    const world = new World({ policy: open, tools });
    world.audit.hold();
    const called = world.call('a', 's__t', { x: '1' });
    await new Promise((resolve) => setImmediate(resolve));
    expect(world.audit.of('intent')).toHaveLength(1);
    expect(world.arrivals).toEqual([]);
    world.audit.release();
    expect((await called).kind).toBe('result');
    expect(world.audit.of('settlement')).toMatchObject([{ outcome: 'ok' }]);
  });

  test('a call whose intent cannot be written is refused as audit_unavailable and not made; it goes on when the store heals', async () => {
    const world = new World({ policy: open, tools });
    world.audit.broken = true;
    expect(refusalOf(await world.call('a', 's__t', { x: '1' }))).toMatchObject({
      code: 'audit_unavailable',
      retryable: true,
    });
    expect(world.arrivals).toEqual([]);
    world.audit.broken = false;
    expect((await world.call('a', 's__t', { x: '1' })).kind).toBe('result');
  });

  test('a call whose intent cannot be written lets go of its turn', async () => {
    let held = 0;
    const hold = { release: (): void => void (held -= 1) };
    const enter = (): typeof hold => {
      held += 1;
      return hold;
    };
    const world = new World({ policy: open, tools, exclusion: { enter } });
    world.audit.broken = true;
    await world.call('a', 's__t', { x: '1' });
    world.audit.broken = false;
    await world.call('a', 's__t', { x: '1' });
    expect(held).toBe(0);
  });

  test('[P.audit.fields] an intent tells generations, epoch, rules, target and digests', async () => {
    const world = new World({ policy: onlyRed, tools });
    await world.call('a', 's__t', { x: 'red' });
    const [intent] = world.audit.of('intent');
    expect(intent).toMatchObject({
      verdict: 'permit',
      level: 'permit',
      rules: ['agents.a.allow[0]'],
      tool: 's/t',
      epoch: 0,
      confinement: 'name',
      capGeneration: { number: 1 },
      policyGeneration: { number: 1 },
      target: [{ tool: 's/t', verb: 'call' }],
    });
    expect(intent?.argumentsDigest).toMatch(/^[0-9a-f]{64}$/u);
    expect(intent?.toolDigest).toMatch(/^[0-9a-f]{64}$/u);
  });

  test('[P.audit.payload-absent] with audit.arguments authority, payload is not kept; with digest nothing is, with full everything', async () => {
    const call = async (keep: string): Promise<unknown> => {
      const policy = `${servers}agents:\n  a: { allow: [ { tools: [files/write_file], where: { path: /data/** } } ] }\naudit: { arguments: ${keep} }\n`;
      const world = new World({ policy, tools });
      await world.call('a', 'files__write_file', { path: '/data/x', content: 'SECRET' });
      expect(JSON.stringify(world.audit.records)).not.toContain('SECRET');
      return world.audit.bodies[0];
    };
    expect(await call('authority')).toEqual({ path: '/data/x' });
    expect(await call('digest')).toBeUndefined();
    expect(await call('full')).toEqual({ path: '/data/x', content: 'SECRET' });
  });

  test('[P.audit.payload-absent] of a refused call as much is kept, and nothing of one that could not be read', async () => {
    const call = async (keep: string, args: JsonObject): Promise<readonly unknown[]> => {
      const policy = `${servers}agents:\n  a: { allow: [ { tools: [files/write_file], where: { path: /data/** } } ] }\naudit: { arguments: ${keep} }\n`;
      const world = new World({ policy, tools });
      await world.call('a', 'files__write_file', args);
      await world.call('a', 'files__write_file', args);
      return world.audit.noted;
    };
    const outside = { path: '/etc/x', content: 'SECRET' };
    // The second time it is answered from memory, and nothing is kept again.
    expect(await call('authority', outside)).toEqual([{ path: '/etc/x' }, undefined]);
    expect(await call('full', outside)).toEqual([outside, undefined]);
    expect(await call('digest', outside)).toEqual([undefined, undefined]);
    expect(await call('authority', { path: '/data/x', contents: 'SECRET' })).toEqual([undefined, undefined]);
  });

  test('a tool that fails inside Pawl is the fault internal, and what it threw goes to the audit only', async () => {
    const world = new World({
      policy: open,
      tools,
      answer: () => {
        throw new Error('/home/somebody/secret');
      },
    });
    const refusal = refusalOf(await world.call('a', 's__t', { x: '1' }));
    expect(refusal).toMatchObject({ kind: 'fault', code: 'internal' });
    expect(refusal?.message).not.toContain('/home');
    expect(world.audit.of('settlement')).toMatchObject([{ outcome: 'internal' }]);
  });
});

describe('refusals', () => {
  test('[P.refusal.shape] [P.refusal.discloses-nothing] a refusal is short, says what to do next, and holds no handle and nothing of another executor', async () => {
    const long = 'x'.repeat(400);
    const policy = `${servers}agents:
  a: { allow: [ { tools: [s/t], where: { args.x: [${long}a, ${long}b] } } ] }
  other: { allow: [ { tools: [s/u], where: { args.y: [secret-of-other] } } ] }
`;
    const world = new World({ policy, tools });
    for (const [name, args] of [
      ['s__t', { x: 'no' }],
      ['s__t', {}],
      ['s__t', { x: 1 }],
      ['s__u', { y: 'z' }],
      ['zzz', {}],
    ] as const) {
      const refusal = refusalOf(await world.call('a', name, args));
      expect(refusal?.message.length).toBeLessThanOrEqual(maxMessageLength);
      expect(refusal?.message).not.toMatch(/\/object\/|secret-of-other/u);
      expect(typeof refusal?.retryable).toBe('boolean');
    }
  });

  test('[P.refusal.first-layer] when several layers would refuse, the first in their order names it', async () => {
    const policy = `${servers}agents:
  a:
    ceiling: { s: { args.x: [blue] } }
    allow: [ { tools: [s/t], where: { args.x: [red, blue], args.note: any } } ]
`;
    const world = new World({ policy, tools });
    const code = async (args: Parameters<World['call']>[2]): Promise<unknown> => {
      const refusal = refusalOf(await world.call('a', 's__t', args));
      return refusal?.kind === 'denial' ? `${refusal.layer} ${refusal.code}` : undefined;
    };
    expect(await code({ x: 3 })).toBe('decode malformed_arguments');
    expect(await code({ x: 'green' })).toBe('policy not_permitted');
    expect(await code({ x: 'red' })).toBe('ceiling out_of_scope');
  });

  test('[P.refusal.codes-closed] codes and layers are closed lists without repetition', () => {
    expect(new Set(layers).size).toBe(layers.length);
    expect(Object.keys(denialCodes).filter((code) => code in faultCodes)).toEqual([]);
  });
});
