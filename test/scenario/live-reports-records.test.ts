/** Failure reports about what is refused when something is missing, what is written down, and calls that are made again and again. */
import { describe, expect, test } from 'vitest';
import { memoryStore } from '../../packages/gateway/src/store/index.js';
import { readPolicyText } from '../../packages/gateway/src/config/index.js';
import { type House, openHouse } from './live/house.js';
import { type ProgramTool, echoes, noting } from './live/programs.js';

const policy = (rules: string, more = ''): string => `
pawl: 1
servers: { s: { command: s-mcp, root: /workspace } }
agents: { a: { ${rules} } }
${more}`;

interface Noted {
  readonly house: House;
  readonly reached: readonly unknown[];
}

async function noted(
  tools: Readonly<Record<string, ProgramTool>>,
  rules: string,
  store = memoryStore(),
): Promise<Noted> {
  const reached: [string, never][] = [];
  const programs = { 's-mcp': noting(reached, tools) };
  return { house: await openHouse({ policy: policy(rules), programs, store }), reached };
}

/** Refusals of calls in order. */
async function refusals(house: House): Promise<readonly object[]> {
  return (await house.records()).filter(({ type }) => type === 'refusal');
}

describe('[P.reports.live] what cannot be checked is refused', () => {
  test('R194: a ceiling that was declared and cannot be used refuses', async () => {
    const store = memoryStore();
    const unreadable = { of: 'a', on: 's' } as never;
    const broken = { ...store, declarations: { ...store.declarations, list: async () => [unreadable] } };
    const { house, reached } = await noted({ pay: echoes('amount') }, 'allow: [ { tools: [s/*] } ]', broken);
    const answer = await (await house.session('a')).call('s/pay', { amount: '1' });
    expect(answer.code).toBe('unreadable_ceiling');
    expect(reached).toEqual([]);
  });

  test('R195: where no approval can be taken down, none is taken for given', async () => {
    const store = memoryStore();
    const rule = 'allow: [ { tools: [s/*], ask: once } ]';
    const { house, reached } = await noted({ run_command: echoes('command') }, rule, store);
    const session = await house.session('a');
    const asked = await session.call('s/run_command', { command: 'ls' });
    await store.close();
    await expect(house.operate('approve', { id: asked.ask, says: 'yes' })).rejects.toThrow(/control/u);
    expect((await session.call('s/run_command', { command: 'ls' })).code).toBeDefined();
    expect(reached).toEqual([]);
  });

  test('R196: what a policy says and Pawl cannot enforce is a load error, and what it can is enforced', async () => {
    const rule =
      'allow: [ { tools: [s/write_file], where: { args.path: { path: [/workspace/**] }, rest: any } } ]';
    const { house, reached } = await noted({ write_file: echoes('path', 'content') }, rule);
    const session = await house.session('a');
    expect((await session.call('s/write_file', { path: '/etc/x', content: 'x' })).code).toBe('not_permitted');
    expect((await session.call('s/write_file', { path: '/workspace/x', content: 'x' })).code).toBeUndefined();
    expect(reached).toEqual([['write_file', { path: '/workspace/x', content: 'x' }]]);
    const surfaces = policy(rule).replace('root: /workspace', 'root: /workspace, surfaces: [sampling]');
    expect(readPolicyText('pawl.yaml', surfaces)).toMatchObject({ ok: false });
  });
});

describe('[P.reports.live] refusals are written down', () => {
  test('R197: with who called what, the rule, and the generation', async () => {
    const rules = 'allow: [ { tools: [s/*] } ], deny: [ { tools: [s/pay], where: { args.amount: ["1"] } } ]';
    const { house, reached } = await noted({ pay: echoes('amount') }, rules);
    expect((await (await house.session('a')).call('s/pay', { amount: '1' })).code).toBe('denied');
    expect(await refusals(house)).toMatchObject([
      { executor: 'a', tool: 's/pay', rule: 'agents.a.deny[0]', policyGeneration: { number: 1 } },
    ]);
    expect(reached).toEqual([]);
  });

  test('with the reason, in the mode that enforces', async () => {
    const rules = 'allow: [ { tools: [s/fetch], where: { args.url: { url: ["https://open.example"] } } } ]';
    const { house } = await noted({ fetch: echoes('url') }, rules);
    await (await house.session('a')).call('s/fetch', { url: 'https://blocked.example/' });
    const [record] = await refusals(house);
    expect(record).toMatchObject({ verdict: 'deny', code: 'not_permitted', constraint: 'args.url' });
  });

  test('R199: with the rule that decided and its layer', async () => {
    const rules =
      'allow: [ { tools: [s/*] } ], deny: [ { tools: [s/keep] }, { where: { args.all: ["yes"] } } ]';
    const { house } = await noted({ wipe: echoes('all'), keep: echoes() }, rules);
    await (await house.session('a')).call('s/wipe', { all: 'yes' });
    expect(await refusals(house)).toMatchObject([
      { rule: 'agents.a.deny[1]', layer: 'policy', code: 'denied' },
    ]);
  });

  test('R200: twenty targets tried are twenty records under one code', async () => {
    const rules = 'allow: [ { tools: [s/connect], where: { args.host: [mine] } } ]';
    const { house } = await noted({ connect: echoes('host') }, rules);
    const session = await house.session('a');
    for (let n = 1; n <= 20; n += 1) await session.call('s/connect', { host: `h${n}` });
    const codes = (await refusals(house)).map((record) => 'code' in record && record.code);
    expect(codes).toEqual(Array.from({ length: 20 }, () => 'not_permitted'));
  });
});

describe('[P.reports.live] calls that are made again and again', () => {
  const rules = 'allow: [ { tools: [s/run_command], where: { args.command: [ls] } } ]';

  test('R210: a call that is refused again gets the same final answer with what is allowed, and is counted', async () => {
    const { house } = await noted({ run_command: echoes('command') }, rules);
    const session = await house.session('a');
    const answers = [];
    for (let n = 0; n < 3; n += 1) answers.push(await session.call('s/run_command', { command: 'git log' }));
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers[1]).toMatchObject({ code: 'not_permitted', retryable: false });
    expect(answers[1]?.text).toMatch(/command.*ls/u);
    expect(await refusals(house)).toMatchObject([{}, { repeated: 2 }, { repeated: 3 }]);
  });

  test('R212: the operator is told of a call that was refused twenty times', async () => {
    const { house } = await noted({ run_command: echoes('command') }, rules);
    const session = await house.session('a');
    for (let n = 0; n < 25; n += 1) await session.call('s/run_command', { command: 'x' });
    const events = (await house.records()).filter(
      (record) => record.type === 'event' && record.event === 'repeated_refusal',
    );
    expect(events).toHaveLength(1);
  });
});
