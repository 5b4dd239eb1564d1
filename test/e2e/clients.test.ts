/** Real clients, real servers, one daemon between them. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyClient, type CallResult, type Target, clients, connectOld } from './clients.js';
import {
  type Gateway,
  pawlArguments,
  recorded,
  recordedCalls,
  serverProgram,
  startGateway,
  temporaryFolder,
} from './gateway.js';

type Call = readonly [name: string, args: Record<string, unknown>];

const servers = ['files', 'memory', 'every'] as const;
type ServerWord = (typeof servers)[number];

const graph = [
  { type: 'entity', name: 'Ann', entityType: 'person', observations: ['likes tea'] },
  { type: 'entity', name: 'Bo', entityType: 'person', observations: [] },
  { type: 'relation', from: 'Ann', to: 'Bo', relationType: 'knows' },
];

/** What each server is started with, by Pawl and by the test itself. */
function program(server: ServerWord, folder: string): readonly string[] {
  if (server === 'files') return [serverProgram('filesystem'), join(folder, 'data')];
  return [serverProgram(server === 'memory' ? 'memory' : 'everything')];
}

function policy(folder: string): object {
  const entry = (server: ServerWord): object => ({
    command: process.execPath,
    args: recorded(join(folder, `${server}.calls`), ...program(server, folder)),
  });
  return {
    pawl: 1,
    servers: {
      files: { ...entry('files'), connector: 'filesystem', root: join(folder, 'data') },
      memory: { ...entry('memory'), env: { MEMORY_FILE_PATH: join(folder, 'gate.jsonl') } },
      every: entry('every'),
    },
    agents: {
      worker: {
        allow: [
          {
            tools: ['files/read_text_file', 'files/list_directory'],
            where: { path: join(folder, 'data/**') },
          },
          { tools: ['files/write_file'], where: { path: join(folder, 'data/out/**') } },
          { tools: ['memory/read_graph', 'memory/search_nodes'] },
          { tools: ['memory/create_entities'] },
          { tools: ['every/get-sum', 'every/get-structured-content', 'every/get-tiny-image'] },
          { tools: ['every/get-annotated-message'] },
          { tools: ['every/echo'], where: { 'args.message': { except: { prefix: 'forbidden' } } } },
        ],
        deny: [{ where: { path: '**/.env' } }],
      },
    },
  };
}

/** Servers in the order of the document, tools in the server's own. */
const reachable = [
  'files__read_text_file',
  'files__write_file',
  'files__list_directory',
  'memory__create_entities',
  'memory__read_graph',
  'memory__search_nodes',
  'every__echo',
  'every__get-annotated-message',
  'every__get-structured-content',
  'every__get-sum',
  'every__get-tiny-image',
];

function permittedCalls(folder: string): readonly Call[] {
  const data = join(folder, 'data');
  return [
    ['files__read_text_file', { path: join(data, 'grüße.txt') }],
    ['files__read_text_file', { path: join(data, 'lines.txt'), head: 2 }],
    ['files__read_text_file', { path: join(data, 'absent.txt') }],
    ['files__list_directory', { path: data }],
    ['files__write_file', { path: join(data, 'out/note.md'), content: '# Note\n“quoted” \\ \u0007' }],
    ['memory__read_graph', {}],
    ['memory__search_nodes', { query: 'tea' }],
    ['every__echo', { message: 'grüße, 東京 \u{1f600}' }],
    ['every__get-sum', { a: 0.1, b: 0.2 }],
    ['every__get-structured-content', { location: 'Chicago' }],
    ['every__get-tiny-image', {}],
    ['every__get-annotated-message', { messageType: 'error', includeImage: true }],
  ];
}

function refusedCalls(folder: string): readonly (readonly [code: string, call: Call])[] {
  const data = join(folder, 'data');
  const write = { content: 'refused' };
  return [
    ['not_permitted', ['files__write_file', { path: join(data, 'refused.txt'), ...write }]],
    ['not_permitted', ['files__write_file', { path: join(data, 'out/../refused.txt'), ...write }]],
    ['not_permitted', ['files__read_text_file', { path: '/etc/hostname' }]],
    ['denied', ['files__read_text_file', { path: join(data, '.env') }]],
    ['denied', ['files__read_text_file', { path: join(data, 'sub/.ENV') }]],
    ['no_such_cap', ['files__directory_tree', { path: data }]],
    ['malformed_arguments', ['files__read_text_file', { path: 7 }]],
    ['malformed_arguments', ['files__read_text_file', { path: join(data, 'lines.txt'), refused: 1 }]],
    ['not_permitted', ['every__echo', { message: 'forbidden, refused' }]],
    ['malformed_arguments', ['every__get-sum', { a: 'refused', b: 2 }]],
    ['malformed_arguments', ['every__get-structured-content', { location: 'refused' }]],
    ['no_such_cap', ['files__move_file', { source: data, destination: join(data, 'refused') }]],
    ['no_such_cap', ['memory__delete_entities', { entityNames: ['refused'] }]],
    ['no_such_cap', ['every__get-env', {}]],
    ['no_such_cap', ['Every__echo', { message: 'refused' }]],
    ['no_such_cap', ['echo', { message: 'refused' }]],
    ['no_such_cap', ['every/echo', { message: 'refused' }]],
  ];
}

let folder = '';
let gateway: Gateway;
const direct = new Map<string, AnyClient>();
const targets = new Map<string, Target>();

beforeAll(async () => {
  folder = temporaryFolder(afterAll);
  mkdirSync(join(folder, 'data/out'), { recursive: true });
  mkdirSync(join(folder, 'data/sub'));
  writeFileSync(join(folder, 'data/grüße.txt'), 'Grüße aus der Datei \u{1f600}\n');
  writeFileSync(join(folder, 'data/lines.txt'), 'one\ntwo\nthree\n');
  writeFileSync(join(folder, 'data/.env'), 'TOKEN=1');
  writeFileSync(join(folder, 'gate.jsonl'), graph.map((line) => JSON.stringify(line)).join('\n'));
  gateway = await startGateway({ folder, policy: policy(folder) });
  const key = await gateway.issueKey('worker');
  targets.set('stdio', { program: pawlArguments('connect', '--key', key.path) });
  targets.set('HTTP', { url: gateway.url, authorization: key.authorization });
  const alone = servers.map(async (server) => {
    const copy = join(folder, 'direct.jsonl');
    writeFileSync(copy, readFileSync(join(folder, 'gate.jsonl')));
    const own = { program: program(server, folder), env: { MEMORY_FILE_PATH: copy } };
    direct.set(server, await connectOld(own));
  });
  await Promise.all(alone);
});

afterAll(async () => {
  await Promise.all([...direct.values()].map((client) => client.close()));
  expect(await gateway.stop('SIGINT')).toMatchObject({ code: 0 });
});

function calledServer(name: string): ServerWord {
  return servers.find((server) => name.startsWith(`${server}__`)) ?? 'files';
}

/** The same call made to the server itself. */
async function fromServer([name, args]: Call): Promise<CallResult> {
  const server = calledServer(name);
  return direct.get(server)!.callTool({ name: name.slice(server.length + 2), arguments: args });
}

function withoutMeta({ content, structuredContent, isError }: CallResult): CallResult {
  return { content, structuredContent, isError: isError ?? false };
}

function reached(): readonly string[] {
  return servers.flatMap((server) =>
    recordedCalls(join(folder, `${server}.calls`)).map((call) => JSON.stringify(call)),
  );
}

describe.each(['stdio', 'HTTP'])('over %s', (transport) => {
  describe.each(Object.keys(clients))('%s', (kind) => {
    let client: AnyClient;
    beforeAll(async () => {
      client = await clients[kind]!(targets.get(transport)!);
    });
    afterAll(() => client.close());

    test('[P.wire.both-eras] [P.names.list-equals-call] [P.names.readable] lists the reachable tools and no other, by readable names', async () => {
      const { tools } = await client.listTools();
      expect(tools.map(({ name }) => name)).toEqual(reachable);
      expect(Object.keys(client.getServerCapabilities() ?? {})).toEqual(['tools']);
    });

    test('[P.wire.answers-unchanged] gives the answers of the servers themselves', async () => {
      await client.listTools();
      for (const call of permittedCalls(folder)) {
        const [name, args] = call;
        const [answer, own] = [await client.callTool({ name, arguments: args }), await fromServer(call)];
        expect(withoutMeta(answer), name).toEqual(withoutMeta(own));
        expect(answer._meta?.['pawl/refusal'], name).toBeUndefined();
      }
    });

    test('[P.level.default-deny] [S002.refused-at-dispatch] refuses with its code, and no refused call reaches a server', async () => {
      const before = reached();
      for (const [code, [name, args]] of refusedCalls(folder)) {
        const answer = await client.callTool({ name, arguments: args });
        expect(answer, name).toMatchObject({ isError: true, _meta: { 'pawl/refusal': { code } } });
      }
      expect(reached()).toEqual(before);
    });
  });
});

test('what reached the servers is what was permitted, once for each client', () => {
  const matrix = Object.keys(clients).length * targets.size;
  const expected = permittedCalls(folder).map(([name, args]) =>
    JSON.stringify({ name: name.slice(calledServer(name).length + 2), arguments: args }),
  );
  const counts = new Map<string, number>();
  for (const call of reached()) counts.set(call, (counts.get(call) ?? 0) + 1);
  expect(Object.fromEntries(counts)).toEqual(Object.fromEntries(expected.map((call) => [call, matrix])));
});
