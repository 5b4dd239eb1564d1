/** `unsigned: sandbox`: what nobody signed gets the sandbox, and nothing beyond it. */
import {
  type SkillEntry,
  executorId,
  isRefusal,
  parseAgentName,
  readFolder,
  verifyContents,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { skillLines, skillView } from '../../packages/gateway/src/cli/skill-view.js';
import type { SkillRunner } from '../../packages/gateway/src/cli/live-skills.js';
import { World, refusalOf } from '../dispatch/world.js';
import { type Files, MemoryFolder, entriesOf, newKey, signed, trusting } from './signed.js';

const text = { type: 'string' };
const tools = {
  files: {
    write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
  },
};
const write = '{ tools: [files/write_file], where: { path: /var/agent/** } }';

function policy(unsigned: 'refuse' | 'sandbox', mode = 'fail_visible'): string {
  return `pawl: 1
servers: { files: { command: f, connector: filesystem } }
agents:
  agent:
    allow: [ ${write} ]
    skills: { notes: { grant: [ ${write} ], mode: ${mode} } }
skills: { unsigned: ${unsigned} }
`;
}

const agent = executorId(parseAgentName('agent')!);
const run = { bytes: new TextEncoder().encode('#!/bin/sh\n'), size: 10, mode: 0o755 };

function skill(capabilities: object, needs: Readonly<Record<string, readonly string[]>>): Files {
  const made = Object.entries(needs).map(([name, list]) => [
    name,
    { description: 'A tool.', needs: list, run: 'run.sh' },
  ]);
  return {
    'SKILL.md': '---\nname: notes\ndescription: Notes.\n---\n',
    'run.sh': run,
    'pawl-skill.json': JSON.stringify({ 'pawl-skill': 1, capabilities, tools: Object.fromEntries(made) }),
  };
}

const scratch = { scratch: { tools: ['files/write_file'], where: { path: '/var/agent/x' } } };

class Runner implements SkillRunner {
  readonly ran: string[] = [];
  /** Whether what it was given was executable. */
  executable: boolean | undefined;
  prepare: SkillRunner['prepare'] = async ({ verified }) => {
    this.executable = verified.files.get('run.sh')?.executable;
  };
  runs = (): boolean => true;
  run: SkillRunner['run'] = async (tool) => {
    this.ran.push(tool.name);
    return 'done';
  };
}

async function loaded(
  document: string,
  files: Files,
): Promise<{ world: World; runner: Runner; answer: Awaited<ReturnType<World['skills']['load']>> }> {
  const runner = new Runner();
  const world = new World({ policy: document, tools, runner });
  const answer = await world.skills.load({ folder: new MemoryFolder(entriesOf(files)), executor: agent });
  return { world, runner, answer };
}

describe('[S003.unsigned] a skill that nobody signed', () => {
  test('is refused where the policy does not say otherwise', async () => {
    const { answer } = await loaded(policy('refuse'), skill({}, { look: [] }));
    expect(answer).toMatchObject({ kind: 'refused', reason: 'unsigned' });
  });

  test('runs what needs nothing, in the sandbox, and is marked wherever it is told', async () => {
    const { world, runner, answer } = await loaded(policy('sandbox'), skill({}, { look: [] }));
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(runner.executable).toBe(false);
    expect(refusalOf(await world.call('agent', 'skill-notes__look', {}))).toBeUndefined();
    expect(runner.ran).toEqual(['look']);
    const view = skillView(answer, { absent: [], findings: [] });
    expect(view).not.toHaveProperty('signer');
    expect(skillLines(view)[0]).toBe('notes for agent, UNSIGNED: sandbox only');
    const [event] = world.audit.of('event').filter(({ event: told }) => told === 'skill_loaded');
    expect(event?.data).toMatchObject({ skill: 'notes', unsigned: true, granted: [] });
  });

  test('is granted nothing, whatever its grant and its agent hold, and acts with nothing', async () => {
    const { world, runner, answer } = await loaded(
      policy('sandbox'),
      skill(scratch, { note: ['scratch'], look: [] }),
    );
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(answer.intersection).toMatchObject({ granted: [], masked: ['note'] });
    expect(answer.intersection.acting.reachable).toEqual([]);
    expect(refusalOf(await world.call('agent', 'skill-notes__note', {}))?.code).toBe('masked');
    expect(runner.ran).toEqual([]);
    const [event] = world.audit.of('event').filter(({ event: told }) => told === 'security');
    expect(event?.data).toMatchObject({ what: 'skill_over_reach', unsigned: true, outcome: 'masked' });
    expect(event?.data).not.toHaveProperty('by');
  });

  test('asks for anything under fail_closed: refused; for nothing that could be masked: refused', async () => {
    const asks = await loaded(
      policy('sandbox', 'fail_closed'),
      skill(scratch, { note: ['scratch'], look: [] }),
    );
    expect(asks.answer).toMatchObject({ kind: 'refused', code: 'grant_mismatch' });
    const bare = await loaded(policy('sandbox'), skill(scratch, { look: [] }));
    expect(bare.answer).toMatchObject({ kind: 'refused', code: 'nothing_maskable' });
  });

  test('acts with nothing even where it asks for nothing', async () => {
    const { answer } = await loaded(policy('sandbox'), {
      'SKILL.md': '---\nname: notes\ndescription: Notes.\nallowed-tools: files/write_file\n---\n',
    });
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(answer.intersection.acting.reachable).toEqual([]);
  });

  test('its instructions and files are served to nobody', async () => {
    const { world } = await loaded(policy('sandbox'), skill({}, { look: [] }));
    expect(world.skills.shelf.servedTo(agent)).toEqual([]);
  });

  test('is unloaded in the step in which the policy takes unsigned ones no longer', async () => {
    const { world } = await loaded(policy('sandbox'), skill({}, { look: [] }));
    world.reload(policy('refuse'));
    expect(world.skills.shelf.list()).toEqual([]);
    expect(refusalOf(await world.call('agent', 'skill-notes__look', {}))?.code).toBe('no_such_cap');
  });

  test('is not one whose signature does not hold: that is refused under either', async () => {
    const key = newKey();
    const entries = await signed(entriesOf(skill({}, { look: [] })), key);
    const broken = (change: (entry: SkillEntry) => SkillEntry): SkillEntry[] => entries.map(change);
    for (const [given, reason] of [
      [
        broken((entry) => (entry.name === 'run.sh' ? { ...entry, bytes: new Uint8Array([1]) } : entry)),
        'unknown_signer',
      ],
      [
        broken((entry) => (entry.name === 'skill.oms.sig' ? { ...entry, bytes: new Uint8Array() } : entry)),
        'malformed_bundle',
      ],
    ] as const) {
      const world = new World({ policy: policy('sandbox'), tools, runner: new Runner() });
      expect(await world.skills.load({ folder: new MemoryFolder(given), executor: agent })).toMatchObject({
        reason,
      });
    }
    const contents = await readFolder(new MemoryFolder(entries));
    if (isRefusal(contents)) throw new Error(contents.message);
    expect(verifyContents(contents, trusting(key.publicKey.pem), 0)).toMatchObject({ kind: 'verified' });
  });
});
