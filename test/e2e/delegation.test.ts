/** Delegation over MCP: a client that runs a subagent opens a child session for it and speaks in it, in both eras, over both ways in. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  type Gateway,
  type Key,
  cleanEnvironment,
  pawlArguments,
  recorded,
  recordedCalls,
  serverProgram,
  startGateway,
  temporaryFolder,
} from './gateway.js';

const noSuchTool = 'no such tool in this session; list the tools again';
let folder: string;
let gateway: Gateway;
const log = (): string => join(folder, 'files.calls');
const data = (...parts: readonly string[]): string => join(folder, 'data', ...parts);

function policy(): object {
  const reads = { tools: ['files/read_text_file'], where: { path: data('**') } };
  return {
    pawl: 1,
    servers: {
      files: {
        command: process.execPath,
        args: recorded(log(), serverProgram('filesystem'), data()),
        connector: 'filesystem',
        root: data(),
      },
    },
    agents: {
      planner: {
        allow: [
          reads,
          { tools: ['files/write_file'], where: { path: data('**') } },
          { tools: ['files/create_directory'], ask: 'once' },
          { tools: ['pawl/delegate'] },
        ],
        deny: [{ tools: ['files/write_file'], where: { path: data('prod.tf') } }],
        delegate: { depth: 2 },
      },
      editor: { allow: [{ ...reads, tools: ['files/*'] }], deny: [{ where: { path: data('private/**') } }] },
      reader: { allow: [reads] },
    },
  };
}

beforeAll(async () => {
  let remove = (): void => undefined;
  folder = temporaryFolder((done) => (remove = done));
  afterAll(() => remove());
  mkdirSync(data('private'), { recursive: true });
  for (const name of ['a.md', 'b.md', 'private/notes.md']) writeFileSync(data(name), name);
  gateway = await startGateway({ folder, policy: policy() });
}, 60_000);
afterAll(() => gateway.stop());

type Way = 'http' | 'stdio';
type Mode = 'auto' | 'legacy';

async function connect(key: Key, way: Way, mode: Mode): Promise<Client> {
  const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode } });
  await client.connect(
    way === 'http'
      ? new StreamableHTTPClientTransport(new URL(gateway.url), {
          requestInit: { headers: { authorization: key.authorization } },
        })
      : new StdioClientTransport({
          command: process.execPath,
          args: pawlArguments('connect', '--key', key.path),
          env: cleanEnvironment(),
          stderr: 'ignore',
        }),
  );
  return client;
}

interface Answer {
  readonly text: string;
  readonly code: string | undefined;
  readonly told: Readonly<Record<string, unknown>> | undefined;
}

async function call(client: Client, name: string, args: object, session?: string): Promise<Answer> {
  const meta = session === undefined ? {} : { _meta: { 'pawl/session': session } };
  const result = await client.callTool({ name, arguments: { ...args }, ...meta });
  const [first] = result.content as readonly { readonly text?: string }[];
  const refusal = result._meta?.['pawl/refusal'] as { readonly code?: string } | undefined;
  return {
    text: first?.text ?? '',
    code: refusal?.code,
    told: result.structuredContent as Answer['told'],
  };
}

async function names(client: Client, session?: string): Promise<readonly string[]> {
  const params = session === undefined ? {} : { _meta: { 'pawl/session': session } };
  // One client speaks for several sessions here, and the SDK's keeps one list.
  const listed = await client.listTools(params, { cacheMode: 'bypass' });
  return listed.tools.map(({ name }) => name);
}

async function child(client: Client, args: object, session?: string): Promise<string> {
  const { told, text } = await call(client, 'pawl__delegate', args, session);
  if (typeof told?.['session'] !== 'string') throw new Error(text);
  return told['session'];
}

const read = 'files__read_text_file';
const ways: readonly (readonly [Way, Mode])[] = [
  ['http', 'auto'],
  ['http', 'legacy'],
  ['stdio', 'auto'],
  ['stdio', 'legacy'],
];

describe('[P.delegate.child-session] a client that delegates', () => {
  test.each(ways)(
    'speaks in the child’s own narrower session, %s %s',
    async (way, mode) => {
      const client = await connect(await gateway.issueKey('planner'), way, mode);
      expect(await names(client)).toEqual([
        read,
        'files__write_file',
        'files__create_directory',
        'pawl__delegate',
      ]);
      const made = await child(client, {
        allow: [{ tools: ['files/read_text_file'], where: { path: data('a.md') } }],
      });
      expect(await names(client, made)).toEqual([read]);
      expect(await call(client, read, { path: data('a.md') }, made)).toMatchObject({
        text: 'a.md',
        code: undefined,
      });
      expect((await call(client, read, { path: data('b.md') }, made)).code).toBe('not_permitted');
      expect((await call(client, read, { path: data('b.md') })).text).toBe('b.md');
      expect((await call(client, 'files__write_file', { path: data('x'), content: '' }, made)).code).toBe(
        'no_such_cap',
      );
      expect((await call(client, 'pawl__delegate', { allow: [{ tools: ['files/*'] }] }, made)).code).toBe(
        'no_such_cap',
      );
      await client.close();
    },
    60_000,
  );

  test.each(ways)(
    'gets one answer for every name that leads nowhere, %s %s',
    async (way, mode) => {
      const [own, other] = [await gateway.issueKey('planner'), await gateway.issueKey('planner')];
      const [client, stranger] = [await connect(own, way, mode), await connect(other, way, mode)];
      const made = await child(client, { allow: [{ tools: ['files/read_text_file'] }], ttl: '1h' });
      const before = recordedCalls(log()).length;
      for (const name of [made, `${made}a`, '', 'sub_']) {
        expect(await names(stranger, name)).toEqual([]);
        expect(await call(stranger, read, { path: data('a.md') }, name)).toMatchObject({
          text: noSuchTool,
          code: 'no_such_cap',
        });
      }
      const odd = { name: read, arguments: { path: data('a.md') }, _meta: { 'Pawl/Session': made } };
      expect((await client.callTool(odd)).isError).toBe(true);
      expect(recordedCalls(log())).toHaveLength(before);
      await Promise.all([client.close(), stranger.close()]);
    },
    60_000,
  );

  test('delegates further as deep as it was let, and its revocation ends all of it', async () => {
    const key = await gateway.issueKey('planner');
    const client = await connect(key, 'http', 'auto');
    const both = { allow: [{ tools: ['files/read_text_file', 'pawl/delegate'] }], depth: 1 };
    const first = await child(client, both);
    expect(await names(client, first)).toEqual([read, 'pawl__delegate']);
    const second = await child(client, { ...both, depth: 5 }, first);
    expect(await names(client, second)).toEqual([read]);
    const status = await gateway.ask('status', '--json');
    expect((JSON.parse(status.out) as { childSessions?: number }).childSessions).toBeGreaterThanOrEqual(2);
    await gateway.ask('keys', 'revoke', key.id);
    const answer = await client
      .callTool({ name: read, arguments: { path: data('a.md') }, _meta: { 'pawl/session': second } })
      .then(
        ({ isError }) => isError,
        () => true,
      );
    expect(answer).toBe(true);
    await client.close().catch(() => undefined);
  }, 60_000);

  test('is told what was not granted, and what is wrong with what it asked', async () => {
    const client = await connect(await gateway.issueKey('planner'), 'http', 'auto');
    const { told } = await call(client, 'pawl__delegate', {
      allow: [{ tools: ['files/read_text_file', 'files/move_file'] }],
    });
    expect(told?.['notGranted']).toEqual([
      { tool: 'files/read_text_file', left: 'part' },
      { tool: 'files/move_file', left: 'nothing' },
    ]);
    const wrong: readonly (readonly [object, string])[] = [
      [{ allow: [] }, 'malformed_arguments'],
      [{ allow: [{ tools: ['files/*'], deny: [] }] }, 'malformed_arguments'],
      [{ allow: [{ tools: ['files/*'], where: { path: 'a**b' } }] }, 'malformed_arguments'],
      [{ allow: [{ tools: ['files/*'] }], ttl: 'soon' }, 'malformed_arguments'],
      [{ allow: [{ tools: ['files/*'] }], to: 'x' }, 'malformed_arguments'],
      [{ allow: [{ tools: ['files/*'] }], as: 'nobody' }, 'no_agent'],
      [{ allow: [{ tools: ['files/move_file'] }] }, 'not_permitted'],
    ];
    for (const [args, code] of wrong)
      expect((await call(client, 'pawl__delegate', args)).code, JSON.stringify(args)).toBe(code);
    await client.close();
  }, 60_000);
});

describe('[P.delegate.recorded] the audit of a delegation', () => {
  test('shows whose child a call was, and nobody can read a name from it', async () => {
    const client = await connect(await gateway.issueKey('planner'), 'http', 'auto');
    const made = await child(client, {
      allow: [{ tools: ['files/read_text_file'], where: { path: data('a.md') } }],
    });
    const params = { name: read, arguments: { path: data('b.md') }, _meta: { 'pawl/session': made } };
    const refusal = (await client.callTool(params))._meta?.['pawl/refusal'] as { readonly id: string };
    const told = await gateway.ask('explain', refusal.id);
    expect(told.out).toMatch(/delegated +by session s_/u);
    const shown = await gateway.ask('audit', 'show', '--json');
    expect(shown.out).toContain('"event":"delegated"');
    expect(shown.out).not.toContain(made);
    expect((await gateway.ask('audit', 'verify')).code).toBe(0);
    await client.close();
  }, 60_000);
});

describe('[P.delegate.meet] reports of others’ subagents', () => {
  test('R129: a child of a parent that asks never goes without asking', async () => {
    const client = await connect(await gateway.issueKey('planner'), 'http', 'auto');
    const made = await child(client, { allow: [{ tools: ['files/*'] }] });
    const make = { path: data('new') };
    expect((await call(client, 'files__create_directory', make, made)).code).toBe('consent_required');
    const move = { source: data('a.md'), destination: data('c') };
    expect((await call(client, 'files__move_file', move, made)).code).toBe('no_such_cap');
    await client.close();
  });

  test('R130: denials written for the child itself hold beside those of the parent', async () => {
    const client = await connect(await gateway.issueKey('planner'), 'http', 'auto');
    const made = await child(client, { allow: [{ tools: ['files/read_text_file'] }], as: 'editor' });
    expect((await call(client, read, { path: data('private/notes.md') }, made)).code).toBe('denied');
    expect((await call(client, read, { path: data('a.md') }, made)).text).toBe('a.md');
    expect((await call(client, read, { path: data('private/notes.md') })).text).toBe('private/notes.md');
    await client.close();
  });

  test('R131: denials of the caller by path reach the child whole', async () => {
    const client = await connect(await gateway.issueKey('planner'), 'http', 'auto');
    const made = await child(client, { allow: [{ tools: ['files/write_file'] }], as: 'editor' });
    const write = (name: string): Promise<Answer> =>
      call(client, 'files__write_file', { path: data(name), content: 'x' }, made);
    expect((await write('prod.tf')).code).toBe('denied');
    expect((await write('dev.tf')).code).toBeUndefined();
    await client.close();
  });

  test('R133: an agent without the right has no way to ask another for what it may not do', async () => {
    const client = await connect(await gateway.issueKey('reader'), 'http', 'auto');
    expect(await names(client)).toEqual([read]);
    const asked = { allow: [{ tools: ['files/write_file'] }], as: 'editor' };
    expect(await call(client, 'pawl__delegate', asked)).toMatchObject({
      text: noSuchTool,
      code: 'no_such_cap',
    });
    await client.close();
  });
});
