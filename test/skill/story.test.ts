/** Seed 003: a skill whose signature holds and whose declared capabilities exceed the grant. */
import { executorId, isRefusal, parseAgentName } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import type { SkillRunner } from '../../packages/gateway/src/cli/live-skills.js';
import { World, refusalOf } from '../dispatch/world.js';
import { MemoryFolder, entriesOf, newKey, reporter, signed, trusting } from './signed.js';

const text = { type: 'string' };
const fetched = {
  type: 'object',
  properties: { url: text },
  required: ['url'],
  additionalProperties: false,
};
const tools = {
  files: {
    write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
    read_text_file: { type: 'object', properties: { path: text }, required: ['path'] },
  },
  web: {
    fetch_html: fetched,
    fetch_json: fetched,
  },
};
const servers = `pawl: 1
servers:
  files: { command: f, connector: filesystem }
  web: { command: w, connector: fetch }
`;
const scratch = '{ tools: [files/write_file], where: { path: /var/agent/scratch/** } }';
const metrics = '{ tools: [web/fetch_json], where: { url: "https://metrics.internal.example" } }';

function policy(grant: string, mode: string, allow = `${scratch}, ${metrics}`): string {
  return `${servers}agents:
  agent:
    allow: [ ${allow} ]
    skills: { report-writer: { grant: [ ${grant} ], mode: ${mode} } }
`;
}

const agent = executorId(parseAgentName('agent')!);

class CountingRunner implements SkillRunner {
  readonly ran: string[] = [];
  prepare = (): Promise<void> => Promise.resolve();
  runs = (): boolean => true;
  run: SkillRunner['run'] = (tool) => {
    this.ran.push(tool.name);
    return Promise.resolve('done');
  };
}

async function world(
  document: string,
): Promise<{ world: World; runner: CountingRunner; load: () => ReturnType<World['skills']['load']> }> {
  const key = newKey();
  const runner = new CountingRunner();
  const { publicKey } = key;
  const trust = {
    keys: { [publicKey.id]: { publicKey: publicKey.pem, name: 'team', skills: ['report-*'] } },
  };
  const made = new World({ policy: document, tools, runner, trust });
  const entries = await signed(entriesOf(reporter), key);
  return {
    world: made,
    runner,
    load: () => made.skills.load({ folder: new MemoryFolder(entries), executor: agent }),
  };
}

const security = (made: World): readonly unknown[] =>
  made.audit
    .of('event')
    .filter(({ event }) => event === 'security')
    .map(({ data }) => data);

describe('a signed skill that asks for more than it is granted', () => {
  test('[S003.manifest-meets-grant] [S003.over-reach-event] fail_closed: it is refused, nothing of it can be called, and who signed it is recorded', async () => {
    const { world: made, load } = await world(policy(scratch, 'fail_closed'));
    const before = made.open('agent').id;
    const answer = await load();
    expect(answer).toMatchObject({ kind: 'refused', code: 'grant_mismatch', reason: 'over_reach' });
    expect(made.skills.shelf.list()).toEqual([]);
    expect(
      refusalOf(await made.callIn(before, 'skill-report-writer__write_note', { text: 'x' })),
    ).toMatchObject({ code: 'no_such_cap' });
    expect(security(made)).toEqual([
      expect.objectContaining({
        what: 'skill_over_reach',
        skill: 'report-writer',
        executor: 'agent',
        outcome: 'rejected',
        ungranted: [expect.objectContaining({ capability: 'metrics' })],
        by: expect.objectContaining({ key: expect.stringMatching(/^[0-9a-f]{64}$/u) }),
      }),
    ]);
  });

  test('[P.skill.sequence] [S003.masked-at-once] fail_visible: the metric tool answers masked before its payload is read, once, and the handler is never touched', async () => {
    const { world: made, runner, load } = await world(policy(scratch, 'fail_visible'));
    expect(await load()).toMatchObject({
      kind: 'loaded',
      intersection: { granted: ['scratch'], masked: ['report_metric'] },
    });
    const name = 'skill-report-writer__report_metric';
    const first = refusalOf(await made.call('agent', name, { payload: 'p'.repeat(1000) }));
    expect(first).toMatchObject({ kind: 'denial', code: 'masked', layer: 'skill', retryable: false });
    // A loop that repeats what is not retryable is answered from memory, and told to the operator.
    for (let tries = 0; tries < 25; tries += 1) await made.call('agent', name, { payload: 'p'.repeat(1000) });
    expect(made.audit.of('event').some(({ event }) => event === 'repeated_refusal')).toBe(true);
    expect(runner.ran).toEqual([]);
    expect(made.audit.of('intent')).toEqual([]);
    expect(security(made)).toEqual([
      expect.objectContaining({ outcome: 'masked', masked: ['report_metric'] }),
    ]);
    expect(await made.call('agent', 'skill-report-writer__write_note', { text: 'x' })).toMatchObject({
      kind: 'result',
      value: 'done',
    });
    expect(runner.ran).toEqual(['write_note']);
  });

  test('[S003.nothing-maskable] fail_visible with nothing to mask is refused', async () => {
    const key = newKey();
    const manifest = { 'pawl-skill': 1, capabilities: { metrics: { tools: ['web/fetch_json'] } } };
    const files = { ...reporter, 'pawl-skill.json': JSON.stringify(manifest) };
    const entries = await signed(entriesOf(files), key);
    const made = new World({
      policy: policy(scratch, 'fail_visible'),
      tools,
      trust: { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } },
    });
    expect(await made.skills.load({ folder: new MemoryFolder(entries), executor: agent })).toMatchObject({
      code: 'nothing_maskable',
    });
  });

  test('[S003.manifest-meets-grant] what the agent itself may not do is no grant either, and a denial is an exception that goes on to judge calls', async () => {
    const both = `${scratch}, ${metrics}`;
    const own = await world(policy(both, 'fail_closed', scratch));
    expect(await own.load()).toMatchObject({ code: 'grant_mismatch' });
    const denied = `${policy(both, 'fail_closed')}    deny: [ { where: { path: "**/.env" } } ]\n`;
    expect(await (await world(denied)).load()).toMatchObject({ kind: 'loaded' });
    const elsewhere = '{ tools: [web/fetch_html], where: { url: "https://public.example" } }';
    const wholly = `${policy(both, 'fail_closed', `${both}, ${elsewhere}`)}    deny: [ { where: { host: "metrics.internal.example" } } ]\n`;
    expect(await (await world(wholly)).load()).toMatchObject({ code: 'grant_mismatch' });
  });

  test('[S003.skill-ceiling] while it acts, a skill stays inside what it asked for and got', async () => {
    const { world: made, load } = await world(policy(scratch, 'fail_visible'));
    const answer = await load();
    if (isRefusal(answer)) throw new Error(answer.message);
    const { acting } = answer.intersection;
    const judge = async (tool: string, args: Record<string, string>): Promise<unknown> => {
      const { admit, parseToolName } = await import('@pawl/core');
      const one = admit({
        executor: acting,
        tool: parseToolName(tool)!,
        shown: tool,
        args,
        disclosure: undefined,
      });
      return one.kind === 'admitted' ? 'admitted' : one.denial.layer;
    };
    expect(await judge('files/write_file', { path: '/var/agent/scratch/x', content: '' })).toBe('admitted');
    expect(await judge('files/write_file', { path: '/var/agent/other', content: '' })).toBe('policy');
    expect(await judge('web/fetch_json', { url: 'https://metrics.internal.example/x' })).toBe('skill');
    expect(made.skills.shelf.list()).toHaveLength(1);
  });
});

describe('a grant that changes', () => {
  const both = `${scratch}, ${metrics}`;

  test('[S003.reload] shrinking masks or unloads in the same step, and growing back unmasks nothing before a new load', async () => {
    const { world: made, runner, load } = await world(policy(both, 'fail_visible'));
    await load();
    const name = 'skill-report-writer__report_metric';
    expect(await made.call('agent', name, { payload: '1' })).toMatchObject({ kind: 'result' });
    made.reload(policy(scratch, 'fail_visible'));
    expect(refusalOf(await made.call('agent', name, { payload: '1' }))).toMatchObject({ code: 'masked' });
    made.reload(policy(both, 'fail_visible'));
    expect(refusalOf(await made.call('agent', name, { payload: '1' }))).toMatchObject({ code: 'masked' });
    expect(made.skills.shelf.unload(agent, 'report-writer')).toBe(true);
    await load();
    expect(await made.call('agent', name, { payload: '1' })).toMatchObject({ kind: 'result' });
    expect(runner.ran).toEqual(['report_metric', 'report_metric']);
  });

  test('[S003.reload] fail_closed unloads, and a key that is revoked meanwhile takes its skills along', async () => {
    const { world: made, load } = await world(policy(both, 'fail_closed'));
    await load();
    made.reload(policy(scratch, 'fail_closed'));
    expect(made.skills.shelf.list()).toEqual([]);
    expect(made.audit.of('event').at(-1)).toMatchObject({
      event: 'skill_unloaded',
      data: { why: 'over_reach' },
    });
    made.reload(policy(both, 'fail_closed'));
    await load();
    made.trust = { ...made.trust, revoked: Object.keys(made.trust?.['keys'] ?? {}) };
    made.reload(policy(both, 'fail_closed'));
    expect(made.audit.of('event').at(-1)).toMatchObject({
      event: 'skill_unloaded',
      data: { why: 'key_revoked' },
    });
  });

  test('[S003.load-pins] a policy that changes while a skill is loaded is the one under which it is published', async () => {
    const { world: made, load } = await world(policy(both, 'fail_visible'));
    const loading = load();
    made.reload(policy(scratch, 'fail_visible'));
    expect(await loading).toMatchObject({ kind: 'loaded', intersection: { masked: ['report_metric'] } });
    expect(made.skills.shelf.list()[0]?.snapshot).toBe(made.cell.current.peek());
  });

  test('[S003.load-pins] an unloaded skill answers nothing, not even a call that was admitted before', async () => {
    const { world: made, runner, load } = await world(policy(both, 'fail_visible'));
    await load();
    made.audit.hold();
    const call = made.call('agent', 'skill-report-writer__write_note', { text: 'x' });
    await Promise.resolve();
    made.skills.shelf.unload(agent, 'report-writer');
    made.audit.release();
    expect(refusalOf(await call)).toMatchObject({ code: 'no_such_cap' });
    expect(runner.ran).toEqual([]);
  });
});

test('[S003.trust] only those named may sign a skill of this name', async () => {
  const key = newKey();
  const trust = trusting(key.publicKey.pem, { skills: ['other-*'] });
  expect(trust.keys).toHaveLength(1);
  const entries = await signed(entriesOf(reporter), key);
  const made = new World({
    policy: policy(scratch, 'fail_visible'),
    tools,
    trust: { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['other-*'] } } },
  });
  expect(await made.skills.load({ folder: new MemoryFolder(entries), executor: agent })).toMatchObject({
    reason: 'not_for_this_skill',
  });
});

test('[S003.read-once] no file is read twice, however often the policy changes meanwhile', async () => {
  const key = newKey();
  const folder = new MemoryFolder(await signed(entriesOf(reporter), key));
  const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } };
  const made = new World({ policy: policy(scratch, 'fail_visible'), tools, trust });
  const loading = made.skills.load({ folder, executor: agent });
  await Promise.resolve();
  made.reload(policy(`${scratch}, ${metrics}`, 'fail_visible'));
  expect(await loading).toMatchObject({ kind: 'loaded' });
  expect([...folder.reads.values()].every((times) => times === 1)).toBe(true);
  expect(folder.reads.size).toBe(Object.keys(reporter).length + 1);
});
