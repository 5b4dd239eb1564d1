/** `pawl test`: what passes, what fails and how it is told, and what is no case. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { pawl } from '../../../../test/command-line.js';

const folder = mkdtempSync(join(tmpdir(), 'pawl-test-'));
afterAll(() => rmSync(folder, { recursive: true }));

const policy = join(folder, 'policy.yaml');
writeFileSync(
  policy,
  `pawl: 1
servers: { s: { command: x } }
agents:
  a:
    allow:
      - { tools: [s/read] }
      - { tools: [s/pay], where: { args.to: ann, args.sum: { max: 10 } }, uses: 2 }
      - { tools: [s/mail], where: { args.to: any }, ask: once }
  b:
    allow: [ { tools: [s/read] } ]
instances: { b/x: {} }
`,
);

let files = 0;
function casesFile(...lines: readonly unknown[]): string {
  files += 1;
  const file = join(folder, `${files}.jsonl`);
  writeFileSync(
    file,
    lines.map((line) => `${typeof line === 'string' ? line : JSON.stringify(line)}\n`).join(''),
  );
  return file;
}

const run = (file: string, ...more: readonly string[]): ReturnType<typeof pawl> =>
  pawl('test', file, '--policy', policy, ...more);

const read = { id: 'read', agent: 'a', tool: 's/read', args: {} };
const pay = { id: 'pay', agent: 'a', tool: 's/pay', args: { to: 'ann', sum: 5 } };
const mail = { id: 'mail', agent: 'a', tool: 's/mail', args: { to: 'x' } };

describe('[P.cli.test] cases', () => {
  test('pass when decision, code, layer, constraint, arguments and fills are the expected ones', async () => {
    const file = casesFile(
      { ...read, expect: 'permit' },
      {
        ...pay,
        args: { sum: 5 },
        expect: { decision: 'permit', args: { sum: 5, to: 'ann' }, filled: ['args.to'] },
      },
      '',
      {
        ...pay,
        args: { to: 'bo', sum: 5 },
        expect: { decision: 'deny', code: 'not_permitted', layer: 'policy', constraint: 'args.to' },
      },
      { ...mail, expect: { decision: 'ask', code: 'consent_required', layer: 'ask' } },
      { ...mail, assumeConsent: true, expect: 'permit' },
      {
        ...mail,
        assume_consent: true,
        expect: { decision_in: ['permit', 'ask'], rule: 'agents.a.allow[2]' },
      },
    );
    expect(await run(file)).toEqual({ exit: 0, out: '6 passed, 0 failed\n', err: '' });
  });

  test('fail with one line each: expected, got, rule and message', async () => {
    const file = casesFile(
      { ...read, expect: 'deny' },
      { ...pay, args: { to: 'bo', sum: 5 }, expect: { decision: 'deny', code: 'denied' } },
      { ...pay, expect: { decision: 'permit', args: { to: 'bo', sum: 5 } } },
      { ...pay, expect: { decision: 'permit', filled: ['args.to'] } },
    );
    const { exit, out } = await run(file);
    expect(exit).toBe(1);
    expect(out.trim().split('\n')).toEqual([
      `${file}:1: read: expected deny, got permit (by agents.a.allow[0])`,
      expect.stringMatching(
        /:2: pay: expected deny denied, got deny not_permitted policy args\.to \(by agents\.a\.allow\[1\]: s__pay: .*\)$/u,
      ),
      expect.stringContaining(
        'expected permit args {"sum":5,"to":"bo"}, got permit args {"sum":5,"to":"ann"}',
      ),
      expect.stringContaining('expected permit filled args.to, got permit filled nothing'),
      '0 passed, 4 failed',
    ]);
  });

  test('are told apart by agent, instance and session', async () => {
    const spent = { decision: 'deny', code: 'limit_used_up' };
    const file = casesFile(
      { ...pay, expect: 'permit' },
      { ...pay, expect: 'permit' },
      { ...pay, expect: spent },
      { ...pay, session: 'another', expect: 'permit' },
      { ...read, agent: 'b', expect: { decision: 'deny', code: 'no_instance' } },
      { ...read, agent: 'b', instance: 'x', expect: 'permit' },
      { ...read, agent: 'c', expect: { decision: 'deny', code: 'no_agent', layer: 'agent' } },
      { id: 'who', tool: 's/read', expect: { decision: 'deny', code: 'no_agent' } },
    );
    expect(await run(file)).toMatchObject({ exit: 0, out: '8 passed, 0 failed\n' });
    expect(await run(casesFile({ tool: 's/read', expect: 'permit' }), '--agent', 'a')).toMatchObject({
      exit: 0,
    });
  });

  test('of several files are counted for each file, and told by --json with rules', async () => {
    const one = casesFile({ ...pay, expect: 'permit' }, { ...pay, expect: 'permit' });
    const { exit, out } = await pawl('test', one, one, '--policy', policy, '--json');
    expect(exit).toBe(0);
    const told = JSON.parse(out) as { cases: unknown[] };
    expect(told).toMatchObject({ passed: 4, failed: 0 });
    expect(told.cases[0]).toMatchObject({
      file: one,
      line: 1,
      passed: true,
      expect: { decision: 'permit' },
      got: { decision: 'permit', rules: ['agents.a.allow[1]'] },
    });
  });

  test('may be whole messages and texts of arguments', async () => {
    const params = '{"name":"s__read","arguments":{}}';
    const file = casesFile(
      {
        agent: 'a',
        message: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}`,
        expect: 'permit',
      },
      {
        agent: 'a',
        tool: 's/read',
        raw: '{"a":1,"a":2}',
        expect: { decision: 'deny', code: 'malformed_arguments' },
      },
    );
    expect(await run(file)).toMatchObject({ exit: 0 });
  });
});

describe('[P.cli.test] exit 3 with the line for', () => {
  test.each([
    ['an unknown key', { ...read, expext: 'permit' }, 'the key "expext"'],
    ['an unknown key of expect', { ...read, expect: { decison: 'permit' } }, 'the key "decison"'],
    ['nothing expected', read, 'no "expect"'],
    ['no decision', { ...read, expect: { code: 'denied' } }, 'no "decision"'],
    ['an unknown decision', { ...read, expect: 'allow' }, 'permit, ask, deny'],
    ['an empty choice', { ...read, expect: { decision_in: [] } }, 'permit, ask, deny'],
    ['an unknown code', { ...read, expect: { decision: 'deny', code: 'forbidden' } }, 'code "forbidden"'],
    ['an unknown layer', { ...read, expect: { decision: 'deny', layer: 'x' } }, 'layer "x"'],
    ['fills that are no list', { ...read, expect: { decision: 'permit', filled: 'x' } }, '"filled"'],
    ['consent that is no boolean', { ...read, assumeConsent: 1, expect: 'permit' }, '"assumeConsent"'],
    ['no tool', { id: 1, expect: 'permit' }, 'no "tool"'],
    ['no object', '[]', 'no JSON object'],
    ['a key twice', '{"tool":"s/read","tool":"s/pay","expect":"deny"}', 'no JSON object'],
  ])('%s', async (_, line, found) => {
    const file = casesFile({ ...read, expect: 'permit' }, line);
    const { exit, out, err } = await run(file);
    expect({ exit, out }).toEqual({ exit: 3, out: '' });
    expect(err).toContain(`${file}:2:1: `);
    expect(err).toContain(found);
  });

  test('a file without cases, a file that is not there, and a policy that does not load', async () => {
    expect(await run(casesFile())).toMatchObject({ exit: 3 });
    expect(await run(join(folder, 'absent.jsonl'))).toMatchObject({ exit: 3 });
    const broken = join(folder, 'broken.yaml');
    writeFileSync(broken, 'pawl: 2\n');
    const file = casesFile({ ...read, expect: 'permit' });
    expect(await pawl('test', file, '--policy', broken)).toMatchObject({ exit: 3, out: '' });
    expect(await pawl('test', '--policy', policy)).toMatchObject({ exit: 2 });
    expect(await pawl('test', file)).toMatchObject({ exit: 2 });
  });
});
