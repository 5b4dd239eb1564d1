/** What a skill asks for in words that mean nothing here: told to its author, or not granted with the reason; never more than it says. */
import { type Json, executorId, isRefusal, parseAgentName, readManifest, sha256 } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { readYaml } from '../../packages/gateway/src/config/index.js';
import { World } from '../dispatch/world.js';
import { type Files, MemoryFolder, entriesOf, newKey, signed } from './signed.js';

const key = newKey();
const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } };
const agent = executorId(parseAgentName('agent')!);
const text = { type: 'string' };
const tools = { files: { write_file: { type: 'object', properties: { path: text, content: text } } } };
const policy = `pawl: 1
servers: { files: { command: f, connector: filesystem, root: /a } }
sets: { folders: [/a/b] }
agents:
  agent:
    allow: [ { tools: [files/write_file], where: { path: /a/** } } ]
    skills: { notes: { grant: [ { tools: [files/write_file], where: { path: /a/b/** } } ], mode: fail_visible } }
skills: { names: { Write: files/write_file } }
`;

const tool = (...needs: readonly string[]): Json => ({ description: 'A tool.', needs, run: 'run.sh' });

function files(manifest: Json, { name = 'notes', more = '' } = {}): Files {
  return {
    'SKILL.md': `---\nname: ${name}\ndescription: x\n${more}---\n`,
    'run.sh': '#!/bin/sh\n',
    'pawl-skill.json': JSON.stringify(manifest),
  };
}

async function loaded(given: Files): ReturnType<World['skills']['load']> {
  const world = new World({ policy, tools, trust });
  return world.skills.load({
    folder: new MemoryFolder(await signed(entriesOf(given), key)),
    executor: agent,
  });
}

describe('[S003.manifest-meets-grant] a capability that cannot be read', () => {
  test.each<readonly [string, Json, RegExp]>([
    ['of a tool that is not there', { tools: ['files/other'] }, /^files\/other is no tool that is there$/u],
    ['of one there and one not', { tools: ['files/write_file', 'web/x'] }, /^web\/x is no tool/u],
    ['of every server', { tools: ['*/write_file'] }, /a server is named exactly/u],
    ['with a verb that is none', { tools: ['files/write_file'], verbs: ['fly'] }, /found "fly"/u],
    [
      'with a field of another tool',
      { tools: ['files/write_file'], where: { url: 'https://x' } },
      /does not have its fields/u,
    ],
    [
      'that refers to the policy',
      { tools: ['files/write_file'], where: { path: { set: 'folders' } } },
      /found .*set/u,
    ],
    ['that climbs', { tools: ['files/write_file'], where: { path: '/a/b/../**' } }, /found .*\.\./u],
    ['that holds nothing', { tools: ['files/write_file'], where: { path: [] } }, /found an empty/u],
  ])('%s is not granted, with the reason', async (_, capability, why) => {
    const answer = await loaded(
      files({
        'pawl-skill': 1,
        capabilities: { it: capability },
        tools: { write: tool('it'), look: tool() },
      }),
    );
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(answer.intersection).toMatchObject({ granted: [], masked: ['write'] });
    expect(answer.intersection.ungranted[0]?.why).toMatch(why);
    expect(answer.intersection.acting.reachable).toEqual([]);
  });

  test('items of allowed-tools whose brackets say nothing that can be read are listed, and grant nothing', async () => {
    const more = 'allowed-tools: Write(/a/b/../**) Write(/a//b) Write(/a/b/**) Other\n';
    const answer = await loaded(files({ 'pawl-skill': 1 }, { more }));
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(answer.intersection.unresolved).toEqual(['Write(/a/b/../**)', 'Write(/a//b)', 'Other']);
  });
});

test('[S003.frontmatter] allowed-tools counts each item once, and takes 256', async () => {
  const items = (count: number): string =>
    `allowed-tools: ${Array.from({ length: count }, (_, at) => `W${at} W0`).join(' ')}\n`;
  expect(await loaded(files({ 'pawl-skill': 1 }, { more: items(256) }))).toMatchObject({ kind: 'loaded' });
  expect(await loaded(files({ 'pawl-skill': 1 }, { more: items(257) }))).toMatchObject({
    reason: 'bad_frontmatter',
  });
});

describe('[S003.frontmatter] a manifest that never loads is told when it is signed', () => {
  const read = (given: Files): ReturnType<typeof readManifest> =>
    readManifest(
      new Map(
        entriesOf(given).map(({ name, bytes = new Uint8Array() }) => [
          name,
          { bytes, digest: sha256(bytes), executable: false },
        ]),
      ),
      readYaml,
    );

  test('a name that cannot stand before those of tools, where there are tools', () => {
    const manifest = { 'pawl-skill': 1, tools: { look: tool() } };
    expect(read(files(manifest, { name: 'My_Notes' }))).toMatchObject({
      reason: 'bad_frontmatter',
      message: expect.stringMatching(/My_Notes .* small letters/u),
    });
    expect(isRefusal(read(files({ 'pawl-skill': 1 }, { name: 'My_Notes' })))).toBe(false);
    expect(isRefusal(read(files(manifest)))).toBe(false);
  });

  test.each([
    ['capabilities', 64],
    ['tools', 256],
  ] as const)('%s, at most %i', (section, most) => {
    const members = (count: number, member: Json): Json =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, member]));
    const member = section === 'tools' ? tool() : { tools: ['files/write_file'] };
    expect(isRefusal(read(files({ 'pawl-skill': 1, [section]: members(most, member) })))).toBe(false);
    expect(read(files({ 'pawl-skill': 1, [section]: members(most + 1, member) }))).toMatchObject({
      reason: 'bad_manifest',
      message: expect.stringContaining(`at most ${most}`),
    });
  });
});
