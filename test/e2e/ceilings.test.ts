/** Ceilings and narrowings that are stored: declared over control while agents call, kept over restarts, and offline. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Declaration } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { prove } from '../../packages/gateway/src/cli/prove.js';
import type { DeclaredView, StatusView, StoredEntryView } from '../../packages/gateway/src/control/index.js';
import { Database } from '../../packages/gateway/src/store/database.js';
import { openStore, storePaths } from '../../packages/gateway/src/store/index.js';
import { type Here, started, startHere } from './daemon.js';
import { pawlHere, temporaryFolder } from './gateway.js';
import { type Endpoint, call, refusalOf, textOf } from './post.js';

const program = fileURLToPath(new URL('../../examples/terminal/server.mjs', import.meta.url));
const slowEnough = { timeout: 120_000 };

function policyWith(ceiling: object | undefined, more: object = {}): object {
  const term = { command: process.execPath, args: [program], connector: 'terminal' };
  const agent = { allow: [{ tools: ['term/*'] }], ...(ceiling === undefined ? {} : { ceiling }) };
  return {
    pawl: 1,
    servers: { term },
    agents: { op: agent, other: { allow: [{ tools: ['term/terminal_list_targets'] }] } },
    instances: { 'op/ann': {}, 'op/bo': {} },
    ...more,
  };
}

async function serving(policy: object, folder = temporaryFolder()): Promise<Here> {
  return started({ folder, policy, says: prove });
}

let files = 0;

/** Declares what a file says. */
async function set(
  here: Pick<Here, 'ask' | 'store'>,
  [command, whose]: readonly ['ceiling' | 'narrow', string],
  declaration: object,
  ...more: readonly string[]
): Promise<{ readonly code: number; readonly view: DeclaredView; readonly err: string }> {
  files += 1;
  const file = join(here.store, `declared-${files}.json`);
  writeFileSync(file, JSON.stringify(declaration));
  const { code, out, err } = await here.ask(command, 'set', whose, '--file', file, '--json', ...more);
  return { code: code ?? -1, view: (out === '' ? {} : JSON.parse(out)) as DeclaredView, err };
}

async function clear(
  here: Here,
  command: 'ceiling' | 'narrow',
  ...words: readonly string[]
): Promise<DeclaredView> {
  return JSON.parse((await here.ask(command, 'clear', ...words, '--json')).out) as DeclaredView;
}

async function instanceKey(here: Here, instance: string): Promise<Endpoint> {
  files += 1;
  const out = join(here.store, `${files}.key`);
  const { code, err } = await here.ask(
    'keys',
    'issue',
    '--agent',
    'op',
    '--instance',
    instance,
    '--out',
    out,
  );
  if (code !== 0) throw new Error(err);
  const { key } = JSON.parse(readFileSync(out, 'utf8')) as { key: string };
  const status = JSON.parse((await here.ask('status', '--json')).out) as StatusView;
  return { url: status.http ?? '', authorization: `Bearer ${key}` };
}

const capture = (to: Endpoint, target: string): ReturnType<typeof call> =>
  call(to, 'term__terminal_capture', { target });
const reach = async (to: Endpoint): Promise<readonly (string | undefined)[]> =>
  Promise.all(
    ['tmux:main', 'kitty:1', 'iterm2:1:1:1'].map(async (target) => refusalOf(await capture(to, target))),
  );
const everything = [undefined, undefined, undefined];
const tmuxOnly = [undefined, 'out_of_scope', 'out_of_scope'];

async function shown(
  here: Pick<Here, 'ask'>,
  command: 'ceiling' | 'narrow',
): Promise<readonly StoredEntryView[]> {
  return JSON.parse((await here.ask(command, 'show', '--json')).out) as readonly StoredEntryView[];
}

describe(
  '[S002.declared-is-a-generation] a ceiling or a narrowing that is declared while agents call',
  slowEnough,
  () => {
    test('is the next generation, an attenuation: capabilities stay, and the very next call is refused', async () => {
      const here = await serving(policyWith({ terminal: { backends: ['tmux', 'kitty'] } }));
      const [ann, bo] = [await instanceKey(here, 'ann'), await instanceKey(here, 'bo')];
      expect(await reach(ann)).toEqual([undefined, undefined, 'out_of_scope']);
      const { code, view } = await set(
        here,
        ['narrow', 'op/ann'],
        { terminal: { backends: ['tmux'] } },
        '--by',
        'ann',
      );
      expect(code).toBe(0);
      expect(view).toMatchObject({
        of: 'op/ann',
        layer: 'narrowing',
        kept: { terminal: { backends: ['tmux'] } },
        dropped: [],
        beyond: [],
        reload: {
          kind: 'activated',
          moved: [],
          generation: { number: 2 },
          comparison: { relation: 'attenuation' },
        },
      });
      expect([await reach(ann), await reach(bo)]).toEqual([tmuxOnly, [undefined, undefined, 'out_of_scope']]);
      expect(await shown(here, 'narrow')).toMatchObject([
        { of: 'op/ann', on: 'terminal', state: 'applies', by: 'ann', at: expect.any(Number) },
      ]);
      expect(await shown(here, 'ceiling')).toEqual([]);
      const records = (await here.ask('audit', 'show', '--json')).out;
      expect(records).toContain('"declared":{"by":"ann","of":"op/ann"}');
    });

    test('declared again the same is nothing new', async () => {
      const here = await serving(policyWith(undefined));
      const tmux = { terminal: { backends: ['tmux'] } };
      await set(here, ['ceiling', 'op'], tmux, '--by', 'carla');
      const again = await set(here, ['ceiling', 'op'], tmux, '--by', 'dan');
      expect(again).toMatchObject({ code: 0, view: { reload: { kind: 'same', generation: { number: 2 } } } });
      expect(await shown(here, 'ceiling')).toMatchObject([{ by: 'carla' }]);
    });

    test('that is lifted or widened is a widening: refused with what would be gained, unless an operator accepts it', async () => {
      const here = await serving(policyWith(undefined));
      const ann = await instanceKey(here, 'ann');
      await set(here, ['ceiling', 'op'], { terminal: { backends: ['tmux'] } });
      expect(await reach(ann)).toEqual(tmuxOnly);
      const wider = await set(here, ['ceiling', 'op'], { terminal: { backends: ['tmux', 'kitty'] } });
      expect(wider.code).toBe(1);
      expect(wider.view.reload).toMatchObject({
        kind: 'refused',
        comparison: {
          executors: {
            'op/ann': {
              relation: 'widening',
              witnesses: expect.arrayContaining([
                expect.objectContaining({ kind: 'call', old: 'deny', new: 'permit' }),
              ]),
            },
          },
        },
      });
      const text = await here.ask('ceiling', 'clear', 'op');
      expect(text).toMatchObject({ code: 1, out: '' });
      expect(text.err).toMatch(
        /refused: generation 2 .*\n(?:.*\n)*ways on:\n {2}keep.*\n {2}accept.*--bump-epoch/u,
      );
      expect(await reach(ann)).toEqual(tmuxOnly);
      const lifted = await here.ask('ceiling', 'clear', 'op', '--bump-epoch', '--reissue');
      expect(lifted).toMatchObject({ code: 0, err: '' });
      expect(lifted.out).toMatch(
        /lifted; generation 3 .*widening\n {2}capabilities of op\/ann, op\/bo have ended/u,
      );
      expect(await reach(ann)).toEqual(everything);
      expect(await shown(here, 'ceiling')).toEqual([]);
    });

    test('of one connector alone is lifted alone', async () => {
      const here = await serving(policyWith(undefined));
      await set(here, ['ceiling', 'op'], {
        terminal: { backends: ['tmux'] },
        term: { targets: ['tmux:main'] },
      });
      await clear(here, 'ceiling', 'op', '--on', 'terminal', '--bump-epoch');
      expect(await shown(here, 'ceiling')).toMatchObject([{ on: 'term' }]);
      const left = await set(here, ['ceiling', 'op'], { terminal: { backends: ['tmux'] } });
      expect(left, 'what the file does not name is lifted').toMatchObject({ code: 1 });
    });

    test('[S002.subscriber-cannot-widen] asks in vain for more than the ceiling, is told so, and reaches no more', async () => {
      const here = await serving(policyWith({ terminal: { backends: ['tmux', 'kitty'] } }));
      const ann = await instanceKey(here, 'ann');
      const part = await set(here, ['narrow', 'op/ann'], { terminal: { backends: ['kitty', 'iterm2'] } });
      expect(part).toMatchObject({ code: 0, view: { beyond: [{ asked: 'iterm2', left: 'nothing' }] } });
      expect(await reach(ann)).toEqual(['out_of_scope', undefined, 'out_of_scope']);
      const whole = await set(here, ['narrow', 'op/ann'], { terminal: { backends: ['iterm2'] } });
      expect(whole.view.beyond).toHaveLength(1);
      expect(await reach(ann)).toEqual(Array(3).fill('out_of_scope'));
    });

    test('[S002.subscriber-narrows] binds what the creator left to be bound: its first value is a gain that an operator accepts', async () => {
      const here = await serving(policyWith({ terminal: { targets: 'single' } }));
      const ann = await instanceKey(here, 'ann');
      expect(await reach(ann)).toEqual(Array(3).fill('out_of_scope'));
      const target = { terminal: { targets: ['tmux:main'] } };
      expect(await set(here, ['narrow', 'op/ann'], target)).toMatchObject({ code: 1 });
      const bound = await set(here, ['narrow', 'op/ann'], target, '--bump-epoch', '--reissue');
      expect(bound).toMatchObject({ code: 0, view: { reload: { moved: ['op/ann'] } } });
      expect(await reach(ann)).toEqual(tmuxOnly);
      expect(textOf(await call(ann, 'term__terminal_capture', {}))).toBe('$');
    });

    test('drops junk and says where it stands; where nothing is left nothing is stored', async () => {
      const here = await serving(policyWith(undefined));
      const file = join(here.store, 'junk.yaml');
      writeFileSync(
        file,
        'terminal:\n  backends:\n    - tmux\n    - moon\n  colours: [red]\nmoonbase: { x: [1] }\n',
      );
      const mixed = await here.ask('ceiling', 'set', 'op', '--file', file);
      expect(mixed.code).toBe(0);
      expect(mixed.err.split('\n').map((line) => line.replace(/^.*junk\.yaml:/u, '').slice(0, 44))).toEqual([
        '4:7: terminal.backends[1]: found "moon"; all',
        '5:3: terminal.colours: found field colours; ',
        '6:1: moonbase: found moonbase, which is no c',
        '',
      ]);
      writeFileSync(file, 'moonbase: { x: [1] }\n');
      expect(await here.ask('ceiling', 'set', 'op', '--file', file), 'lifting is a widening').toMatchObject({
        code: 1,
      });
      expect(await here.ask('ceiling', 'set', 'other', '--file', file)).toMatchObject({ code: 3 });
      writeFileSync(file, 'terminal: [\n');
      expect(await here.ask('ceiling', 'set', 'op', '--file', file)).toMatchObject({ code: 3 });
      for (const words of [
        ['set', 'op'],
        ['set', 'op/ann', '--file', file],
        ['lift', 'op'],
        ['clear'],
        ['show', 'a', 'b'],
      ])
        expect(await here.ask('ceiling', ...words)).toMatchObject({ code: 2 });
      const unknown = await here.ask('narrow', 'clear', 'op/zed');
      expect(unknown).toMatchObject({ code: 1, err: expect.stringContaining('ann, bo') });
    });

    test('needs nothing of the file: a change of the policy that was refused stays refused, and goes on being told', async () => {
      const here = await serving(policyWith({ terminal: { backends: ['tmux'] } }));
      here.write(policyWith(undefined));
      expect(await here.ask('reload')).toMatchObject({ code: 1 });
      expect(await set(here, ['narrow', 'op/ann'], { terminal: { targets: ['tmux:main'] } })).toMatchObject({
        code: 0,
      });
      const status = JSON.parse((await here.ask('status', '--json')).out) as StatusView;
      expect(status).toMatchObject({ refusedReload: { kind: 'refused' }, generations: [{ number: 2 }] });
      expect(await here.ask('reload')).toMatchObject({ code: 1 });
    });

    test('stays when the policy is reloaded, and when an earlier generation is taken again', async () => {
      const here = await serving(policyWith({ terminal: { backends: ['tmux', 'kitty'] } }));
      const ann = await instanceKey(here, 'ann');
      await set(here, ['narrow', 'op/ann'], { terminal: { backends: ['tmux'] } });
      here.write(policyWith({ terminal: { backends: ['tmux'] } }));
      expect(await here.ask('reload')).toMatchObject({ code: 0 });
      expect(await here.ask('reload', '--to', '1', '--bump-epoch', '--reissue')).toMatchObject({ code: 0 });
      expect(await reach(ann)).toEqual(tmuxOnly);
      expect(await shown(here, 'narrow')).toMatchObject([{ state: 'applies' }]);
    });

    test('two at once both come into force, one after the other', async () => {
      const here = await serving(policyWith(undefined));
      const both = await Promise.all([
        set(here, ['ceiling', 'op'], { terminal: { backends: ['tmux'] } }),
        set(here, ['narrow', 'op/ann'], { terminal: { targets: ['tmux:main'] } }),
      ]);
      expect(both.map(({ code }) => code)).toEqual([0, 0]);
      expect([...(await shown(here, 'ceiling')), ...(await shown(here, 'narrow'))]).toMatchObject([
        { of: 'op' },
        { of: 'op/ann' },
      ]);
    });

    test('is told by status for each executor that it concerns', async () => {
      const here = await serving(policyWith(undefined));
      await set(here, ['ceiling', 'op'], { terminal: { backends: ['tmux'] } });
      await set(here, ['narrow', 'op/ann'], { terminal: { targets: ['tmux:main'] } });
      const whole = { terminal: { backends: ['tmux', 'kitty', 'iterm2'] } };
      expect((await set(here, ['ceiling', 'other'], whole)).view.whole).toEqual(['terminal.backends']);
      const rows = (await here.ask('status')).out.split('\n').filter((line) => line.includes('epoch'));
      expect(rows).toEqual([
        'executors   op/ann  epoch 0  stored ceiling: terminal; stored narrowing: terminal',
        '            op/bo   epoch 0  stored ceiling: terminal',
        '            other   epoch 0',
      ]);
      expect((await here.ask('ceiling', 'show', 'other')).out).toMatch(/counts as none/u);
    });
  },
);

describe('what is stored', slowEnough, () => {
  test('[S002.declared-and-resolved] survives a restart, in the same generation', async () => {
    const folder = temporaryFolder();
    const policy = policyWith({ terminal: { backends: ['tmux', 'kitty'] } });
    const first = await serving(policy, folder);
    await set(first, ['narrow', 'op/ann'], { terminal: { backends: ['tmux'] } });
    const { generation } = first.daemon.snapshot;
    await first.close();
    const second = await serving(policy, folder);
    expect(second.daemon.started).toBe('same');
    expect(second.daemon.snapshot.generation).toEqual(generation);
    expect(await reach(await instanceKey(second, 'ann'))).toEqual(tmuxOnly);
  });

  test('[S002.declared-is-a-generation] changes while no daemon runs as it does while one does, and the next start finds it', async () => {
    const folder = temporaryFolder();
    const policy = policyWith(undefined);
    const first = await serving(policy, folder);
    await first.close();
    const store = {
      store: first.store,
      ask: (...args: readonly string[]) => pawlHere(...args, '--store', first.store),
    };
    const tmux = { terminal: { backends: ['tmux'] } };
    expect(await set(store, ['ceiling', 'op'], tmux)).toMatchObject({
      code: 0,
      view: { reload: { generation: { number: 2 }, comparison: { relation: 'attenuation' } } },
    });
    expect(await set(store, ['ceiling', 'op'], { terminal: { backends: ['kitty'] } })).toMatchObject({
      code: 1,
    });
    expect(await shown(store, 'ceiling')).toMatchObject([{ state: 'applies', by: 'operator' }]);
    const second = await serving(policy, folder);
    expect(second.daemon.started).toBe('same');
    expect(await reach(await instanceKey(second, 'bo'))).toEqual(tmuxOnly);
    await second.close();
    const lifted = await pawlHere('ceiling', 'clear', 'op', '--bump-epoch', '--store', first.store);
    expect(lifted).toMatchObject({ code: 0 });
    expect((await openStoreAnd(first.store)).epochs).toMatchObject({ 'op/ann': 1, 'op/bo': 1, other: 0 });
  });

  test('needs a policy in the store', async () => {
    const folder = join(temporaryFolder(), 'store');
    const store = await openStore(folder);
    await store.close();
    const file = join(folder, 'd.json');
    writeFileSync(file, '{"terminal":{"backends":["tmux"]}}');
    const answer = await pawlHere('ceiling', 'set', 'op', '--file', file, '--store', folder);
    expect(answer).toMatchObject({ code: 1, err: expect.stringMatching(/pawl run/u) });
  });

  test('[S002.unreadable-refuses] and was damaged refuses what it is for, loudly; declaring it anew is an operator act', async () => {
    const folder = temporaryFolder();
    const policy = policyWith({ terminal: { backends: ['tmux', 'kitty'] } });
    const first = await serving(policy, folder);
    await set(first, ['narrow', 'op/ann'], { terminal: { backends: ['tmux'] } });
    await first.close();
    const database = new Database(storePaths(first.store).database);
    database.script(`UPDATE rows SET text = 'x' WHERE kind = 'declaration'`);
    database.close();
    const second = await serving(policy, folder);
    const [ann, bo] = [await instanceKey(second, 'ann'), await instanceKey(second, 'bo')];
    const refused = await capture(ann, 'tmux:main');
    expect(refusalOf(refused)).toBe('unreadable_ceiling');
    expect(textOf(refused)).toMatch(/stored narrowing for terminal cannot be read/u);
    expect(await reach(bo)).toEqual([undefined, undefined, 'out_of_scope']);
    expect(second.daemon.findings.map(({ message }) => message).join()).toMatch(/op\/ann cannot be read/u);
    expect((await second.ask('status')).out).toMatch(/stored narrowing: terminal UNREADABLE: refused/u);
    expect((await second.ask('narrow', 'show')).out).toMatch(/UNREADABLE/u);
    expect(await second.ask('audit', 'verify')).toMatchObject({ code: 1 });
    const again = { terminal: { backends: ['tmux'] } };
    expect(await set(second, ['narrow', 'op/ann'], again)).toMatchObject({ code: 1 });
    expect(await set(second, ['narrow', 'op/ann'], again, '--bump-epoch', '--reissue')).toMatchObject({
      code: 0,
    });
    expect(await reach(ann)).toEqual(tmuxOnly);
  });

  test('[S002.unreadable-refuses] and was taken away by other hands is a widening: nothing starts', async () => {
    const folder = temporaryFolder();
    const policy = policyWith({ terminal: { backends: ['tmux', 'kitty'] } });
    const first = await serving(policy, folder);
    await set(first, ['narrow', 'op/ann'], { terminal: { backends: ['tmux'] } });
    await first.close();
    const database = new Database(storePaths(first.store).database);
    database.script(`DELETE FROM rows WHERE kind = 'declaration'`);
    database.close();
    expect(await startHere({ folder, policy, says: prove })).toMatchObject({ kind: 'generation' });
  });
});

describe('[P.diff.store] diff with a store', slowEnough, () => {
  test('knows its executors, and counts what is stored on both sides', async () => {
    const folder = temporaryFolder();
    const here = await serving(policyWith(undefined), folder);
    await set(here, ['ceiling', 'op'], { terminal: { backends: ['tmux'] } });
    const file = (name: string, policy: object): string => {
      const path = join(folder, `${name}.json`);
      writeFileSync(path, JSON.stringify(policy));
      return path;
    };
    const narrow = file('narrow', policyWith({ terminal: { backends: ['tmux'] } }));
    const open = file('open', policyWith(undefined));
    const without = file('without', policyWith(undefined, { instances: { 'op/ann': {} } }));
    const diff = async (
      ...words: readonly string[]
    ): Promise<{ relation: string; executors: Record<string, { relation: string }> }> =>
      JSON.parse((await pawlHere('diff', ...words, '--json')).out) as never;
    expect((await diff(narrow, open)).relation).toBe('widening');
    expect((await diff(narrow, open, '--store', here.store)).relation).toBe('equal');
    expect((await diff(without, open)).executors['op/bo']).toEqual({ relation: 'new', witnesses: [] });
    expect((await diff(without, open, '--store', here.store)).executors['op/bo']).toMatchObject({
      relation: 'widening',
      witnesses: [{ kind: 'executor' }],
    });
    const absent = await pawlHere('diff', open, open, '--store', join(folder, 'nowhere'));
    expect(absent).toMatchObject({ code: 3, out: '', err: expect.stringMatching(/no store/u) });
  });
});

async function openStoreAnd(folder: string): Promise<{ epochs: object; declared: readonly Declaration[] }> {
  const store = await openStore(folder);
  try {
    const generation = await store.generations.current();
    return { epochs: generation?.epochs ?? {}, declared: await store.declarations.list() };
  } finally {
    await store.close();
  }
}
