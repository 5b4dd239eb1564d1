import { describe, expect, test } from 'vitest';
import type { AuditRecord } from '../audit/index.js';
import { fakeClock, fakeExecutor, fakeSnapshot } from '../../../../test/fake-policy.js';
import { FakeAlarm, FakeProver, KeptGenerations, fakeSource } from '../../../../test/fake-reload.js';
import { Freezes } from '../capability/index.js';
import { type ExecutorId, UsageError, mintId, sha256 } from '../ground/index.js';
import type { Snapshot } from '../policy/index.js';
import { currentCell } from '../policy/set-current.js';
import { type Proposal, type ReloadRequest, type Reloaded, type Reloader, reloader, start } from './index.js';

function proposal(content: string, agents: readonly string[] = ['a', 'b']): Proposal {
  const { policy } = fakeSnapshot({ reach: Object.fromEntries(agents.map((agent) => [agent, []])) });
  return { policy, hash: sha256(content), source: fakeSource(content) };
}

class House {
  readonly store = new KeptGenerations();
  readonly cell = currentCell();
  readonly prover = new FakeProver();
  readonly alarm = new FakeAlarm();
  readonly freezes = new Freezes();
  readonly records: AuditRecord[] = [];
  readonly reissued: string[] = [];
  readonly mapped: ExecutorId[] = [];
  readonly gaveUp: number[] = [];
  /** Executors of the open sessions. */
  open: string[] = ['a', 'b'];
  reloader!: Reloader;

  async begin(content = 'one', agents?: readonly string[]): Promise<this> {
    const ports = {
      ...this.#ports(),
      audit: { note: (record: AuditRecord) => void this.records.push(record) },
      sessions: {
        all: () =>
          this.open.map((agent) => ({
            id: mintId.session(agent),
            executor: fakeExecutor(agent),
            key: mintId.key(agent),
            agent: agent as never,
            instance: undefined,
            expiresAt: 1,
          })),
        reissue: (id: string) => this.reissued.push(id) > 0,
      },
      freezes: this.freezes,
      freezeStore: this.store,
      giveUp: ({ generation }: Snapshot) => this.gaveUp.push(generation.number),
    };
    const started = await start(ports, { ...proposal(content, agents), bumpEpoch: false });
    if (started.kind === 'refused') throw new Error('refused');
    this.reloader = reloader(ports, started);
    return this;
  }

  reload(next: Proposal, more: Partial<ReloadRequest> = {}): Promise<Reloaded> {
    return this.reloader.reload({ trigger: 'operator', propose: () => Promise.resolve(next), ...more });
  }

  get number(): number | undefined {
    return this.cell.current.peek()?.generation.number;
  }

  #ports() {
    const { store, cell, prover, alarm } = this;
    return { store, cell, prover, alarm, clock: fakeClock(), credentials: () => this.mapped };
  }
}

const house = (): Promise<House> => new House().begin();
const epochs = (it: House): unknown => it.store.puts.at(-1)?.epochs;

describe('[P.reload.verdicts] a reload', () => {
  test('of the same content moves nothing and asks nobody, whatever act comes with it', async () => {
    const it = await house();
    expect(await it.reload(proposal('one'), { act: { all: true } })).toMatchObject({ kind: 'same' });
    expect([it.number, it.store.puts.length, it.prover.asked.length]).toEqual([1, 1, 0]);
  });

  test.each(['equal', 'attenuation', 'new'] as const)(
    'that is %s activates as the next generation; epochs stay',
    async (relation) => {
      const it = await house();
      it.prover.says({ a: relation === 'new' ? 'equal' : relation, b: 'equal', c: 'new' });
      expect(await it.reload(proposal('two', ['a', 'b', 'c']))).toMatchObject({
        kind: 'activated',
        generation: { number: 2 },
        moved: [],
        reissued: 0,
      });
      expect(it.number).toBe(2);
      expect(epochs(it)).toEqual({ a: 0, b: 0, c: 0 });
      expect(it.cell.current.peek()?.lineage.get(1)).toBe(sha256('one'));
    },
  );

  test.each(['widening', 'unknown'] as const)(
    '[S000.monotone-reload] that is %s is refused by whatever trigger: the last good stays, and the answer says who would gain what',
    async (relation) => {
      const it = await house();
      it.prover.says({ a: relation, b: 'attenuation' });
      for (const trigger of ['watch', 'sighup', 'operator'] as const) {
        expect(await it.reload(proposal('two'), { trigger })).toMatchObject({
          kind: 'refused',
          generation: { number: 1 },
          hash: sha256('two'),
          comparison: { relation, executors: { a: { relation } } },
        });
      }
      expect([it.number, it.store.puts.length]).toEqual([1, 1]);
      expect(it.records).toMatchObject(
        ['watch', 'sighup', 'operator'].map((trigger) => ({
          event: 'reload_refused',
          data: { trigger, outcome: 'refused', generation: 1, gained: ['a'] },
        })),
      );
    },
  );

  test('that widens is taken by an operator act: those that gained get the next epoch, others keep theirs', async () => {
    const it = await house();
    it.prover.says({ a: 'widening', b: 'attenuation' });
    expect(await it.reload(proposal('two'), { act: {} })).toMatchObject({
      kind: 'activated',
      generation: { number: 2 },
      moved: ['a'],
      reissued: 0,
    });
    expect(epochs(it)).toEqual({ a: 1, b: 0 });
    expect(it.store.puts.at(-1)?.cause).toEqual({ trigger: 'operator', verdict: 'widening', moved: ['a'] });
    expect(it.reissued).toEqual([]);
  });

  test('with all moves everybody that was ever known, and with reissue mints into the open sessions of whoever moved, recorded', async () => {
    const it = await house();
    it.prover.says({ a: 'equal', b: 'removed' });
    await it.reload(proposal('two', ['a']));
    it.prover.says({ a: 'attenuation' });
    it.open = ['a', 'c'];
    const answer = await it.reload(proposal('three', ['a']), { act: { all: true, reissue: true } });
    expect(answer).toMatchObject({ kind: 'activated', reissued: 1 });
    expect(epochs(it)).toEqual({ a: 1, b: 1 });
    expect(it.reissued).toEqual(['a']);
    expect(it.records).toMatchObject([{ event: 'reissued', data: { sessions: ['a'] } }]);
  });

  test.each(['watch', 'sighup'] as const)('by %s never carries an operator act', async (trigger) => {
    const it = await house();
    it.prover.says({ a: 'widening', b: 'equal' });
    await expect(it.reload(proposal('two'), { trigger, act: {} })).rejects.toBeInstanceOf(UsageError);
    expect(it.number).toBe(1);
  });

  test('of a removed executor ends it; coming back later it is a widening, although the prover calls it new', async () => {
    const it = await house();
    it.prover.says({ a: 'equal', b: 'removed' });
    expect(await it.reload(proposal('two', ['a']))).toMatchObject({ kind: 'activated' });
    it.prover.says({ a: 'equal', b: 'new' });
    expect(await it.reload(proposal('one'))).toMatchObject({
      kind: 'refused',
      comparison: { relation: 'widening', executors: { b: { relation: 'widening' } } },
    });
    expect(await it.reload(proposal('one'), { act: {} })).toMatchObject({ kind: 'activated', moved: ['b'] });
    expect(epochs(it)).toEqual({ a: 0, b: 1 });
  });

  test('of an executor for whom a credential exists is no new one', async () => {
    const it = await house();
    it.mapped.push(fakeExecutor('c'));
    it.prover.says({ a: 'equal', b: 'equal', c: 'new' });
    expect(await it.reload(proposal('two', ['a', 'b', 'c']))).toMatchObject({ kind: 'refused' });
  });

  test('that gained something which concerns nobody in particular moves no epoch unless all is said', async () => {
    const change = { kind: 'change', what: 'server', path: 'servers.s', old: null, new: 'x' } as const;
    const it = await house();
    it.prover.says({ a: 'equal', b: 'equal' });
    const next = { ...proposal('two'), changes: [change] };
    expect(await it.reload(next)).toMatchObject({
      kind: 'refused',
      comparison: { relation: 'widening', witnesses: [change] },
    });
    expect(await it.reload(next, { act: {} })).toMatchObject({ kind: 'activated', moved: [] });
    expect(
      await it.reload({ ...proposal('three'), changes: [change] }, { act: { all: true } }),
    ).toMatchObject({
      moved: ['a', 'b'],
    });
  });

  test('is not made milder by a comparison that contradicts itself or leaves somebody out', async () => {
    const it = await house();
    it.prover.says({ a: 'widening', b: 'equal' }, { relation: 'attenuation', certificate: {} });
    const contradicting = await it.reload(proposal('two'));
    expect(contradicting).toMatchObject({ kind: 'refused', comparison: { relation: 'widening' } });
    expect(contradicting).not.toHaveProperty('comparison.certificate');
    it.prover.says({ a: 'equal' });
    expect(await it.reload(proposal('two'))).toMatchObject({
      kind: 'refused',
      comparison: { executors: { b: { relation: 'unknown' } } },
    });
    it.prover.says({ a: 'equal', b: 'equal' }, { relation: 'widening' });
    expect(await it.reload(proposal('two'), { act: {} })).toMatchObject({ moved: ['a', 'b'] });
  });

  test('whose prover fails is unknown for everybody, and an operator act moves everybody', async () => {
    const it = await house();
    expect(await it.reload(proposal('two'))).toMatchObject({
      kind: 'refused',
      comparison: { relation: 'unknown' },
    });
    expect(await it.reload(proposal('two'), { act: {} })).toMatchObject({ moved: ['a', 'b'] });
  });

  test('that cannot be read, made or stored changes nothing and says so', async () => {
    const it = await house();
    const problem = { at: { line: 1, column: 1 }, path: '', found: 'x', allowed: 'y', message: 'z' };
    const unusable = { kind: 'invalid', file: 'p.yaml', problems: [problem] } as const;
    const invalid = await it.reload(proposal('two'), { propose: () => Promise.resolve(unusable) });
    expect(invalid).toMatchObject({ kind: 'invalid', problems: [problem], generation: { number: 1 } });
    const failing = (): Promise<Proposal> => Promise.reject(new Error('no such generation'));
    expect(await it.reload(proposal('two'), { propose: failing })).toMatchObject({
      kind: 'failed',
      why: 'no such generation',
    });
    it.prover.says({ a: 'equal', b: 'equal' });
    it.store.broken = true;
    expect(await it.reload(proposal('two'))).toMatchObject({ kind: 'failed', why: 'the disk is full' });
    expect([it.number, it.store.puts.length]).toEqual([1, 1]);
    it.store.broken = false;
    expect(await it.reload(proposal('two'))).toMatchObject({ kind: 'activated', generation: { number: 2 } });
  });

  test('waits for the one before: each is compared with what the last one put in force', async () => {
    const it = await house();
    it.prover.says({ a: 'attenuation', b: 'attenuation' });
    const answers = ['two', 'three', 'four'].map((content) => it.reload(proposal(content)));
    expect((await Promise.all(answers)).map(({ generation }) => generation.number)).toEqual([2, 3, 4]);
    expect(it.prover.asked).toEqual([
      ['one', 'two'],
      ['two', 'three'],
      ['three', 'four'],
    ]);
  });

  test('is in force only after it is durable, and whoever is told of it is told in that very step', async () => {
    const it = await house();
    it.prover.says({ a: 'equal', b: 'equal' });
    const seen: unknown[] = [];
    it.store.before = () => Promise.resolve().then(() => void seen.push(it.number));
    await it.reload(proposal('two'), {
      inForce: ({ generation }) => seen.push([generation.number, it.number]),
    });
    expect(seen).toEqual([1, [2, 2]]);
  });
});

describe('[P.reload.freeze] a freeze', () => {
  test('is in force when the call returns, before it is stored, and also when it cannot be stored', async () => {
    const it = await house();
    it.store.broken = true;
    const stored = it.reloader.freeze('a');
    expect(it.freezes.covers(fakeExecutor('a'))).toBe('a');
    await expect(stored).rejects.toThrow('the disk is full');
    expect(it.freezes.covers(fakeExecutor('a'))).toBe('a');
  });

  test('covers an agent with all its instances, or everything; a thaw lifts exactly what it names and moves the epochs of whom it covers', async () => {
    const it = await new House().begin('one', ['a', 'b']);
    await it.reloader.freeze('a');
    await it.reloader.freeze('*');
    expect(it.freezes.covers(mintId.executor('b/x'))).toBe('*');
    expect(await it.reloader.thaw('*')).toMatchObject({ kind: 'thawed', moved: ['a', 'b'] });
    expect(it.freezes.covers(mintId.executor('a/x'))).toBe('a');
    expect(it.freezes.covers(fakeExecutor('b'))).toBeUndefined();
    expect(await it.reloader.thaw('a', { reissue: true })).toMatchObject({
      kind: 'thawed',
      generation: { number: 3 },
      moved: ['a'],
      reissued: 1,
    });
    expect(epochs(it)).toEqual({ a: 2, b: 1 });
    expect([...it.store.frozen]).toEqual([]);
    expect(await it.reloader.thaw('a')).toEqual({ kind: 'not-frozen' });
  });

  test('that comes in during a thaw stands', async () => {
    const it = await house();
    await it.reloader.freeze('a');
    let again: Promise<boolean> | undefined;
    it.store.before = async () => {
      it.store.before = () => Promise.resolve();
      again = it.reloader.freeze('a');
    };
    expect(await it.reloader.thaw('a')).toEqual({ kind: 'frozen-again' });
    await again;
    expect(it.freezes.covers(fakeExecutor('a'))).toBe('a');
    expect([...it.store.frozen]).toEqual(['a']);
  });

  test('that comes in while a thaw still waits for its turn stands, and nothing moved', async () => {
    const it = await house();
    await it.reloader.freeze('a');
    let prove = (): void => undefined;
    it.prover.answer = () =>
      new Promise((_, reject) => {
        prove = () => reject(new Error('no proof'));
      });
    const reloading = it.reload(proposal('two'));
    const thawing = it.reloader.thaw('a');
    await it.reloader.freeze('a');
    prove();
    await reloading;
    expect(await thawing).toEqual({ kind: 'frozen-again' });
    expect([it.freezes.has('a'), [...it.store.frozen], it.number]).toEqual([true, ['a'], 1]);
  });

  test('waits for no reload that is being proved', async () => {
    const it = await house();
    it.prover.answer = () => new Promise(() => undefined);
    void it.reload(proposal('two'));
    await it.reloader.freeze('a');
    expect([...it.store.frozen]).toEqual(['a']);
  });

  test('stays when its thaw cannot be stored, and nothing moved', async () => {
    const it = await house();
    await it.reloader.freeze('a');
    it.store.broken = true;
    await expect(it.reloader.thaw('a')).rejects.toThrow('the disk is full');
    expect([it.freezes.has('a'), it.number]).toEqual([true, 1]);
  });
});

describe('[P.reload.drain] an older generation', () => {
  test('that a call still holds is given up at its deadline, and not before; the one in force never is', async () => {
    const it = await house();
    const held = it.cell.current.pin();
    it.prover.says({ a: 'equal', b: 'equal' });
    await it.reload(proposal('two'));
    it.alarm.pass(15 * 60_000 - 1);
    expect(it.gaveUp).toEqual([]);
    expect(it.reloader.living()).toMatchObject([
      { number: 2, pins: 0 },
      { number: 1, pins: 1, bytes: expect.any(Number), replacedFor: expect.any(Number) },
    ]);
    it.alarm.pass(1);
    expect(it.gaveUp).toEqual([1]);
    expect(it.records).toMatchObject([{ event: 'drained', data: { generation: 1, calls: 1 } }]);
    held?.release();
    expect(it.reloader.living().map(({ number }) => number)).toEqual([2]);
  });

  test('that nobody holds sets no alarm', async () => {
    const it = await house();
    it.prover.says({ a: 'equal', b: 'equal' });
    await it.reload(proposal('two'));
    expect(it.alarm.size).toBe(0);
    const held = it.cell.current.pin();
    await it.reload(proposal('three'));
    held?.release();
    it.alarm.pass(60 * 60_000);
    expect(it.gaveUp).toEqual([]);
  });
});
