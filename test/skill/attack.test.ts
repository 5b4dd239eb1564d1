/** Attacks on the load sequence: folders that change while they are read, names that collide, trust that goes meanwhile, and many at once. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { executorId, isRefusal, parseAgentName, readFolder, verifyContents } from '@pawl/core';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { SkillRunner } from '../../packages/gateway/src/cli/live-skills.js';
import { skillFolder } from '../../packages/gateway/src/power/index.js';
import { World, refusalOf } from '../dispatch/world.js';
import { temporaryFolder } from '../e2e/gateway.js';
import { byParts, signedBy, signerOf } from './foreign.js';
import { type Files, MemoryFolder, entriesOf, newKey, signed, trusting } from './signed.js';

const agent = executorId(parseAgentName('agent')!);
const text = { type: 'string' };
const tools = { files: { write_file: { type: 'object', properties: { path: text, content: text } } } };

function policy({ servers = '', skills = '', more = '' } = {}): string {
  return `pawl: 1
servers: { files: { command: f, connector: filesystem }${servers} }
agents:
  agent:
    allow: [ { tools: [files/write_file], where: { path: /a/** } } ]
    ${skills}
${more}`;
}

class Runner implements SkillRunner {
  readonly ran: string[] = [];
  preparing: () => Promise<void> = () => Promise.resolve();
  prepare: SkillRunner['prepare'] = () => this.preparing();
  runs = (): boolean => true;
  run: SkillRunner['run'] = async (tool, skill) => {
    this.ran.push(`${skill.manifest.frontmatter.name}/${tool.name}`);
    return 'done';
  };
}

const key = newKey();
const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } };

/** A skill with tools that need nothing. */
function skill(name: string, ...names: readonly string[]): Files {
  const made = names.map((tool) => [tool, { description: 'A tool.', needs: [], run: 'run.sh' }]);
  return {
    'SKILL.md': `---\nname: ${name}\ndescription: A skill.\n---\n`,
    'run.sh': '#!/bin/sh\n',
    ...(names.length === 0
      ? {}
      : { 'pawl-skill.json': JSON.stringify({ 'pawl-skill': 1, tools: Object.fromEntries(made) }) }),
  };
}

async function folderOf(files: Files): Promise<MemoryFolder> {
  return new MemoryFolder(await signed(entriesOf(files), key));
}

function world(document = policy()): {
  world: World;
  runner: Runner;
  load: (files: Files) => ReturnType<World['skills']['load']>;
} {
  const runner = new Runner();
  const made = new World({ policy: document, tools, runner, trust });
  return {
    world: made,
    runner,
    load: async (files) => made.skills.load({ folder: await folderOf(files), executor: agent }),
  };
}

describe('[S003.read-once] [S003.tampering] a folder that changes while it is read', () => {
  test('verifies as it was signed or is refused, whatever another process does to it', {
    timeout: 30_000,
  }, async () => {
    const folder = join(temporaryFolder(), 'skill');
    mkdirSync(join(folder, 'reference'), { recursive: true });
    const signedText = 'How it was signed.\n';
    const files: Files = {
      'SKILL.md': '---\nname: notes\ndescription: x\n---\n',
      'reference/how.md': signedText,
    };
    for (const { name, bytes } of await signed(entriesOf(files), key))
      writeFileSync(join(folder, name), bytes!);
    const swapper = spawn(process.execPath, [
      fileURLToPath(new URL('./swapper.mjs', import.meta.url)),
      folder,
      signedText,
      'How it was not signed.\n',
    ]);
    onTestFinished(() => void swapper.kill('SIGKILL'));
    await once(swapper.stdout, 'data');
    const seen = new Map<string, number>();
    const until = performance.now() + 3000;
    while (performance.now() < until) {
      const contents = await readFolder(skillFolder(folder));
      const answer = isRefusal(contents)
        ? contents
        : verifyContents(contents, trusting(key.publicKey.pem), 0);
      const outcome = isRefusal(answer) ? answer.reason : 'verified';
      seen.set(outcome, (seen.get(outcome) ?? 0) + 1);
      if (!isRefusal(answer))
        expect(new TextDecoder().decode(answer.files.get('reference/how.md')?.bytes)).toBe(signedText);
    }
    const known = ['verified', 'file_changed', 'file_missing', 'link', 'unreadable'];
    expect([...seen.keys()].filter((reason) => !known.includes(reason))).toEqual([]);
    expect(seen.get('verified')).toBeGreaterThan(0);
    expect(seen.size).toBeGreaterThan(2);
  });
});

describe('[S003.load-pins] names', () => {
  test('of two skills that are the same: the second is refused, and the first goes on', async () => {
    const { world: made, load } = world();
    await load(skill('notes', 'write'));
    expect(await load(skill('notes', 'other'))).toMatchObject({ reason: 'already_loaded' });
    expect(refusalOf(await made.call('agent', 'skill-notes__write', {}))).toBeUndefined();
    expect(refusalOf(await made.call('agent', 'skill-notes__other', {}))?.code).toBe('no_such_cap');
  });

  test('of tools that are the same in two skills, or look the same when they are cut, lead each to its own', async () => {
    const { world: made, runner, load } = world();
    const long = 'a-very-long-name-of-a-skill-that-is-cut';
    for (const each of [
      skill('one', 'write'),
      skill('two', 'write'),
      skill(`${long}-1`, 'write'),
      skill(`${long}-2`, 'write'),
    ])
      expect(isRefusal(await load(each))).toBe(false);
    const names = made.names(made.open('agent').id).filter((name) => name.startsWith('skill-'));
    expect(new Set(names).size).toBe(4);
    for (const name of names) await made.call('agent', name, {});
    expect(runner.ran).toEqual(['one/write', 'two/write', `${long}-1/write`, `${long}-2/write`]);
  });

  test('of a server that begins like those of skills: its tools stay what they are, and the skill of that name is refused', async () => {
    const servers = ', skill-notes: { command: s }';
    const runner = new Runner();
    const made = new World({
      policy: policy({ servers }).replace('allow: [', 'allow: [ { tools: [skill-notes/write] },'),
      tools: { ...tools, 'skill-notes': { write: { type: 'object' } } },
      runner,
      trust,
    });
    const load = async (files: Files): Promise<unknown> =>
      made.skills.load({ folder: await folderOf(files), executor: agent });
    expect(await load(skill('notes', 'write'))).toMatchObject({ reason: 'bad_frontmatter' });
    expect(await load(skill('other', 'write'))).toMatchObject({ kind: 'loaded' });
    made.skills.shelf.unload(agent, 'other');
    expect(refusalOf(await made.call('agent', 'skill-notes__write', {}))).toBeUndefined();
    expect(made.arrivals.map(({ tool }) => tool)).toEqual(['skill-notes/write']);
    expect(runner.ran).toEqual([]);
  });

  test('of a server that comes with a reload: the skill goes in that step', async () => {
    const { world: made, load } = world();
    await load(skill('notes', 'write'));
    made.reload(policy({ servers: ', skill-notes: { command: s }' }));
    expect(made.skills.shelf.list()).toEqual([]);
    expect(refusalOf(await made.call('agent', 'skill-notes__write', {}))?.code).toBe('no_such_cap');
  });
});

describe('[S003.load-pins] [S003.trust] what changes while a skill is loaded', () => {
  test('a signer who is not trusted any more at the end of the load: refused', async () => {
    const { world: made, runner, load } = world();
    runner.preparing = async () => {
      made.trust = { keys: {} };
      made.reload(policy());
    };
    expect(await load(skill('notes', 'write'))).toMatchObject({ reason: 'unknown_signer' });
    expect(made.skills.shelf.list()).toEqual([]);
  });

  test('a trust that changes again and again: refused in the end, and nothing was published', async () => {
    const { world: made, runner, load } = world();
    let changes = 0;
    runner.preparing = async () => {
      changes += 1;
      made.reload(policy({ more: `# ${changes}` }));
      expect(made.skills.shelf.list()).toEqual([]);
    };
    expect(await load(skill('notes', 'write'))).toMatchObject({ reason: 'kept_changing' });
    expect(changes).toBe(8);
  });

  test('a preparation that fails: nothing is published', async () => {
    const { world: made, runner, load } = world();
    runner.preparing = () => Promise.reject(new Error('no room'));
    await expect(load(skill('notes', 'write'))).rejects.toThrow('no room');
    expect(made.skills.shelf.list()).toEqual([]);
    expect(made.names(made.open('agent').id)).toEqual(['files__write_file']);
  });

  test('two loads of one skill at once: one of them is published', async () => {
    const { world: made, load } = world();
    const answers = await Promise.all([load(skill('notes', 'write')), load(skill('notes', 'write'))]);
    expect(answers.map(({ kind }) => kind).sort()).toEqual(['loaded', 'refused']);
    expect(made.skills.shelf.list()).toHaveLength(1);
  });
});

describe('[S003.trust] clocks', () => {
  test('a certificate counts a minute before and after, what the trust file says of times to the millisecond', async () => {
    const entries = await signed(entriesOf(skill('notes')), key);
    const at = Date.parse('2026-11-14T12:00:00Z');
    const within = async (terms: Record<string, string>, now: number): Promise<string> => {
      const contents = await readFolder(new MemoryFolder(entries));
      if (isRefusal(contents)) throw new Error(contents.message);
      const answer = verifyContents(contents, trusting(key.publicKey.pem, terms), now);
      return isRefusal(answer) ? answer.reason : 'verified';
    };
    const terms = { notBefore: '2026-11-14T12:00:00Z', notAfter: '2026-11-14T13:00:00Z' };
    expect(await within(terms, at - 1)).toBe('key_not_yet_valid');
    expect(await within(terms, at)).toBe('verified');
    expect(await within(terms, at + 3_600_000 - 1)).toBe('verified');
    expect(await within(terms, at + 3_600_000)).toBe('key_expired');
    const signer = signerOf('P-256', 'chain');
    const serialization = { method: 'files', hash_type: 'sha256', allow_symlinks: false };
    const layout = { text: JSON.stringify, serialization, order: byParts };
    const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
    const contents = await readFolder(
      new MemoryFolder(signedBy(entriesOf(skill('notes')), signer, layout, { mediaType })),
    );
    if (isRefusal(contents)) throw new Error(contents.message);
    for (const [time, outcome] of [
      ['2025-12-31T23:58:59Z', 'key_not_yet_valid'],
      ['2025-12-31T23:59:01Z', 'verified'],
      ['2030-01-01T00:00:59Z', 'verified'],
      ['2030-01-01T00:01:01Z', 'key_expired'],
    ] as const) {
      const answer = verifyContents(contents, signer.trust, Date.parse(time));
      expect(isRefusal(answer) ? answer.reason : 'verified', time).toBe(outcome);
    }
  });
});

describe('[S003.reload] what was worked out before the step of a reload', () => {
  const skills = (grants: Record<string, string>): string =>
    `skills: { ${Object.entries(grants)
      .map(
        ([name, path]) =>
          `${name}: { grant: [ { tools: [files/write_file], where: { path: ${path} } } ], mode: fail_visible }`,
      )
      .join(', ')} }`;
  const asking = (name: string): Files => ({
    ...skill(name, 'look'),
    'pawl-skill.json': JSON.stringify({
      'pawl-skill': 1,
      capabilities: { notes: { tools: ['files/write_file'], where: { path: '/a/notes/**' } } },
      tools: {
        write: { description: 'A tool.', needs: ['notes'], run: 'run.sh' },
        look: { description: 'A tool.', needs: [], run: 'run.sh' },
      },
    }),
  });
  const all = '/a/**';

  /** One load each, then the next policy: foreseen or not. */
  async function reloaded(foresee: boolean): Promise<unknown> {
    const { world: made, load } = world(policy({ skills: skills({ s: all, t: all, u: all, v: all }) }));
    for (const name of ['s', 't', 'u']) await load(asking(name));
    const at = made.audit.records.length;
    const next = made.proposal(
      policy({ skills: skills({ s: all, t: '/a/notes/x/**', u: all, v: all }) }),
    ).policy;
    const seen = (): unknown =>
      made.skills.shelf
        .list()
        .map(({ manifest, intersection }) => [
          manifest.frontmatter.name,
          intersection.granted,
          intersection.masked,
        ]);
    const before = seen();
    if (foresee) for (const _ of made.skills.shelf.foresee(next)) expect(seen()).toEqual(before);
    expect(made.audit.records).toHaveLength(at);
    // What is loaded meanwhile is judged in the step.
    await load(asking('v'));
    made.skills.shelf.reintersect({ ...made.cell.current.peek()!, policy: next });
    const told = made.audit
      .of('event')
      .slice(at)
      .map(({ event, data }) => [event, (data as { skill: string }).skill]);
    return [seen(), told];
  }

  test('is what comes of it, and nothing of it is there or told before', async () => {
    const foreseen = await reloaded(true);
    expect(foreseen).toEqual(await reloaded(false));
    expect(foreseen).toMatchObject([
      [
        ['s', ['notes'], []],
        ['t', [], ['write']],
        ['u', ['notes'], []],
        ['v', ['notes'], []],
      ],
      expect.arrayContaining([
        ['security', 't'],
        ['skill_masked', 't'],
      ]),
    ]);
  });
});

describe('[S003.reload] [S003.load-pins] a hundred skills', () => {
  test('under calls and reloads: each call reaches its own skill or is refused, and what is unloaded answers nothing', {
    timeout: 60_000,
  }, async () => {
    const { world: made, runner, load } = world();
    const names = Array.from({ length: 100 }, (_, at) => `s${at}`);
    const folders = names.map((name) => skill(name, 'look'));
    let reloads = 0;
    const calls: Promise<void>[] = [];
    const callSome = (): void => {
      for (const name of ['s0', 's17', 's50', 's99'])
        calls.push(
          made.call('agent', `skill-${name}__look`, {}).then((outcome) => {
            expect(['no_such_cap', undefined]).toContain(refusalOf(outcome)?.code);
          }),
        );
    };
    for (let at = 0; at < folders.length; at += 10) {
      const some = folders.slice(at, at + 10).map((files) => load(files));
      callSome();
      reloads += 1;
      made.reload(policy({ more: `# ${reloads}` }));
      callSome();
      expect((await Promise.all(some)).filter(isRefusal)).toEqual([]);
    }
    await Promise.all(calls);
    expect(made.skills.shelf.list()).toHaveLength(100);
    const before = runner.ran.length;
    await Promise.all(names.map((name) => made.call('agent', `skill-${name}__look`, {})));
    expect(new Set(runner.ran.slice(before))).toEqual(new Set(names.map((name) => `${name}/look`)));
    made.trust = { keys: {} };
    made.reload(policy({ more: '# nobody' }));
    const last = runner.ran.length;
    await Promise.all(names.map((name) => made.call('agent', `skill-${name}__look`, {})));
    expect(runner.ran).toHaveLength(last);
    expect(made.names(made.open('agent').id)).toEqual(['files__write_file']);
  });
});
