/** Limits at the mediation point: when a call is charged, when it is not, and what is written with its intent. */
import { fault } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from './world.js';

const text = { type: 'string' };
const tools = {
  s: {
    t: {
      type: 'object',
      properties: { x: text, list: { type: 'array', items: text } },
      additionalProperties: false,
    },
  },
  d: {
    run_many: {
      type: 'object',
      properties: { calls: { type: 'array', items: { type: 'object' } } },
      required: ['calls'],
    },
  },
};
const servers = `servers:
  s: { command: s }
  d: { command: d, connector: dispatch }
connectors:
  dispatch: { fields: {}, tools: { run_many: { calls: { each: args.calls, tool: tool, arguments: arguments } } } }
`;
const policy = (agent: string): string => `pawl: 1\n${servers}agents:\n  a: ${agent}\n`;

function world(agent: string, more: Partial<ConstructorParameters<typeof World>[0]> = {}): World {
  return new World({ policy: policy(agent), tools, ttl: 3_600_000, ...more });
}

/** `ok`, or the code of each refusal. */
async function calls(w: World, count: number, name = 's__t', args: object = {}): Promise<readonly string[]> {
  const ends: string[] = [];
  for (let at = 0; at < count; at += 1)
    ends.push(refusalOf(await w.call('a', name, args as never))?.code ?? 'ok');
  return ends;
}

const pay = '{ allow: [ { tools: [s/t] } ], limits: { pay: { tools: [s/t], uses: 2, per: day } } }';

describe('budgets and limits', () => {
  test('[P.limit.reserved] a budget and a limit end with a refusal that names the layer', async () => {
    expect(await calls(world('{ allow: [ { tools: [s/t], uses: 2 } ] }'), 3)).toEqual([
      'ok',
      'ok',
      'limit_used_up',
    ]);
    const w = world(pay);
    expect(await calls(w, 3)).toEqual(['ok', 'ok', 'limit_used_up']);
    expect(w.audit.of('refusal')).toMatchObject([{ code: 'limit_used_up', layer: 'limit', detail: 'pay' }]);
    expect(w.arrivals).toHaveLength(2);
  });

  test('[P.limit.next-level] a rule that asks takes over from a rule that is used up', async () => {
    const w = world('{ allow: [ { tools: [s/t], uses: 1 }, { tools: [s/t], ask: once } ] }');
    expect(await calls(w, 2)).toEqual(['ok', 'consent_required']);
    const [ask] = w.approvals.waiting();
    w.approvals.answer(ask?.id ?? '', 'yes');
    expect(await calls(w, 2)).toEqual(['ok', 'consent_required']);
  });

  test('[P.limit.reserved] a call that asks is charged when it was approved, and a refused one never', async () => {
    const w = world('{ allow: [ { tools: [s/t], ask: once, uses: 1 } ] }');
    expect(await calls(w, 3)).toEqual(['consent_required', 'consent_required', 'consent_required']);
    w.approvals.answer(w.approvals.waiting()[0]?.id ?? '', 'yes');
    expect(await calls(w, 2)).toEqual(['ok', 'limit_used_up']);
  });

  test('[P.limit.reserved] a call is charged whatever its answer, and not when nothing was handed over', async () => {
    let answer: unknown = fault('upstream_gone', 'gone');
    const w = world(pay, { answer: () => answer });
    expect(await calls(w, 3)).toEqual(['upstream_gone', 'upstream_gone', 'upstream_gone']);
    answer = fault('outcome_unknown', 'lost');
    expect(await calls(w, 1)).toEqual(['outcome_unknown']);
    w.audit.broken = true;
    expect(await calls(w, 2)).toEqual(['audit_unavailable', 'audit_unavailable']);
    w.audit.broken = false;
    answer = 'ok';
    expect(await calls(w, 2)).toEqual(['ok', 'limit_used_up']);
  });

  test('[P.limit.reserved] two calls at once are not admitted by one use', async () => {
    const w = world('{ allow: [ { tools: [s/t], uses: 1 } ] }');
    const both = await Promise.all([w.call('a', 's__t', { x: '1' }), w.call('a', 's__t', { x: '2' })]);
    expect(both.map((each) => refusalOf(each)?.code ?? 'ok')).toEqual(['ok', 'limit_used_up']);
  });

  test('[P.limit.reserved] elements that several rules hold charge each rule that is needed', async () => {
    const w = world(
      '{ allow: [ { tools: [s/t], where: { args.list: [a] }, uses: 1 }, { tools: [s/t], where: { args.list: [b] } } ] }',
    );
    expect(await calls(w, 1, 's__t', { list: ['b', 'b'] })).toEqual(['ok']);
    expect(await calls(w, 2, 's__t', { list: ['a', 'b'] })).toEqual(['ok', 'limit_used_up']);
    expect(await calls(w, 1, 's__t', { list: ['a'] })).toEqual(['limit_used_up']);
    expect(await calls(w, 1, 's__t', { list: ['b'] })).toEqual(['ok']);
  });

  test('[P.limit.reserved] each call inside the arguments of a dispatcher is charged', async () => {
    const w = world(
      '{ allow: [ { tools: [d/run_many, s/t] } ], limits: { pay: { tools: [s/t], uses: 3, per: session } } }',
    );
    const inner = (count: number): object => ({
      calls: Array.from({ length: count }, () => ({ tool: 's/t', arguments: {} })),
    });
    expect(await calls(w, 1, 'd__run_many', inner(4))).toEqual(['limit_used_up']);
    expect(await calls(w, 2, 'd__run_many', inner(2))).toEqual(['ok', 'limit_used_up']);
    expect(await calls(w, 2)).toEqual(['ok', 'limit_used_up']);
  });

  test('[P.limit.kept] counts of days and executors stand in the intent, and in the settlement of what was given back', async () => {
    let answer: unknown = 'ok';
    const w = world(pay, { answer: () => answer });
    await calls(w, 1);
    answer = fault('upstream_gone', 'gone');
    await calls(w, 1);
    const counts = (count: number): object => ({
      counts: [{ executor: 'a', limit: 'pay', per: 'day', day: 0, count }],
    });
    expect(w.audit.of('intent')).toMatchObject([counts(1), counts(2)]);
    expect(w.audit.of('settlement')).toMatchObject([{}, counts(1)]);
    expect(w.audit.of('settlement')[0]).not.toHaveProperty('counts');
  });

  test('[P.limit.kept] a count of an earlier run goes on', async () => {
    const { executor } = world(pay).open('a');
    const kept = [{ executor, limit: 'pay', per: 'day', day: 0, count: 1 }] as const;
    expect(await calls(world(pay, { kept }), 2)).toEqual(['ok', 'limit_used_up']);
  });

  test('[P.limit.kept] a reload refills neither budgets nor limits', async () => {
    const both =
      '{ allow: [ { tools: [s/t], uses: 2 } ], limits: { pay: { tools: [s/t], uses: 9, per: session } } }';
    const w = world(both);
    expect(await calls(w, 2)).toEqual(['ok', 'ok']);
    w.reload(policy(both.replace('uses: 9', 'uses: 8')));
    expect(await calls(w, 1)).toEqual(['limit_used_up']);
    w.reload(policy(both.replace('[s/t], uses: 2', '[s/t], where: { args.x: any }, uses: 2')));
    expect(await calls(w, 1)).toEqual(['limit_used_up']);
  });

  test('a call that waits for its record while the policy comes to count is made again', async () => {
    const w = world('{ allow: [ { tools: [s/t] } ] }');
    w.audit.hold();
    const waiting = w.call('a', 's__t', {});
    await new Promise((resolve) => setImmediate(resolve));
    w.reload(policy(pay));
    w.audit.release();
    expect(refusalOf(await waiting)).toMatchObject({ code: 'changed_meanwhile' });
    expect(w.arrivals).toEqual([]);
  });
});
