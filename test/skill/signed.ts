/** Skills in memory, keys and trust for tests. */
import {
  type Contents,
  type SkillEntry,
  type SkillFolder,
  type SigningKey,
  type Trust,
  isRefusal,
  makeSigningKey,
  readFolder,
  readPublicKey,
  readSigningKey,
  readTrust,
  signContents,
  nodeOf,
} from '@pawl/core';

/** Files of a skill by name; a text is a plain file of mode 644. */
export type Files = Readonly<Record<string, string | Partial<SkillEntry>>>;

const utf8 = new TextEncoder();

/** Entries as a walk would give them. */
export function entriesOf(files: Files): SkillEntry[] {
  return Object.entries(files).map(([name, file]) => {
    const given = typeof file === 'string' ? { bytes: utf8.encode(file) } : file;
    return { name, kind: 'file', mode: 0o644, size: given.bytes?.length ?? 0, ...given };
  });
}

/** A folder that counts how often each file was read. */
export class MemoryFolder implements SkillFolder {
  readonly reads = new Map<string, number>();
  readonly #entries: readonly SkillEntry[];

  constructor(entries: readonly SkillEntry[]) {
    this.#entries = entries;
  }

  async read(_limits: unknown, skips: (name: string) => boolean): Promise<readonly SkillEntry[]> {
    await Promise.resolve();
    const entries = this.#entries.filter(({ name }) => !skips(name));
    for (const { name } of entries) this.reads.set(name, (this.reads.get(name) ?? 0) + 1);
    return entries;
  }
}

/** A key pair that signs. */
export function newKey(): SigningKey {
  const key = readSigningKey(makeSigningKey().privatePem);
  if (typeof key === 'string') throw new Error(key);
  return key;
}

/** A trust file as the loader reads it. */
export function trustOf(plain: Parameters<typeof nodeOf>[0]): Trust {
  const { trust, problems } = readTrust(nodeOf(plain, { line: 1, column: 1 }));
  if (trust === undefined) throw new Error(JSON.stringify(problems));
  return trust;
}

/** Trust in one key. */
export function trusting(
  publicPem: string,
  terms: Record<string, string | string[]> = {},
  revoked: string[] = [],
): Trust {
  const key = readPublicKey(publicPem);
  if (typeof key === 'string') throw new Error(key);
  return trustOf({ keys: { [key.id]: { publicKey: publicPem, skills: ['*'], ...terms } }, revoked });
}

/** The files of a folder as they were read. */
async function contentsOf(entries: readonly SkillEntry[]): Promise<Contents> {
  const contents = await readFolder(new MemoryFolder(entries));
  if (isRefusal(contents)) throw new Error(contents.message);
  return contents;
}

/** The entries, and the signature of the key over them. */
export async function signed(
  entries: readonly SkillEntry[],
  key: SigningKey,
  subject = 'report-writer',
): Promise<SkillEntry[]> {
  const bundle = signContents(await contentsOf(entries), subject, key);
  if (isRefusal(bundle)) throw new Error(bundle.message);
  return [...entries, ...entriesOf({ 'skill.oms.sig': bundle.bundle })];
}

/** A skill of the seed: it keeps notes in a scratch folder, and reports a metric to an endpoint. */
export const reporter: Files = {
  'SKILL.md':
    '---\nname: report-writer\ndescription: Writes notes and reports a metric.\nlicense: Apache-2.0\n---\n\nWrite.\n',
  'pawl-skill.json': JSON.stringify({
    'pawl-skill': 1,
    capabilities: {
      scratch: { tools: ['files/write_file'], where: { path: '/var/agent/scratch/**' } },
      metrics: { tools: ['web/fetch_json'], where: { url: 'https://metrics.internal.example/**' } },
    },
    tools: {
      write_note: {
        description: 'Writes a note.',
        inputSchema: {
          type: 'object',
          properties: { text: { type: 'string' } },
          required: ['text'],
          additionalProperties: false,
        },
        needs: ['scratch'],
        run: 'scripts/note.sh',
      },
      report_metric: {
        description: 'Reports a metric.',
        inputSchema: {
          type: 'object',
          properties: { payload: { type: 'string' } },
          additionalProperties: false,
        },
        needs: ['metrics'],
        run: 'scripts/metric.sh',
      },
    },
  }),
  'scripts/note.sh': { bytes: utf8.encode('#!/bin/sh\ncat\n'), size: 14, mode: 0o755 },
  'scripts/metric.sh': { bytes: utf8.encode('#!/bin/sh\nexit 0\n'), size: 17, mode: 0o755 },
  'reference/how.md': 'How.\n',
};
