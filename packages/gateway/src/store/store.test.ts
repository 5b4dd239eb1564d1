/** One suite for every store: the same promises, whatever keeps the bytes. */
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  type AuditRecord,
  type Count,
  type Declaration,
  type IntentRecord,
  type JsonObject,
  executorId,
  genesis,
  link,
  mintId,
  parseAgentName,
  parseServerName,
  readEnvelope,
  sha256,
} from '@pawl/core';
import { afterEach, describe, expect, test } from 'vitest';
import { fakeSource } from '../../../../test/fake-reload.js';
import {
  type Store,
  type StoredGeneration,
  type StoredKey,
  type StoredPin,
  type StoredSkill,
  memoryStore,
  openStore,
} from './index.js';

const reporter = parseAgentName('reporter')!;
const files = parseServerName('files')!;
const web = parseServerName('web')!;

const kinds = [
  { kind: 'memory', keeps: false, open: async (): Promise<Store> => memoryStore() },
  { kind: 'sqlite', keeps: true, open: (folder: string): Promise<Store> => openStore(folder) },
];

function intent(call: string, more: Partial<IntentRecord> = {}): IntentRecord {
  return { type: 'intent', verdict: 'permit', level: 'permit', rules: [], call: mintId.call(call), ...more };
}

function settlement(call: string): AuditRecord {
  return { type: 'settlement', call: mintId.call(call), outcome: 'ok', milliseconds: 1 };
}

function generation(number: number, epochs: Record<string, number> = {}): StoredGeneration {
  return { number, hash: sha256(`g${number}`), source: fakeSource(`number: ${number}\n`), epochs };
}

function accepting(number: number, { server, tool, digest, definition }: StoredPin): StoredGeneration {
  const source = { ...fakeSource('accepting'), tools: { [server]: [definition as JsonObject] } };
  const accepted = [{ server, tool, digest, firstUse: false }];
  const cause = { trigger: 'operator', verdict: 'widening', moved: [], accepted } as const;
  return { ...generation(number), source, cause, createdAt: 7 };
}

function key(id: string, issuedAt = 1): StoredKey {
  return { id: mintId.key(id), salt: '00', hash: 'ab', agent: reporter, issuedAt };
}

function pin(tool: string, state: StoredPin['state'], more: Partial<StoredPin> = {}): StoredPin {
  const definition = { name: tool };
  return { server: files, tool, digest: sha256(tool), definition, state, firstUse: false, at: 1, ...more };
}

describe.each(kinds)('a $kind store', ({ keeps, open }) => {
  const opened: Store[] = [];
  const folders = new Map<Store, string>();

  async function fresh(): Promise<Store> {
    const folder = mkdtempSync(join(tmpdir(), 'pawl-store-'));
    const store = await open(folder);
    opened.push(store);
    folders.set(store, folder);
    return store;
  }

  async function reopened(store: Store): Promise<Store> {
    await store.close();
    const again = await open(folders.get(store) ?? '');
    opened.push(again);
    return again;
  }

  afterEach(async () => {
    for (const store of opened.splice(0)) await store.close();
  });

  /** Records without the one that every store begins with. */
  async function recorded(store: Store): Promise<readonly unknown[]> {
    const records = await store.records({ from: 1 });
    return records.map(({ text }) => readEnvelope(text)?.record);
  }

  test('gives records back in the order of their appends, each linked to the one before', async () => {
    const store = await fresh();
    const tickets = ['a', 'b', 'c'].map((call) => store.audit.append(intent(call)));
    await Promise.all(tickets.map((ticket) => ticket.durable));
    const records = await store.records();
    let hash = genesis(store.id);
    for (const [seq, record] of records.entries()) {
      hash = link(hash, record.text);
      expect(record).toMatchObject({ seq, hash });
    }
    expect(records.map(({ call }) => call)).toEqual([undefined, 'a', 'b', 'c']);
    expect(store.head()).toEqual({ seq: 3, hash });
  });

  test('begins with a record that names the store and the key that signs its heads', async () => {
    const store = await fresh();
    const [first] = await store.records({ limit: 1 });
    expect(readEnvelope(first?.text ?? '')?.record['data']).toEqual({
      id: store.id,
      publicKey: store.publicKey,
    });
  });

  test('lets a noted record ride in front of the next append', async () => {
    const store = await fresh();
    store.audit.note(settlement('a'));
    await store.audit.append(intent('b')).durable;
    expect(store.head().seq).toBe(2);
    expect(await recorded(store)).toEqual([settlement('a'), intent('b')]);
  });

  test('takes more records in one turn than one transaction holds', async () => {
    const store = await fresh();
    const calls = Array.from({ length: 300 }, (_, number) => `c${number}`);
    await Promise.all(calls.map((call) => store.audit.append(intent(call)).durable));
    const records = await store.records({ from: 1 });
    expect(records.map(({ call }) => call)).toEqual(calls);
  });

  test('keeps a body beside its record and chains only a digest of it', async () => {
    const store = await fresh();
    await store.audit.append(intent('a'), { path: '/etc/hosts' }).durable;
    const [record] = await store.records({ call: 'a' });
    expect(record?.body).toBe('{"path":"/etc/hosts"}');
    expect(record?.text).not.toContain('hosts');
    expect(readEnvelope(record?.text ?? '')?.body).toBe(store.digest('{"path":"/etc/hosts"}'));
  });

  test('[P.audit.erasable] erases a body, records that, and leaves every hash as it was', async () => {
    const store = await fresh();
    await store.audit.append(intent('a'), { path: '/etc/hosts' }).durable;
    const before = await store.records();
    expect(await store.eraseBody(1)).toBe(true);
    expect(await store.eraseBody(1)).toBe(false);
    expect(await store.eraseBody(77)).toBe(false);
    const after = await store.records();
    expect(after[1]?.body).toBeUndefined();
    expect(after.slice(0, 2).map(({ hash }) => hash)).toEqual(before.map(({ hash }) => hash));
    expect((await recorded(store)).at(-1)).toEqual({ type: 'event', event: 'body_erased', data: { seq: 1 } });
  });

  test('digests the same text alike in one store and unlike in another', async () => {
    const [one, other] = [await fresh(), await fresh()];
    expect(one.digest('x')).toBe(one.digest('x'));
    expect(one.digest('x')).not.toBe(other.digest('x'));
  });

  test('finds the records of one call, and of one executor with the settlements of its calls', async () => {
    const store = await fresh();
    const [mine, other] = [executorId(reporter, 'alice'), executorId(reporter, 'bob')];
    store.audit.append(intent('a', { executor: mine }));
    store.audit.append(intent('b', { executor: other }));
    store.audit.note(settlement('b'));
    store.audit.note(settlement('a'));
    const calls = async (query: object): Promise<unknown> =>
      (await store.records(query)).map(({ seq }) => seq);
    expect(await calls({ call: 'a' })).toEqual([1, 4]);
    expect(await calls({ executor: mine })).toEqual([1, 4]);
    expect(await calls({ executor: other, from: 3 })).toEqual([3]);
    expect(await calls({ from: 1, limit: 2 })).toEqual([1, 2]);
    expect(await calls({ from: 99 })).toEqual([]);
    expect(await calls({ limit: 2, newest: true })).toEqual([3, 4]);
    expect(await calls({ executor: mine, limit: 1, newest: true })).toEqual([4]);
    expect(await calls({ from: 4, limit: 3, newest: true })).toEqual([4]);
    expect(await calls({ limit: 0, newest: true })).toEqual([]);
  });

  test('holds no generation at first, then the one put last, and finds earlier ones by number', async () => {
    const store = await fresh();
    expect(await store.generations.current()).toBeUndefined();
    await store.generations.put(generation(1, { reporter: 0 }));
    const source = fakeSource('two', {
      folder: undefined,
      facts: { oncall: { names: ['ann'] } },
      tools: { files: [{ name: 'read', inputSchema: { type: 'object' } }], web: [] },
      protectedPaths: ['/store'],
      connectors: { files: { name: 'filesystem', version: 3 }, web: null },
    });
    const cause = { trigger: 'operator', verdict: 'widening', moved: [executorId(reporter)], to: 1 } as const;
    const more = { source, cause, createdAt: 5 };
    await store.generations.put({ ...generation(2, { writer: 3 }), ...more });
    const second = { ...generation(2, { reporter: 0, writer: 3 }), ...more };
    expect(await store.generations.current()).toEqual(second);
    expect(await store.generations.at(1)).toEqual(generation(1, { reporter: 0 }));
    expect(await store.generations.at(3)).toBeUndefined();
  });

  test('refuses a generation out of turn and an epoch that goes back, and changes nothing', async () => {
    const store = await fresh();
    await store.generations.put(generation(1, { reporter: 4 }));
    const wrong = [generation(1), generation(3), generation(2, { reporter: 3 })];
    for (const next of wrong)
      await expect(store.generations.put(next)).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.generations.current()).toEqual(generation(1, { reporter: 4 }));
    expect(store.head().seq).toBe(1);
  });

  test('takes exactly one of two generations that are put at once under one number', async () => {
    const store = await fresh();
    const both = [generation(1), { ...generation(1), source: fakeSource('other') }];
    const ends = await Promise.allSettled(both.map((next) => store.generations.put(next)));
    expect(ends.map(({ status }) => status)).toEqual(['fulfilled', 'rejected']);
    expect(await store.generations.current()).toEqual(generation(1));
  });

  test('[P.limit.kept] keeps the last count of each limit, in one step with the record that holds it', async () => {
    const store = await fresh();
    const mine = executorId(reporter, 'alice');
    const count = (limit: string, of: number, more: object = {}): Count => ({
      executor: mine,
      limit,
      per: 'executor',
      day: 0,
      count: of,
      ...more,
    });
    expect(await store.counts.list()).toEqual([]);
    await store.audit.append(
      intent('a', { counts: [count('pay', 1), count('send', 1, { per: 'day', day: 9 })] }),
    ).durable;
    await store.audit.append(intent('b', { counts: [count('pay', 2)] })).durable;
    store.audit.note({ ...settlement('b'), counts: [count('pay', 1)] } as AuditRecord);
    await store.records();
    const expected = [count('send', 1, { per: 'day', day: 9 }), count('pay', 1)];
    expect(await store.counts.list()).toEqual(expect.arrayContaining(expected));
    expect(await store.counts.list()).toHaveLength(2);
    if (keeps) expect(await (await reopened(store)).counts.list()).toEqual(expect.arrayContaining(expected));
  });

  test('issues keys, lists them by age, and revokes each once', async () => {
    const store = await fresh();
    await store.keys.issue({ ...key('young', 9), instance: 'alice', expiresAt: 20 });
    await store.keys.issue(key('old', 3));
    await expect(store.keys.issue(key('old', 4))).rejects.toMatchObject({ code: 'conflict' });
    expect((await store.keys.list()).map(({ id }) => id)).toEqual(['old', 'young']);
    expect(await store.keys.revoke(mintId.key('old'), 11)).toBe(true);
    expect(await store.keys.revoke(mintId.key('old'), 12)).toBe(false);
    expect(await store.keys.revoke(mintId.key('none'), 12)).toBe(false);
    expect(store.keys.find(mintId.key('old'))).toEqual({ ...key('old', 3), revokedAt: 11 });
    expect(store.keys.find(mintId.key('none'))).toBeUndefined();
  });

  test('records that a key was issued without the hash of its secret', async () => {
    const store = await fresh();
    await store.keys.issue({ ...key('k'), hash: 'feedface' });
    const [record] = await recorded(store);
    expect(record).toEqual({
      type: 'event',
      event: 'key_issued',
      data: { id: 'k', agent: 'reporter', issuedAt: 1 },
    });
  });

  test('[P.pins.quarantine] replaces a pin of the same tool and state, and accepts what waits in one step with the generation', async () => {
    const store = await fresh();
    await store.pins.put([
      pin('read', 'accepted', { firstUse: true }),
      pin('a', 'accepted', { server: web }),
    ]);
    const next = pin('read', 'waiting', { digest: sha256('new'), definition: { name: 'read', v: 2 } });
    await store.pins.put([pin('read', 'waiting')]);
    await store.pins.put([next]);
    expect(await store.pins.list(files)).toEqual([pin('read', 'accepted', { firstUse: true }), next]);
    await store.generations.put(accepting(1, next));
    expect(await store.pins.list(files)).toEqual([{ ...next, state: 'accepted', at: 7 }]);
    expect(await store.generations.current()).toEqual(accepting(1, next));
    expect((await store.pins.list()).map(({ server }) => server)).toEqual(['files', 'web']);
  });

  test('leaves what waits with another digest than the accepted one, and refuses a generation without the tool', async () => {
    const store = await fresh();
    const [one, two] = ['one', 'two'].map((text) => pin('read', 'waiting', { digest: sha256(text) }));
    await store.pins.put([two!]);
    await store.generations.put(accepting(1, one!));
    expect(await store.pins.list(files)).toEqual([{ ...one, state: 'accepted', at: 7 }, two]);
    const bare = { ...accepting(2, two!), source: fakeSource('none') };
    await expect(store.generations.put(bare)).rejects.toMatchObject({ code: 'conflict' });
    expect(await store.pins.list(files)).toHaveLength(2);
  });

  test('forgets a rejected definition, by the digest that was shown alone', async () => {
    const store = await fresh();
    await store.pins.put([pin('read', 'waiting')]);
    expect(await store.pins.reject(files, 'read', sha256('other'))).toBe(false);
    expect(await store.pins.reject(files, 'read', sha256('read'))).toBe(true);
    expect(await store.pins.reject(files, 'read', sha256('read'))).toBe(false);
    expect(await store.pins.list(files)).toEqual([]);
  });

  test('[P.reload.freeze] keeps what is frozen until it is lifted, and records both once', async () => {
    const store = await fresh();
    await store.freezes.freeze('reporter');
    await store.freezes.freeze('*');
    await store.freezes.freeze('reporter');
    expect([...(await store.freezes.list())].sort()).toEqual(['*', 'reporter']);
    await store.freezes.lift('reporter');
    await store.freezes.lift('reporter');
    expect(await store.freezes.list()).toEqual(['*']);
    expect((await recorded(store)).map((record) => (record as { event: string }).event)).toEqual([
      'frozen',
      'frozen',
      'thawed',
    ]);
  });

  test('[S003.restart] keeps loaded skills in the order of loading, each change in one step with its record', async () => {
    const store = await fresh();
    const skill = (name: string, at: number, granted: readonly string[]): StoredSkill => ({
      executor: executorId(reporter),
      name,
      folder: `/skills/${name}`,
      root: sha256(name),
      key: sha256('key'),
      granted,
      by: 'operator',
      at,
    });
    await store.skills.put('skill_loaded', { skill: 'b' }, skill('b', 1, ['x', 'y']));
    await store.skills.put('skill_loaded', { skill: 'a' }, skill('a', 2, []));
    await store.skills.put('skill_masked', { skill: 'b' }, skill('b', 3, ['x']));
    await store.skills.put('skill_loaded', { skill: 'c' }, skill('c', 4, []));
    await store.skills.drop('skill_unloaded', { skill: 'c' }, skill('c', 4, []));
    const expected = [skill('a', 2, []), skill('b', 3, ['x'])];
    expect(await store.skills.list()).toEqual(expected);
    const records = await store.records({ from: 1 });
    expect(
      records.map(({ text }) => readEnvelope(text)?.rows?.map(({ kind, id }) => `${kind} ${id}`)),
    ).toEqual(['b', 'a', 'b', 'c', 'c'].map((name) => [`skill reporter ${name}`]));
    if (keeps) expect(await (await reopened(store)).skills.list()).toEqual(expected);
  });

  test('keeps the first time of a revocation', async () => {
    const store = await fresh();
    await store.revocations.add({ subject: 'capability', id: 'c', at: 7 });
    await store.revocations.add({ subject: 'capability', id: 'c', at: 8 });
    await store.revocations.add({ subject: 'session', id: 'c', at: 2 });
    expect(await store.revocations.list()).toEqual([
      { subject: 'session', id: 'c', at: 2 },
      { subject: 'capability', id: 'c', at: 7 },
    ]);
  });

  test('makes every change of a table a record of the chain', async () => {
    const store = await fresh();
    await store.generations.put(generation(1));
    await store.keys.issue(key('k'));
    await store.keys.revoke(mintId.key('k'), 2);
    await store.pins.put([pin('read', 'waiting')]);
    await store.generations.put(accepting(2, pin('read', 'waiting')));
    await store.revocations.add({ subject: 'key', id: 'k', at: 2 });
    await store.freezes.freeze('a/b');
    await store.freezes.lift('a/b');
    const records = await store.records({ from: 1 });
    const rows = records.map(({ text }) => readEnvelope(text)?.rows?.map(({ kind, id }) => `${kind} ${id}`));
    expect(rows).toEqual([
      ['generation 1', 'current generation'],
      ['key k'],
      ['key k'],
      ['pin files/read waiting'],
      ['generation 2', 'current generation', 'pin files/read accepted', 'pin files/read waiting'],
      ['revocation key k'],
      ['freeze a/b'],
      ['freeze a/b'],
    ]);
  });

  describe('[S002.declared-and-resolved] stored ceilings and narrowings', () => {
    const ceiling: Declaration = {
      of: executorId(reporter),
      on: 'terminal',
      fields: { backends: ['tmux'] },
      by: 'carla',
      at: 3,
    };
    const narrowing: Declaration = {
      of: executorId(reporter, 'alice'),
      on: 'files',
      fields: { 'args.x': { max: 3 } },
    };
    const declaring = (number: number, ...declared: readonly Declaration[]): StoredGeneration => ({
      ...generation(number),
      source: fakeSource(`number: ${number}\n`, declared.length === 0 ? {} : { declared }),
    });
    const ids = async (store: Store): Promise<readonly string[]> =>
      (await store.declarations.list()).map(({ of, on }) => `${of} ${on}`);

    test('are none in a fresh store, and those of the last generation afterwards, with who and when', async () => {
      const store = await fresh();
      expect(await store.declarations.list()).toEqual([]);
      await store.generations.put(declaring(1, narrowing, ceiling));
      expect(await store.declarations.list()).toEqual([ceiling, narrowing]);
      expect(await store.generations.current()).toEqual(declaring(1, narrowing, ceiling));
    });

    test('are replaced and lifted by later generations, each in one step with its generation', async () => {
      const store = await fresh();
      await store.generations.put(declaring(1, ceiling, narrowing));
      const wider = { ...ceiling, fields: { backends: ['tmux', 'kitty'] }, at: 4 };
      await store.generations.put(declaring(2, wider));
      expect(await store.declarations.list()).toEqual([wider]);
      await expect(store.generations.put(declaring(2, ceiling))).rejects.toMatchObject({ code: 'conflict' });
      expect(await store.declarations.list()).toEqual([wider]);
      await store.generations.put(declaring(3));
      expect(await store.declarations.list()).toEqual([]);
    });

    test('are one an executor and a connector or server', async () => {
      const store = await fresh();
      const other = { ...ceiling, of: executorId(reporter, 'alice') };
      await store.generations.put(declaring(1, ceiling, { ...ceiling, on: 'term' }, other));
      expect(await ids(store)).toEqual(['reporter term', 'reporter terminal', 'reporter/alice terminal']);
    });

    test('are there again when the store is reopened', async ({ skip }) => {
      if (!keeps) skip('a memory store forgets');
      const store = await fresh();
      await store.generations.put(declaring(1, ceiling, narrowing));
      const again = await reopened(store);
      expect(await again.declarations.list()).toEqual([ceiling, narrowing]);
    });
  });

  test('writes on close what was only noted, and refuses what comes after', async () => {
    const store = await fresh();
    store.audit.note(settlement('a'));
    await store.close();
    expect(store.head().seq).toBe(1);
    expect(store.audit.healthy()).toBe(false);
    await expect(store.audit.append(intent('b')).durable).rejects.toMatchObject({ code: 'closed' });
    await store.close();
  });

  test('has everything again when it is reopened', async ({ skip }) => {
    if (!keeps) skip('a memory store forgets');
    const store = await fresh();
    await store.audit.append(intent('a'), { x: 1 }).durable;
    await store.generations.put(generation(1, { reporter: 1 }));
    await store.generations.put(generation(2));
    await store.keys.issue(key('k'));
    await store.pins.put([pin('read', 'waiting')]);
    await store.revocations.add({ subject: 'key', id: 'k', at: 2 });
    const before = await store.records();
    const digest = store.digest('x');
    const again = await reopened(store);
    expect({ id: again.id, head: again.head(), digest: again.digest('x') }).toEqual({
      id: store.id,
      head: store.head(),
      digest,
    });
    expect(await again.records()).toEqual(before);
    expect(await again.generations.current()).toEqual(generation(2, { reporter: 1 }));
    expect(await again.generations.at(1)).toEqual(generation(1, { reporter: 1 }));
    expect(again.keys.find(mintId.key('k'))).toEqual(key('k'));
    expect(await again.pins.list()).toEqual([pin('read', 'waiting')]);
    expect(await again.revocations.list()).toEqual([{ subject: 'key', id: 'k', at: 2 }]);
    await again.audit.append(intent('b')).durable;
    expect(again.head().seq).toBe(before.length);
  });
});
