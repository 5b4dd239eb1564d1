/** What the dispatcher remembers: refusals of the last minute, and calls whose answer was lost. */
import { type Fault, fault } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from './world.js';

const text = { type: 'string' };
const tools = {
  s: { t: { type: 'object', properties: { x: text }, additionalProperties: false } },
  files: { read_text_file: { type: 'object', properties: { path: text }, required: ['path'] } },
};
const servers = `servers:
  s: { command: s }
  files: { command: f, connector: filesystem, root: /data }
`;
const red = `pawl: 1\n${servers}agents:\n  a: { allow: [ { tools: [s/t], where: { args.x: [red] } } ] }\n`;
const open = `pawl: 1\n${servers}agents:\n  a: { allow: [ { tools: [s/t, files/read_text_file] } ] }\n`;

function world(policy: string, more: Partial<ConstructorParameters<typeof World>[0]> = {}): World {
  return new World({ policy, tools, ttl: 3_600_000, ...more });
}

describe('[P.refusal.memory] an identical refused call', () => {
  test('gets the same refusal, is counted in its records, and is reported once when it comes too often', async () => {
    const w = world(red);
    const refusals = [];
    for (let at = 0; at < 25; at += 1) refusals.push(refusalOf(await w.call('a', 's__t', { x: 'blue' })));
    expect(new Set(refusals.map((each) => JSON.stringify(each))).size).toBe(1);
    const records = w.audit.of('refusal');
    expect(records.map(({ repeated }) => repeated)).toEqual([
      undefined,
      ...Array.from({ length: 24 }, (_, at) => at + 2),
    ]);
    expect(new Set(records.map(({ call }) => call)).size).toBe(25);
    expect(records.at(-1)).toMatchObject({
      code: 'not_permitted',
      constraint: 'args.x',
      policyGeneration: { number: 1 },
    });
    expect(w.audit.of('event')).toEqual([
      expect.objectContaining({
        event: 'repeated_refusal',
        data: expect.objectContaining({ executor: 'a', tool: 's/t', times: 20 }),
      }),
    ]);
  });

  test('is judged afresh after a minute, under another generation, with other arguments, and in another session', async () => {
    const w = world(red);
    const repeated = async (who = 'a', args: object = { x: 'blue' }): Promise<number | undefined> => {
      await w.call(who, 's__t', args as never);
      return w.audit.of('refusal').at(-1)?.repeated;
    };
    expect([await repeated(), await repeated(), await repeated('a', { x: 'green' })]).toEqual([
      undefined,
      2,
      undefined,
    ]);
    w.now = 60_000;
    expect([await repeated(), await repeated()]).toEqual([undefined, 2]);
    w.reload(`${red}# another\n`);
    expect([await repeated(), await repeated()]).toEqual([undefined, 2]);
  });

  test('a reload that lets it through lets it through at once', async () => {
    const w = world(red);
    await w.call('a', 's__t', { x: 'blue' });
    w.reload(red.replace('[red]', '[red, blue]'));
    expect(await w.call('a', 's__t', { x: 'blue' })).toMatchObject({ kind: 'result' });
  });

  test('what passes by itself is not remembered', async () => {
    const limit = 'limits: { l: { tools: [s/t], uses: 1, per: session } }, allow:';
    const w = world(open.replace('allow:', limit));
    const call = async (): Promise<string> => refusalOf(await w.call('a', 's__t', {}))?.code ?? 'ok';
    expect([await call(), await call(), await call()]).toEqual(['ok', 'limit_used_up', 'limit_used_up']);
    expect(w.audit.of('refusal').map(({ repeated }) => repeated)).toEqual([undefined, undefined]);
  });
});

describe('[P.dispatch.in-progress] an identical call', () => {
  /** A call that was given up while the server may be at work; `end` says that it is done after all. */
  function givenUp(): { readonly lost: Fault; readonly end: () => void } {
    let end = (): void => {};
    const late = new Promise<void>((resolve) => {
      end = resolve;
    });
    return { lost: Object.freeze({ ...fault('outcome_unknown', 'no sign'), late }), end };
  }

  test('is refused while one is lost and may still happen, and goes through once that one has ended', async () => {
    const { lost, end } = givenUp();
    const answers: unknown[] = [lost];
    const w = world(open, { answer: () => answers.shift() ?? 'ok' });
    const call = async (x: string): Promise<string> =>
      refusalOf(await w.call('a', 's__t', { x }))?.code ?? 'ok';
    expect(await call('1')).toBe('outcome_unknown');
    expect(await call('1')).toBe('in_progress');
    expect(refusalOf(await w.call('a', 's__t', { x: '1' }))).toMatchObject({
      layer: 'dispatch',
      retryable: true,
    });
    expect(await call('2')).toBe('ok');
    end();
    await Promise.resolve();
    expect(await call('1')).toBe('ok');
  });

  test('is refused for a minute at most', async () => {
    const answers: unknown[] = [givenUp().lost];
    const w = world(open, { answer: () => answers.shift() ?? 'ok' });
    await w.call('a', 's__t', {});
    w.now = 59_999;
    expect(refusalOf(await w.call('a', 's__t', {}))).toMatchObject({ code: 'in_progress' });
    w.now = 60_000;
    expect(await w.call('a', 's__t', {})).toMatchObject({ kind: 'result' });
  });

  test('runs beside the first one while that one waits for its answer', async () => {
    let answer = (): void => {};
    const first = new Promise((resolve) => {
      answer = () => resolve('late');
    });
    const answers: unknown[] = [first];
    const w = world(open, { answer: () => answers.shift() ?? 'ok' });
    const running = w.call('a', 's__t', {});
    expect(await w.call('a', 's__t', {})).toMatchObject({ kind: 'result', value: 'ok' });
    answer();
    expect(await running).toMatchObject({ kind: 'result', value: 'late' });
  });

  test('goes through when it only reads, and when the server that had the first one is gone', async () => {
    const answers: unknown[] = [givenUp().lost];
    const w = world(open, { answer: () => answers.shift() ?? 'ok' });
    await w.call('a', 'files__read_text_file', { path: '/data/a' });
    expect(await w.call('a', 'files__read_text_file', { path: '/data/a' })).toMatchObject({ kind: 'result' });
    answers.push(fault('outcome_unknown', 'the server ended'));
    await w.call('a', 's__t', {});
    expect(await w.call('a', 's__t', {})).toMatchObject({ kind: 'result' });
  });
});
