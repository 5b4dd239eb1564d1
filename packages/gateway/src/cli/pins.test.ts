import { type ToolDefinition, parseServerName, sha256 } from '@pawl/core';
import { expect, test } from 'vitest';
import { definitionDigest } from '../mcp/index.js';
import type { StoredPin } from '../store/index.js';
import { type PinContext, definitionsInForce, newlyWaiting } from './pins.js';

const server = parseServerName('s')!;
const log: string[] = [];
const context: PinContext = {
  clock: { wall: () => 7, monotonic: () => 0 },
  log: (line) => void log.push(line),
};

function listed(name: string, version = 1): ToolDefinition {
  return { name, definition: { name, version } };
}

function pin(tool: ToolDefinition, state: StoredPin['state']): StoredPin {
  const { name, definition } = tool;
  return {
    server,
    tool: name,
    definition,
    digest: definitionDigest(definition),
    state,
    firstUse: false,
    at: 1,
  };
}

function storeOf(...pins: readonly StoredPin[]): { list: () => Promise<readonly StoredPin[]> } {
  return { list: () => Promise.resolve(pins) };
}

test('accepts the first list of a server as first use, and with locked nothing', async () => {
  const first = await definitionsInForce(storeOf(), server, [listed('a')], context);
  expect(first).toMatchObject({
    inForce: [{ name: 'a' }],
    accepts: [{ tool: 'a', firstUse: true }],
    waiting: [],
  });
  const locked = await definitionsInForce(storeOf(), server, [listed('a')], { ...context, locked: true });
  expect(locked).toMatchObject({ inForce: [], accepts: [], waiting: [{ tool: 'a', state: 'waiting' }] });
});

test('[P.pins.quarantine] keeps what was accepted in force whatever is listed, and stores each other definition once', async () => {
  const stored = storeOf(
    pin(listed('a'), 'accepted'),
    pin(listed('c'), 'accepted'),
    pin(listed('d'), 'waiting'),
  );
  const now = [listed('d'), listed('c', 2), listed('a'), listed('e')];
  const found = await definitionsInForce(stored, server, now, context);
  expect(found.inForce.map(({ definition }) => definition)).toEqual(
    [listed('c'), listed('a')].map((t) => t.definition),
  );
  expect(found.accepts).toEqual([]);
  expect(found.waiting.map(({ tool }) => tool)).toEqual(['c', 'e']);
});

test('accepts exactly what is named, by its digest, in place of what was accepted', async () => {
  const [old, next, other] = [
    pin(listed('a'), 'accepted'),
    pin(listed('a', 2), 'waiting'),
    pin(listed('b'), 'waiting'),
  ];
  const accept = (digest: StoredPin['digest']): ReturnType<typeof definitionsInForce> =>
    definitionsInForce(storeOf(old, next, other), server, [listed('a', 2)], {
      ...context,
      accepting: [{ server, tool: 'a', digest }],
    });
  const taken = await accept(next.digest);
  expect(taken.inForce).toEqual([listed('a', 2)]);
  expect(taken.accepts).toEqual([{ server, tool: 'a', digest: next.digest, firstUse: false }]);
  expect((await accept(sha256('other'))).inForce).toEqual([listed('a')]);
});

test('stores no more waiting tools of one server than there is room for, and says so', () => {
  const many = Array.from({ length: 2050 }, (_, at) => listed(`t${at}`));
  const known = { server, stored: [pin(listed('t0'), 'waiting')], digests: new Map() };
  log.length = 0;
  const kept = newlyWaiting(known, [listed('t0', 2), ...many.slice(1)], context);
  expect(kept).toHaveLength(2048);
  expect(log[0]).toContain('2 more are absent');
});
