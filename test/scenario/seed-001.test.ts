/** Seed 001: the bash tool as an actor over the powers of the gateway, on real files, a real network and a real sandbox. */
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  type AskPerson,
  type AuditRecord,
  type CallOutcome,
  type ClockPower,
  type ExecPower,
  type Grants,
  type NetPower,
  type Program,
  type ProgramSession,
  type WritableFs,
  UsageError,
  actorTools,
  defineActor,
  gathered,
  grantApproval,
  grantClock,
  grantExec,
  grantFs,
  grantNet,
  jsonArguments,
  openProgram,
  powerOf,
  spawn,
} from '../../packages/gateway/src/index.js';
import { describeWithSandbox } from '../bubblewrap.js';

interface BashPowers {
  readonly fs: WritableFs;
  readonly net: NetPower;
  readonly exec: ExecPower;
  readonly clock: ClockPower;
}

const words = { type: 'object', properties: { cmd: { type: 'string' } }, required: ['cmd'] } as const;

/** As the seed has it: only the powers that it was constructed with. */
const bash = defineActor(
  {
    powers: { fs: powerOf.fs, net: powerOf.net, exec: powerOf.exec, clock: powerOf.clock },
    parallel: 8,
    deadlineMs: 3_000,
  },
  ({ write }) => ({
    invoke: write(jsonArguments(words), async ({ cmd }, { powers }) => {
      const { code, stdout, stderr } = await powers.exec.shell(cmd);
      return code === 0 ? stdout : `${String(code)}: ${stderr}`;
    }),
    read: write(jsonArguments(words), async ({ cmd }, { powers }) => powers.fs.readText(cmd)),
    save: write(jsonArguments(words), async ({ cmd }, { powers }) => {
      await powers.clock.sleep(60);
      await powers.fs.write(cmd, 'saved');
      return 'saved';
    }),
    get: write(jsonArguments(words), async ({ cmd }, { powers }) => (await powers.net.request(cmd)).text()),
    wait: write(jsonArguments(words), async (_, { powers }) => {
      await powers.clock.sleep(60_000);
      return 'slept';
    }),
  }),
);

const policy = {
  pawl: 1,
  servers: { sandbox: {} },
  agents: { hermes: { allow: [{ tools: ['sandbox/*'] }] } },
};

/** What a model reads: code and constraint, or the result. */
function told(outcome: CallOutcome): unknown {
  if (outcome.kind === 'result') return outcome.value;
  const { code, message } = outcome.refusal;
  const constraint = 'constraint' in outcome.refusal ? outcome.refusal.constraint : undefined;
  expect(message.length).toBeLessThanOrEqual(200);
  expect(message).not.toContain(tmpdir());
  return constraint === undefined ? code : `${code} ${constraint}`;
}

describeWithSandbox('the bash tool of the seed', () => {
  let base: string;
  let box: string;
  let outside: Server;
  let met = 0;
  let grants: Grants<BashPowers>;
  let program: Program;
  let session: ProgramSession;
  const records: AuditRecord[] = [];
  const call = async (tool: string, cmd: string): Promise<unknown> =>
    told(await session.call({ tool: `sandbox__${tool}`, args: { cmd } }));

  beforeAll(async () => {
    base = mkdtempSync(join(tmpdir(), 'pawl-seed-'));
    box = join(base, 'box');
    for (const folder of [box, join(base, 'canary')]) mkdirSync(folder);
    writeFileSync(join(box, 'notes.txt'), 'one\n');
    writeFileSync(join(base, 'secret'), 'secret');
    outside = createServer((_, response) => {
      met += 1;
      response.end('inside');
    });
    await new Promise<void>((done) => outside.listen(0, '127.0.0.1', done));
    const port = { guard: (): void => {} };
    const fs = await grantFs({ root: box, port });
    const net = grantNet({ hosts: ['api.example'], port });
    const exec = await grantExec({ fs: fs.power, port, canaryFolder: join(base, 'canary') });
    grants = { fs, net, exec, clock: grantClock({ port }) };
    const tools = actorTools({ server: 'sandbox', actor: bash, powers: gathered(grants).power });
    program = openProgram({ policy, tools: [tools], record: (record) => void records.push(record) });
    session = program.open('hermes');
  }, 60_000);

  afterAll(async () => {
    await gathered(grants).revoke();
    outside.close();
    rmSync(base, { recursive: true, force: true });
  });

  test('[S001.actors-and-powers] lists the folder that it was given, by name and by handle', async () => {
    const [shown] = session.tools();
    expect(shown).toMatchObject({ name: 'sandbox__invoke', handle: expect.stringMatching(/^\/object\//u) });
    expect(await call('invoke', `ls ${box}`)).toBe('notes.txt\n');
    const byHandle = await session.call({ handle: String(shown?.handle), args: { cmd: 'ls' } });
    expect(told(byHandle)).toBe('notes.txt\n');
  });

  test.each(['ls /etc', 'cat ../secret', '/usr/bin/env', 'ls notes.txt /'])(
    '%s is refused before anything starts, with what was out of scope',
    async (cmd) => {
      expect(await call('invoke', cmd)).toBe('out_of_scope fs.root');
    },
  );

  test('files outside, hosts that were not granted and inner addresses are refused, and nothing is connected to', async () => {
    const { port } = outside.address() as AddressInfo;
    expect(await call('read', '../secret')).toBe('out_of_scope fs.root');
    expect(await call('read', '/etc/passwd')).toBe('out_of_scope fs.root');
    expect(await call('get', 'http://elsewhere.example/')).toBe('out_of_scope net.hosts');
    expect(await call('get', `http://127.0.0.1:${port}/`)).toBe('out_of_scope net.hosts');
    expect(met).toBe(0);
  });

  test('[S001.power-answers] what was allowed and did not work is an answer of the tool, not a fault, and names nothing of the host', async () => {
    const missing = await call('read', 'missing.txt');
    expect(missing).toEqual({
      content: [{ type: 'text', text: 'there is no "missing.txt"' }],
      isError: true,
    });
    const settled = records.filter(({ type }) => type === 'settlement').at(-1);
    expect(settled).toMatchObject({ outcome: 'tool_error' });
  });

  test('an unknown handle, another spelling and another session are one refusal', async () => {
    const [shown] = session.tools();
    const other = program.open('hermes');
    const args = { cmd: 'ls' };
    const answers = [
      await session.call({ handle: '/object/zzzzzzzzzzzzzzzzzzzzzzzzzz', args }),
      await session.call({ tool: 'Sandbox__invoke', args }),
      await other.call({ handle: String(shown?.handle), args }),
    ];
    expect(answers.map(told)).toEqual(['no_such_cap', 'no_such_cap', 'no_such_cap']);
  });

  test('two calls run at a time, and a refresh in the middle leaves them alone while new ones see the new table', async () => {
    const first = call('save', 'a.txt');
    const second = call('save', 'b.txt');
    const [entry] = program.registry.table().values();
    const before = [...program.registry.table().values()];
    program.registry.unmount(before.map(({ tool }) => tool));
    expect(await call('read', 'notes.txt')).toBe('no_such_cap');
    expect(await Promise.all([first, second])).toEqual(['saved', 'saved']);
    expect(entry).toBeDefined();
    program.registry.mount(before);
    expect(await call('read', 'a.txt')).toBe('saved');
  });

  test('[S001.powers-stop] after its deadline the powers of a turn are gone, though they wait in the middle of a use', async () => {
    const began = performance.now();
    expect(await call('wait', '')).toBe('outcome_unknown');
    expect(await call('invoke', 'sleep 60')).toBe('outcome_unknown');
    expect(performance.now() - began).toBeLessThan(30_000);
    expect(await call('invoke', 'ls notes.txt')).toBe('notes.txt\n');
  }, 40_000);

  test('when its session is over, a use that is under way changes nothing any more', async () => {
    const mine = program.open('hermes');
    const late = mine.call({ tool: 'sandbox__save', args: { cmd: 'late.txt' } });
    mine.close();
    expect(told(await late)).toBe('no_such_cap');
    expect(existsSync(join(box, 'late.txt'))).toBe(false);
  });

  test('a person is asked for the call in whose turn it is asked, and no longer than that turn', async () => {
    const asked: (readonly [string, string | undefined])[] = [];
    const withdrawn: string[] = [];
    const ask: AskPerson = (text, signal, of) => {
      asked.push([text, of]);
      signal.addEventListener('abort', () => withdrawn.push(text));
      return text === 'yes' ? Promise.resolve('approved') : new Promise(() => undefined);
    };
    const port = { guard: (): void => {} };
    const asking = defineActor({ powers: { approval: powerOf.approval }, deadlineMs: 50 }, ({ write }) => ({
      step: write(jsonArguments(words), async ({ cmd }, { powers, id }) => {
        await powers.approval.request(cmd);
        return id;
      }),
    }));
    const grant = gathered({ approval: grantApproval({ ask, port }) });
    const tools = actorTools({ server: 'sandbox', actor: asking, powers: grant.power });
    const mine = openProgram({ policy, tools: [tools], record: () => undefined }).open('hermes');
    const ask_ = async (cmd: string): Promise<unknown> =>
      told(await mine.call({ tool: 'sandbox__step', args: { cmd } }));
    const id = await ask_('yes');
    expect(await ask_('later')).toBe('outcome_unknown');
    expect(await ask_('hid\u202eden')).toMatchObject({ isError: true });
    expect(asked[0]).toEqual(['yes', id]);
    expect(asked).toHaveLength(2);
    expect(withdrawn).toContain('later');
    await grant.revoke();
  });

  test('with a power missing there is no actor and no tool', () => {
    const { fs, net, clock } = gathered(grants).power.powers;
    const lonely = actorTools({ server: 'lonely', actor: bash, powers: { fs, net, clock } });
    expect([lonely.entries, lonely.missing]).toEqual([[], ['exec']]);
    // @ts-expect-error -- a power is missing
    const attempt = (): unknown => spawn(bash, { fs, net, clock });
    expect(attempt).toThrow(UsageError);
  });

  test('taking the files back takes the programs over them, and the running ones end', async () => {
    const port = { guard: (): void => {} };
    const fs = await grantFs({ root: box, port });
    const exec = await grantExec({ fs: fs.power, port, canaryFolder: join(base, 'canary') });
    const running = exec.power.shell('sleep 60; echo done > late.txt');
    const [ended] = await Promise.allSettled([running, fs.revoke()]);
    expect(ended).toMatchObject({ status: 'rejected', reason: { code: 'no_such_cap', reason: 'revoked' } });
    await expect(exec.power.run(['ls'])).rejects.toMatchObject({ code: 'no_such_cap' });
    await exec.revoke();
    expect(existsSync(join(box, 'late.txt'))).toBe(false);
  });

  test('the signal of what they were granted for takes powers back together', async () => {
    const port = { guard: (): void => {} };
    const life = new AbortController();
    const parts = { fs: await grantFs({ root: box, port }), clock: grantClock({ port }) };
    const { fs, clock } = gathered(parts, life.signal).power.powers;
    await fs.write('mine.txt', 'x');
    life.abort();
    await expect(fs.write('mine.txt', 'y')).rejects.toMatchObject({ reason: 'revoked' });
    expect(() => clock.now()).toThrow('taken back');
    expect(readFileSync(join(box, 'mine.txt'), 'utf8')).toBe('x');
  });
});
