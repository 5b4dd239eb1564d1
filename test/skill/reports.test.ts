/** Failure reports of other projects about skills, their signatures, and loops over refusals. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type ExecutorPolicy,
  type JsonObject,
  admit,
  executorId,
  isRefusal,
  parseAgentName,
  parseToolName,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { World, refusalOf } from '../dispatch/world.js';
import { type Files, MemoryFolder, entriesOf, newKey, signed } from './signed.js';

const text = { type: 'string' };
const strings = (...names: readonly string[]): JsonObject => ({
  type: 'object',
  properties: Object.fromEntries(names.map((name) => [name, text])),
});
const tools = {
  files: {
    read_file: strings('path'),
    read_text_file: strings('path'),
    write_file: strings('path', 'content'),
    edit_file: { type: 'object', properties: { path: text, edits: { type: 'array' } } },
    search_files: strings('path', 'pattern'),
  },
  shell: { run_command: strings('command') },
  mail: { send_mail: strings('to') },
  dev: {
    run_tests: strings('suite'),
    git_push: strings('remote'),
    net_connect: strings('host'),
    settings: strings('key'),
    deploy: strings('env'),
  },
};
const everything =
  '[ { tools: [files/read_file, files/read_text_file, files/write_file, files/edit_file, files/search_files], where: { path: [/repo/**, /srv/data/**] } }, { tools: [shell/run_command] }, { tools: [mail/send_mail] }, { tools: [dev/run_tests, dev/git_push, dev/net_connect, dev/settings] } ]';

function policy(skill: string, grant = everything, more = ''): string {
  return `pawl: 1
servers:
  files: { command: f, connector: filesystem, root: /repo }
  shell: { command: s, connector: shell, root: /repo }
  mail: { command: m }
  dev: { command: d }
agents:
  agent:
    allow: ${everything}
    ${more}
    skills: { ${skill}: { grant: ${grant} } }
skills: { names: { Bash: shell/run_command, Read: files/read_file, Grep: files/search_files } }
`;
}

const agent = executorId(parseAgentName('agent')!);

async function acting(
  skill: string,
  { frontmatter = '', manifest, grant }: { frontmatter?: string; manifest?: object; grant?: string },
): Promise<ExecutorPolicy> {
  const key = newKey();
  const files: Files = {
    'SKILL.md': `---\nname: ${skill}\ndescription: A skill.\n${frontmatter}---\n`,
    ...(manifest === undefined
      ? {}
      : { 'pawl-skill.json': JSON.stringify({ 'pawl-skill': 1, ...manifest }) }),
  };
  const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } };
  const world = new World({ policy: policy(skill, grant), tools, trust });
  const answer = await world.skills.load({
    folder: new MemoryFolder(await signed(entriesOf(files), key)),
    executor: agent,
  });
  if (isRefusal(answer)) throw new Error(answer.message);
  return answer.intersection.acting;
}

function judged(executor: ExecutorPolicy, tool: string, args: JsonObject): string {
  const answer = admit({ executor, tool: parseToolName(tool)!, shown: tool, args, disclosure: undefined });
  return answer.kind === 'admitted' ? 'allow' : `deny (${answer.denial.layer})`;
}

const told: Readonly<Record<string, () => Promise<void>>> = {
  R210: async () => {
    const world = new World({
      policy: policy('x', everything).replace('{ tools: [shell/run_command] }, ', ''),
      tools,
    });
    const handle = world.open('agent').id;
    const answers: ReturnType<typeof refusalOf>[] = [];
    for (let at = 0; at < 22; at += 1)
      answers.push(refusalOf(await world.callIn(handle, 'shell__run_command', { command: 'git log' })));
    expect(
      answers.every((answer) => answer?.retryable === false && answer.message === answers[0]?.message),
    ).toBe(true);
  },
  R211: async () => {
    const world = new World({
      policy: policy('x').replace(
        '{ tools: [shell/run_command] }',
        '{ tools: [shell/run_command] }, { tools: [dev/deploy], ask: once }',
      ),
      tools,
    });
    const first = await world.call('agent', 'dev__deploy', { env: 'prod' });
    expect(refusalOf(first)).toMatchObject({ code: 'consent_required' });
    const [ask] = world.approvals.waiting();
    world.approvals.answer(ask!.id, 'no');
    for (let at = 0; at < 3; at += 1)
      expect(refusalOf(await world.call('agent', 'dev__deploy', { env: 'prod' }))).toMatchObject({
        code: 'consent_refused',
        retryable: false,
      });
    expect(world.arrivals).toEqual([]);
  },
  R212: async () => {
    const world = new World({
      policy: policy('x')
        .replace(', { tools: [mail/send_mail] }', ', { tools: [mail/send_mail], where: { args.to: ann } }')
        .replace('allow: [', 'allow: ['),
      tools,
    });
    for (let at = 0; at < 25; at += 1) await world.call('agent', 'mail__send_mail', { to: 'x' });
    expect(world.audit.of('event').filter(({ event }) => event === 'repeated_refusal')).toHaveLength(1);
    expect(world.arrivals).toEqual([]);
  },
  R215: async () => {
    const implement = await acting('implement', { frontmatter: 'allowed-tools: Read, Grep, Bash\n' });
    expect(judged(implement, 'files/edit_file', { path: 'a.py', edits: [] })).toBe('deny (skill)');
    expect(judged(implement, 'files/read_file', { path: 'a.py' })).toBe('allow');
  },
  R216: async () => {
    const notes = await acting('notes', {
      grant: '[ { tools: [files/read_file], where: { path: /srv/data/** } } ]',
    });
    expect(judged(notes, 'files/read_file', { path: '/srv/data/a.txt' })).toBe('allow');
    expect(judged(notes, 'files/read_file', { path: '/repo/a.txt' })).toBe('deny (skill)');
    const free = await acting('notes', { grant: everything });
    expect(judged(free, 'files/read_file', { path: '/srv/other/a.txt' })).toBe('deny (policy)');
  },
  R217: async () => {
    for (const spelled of ['Bash(git:*)', 'Bash(git *)', '[ "Bash(git:*)" ]']) {
      const gitops = await acting('gitops', { frontmatter: `allowed-tools: ${spelled}\n` });
      expect(judged(gitops, 'shell/run_command', { command: 'git status' })).toBe('allow');
      expect(judged(gitops, 'shell/run_command', { command: 'rm -r x' })).toBe('deny (skill)');
      expect(judged(gitops, 'shell/run_command', { command: 'git status && rm -r x' })).toBe('deny (skill)');
    }
  },
  R218: async () => {
    const docs = await acting('docs', {
      manifest: { capabilities: { docs: { tools: ['files/write_file'], where: { path: '/repo/docs/**' } } } },
    });
    expect(judged(docs, 'files/write_file', { path: '/repo/src/main.py', content: 'x' })).toBe(
      'deny (skill)',
    );
    expect(judged(docs, 'files/write_file', { path: '/repo/docs/a.md', content: 'x' })).toBe('allow');
  },
  R219: async () => {
    const code = await acting('code', {
      manifest: { capabilities: { tests: { tools: ['dev/run_tests'] } } },
    });
    expect(judged(code, 'mail/send_mail', { to: 'x@example.com' })).toBe('deny (skill)');
    expect(judged(code, 'dev/run_tests', { suite: 'all' })).toBe('allow');
  },
  R221: async () => {
    const hook = await acting('h1', {
      manifest: { capabilities: { workspace: { tools: ['files/write_file'], where: { path: '/repo/**' } } } },
    });
    expect(judged(hook, 'dev/git_push', { remote: 'origin' })).toBe('deny (skill)');
  },
  R222: async () => {
    const sync = await acting('sync', {
      manifest: { capabilities: { settings: { tools: ['dev/settings'] } } },
    });
    expect(judged(sync, 'dev/net_connect', { host: 'peer.example.net' })).toBe('deny (skill)');
    expect(judged(sync, 'dev/settings', { key: 'x' })).toBe('allow');
  },
};

const refusedLoads: Readonly<Record<string, { files: Files; reason: string; break?: boolean }>> = {
  R220: {
    files: { 'SKILL.md': '---\nname: s1\ndescription: S.\n---\n' },
    reason: 'bad_signature',
    break: true,
  },
  R223: {
    files: {
      'SKILL.md': '---\nname: s2\ndescription: S.\n---\n',
      'pawl-skill.json': JSON.stringify({
        'pawl-skill': 1,
        tools: { t: { description: 'T.', run: 'SKILL.md' } },
      }),
    },
    reason: 'bad_manifest',
  },
};

interface Report {
  readonly id: string;
  readonly kind: string;
  readonly gist: string;
}
const reports = readFileSync(join(import.meta.dirname, '../scenario/reports.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as Report)
  .filter(({ kind }) => /^(?:skill-grant|skill-signature|retry-storm)$/u.test(kind));

describe('[P.skill.reports] reports about skills and retry storms', () => {
  test('each has its telling', () => {
    expect(
      reports
        .map(({ id }) => id)
        .filter((id) => !Object.hasOwn(told, id) && !Object.hasOwn(refusedLoads, id)),
    ).toEqual([]);
  });

  test.each(reports.filter(({ id }) => Object.hasOwn(told, id)).map(({ id, gist }) => [id, gist] as const))(
    '%s: %s',
    async (id) => {
      await told[id]!();
      expect.hasAssertions();
    },
  );

  test.each(
    reports.filter(({ id }) => Object.hasOwn(refusedLoads, id)).map(({ id, gist }) => [id, gist] as const),
  )('%s: %s', async (id) => {
    const { files, reason, break: broken } = refusedLoads[id]!;
    const key = newKey();
    const other = newKey();
    const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } };
    const signing = broken === true ? { ...key, sign: (message: Uint8Array) => other.sign(message) } : key;
    const world = new World({ policy: policy('s1'), tools, trust });
    const answer = await world.skills.load({
      folder: new MemoryFolder(await signed(entriesOf(files), signing)),
      executor: agent,
    });
    expect(answer).toMatchObject({ kind: 'refused', reason });
    expect(world.skills.shelf.list()).toEqual([]);
  });
});
