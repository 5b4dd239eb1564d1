/** What is served of skills, without a wire: lists in pages, masks, and what happens between the record and the answer. */
import {
  type JsonObject,
  type LoadedSkill,
  executorId,
  isJsonObject,
  isRefusal,
  own,
  parseAgentName,
  systemEntropy,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import type { SkillRunner } from '../../packages/gateway/src/cli/live-skills.js';
import { skillReadings } from '../../packages/gateway/src/cli/skill-readings.js';
import type { Gate, Rejection, SkillReadings } from '../../packages/gateway/src/mcp/gate.js';
import { skillAnswers } from '../../packages/gateway/src/mcp/skills/index.js';
import { World } from '../dispatch/world.js';
import { type Files, MemoryFolder, entriesOf, newKey, reporter, signed } from './signed.js';

const text = { type: 'string' };
const fetched = { type: 'object', properties: { url: text }, required: ['url'] };
const tools = {
  files: {
    write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
  web: { fetch_json: fetched },
};
const scratch = '{ tools: [files/write_file], where: { path: /var/agent/scratch/** } }';
const metrics = '{ tools: [web/fetch_json], where: { url: "https://metrics.internal.example" } }';

function policy(grant: string, more = ''): string {
  return `pawl: 1
servers:
  files: { command: f, connector: filesystem }
  web: { command: w, connector: fetch }
agents:
  agent:
    allow: [ ${scratch}, ${metrics} ]
    delegate: { depth: 1 }
    skills: { report-writer: { grant: [ ${grant} ], mode: fail_visible } }
${more}`;
}

const agent = executorId(parseAgentName('agent')!);
const runner: SkillRunner = {
  prepare: async () => undefined,
  runs: () => true,
  run: async () => 'done',
};

interface Place {
  readonly world: World;
  readonly readings: SkillReadings;
  readonly rejected: Rejection[];
  readonly load: (files: Files) => Promise<LoadedSkill>;
  readonly ask: (method: string, params?: JsonObject) => Promise<JsonObject>;
}

function place(document = policy(`${scratch}, ${metrics}`)): Place {
  const key = newKey();
  const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } };
  const world = new World({ policy: document, tools, runner, trust, ttl: 10_000 });
  const clock = { monotonic: () => world.now, wall: () => world.now };
  const readings = skillReadings({
    current: world.cell.current,
    sessions: world.sessions,
    freezes: world.freezes,
    skills: world.skills.shelf,
    audit: world.audit,
    clock,
    entropy: systemEntropy,
  });
  const rejected: Rejection[] = [];
  const gate = { skills: readings, rejected: (one: Rejection) => void rejected.push(one) } as unknown as Gate;
  const answers = skillAnswers(gate, { name: 'pawl', version: '1' });
  const ask: Place['ask'] = async (method, params = {}) => {
    const frame = { kind: 'request', id: 1, method, params } as const;
    const session = world.open('agent').id;
    if (!answers.isOpen(frame, session)) return { closed: true };
    const said = JSON.parse(await answers.answer(frame, { session, era: 'modern' })) as JsonObject;
    const result = own(said, 'result');
    return isJsonObject(result) ? result : said;
  };
  const load: Place['load'] = async (files) => {
    const folder = new MemoryFolder(await signed(entriesOf(files), key));
    const answer = await world.skills.load({ folder, executor: agent });
    if (isRefusal(answer)) throw new Error(answer.message);
    return answer;
  };
  return { world, readings, rejected, load, ask };
}

const plain = (name: string, files: Files = {}): Files => ({
  'SKILL.md': `---\nname: ${name}\ndescription: Plain.\n---\nText.\n`,
  ...files,
});

describe('[S003.served] masks', () => {
  test('a skill of which some tool is left is served, one whose tools are all masked is not, from that step on', async () => {
    const { world, load, ask } = place();
    await load(reporter);
    const names = async (): Promise<unknown> => (await ask('prompts/list'))['prompts'] ?? 'closed';
    expect(await names()).toMatchObject([{ name: 'report-writer' }]);
    world.reload(policy(scratch));
    expect(await names()).toMatchObject([{ name: 'report-writer' }]);
    world.reload(policy('{ tools: [files/write_file], where: { path: /var/agent/scratch/deep/** } }'));
    expect(await names()).toBe('closed');
    expect(world.skills.shelf.list()).toHaveLength(1);
    await load(plain('other'));
    expect(await names()).toMatchObject([{ name: 'other' }]);
    expect(await ask('resources/read', { uri: 'skill://report-writer/SKILL.md' })).toMatchObject({
      error: { code: -32602 },
    });
  });

  test('what was delegated holds none of it', async () => {
    const { world, load, readings } = place();
    await load(plain('notes'));
    const parent = world.open('agent').id;
    expect(readings.served(parent)).toHaveLength(1);
    const child = await world.delegate(parent, { allow: [{ tools: ['files/write_file'] }] });
    if (child.kind !== 'delegated') throw new Error(child.message);
    const { session } = child;
    expect(readings.served(session.id)).toEqual([]);
  });
});

describe('[S003.served] between the record and the answer', () => {
  test('the record is durable first', async () => {
    const { world, load, ask } = place();
    await load(plain('notes'));
    world.audit.hold();
    let answered = false;
    const asked = ask('resources/read', { uri: 'skill://notes/SKILL.md' }).then((answer) => {
      answered = true;
      return answer;
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(answered).toBe(false);
    expect(world.audit.of('intent')).toHaveLength(1);
    world.audit.release();
    expect(await asked).toMatchObject({ contents: [{ uri: 'skill://notes/SKILL.md' }] });
    expect(world.audit.of('settlement')).toMatchObject([{ outcome: 'ok' }]);
  });

  test.each<readonly [string, (world: World) => void]>([
    ['unloaded', (world) => void world.skills.shelf.unload(agent, 'notes')],
    [
      'its signer not trusted any more',
      (world) => {
        world.trust = { keys: {} };
        world.reload(policy(scratch));
      },
    ],
    ['its agent frozen', (world) => void world.freezes.freeze('agent')],
    ['its session at its end', (world) => void (world.now += 20_000)],
    ['the epoch of its agent moved', (world) => void world.reload(policy(scratch), true)],
  ])('what is by then %s is not handed out, and settled so', async (_, change) => {
    const { world, load, ask } = place();
    await load(plain('notes'));
    world.audit.hold();
    const asked = ['resources/read', 'prompts/get'].map((method) =>
      ask(method, { uri: 'skill://notes/SKILL.md', name: 'notes' }),
    );
    await new Promise((resolve) => setImmediate(resolve));
    change(world);
    world.audit.release();
    for (const answer of await Promise.all(asked))
      expect(answer).toMatchObject({ error: { data: { code: 'no_such_cap', retryable: false } } });
    expect(world.audit.of('settlement')).toMatchObject([
      { outcome: 'not_dispatched', code: 'no_such_cap' },
      { outcome: 'not_dispatched', code: 'no_such_cap' },
    ]);
  });

  test('nothing is read while nothing can be written down', async () => {
    const { world, load, ask } = place();
    await load(plain('notes'));
    world.audit.broken = true;
    expect(await ask('prompts/get', { name: 'notes' })).toMatchObject({
      error: { data: { code: 'audit_unavailable' } },
    });
    world.audit.broken = false;
    expect(await ask('prompts/get', { name: 'notes' })).toMatchObject({ messages: [{ role: 'user' }] });
  });
});

describe('[S003.served] lists', () => {
  test('come in pages that together are the whole, each once', async () => {
    const { load, ask } = place();
    const many = Object.fromEntries(Array.from({ length: 450 }, (_, at) => [`f${at}.md`, `${at}`]));
    await load(plain('many', many));
    const seen: string[] = [];
    const sizes: number[] = [];
    for (let cursor: unknown = undefined; ; ) {
      const page = await ask('resources/list', cursor === undefined ? {} : { cursor: cursor as string });
      const resources = page['resources'] as readonly { uri: string }[];
      sizes.push(resources.length);
      seen.push(...resources.map(({ uri }) => uri));
      cursor = page['nextCursor'];
      if (cursor === undefined) break;
    }
    expect(sizes).toEqual([200, 200, 51]);
    expect(new Set(seen).size).toBe(451);
  });

  test('the extension lists no skill that is larger than its hosts have to take; its files are there all the same', async () => {
    const { load, ask } = place();
    await load(
      plain('many', Object.fromEntries(Array.from({ length: 512 }, (_, at) => [`f${at}.md`, `${at}`]))),
    );
    await load(plain('few'));
    const { skills } = await ask('skills/list');
    expect(skills).toMatchObject([{ uri: 'skill://few/SKILL.md' }]);
    expect(await ask('skills/get', { uri: 'skill://many/SKILL.md' })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await ask('resources/read', { uri: 'skill://many/f511.md' })).toMatchObject({
      contents: [{ text: '511' }],
    });
    expect((await ask('prompts/list'))['prompts']).toHaveLength(2);
  });
});
