/** Where the files of programs of skills are put: what fails half-way, and what a killed process left, does not stay there. */
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { executorId, isRefusal, parseAgentName } from '@pawl/core';
import { expect, test } from 'vitest';
import { skillRunner } from '../../packages/gateway/src/cli/skill-runner.js';
import { World } from '../dispatch/world.js';
import { temporaryFolder } from '../e2e/gateway.js';
import { MemoryFolder, entriesOf, newKey, signed } from './signed.js';

const executor = executorId(parseAgentName('agent')!);
const policy =
  'pawl: 1\nservers: { s: { command: s } }\nagents: { agent: { allow: [ { tools: [s/t] } ] } }\n';
const manifest = JSON.stringify({
  'pawl-skill': 1,
  tools: { work: { description: 'Works.', needs: [], run: 'work.sh' } },
});

test('a skill whose files cannot be put there is refused with why, recorded, and leaves nothing', async () => {
  const folder = join(temporaryFolder(), 'skills');
  const key = newKey();
  const { publicKey } = key;
  const trust = { keys: { [publicKey.id]: { publicKey: publicKey.pem, name: 'team', skills: ['*'] } } };
  const runner = skillRunner({ folder, log: () => undefined });
  const world = new World({ policy, tools: { s: { t: { type: 'object', properties: {} } } }, runner, trust });
  const files = {
    'SKILL.md': '---\nname: worker\ndescription: Works.\n---\n',
    'pawl-skill.json': manifest,
    'work.sh': 'echo done\n',
    // Longer than a name in a file system may be.
    [`${'n'.repeat(300)}.txt`]: 'x',
  };
  const entries = await signed(entriesOf(files), key, 'worker');
  const answer = await world.skills.load({ folder: new MemoryFolder(entries), executor });
  expect(answer).toMatchObject({ kind: 'refused', code: 'skill_rejected', reason: 'unreadable' });
  expect(isRefusal(answer) && answer.message).toContain('ENAMETOOLONG');
  expect(world.audit.of('event').map(({ event }) => event)).toContain('skill_refused');
  expect(readdirSync(folder)).toEqual([]);
  expect(world.skills.shelf.list()).toEqual([]);
});

test('what a killed process left is removed at the next start, and nothing else', () => {
  const folder = temporaryFolder();
  for (const name of ['.new-aB3xYz', '.stage-q1w2e3', 'a'.repeat(64), 'notes']) {
    mkdirSync(join(folder, name, 'in'), { recursive: true });
    writeFileSync(join(folder, name, 'in', 'file'), 'left');
  }
  skillRunner({ folder, log: () => undefined }).close?.();
  expect(readdirSync(folder)).toEqual(['notes']);
});
