import { type Clock, type JsonObject, mintId } from '@pawl/core';
import { expect, test } from 'vitest';
import { answerText, fakeGate } from '../../../../test/mcp/fake-gate.js';
import { type CallScope, makeCaller } from './call.js';
import type { RequestFrame } from './frame.js';

const self = { name: 'pawl', version: '0.1.0' };
const scope: CallScope = {
  session: mintId.session('s'),
  era: 'legacy',
  signal: new AbortController().signal,
};

function frame(params: JsonObject): RequestFrame {
  return { kind: 'request', id: 1, method: 'tools/call', params };
}

function clockAt(time: { now: number }): Clock {
  return { monotonic: () => time.now, wall: () => 0 };
}

test('answers with the fault internal when something breaks inside, and tells no detail [P.wire.codes]', async () => {
  const broken = {
    ...fakeGate(),
    locate: () => {
      throw new Error('secret detail');
    },
  };
  const text = await makeCaller({ gate: broken, self, clock: clockAt({ now: 0 }) }).answer(
    frame({ name: 'a' }),
    scope,
  );
  expect(JSON.parse(text)).toMatchObject({
    result: { isError: true, _meta: { 'pawl/refusal': { code: 'internal' } } },
  });
  expect(text).not.toContain('secret');
});

test('a message whose name is no text is no call: refused as malformed, and audited', async () => {
  const gate = fakeGate();
  const noted: string[] = [];
  const noting = { ...gate, rejected: ({ code }: { code: string }) => void noted.push(code) };
  const caller = makeCaller({ gate: noting, self, clock: clockAt({ now: 0 }) });
  for (const params of [{}, { name: 7 }, { name: null }, { name: ['files__echo'] }])
    expect(JSON.parse(await caller.answer(frame(params), scope))).toMatchObject({
      result: { isError: true, _meta: { 'pawl/refusal': { code: 'malformed_arguments', retryable: false } } },
    });
  expect(gate.requests).toEqual([]);
  expect(noted).toHaveLength(4);
});

test('passes progress on at a bounded rate, numbers only [P.surface.own-progress]', async () => {
  const gate = fakeGate();
  const time = { now: 0 };
  gate.tools.set('busy', ({ onProgress }) => {
    for (let n = 0; n < 200; n += 1) {
      onProgress?.({ progress: n });
      time.now += 1;
    }
    time.now += 1000;
    onProgress?.({ progress: 'much' });
    return answerText('done');
  });
  const told: string[] = [];
  const caller = makeCaller({ gate, self, clock: clockAt(time) });
  await caller.answer(frame({ name: 'busy', _meta: { progressToken: 7 } }), {
    ...scope,
    notify: (text) => told.push(text),
  });
  expect(told.map((text) => (JSON.parse(text) as { params: { progress: number } }).params.progress)).toEqual([
    0, 50, 100, 150,
  ]);
});

test('a progress token that is neither text nor whole number asks for nothing', async () => {
  const gate = fakeGate();
  const caller = makeCaller({ gate, self, clock: clockAt({ now: 0 }) });
  for (const progressToken of [1.5, null, {}, true]) {
    await caller.answer(frame({ name: 'files__echo', _meta: { progressToken } }), {
      ...scope,
      notify: () => undefined,
    });
  }
  expect(gate.requests.some(({ onProgress }) => onProgress !== undefined)).toBe(false);
});
