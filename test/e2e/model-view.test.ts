/** What agents are shown of tools, through the running gateway: narrowed for each, in both eras and over both transports. */
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type AnyClient, type Target, clients } from './clients.js';
import { type Gateway, pawlArguments, startGateway, temporaryFolder } from './gateway.js';

const listed = (await import(new URL('../../examples/terminal/tools.mjs', import.meta.url).href)) as {
  readonly tools: readonly { readonly inputSchema: object }[];
};
const server = fileURLToPath(new URL('../../examples/terminal/server.mjs', import.meta.url));

function policy(both: readonly string[], exposure: string): object {
  const allow = [{ tools: ['term/*'] }];
  const ask = [{ tools: ['term/*'], verbs: ['execute'], ask: 'session' }];
  const operator = (...backends: readonly string[]): object => ({
    ceiling: { terminal: { backends } },
    allow,
    ask,
  });
  return {
    pawl: 1,
    exposure,
    servers: { term: { command: process.execPath, args: [server], connector: 'terminal', root: '/' } },
    agents: { tmux: operator('tmux'), two: operator(...both), all: { allow } },
  };
}

type Schema = Readonly<Record<string, unknown>>;

async function shown(client: AnyClient): Promise<readonly Schema[]> {
  const { tools: list } = await client.listTools();
  return list.map(({ inputSchema }) => inputSchema as Schema);
}

function takes(schema: Schema | undefined, args: object): boolean {
  return new Ajv2020({ strict: false }).validate(schema ?? false, args);
}

let gateway: Gateway;
const targets = new Map<string, readonly Target[]>();

beforeAll(async () => {
  gateway = await startGateway({
    folder: temporaryFolder(afterAll),
    policy: policy(['tmux', 'kitty'], 'readable'),
  });
  for (const agent of ['tmux', 'two', 'all']) {
    const { path, authorization } = await gateway.issueKey(agent);
    targets.set(agent, [
      { program: pawlArguments('connect', '--key', path) },
      { url: gateway.url, authorization },
    ]);
  }
});

afterAll(async () => {
  await gateway.stop();
});

/** Order of the example's list. */
const [listing, capture, , , open] = [0, 1, 2, 3, 4];

async function asked<T>(
  kind: string,
  target: Target,
  question: (client: AnyClient) => Promise<T>,
): Promise<T> {
  const client = await clients[kind]!(target);
  try {
    return await question(client);
  } finally {
    await client.close();
  }
}

describe.each([0, 1])('over stdio and HTTP (%i)', (transport) => {
  describe.each(Object.keys(clients))('%s', (kind) => {
    const schemas = (agent: string): Promise<readonly Schema[]> =>
      asked(kind, targets.get(agent)![transport]!, shown);

    test('[P.view.bound] an operator of one backend is shown none', async () => {
      const view = await schemas('tmux');
      expect(view.map(({ properties }) => Object.keys(properties as object))).toEqual([
        [],
        ['target', 'lines'],
        ['target', 'text'],
        ['target', 'keys'],
        ['name'],
        ['target'],
      ]);
      expect(takes(view[capture], { target: 'main' })).toBe(true);
      expect(takes(view[capture], { target: 'kitty:1' })).toBe(false);
    });

    test('[P.view.exact] an operator of two backends chooses among these', async () => {
      const view = await schemas('two');
      expect(view[listing]).toMatchObject({
        properties: { backend: { enum: ['tmux', 'kitty'] } },
        required: ['backend'],
      });
      expect(view[open]).toMatchObject({ properties: { backend: { enum: ['tmux', 'kitty'] } } });
      expect(takes(view[capture], { target: 'main' })).toBe(false);
      expect(takes(view[capture], { target: 'tmux:main' })).toBe(true);
      expect(takes(view[capture], { target: 'main', backend: 'kitty' })).toBe(true);
    });

    test('[P.view.untouched] who has no constraint is shown what the server lists', async () => {
      expect(await schemas('all')).toEqual(listed.tools.map(({ inputSchema }) => inputSchema));
    });
  });
});

test('[P.view.exact] what the schema takes is answered, and a bound argument is filled in', async () => {
  await asked('SDK v2, auto', targets.get('tmux')![0]!, async (client) => {
    const answer = await client.callTool({ name: 'term__terminal_list_targets', arguments: {} });
    expect(answer.content).toEqual([{ type: 'text', text: 'tmux:main\ntmux:logs' }]);
  });
});

test('[P.view.follows] after a reload the list is another one', async () => {
  writeFileSync(gateway.policy, JSON.stringify(policy(['kitty'], 'readable')));
  const { code, out, err } = await gateway.ask('reload');
  expect(code, out + err).toBe(0);
  const [view] = await asked('SDK v2, auto', targets.get('two')![1]!, shown);
  expect(view?.['properties']).toEqual({});
});

test('[P.view.bound] opaque names carry the same schemas', async () => {
  const opaque = await startGateway({
    folder: temporaryFolder(),
    policy: policy(['tmux', 'kitty'], 'opaque'),
  });
  const { authorization } = await opaque.issueKey('tmux');
  const view = await asked('SDK v2, auto', { url: opaque.url, authorization }, async (client) =>
    client.listTools(),
  );
  expect(view.tools.every(({ name }) => /^[a-z2-7]{26}$/u.test(name))).toBe(true);
  expect(view.tools[capture]?.inputSchema).toMatchObject({ required: ['target'] });
  expect(JSON.stringify(view.tools)).not.toContain('kitty');
  await opaque.stop();
});
