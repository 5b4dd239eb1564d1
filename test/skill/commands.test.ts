/** `pawl skill` and signing keys on real folders, without a daemon. */
import {
  chmodSync,
  cpSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { pawl } from '../command-line.js';
import { temporaryFolder } from '../e2e/gateway.js';

const examples = fileURLToPath(new URL('../../examples/skills', import.meta.url));
const policy = join(examples, 'pawl.yaml');
const tools = join(examples, 'tools');

interface Answer {
  readonly verified?: boolean;
  readonly code?: string;
  readonly reason?: string;
}

async function publisher(): Promise<{
  folder: string;
  sign: () => ReturnType<typeof pawl>;
  verify: (folder?: string) => Promise<string>;
  key: string;
}> {
  const base = temporaryFolder();
  const key = join(base, 'signing.pem');
  const issued = await pawl('keys', 'issue', '--signing', '--out', key, '--json');
  const { trust } = JSON.parse(issued.out) as { trust: object };
  writeFileSync(join(base, 'trust.json'), JSON.stringify(trust));
  const folder = join(base, 'skill');
  cpSync(join(examples, 'good'), folder, { recursive: true });
  rmSync(join(folder, 'skill.oms.sig'));
  return {
    folder,
    key,
    sign: () => pawl('skill', 'sign', folder, '--key', key, '--json'),
    verify: async (which = folder) => {
      const { exit, out } = await pawl(
        'skill',
        'verify',
        which,
        '--trust',
        join(base, 'trust.json'),
        '--json',
      );
      const answer = JSON.parse(out) as Answer;
      expect(exit).toBe(answer.verified === true ? 0 : 1);
      return answer.verified === true ? 'verified' : `${answer.code}/${answer.reason}`;
    },
  };
}

describe('[P.skill.commands] signing and verifying a folder', () => {
  test('what is signed verifies, also as a copy, and again after it was signed anew', async () => {
    const { folder, sign, verify } = await publisher();
    expect(await verify()).toBe('signature_invalid/unsigned');
    expect(await sign()).toMatchObject({ exit: 0 });
    expect(await verify()).toBe('verified');
    const copy = `${folder}-copy`;
    cpSync(folder, copy, { recursive: true });
    expect(await verify(copy)).toBe('verified');
    writeFileSync(join(folder, 'more.md'), 'More.\n');
    expect(await verify()).toBe('signature_invalid/file_unlisted');
    await sign();
    expect(await verify()).toBe('verified');
  });

  test('a signature that cannot be put in place is told, and leaves nothing behind', async () => {
    const { folder, sign } = await publisher();
    mkdirSync(join(folder, 'skill.oms.sig'));
    const before = readdirSync(folder);
    expect(await sign()).toMatchObject({ exit: 3, err: expect.stringContaining('cannot be written') });
    expect(readdirSync(folder)).toEqual(before);
  });

  test.each<readonly [string, (folder: string) => void]>([
    ['signature_invalid/file_changed', (folder) => writeFileSync(join(folder, 'SKILL.md'), 'x')],
    ['signature_invalid/file_missing', (folder) => rmSync(join(folder, 'pawl-skill.json'))],
    [
      'signature_invalid/file_renamed',
      (folder) => renameSync(join(folder, 'scripts/note.sh'), join(folder, 'note.sh')),
    ],
    ['signature_invalid/mode', (folder) => chmodSync(join(folder, 'scripts/note.sh'), 0o644)],
    ['signature_invalid/mode', (folder) => chmodSync(join(folder, 'SKILL.md'), 0o666)],
    ['signature_invalid/mode', (folder) => chmodSync(join(folder, 'scripts/note.sh'), 0o4755)],
    ['skill_rejected/link', (folder) => symlinkSync('/etc/passwd', join(folder, 'passwd'))],
    [
      'skill_rejected/link',
      (folder) => {
        renameSync(join(folder, 'SKILL.md'), join(folder, '..', 'SKILL.md'));
        symlinkSync('../SKILL.md', join(folder, 'SKILL.md'));
      },
    ],
    [
      'skill_rejected/link',
      (folder) => {
        renameSync(join(folder, 'scripts'), join(folder, '..', 'scripts'));
        symlinkSync('../scripts', join(folder, 'scripts'));
      },
    ],
    ['skill_rejected/special_file', (folder) => void execFileSync('mkfifo', [join(folder, 'pipe')])],
    ['skill_rejected/case_twin', (folder) => writeFileSync(join(folder, 'skill.MD'), 'x')],
    [
      'skill_rejected/bad_name',
      (folder) => writeFileSync(Buffer.concat([Buffer.from(`${folder}/a`), Buffer.from([0xff])]), 'x'),
    ],
    [
      'signature_invalid/file_unlisted',
      (folder) => linkSync(join(folder, 'SKILL.md'), join(folder, 'same.md')),
    ],
    [
      'signature_invalid/malformed_bundle',
      (folder) =>
        writeFileSync(
          join(folder, 'skill.oms.sig'),
          readFileSync(join(folder, 'skill.oms.sig')).subarray(0, 400),
        ),
    ],
    [
      'verified',
      (folder) => {
        mkdirSync(join(folder, '.git'));
        writeFileSync(join(folder, '.git/HEAD'), 'x');
        mkdirSync(join(folder, 'empty'));
      },
    ],
  ])('[S003.tampering] on disk: %s', async (expected, change) => {
    const { folder, sign, verify } = await publisher();
    await sign();
    change(folder);
    expect(await verify()).toBe(expected);
  });

  test('an archive is no skill, and is told so', async () => {
    const { folder, verify } = await publisher();
    expect(await verify(join(folder, 'SKILL.md'))).toBe('skill_rejected/unreadable');
    const { out } = await pawl('skill', 'inspect', join(folder, 'SKILL.md'));
    expect(out).toContain('unpack an archive first');
  });

  test('a signing key is private to its owner, is never overwritten, and other files are no keys', async () => {
    const { key, folder } = await publisher();
    expect(readFileSync(key, 'utf8')).toContain('BEGIN PRIVATE KEY');
    expect(await pawl('keys', 'issue', '--signing', '--out', key)).toMatchObject({ exit: 1 });
    expect(await pawl('keys', 'issue', '--signing', '--agent', 'a', '--out', `${key}2`)).toMatchObject({
      exit: 2,
    });
    expect(await pawl('skill', 'sign', folder, '--key', policy)).toMatchObject({ exit: 3 });
    expect(await pawl('skill', 'sign', folder)).toMatchObject({ exit: 2 });
    expect(await pawl('skill', 'verify', folder, '--trust', policy)).toMatchObject({ exit: 3 });
    expect(await pawl('skill', 'verify', folder)).toMatchObject({ exit: 2 });
    expect(await pawl('skill')).toMatchObject({ exit: 2 });
  });
});

describe('[P.skill.examples] the examples', () => {
  async function load(name: string): Promise<unknown> {
    const { exit, out } = await pawl(
      'skill',
      'load',
      join(examples, name),
      '--agent',
      'writer',
      '--policy',
      policy,
      '--tools',
      tools,
      '--dry-run',
      '--json',
    );
    return { exit, ...(JSON.parse(out) as object) };
  }

  test('the good one loads, the over-reaching one with a mask, the others not at all', async () => {
    expect(await load('good')).toMatchObject({
      exit: 0,
      skill: { granted: ['scratch'], masked: [], tools: ['write_note'] },
    });
    expect(await load('counting')).toMatchObject({ exit: 0, skill: { masked: [], tools: ['count_words'] } });
    expect(await load('over-reaching')).toMatchObject({
      exit: 0,
      skill: { masked: ['report_metric'], tools: ['write_note'], ungranted: [{ capability: 'metrics' }] },
    });
    expect(await load('tampered')).toMatchObject({
      exit: 1,
      loaded: false,
      reason: 'file_changed',
      file: 'scripts/note.sh',
    });
    expect(await load('unsigned')).toMatchObject({ exit: 1, loaded: false, reason: 'unsigned' });
  });

  test('under unsigned: sandbox the unsigned one loads, and is marked', async () => {
    const folder = temporaryFolder();
    for (const name of ['pawl.yaml', 'trust.json']) cpSync(join(examples, name), join(folder, name));
    const lenient = join(folder, 'pawl.yaml');
    writeFileSync(lenient, readFileSync(policy, 'utf8').replace('unsigned: refuse', 'unsigned: sandbox'));
    const words = [
      'skill',
      'load',
      join(examples, 'unsigned'),
      '--agent',
      'writer',
      '--dry-run',
      '--tools',
      tools,
    ];
    expect(await pawl(...words, '--policy', lenient)).toMatchObject({
      exit: 0,
      out: expect.stringMatching(/^loaded:\nplain-notes for writer, UNSIGNED: sandbox only$/mu),
    });
    const tampered = words.with(2, join(examples, 'tampered'));
    expect(await pawl(...tampered, '--policy', lenient)).toMatchObject({ exit: 1 });
  });

  test('inspect shows what a skill asks for, and that nobody vouches for it', async () => {
    const { out } = await pawl('skill', 'inspect', join(examples, 'over-reaching'));
    expect(out).toContain('not verified');
    expect(out).toContain('asks for metrics');
    const { out: json } = await pawl('skill', 'inspect', join(examples, 'unsigned'), '--json');
    expect(JSON.parse(json)).toMatchObject({ name: 'plain-notes', signed: false, files: ['SKILL.md'] });
  });
});
