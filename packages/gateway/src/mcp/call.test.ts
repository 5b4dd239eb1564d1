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

test('a name that is no text names no tool', async () => {
  const gate = fakeGate();
  const caller = makeCaller({ gate, self, clock: clockAt({ now: 0 }) });
  for (const name of [7, null, ['files__echo'], { toString: 'files__echo' }])
    await caller.answer(frame({ name }), scope);
  expect(gate.requests.map(({ handle, sent }) => [handle, sent])).toEqual(
    Array.from({ length: 4 }, () => [undefined, undefined]),
  );
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
