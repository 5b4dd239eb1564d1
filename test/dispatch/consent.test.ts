/** Asking at the mediation point: what is asked, what an answer is good for, and what no answer can change. */
import { fault } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from './world.js';

const text = { type: 'string' };
const tools = {
  s: { t: { type: 'object', properties: { x: text, mode: text }, additionalProperties: false } },
  files: {
    write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
};
const servers = `servers:
  s: { command: s }
  files: { command: f, connector: filesystem, root: /data }
`;
const asking = (agent: string, top = ''): string => `pawl: 1\n${top}${servers}agents:\n  a: ${agent}\n`;
const once = asking('{ allow: [ { tools: [s/t], ask: once } ] }');
const session = asking('{ allow: [ { tools: [s/t], ask: session } ] }');

/** The id in a refusal that asks. */
function askIn(outcome: Parameters<typeof refusalOf>[0]): string {
  return /\((?<id>a_[a-z2-7]{16})\)/u.exec(refusalOf(outcome)?.message ?? '')?.groups?.['id'] ?? '';
}

function world(policy: string, more: Partial<ConstructorParameters<typeof World>[0]> = {}): World {
  return new World({ policy, tools, ttl: 3_600_000, ...more });
}

/** Makes the call, approves what it asks, and makes it again. */
async function approvedCall(w: World, name: string, args: object): Promise<string> {
  const id = askIn(await w.call('a', name, args as never));
  expect(w.approvals.answer(id, 'yes')).toMatchObject({ kind: 'answered' });
  return id;
}

describe('a call that asks', () => {
  test('[P.ask.consent-required] [P.ask.retry] is refused with the id of an ask, and goes through when the same call is made again after a yes', async () => {
    const w = world(once);
    const asked = await w.call('a', 's__t', { x: '1' });
    expect(refusalOf(asked)).toMatchObject({ code: 'consent_required', layer: 'ask', retryable: true });
    expect(askIn(await w.call('a', 's__t', { x: '1' }))).toBe(askIn(asked));
    expect(w.approvals.waiting()).toMatchObject([
      { id: askIn(asked), shown: 's__t {"x":"1"}', executor: 'a' },
    ]);
    w.approvals.answer(askIn(asked), 'yes');
    expect(await w.call('a', 's__t', { x: '1' })).toMatchObject({ kind: 'result' });
    expect(refusalOf(await w.call('a', 's__t', { x: '1' }))).toMatchObject({ code: 'consent_required' });
    expect(w.arrivals).toHaveLength(1);
  });

  test('[P.ask.retry] the record of what was done names its approval, the refusal the ask', async () => {
    const w = world(once);
    const id = await approvedCall(w, 's__t', { x: '1' });
    await w.call('a', 's__t', { x: '1' });
    expect(w.audit.of('refusal')[0]).toMatchObject({
      code: 'consent_required',
      verdict: 'ask',
      approval: id,
    });
    expect(w.audit.of('intent')).toMatchObject([{ level: 'once', approval: id }]);
  });

  test('[P.ask.approval-seals] a yes is for those arguments as they would be forwarded, whatever their order, and for no others', async () => {
    const w = world(once);
    await approvedCall(w, 's__t', { x: '1', mode: 'm' });
    expect(refusalOf(await w.call('a', 's__t', { x: '2', mode: 'm' }))).toMatchObject({
      code: 'consent_required',
    });
    expect(await w.call('a', 's__t', { mode: 'm', x: '1' })).toMatchObject({ kind: 'result' });
    expect(w.arrivals.map(({ args }) => args)).toEqual([{ mode: 'm', x: '1' }]);
  });

  test('[P.ask.approval-used] a yes for the session is for this very call again and again', async () => {
    const w = world(session);
    await approvedCall(w, 's__t', { x: '1' });
    for (let at = 0; at < 3; at += 1)
      expect(await w.call('a', 's__t', { x: '1' })).toMatchObject({ kind: 'result' });
    expect(refusalOf(await w.call('a', 's__t', { x: '2' }))).toMatchObject({ code: 'consent_required' });
  });

  test('a person who refuses ends it', async () => {
    const w = world(once);
    w.approvals.answer(askIn(await w.call('a', 's__t', {})), 'no');
    expect(refusalOf(await w.call('a', 's__t', {}))).toMatchObject({
      code: 'consent_refused',
      retryable: false,
    });
    expect(w.arrivals).toEqual([]);
  });

  test('[P.ask.expires] an ask that nobody answered in time is refused as expired, and may be asked again', async () => {
    const w = world(asking('{ allow: [ { tools: [s/t], ask: once } ] }', 'consent: { expires: 30s }\n'));
    await w.call('a', 's__t', {});
    w.now = 30_000;
    expect(refusalOf(await w.call('a', 's__t', {}))).toMatchObject({
      code: 'consent_expired',
      retryable: true,
    });
    expect(refusalOf(await w.call('a', 's__t', {}))).toMatchObject({ code: 'consent_required' });
  });
});

describe('what no answer changes', () => {
  const capped = asking(
    '{ ceiling: { filesystem: { path: [/data/pub/**] } }, allow: [ { tools: [files/write_file], where: { path: /data/** }, ask: once } ] }',
  );

  test('[P.ask.out-of-scope-first] what is out of scope is refused and nobody is asked', async () => {
    const w = world(capped);
    const outcome = await w.call('a', 'files__write_file', { path: '/data/private/x', content: '' });
    expect(refusalOf(outcome)).toMatchObject({ code: 'out_of_scope' });
    expect(w.approvals.waiting()).toEqual([]);
  });

  test('[S002.consent-then-scope] consent granted and an argument out of scope is a refusal with the message of the constraint', async () => {
    const w = world(capped);
    await approvedCall(w, 'files__write_file', { path: '/data/pub/x', content: '' });
    const outside = refusalOf(
      await w.call('a', 'files__write_file', { path: '/data/private/x', content: '' }),
    );
    expect(outside).toMatchObject({ code: 'out_of_scope', constraint: 'filesystem.path (/data/pub/**)' });
    expect(outside?.message).toContain('filesystem.path (/data/pub/**)');
    expect(outside?.message).not.toMatch(/approv/u);
    expect(w.arrivals).toEqual([]);
  });

  test('[S002.consent-then-scope] a ceiling that came after the yes refuses all the same', async () => {
    const w = world(capped);
    await approvedCall(w, 'files__write_file', { path: '/data/pub/x', content: '' });
    w.reload(capped.replace('/data/pub/**', '/data/pub/a/**'));
    const now = refusalOf(await w.call('a', 'files__write_file', { path: '/data/pub/x', content: '' }));
    expect(now).toMatchObject({ code: 'out_of_scope', constraint: 'filesystem.path (/data/pub/a/**)' });
    expect(w.arrivals).toEqual([]);
  });
});

describe('a yes and what happens around it', () => {
  test('[P.ask.survives-reload] outlives a reload under which the call still asks', async () => {
    const w = world(session);
    await approvedCall(w, 's__t', { x: '1' });
    w.reload(asking('{ allow: [ { tools: [s/t], where: { args.x: ["1"] }, ask: session } ] }'));
    expect(await w.call('a', 's__t', { x: '1' })).toMatchObject({ kind: 'result' });
  });

  test('[P.ask.survives-reload] counts for one call where the policy came to ask each time', async () => {
    const w = world(session);
    await approvedCall(w, 's__t', { x: '1' });
    w.reload(once);
    expect(await w.call('a', 's__t', { x: '1' })).toMatchObject({ kind: 'result' });
    expect(refusalOf(await w.call('a', 's__t', { x: '1' }))).toMatchObject({ code: 'consent_required' });
  });

  test('[P.ask.survives-reload] a call that waits for its record while the policy comes to ask each time is made again, and then goes', async () => {
    const w = world(session);
    await approvedCall(w, 's__t', { x: '1' });
    w.audit.hold();
    const waiting = w.call('a', 's__t', { x: '1' });
    await new Promise((resolve) => setImmediate(resolve));
    w.reload(once);
    w.audit.release();
    expect(refusalOf(await waiting)).toMatchObject({ code: 'changed_meanwhile', retryable: true });
    expect(await w.call('a', 's__t', { x: '1' })).toMatchObject({ kind: 'result' });
    expect(w.arrivals).toHaveLength(1);
  });

  test('[P.ask.dies] dies when the epoch of its executor moves, and when its session is revoked', async () => {
    const moved = world(session);
    const id = askIn(await moved.call('a', 's__t', {}));
    moved.reload(session, true);
    expect(moved.approvals.waiting()).toEqual([]);
    expect(moved.approvals.answer(id, 'yes')).toEqual({ kind: 'none' });
    const revoked = world(session);
    await revoked.call('a', 's__t', {});
    revoked.revocations.revoke({ kind: 'session', id: revoked.open('a').id });
    expect(revoked.approvals.waiting()).toEqual([]);
  });

  test('[P.ask.approval-used] is there for the next try when nothing was handed over', async () => {
    const w = world(once);
    await approvedCall(w, 's__t', {});
    w.audit.broken = true;
    expect(refusalOf(await w.call('a', 's__t', {}))).toMatchObject({ code: 'audit_unavailable' });
    w.audit.broken = false;
    expect(await w.call('a', 's__t', {})).toMatchObject({ kind: 'result' });
  });

  test('[P.ask.approval-used] is used up by a call whose answer was lost', async () => {
    const w = world(once, { answer: () => fault('outcome_unknown', 'lost') });
    await approvedCall(w, 's__t', {});
    expect(refusalOf(await w.call('a', 's__t', {}))).toMatchObject({ code: 'outcome_unknown' });
    expect(refusalOf(await w.call('a', 's__t', {}))).toMatchObject({ code: 'consent_required' });
  });
});
