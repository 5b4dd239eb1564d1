/** Prompts and resources of loaded skills over MCP: both eras, stdio and HTTP, and the Skills extension with its own client. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { SkillsClient } from '@modelcontextprotocol/client/ext/skills';
import { type JsonObject, isJsonObject, own, sha256 } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { prove } from '../../packages/gateway/src/cli/prove.js';
import { type Here, started } from '../e2e/daemon.js';
import { Started, pawlArguments, pawlHere, temporaryFolder } from '../e2e/gateway.js';
import { type Endpoint, envelope, post, postText } from '../e2e/post.js';
import { wireTo } from '../mcp/wire.js';

const server = fileURLToPath(new URL('./small-server.mjs', import.meta.url));
const text =
  '---\r\nname: notes\r\ndescription: Writes notes.\r\nlicense: MIT\r\nextra: [1, a]\r\n---\r\n\r\n# Notes\r\n\r\nSee [how](reference/how to.md).\r\n';
const binary = Buffer.from([0, 1, 254, 255, 10, 13]);

interface Shelf {
  readonly here: Here;
  readonly agent: Endpoint;
  readonly other: Endpoint;
  readonly skill: string;
  readonly policy: (notes: boolean) => object;
  readonly keyFile: (agent: string) => Promise<string>;
}

/** A daemon with one skill, loaded for `a` and not for `b`. */
async function shelf(load = true): Promise<Shelf> {
  const folder = temporaryFolder();
  const skill = join(folder, 'notes');
  mkdirSync(join(skill, 'reference'), { recursive: true });
  mkdirSync(join(skill, 'assets/deep'), { recursive: true });
  writeFileSync(join(skill, 'SKILL.md'), text);
  writeFileSync(join(skill, 'reference/how to.md'), '\uFEFFHow.\n');
  writeFileSync(join(skill, 'assets/deep/pixel.bin'), binary);
  const key = join(folder, 'signing.pem');
  const issued = await pawlHere('keys', 'issue', '--signing', '--out', key, '--json');
  const { trust } = JSON.parse(issued.out) as { trust: { keys: object } };
  writeFileSync(join(folder, 'trust.json'), JSON.stringify(trust));
  expect(await pawlHere('skill', 'sign', skill, '--key', key)).toMatchObject({ code: 0 });
  const agent = { allow: [{ tools: ['files/write_file'] }] };
  const policy = (notes: boolean): object => ({
    pawl: 1,
    servers: {
      files: {
        command: process.execPath,
        args: [server],
        connector: 'filesystem',
        root: folder,
      },
    },
    agents: { a: agent, b: agent },
    skills: { trust: notes ? 'trust.json' : 'nobody.json' },
  });
  writeFileSync(join(folder, 'nobody.json'), '{"keys":{}}');
  const here = await started({ folder, policy: policy(true), says: prove });
  const made = { here, skill, policy, agent: await here.issueKey('a'), other: await here.issueKey('b') };
  if (load) expect(await here.ask('skill', 'load', skill, '--agent', 'a')).toMatchObject({ code: 0 });
  const keyFile = async (name: string): Promise<string> => {
    const out = join(folder, `${name}.stdio.key`);
    expect(await here.ask('keys', 'issue', '--agent', name, '--out', out)).toMatchObject({ code: 0 });
    return out;
  };
  return { ...made, keyFile };
}

type Ask = (method: string, params: JsonObject) => Promise<JsonObject>;

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 't', version: '1' },
};

const doors: readonly (readonly [
  string,
  (at: Shelf) => Promise<{ ask: Ask; initialized?: JsonObject; end: () => Promise<unknown> }>,
])[] = [
  [
    'HTTP, 2026-07-28',
    async ({ agent }) => ({
      ask: async (method, params) => {
        const body = JSON.stringify({
          jsonrpc: '2.0',
          id: 7,
          method,
          params: { ...params, _meta: envelope },
        });
        const name =
          method === 'resources/read' ? params['uri'] : method === 'prompts/get' ? params['name'] : undefined;
        return (await (
          await postText(agent, method, body, typeof name === 'string' ? name : undefined)
        ).json()) as JsonObject;
      },
      end: async () => undefined,
    }),
  ],
  [
    'HTTP, 2025-11-25',
    async ({ agent }) => {
      let session: Record<string, string> = {};
      const say = (method: string, params: JsonObject): Promise<Response> =>
        fetch(agent.url, {
          method: 'POST',
          headers: { authorization: agent.authorization, 'content-type': 'application/json', ...session },
          body: JSON.stringify({ jsonrpc: '2.0', id: 7, method, params }),
        });
      const opened = await say('initialize', initialize);
      session = { 'mcp-session-id': opened.headers.get('mcp-session-id') ?? '' };
      const initialized = (await opened.json()) as JsonObject;
      return {
        ask: async (...asked) => (await (await say(...asked)).json()) as JsonObject,
        initialized,
        end: async () => undefined,
      };
    },
  ],
  ['stdio, 2026-07-28', (at) => overLines(at, true)],
  ['stdio, 2025-11-25', (at) => overLines(at, false)],
];

async function overLines(
  at: Shelf,
  modern: boolean,
): Promise<{ ask: Ask; initialized?: JsonObject; end: () => Promise<unknown> }> {
  const shim = new Started(pawlArguments('connect', '--key', await at.keyFile('a')));
  const wire = wireTo(shim.child.stdin!, shim.child.stdout!);
  const ask: Ask = (method, params) => wire.request(method, modern ? { ...params, _meta: envelope } : params);
  const initialized = modern ? undefined : await ask('initialize', initialize);
  if (!modern) wire.send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const end = async (): Promise<unknown> => {
    wire.end();
    return shim.ended;
  };
  return { ask, ...(initialized && { initialized }), end };
}

function resultOf(answer: JsonObject): JsonObject {
  const result = own(answer, 'result');
  if (!isJsonObject(result)) throw new Error(JSON.stringify(answer));
  return result;
}

const digest = (bytes: string | Uint8Array): string => `sha256:${sha256(bytes)}`;

describe('[S003.served] [P.wire.both-eras] a loaded skill', { timeout: 60_000 }, () => {
  test.each(doors)('over %s', async (name, open) => {
    const at = await shelf();
    const { ask, initialized, end } = await open(at);
    const modern = name.endsWith('2026-07-28');
    if (initialized !== undefined)
      expect(resultOf(initialized)).toMatchObject({
        capabilities: {
          prompts: {},
          resources: {},
          extensions: { 'io.modelcontextprotocol/skills': { directoryRead: true } },
        },
      });

    const prompts = resultOf(await ask('prompts/list', {}));
    expect(prompts).toMatchObject({ prompts: [{ name: 'notes', description: 'Writes notes.' }] });
    expect(prompts['resultType']).toBe(modern ? 'complete' : undefined);
    expect(resultOf(await ask('prompts/get', { name: 'notes', arguments: {} }))).toMatchObject({
      messages: [
        {
          role: 'user',
          content: { type: 'text', text: '# Notes\r\n\r\nSee [how](reference/how to.md).\r\n' },
        },
      ],
    });
    expect(resultOf(await ask('resources/templates/list', {}))).toMatchObject({ resourceTemplates: [] });
    expect(resultOf(await ask('resources/list', {}))).toMatchObject({
      resources: [
        {
          uri: 'skill://notes/SKILL.md',
          name: 'notes',
          mimeType: 'text/markdown',
          size: text.length,
          _meta: { 'pawl/digest': digest(text) },
        },
        {
          uri: 'skill://notes/assets/deep/pixel.bin',
          name: 'pixel.bin',
          mimeType: 'application/octet-stream',
        },
        { uri: 'skill://notes/reference/how%20to.md', name: 'how to.md' },
      ],
    });
    expect(resultOf(await ask('resources/read', { uri: 'skill://notes/SKILL.md' }))).toMatchObject({
      contents: [{ uri: 'skill://notes/SKILL.md', mimeType: 'text/markdown', text }],
    });
    expect(
      resultOf(await ask('resources/read', { uri: 'skill://notes/reference/how%20to.md' })),
    ).toMatchObject({
      contents: [{ text: '\uFEFFHow.\n', _meta: { 'pawl/digest': digest('\uFEFFHow.\n') } }],
    });
    expect(
      resultOf(await ask('resources/read', { uri: 'skill://notes/assets/deep/pixel.bin' })),
    ).toMatchObject({
      contents: [{ blob: binary.toString('base64') }],
    });
    const entry = {
      uri: 'skill://notes/SKILL.md',
      frontmatter: { name: 'notes', description: 'Writes notes.', license: 'MIT', extra: [1, 'a'] },
      resources: [
        { uri: 'skill://notes/SKILL.md', digest: digest(text), size: text.length },
        { uri: 'skill://notes/assets/deep/pixel.bin', digest: digest(binary), size: binary.length },
        { uri: 'skill://notes/reference/how%20to.md', digest: digest('\uFEFFHow.\n'), size: 8 },
      ],
    };
    expect(resultOf(await ask('skills/list', {}))).toMatchObject({
      skills: [entry],
      ttlMs: 5000,
      cacheScope: 'private',
    });
    expect(resultOf(await ask('skills/get', { uri: entry.uri }))).toMatchObject({ skill: entry });
    expect(resultOf(await ask('resources/directory/read', { uri: 'skill://notes' }))).toMatchObject({
      resources: [
        { uri: 'skill://notes/SKILL.md' },
        { uri: 'skill://notes/assets', name: 'assets', mimeType: 'inode/directory' },
        { uri: 'skill://notes/reference', mimeType: 'inode/directory' },
      ],
    });
    await end();
  });

  test('[P.surface.default-deny] nothing else is there, by any spelling, and it is one answer', async () => {
    const { agent } = await shelf();
    const uris = [
      'skill://notes/SKILL.MD',
      'skill://notes/',
      'skill://notes',
      'skill://Notes/SKILL.md',
      'skill://notes/skill.oms.sig',
      'skill://notes/./SKILL.md',
      'skill://notes/reference/../SKILL.md',
      'skill://notes/reference/how to.md',
      'skill://notes/%53KILL.md',
      'skill://other/SKILL.md',
      'file:///etc/passwd',
      'skill://notes/SKILL.md#x',
      '',
    ];
    for (const uri of uris) {
      const answer = await read(agent, uri);
      expect(answer, uri).toMatchObject({
        error: { code: -32602, message: 'no resource is served at that address' },
      });
    }
    for (const uri of [
      'skill://notes/reference/',
      'skill://note',
      'skill://notes/ref',
      'skill:/',
      'skill://notes/SKILL.md',
    ])
      expect(await post(agent, 'resources/directory/read', { uri }), uri).toMatchObject({
        error: { code: -32602 },
      });
    expect(await post(agent, 'prompts/get', { name: 'Notes' })).toMatchObject({ error: { code: -32602 } });
    expect(await post(agent, 'prompts/get', { name: 'notes', arguments: { x: '1' } })).toMatchObject({
      error: { code: -32602 },
    });
    expect(await post(agent, 'skills/get', { uri: 'skill://notes' })).toMatchObject({
      error: { code: -32602 },
    });
    for (const cursor of ['x', '-1', '99', '1e3'])
      expect(await post(agent, 'resources/list', { cursor })).toMatchObject({ error: { code: -32602 } });
    for (const method of ['resources/subscribe', 'completion/complete', 'resources/unsubscribe'])
      expect(await post(agent, method, { uri: 'skill://notes/SKILL.md' })).toMatchObject({
        error: { code: -32601, data: { code: 'surface_closed' } },
      });
  });

  test('[P.surface.default-deny] whoever has none finds all of it closed', async () => {
    const { other, here } = await shelf();
    const discovered = await post(other, 'server/discover', {});
    expect(JSON.stringify(discovered)).not.toMatch(/prompts|resources|skills/u);
    for (const method of ['prompts/list', 'resources/list', 'skills/list', 'resources/templates/list'])
      expect(await post(other, method, {})).toMatchObject({
        error: { code: -32601, data: { code: 'surface_closed' } },
      });
    expect(await read(other, 'skill://notes/SKILL.md')).toMatchObject({ error: { code: -32601 } });
    await here.ask('freeze', 'a');
  });

  test('is read from memory: what happens to its folder changes nothing', async () => {
    const { agent, skill } = await shelf();
    writeFileSync(join(skill, 'SKILL.md'), 'something else');
    rmSync(join(skill, 'assets'), { recursive: true });
    expect(await read(agent, 'skill://notes/SKILL.md')).toMatchObject({ contents: [{ text }] });
    expect(await read(agent, 'skill://notes/assets/deep/pixel.bin')).toMatchObject({
      contents: [{ blob: binary.toString('base64') }],
    });
  });

  test('is gone in the step in which it is unloaded, its signer not trusted any more, or its agent frozen or revoked', async () => {
    const at = await shelf();
    const { here, agent, skill } = at;
    const is = async (open: boolean): Promise<void> => {
      for (const ask of [() => read(agent, 'skill://notes/SKILL.md'), () => post(agent, 'prompts/list', {})])
        expect('error' in (await ask())).toBe(!open);
    };
    await is(true);
    await here.ask('skill', 'unload', 'notes', '--agent', 'a');
    await is(false);
    await here.ask('skill', 'load', skill, '--agent', 'a');
    await is(true);
    await here.ask('freeze', 'a');
    await is(false);
    await here.ask('thaw', 'a', '--reissue');
    await is(true);
    here.write(at.policy(false));
    expect(await here.ask('reload')).toMatchObject({ code: 0 });
    await is(false);
  });

  test('every reading is recorded before it is answered, and what is refused too', async () => {
    const { agent, here } = await shelf();
    await read(agent, 'skill://notes/SKILL.md');
    await post(agent, 'prompts/get', { name: 'notes' });
    await read(agent, 'skill://notes/nothing');
    const records = (await here.daemon.store.records({ newest: true, limit: 50 })).map(
      (each) => (JSON.parse(each.text) as { record: JsonObject }).record,
    );
    const intents = records.filter(({ type }) => type === 'intent');
    expect(intents).toMatchObject([
      {
        executor: 'a',
        tool: 'skill-notes/@resource',
        rules: ['skills.notes'],
        target: [{ verb: 'read', uri: 'skill://notes/SKILL.md', digest: sha256(text) }],
      },
      { executor: 'a', tool: 'skill-notes/@prompt:notes', target: [{ verb: 'read', digest: sha256(text) }] },
    ]);
    const settled = records.filter(({ type }) => type === 'settlement');
    expect(settled.map((each) => [each['call'], each['outcome']])).toEqual(
      intents.map((each) => [each['call'], 'ok']),
    );
    expect(records.filter(({ type }) => type === 'refusal')).toMatchObject([
      { code: 'no_such_cap', executor: 'a' },
    ]);
    const [intent] = intents;
    expect(await here.ask('explain', JSON.parse(JSON.stringify(intent?.['call'])) as string)).toMatchObject({
      err: '',
    });
    expect(await here.ask('audit', 'verify')).toMatchObject({ code: 0 });
  });

  test('a file that is larger than results may be is not handed out', async () => {
    const at = await shelf(false);
    writeFileSync(join(at.skill, 'large.txt'), 'x'.repeat(300_000));
    await pawlHere('skill', 'sign', at.skill, '--key', join(at.skill, '../signing.pem'));
    await at.here.ask('skill', 'load', at.skill, '--agent', 'a');
    expect(await read(at.agent, 'skill://notes/large.txt')).toMatchObject({
      error: { data: { code: 'result_too_large' } },
    });
  });

  test.each(['auto', 'legacy'] as const)('the client of the extension takes it: %s', async (mode) => {
    const { agent } = await shelf();
    const client = new Client({ name: 't', version: '1' }, { versionNegotiation: { mode } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(agent.url), {
        requestInit: { headers: { authorization: agent.authorization } },
      }),
    );
    const skills = new SkillsClient(client);
    expect([skills.supported, skills.directoryRead]).toEqual([true, true]);
    const {
      skills: [entry],
      invalid,
    } = await skills.list();
    expect(invalid).toEqual([]);
    const manifest = await skills.read(entry!);
    expect(manifest).toMatchObject({ verified: true, text });
    expect(await skills.read(entry!, 'reference/how to.md')).toMatchObject({ verified: true });
    expect((await skills.read(entry!, 'assets/deep/pixel.bin')).bytes).toEqual(new Uint8Array(binary));
    expect((await skills.get(entry!.uri)).skill).toEqual(entry);
    expect((await skills.readDirectory('skill://notes/assets')).resources).toMatchObject([{ name: 'deep' }]);
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'notes' }]);
    expect((await client.getPrompt({ name: 'notes' })).messages).toHaveLength(1);
    expect((await client.listResources()).resources).toHaveLength(3);
    await client.close();
  });
});

/** Reads over HTTP, as a client of 2026-07-28. */
async function read(to: Endpoint, uri: string): Promise<JsonObject> {
  const params = { uri, _meta: envelope };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params });
  const answer = (await (await postText(to, 'resources/read', body, uri)).json()) as JsonObject;
  return 'result' in answer ? resultOf(answer) : answer;
}
