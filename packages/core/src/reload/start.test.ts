import { describe, expect, test } from 'vitest';
import { fakeClock, fakeExecutor, fakeSnapshot } from '../../../../test/fake-policy.js';
import { FakeAlarm, FakeProver, KeptGenerations, fakeSource } from '../../../../test/fake-reload.js';
import { type ExecutorId, sha256 } from '../ground/index.js';
import { currentCell } from '../policy/set-current.js';
import { type StartPorts, type StartRequest, proofDeadlineMs, start } from './index.js';

function around(): StartPorts & {
  readonly store: KeptGenerations;
  readonly prover: FakeProver;
  readonly alarm: FakeAlarm;
  readonly mapped: ExecutorId[];
} {
  const mapped: ExecutorId[] = [];
  return {
    store: new KeptGenerations(),
    cell: currentCell(),
    prover: new FakeProver(),
    alarm: new FakeAlarm(),
    clock: fakeClock(),
    mapped,
    credentials: () => mapped,
  };
}

function request(content: string, agents: readonly string[] = ['a', 'b']): StartRequest {
  const { policy } = fakeSnapshot({ reach: Object.fromEntries(agents.map((agent) => [agent, []])) });
  return { policy, hash: sha256(content), source: fakeSource(content), bumpEpoch: false };
}

/** The ports of the next process on the same store. */
function restarted(before: ReturnType<typeof around>): ReturnType<typeof around> {
  return { ...before, cell: currentCell() };
}

describe('start', () => {
  test('an empty store takes the document as generation 1, with its source', async () => {
    const ports = around();
    expect(await start(ports, request('one'))).toMatchObject({
      kind: 'first',
      snapshot: { generation: { number: 1, hash: sha256('one') } },
    });
    expect(ports.store.puts).toMatchObject([
      { number: 1, source: { document: 'one' }, epochs: { a: 0, b: 0 }, cause: { verdict: 'first' } },
    ]);
  });

  test('[P.start.same-generation] the same content goes on as the same generation, and nothing is written or compared', async () => {
    const ports = around();
    await start(ports, request('one'));
    const again = restarted(ports);
    expect(await start(again, request('one'))).toMatchObject({
      kind: 'same',
      snapshot: { generation: { number: 1 } },
    });
    expect(ports.store.puts).toHaveLength(1);
    expect(ports.prover.asked).toEqual([]);
  });

  test('[S000.monotone-reload] a proved attenuation becomes the next generation; every epoch stays', async () => {
    const ports = around();
    await start(ports, request('one'));
    ports.prover.says({ a: 'attenuation', b: 'equal' });
    expect(await start(restarted(ports), request('two'))).toMatchObject({
      kind: 'activated',
      snapshot: { generation: { number: 2 } },
    });
    expect(ports.prover.asked).toEqual([['one', 'two']]);
    expect(ports.store.puts.at(-1)).toMatchObject({ epochs: { a: 0, b: 0 } });
  });

  test.each(['widening', 'unknown'] as const)(
    '[P.start.same-generation] a change that is %s is refused with the comparison, and nothing is in force',
    async (relation) => {
      const ports = around();
      await start(ports, request('one'));
      ports.prover.says({ a: relation, b: 'equal' });
      const again = restarted(ports);
      expect(await start(again, request('two'))).toMatchObject({
        kind: 'refused',
        stored: { number: 1 },
        comparison: { relation, executors: { a: { relation } } },
      });
      expect(again.cell.current.peek()).toBeUndefined();
      expect(ports.store.puts).toHaveLength(1);
    },
  );

  test('by an operator act a widening is taken and the epochs of those that gained move; with all, every one', async () => {
    const ports = around();
    await start(ports, request('one'));
    ports.prover.says({ a: 'widening', b: 'attenuation' });
    await start(restarted(ports), { ...request('two'), bumpEpoch: true });
    expect(ports.store.puts.at(-1)).toMatchObject({ number: 2, epochs: { a: 1, b: 0 } });
    await start(restarted(ports), { ...request('three'), bumpEpoch: true, all: true });
    expect(ports.store.puts.at(-1)).toMatchObject({ number: 3, epochs: { a: 2, b: 1 } });
  });

  test('a prover that fails, or is silent, leaves everybody unknown', async () => {
    const ports = around();
    await start(ports, request('one'));
    expect(await start(restarted(ports), request('two'))).toMatchObject({
      kind: 'refused',
      comparison: {
        executors: { a: { relation: 'unknown', undecided: [expect.stringContaining('failed')] } },
      },
    });
    ports.prover.answer = () => {
      void Promise.resolve().then(() => ports.alarm.pass(proofDeadlineMs));
      return new Promise(() => undefined);
    };
    expect(await start(restarted(ports), request('two'))).toMatchObject({
      kind: 'refused',
      comparison: { relation: 'unknown' },
    });
  });

  test('where only Pawl itself changed the generation is activated, every epoch moves, and no proof is asked for', async () => {
    const ports = around();
    await start(ports, request('one'));
    const moved = { ...request('one'), hash: sha256('one under version 2') };
    const source = fakeSource('one', { semantics: 2 });
    expect(await start(restarted(ports), { ...moved, source })).toMatchObject({ kind: 'pawl' });
    expect(ports.store.puts.at(-1)).toMatchObject({ epochs: { a: 1, b: 1 }, cause: { verdict: 'pawl' } });
    expect(ports.prover.asked).toEqual([]);
  });

  test('where Pawl and the document changed together no proof is trusted', async () => {
    const ports = around();
    await start(ports, request('one'));
    ports.prover.says({ a: 'equal', b: 'equal' });
    const next = { ...request('two'), source: fakeSource('two', { semantics: 2 }) };
    expect(await start(restarted(ports), next)).toMatchObject({
      kind: 'refused',
      comparison: { relation: 'unknown' },
    });
    expect(await start(restarted(ports), { ...next, bumpEpoch: true })).toMatchObject({ kind: 'activated' });
    expect(ports.store.puts.at(-1)).toMatchObject({ epochs: { a: 1, b: 1 } });
  });

  test('[P.reload.verdicts] an executor for whom a credential exists, or that was known once, is not new', async () => {
    const ports = around();
    await start(ports, request('one', ['a']));
    ports.prover.says({ a: 'equal', c: 'new' });
    ports.mapped.push(fakeExecutor('c'));
    expect(await start(restarted(ports), request('two', ['a', 'c']))).toMatchObject({
      kind: 'refused',
      comparison: { executors: { c: { relation: 'widening', witnesses: [{ what: 'executor' }] } } },
    });
    ports.mapped.pop();
    expect(await start(restarted(ports), request('two', ['a', 'c']))).toMatchObject({ kind: 'activated' });
  });

  test('a generation that cannot be made durable is not in force', async () => {
    const ports = around();
    ports.store.broken = true;
    await expect(start(ports, request('one'))).rejects.toThrow('the disk is full');
    expect(ports.cell.current.peek()).toBeUndefined();
    expect(ports.cell.current.pin()).toBeUndefined();
  });
});
