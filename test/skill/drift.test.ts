/** Bundles of other tools as their writers of JSON leave them, and how a skill is told that changed after it was signed. */
import {
  type JsonObject,
  type SkillEntry,
  type Trust,
  isRefusal,
  readFolder,
  verifyContents,
} from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { byParts, signedBy, signerOf } from './foreign.js';
import { MemoryFolder, entriesOf } from './signed.js';

const now = Date.parse('2026-11-14T12:00:00Z');
const names = ['BENCHMARK.md', 'SKILL.md', 'evals/evals.json', 'scripts/run.sh', 'skill-card.md'];
const skill = (name: string): Record<string, string> =>
  Object.fromEntries(names.map((file) => [file, `---\nname: ${name}\ndescription: x\n---\n${file}\n`]));
const clean = entriesOf(skill('notes'));

const signer = signerOf('P-256', 'hint');
const { trust } = signer;

/** The skill as another tool signs it, under the name of the publisher's folder. */
function published(
  text: (statement: JsonObject) => string = (statement) => JSON.stringify(statement),
): SkillEntry[] {
  const serialization = { method: 'files', hash_type: 'sha256', allow_symlinks: false };
  const mediaType = 'application/vnd.dev.sigstore.bundle.v0.3+json';
  return signedBy(clean, signer, { text, serialization, order: byParts }, { mediaType });
}

function edited(
  entries: readonly SkillEntry[],
  edits: Readonly<Record<string, (old: string) => string>>,
): SkillEntry[] {
  return entries.map((entry) => {
    const edit = edits[entry.name];
    if (edit === undefined) return entry;
    return { ...entry, ...entriesOf({ [entry.name]: edit(new TextDecoder().decode(entry.bytes)) })[0] };
  });
}

async function outcome(entries: readonly SkillEntry[], trusted: Trust = trust): Promise<string> {
  const contents = await readFolder(new MemoryFolder(entries));
  const answer = isRefusal(contents) ? contents : verifyContents(contents, trusted, now);
  return isRefusal(answer) ? answer.reason : 'verified';
}

describe('[S003.foreign-signatures] what writers of JSON leave out, or say in another way', () => {
  test.each<readonly [string, (bundle: string) => string]>([
    [
      'blanks and line ends',
      (bundle) => JSON.stringify(JSON.parse(bundle), undefined, 2).replaceAll('\n', '\r\n'),
    ],
    [
      'null for another signer',
      (bundle) => bundle.replace('"publicKey":', '"certificate":null,"publicKey":'),
    ],
    [
      'null for time stamps',
      (bundle) => bundle.replace('"publicKey":', '"timestampVerificationData":null,"publicKey":'),
    ],
    [
      'null for another content',
      (bundle) => bundle.replace('"dsseEnvelope":', '"messageSignature":null,"dsseEnvelope":'),
    ],
    ['null for the name of the key', (bundle) => bundle.replace('"keyid":""', '"keyid":null')],
  ])('%s: the same bundle', async (_, edit) => {
    const given = edited(published(), { 'skill.oms.sig': edit });
    expect(given).not.toEqual(published());
    expect(await outcome(given)).toBe('verified');
  });

  test.each<readonly [string, (pem: string) => string]>([
    ['as it is written', (pem) => pem],
    ['without its last line end', (pem) => pem.trimEnd()],
    ['with line ends of Windows', (pem) => pem.replaceAll('\n', '\r\n')],
  ])('a key that the bundle brings along as PEM, %s, is the one of the trust file', async (_, spell) => {
    const [trusted] = trust.keys;
    const rawBytes = Buffer.from(spell(trusted!.key.pem)).toString('base64');
    const brings = (bundle: string): string =>
      bundle.replace(/"publicKey":\{[^}]*\}/u, JSON.stringify({ publicKey: { rawBytes } }).slice(1, -1));
    expect(await outcome(edited(published(), { 'skill.oms.sig': brings }))).toBe('verified');
  });

  test('a subject without a name is one whose name is empty', async () => {
    const given = published((statement) =>
      JSON.stringify(statement).replace(/"name":"folder-of[^"]*",/u, ''),
    );
    expect(await outcome(given)).toBe('verified');
    expect(await outcome(edited(given, { 'SKILL.md': (old) => `${old}More.\n` }))).toBe('file_changed');
  });
});

describe('[S003.tampering] [S003.foreign-signatures] a skill that goes on after it was signed', () => {
  const more = (old: string): string => `${old}More.\n`;

  test.each([1, 2, 3])(
    'with %i of its files changed is told as changed, whatever its folder was called',
    async (count) => {
      const some = ['SKILL.md', 'skill-card.md', 'evals/evals.json'].slice(0, count);
      const edits = Object.fromEntries(some.map((name) => [name, more]));
      expect(await outcome(edited(published(), edits))).toBe('file_changed');
    },
  );

  test('is another skill where nothing of it is what was signed', async () => {
    const [signature] = published().slice(-1);
    expect(await outcome([...entriesOf(skill('other')), signature!])).toBe('other_skill');
  });
});
