/** Handles, keys and secrets are in no log, no record and no answer; and a handle is worth nothing elsewhere. */
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { connectOld } from '../e2e/clients.js';
import {
  type Gateway,
  type Key,
  fakeServer,
  pawlArguments,
  startGateway,
  temporaryFolder,
} from '../e2e/gateway.js';
import { type Endpoint, call, refusalOf, toolNames } from '../e2e/post.js';

const slowEnough = { timeout: 60_000 };

function policy(exposure: string, ttl = '12h'): object {
  const rule = { allow: [{ tools: ['fake/echo', 'fake/hang', 'fake/die', 'fake/env'] }] };
  return {
    pawl: 1,
    exposure,
    sessions: { ttl },
    servers: { fake: { command: process.execPath, args: [fakeServer], env: { TOKEN: 'token-of-fake' } } },
    agents: { worker: rule, other: rule },
  };
}

interface Session {
  readonly gateway: Gateway;
  readonly keys: readonly Key[];
  /** Tool names as both agents saw them. */
  readonly names: readonly string[];
  /** Everything that was answered. */
  readonly answers: string;
}

/** Permitted and refused calls over both transports, a server that dies, and the end; the store is left behind. */
async function session(exposure: string): Promise<Session> {
  const gateway = await startGateway({ folder: temporaryFolder(), policy: policy(exposure) });
  const keys = [await gateway.issueKey('worker'), await gateway.issueKey('other')];
  const [worker, other] = keys.map(({ authorization }) => ({ url: gateway.url, authorization }));
  const [own, foreign] = [await toolNames(worker!), await toolNames(other!)];
  const answers: unknown[] = [];
  for (const [to, name, args] of [
    [worker, own[0], {}],
    [worker, own[0], { surplus: 1 }],
    [worker, foreign[0], {}],
    [worker, `/object/${own[0]}`, {}],
    [other, own[0], {}],
    [other, foreign[3], {}],
    [worker, own[3], {}],
  ] as const)
    answers.push(await call(to!, name ?? '', args));
  const shim = await connectOld({ program: pawlArguments('connect', '--key', keys[0]!.path) });
  answers.push(await shim.callTool({ name: foreign[0] ?? '', arguments: {} }));
  await shim.close();
  await gateway.ask('keys', 'revoke', keys[1]!.id);
  answers.push((await gateway.ask('keys', 'list')).out, (await gateway.ask('status')).out);
  await gateway.stop();
  return { gateway, keys, names: [...own, ...foreign], answers: JSON.stringify(answers) };
}

/** Everything that is written down: what the daemon says, its database, and the audit as it is shown. */
async function writtenIn({ gateway }: Session): Promise<Readonly<Record<string, string>>> {
  const { out, err } = gateway.process;
  const files = readdirSync(gateway.store).filter((name) => name.startsWith('pawl.'));
  const texts = files.map((name) => readFileSync(join(gateway.store, name), 'latin1'));
  const shown = await gateway.ask('audit', 'show', '--limit', '1000');
  const records = await gateway.ask('audit', 'show', '--limit', '1000', '--json');
  return { out, err, shown: shown.out, records: records.out, database: texts.join('\n') };
}

const standing = /(?<![0-9A-Za-z+/=_])[a-z2-7]{26}(?![0-9A-Za-z+/=_])/gu;

/** Ids of 26 characters that are no handles: of capabilities and of the store. */
function idsIn(records: string): ReadonlySet<string> {
  const store = /"id":"(?<id>[a-z2-7]{26})","publicKey"/u.exec(records)?.groups?.['id'] ?? '';
  return new Set([store, ...[...records.matchAll(/"cap":"([a-z2-7]{26})"/gu)].map(([, id]) => id ?? '')]);
}

describe('what is written down', slowEnough, () => {
  test.each(['readable', 'opaque'])(
    '[S001.handle-not-logged] holds no handle (exposure: %s)',
    async (exposure) => {
      const made = await session(exposure);
      const written = await writtenIn(made);
      const ids = idsIn(written['records'] ?? '');
      expect(ids.size).toBeGreaterThan(1);
      const handles = made.names.filter((name) => /^[a-z2-7]{26}$/u.test(name));
      expect(handles).toHaveLength(exposure === 'opaque' ? 8 : 0);
      for (const [where, text] of Object.entries(written)) {
        expect(text.match(/\/object\/[a-z2-7]{26}/gu), where).toBeNull();
        const strangers = [...text.matchAll(standing)]
          .map(([token]) => token)
          .filter((token) => !ids.has(token));
        expect(strangers, where).toEqual([]);
        expect(
          handles.filter((handle) => text.includes(handle)),
          where,
        ).toEqual([]);
      }
      expect(handles.filter((handle) => made.answers.includes(handle))).toEqual([]);
      expect(made.answers).not.toMatch(/\/object\/[a-z2-7]{26}/u);
      expect(written['records']).toContain(`"reason":"${exposure === 'opaque' ? 'foreign' : 'unknown'}"`);
    },
  );

  test('holds no secret of a key, and neither key of the store nor a secret of a server', async () => {
    const made = await session('readable');
    const { gateway, keys } = made;
    const written = await writtenIn(made);
    const folder = join(gateway.store, 'keys');
    const digestKey = readFileSync(join(folder, 'digest.key'));
    const pem = readFileSync(join(folder, 'head.pem'), 'utf8').split('\n');
    const seed = Buffer.from(pem[1] ?? '', 'base64').subarray(-32);
    const raw = [digestKey, seed].flatMap((key) => [
      key.toString('latin1'),
      key.toString('hex'),
      key.toString('base64').replaceAll('=', ''),
      key.toString('base64url'),
    ]);
    const secrets = [...keys.map(({ id, secret }) => secret.slice(`pk_${id}_`.length)), ...raw, pem[1] ?? ''];
    expect(secrets.filter((secret) => secret.length < 16)).toEqual([]);
    for (const [where, text] of Object.entries({ ...written, answers: made.answers })) {
      const found = secrets.filter((secret) => text.includes(secret));
      expect(found, where).toEqual([]);
    }
    expect(written['err'] + written['shown']!).not.toContain('token-of-fake');
    expect(existsSync(keys[0]!.path)).toBe(true);
  });
});

describe('a handle', slowEnough, () => {
  test('[S001.unknown-handle] of another session, an unknown, an expired and a malformed one get one code and one text', async () => {
    const folder = temporaryFolder();
    const gateway = await startGateway({ folder, policy: policy('opaque', '2s') });
    const key = await gateway.issueKey('worker');
    const worker: Endpoint = { url: gateway.url, authorization: key.authorization };
    const other: Endpoint = { ...worker, authorization: (await gateway.issueKey('other')).authorization };
    const shim = await connectOld({ program: pawlArguments('connect', '--key', key.path) });
    const [old = ''] = await toolNames(worker);
    expect(refusalOf(await call(worker, old, {}))).toBeUndefined();
    await vi.waitFor(async () => expect(await toolNames(worker)).not.toContain(old), { timeout: 20_000 });
    const [own = ''] = await toolNames(worker);
    const [foreign = ''] = await toolNames(other);
    const unknown = `${own.slice(1)}${own.startsWith('a') ? 'b' : 'a'}`;
    const names = [
      old,
      foreign,
      unknown,
      own.toUpperCase(),
      `/object/${own}`,
      'fake__echo',
      '',
      own.slice(1),
    ];
    const answers = await Promise.all(names.map((name) => call(worker, name, {})));
    // The connection outlives its session: it has a new one, to which the old handle is foreign.
    answers.push(await shim.callTool({ name: old, arguments: {} }));
    await shim.close();
    expect(new Set(answers.map(refusalOf))).toEqual(new Set(['no_such_cap']));
    expect(new Set(answers.map(({ content }) => JSON.stringify(content))).size).toBe(1);
    await gateway.stop();
    const { out } = await gateway.ask('audit', 'show', '--limit', '1000', '--json');
    const reasons = [...out.matchAll(/"reason":"([a-z]+)"/gu)].map(([, reason]) => reason);
    expect(new Set(reasons)).toEqual(new Set(['unknown', 'foreign']));
  });
});
