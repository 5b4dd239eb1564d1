/** Calls that must not run beside each other, through the real dispatcher. */
import { describe, expect, test } from 'vitest';
import { type CallId, type JsonObject, accessExclusion } from '@pawl/core';
import { FakeAlarm } from '../fake-reload.js';
import { World, refusalOf } from './world.js';

const path: JsonObject = { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] };
const write: JsonObject = {
  type: 'object',
  properties: { path: { type: 'string' }, content: { type: 'string' } },
  required: ['path', 'content'],
};
const tools = { files: { read_text_file: path, directory_tree: path, write_file: write }, raw: { go: {} } };
const policy = `
pawl: 1
servers:
  files: { command: x, connector: filesystem, root: /data }
  raw: { command: x }
agents:
  one:
    allow:
      - { tools: [files/*], where: { path: /data/** }, uses: 4 }
      - { tools: [raw/go] }
  two:
    allow: [ { tools: [files/*] } ]
`;

/** A world in which every turn ends when the test says so. */
function world() {
  const alarm = new FakeAlarm();
  const ends: (() => void)[] = [];
  const ids: CallId[] = [];
  const made = new World({
    policy,
    tools,
    exclusion: accessExclusion(alarm),
    answer: async (_tool, _call, { call }) => {
      ids.push(call);
      return new Promise((resolve) => ends.push(() => resolve('ok')));
    },
  });
  const arrived = (): readonly string[] =>
    made.arrivals.map(
      ({ tool, args }) => `${tool.split('/')[1] ?? ''} ${JSON.stringify(args['path'] ?? args['n'])}`,
    );
  return { world: made, alarm, ends, ids, arrived };
}

async function settle(): Promise<void> {
  for (let round = 0; round < 60; round += 1) await Promise.resolve();
}

describe('exclusion', () => {
  test('[P.exclusion.fifo] hands over a call that meets a running one only when that has ended', async () => {
    const { world: house, ends, arrived } = world();
    const all = [
      house.call('one', 'files__write_file', { path: '/data/a/b', content: 'x' }),
      house.call('one', 'files__directory_tree', { path: '/data/a' }),
      house.call('one', 'files__write_file', { path: '/data/a/./c', content: 'x' }),
    ];
    await settle();
    expect(arrived()).toEqual(['write_file "/data/a/b"']);
    ends[0]!();
    await settle();
    expect(arrived()).toEqual(['write_file "/data/a/b"', 'directory_tree "/data/a"']);
    ends[1]!();
    await settle();
    ends[2]!();
    expect((await Promise.all(all)).map(({ kind }) => kind)).toEqual(['result', 'result', 'result']);
  });

  test('[P.exclusion.parallel] hands over at once what only reads, what touches other things, and other sessions', async () => {
    const { world: house, ends, arrived } = world();
    const all = [
      house.call('one', 'files__read_text_file', { path: '/data/a' }),
      house.call('one', 'files__read_text_file', { path: '/data/a' }),
      house.call('one', 'files__write_file', { path: '/data/b', content: 'x' }),
      house.call('two', 'files__write_file', { path: '/data/a', content: 'x' }),
      house.call('one', 'raw__go', { n: 1 }),
      house.call('one', 'raw__go', { n: 2 }),
    ];
    await settle();
    expect(arrived()).toHaveLength(6);
    for (const end of ends) end();
    await Promise.all(all);
  });

  test('[P.exclusion.busy] refuses a call that has waited for ten seconds, and gives back what it was charged', async () => {
    const { world: house, alarm, ends, arrived } = world();
    const first = house.call('one', 'files__write_file', { path: '/data/a', content: 'x' });
    const second = house.call('one', 'files__write_file', { path: '/data/a', content: 'y' });
    await settle();
    alarm.pass(10_000);
    const refusal = refusalOf(await second);
    expect(refusal).toMatchObject({ code: 'busy', layer: 'exclusion', retryable: true });
    ends[0]!();
    await first;
    for (let uses = 0; uses < 3; uses += 1) {
      const again = house.call('one', 'files__write_file', { path: '/data/a', content: 'z' });
      await settle();
      ends.at(-1)!();
      expect((await again).kind).toBe('result');
    }
    expect(arrived()).toHaveLength(4);
  });

  test('lets go a call whose capability is revoked while it waits, and hands it over never', async () => {
    const { world: house, ends, arrived } = world();
    const first = house.call('one', 'files__write_file', { path: '/data/a', content: 'x' });
    const second = house.call('one', 'files__write_file', { path: '/data/a', content: 'y' });
    await settle();
    house.revocations.revoke({ kind: 'session', id: house.open('one').id });
    expect(refusalOf(await second)).toMatchObject({ code: 'no_such_cap', reason: 'revoked' });
    ends[0]!();
    await first;
    expect(arrived()).toEqual(['write_file "/data/a"']);
  });

  test('[P.exclusion.inherits] lets a call made in the turn of another one run beside it', async () => {
    const { world: house, ends, ids, arrived } = world();
    const outer = house.call('one', 'files__write_file', { path: '/data/a', content: 'x' });
    await settle();
    const inner = house.callFrom(ids[0]!, 'one', 'files__write_file', { path: '/data/a', content: 'y' });
    await settle();
    expect(arrived()).toHaveLength(2);
    for (const end of ends) end();
    expect([(await outer).kind, (await inner).kind]).toEqual(['result', 'result']);
  });
});
