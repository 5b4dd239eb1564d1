/** Calls whose answer never came: sent once more where the connector says that this does no harm, and never otherwise. */
import { type Fault, fault, mintId } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, type WorldOptions, refusalOf } from './world.js';

const tools = {
  s: { put: { type: 'object', properties: { x: { type: 'string' } } }, get: { type: 'object' } },
};

function policy(row: string, more = ''): string {
  return `pawl: 1
servers: { s: { command: s, connector: things } }
connectors:
  things:
    fields: { x: { kind: oneOf, values: ["1", "2"] } }
    tools:
      put: { verb: write, reads: { x: x }${row} }
      get: { verb: read }
${more}agents: { a: { allow: [ { tools: [s/put, s/get], uses: 3 } ] } }
`;
}

const idempotent = policy(', idempotent: true');
const lost: Fault = Object.freeze({ ...fault('outcome_unknown', 'no answer came', 'died'), lost: true });

function world(text: string, answers: readonly unknown[], more: Partial<WorldOptions> = {}): World {
  const left = [...answers];
  return new World({ policy: text, tools, answer: () => left.shift(), ttl: 3_600_000, ...more });
}

const put = (w: World): ReturnType<World['call']> => w.call('a', 's__put', { x: '1' });

/** What the log says of one call, in its order. */
function written(w: World): readonly string[] {
  return w.audit.records.flatMap((record) => {
    if (record.type === 'event') return record.event === 'resend' ? ['resend'] : [];
    return record.type === 'settlement' ? [`${record.outcome} ${record.sendings ?? 1}`] : [record.type];
  });
}

describe('[P.dispatch.never-resent] a call whose answer never came', () => {
  test('is sent once more where its row is idempotent, with a record before each sending', async () => {
    const w = world(idempotent, [lost, 'there']);
    expect(await put(w)).toMatchObject({ kind: 'result', value: 'there' });
    expect(w.arrivals.map(({ args }) => args)).toEqual([{ x: '1' }, { x: '1' }]);
    expect(written(w)).toEqual(['intent', 'resend', 'ok 2']);
    expect(w.audit.of('event')[0]?.data).toMatchObject({ tool: 's/put', executor: 'a', detail: 'died' });
  });

  test('is sent twice at most', async () => {
    const w = world(idempotent, [lost, lost, 'never']);
    expect(refusalOf(await put(w))).toMatchObject({ code: 'outcome_unknown', retryable: false });
    expect(w.arrivals).toHaveLength(2);
    expect(written(w)).toEqual(['intent', 'resend', 'outcome_unknown 2']);
  });

  test.each([
    ['says nothing', policy('')],
    ['says no', policy(', idempotent: false')],
  ])('is not sent again where its row %s', async (_what, text) => {
    const w = world(text, [lost, 'never']);
    expect(refusalOf(await put(w))).toMatchObject({ code: 'outcome_unknown' });
    expect([w.arrivals.length, written(w)]).toEqual([1, ['intent', 'outcome_unknown 1']]);
  });

  test('is not sent again because it only reads', async () => {
    const w = world(policy(''), [lost, 'never']);
    expect(refusalOf(await w.call('a', 's__get', {}))).toMatchObject({ code: 'outcome_unknown' });
    expect(w.arrivals).toHaveLength(1);
  });

  test('is charged once', async () => {
    const w = world(idempotent, [lost, 'one', lost, 'two', 'three', 'never']);
    for (const value of ['one', 'two', 'three']) expect(await put(w)).toMatchObject({ value });
    expect(refusalOf(await put(w))).toMatchObject({ code: 'limit_used_up' });
  });

  test('is not sent again when its record cannot be written', async () => {
    const w: World = world(idempotent, [], {
      answer: () => {
        w.audit.broken = true;
        return lost;
      },
    });
    expect(refusalOf(await put(w))).toMatchObject({ code: 'outcome_unknown' });
    expect(w.arrivals).toHaveLength(1);
  });

  test.each(['recheck', 'bind'])(
    'is checked again before it is sent again (%s): what the policy took away stays unsent',
    async (posture) => {
      const top = `reload: { posture: ${posture} }\n`;
      const w: World = world(policy(', idempotent: true', top), [], {
        answer: () => {
          w.reload(policy(', idempotent: true', top).replace('tools: [s/put, s/get]', 'tools: [s/get]'));
          return lost;
        },
      });
      expect(refusalOf(await put(w))).toMatchObject({ code: 'outcome_unknown' });
      expect([w.arrivals.length, written(w)]).toEqual([1, ['intent', 'resend', 'outcome_unknown 1']]);
    },
  );

  test('is not sent again once it was revoked or cancelled', async () => {
    const ends: readonly ((w: World, stop: AbortController) => void)[] = [
      (w) => void w.revocations.revoke({ kind: 'executor', id: mintId.executor('a') }),
      (w) => void w.freezes.freeze('a'),
      (_, stop) => stop.abort(),
    ];
    for (const end of ends) {
      const stop = new AbortController();
      const w: World = world(idempotent, [], {
        answer: () => {
          end(w, stop);
          return lost;
        },
      });
      expect(refusalOf(await w.call('a', 's__put', { x: '1' }, stop.signal))).toMatchObject({
        code: 'outcome_unknown',
      });
      expect(w.arrivals).toHaveLength(1);
    }
  });

  test('keeps its own fault when the second sending comes to nothing', async () => {
    const w = world(idempotent, [lost, fault('upstream_gone', 'gone')]);
    expect(refusalOf(await put(w))).toMatchObject({ code: 'outcome_unknown', message: 'no answer came' });
  });
});

test('[P.dispatch.never-resent] no other fault is a reason to send a call again, nor an error of the tool', async () => {
  const others = [
    fault('outcome_unknown', 'an answer that cannot be read'),
    fault('upstream_gone', 'gone'),
    fault('result_too_large', 'large'),
    fault('internal', 'broken'),
    { isError: true },
  ];
  for (const other of others) {
    const w = world(idempotent, [other, 'never']);
    await put(w);
    expect(w.arrivals).toHaveLength(1);
  }
});
