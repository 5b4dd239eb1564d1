/** Failure reports about approvals: whose they are, what they cover, and when they are over. Told through the running gateway. */
import type { JsonObject } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { type Agent, type Told } from './live/agent.js';
import { type House, openHouse } from './live/house.js';
import { type ProgramTool, echoes, noting } from './live/programs.js';

const policy = (rules: string, more = ''): string => `
pawl: 1
servers: { s: { command: s-mcp } }
agents: { a: { allow: [ ${rules} ] } }
${more}`;

interface Asking {
  readonly house: House;
  readonly agent: Agent;
  readonly reached: readonly [tool: string, args: JsonObject][];
}

/** One agent whose calls of these tools ask. */
async function asking(
  tools: Readonly<Record<string, ProgramTool>>,
  level: 'once' | 'session',
  more = '',
): Promise<Asking> {
  const reached: [string, JsonObject][] = [];
  const names = Object.keys(tools).map((name) => `s/${name}`);
  const rule = `{ tools: [${names.join(', ')}], ask: ${level} }`;
  const house = await openHouse({
    policy: policy(rule, more),
    programs: { 's-mcp': noting(reached, tools) },
  });
  return { house, agent: await house.session('a'), reached };
}

async function approve(house: House, { ask }: Told, says: 'yes' | 'no' = 'yes'): Promise<void> {
  await house.operate('approve', { id: ask, says });
}

/** Asks, has it approved, and makes the call. */
async function approved({ house, agent }: Asking, tool: string, args: JsonObject): Promise<void> {
  await approve(house, await agent.call(tool, args));
  expect((await agent.call(tool, args)).code).toBeUndefined();
}

/** Makes the call until it is answered so. */
async function until(agent: Agent, [tool, args]: [string, JsonObject], code: string): Promise<void> {
  for (let tries = 0; tries < 200; tries += 1) {
    if ((await agent.call(tool, args)).code === code) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`never answered ${code}`);
}

const required = 'consent_required';

describe('[P.reports.live] whose an approval is', () => {
  test('R125: an approval for one session is nothing in another', async () => {
    const it = await asking({ run_command: echoes('command') }, 'session');
    await approved(it, 's/run_command', { command: 'ls' });
    const other = await it.house.session('a');
    expect((await other.call('s/run_command', { command: 'ls' })).code).toBe(required);
    expect(it.reached).toHaveLength(1);
  });

  test('R126: a stored approval does not outlive a policy that says to ask, nor its session', async () => {
    const it = await asking({ run_command: echoes('command') }, 'session');
    const ssh = { command: 'ssh build01 uptime' };
    await approved(it, 's/run_command', ssh);
    await it.house.reload(policy('{ tools: [s/run_command], ask: once }'));
    await it.agent.call('s/run_command', ssh);
    expect((await it.agent.call('s/run_command', ssh)).code).toBe(required);
    const weeksLater = await it.house.session('a');
    expect((await weeksLater.call('s/run_command', ssh)).code).toBe(required);
  });

  test('R127: an approval for the session is for the very call that was shown, and for the next file it asks again', async () => {
    const it = await asking({ write_file: echoes('path', 'content') }, 'session');
    const first = { path: '/srv/first.txt', content: 'x' };
    await approved(it, 's/write_file', first);
    expect((await it.agent.call('s/write_file', first)).code).toBeUndefined();
    const second = await it.agent.call('s/write_file', { path: '/srv/second.txt', content: 'x' });
    expect(second.code).toBe(required);
    const [waiting] = await it.house.operate('approvals', {});
    expect(waiting?.shown).toContain('/srv/second.txt');
    const wide = policy('{ tools: [s/write_file] }');
    await it.house.reload(wide, { bumpEpoch: true, reissue: true });
    const third = await it.agent.call('s/write_file', { path: '/srv/third.txt', content: 'x' });
    expect(third.code).toBeUndefined();
  });
});

describe('[P.reports.live] what an approval covers', () => {
  const cases: readonly [string, string, string, JsonObject, JsonObject][] = [
    ['R179', 'another record of the same tool', 'delete_record', { id: 'a1' }, { id: 'b2' }],
    [
      'R180',
      'a part of an approved line with another folder',
      'run_command',
      { command: 'git status && rm -rf ./tmp' },
      { command: 'rm -rf ./other' },
    ],
    [
      'R181',
      'another page',
      'fetch',
      { url: 'https://docs.example.com/a' },
      { url: 'https://other.example.net/' },
    ],
    [
      'R183',
      'another address after the approval',
      'fetch',
      { url: 'https://a.example/data' },
      { url: 'https://b.example/data' },
    ],
  ];
  test.each(cases)('%s: it does not cover %s', async (...[, , tool, shown, other]) => {
    const it = await asking({ [tool]: echoes(...Object.keys(shown)) }, 'session');
    await approved(it, `s/${tool}`, shown);
    expect((await it.agent.call(`s/${tool}`, other)).code).toBe(required);
    expect(it.reached).toEqual([[tool, shown]]);
  });

  test('R182: a call is approved with its arguments; what a file on the server holds meanwhile no gateway sees', async () => {
    const it = await asking({ run_command: echoes('command') }, 'once');
    const script = { command: 'sh script.sh' };
    await approved(it, 's/run_command', script);
    expect((await it.agent.call('s/run_command', script)).code).toBe(required);
  });

  test('R184: arguments that the schema does not take are refused, whatever was approved before', async () => {
    const it = await asking({ write_file: echoes('path', 'content') }, 'session');
    await approved(it, 's/write_file', { path: '/srv/a', content: 'x' });
    const odd = await it.agent.call('s/write_file', { path: 42, content: 'x' });
    expect(odd.code).toBe('malformed_arguments');
    expect(it.reached).toHaveLength(1);
  });

  test('R185: the identical call in the session of the approval does not ask again', async () => {
    const it = await asking({ teams_list: echoes('x') }, 'session');
    await approved(it, 's/teams_list', { x: '1' });
    expect((await it.agent.call('s/teams_list', { x: '1' })).code).toBeUndefined();
    expect(it.reached).toHaveLength(2);
  });

  test('R186: one answer serves identical calls that wait beside each other; others ask for themselves', async () => {
    const it = await asking({ read_file: echoes('path') }, 'session');
    const paths = ['/srv/a.txt', '/srv/a.txt', '/srv/b.txt'];
    const asked = await Promise.all(paths.map((path) => it.agent.call('s/read_file', { path })));
    expect(asked[0]?.ask).toBe(asked[1]?.ask);
    await approve(it.house, asked[0] ?? { text: '', ask: '' });
    const after = await Promise.all(paths.map((path) => it.agent.call('s/read_file', { path })));
    expect(after.map(({ code }) => code)).toEqual([undefined, undefined, required]);
  });
});

describe('[P.reports.live] when nobody answers', () => {
  const expiring = 'consent: { expires: 40ms }';

  test('R187: silence is a refusal, and recorded as one of time', async () => {
    const it = await asking({ deploy: echoes('env') }, 'once', expiring);
    await it.agent.call('s/deploy', { env: 'prod' });
    await until(it.agent, ['s/deploy', { env: 'prod' }], 'consent_expired');
    const codes = (await it.house.records()).flatMap((record) =>
      record.type === 'refusal' ? [record.code] : [],
    );
    expect(codes).toContain('consent_expired');
    expect(it.reached).toEqual([]);
  });

  test('R188: a call that asks is answered at once and waits for nobody', async () => {
    const it = await asking({ scan: echoes('host') }, 'once');
    const asked = await it.agent.call('s/scan', { host: 'h1' });
    expect(asked).toMatchObject({ code: required, ask: expect.stringMatching(/^a_/u) });
    const [waiting] = await it.house.operate('approvals', {});
    expect(waiting?.left).toBeLessThanOrEqual(600_000);
    expect(waiting?.left).toBeGreaterThan(0);
  });

  test('R189: an answer that comes too late does nothing', async () => {
    const it = await asking({ send_mail: echoes('to') }, 'once', expiring);
    const mail = { to: 'x@example.com' };
    const asked = await it.agent.call('s/send_mail', mail);
    await until(it.agent, ['s/send_mail', mail], 'consent_expired');
    await expect(approve(it.house, asked)).rejects.toThrow(/there is no ask/u);
    await it.agent.call('s/send_mail', mail);
    expect(it.reached).toEqual([]);
  });

  test('R190: where nobody can be asked, the tool never runs', async () => {
    const it = await asking({ book_hotel: echoes('name') }, 'once', 'consent: { approver: [client] }');
    const asked = await it.agent.call('s/book_hotel', { name: 'h' });
    expect(asked.code).toBe(required);
    await expect(approve(it.house, asked)).rejects.toThrow(/control/u);
    expect((await it.agent.call('s/book_hotel', { name: 'h' })).code).toBe(required);
    expect(it.reached).toEqual([]);
  });

  test('R211: a call that a person refused stays refused, and says that trying again is no use', async () => {
    const it = await asking({ deploy: echoes('env') }, 'once');
    await approve(it.house, await it.agent.call('s/deploy', { env: 'prod' }), 'no');
    for (let times = 0; times < 3; times += 1) {
      const again = await it.agent.call('s/deploy', { env: 'prod' });
      expect(again).toMatchObject({ code: 'consent_refused', retryable: false });
      expect(again.text).toContain('Do not try again');
    }
    expect(it.reached).toEqual([]);
  });
});
