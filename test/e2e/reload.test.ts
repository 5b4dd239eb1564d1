/** Reloads through the real gateway: agents over HTTP, operators over the control socket, a real server behind. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Comparison } from '@pawl/core';
import { describe, expect, test, vi } from 'vitest';
import { fakeComparison } from '../fake-reload.js';
import { type Here, type Saying, everybody, started, startHere } from './daemon.js';
import { fakeServer, serverProgram, startGateway, temporaryFolder } from './gateway.js';
import { call, post, refusalOf, textOf, toolNames } from './post.js';

const slowEnough = { timeout: 60_000 };

/** Two files: one that the first policy permits, one that it does not. */
function dataFolder(): string {
  const folder = temporaryFolder();
  for (const part of ['pub', 'secret']) {
    mkdirSync(join(folder, 'data', part), { recursive: true });
    writeFileSync(join(folder, 'data', part, 'key.txt'), part);
  }
  return folder;
}

function filesPolicy(folder: string, glob: string, more: object = {}): object {
  const root = join(folder, 'data');
  const server = {
    command: process.execPath,
    args: [serverProgram('filesystem'), root],
    connector: 'filesystem',
    root,
  };
  const allow = [{ tools: ['files/read_text_file'], where: { path: [join(root, glob)] } }];
  return { pawl: 1, servers: { files: server }, agents: { a: { allow }, b: { allow } }, ...more };
}

/** What a true prover says of these globs for agent a. */
const honest: Saying = (old, next) => {
  const wide = (document: string): boolean => document.includes('data/**');
  const relation =
    wide(old.document) === wide(next.document) ? 'equal' : wide(next.document) ? 'widening' : 'attenuation';
  const compared = fakeComparison({ a: relation, b: relation });
  if (relation !== 'widening') return compared;
  const witness = {
    kind: 'call',
    tool: 'files/read_text_file',
    args: { path: '/data/secret/key.txt' },
    old: 'deny',
    new: 'permit',
    rule: 'agents.a.allow[0]',
  } as const;
  return {
    ...compared,
    executors: { ...compared.executors, a: { relation, witnesses: [witness] } } as Comparison['executors'],
  };
};

const reading = (folder: string, part: string): { path: string } => ({
  path: join(folder, 'data', part, 'key.txt'),
});

describe('[S000.monotone-reload] a reload that widens a glob', slowEnough, () => {
  test('without the guard widens what the same capability may do', async () => {
    const folder = dataFolder();
    const here = await started({
      folder,
      policy: filesPolicy(folder, 'pub/**'),
      says: () => everybody('equal', 'a', 'b'),
    });
    const agent = await here.issueKey('a');
    expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe(
      'not_permitted',
    );
    here.write(filesPolicy(folder, '**'));
    expect(await here.ask('reload')).toMatchObject({ code: 0 });
    expect(textOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe('secret');
  });

  test('is refused with what would be gained, an example and the ways on; the second call stays refused', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    const agent = await here.issueKey('a');
    expect(textOf(await call(agent, 'files__read_text_file', reading(folder, 'pub')))).toBe('pub');
    here.write(filesPolicy(folder, '**'));
    const refused = await here.ask('reload');
    expect(refused).toMatchObject({ code: 1, out: '' });
    for (const part of [
      'refused: generation 1',
      'a: widening',
      'files/read_text_file {"path":"/data/secret/key.txt"}: deny → permit by agents.a.allow[0]',
      'keep ',
      'accept  pawl reload --bump-epoch',
      'undo ',
    ])
      expect(refused.err).toContain(part);
    expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe(
      'not_permitted',
    );
    expect(JSON.parse((await here.ask('status', '--json')).out)).toMatchObject({
      generations: [{ number: 1 }],
      refusedReload: { trigger: 'operator', kind: 'refused' },
    });
    expect(JSON.parse((await here.ask('reload', '--json')).out)).toMatchObject({
      kind: 'refused',
      comparison: { relation: 'widening' },
    });
  });

  test('is taken with --bump-epoch: the old capability dies, and a new session gets the new authority', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    const agent = await here.issueKey('a');
    await call(agent, 'files__read_text_file', reading(folder, 'pub'));
    here.write(filesPolicy(folder, '**'));
    expect(await here.ask('reload', '--bump-epoch')).toMatchObject({
      code: 0,
      out: expect.stringContaining('capabilities of a, b have ended'),
    });
    for (const part of ['pub', 'secret'])
      expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, part)))).toBe(
        'no_such_cap',
      );
    expect(await toolNames(agent)).toEqual([]);
    await post(agent, 'server/discover', {});
    expect(textOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe('secret');
    const other = await here.issueKey('a');
    expect(textOf(await call(other, 'files__read_text_file', reading(folder, 'secret')))).toBe('secret');
  });

  test('[P.reload.emptied] without --reissue the operator is told how many open sessions have no tools now', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    const agents = [await here.issueKey('a'), await here.issueKey('b')];
    for (const agent of agents) await toolNames(agent);
    here.write(filesPolicy(folder, '**'));
    expect((await here.ask('reload', '--bump-epoch')).out).toContain(
      '2 open sessions have no tools until the agents connect again',
    );
    for (const agent of agents) expect(await toolNames(agent)).toEqual([]);
  });

  test('[P.reload.accepts-what-was-shown] is taken as it was shown, and not as the file was changed since', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    here.write(filesPolicy(folder, '**'));
    const refused = await here.ask('reload');
    const shown = /accept {2}pawl reload --bump-epoch --expect (?<hash>[0-9a-f]{16}) /u.exec(refused.err);
    const hash = shown?.groups?.['hash'] ?? '';
    here.write(filesPolicy(folder, '**', { results: { maxBytes: 1 } }));
    for (const more of [[], ['--expect', hash], []]) {
      const changed = await here.ask('reload', '--bump-epoch', ...more);
      expect(changed).toMatchObject({ code: 1, out: '' });
      expect(changed.err).toMatch(
        /what was shown as [0-9a-f]{16} has changed since, and is [0-9a-f]{16} now/u,
      );
      expect(changed.err).toContain('a: widening');
      here.write(filesPolicy(folder, '**', { results: { maxBytes: 2 + more.length } }));
    }
    expect(here.daemon.snapshot.generation.number).toBe(1);
    here.write(filesPolicy(folder, '**'));
    expect(await here.ask('reload', '--bump-epoch', '--expect', hash)).toMatchObject({ code: 0 });
    expect(here.daemon.snapshot.generation).toMatchObject({ number: 2 });
    expect(here.daemon.snapshot.generation.hash.startsWith(hash)).toBe(true);
    expect((await here.ask('audit', 'show', '--json')).out).toContain('"expected":"');
  });

  test('[P.reload.accepts-what-was-shown] what is shown after a change is taken when it is asked for again', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    here.write(filesPolicy(folder, '**'));
    await here.ask('reload');
    here.write(filesPolicy(folder, '**', { results: { maxBytes: 1 } }));
    expect((await here.ask('reload', '--bump-epoch')).code).toBe(1);
    expect((await here.ask('reload', '--bump-epoch')).code).toBe(0);
    for (const wrong of ['xyz', 'ABCDEF012345', '0123'])
      expect((await here.ask('reload', '--bump-epoch', '--expect', wrong)).code).toBe(2);
    expect((await here.ask('reload', '--expect', '0123456789ab')).code).toBe(2);
  });

  test('with --reissue lets the open session go on under the new authority', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    const agent = await here.issueKey('a');
    await call(agent, 'files__read_text_file', reading(folder, 'pub'));
    here.write(filesPolicy(folder, '**'));
    expect((await here.ask('reload', '--bump-epoch', '--reissue')).out).toContain(
      'fresh ones in 1 open session',
    );
    expect(textOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe('secret');
  });

  test('is refused at the start too, and going back to a stored generation is compared like any other change', async () => {
    const folder = dataFolder();
    const first = await started({ folder, policy: filesPolicy(folder, '**'), says: honest });
    first.write(filesPolicy(folder, 'pub/**'));
    expect(await first.ask('reload')).toMatchObject({ code: 0 });
    expect(await first.ask('reload', '--to', '1')).toMatchObject({ code: 1 });
    expect(await first.ask('reload', '--to', '2')).toMatchObject({
      code: 0,
      out: expect.stringContaining('nothing changed'),
    });
    expect(await first.ask('reload', '--to', '9')).toMatchObject({
      code: 1,
      err: expect.stringContaining('no generation 9'),
    });
    await first.close();
    expect(await startHere({ folder, policy: filesPolicy(folder, '**'), says: honest })).toMatchObject({
      kind: 'generation',
      refused: { stored: { number: 2 }, comparison: { relation: 'widening' } },
    });
    const again = await started({ folder, policy: filesPolicy(folder, '**'), says: honest, bumpEpoch: true });
    expect(again.daemon.snapshot.generation.number).toBe(3);
    expect(await again.ask('reload', '--to', '2')).toMatchObject({ code: 0 });
    expect(again.daemon.snapshot.generation.number).toBe(4);
  });
});

describe('[P.reload.triggers] a change of the file', slowEnough, () => {
  async function watched(): Promise<{
    here: Here;
    folder: string;
    agent: Awaited<ReturnType<Here['issueKey']>>;
  }> {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, '**'), says: honest });
    const agent = await here.issueKey('a');
    here.triggers.begin(here.daemon);
    return { here, folder, agent };
  }
  const inForce = (here: Here): number => here.daemon.snapshot.generation.number;
  const until = (check: () => void): Promise<void> => vi.waitFor(check, { timeout: 20_000, interval: 20 });

  test('attenuates by itself, and widens by itself never, however loudly it is asked', async () => {
    const { here, folder, agent } = await watched();
    here.write(filesPolicy(folder, 'pub/**'));
    await until(() => expect(inForce(here)).toBe(2));
    expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe(
      'not_permitted',
    );
    here.write(filesPolicy(folder, '**'));
    await until(() =>
      expect(here.log.join('\n')).toContain('RELOAD NOT DONE (watch): refused: generation 2'),
    );
    here.triggers.hangUp();
    await until(() =>
      expect(here.log.join('\n')).toContain('RELOAD NOT DONE (sighup): refused: generation 2'),
    );
    expect(inForce(here)).toBe(2);
    expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe(
      'not_permitted',
    );
  });

  test('that cannot be read is told with its place, and the last good one stays until it is mended', async () => {
    const { here, folder } = await watched();
    writeFileSync(here.policy, '{"pawl": 1, "agents": ');
    await until(() =>
      expect(here.log.join('\n')).toContain(
        'RELOAD NOT DONE (watch): the policy cannot be used: generation 1',
      ),
    );
    expect(here.log.join('\n')).toContain('pawl.json:1:');
    expect(await here.ask('reload')).toMatchObject({ code: 3 });
    here.write(filesPolicy(folder, 'pub/**'));
    await until(() => expect(inForce(here)).toBe(2));
    expect(JSON.parse((await here.ask('status', '--json')).out)).not.toHaveProperty('refusedReload');
  });
});

describe('servers in a reload', slowEnough, () => {
  const fake = { command: process.execPath, args: [fakeServer] };
  const policyOf = (servers: object, tools: readonly string[]): object => ({
    pawl: 1,
    servers,
    agents: { a: { allow: [{ tools }] } },
  });
  const equal: Saying = () => everybody('equal', 'a');

  test('[P.reload.servers] a new one waits for the operator act; then it is started and its tools are mounted', async () => {
    const folder = temporaryFolder();
    const here = await started({ folder, policy: policyOf({ fake }, ['fake/hang']), says: equal });
    const agent = await here.issueKey('a');
    here.write(policyOf({ fake, more: fake }, ['fake/hang', 'more/child']));
    const refused = await here.ask('reload');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toContain('everybody: server servers.more is added: command ');
    expect(here.daemon.servers.map(({ name }) => name)).toEqual(['fake']);
    const hash = /--expect (?<hash>[0-9a-f]+)/u.exec(refused.err)?.groups?.['hash'] ?? '';
    const accept = ['reload', '--bump-epoch', '--expect', hash, '--reissue'];
    expect(await here.ask(...accept)).toMatchObject({ code: 0 });
    await vi.waitFor(async () => expect(await toolNames(agent)).toEqual(['fake__hang', 'more__child']));
    expect(refusalOf(await call(agent, 'more__child', {}))).toBeUndefined();
  });

  test('[P.reload.servers] a changed one is started anew, calls of the old one finish there; a removed one ends once it is idle', async () => {
    const folder = temporaryFolder();
    const here = await started({ folder, policy: policyOf({ fake }, ['fake/hang']), says: equal });
    const agent = await here.issueKey('a');
    const cancel = new AbortController();
    const hanging = call({ ...agent, signal: cancel.signal }, 'fake__hang', {}).catch(() => undefined);
    await vi.waitFor(() => expect(here.daemon.dispatcher.inFlight()).toBe(1));
    const old = here.daemon.servers[0]!;
    here.write(policyOf({ fake: { ...fake, env: { MODE: 'other' } } }, ['fake/hang']));
    expect(await here.ask('reload')).toMatchObject({ code: 1 });
    expect(await here.ask('reload', '--bump-epoch')).toMatchObject({ code: 0 });
    expect(here.daemon.servers[0]).not.toBe(old);
    expect(here.daemon.dispatcher.inFlight()).toBe(1);
    expect(old.supervisor?.processes()).toMatchObject({ up: 1 });
    cancel.abort();
    await hanging;
    await vi.waitFor(() => expect(old.supervisor?.processes()).toMatchObject({ up: 0 }));
    here.write(policyOf({}, []));
    here.says(() => fakeComparison({ a: 'attenuation' }));
    expect(await here.ask('reload')).toMatchObject({ code: 3 });
  });
});

describe('[P.reload.freeze] freeze and thaw', slowEnough, () => {
  test('freeze permits nothing at once and after a restart; thaw gives fresh capabilities only', async () => {
    const folder = dataFolder();
    const policy = filesPolicy(folder, 'pub/**');
    const here = await started({ folder, policy, says: honest });
    const [agent, other] = [await here.issueKey('a'), await here.issueKey('b')];
    const read = reading(folder, 'pub');
    expect(textOf(await call(agent, 'files__read_text_file', read))).toBe('pub');
    expect(await here.ask('freeze', 'nobody')).toMatchObject({
      code: 1,
      err: expect.stringContaining('it has a, b'),
    });
    expect(await here.ask('freeze', 'a')).toMatchObject({ code: 0 });
    expect(refusalOf(await call(agent, 'files__read_text_file', read))).toBe('not_permitted');
    expect(await toolNames(agent)).toEqual([]);
    expect(textOf(await call(other, 'files__read_text_file', read))).toBe('pub');
    await here.close();
    const again = await started({ folder, says: honest });
    const later = await again.issueKey('a');
    expect(refusalOf(await call(later, 'files__read_text_file', read))).toBe('no_such_cap');
    expect((await again.ask('status')).out).toContain('frozen      a');
    expect(await again.ask('thaw')).toMatchObject({ code: 1, err: expect.stringContaining('frozen: a') });
    expect(await again.ask('thaw', 'a', '--reissue')).toMatchObject({ code: 0 });
    expect(textOf(await call(later, 'files__read_text_file', read))).toBe('pub');
    const events = (await again.ask('audit', 'show', '--json')).out;
    for (const event of ['"frozen"', '"thawed"', '"reissued"', '"verdict":"thaw"'])
      expect(events).toContain(event);
  });

  test('a session that was opened meanwhile has tools once it is thawed with --reissue, and else the operator is told that it has none', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    await here.ask('freeze', 'a');
    const agent = await here.issueKey('a');
    expect(await toolNames(agent)).toEqual([]);
    expect((await here.ask('thaw', 'a')).out).toContain(
      'until then 1 open session has no tools (--reissue would have given them some)',
    );
    expect(await toolNames(agent)).toEqual([]);
    await here.ask('freeze', 'a');
    expect((await here.ask('thaw', 'a', '--reissue')).out).toContain('fresh ones in 1 open session');
    expect(await toolNames(agent)).toEqual(['files__read_text_file']);
  });

  test('what is not frozen is not thawed: exit 1, and what is frozen is named', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    for (const words of [[], ['a']])
      expect(await here.ask('thaw', ...words)).toMatchObject({
        code: 1,
        err: 'pawl thaw: nothing is frozen, so there is nothing to thaw\n',
      });
    await here.ask('freeze', 'b');
    expect(await here.ask('thaw', 'a')).toMatchObject({
      code: 1,
      err: 'pawl thaw: a is not frozen by that name; frozen: b\n',
    });
  });

  test('offline, both work on the store, and the thaw moves the epoch', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    await here.close();
    expect(await here.ask('freeze')).toMatchObject({
      code: 0,
      out: expect.stringContaining('everything is frozen'),
    });
    expect(await here.ask('thaw', 'a')).toMatchObject({ code: 1 });
    expect(await here.ask('thaw')).toMatchObject({ code: 0 });
    const again = await started({ folder, says: honest });
    expect(again.daemon.snapshot).toMatchObject({ generation: { number: 2 } });
    expect([...again.daemon.snapshot.epochs.values()]).toEqual([1, 1]);
  });
});

describe('[P.reload.revoke] revoke', slowEnough, () => {
  test.each(['session', 'executor', 'key', 'capability'] as const)(
    'of a %s: nothing authorises by it afterwards',
    async (kind) => {
      const folder = dataFolder();
      const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
      const agent = await here.issueKey('a');
      const read = reading(folder, 'pub');
      expect(textOf(await call(agent, 'files__read_text_file', read))).toBe('pub');
      const records = (await here.ask('audit', 'show', '--json')).out.trim().split('\n');
      const intent = records.map((line) => JSON.parse(line).record).find(({ type }) => type === 'intent');
      const ids = { session: intent.session, executor: 'a', key: agent.id, capability: intent.cap };
      expect(await here.ask('revoke', kind, ids[kind])).toMatchObject({
        code: 0,
        out: `${kind} ${ids[kind]} is revoked; nothing authorises by it any more\n`,
      });
      const after = await call(agent, 'files__read_text_file', read).catch((error: Error) => error.message);
      const status = kind === 'key' ? 'status 401: ' : 'no_such_cap';
      expect(typeof after === 'string' ? after : refusalOf(after)).toBe(status);
      expect((await here.ask('revoke', kind, ids[kind])).out).toContain('was revoked before');
      const refusals = (await here.ask('audit', 'show', '--json')).out;
      if (kind !== 'key') expect(refusals).toMatch(/"reason":"revoked"/u);
    },
  );

  test('cancels what is in flight', async () => {
    const folder = temporaryFolder();
    const fake = { command: process.execPath, args: [fakeServer] };
    const policy = { pawl: 1, servers: { fake }, agents: { a: { allow: [{ tools: ['fake/hang'] }] } } };
    const here = await started({ folder, policy });
    const agent = await here.issueKey('a');
    const hanging = call(agent, 'fake__hang', {});
    await vi.waitFor(() => expect(here.daemon.dispatcher.inFlight()).toBe(1));
    expect(await here.ask('revoke', 'executor', 'a')).toMatchObject({ code: 0 });
    expect(refusalOf(await hanging)).toBe('outcome_unknown');
  });

  test('says when nothing of the id is known, and exits 2 for what it cannot revoke', async () => {
    const folder = dataFolder();
    const here = await started({ folder, policy: filesPolicy(folder, 'pub/**'), says: honest });
    expect((await here.ask('revoke', 'session', 's_none')).out).toContain('spelled right');
    expect(await here.ask('revoke', 'agent', 'a')).toMatchObject({ code: 2 });
    expect(await here.ask('revoke', 'key', 'none')).toMatchObject({ code: 1 });
  });
});

describe('a gateway in a process of its own, with the real prover', slowEnough, () => {
  test('[P.reload.triggers] [P.reload.verdicts] attenuates at SIGHUP, and refuses a widening with a call that it found', async () => {
    const folder = dataFolder();
    const gateway = await startGateway({ folder, policy: filesPolicy(folder, '**') });
    const { authorization } = await gateway.issueKey('a');
    const agent = { url: gateway.url, authorization };
    const text = (glob: string): string => JSON.stringify(filesPolicy(folder, glob));
    expect(textOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe('secret');
    writeFileSync(gateway.policy, text('pub/**'));
    gateway.process.child.kill('SIGHUP');
    await gateway.process.shows(
      /reload \(sighup\): generation 2 \S+ is in force: attenuation; capabilities stay/u,
      'err',
    );
    expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe(
      'not_permitted',
    );
    expect(textOf(await call(agent, 'files__read_text_file', reading(folder, 'pub')))).toBe('pub');
    writeFileSync(gateway.policy, text('**'));
    const refused = await gateway.ask('reload');
    expect(refused).toMatchObject({ code: 1 });
    expect(refused.err).toMatch(
      /a: widening\n {4}files\/read_text_file \{.*\}: deny → permit by agents\.a\.allow\[0\]/u,
    );
    expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe(
      'not_permitted',
    );
    expect(await gateway.ask('reload', '--bump-epoch')).toMatchObject({ code: 0 });
    expect(refusalOf(await call(agent, 'files__read_text_file', reading(folder, 'secret')))).toBe(
      'no_such_cap',
    );
    expect(await gateway.stop()).toMatchObject({ code: 0 });
    const report = await gateway.ask('audit', 'verify', '--json');
    expect(JSON.parse(report.out)).toMatchObject({ ok: true, unsettled: [] });
  });
});
