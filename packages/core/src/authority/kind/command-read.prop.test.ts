/** Command lines at random: what the reader understands, a real shell understands alike, word for word. */
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { afterAll, describe, expect, test } from 'vitest';
import { type SimpleCommand, readCommands } from './command-read.js';
import { allCommands } from './command-language.js';
import { spelledCommand } from './command-text.js';

const dash = ['/usr/bin/dash', '/bin/dash'].find((path) => existsSync(path));
const folder = mkdtempSync(join(tmpdir(), 'commands-'));
const programs = join(folder, 'bin');
let runs = 0;
afterAll(() => {
  rmSync(folder, { recursive: true });
});

function makeShims(): void {
  mkdirSync(programs);
  for (const name of ['p', 'q']) {
    const script = `#!${dash ?? ''}\nprintf '%s\\0' ${name} "$@" > "$LOG/$$"\n`;
    writeFileSync(join(programs, name), script, { mode: 0o755 });
  }
  for (const name of ['timeout', 'nice', 'nohup', 'stdbuf', 'sh', 'time']) {
    const real = [`/usr/bin/${name}`, `/bin/${name}`].find((path) => existsSync(path));
    if (real !== undefined) symlinkSync(name === 'sh' ? (dash ?? real) : real, join(programs, name));
  }
}

/** The words that each program was started with, when a real shell runs the line in an empty folder. */
function started(line: string): readonly string[] {
  const cwd = join(folder, `run${runs++}`);
  mkdirSync(cwd);
  const log = join(folder, `log${runs}`);
  mkdirSync(log);
  try {
    const env = { PATH: programs, LOG: log, HOME: '/home/dev' };
    execFileSync(dash ?? '', ['-c', line], {
      cwd,
      env,
      stdio: ['ignore', 'ignore', 'ignore'],
      timeout: 20_000,
    });
  } catch (error) {
    if (!(error instanceof Error && 'status' in error && error.status !== null)) throw error;
  }
  return readdirSync(log)
    .map((name) => readFileSync(join(log, name), 'utf8'))
    .sort();
}

function wordsOf({ words }: SimpleCommand): string {
  const spelled = words.map(({ text, tilde }) => (tilde ? `/home/dev${text.slice(1)}` : text));
  return spelled.map((word) => `${word}\u0000`).join('');
}

const context = { root: '/run', home: '/home/dev', case: 'sensitive', platform: 'posix' } as const;

/** Whether a line may be run here: only the shims, nothing outside the folder, nothing that depends on files. */
function isHarmless(commands: readonly SimpleCommand[]): boolean {
  return commands.every(
    ({ words, redirects }) =>
      ['p', 'q'].includes(words[0]?.text ?? '') &&
      redirects.every(({ path, verb }) => verb === 'write' && /^\/run\/[^/]+$/u.test(path)) &&
      words.every(
        ({ glob, tilde, text }) =>
          (glob < 0 || (redirects.length === 0 && !/[./]/u.test(text))) &&
          (!tilde || /^~(?:$|\/)/u.test(text)),
      ),
  );
}

const usual = fc.constantFrom(
  'p',
  'q',
  ' ',
  ' ',
  ' ',
  'a',
  'b',
  '-n',
  '/',
  '.',
  'é',
  '😀',
  '1',
  '2',
  '\t',
  '\n',
  '=',
  'A=1 ',
  "A='x y' ",
);
const quoting = fc.constantFrom(
  "'",
  '"',
  '\\',
  '$',
  '`',
  "'x y'",
  '"x y"',
  '"a$"',
  '"\\$\\x"',
  '\\\n',
  "''",
  '"\\\\"',
  '~',
  " ~''",
  ' ~"/x"',
  " ~'x'/y",
  '"$1"',
  '$ ',
);
const special = fc.constantFrom(
  '*',
  '?',
  '[',
  ']',
  '[a]',
  '{',
  '}',
  '{}',
  '#',
  '!',
  '^',
  '%',
  '&',
  '(',
  ')',
  '{a,b}',
  'if ',
  'in ',
  'A+=1 ',
);
const joining = fc.constantFrom(
  ';',
  '; p ',
  ' && p ',
  ' || q ',
  ' | q ',
  '\nq ',
  '(p ',
  '; (q a); p',
  ' )',
  ' &\np ',
  ';;',
  '|&',
  '&>a',
);
const redirecting = fc.constantFrom(
  '>',
  '<',
  '>>a ',
  ' > a ',
  ' 2>&1 ',
  '2>b ',
  ' 12>b ',
  '>&-',
  ' >&a',
  '<<E\n',
  '<<E\na b\nE\n',
  "<<'E'\n$x\nE\nq ",
  '<<<a',
  '>|a ',
  'a1>b ',
);
const wrapping = fc.constantFrom(
  'timeout 5 ',
  'timeout -s KILL 5 p ',
  '; nice p ',
  'nice -n 3 p ',
  'command p ',
  'nohup p ',
  "sh -c 'p a'; p ",
  'sh -c "q \'x y\' | p"; q ',
  'stdbuf -oL p ',
);
const line = fc
  .array(
    fc.oneof(
      { arbitrary: usual, weight: 12 },
      { arbitrary: quoting, weight: 3 },
      { arbitrary: special, weight: 1 },
      { arbitrary: joining, weight: 2 },
      { arbitrary: redirecting, weight: 1 },
      { arbitrary: wrapping, weight: 1 },
    ),
    { maxLength: 9 },
  )
  .map((parts) => `p ${parts.join('')}`);

describe('command lines at random', () => {
  test('[P.kind.command] read as one text a command, which is spelled so that it reads as itself', () => {
    let accepted = 0;
    fc.assert(
      fc.property(line, (text) => {
        const read = readCommands(text, context);
        if (!read.ok) return;
        accepted++;
        for (const command of read.commands) {
          expect(allCommands.test(command.text)).toBe(true);
          const again = readCommands(spelledCommand(command.text), context);
          expect(again.ok && again.commands.map((each) => each.text)).toEqual([command.text]);
        }
      }),
      { numRuns: 4000 },
    );
    expect(accepted).toBeGreaterThan(800);
  });

  test.skipIf(dash === undefined)(
    '[P.kind.command] give a real dash exactly the words that were read (skipped where there is no dash)',
    () => {
      makeShims();
      let compared = 0;
      fc.assert(
        fc.property(line, (text) => {
          const read = readCommands(text, context);
          if (!read.ok || !isHarmless(read.commands)) return;
          compared++;
          const expected = read.commands.map(wordsOf).sort();
          const found = started(text);
          // A redirection that fails, or the other side of ||, may keep a command from starting.
          const all = !text.includes('||') && read.commands.every(({ redirects }) => redirects.length === 0);
          if (all) expect(found).toEqual(expected);
          for (const each of found) expect(expected).toContain(each);
        }),
        { numRuns: 800 },
      );
      expect(compared).toBeGreaterThan(100);
    },
    120_000,
  );
});
