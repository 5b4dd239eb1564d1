/** Skills that other tools signed: clean ones verify under a trust file that takes the signer, and no change goes unseen. */
import {
  type JsonObject,
  type SkillEntry,
  type SkillReason,
  type Trust,
  executorId,
  isRefusal,
  parseAgentName,
  readFolder,
  verifyContents,
} from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { World } from '../dispatch/world.js';
import type { CertificateAlgorithm } from './certificates.js';
import {
  type Layout,
  type Material,
  type Wrapping,
  byBytes,
  byParts,
  signedBy,
  signerOf,
  sortedJson,
} from './foreign.js';
import { type Files, MemoryFolder, entriesOf, trustOf } from './signed.js';

const now = Date.parse('2026-11-14T12:00:00Z');
const utf8 = new TextEncoder();

/** Names whose order differs by parts and by bytes; a nested skill with a signature of its own; empty, binary and odd ones. */
const files: Files = {
  'SKILL.md': '---\nname: published\ndescription: Published by others.\nallowed-tools: Bash\n---\n\n# Text\n',
  'skill-card.md': 'Card.\n',
  'BENCHMARK.md': 'Figures.\n',
  'evals/evals.json': '[]\n',
  'evals-more/x.md': 'x\n',
  'evals.md': 'y\n',
  'references/a b (c).md': 'blanks\n',
  'references/\u00e4\u00f6\u00fc \u65e5\u672c.md': 'letters\n',
  'references/\u{1f600}.md': 'one\n',
  'references/\uff5e.md': 'two\n',
  'nested/SKILL.md': '---\nname: nested\ndescription: Inside.\n---\n',
  'nested/skill.oms.sig': '{"not":"ours"}',
  'assets/empty.txt': '',
  'assets/pixel.bin': { bytes: new Uint8Array([0, 255, 13, 10, 0]), size: 5 },
  'scripts/run.sh': { bytes: utf8.encode('#!/bin/sh\n'), size: 10, mode: 0o755 },
};
const entries = entriesOf(files);

const git = ['.git', '.gitattributes', '.github', '.gitignore'];
const plain: JsonObject = { method: 'files', hash_type: 'sha256', allow_symlinks: false };
const v03 = 'application/vnd.dev.sigstore.bundle.v0.3+json';

const layouts: Readonly<Record<string, Layout>> = {
  'model_signing 1.0': {
    text: (statement) => JSON.stringify(statement, undefined, 2),
    serialization: plain,
    order: byParts,
  },
  'model_signing 1.1': {
    text: (statement) => JSON.stringify(statement, undefined, 2),
    serialization: { ...plain, ignore_paths: ['skill.oms.sig', ...git] },
    order: byParts,
  },
  'model_signing with links allowed': {
    text: (statement) => JSON.stringify(statement),
    serialization: { hash_type: 'sha256', allow_symlinks: true, ignore_paths: git, method: 'files' },
    order: byParts,
  },
  'another order of names': {
    text: sortedJson,
    serialization: { ...plain, ignore_paths: [] },
    order: byBytes,
  },
  'members of a later version': {
    text: sortedJson,
    serialization: plain,
    order: byParts,
    more: { modelCard: { license: 'x' }, annotations: [1, null] },
  },
};

const wrappings: Readonly<Record<string, Wrapping>> = {
  'v0.3': { mediaType: v03 },
  'v0.3 in its older spelling': {
    mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.3',
    keyid: null,
  },
  'v0.2': { mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.2', keyid: 'a key' },
  'v0.1': {
    mediaType: 'application/vnd.dev.sigstore.bundle+json;version=0.1',
    material: { tlogEntries: [] },
  },
  'log entries and time stamps': {
    mediaType: v03,
    material: {
      tlogEntries: [
        {
          logIndex: '1',
          logId: { keyId: 'AA==' },
          kindVersion: { kind: 'dsse', version: '0.0.1' },
          integratedTime: '1790000000',
          inclusionPromise: { signedEntryTimestamp: 'AA==' },
          inclusionProof: {
            logIndex: '1',
            rootHash: 'AA==',
            treeSize: '2',
            hashes: ['AA=='],
            checkpoint: { envelope: 'x' },
          },
          canonicalizedBody: 'AA==',
        },
      ],
      timestampVerificationData: { rfc3161Timestamps: [{ signedTimestamp: 'AA==' }] },
    },
  },
};

const algorithms: readonly CertificateAlgorithm[] = ['P-256', 'P-384', 'ed25519'];
const materials: readonly Material[] = [
  'hint',
  'key as PEM',
  'key as DER',
  'hint and key',
  'chain',
  'chain with root',
  'certificate',
];

async function outcome(given: readonly SkillEntry[], trust: Trust): Promise<SkillReason | 'verified'> {
  const contents = await readFolder(new MemoryFolder(given));
  const answer = isRefusal(contents) ? contents : verifyContents(contents, trust, now);
  return answer.kind === 'refused' ? answer.reason : 'verified';
}

describe('[S003.foreign-signatures] a skill that another tool signed', () => {
  describe.each(algorithms)('with a key of %s', (algorithm) => {
    describe.each(materials)('named by %s', (material) => {
      test.each(Object.entries(layouts))('%s', async (_, layout) => {
        const signer = signerOf(algorithm, material);
        for (const [name, wrapping] of Object.entries(wrappings)) {
          const given = signedBy(entries, signer, layout, wrapping);
          expect(await outcome(given, signer.trust), name).toBe('verified');
          expect(await outcome(given, trustOf({})), name).toBe('unknown_signer');
        }
      });
    });
  });

  test.each<readonly [string, string, readonly string[], readonly string[]]>([
    ['resolved', 'skills: { names: { Bash: shell/run_command } }', ['shell/run_command'], []],
    ['unresolved', '', [], ['Bash']],
  ])('loads with allowed-tools as a ceiling, %s', async (_, top, reachable, unresolved) => {
    const signer = signerOf('P-384', 'chain with root');
    const policy = `pawl: 1
servers: { shell: { command: s, connector: shell, root: /repo }, mail: { command: m } }
agents: { agent: { allow: [ { tools: [shell/run_command] }, { tools: [mail/send] } ] } }
${top}
`;
    const text = { type: 'string' };
    const tools = {
      shell: { run_command: { type: 'object', properties: { command: text } } },
      mail: { send: { type: 'object', properties: { to: text } } },
    };
    const world = new World({ policy, tools, trust: signer.file });
    world.now = now;
    const given = signedBy(entries, signer, layouts['model_signing 1.1']!, { mediaType: v03 });
    const answer = await world.skills.load({
      folder: new MemoryFolder(given),
      executor: executorId(parseAgentName('agent')!),
    });
    if (isRefusal(answer)) throw new Error(answer.message);
    expect(answer.intersection).toMatchObject({ granted: [], ungranted: [], masked: [], unresolved });
    expect(answer.intersection.acting.reachable).toEqual(reachable);
  });

  test('what a checkout brings along is part of it where it was signed, and otherwise not there', async () => {
    const signer = signerOf('P-384', 'chain');
    const layout = layouts['model_signing 1.0']!;
    const checkout = entriesOf({
      '.gitignore': 'x\n',
      '.gitattributes': '* -text\n',
      '.github/workflows/a.yml': 'on: push\n',
    });
    const beside = signedBy(entries, signer, layout, { mediaType: v03 });
    expect(await outcome([...checkout, ...beside], signer.trust)).toBe('verified');
    const within = signedBy([...entries, ...checkout], signer, layout, { mediaType: v03 });
    expect(await outcome(within, signer.trust)).toBe('verified');
    const changed = within.map((entry) =>
      entry.name === '.gitignore' ? { ...entry, bytes: utf8.encode('y\n') } : entry,
    );
    expect(await outcome(changed, signer.trust)).toBe('file_changed');
    const links = [...beside, ...entriesOf({ '.github/link': { kind: 'link', mode: 0o777 } })];
    expect(await outcome(links, signer.trust)).toBe('verified');
  });
});

type Change = (given: readonly SkillEntry[]) => readonly SkillEntry[];

function on(name: string, change: (entry: SkillEntry) => Partial<SkillEntry> | undefined): Change {
  return (given) =>
    given.flatMap((entry) => {
      const next = entry.name === name ? change(entry) : {};
      return next === undefined ? [] : [{ ...entry, ...next }];
    });
}

function bundled(edit: (bundle: { [key: string]: never }) => void): Change {
  return on('skill.oms.sig', ({ bytes }) => {
    const bundle = JSON.parse(new TextDecoder().decode(bytes)) as { [key: string]: never };
    edit(bundle);
    const next = utf8.encode(JSON.stringify(bundle));
    return { bytes: next, size: next.length };
  });
}

interface Open {
  dsseEnvelope: { payload: string; payloadType: string; signatures: { sig: string }[] };
  verificationMaterial: JsonObject & Record<string, unknown>;
}

const opened = (edit: (bundle: Open) => void): Change => bundled((bundle) => edit(bundle as unknown as Open));

const tamperings: Readonly<Record<string, readonly [SkillReason, Change]>> = {
  'a byte is changed': ['file_changed', on('scripts/run.sh', () => ({ bytes: utf8.encode('#!/bin/zz\n') }))],
  'a binary file is changed': [
    'file_changed',
    on('assets/pixel.bin', () => ({ bytes: new Uint8Array([0, 255, 13, 10, 1]) })),
  ],
  'an empty file gets a byte': [
    'file_changed',
    on('assets/empty.txt', () => ({ bytes: utf8.encode(' '), size: 1 })),
  ],
  'line ends are changed': ['file_changed', on('skill-card.md', () => ({ bytes: utf8.encode('Card.\r\n') }))],
  'the signature of a nested skill is changed': [
    'file_changed',
    on('nested/skill.oms.sig', () => ({ bytes: utf8.encode('{}') })),
  ],
  'a file is added where git files are ignored': [
    'file_unlisted',
    (given) => [...given, ...entriesOf({ '.gitmodules': 'x' })],
  ],
  'a file is added in a folder that is listed': [
    'file_unlisted',
    (given) => [...given, ...entriesOf({ 'scripts/more.sh': 'x' })],
  ],
  'a file is removed': ['file_missing', on('evals/evals.json', () => undefined)],
  'a file is renamed': ['file_renamed', on('evals.md', () => ({ name: 'evals.txt' }))],
  'a name is composed otherwise': [
    'file_renamed',
    on('references/\u00e4\u00f6\u00fc \u65e5\u672c.md', ({ name }) => ({ name: name.normalize('NFD') })),
  ],
  'a file is a link': ['link', on('skill-card.md', () => ({ kind: 'link', mode: 0o777 }))],
  'a script is set-uid': ['mode', on('scripts/run.sh', () => ({ mode: 0o4755 }))],
  'the payload is changed': [
    'bad_signature',
    opened(({ dsseEnvelope }) => {
      const text = Buffer.from(dsseEnvelope.payload, 'base64').toString();
      dsseEnvelope.payload = Buffer.from(text.replace('folder-of', 'holder-of')).toString('base64');
    }),
  ],
  'blanks are added to the payload': [
    'bad_signature',
    opened(({ dsseEnvelope }) => {
      dsseEnvelope.payload = Buffer.from(
        ` ${Buffer.from(dsseEnvelope.payload, 'base64').toString()}`,
      ).toString('base64');
    }),
  ],
  'the signature is cut': [
    'bad_signature',
    opened(({ dsseEnvelope: { signatures } }) => {
      const [one] = signatures;
      one!.sig = Buffer.from(one!.sig, 'base64').subarray(0, -1).toString('base64');
    }),
  ],
  'the type of the payload is changed': [
    'wrong_algorithm',
    opened(({ dsseEnvelope }) => void (dsseEnvelope.payloadType = 'application/json')),
  ],
  'there is no signature file': ['unsigned', on('skill.oms.sig', () => undefined)],
  'the signature file has the name of a model': [
    'unsigned',
    on('skill.oms.sig', () => ({ name: 'model.sig' })),
  ],
  'the material is gone': ['malformed_bundle', opened((bundle) => void (bundle.verificationMaterial = {}))],
};

describe('[S003.foreign-signatures] [S003.tampering] what another tool signed, and somebody changed', () => {
  describe.each([
    ['P-384', 'chain with root', 'model_signing 1.1'],
    ['P-256', 'key as PEM', 'model_signing 1.0'],
    ['ed25519', 'hint', 'another order of names'],
  ] as const)('%s, %s, %s', (algorithm, material, layout) => {
    test.each(Object.entries(tamperings))('%s', async (_, [reason, change]) => {
      const signer = signerOf(algorithm, material);
      const given = signedBy(entries, signer, layouts[layout]!, { mediaType: v03 });
      expect(await outcome(change(given), signer.trust)).toBe(reason);
    });
  });

  test('what the signer ignored is not let in, and its name does not hide it', async () => {
    const signer = signerOf('P-256', 'hint');
    const layout = {
      ...layouts['model_signing 1.1']!,
      serialization: { ...plain, ignore_paths: ['evals', '.'] },
    };
    const given = signedBy(
      entries.filter(({ name }) => !name.startsWith('evals/')),
      signer,
      layout,
      { mediaType: v03 },
    );
    expect(await outcome(given, signer.trust)).toBe('verified');
    expect(await outcome([...given, ...entriesOf({ 'evals/evals.json': '[]' })], signer.trust)).toBe(
      'file_unlisted',
    );
  });

  test.each<readonly [string, SkillReason, Partial<Layout>]>([
    ['shards', 'malformed_statement', { serialization: { ...plain, method: 'shards', shard_size: 1000 } }],
    ['BLAKE2', 'wrong_algorithm', { serialization: { ...plain, hash_type: 'blake2b' } }],
    ['BLAKE3', 'wrong_algorithm', { serialization: { ...plain, hash_type: 'blake3' } }],
    ['no order', 'unsorted', { order: (names) => byParts(names).toReversed() }],
  ])('what is not read is refused: %s', async (_, reason, change) => {
    const signer = signerOf('P-256', 'hint');
    const given = signedBy(
      entries,
      signer,
      { ...layouts['model_signing 1.0']!, ...change },
      { mediaType: v03 },
    );
    expect(await outcome(given, signer.trust)).toBe(reason);
  });

  test('no bit of a certificate can be turned, and no part of a bundle left out, that anything rests on', async () => {
    const signer = signerOf('P-256', 'chain');
    const given = signedBy(entries, signer, layouts['model_signing 1.0']!, { mediaType: v03 });
    const chain = signer.material['x509CertificateChain'] as {
      certificates: readonly { rawBytes: string }[];
    };
    const contents = await readFolder(new MemoryFolder(given));
    if (isRefusal(contents)) throw new Error(contents.message);
    const told = (material: unknown): string => {
      const bundle = JSON.parse(new TextDecoder().decode(contents.signature)) as Open;
      bundle.verificationMaterial = material as Open['verificationMaterial'];
      const changed = { ...contents, signature: utf8.encode(JSON.stringify(bundle)) };
      const answer = verifyContents(changed, signer.trust, now);
      return isRefusal(answer) ? answer.reason : 'verified';
    };
    expect(told(signer.material)).toBe('verified');
    for (const [place, { rawBytes }] of chain.certificates.entries()) {
      const der = Buffer.from(rawBytes, 'base64');
      for (let at = 0; at < der.length; at += 1) {
        const turned = Buffer.from(der);
        turned[at]! ^= 1 << (at % 8);
        const certificates = chain.certificates.with(place, { rawBytes: turned.toString('base64') });
        expect(told({ x509CertificateChain: { certificates } }), `${place}:${at}`).not.toBe('verified');
      }
      const cut = chain.certificates.with(place, { rawBytes: der.subarray(0, -7).toString('base64') });
      expect(told({ x509CertificateChain: { certificates: cut } })).toBe('malformed_bundle');
    }
  });

  test('whatever is done to a bundle, it never vouches for a file that was not signed, and nothing crashes', async () => {
    const signer = signerOf('P-256', 'key as PEM');
    const given = signedBy(entries, signer, layouts['model_signing 1.1']!, { mediaType: v03 });
    const contents = await readFolder(
      new MemoryFolder(
        given.map((entry) => (entry.name === 'SKILL.md' ? { ...entry, bytes: utf8.encode('other') } : entry)),
      ),
    );
    if (isRefusal(contents)) throw new Error(contents.message);
    const whole = contents.signature ?? new Uint8Array();
    const edit = fc.record({ at: fc.nat(whole.length), drop: fc.nat(12), put: fc.string({ maxLength: 12 }) });
    fc.assert(
      fc.property(fc.array(edit, { minLength: 1, maxLength: 4 }), (edits) => {
        let bytes = Buffer.from(whole);
        for (const { at, drop, put } of edits)
          bytes = Buffer.concat([bytes.subarray(0, at), Buffer.from(put), bytes.subarray(at + drop)]);
        expect(
          verifyContents({ ...contents, signature: new Uint8Array(bytes) }, signer.trust, now).kind,
        ).toBe('refused');
      }),
      { numRuns: 1000 },
    );
  });

  test('the key that a bundle brings along is trusted as little as one that it names', async () => {
    const [mine, theirs] = [signerOf('P-256', 'key as PEM'), signerOf('P-256', 'key as PEM')];
    const given = signedBy(entries, theirs, layouts['model_signing 1.0']!, { mediaType: v03 });
    expect(await outcome(given, mine.trust)).toBe('unknown_signer');
    const swapped = opened((bundle) => void (bundle.verificationMaterial = mine.material));
    expect(await outcome(swapped(given), mine.trust)).toBe('bad_signature');
    const hinted = opened((bundle) => {
      const key = theirs.material['publicKey'] as JsonObject;
      bundle.verificationMaterial = { publicKey: { ...key, hint: mine.trust.keys[0]!.key.hint } };
    });
    expect(await outcome(hinted(given), mine.trust)).toBe('bad_signature');
  });
});
