/** Asks at the client, through the real gateway: states of 2026-07-28, questions of 2025-11-25, and clients that show nothing. */
import { join } from 'node:path';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as OldClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as OldHttpTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import type { JsonObject } from '@pawl/core';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { CallResult } from './clients.js';
import { type Here, everybody, started } from './daemon.js';
import {
  cleanEnvironment,
  pawlArguments,
  recorded,
  recordedCalls,
  serverProgram,
  temporaryFolder,
} from './gateway.js';
import { type Endpoint, call, envelope, postText, refusalOf, textOf } from './post.js';

const slowEnough = { timeout: 60_000 };
const patient = { timeout: 20_000 };

interface Bench {
  readonly here: Here;
  readonly agent: Endpoint;
  readonly folder: string;
  /** What has reached the server. */
  readonly calls: () => readonly unknown[];
  readonly policy: (more?: object, rule?: object) => object;
}

async function bench(approver: readonly string[] = ['client'], consent: object = {}): Promise<Bench> {
  const folder = temporaryFolder();
  const log = join(folder, 'calls.jsonl');
  const policy: Bench['policy'] = (more = {}, rule = {}) => ({
    pawl: 1,
    servers: { fake: { command: process.execPath, args: recorded(log, serverProgram('everything')) } },
    consent: { approver, ...consent },
    ...more,
    agents: {
      a: { allow: [{ tools: ['fake/echo'], ask: 'once', ...rule }] },
      b: { allow: [{ tools: ['fake/echo'], ask: 'once' }] },
    },
  });
  const here = await started({ folder, policy: policy() });
  const agent = await here.issueKey('a');
  return { here, agent, folder, policy, calls: () => recordedCalls(log).map((each) => each.arguments) };
}

const questions: JsonObject = { elicitation: {} };

/** One call of the newer era by a client of these capabilities. */
async function ask(
  to: Endpoint,
  args: JsonObject,
  more: JsonObject = {},
  capabilities = questions,
): Promise<CallResult & { readonly requestState?: string }> {
  const meta = { ...envelope, 'io.modelcontextprotocol/clientCapabilities': capabilities };
  const params = { name: 'fake__echo', arguments: args, ...more, _meta: meta };
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
  const response = await postText(to, 'tools/call', body, 'fake__echo');
  return ((await response.json()) as { result: CallResult }).result;
}

const says = (action: string): JsonObject => ({ inputResponses: { approval: { action } } });
const accepted = says('accept');

/** A call that was answered by the server. */
const done = expect.objectContaining({ resultType: 'complete', content: expect.anything() as unknown });

async function stateOf(to: Endpoint, args: JsonObject): Promise<string> {
  const { requestState } = await ask(to, args);
  if (requestState === undefined) throw new Error('no state');
  return requestState;
}

describe('a client of 2026-07-28', slowEnough, () => {
  test('[P.ask.state] [P.ask.client] is asked with the text that an approval seals, marked as the words of Pawl; its yes is for that one call', async () => {
    const { agent, calls, here } = await bench();
    const asked = await ask(agent, { message: '1' });
    expect(asked).toMatchObject({
      resultType: 'input_required',
      requestState: expect.any(String) as string,
      inputRequests: { approval: { method: 'elicitation/create', params: { mode: 'form' } } },
    });
    const { message } = (asked as { inputRequests: { approval: { params: { message: string } } } })
      .inputRequests.approval.params;
    expect(message).toMatch(/^Pawl asks for your approval \(a_[a-z2-7]{16}\): the agent a wants/u);
    expect(message).toContain('\n\nfake__echo {"message":"1"}\n\n');
    expect(calls()).toEqual([]);
    const requestState = asked.requestState ?? '';
    expect(await ask(agent, { message: '1' }, { requestState, ...accepted })).toEqual(done);
    expect(calls()).toEqual([{ message: '1' }]);
    expect(await ask(agent, { message: '1' })).toMatchObject({ resultType: 'input_required' });
    const { out } = await here.ask('audit', 'show', '--json');
    expect(out).toMatch(
      /"by":"client"[^\n]*"event":"approval_given"|"event":"approval_given"[^\n]*"by":"client"/u,
    );
    expect(await here.ask('audit', 'verify')).toMatchObject({ code: 0 });
  });

  test.each(['decline', 'cancel'])('[P.ask.client] that answers %s has refused the call', async (action) => {
    const { agent, calls } = await bench();
    const requestState = await stateOf(agent, { message: '1' });
    expect(refusalOf(await ask(agent, { message: '1' }, { requestState, ...says(action) }))).toBe(
      'consent_refused',
    );
    expect(refusalOf(await ask(agent, { message: '1' }))).toBe('consent_refused');
    expect(calls()).toEqual([]);
  });

  test('[P.ask.state] the state of a call is good for that call alone, whatever answer comes with it', async () => {
    const { here, agent, calls } = await bench();
    const requestState = await stateOf(agent, { message: '1' });
    const other = await here.issueKey('a');
    const stranger = await here.issueKey('b');
    const cut = requestState.slice(0, -2);
    const flipped = `${requestState.slice(0, 20)}${requestState[20] === 'A' ? 'B' : 'A'}${requestState.slice(21)}`;
    const wrong: readonly (readonly [Endpoint, JsonObject, unknown])[] = [
      [agent, { message: '2' }, requestState],
      [agent, { message: 1 }, requestState],
      [other, { message: '1' }, requestState],
      [stranger, { message: '1' }, requestState],
      [agent, { message: '1' }, cut],
      [agent, { message: '1' }, flipped],
      [agent, { message: '1' }, 'forged'],
      [agent, { message: '1' }, ''],
      [agent, { message: '1' }, { ask: 'a_aaaaaaaaaaaaaaaa' }],
      [agent, { message: '1' }, null],
    ];
    for (const [to, args, state] of wrong) {
      const answer = await ask(to, args, { requestState: state as string, ...accepted });
      expect(answer).toMatchObject({ isError: true });
      expect(refusalOf(answer)).toBe('malformed_arguments');
    }
    expect(calls()).toEqual([]);
    expect(await ask(agent, { message: '1' }, { requestState, ...accepted })).toEqual(done);
    expect(await here.ask('audit', 'verify')).toMatchObject({ code: 0 });
  });

  test('[P.ask.state] a state that was answered is no approval of the same call made again', async () => {
    const { agent, calls } = await bench();
    const requestState = await stateOf(agent, { message: '1' });
    expect(await ask(agent, { message: '1' }, { requestState, ...accepted })).toEqual(done);
    expect(await ask(agent, { message: '1' }, { requestState, ...accepted })).not.toEqual(done);
    expect(calls()).toHaveLength(1);
  });

  test('[P.ask.state] a state expires with its ask', async () => {
    const { agent, calls } = await bench(['client'], { expires: '300ms' });
    const requestState = await stateOf(agent, { message: '1' });
    await vi.waitFor(
      async () =>
        expect(refusalOf(await call(agent, 'fake__echo', { message: '1' }))).toBe('consent_expired'),
      patient,
    );
    expect(refusalOf(await ask(agent, { message: '1' }, { requestState, ...accepted }))).toBe(
      'consent_expired',
    );
    expect(calls()).toEqual([]);
  });

  test('[P.ask.state] what was asked under an earlier generation is asked afresh', async () => {
    const { here, agent, calls, policy } = await bench();
    const requestState = await stateOf(agent, { message: '1' });
    here.says(() => everybody('attenuation', 'a', 'b'));
    here.write(policy({ results: { maxBytes: 1000 } }));
    expect(await here.ask('reload')).toMatchObject({ code: 0 });
    const again = await ask(agent, { message: '1' }, { requestState, ...accepted });
    expect(again).toMatchObject({
      resultType: 'input_required',
      inputRequests: expect.anything() as unknown,
    });
    expect(calls()).toEqual([]);
    const fresh = again.requestState ?? '';
    expect(await ask(agent, { message: '1' }, { requestState: fresh, ...accepted })).toEqual(done);
  });

  test('[P.ask.state] [P.ask.client] that the policy does not list is not asked, and an answer that it makes up counts for nothing', async () => {
    const { here, agent, calls } = await bench(['operator']);
    const asked = await ask(agent, { message: '1' });
    expect(asked).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) as string });
    expect(asked).not.toHaveProperty('inputRequests');
    const [waiting] = here.daemon.approvals.waiting();
    const requestState = asked.requestState ?? '';
    const made = await ask(agent, { message: '1' }, { requestState, ...accepted });
    expect(made).toMatchObject({ resultType: 'input_required' });
    expect(calls()).toEqual([]);
    const retry = ask(agent, { message: '1' }, { requestState });
    await here.ask('approve', waiting?.id ?? '');
    expect(await retry).toEqual(done);
    expect(calls()).toEqual([{ message: '1' }]);
    const { out } = await here.ask('audit', 'show', '--json');
    expect(out).toContain('"by":"operator"');
    expect(out).not.toContain('"by":"client"');
  });

  test('[P.ask.client] whose person says no after an operator said yes does not make the call', async () => {
    const { here, agent, calls } = await bench(['operator', 'client']);
    const requestState = await stateOf(agent, { message: '1' });
    const [waiting] = here.daemon.approvals.waiting();
    expect(await here.ask('approve', waiting?.id ?? '')).toMatchObject({ code: 0 });
    expect(refusalOf(await ask(agent, { message: '1' }, { requestState, ...says('decline') }))).toBe(
      'consent_refused',
    );
    expect(calls()).toEqual([]);
  });

  test('[P.ask.fallback] that shows no questions gets the id of the ask', async () => {
    const { agent } = await bench();
    for (const capabilities of [{}, { sampling: {} }, { elicitation: { url: {} } }]) {
      const answer = await ask(agent, { message: '1' }, {}, capabilities);
      expect(refusalOf(answer)).toBe('consent_required');
      expect(textOf(answer)).toMatch(/a_[a-z2-7]{16}/u);
    }
  });

  test('[P.ask.client] answers without a state are nothing', async () => {
    const { agent, calls } = await bench();
    await ask(agent, { message: '1' });
    expect(await ask(agent, { message: '1' }, accepted)).toMatchObject({ resultType: 'input_required' });
    expect(calls()).toEqual([]);
  });
});

type Handler = (params: { readonly message: string }) => { action: 'accept' | 'decline' | 'cancel' };

/** Each kind of client that shows questions, connected. */
const clients = {
  'SDK v2, 2026-07-28, HTTP': (b: Bench, handler: Handler) =>
    newClient(b, handler, { pin: '2026-07-28' }, overHttp(b)),
  'SDK v2, 2025-11-25, HTTP': (b: Bench, handler: Handler) => newClient(b, handler, 'legacy', overHttp(b)),
  'SDK v2, 2026-07-28, stdio': async (b: Bench, handler: Handler) =>
    newClient(b, handler, { pin: '2026-07-28' }, await overStdio(b)),
  'SDK v2, 2025-11-25, stdio': async (b: Bench, handler: Handler) =>
    newClient(b, handler, 'legacy', await overStdio(b)),
  'SDK v1, HTTP': async (b: Bench, handler: Handler) => {
    const client = new OldClient({ name: 'e2e', version: '1' }, { capabilities: { elicitation: {} } });
    client.setRequestHandler(ElicitRequestSchema, ({ params }) => handler(params));
    const { authorization } = b.agent;
    await client.connect(
      new OldHttpTransport(new URL(b.agent.url), { requestInit: { headers: { authorization } } }),
    );
    onTestFinished(() => client.close());
    return client;
  },
} as const;

async function newClient(
  _: Bench,
  handler: Handler,
  mode: 'legacy' | { pin: '2026-07-28' },
  transport: StreamableHTTPClientTransport | StdioClientTransport,
): Promise<Client> {
  const client = new Client(
    { name: 'e2e', version: '1' },
    { capabilities: { elicitation: {} }, versionNegotiation: { mode } },
  );
  client.setRequestHandler('elicitation/create', ({ params }) => handler(params));
  await client.connect(transport);
  onTestFinished(() => client.close());
  return client;
}

function overHttp({ agent: { url, authorization } }: Bench): StreamableHTTPClientTransport {
  return new StreamableHTTPClientTransport(new URL(url), { requestInit: { headers: { authorization } } });
}

async function overStdio({ here, folder }: Bench): Promise<StdioClientTransport> {
  const out = join(folder, 'stdio.key');
  expect(await here.ask('keys', 'issue', '--agent', 'a', '--out', out)).toMatchObject({ code: 0 });
  return new StdioClientTransport({
    command: process.execPath,
    args: [...pawlArguments('connect', '--key', out)],
    env: cleanEnvironment(),
    stderr: 'ignore',
  });
}

describe.each(Object.entries(clients))('%s', slowEnough, (_name, connect) => {
  test('[P.ask.client] a person who accepts lets the call through, one who declines or closes the question does not', async () => {
    const b = await bench();
    const shown: string[] = [];
    const answers = ['accept', 'decline', 'cancel'] as const;
    const client = await connect(b, ({ message }) => {
      shown.push(message);
      return { action: answers[shown.length - 1] ?? 'cancel' };
    });
    const made = await client.callTool({ name: 'fake__echo', arguments: { message: '1' } });
    expect(made.content).toEqual([{ type: 'text', text: 'Echo: 1' }]);
    for (const message of ['2', '3']) {
      const refused = await client.callTool({ name: 'fake__echo', arguments: { message } });
      expect(refusalOf(refused)).toBe('consent_refused');
    }
    expect(shown.map((text) => /fake__echo \{.*\}/u.exec(text)?.[0])).toEqual(
      [1, 2, 3].map((n) => `fake__echo {"message":"${n}"}`),
    );
    expect(b.calls()).toEqual([{ message: '1' }]);
  });

  test('[P.ask.client] nobody is asked at a client that the policy does not list', async () => {
    const b = await bench(['operator']);
    const shown: string[] = [];
    const client = await connect(b, ({ message }) => {
      shown.push(message);
      return { action: 'accept' };
    });
    const calling = client.callTool({ name: 'fake__echo', arguments: { message: '1' } });
    await vi.waitFor(() => expect(b.here.daemon.approvals.waiting()).toHaveLength(1), patient);
    await b.here.ask('approve', b.here.daemon.approvals.waiting()[0]?.id ?? '', '--refuse');
    expect(refusalOf(await calling)).toMatch(/^consent_re(fused|quired)$/u);
    expect([shown, b.calls()]).toEqual([[], []]);
  });
});

describe('a client of 2025-11-25', slowEnough, () => {
  test('[P.ask.client] whose ask an operator answers meanwhile has its question taken back, and the call goes on', async () => {
    const b = await bench(['operator', 'client']);
    const client = await clients['SDK v2, 2025-11-25, HTTP'](b, () => new Promise(() => undefined) as never);
    const calling = client.callTool({ name: 'fake__echo', arguments: { message: '1' } });
    await vi.waitFor(() => expect(b.here.daemon.approvals.waiting()).toHaveLength(1), patient);
    await b.here.ask('approve', b.here.daemon.approvals.waiting()[0]?.id ?? '');
    expect((await calling).content).toEqual([{ type: 'text', text: 'Echo: 1' }]);
  });

  test('[P.ask.fallback] that shows no questions gets the id of the ask', async () => {
    const b = await bench();
    const client = new Client({ name: 'e2e', version: '1' }, { versionNegotiation: { mode: 'legacy' } });
    await client.connect(overHttp(b));
    onTestFinished(() => client.close());
    const answer = await client.callTool({ name: 'fake__echo', arguments: { message: '1' } });
    expect(refusalOf(answer)).toBe('consent_required');
    expect(textOf(answer)).toMatch(/a_[a-z2-7]{16}/u);
  });
});
