/** Failure reports about what goes over the wire: odd messages, whose session it is, how large an answer is, and which way a call comes in. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { envelope } from '../../bench/authority/line.js';
import { call, refusalOf } from '../e2e/post.js';
import { named } from './live/agent.js';
import { type House, openHouse } from './live/house.js';
import { type Program, type ProgramTool, echoes, noting, runs } from './live/programs.js';

const policy = (rules: string, more = ''): string => `
pawl: 1
servers: { s: { command: s-mcp } }
agents: { a: { allow: [ ${rules} ] }, b: { allow: [ ${rules} ] } }
${more}`;

async function noted(
  tools: Readonly<Record<string, ProgramTool>>,
  rules = '{ tools: [s/*] }',
  more = '',
): Promise<{ house: House; reached: unknown[] }> {
  const reached: [string, never][] = [];
  const house = await openHouse({
    policy: policy(rules, more),
    programs: { 's-mcp': noting(reached, tools) },
  });
  return { house, reached };
}

const request = (name: string, args: string): string =>
  `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{${name}"arguments":${args},"_meta":${envelope}}}`;

describe('[P.reports.live] messages that are no calls', () => {
  const tools = { danger: echoes('x'), pay: echoes('amount') };
  const denying = '{ tools: [s/pay], ask: once }';

  test('R168: an array of requests is refused whole, before anything in it is looked at', async () => {
    const { house, reached } = await noted(tools);
    const session = await house.session('a');
    const single = request(`"name":"${named('s/danger')}",`, '{}');
    expect((await session.raw(`[${single}]`)).code).toBe('-32600');
    expect(reached).toEqual([]);
    expect((await session.raw(single)).code).toBeUndefined();
  });

  test('R169: a method that is in no table is refused', async () => {
    const { house } = await noted(tools);
    const session = await house.session('a');
    for (const method of ['sampling/createMessage', 'tools/cal', 'Tools/Call']) {
      const line = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{"messages":[],"_meta":${envelope}}}`;
      expect((await session.raw(line)).code, method).toBe('-32601');
    }
  });

  test('R170: a call without the name of a tool is refused and recorded', async () => {
    const { house, reached } = await noted(tools);
    const session = await house.session('a');
    const before = (await house.records()).length;
    expect((await session.raw(request('', '{"x":"1"}'))).code).toBeDefined();
    const more = (await house.records()).slice(before);
    expect(more).toMatchObject([{ type: 'refusal', code: 'malformed_arguments' }]);
    expect(reached).toEqual([]);
  });

  test('R171: an array of one call is no way around an approval', async () => {
    const { house, reached } = await noted(tools, denying);
    const session = await house.session('a');
    const pay = request(`"name":"${named('s/pay')}",`, '{"amount":"5"}');
    expect((await session.raw(`[${pay}]`)).code).toBe('-32600');
    expect((await session.raw(pay)).code).toBe('consent_required');
    expect(reached).toEqual([]);
  });
});

describe('[P.reports.live] whose session it is', () => {
  /** A server that remembers: what one process was given is not there in another. */
  const shop: Program = () => {
    const cart: string[] = [];
    return {
      cart_add: runs(({ item }) => `${cart.push(typeof item === 'string' ? item : '')}`, 'item'),
      cart_show: runs(() => JSON.stringify(cart)),
    };
  };
  const shopping = (): Promise<House> =>
    openHouse({ policy: policy('{ tools: [s/*] }'), programs: { 's-mcp': shop } });

  test('R201: two principals never share what a server remembers', async () => {
    const house = await shopping();
    const [a, b] = [await house.session('a'), await house.session('b')];
    await a.call('s/cart_add', { item: 'lamp' });
    expect((await b.call('s/cart_show')).text).toBe('[]');
    expect((await a.call('s/cart_show')).text).toBe('["lamp"]');
  });

  test('R202: a call without a credential belongs to nobody, though only one session is open', async () => {
    const { house, reached } = await noted({ run_command: echoes('command') });
    await (await house.session('a')).tools();
    const url = house.url;
    const body = request(`"name":"${named('s/run_command')}",`, '{"command":"ls"}');
    const headers = { 'content-type': 'application/json', accept: 'application/json' };
    expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(401);
    const socket = connect(house.agentsSocket);
    await once(socket, 'connect');
    socket.write(`${body}\n`);
    await once(socket.resume(), 'close');
    expect(reached).toEqual([]);
  });

  test('R203: the transport’s id of another’s session lends nothing of it', async () => {
    const house = await shopping();
    const [a, b] = [await house.key('a'), await house.key('b')];
    const rpc = (id: number, method: string, params: object): string =>
      JSON.stringify({ jsonrpc: '2.0', id, method, params });
    const send = (key: string, text: string, session?: string): Promise<Response> =>
      fetch(house.url, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(session !== undefined && { 'mcp-session-id': session }),
        },
        body: text,
      });
    const hello = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'c', version: '1' },
    };
    const opened = await send(a.secret, rpc(1, 'initialize', hello));
    const id = opened.headers.get('mcp-session-id') ?? undefined;
    const add = { name: named('s/cart_add'), arguments: { item: 'lamp' } };
    expect((await send(a.secret, rpc(2, 'tools/call', add), id)).ok).toBe(true);
    const foreign = await send(b.secret, rpc(3, 'tools/call', { name: named('s/cart_show') }), id);
    expect(await foreign.text()).not.toContain('lamp');
  });

  test('R204: the same ids of two agents are two things', async () => {
    const house = await shopping();
    const [a, b] = [await house.session('a'), await house.session('b')];
    const add = (item: string): string => request(`"name":"${named('s/cart_add')}",`, `{"item":"${item}"}`);
    await Promise.all([a.raw(add('lamp')), b.raw(add('chair'))]);
    const [mine, yours] = [await a.call('s/cart_show'), await b.call('s/cart_show')];
    expect([mine.text, yours.text]).toEqual(['["lamp"]', '["chair"]']);
  });
});

describe('[P.reports.live] how large an answer may be', () => {
  const sized = (bytes: number, most: number): Promise<House> =>
    openHouse({
      policy: policy('{ tools: [s/*] }', `results: { maxBytes: ${most} }`),
      programs: { 's-mcp': () => ({ report: runs(() => 'x'.repeat(bytes), 'id') }) },
    });

  test('R213: a result that is too large is replaced whole, and the answer says so', async () => {
    const session = await (await sized(5_000_000, 65_536)).session('a');
    const answer = await session.call('s/report', { id: '1' });
    expect(answer.code).toBe('result_too_large');
    expect(answer.text.length).toBeLessThanOrEqual(200);
  });

  test('R214: a result of exactly the limit passes unchanged, and one byte more does not', async () => {
    const session = await (await sized(51_200, 51_200)).session('a');
    expect(await session.call('s/report', { id: '1' })).toMatchObject({ text: 'x'.repeat(51_200) });
    const larger = await (await sized(51_201, 51_200)).session('a');
    expect((await larger.call('s/report', { id: '1' })).code).toBe('result_too_large');
  });
});

describe('[P.reports.live] what a role may', () => {
  test('R224: a star in a list of verbs is a star, and no verb that lifts limits', async () => {
    const rule = '{ tools: [s/k8s_request], where: { args.verb: "*", args.namespace: n1, rest: any } }';
    const tool = echoes('verb', 'resource', 'namespace', 'name');
    const { house, reached } = await noted({ k8s_request: tool }, rule);
    const session = await house.session('a');
    const escalate = { verb: 'escalate', resource: 'roles', namespace: 'n1', name: 'r' };
    expect((await session.call('s/k8s_request', escalate)).code).toBe('not_permitted');
    expect(reached).toEqual([]);
  });

  test('R225: a grant holds on every way in', async () => {
    const { house, reached } = await noted({ team_tool: echoes() }, '{ tools: [s/team_tool] }');
    const key = await house.key('a');
    expect((await (await house.enter(key)).call('s/team_tool')).code).toBeUndefined();
    const to = { url: house.url, authorization: `Bearer ${key.secret}` };
    expect(refusalOf(await call(to, named('s/team_tool'), {}))).toBeUndefined();
    expect(reached).toHaveLength(2);
  });

  test('R226: a refusal says that the policy does not permit the tool, and what to do', async () => {
    const rule = '{ tools: [s/ssh_close_all], where: { args.host: [h1] } }';
    const { house } = await noted({ ssh_close_all: echoes('host') }, rule);
    const answer = await (await house.session('a')).call('s/ssh_close_all', { host: 'h2' });
    expect(answer).toMatchObject({ code: 'not_permitted', retryable: false });
    expect(answer.text).toMatch(/ssh_close_all.*host/u);
  });
});
