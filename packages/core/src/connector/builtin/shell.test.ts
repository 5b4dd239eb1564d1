/** The shell table: against the tools that real servers list, and what its calls are answered. */
import { describe, expect, test } from 'vitest';
import { classedBy, listedBy } from '../../../../../test/drift.js';
import { type Gate, type Tools, gate } from '../../../../../test/policies.js';
import { describeWithShared } from '../../../../../test/shared.js';
import { shell } from './shell.js';

describeWithShared('the table of shell', 'data/mcp-tools', (folder) => {
  const table = classedBy(shell, { start_process: ['shell'] });

  test('[S002.table-drift] lists exactly the tool of mcp-server-commands', () => {
    const real = listedBy(folder, 'mcp-server-commands');
    expect([...real]).toEqual([['run_command', table.get('run_command')]]);
  });

  test('[S002.table-drift] classes the arguments of start_process of Desktop Commander but the shell itself', () => {
    const real = listedBy(folder, '@wonderwhy-er/desktop-commander');
    expect(table.get('start_process')).toEqual(real.get('start_process'));
  });
});

const text = { type: 'string' };
const tools: Tools = {
  sh: {
    run_command: {
      type: 'object',
      properties: { command: text, workdir: text, stdin: text },
      required: ['command'],
    },
    start_process: {
      type: 'object',
      properties: { command: text, timeout_ms: { type: 'number' }, shell: text },
      required: ['command', 'timeout_ms'],
    },
  },
};

function under(lists: string, root = ', root: /proj'): Gate {
  return gate(
    `pawl: 1\nservers: { sh: { command: x, connector: shell${root} } }\nagents: { a: { ${lists} } }\n`,
    tools,
  );
}

describe('[P.connector.shell] calls of a shell', () => {
  const run = (policy: Gate, command: string, more = {}): boolean =>
    policy.permits('sh/run_command', { command, ...more });

  test('are bounded by command and by path, from the working directory', () => {
    const own = under(
      'allow: [ { tools: [sh/run_command], where: { command: { program: [cat, ls] }, path: /data/** } } ]',
    );
    expect(run(own, 'cat /data/a')).toBe(true);
    expect(run(own, 'cat a')).toBe(false);
    expect(run(own, 'cat a', { workdir: '/data' })).toBe(true);
    expect(run(own, 'ls', { workdir: '/data/x' })).toBe(true);
    expect(run(own, 'ls', { workdir: '/etc' })).toBe(false);
    expect(run(own, 'cat ../etc/passwd', { workdir: '/data' })).toBe(false);
    expect(run(own, 'cat a > b', { workdir: '/data', stdin: 'x' })).toBe(true);
    expect(run(own, 'rm /data/a')).toBe(false);
    expect(own.permits('sh/run_command', { command: ['cat /data/a'] })).toBe(false);
  });

  test('keep the home of another user out', () => {
    const own = under(
      'allow: [ { tools: ["sh/*"], where: { command: { program: ["*"] }, path: /workspace/** } } ]',
    );
    expect(own.call('sh/run_command', { command: 'cat ~root/.bashrc', workdir: '/workspace' })).toMatchObject(
      { code: 'malformed_arguments', layer: 'decode' },
    );
    expect(run(own, 'cat ~/.bashrc', { workdir: '/workspace' })).toBe(false);
  });

  test('are free where no rule constrains them, whatever they are', () => {
    const own = under('allow: [ { tools: [sh/run_command] } ]');
    expect(run(own, 'ls $(cat x) &')).toBe(true);
    expect(run(own, 'ls')).toBe(true);
    expect(run(under('allow: [ { tools: [sh/run_command], verbs: [execute] } ]'), 'ls $(cat x) &')).toBe(
      false,
    );
    const denied = under('allow: [ { tools: [sh/run_command] } ], deny: [ { where: { path: "**/.env" } } ]');
    expect(run(denied, 'ls $(cat .env)')).toBe(false);
    expect(run(denied, 'cat .env')).toBe(false);
    expect(run(denied, 'cat a')).toBe(true);
  });

  test('stay within ceilings of command and path', () => {
    const own = under(
      'ceiling: { shell: { command: { program: [git, ls] }, path: /proj/** } }, allow: [ { tools: ["sh/*"] } ]',
    );
    expect(run(own, 'git status > log; ls')).toBe(true);
    expect(own.call('sh/run_command', { command: 'git a; rm b' })).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
    });
    expect(own.call('sh/run_command', { command: 'ls /etc' }).constraint).toMatch(/^shell\.path/u);
  });

  test('take another shell only where a rule frees it', () => {
    const own = under('allow: [ { tools: ["sh/*"], where: { command: { program: [ls] } } } ]');
    expect(own.permits('sh/start_process', { command: 'ls', timeout_ms: 10 })).toBe(true);
    expect(own.call('sh/start_process', { command: 'ls', timeout_ms: 10, shell: 'fish' }).constraint).toBe(
      'args.shell',
    );
  });

  test('show their commands as they would be written', () => {
    const own = under('allow: [ { tools: [sh/run_command] } ]');
    expect(
      own
        .call('sh/run_command', { command: `cat 'a b'|wc -l` })
        .accesses.map(({ verb, command }) => [verb, command]),
    ).toEqual([
      ['execute', "cat 'a b'"],
      ['read', "cat 'a b'"],
      ['execute', 'wc -l'],
      ['read', 'wc -l'],
    ]);
  });

  test.each(['', 'C:\\x'])('of an empty line are refused, and on win32 all are', (command) => {
    const own = under(
      'allow: [ { tools: ["sh/*"], where: { command: { program: ["*"] } } } ]',
      ', platform: win32',
    );
    expect(own.call('sh/run_command', { command }).code).toBe('malformed_arguments');
  });

  test('[P.policy.positions] a bare word is no constraint on a command', () => {
    expect(() => under('allow: [ { tools: ["sh/*"], where: { command: ls } } ]')).toThrow('short form');
  });
});
