/** Powers in the hands of code that means harm: what it hands over is not what it says, and it does not wait. */
import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { describeWithSandbox } from '../../../../test/bubblewrap.js';
import {
  type FileJudge,
  type Grant,
  boundedFs,
  grantApproval,
  grantClock,
  grantExec,
  grantFs,
  grantNet,
  grantSecrets,
} from './index.js';

const port = { guard: (): void => {} };
const grants: Grant<unknown>[] = [];
let base = '';
let box = '';

beforeEach(() => {
  base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-hostile-')));
  box = join(base, 'box');
  mkdirSync(join(box, 'sub'), { recursive: true });
  mkdirSync(join(base, 'canary'));
  writeFileSync(join(base, 'secret.txt'), 'secret');
  writeFileSync(join(box, 'one.txt'), 'one');
});
afterEach(async () => {
  await Promise.all(grants.splice(0).map((grant) => grant.revoke()));
  rmSync(base, { recursive: true });
});

function kept<Power>(grant: Grant<Power>): Power {
  grants.push(grant);
  return grant.power;
}

async function codeOf(work: Promise<unknown>): Promise<unknown> {
  return work.then(
    () => 'was allowed',
    (why: unknown) => (why as { code?: string }).code ?? String(why),
  );
}

/** Looks like an honest path to whoever asks, and leads out. */
const forgedPaths: Readonly<Record<string, () => unknown>> = {
  'an object with the methods of a text': () => ({
    includes: () => false,
    startsWith: () => false,
    split: () =>
      Object.assign(['..', 'secret.txt'], {
        includes: () => false,
        filter: (): unknown => ['..', 'secret.txt'],
      }),
    toString: () => 'one.txt',
  }),
  'a text object': () => Object.assign(Object('one.txt'), { split: () => ['..', 'secret.txt'] }),
  'a list of names': () => ['..', 'secret.txt'],
  'a text that is another one each time': () => {
    const texts = ['one.txt', 'one.txt', '../secret.txt'];
    return { [Symbol.toPrimitive]: () => texts.shift() ?? '../secret.txt' };
  },
  undefined: () => undefined,
  'a buffer': () => Buffer.from('../secret.txt'),
};

describe('an fs power', () => {
  test.each(Object.entries(forgedPaths))('takes no path that is %s', async (_, make) => {
    const power = kept(await grantFs({ root: box, port }));
    const judge: FileJudge = { permits: () => true, permitsMove: () => true };
    for (const fs of [power, boundedFs([power], judge)]) {
      const path = (): string => make() as string;
      const uses = [
        fs.read(path()),
        fs.readText(path()),
        fs.list(path()),
        fs.stat(path()),
        fs.search(path(), { name: '*' }),
        fs.write(path(), 'x'),
        fs.mkdir(path()),
        fs.move(path(), 'moved'),
        fs.move('one.txt', path()),
      ];
      for (const code of await Promise.all(uses.map(codeOf))) expect(code).not.toBe('was allowed');
    }
    expect(readdirSync(base).sort()).toEqual(['box', 'canary', 'secret.txt']);
    expect(readdirSync(box).sort()).toEqual(['one.txt', 'sub']);
  });

  test('writes the bytes that there are, not those that an object claims', async () => {
    class Small extends Uint8Array {
      override get length(): number {
        return 1;
      }
    }
    const power = kept(await grantFs({ root: box, port, bounds: { fileBytes: 100 } }));
    expect(await codeOf(power.write('big', new Small(1000)))).toBe('too_large');
    for (const content of [{ length: 3 }, 7, null, [1, 2], new DataView(new ArrayBuffer(4))])
      expect(await codeOf(power.write('odd', content as never))).toBe('bad_request');
    expect(await codeOf(power.write('odd', 'x', { mode: 'anyhow' as never }))).toBe('bad_request');
    expect(readdirSync(box).sort()).toEqual(['one.txt', 'sub']);
  });

  test('finds no more than it was asked for, however that is said', async () => {
    for (let at = 0; at < 20; at += 1) writeFileSync(join(box, `f${at}`), '');
    const power = kept(await grantFs({ root: box, port, bounds: { entries: 30 } }));
    expect(await power.search('.', { name: 'f*', most: 3 })).toHaveLength(3);
    for (const most of [0, -1, 0.5, Number.NaN, '3', Infinity])
      expect(await codeOf(power.search('.', { name: '*', most: most as never }))).toBe('bad_request');
    expect(await codeOf(power.search('.', { name: /f/u as never }))).toBe('bad_request');
  });

  test('bounded by a judge is never asked about another path than the one it uses', async () => {
    const power = kept(await grantFs({ root: box, port }));
    const asked: string[] = [];
    const judge: FileJudge = {
      permits: (use, path) => {
        asked.push(`${use} ${path}`);
        return path === `${box}/one.txt`;
      },
      permitsMove: () => false,
    };
    const fs = boundedFs([power], judge);
    symlinkSync('one.txt', join(box, 'link'));
    linkSync(join(box, 'one.txt'), join(base, 'hard'));
    for (const path of ['sub/../one.txt', './/one.txt/', `${box}//one.txt`, `${base}/box/../box/one.txt`])
      await codeOf(fs.read(path));
    expect(await codeOf(fs.read('link'))).toBe('out_of_scope');
    expect(await codeOf(fs.read('one.txt'))).toBe('out_of_scope');
    expect(await codeOf(fs.remove('one.txt'))).toBe('out_of_scope');
    expect(await codeOf(fs.move('one.txt', 'two.txt'))).toBe('out_of_scope');
    expect(new Set(asked)).toEqual(new Set([`read ${box}/one.txt`, `read ${box}/link`]));
  });
});

describe('a net power', () => {
  test('takes texts and bytes, and nothing that only looks like them', async () => {
    const net = kept(grantNet({ hosts: ['api.example'], port, lookup: async () => ['127.0.0.1'] }));
    const url = { toString: () => 'http://api.example/' } as never;
    expect(await codeOf(net.request(url))).toBe('bad_request');
    const good = 'http://api.example/';
    const inits = [
      { method: { toUpperCase: () => 'GET' } },
      { headers: { a: ['x', 'host: other'] } },
      { headers: { a: { toString: () => 'x' } } },
      { body: (async function* () {})() },
      { body: { length: 1 } },
    ];
    for (const init of inits) expect(await codeOf(net.request(good, init as never))).toBe('bad_request');
  });
});

describe('powers over other things', () => {
  test('an approval is asked for a text, which is the one that is shown', async () => {
    const shown: unknown[] = [];
    const ask = async (text: string): Promise<'approved'> => {
      shown.push(text);
      return 'approved';
    };
    const approval = kept(grantApproval({ ask, port }));
    const texts = ['pay 1', 'pay 1', 'pay 1000'];
    const forged = { trim: () => 'x', length: 5, toString: () => texts.shift() };
    expect(await codeOf(approval.request(forged as never))).toBe('bad_request');
    expect(await codeOf(approval.request(['pay 1'] as never))).toBe('bad_request');
    expect(shown).toEqual([]);
  });

  test('a secret is named by a text, and time is a number', async () => {
    const source = { get: async () => 'a long secret' };
    const secret = kept(grantSecrets({ names: ['a'], source, port }));
    expect(await codeOf(secret.read({ toString: () => 'a' } as never))).toBe('bad_request');
    const clock = kept(grantClock({ port }));
    expect(await codeOf(clock.sleep({ valueOf: () => 1 } as never))).toBe('bad_request');
  });
});

describeWithSandbox('an exec power', () => {
  test('runs the words that were judged, though the list changes meanwhile', async () => {
    const fs = kept(await grantFs({ root: box, port }));
    const exec = kept(await grantExec({ fs, port, canaryFolder: join(base, 'canary') }));
    const argv: [string, ...string[]] = ['echo', 'judged'];
    const running = exec.run(argv);
    argv[1] = 'changed';
    argv.push('more');
    expect((await running).stdout).toBe('judged\n');
    let reads = 0;
    const moving = new Proxy(['echo', 'x'], {
      get: (target, key): unknown => (key === '1' ? `read ${(reads += 1)}` : Reflect.get(target, key)),
    }) as never;
    expect((await exec.run(moving)).stdout).toBe('read 1\n');
    for (const words of [[], ['ls', { toString: () => '/etc' }], 'ls', [undefined]])
      expect(await codeOf(exec.run(words as never))).toMatch(/bad_request|malformed_arguments|out_of_scope/u);
    expect(await codeOf(exec.shell({ toString: () => 'ls' } as never))).toBe('bad_request');
    expect(await codeOf(exec.run(['ls'], { cwd: ['/etc'] as never }))).toBe('bad_request');
    expect(await codeOf(exec.run(['cat'], { input: { pipe: () => undefined } as never }))).toBe(
      'bad_request',
    );
  });

  test('bounds how many run at a time, also when all of them are asked for in one step', async () => {
    const fs = kept(await grantFs({ root: box, port }));
    const exec = kept(await grantExec({ fs, port, canaryFolder: join(base, 'canary') }));
    const codes = await Promise.all(Array.from({ length: 24 }, () => codeOf(exec.run(['true']))));
    expect(codes.filter((code) => code === 'failed')).toHaveLength(8);
  });

  test('ends what forks away, closes its outputs and floods them', async () => {
    const fs = kept(await grantFs({ root: box, port }));
    const bounds = { deadlineMs: 1_500, outputBytes: 1000 };
    const exec = kept(await grantExec({ fs, port, canaryFolder: join(base, 'canary'), bounds }));
    writeFileSync(
      join(box, 'away.sh'),
      '(setsid sh -c "sleep 3; echo late > late.txt" > /dev/null 2>&1 &) ; (setsid yes) & sleep 5\n',
    );
    const ended = await exec.run(['sh', 'away.sh']);
    expect(ended).toMatchObject({ timedOut: true, truncated: true });
    expect(ended.stdout.length).toBeLessThanOrEqual(1000);
    await new Promise((later) => setTimeout(later, 2_500));
    expect(readdirSync(box)).not.toContain('late.txt');
  });
});
