import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { honestSources, oddAnswers, refusedSources } from '../../../../test/hazard/hostile-tools.js';
import { DenialError, PowerFailure, grantClock, grantFs, grantNet } from '../power/index.js';
import {
  type Compartment,
  type CompartmentBounds,
  type Module,
  type Powers,
  CompartmentFailure,
  Compartments,
  whyNoCompartment,
} from './index.js';
import { checkedSource } from './check.js';

const wish = { deadlineMs: 20_000 };
const utf8 = new TextEncoder();
const shared = new Compartments();
const all: Compartments[] = [shared];
afterAll(() => {
  for (const each of all) each.close();
});

function filesOf(files: Readonly<Record<string, string>>): ReadonlyMap<string, Uint8Array> {
  return new Map(Object.entries(files).map(([path, text]) => [path, utf8.encode(text)]));
}

async function load(files: Readonly<Record<string, string>>, entry = 'main.js'): Promise<Module> {
  const module = (await shared.load(filesOf(files), [entry])).get(entry);
  if (module === undefined) throw new Error('nothing was loaded');
  return module;
}

async function open(source: string, powers: Powers = {}, from: Compartments = shared): Promise<Compartment> {
  return from.open(await load({ 'main.js': source }), powers);
}

function bounded(bounds: Partial<CompartmentBounds>): Compartments {
  const made = new Compartments(bounds);
  all.push(made);
  return made;
}

function isRefusedAlone(source: string): boolean {
  try {
    checkedSource(source);
    return false;
  } catch {
    return true;
  }
}

/** Processes that this one started. */
function children(): readonly string[] {
  const tasks = readdirSync('/proc/self/task').map((task) =>
    readFileSync(`/proc/self/task/${task}/children`, 'utf8'),
  );
  return tasks
    .join(' ')
    .split(' ')
    .filter((pid) => pid !== '');
}

async function failure(work: Promise<unknown>): Promise<CompartmentFailure> {
  const error: unknown = await work.then(
    (value) => new Error(`it worked: ${JSON.stringify(value)}`),
    (thrown: unknown) => thrown,
  );
  if (error instanceof CompartmentFailure) return error;
  throw error;
}

describe('[P.compartment.load] loading a module', () => {
  test('loads what a folder holds, with modules, data and packages inside it', async () => {
    const module = await load(
      {
        'tools/main.js':
          "import { half } from '../lib/half.js'; import table from './table.json'; import { twice } from 'twice';\nexport default ({ of }) => twice(half(of)) + table.plus; export const other = 1;",
        'lib/half.js': 'export const half = (x) => x / 2;',
        'tools/table.json': '{ "plus": 1 }',
        'package.json': '{ "name": "box", "type": "module", "dependencies": { "twice": "1" } }',
        'node_modules/twice/package.json':
          '{ "name": "twice", "version": "1.0.0", "type": "module", "main": "index.js" }',
        'node_modules/twice/index.js': 'export const twice = (x) => x * 2;',
      },
      'tools/main.js',
    );
    expect([...module.methods].sort()).toEqual(['default', 'other']);
    const compartment = await shared.open(module, {});
    expect(await compartment.call('default', { of: 10 }, wish)).toBe(11);
    compartment.close();
  });

  // What the source alone tells is tried in check.test.ts; here it takes a process that links.
  const linked = Object.entries(refusedSources).filter(([, source]) => !isRefusedAlone(source));
  test.each(linked)('refuses %s', async (_, source) => {
    const loaded = await load({ 'main.js': source }).then(
      ({ methods }) => methods.includes('default'),
      (error: unknown) => {
        expect(error).toMatchObject({ name: 'CompartmentFailure', code: 'refused' });
        return false;
      },
    );
    expect(loaded).toBe(false);
  });

  test('loads and runs what only looks like what is refused', async () => {
    const files = Object.fromEntries(
      Object.values(honestSources).map((source, at) => [`honest-${at}.js`, source]),
    );
    const modules = await shared.load(filesOf(files), Object.keys(files));
    const answers: Record<string, unknown> = {};
    for (const [at, name] of Object.keys(honestSources).entries()) {
      const module = modules.get(`honest-${at}.js`);
      if (module === undefined) continue;
      const compartment = await shared.open(module, {});
      answers[name] = await compartment.call('default', {}, wish);
      compartment.close();
    }
    expect(answers).toEqual(Object.fromEntries(Object.keys(honestSources).map((name) => [name, 'ok'])));
  });

  test.each<readonly [string, Readonly<Record<string, string>>]>([
    [
      'a package whose main is outside',
      { 'package.json': '{"name":"dep","type":"module","main":"../../../x.js"}' },
    ],
    [
      'a package that exports what is outside',
      { 'package.json': '{"name":"dep","type":"module","exports":"./../../../x.js"}' },
    ],
    [
      'a package that is of the old kind',
      { 'package.json': '{"name":"dep","main":"index.js"}', 'index.js': "exports.x = require('fs');" },
    ],
    [
      'a package that imports a module of node',
      { 'package.json': '{"name":"dep","type":"module"}', 'index.js': "import 'fs'; export const x = 1;" },
    ],
    [
      'a package that imports later',
      {
        'package.json': '{"name":"dep","type":"module"}',
        'index.js': "export const x = () => import('fs');",
      },
    ],
    ['a package that cannot be read', { 'package.json': '{"name":' }],
  ])('refuses %s', async (_, dep) => {
    const inside = Object.entries(dep).map(([name, text]) => [`node_modules/dep/${name}`, text]);
    const files = {
      'main.js': "import { x } from 'dep'; export default () => x;",
      'package.json': '{ "name": "box", "type": "module", "dependencies": { "dep": "1" } }',
      'x.js': 'export const x = 1;',
      ...Object.fromEntries(inside),
    };
    expect(await failure(load(files))).toMatchObject({ code: 'refused' });
  });

  test('says which file it is', async () => {
    const why = await failure(
      load({ 'main.js': "import './deep/far.js'; export default () => 1;", 'deep/far.js': "require('fs');" }),
    );
    expect(why).toMatchObject({ code: 'refused', file: 'deep/far.js' });
    expect(why.message).toContain('require');
  });

  test('runs nothing of it', async () => {
    const module = await load({ 'main.js': 'for (;;); export default () => 1;' });
    expect(module.methods).toEqual(['default']);
  });
});

describe('[S001.compartment] a call', () => {
  test('gets a copy of its arguments and gives a copy of what it returns', async () => {
    const compartment = await open(
      'export default (args) => { try { args.list.push(1); } catch { return { got: args.list, frozen: Object.isFrozen(args) }; } };',
    );
    expect(await compartment.call('default', { list: [1, 'zwei', null, { drei: 3.5 }] }, wish)).toEqual({
      got: [1, 'zwei', null, { drei: 3.5 }],
      frozen: true,
    });
    compartment.close();
  });

  test('several run at a time in one compartment, and each opening starts from nothing', async () => {
    const source = `
      let count = 0;
      let wake;
      const both = new Promise((done) => (wake = done));
      export const seen = () => count;
      export default async ({ name }) => {
        count += 1;
        if (count === 2) wake();
        await both;
        return name;
      };`;
    const compartment = await open(source);
    const calls = ['one', 'two'].map((name) => compartment.call('default', { name }, wish));
    expect(await Promise.all(calls)).toEqual(['one', 'two']);
    expect(await compartment.call('seen', {}, wish)).toBe(2);
    compartment.close();
    const other = await open(source);
    expect(await other.call('seen', {}, wish)).toBe(0);
    other.close();
  });

  test('of what is no function is refused, inherited names too', async () => {
    const compartment = await open('export const one = 1; export default () => 1;');
    for (const method of ['one', 'two', 'constructor', '__proto__', 'toString'])
      expect(await failure(compartment.call(method, {}, wish))).toMatchObject({ code: 'threw' });
    expect(await compartment.call('default', {}, wish)).toBe(1);
    compartment.close();
  });

  test('a module whose own code throws, or does not end, does not open', async () => {
    expect(await failure(open("throw new Error('not today'); export default () => 1;"))).toMatchObject({
      code: 'refused',
      message: 'the module does not start: not today',
    });
  });

  describe('of what is no answer', () => {
    let compartment: Compartment;
    beforeAll(async () => {
      const functions = Object.values(oddAnswers).map(
        (body, at) => `export const odd${at} = async () => { ${body} };`,
      );
      compartment = await open(`${functions.join('\n')}\nexport const next = () => 'still here';`);
    });
    afterAll(() => compartment.close());

    test.each(Object.keys(oddAnswers).map((name, at) => [name, at] as const))(
      '%s is plain data or an error, and the next call works',
      async (_, at) => {
        const answer: unknown = await compartment.call(`odd${at}`, {}, wish).catch((error: unknown) => error);
        if (answer instanceof Error) {
          expect(answer).toBeInstanceOf(CompartmentFailure);
          expect(answer.message).toMatch(/^[\P{C}]{1,1000}$/u);
        } else expect(JSON.parse(JSON.stringify(answer ?? null))).toEqual(answer ?? null);
        expect({}).not.toHaveProperty('polluted');
        expect(await compartment.call('next', {}, wish)).toBe('still here');
      },
    );
  });

  test('after its deadline is ended, and with it every other call of the compartment', async () => {
    const compartment = await open(
      'export const spin = () => { for (;;); }; export default () => new Promise(() => {});',
    );
    const [waiting, spinning] = [
      failure(compartment.call('default', {}, wish)),
      failure(compartment.call('spin', {}, { deadlineMs: 100 })),
    ];
    expect(await spinning).toMatchObject({ code: 'timeout' });
    expect(await waiting).toMatchObject({ code: 'timeout' });
    expect(await failure(compartment.call('default', {}, wish))).toMatchObject({ code: 'timeout' });
  });

  test('is ended when nobody waits any more', async () => {
    const compartment = await open('export default () => { for (;;); };');
    const end = new AbortController();
    const call = failure(compartment.call('default', {}, { ...wish, signal: end.signal }));
    end.abort();
    expect(await call).toMatchObject({ code: 'closed' });
  });

  test('a result may be as large as it is allowed to be and no larger', async () => {
    const small = bounded({ resultBytes: 1000 });
    const compartment = await open("export default ({ size }) => 'x'.repeat(size);", {}, small);
    expect(await compartment.call('default', { size: 998 }, wish)).toHaveLength(998);
    expect(await failure(compartment.call('default', { size: 999 }, wish))).toMatchObject({
      code: 'too_large',
    });
    expect(await compartment.call('default', { size: 1 }, wish)).toBe('x');
    compartment.close();
  });

  test('leaves no process behind, however it ended', async () => {
    const own = bounded({});
    const module = await load({
      'main.js': 'export default () => { for (;;); }; export const one = () => 1;',
    });
    const before = new Set(children());
    const compartment = await own.open(module, {});
    expect(await compartment.call('one', {}, wish)).toBe(1);
    const begun = children().filter((pid) => !before.has(pid));
    expect(begun.length).toBeGreaterThan(0);
    expect(await failure(compartment.call('default', {}, { deadlineMs: 100 }))).toMatchObject({
      code: 'timeout',
    });
    own.close();
    await expect.poll(() => children().filter((pid) => begun.includes(pid)), { timeout: 10_000 }).toEqual([]);
  });

  test('no more than sixteen are open at a time; others wait in line, for a while', async () => {
    const module = await load({ 'main.js': 'export default () => 1;' });
    const few = bounded({ heapMiB: 32, memoryMiB: 256, waitMs: 500 });
    const open: Compartment[] = [];
    for (let at = 0; at < 16; at += 1) open.push(await few.open(module, {}));
    expect(await failure(few.open(module, {}))).toMatchObject({ code: 'busy' });
    const gone = new AbortController();
    const left = failure(few.open(module, {}, { signal: gone.signal }));
    gone.abort();
    expect(await left).toMatchObject({ code: 'closed' });
    const next = few.open(module, {});
    for (const each of open) each.close();
    (await next).close();
    (await few.open(module, {})).close();
  });

  test('one that nobody waits for any more is ended while it opens', async () => {
    const own = bounded({});
    const module = await load({ 'main.js': 'for (;;); export default () => 1;' });
    const before = new Set(children());
    const gone = new AbortController();
    const opening = failure(own.open(module, {}, { signal: gone.signal }));
    await expect.poll(() => children().filter((pid) => !before.has(pid)).length).toBeGreaterThan(0);
    gone.abort();
    expect(await opening).toMatchObject({ code: 'closed' });
    own.close();
    await expect.poll(() => children().filter((pid) => !before.has(pid)), { timeout: 10_000 }).toEqual([]);
  });

  test('arguments are data, whatever their names look like', async () => {
    const compartment = await open('export default (args) => args;');
    const args = {
      '\u0000bytes': 'AAAA',
      in: { '\u0000bytes': 'AAAA', constructor: 1, toJSON: 'x', hasOwnProperty: null },
    };
    expect(await compartment.call('default', args, wish)).toEqual(args);
    compartment.close();
  });

  test('counts only after a probe was refused what it should be refused', async () => {
    expect(await whyNoCompartment(shared)).toBeUndefined();
  });
});

describe('[S001.compartment] a power', () => {
  const answer = Object.freeze({
    status: 200,
    headers: { 'content-type': 'text/plain' },
    url: 'https://a.example/',
    body: utf8.encode('grüß'),
    text: () => 'grüß',
  });
  const seen: unknown[] = [];
  const powers: Powers = {
    fs: {
      readText: (path: string) => Promise.resolve(`text of ${path}`),
      read: () => Promise.resolve(new Uint8Array([0, 255, 10])),
      write: (path: string, bytes: unknown) => {
        seen.push(path, bytes);
        return Promise.resolve();
      },
      list: () => {
        throw new DenialError({
          code: 'out_of_scope',
          layer: 'power',
          message: 'outside',
          constraint: 'fs.root',
        });
      },
      stat: () => Promise.reject(new PowerFailure('not_found', 'there is no "x"')),
      move: () => Promise.reject(new Error('/home/somebody/secret')),
      value: 5,
    },
    net: { request: () => Promise.resolve(answer) },
  };

  test('is used with plain data and bytes, and gives them', async () => {
    const compartment = await open(
      `export default async (args, { fs, net }) => {
        const bytes = await fs.read('x');
        await fs.write('y', bytes);
        const answer = await net.request('https://a.example/');
        return [await fs.readText('a/b'), [...bytes], answer.status, answer.text(), answer.headers, Object.keys(fs)];
      };`,
      powers,
    );
    expect(await compartment.call('default', {}, wish)).toEqual([
      'text of a/b',
      [0, 255, 10],
      200,
      'grüß',
      { 'content-type': 'text/plain' },
      ['readText', 'read', 'write', 'list', 'stat', 'move'],
    ]);
    expect(seen).toEqual(['y', new Uint8Array([0, 255, 10])]);
    compartment.close();
  });

  test('gives and takes ten MiB of bytes and of text', async () => {
    const bytes = new Uint8Array(10 * 1024 * 1024).fill(120);
    let written: unknown;
    const large = {
      read: () => Promise.resolve(bytes),
      readText: () => Promise.resolve('line\n'.repeat(2 * 1024 * 1024)),
      write: (content: unknown) => {
        written = content;
        return Promise.resolve();
      },
    };
    const compartment = await open(
      `export default async (args, { large }) => {
        await large.write(await large.read());
        return (await large.readText()).split('\\n').length;
      };`,
      { large },
    );
    expect(await compartment.call('default', {}, wish)).toBe(2 * 1024 * 1024 + 1);
    expect(written instanceof Uint8Array && Buffer.compare(written, bytes)).toBe(0);
    compartment.close();
  });

  test('that was granted holds a tool to it, and stops when it is taken back', async () => {
    const base = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-compartment-')));
    onTestFinished(() => rmSync(base, { recursive: true }));
    mkdirSync(join(base, 'box'));
    writeFileSync(join(base, 'outside.txt'), 'outside');
    writeFileSync(join(base, 'box', 'inside.txt'), 'inside');
    symlinkSync(join(base, 'outside.txt'), join(base, 'box', 'link.txt'));
    const port = { guard: (): void => {} };
    const fs = await grantFs({ root: join(base, 'box'), port });
    const net = grantNet({ hosts: ['granted.example'], port });
    const clock = grantClock({ port });
    const compartment = await open(
      `export default async ({ paths, urls }, { fs, net, clock }) => {
        const said = [];
        const tell = (work) => work.then((value) => said.push(value), ({ code }) => said.push(code));
        for (const path of paths) await tell(fs.readText(path));
        for (const url of urls) await tell(net.request(url));
        await tell(clock.now().then((now) => now > 0 && 'now'));
        return said;
      };`,
      { fs: fs.power, net: net.power, clock: clock.power },
    );
    const args = {
      paths: [
        'inside.txt',
        '../outside.txt',
        join(base, 'outside.txt'),
        'link.txt',
        'gone.txt',
        '/proc/self/environ',
      ],
      urls: ['http://127.0.0.1:1/', 'http://other.example/', 'file:///etc/passwd'],
    };
    const out = 'out_of_scope';
    expect(await compartment.call('default', args, wish)).toEqual([
      'inside',
      out,
      out,
      out,
      'not_found',
      out,
      out,
      out,
      expect.any(String),
      'now',
    ]);
    await fs.revoke();
    expect(await compartment.call('default', { paths: ['inside.txt'], urls: [] }, wish)).toEqual([
      'no_such_cap',
      'now',
    ]);
    compartment.close();
  });

  test('tells why it refused, and nothing of the host', async () => {
    const compartment = await open(
      `export default async (args, { fs }) => {
        const said = [];
        for (const verb of ['list', 'stat', 'move'])
          await fs[verb]('x').catch(({ name, code, message, constraint }) => said.push([name, code, message, constraint ?? null]));
        return said;
      };`,
      powers,
    );
    expect(await compartment.call('default', {}, wish)).toEqual([
      ['DenialError', 'out_of_scope', 'outside', 'fs.root'],
      ['PowerFailure', 'not_found', 'there is no "x"', null],
      ['PowerFailure', 'failed', 'the power did not work', null],
    ]);
    compartment.close();
  });

  test('takes no functions, no proxies of them and nothing that holds one', async () => {
    const compartment = await open(
      `export default async (args, { fs }) => {
        const odd = [() => 1, { run: () => 1 }, Symbol('x'), 10n, JSON.parse('{"__proto__":1}'), new Proxy(() => 1, {})];
        const said = [];
        for (const one of odd) await fs.write('z', one).then(() => said.push('taken'), ({ name }) => said.push(name));
        return said;
      };`,
      powers,
    );
    seen.length = 0;
    expect(await compartment.call('default', {}, wish)).toEqual(Array(6).fill('TypeError'));
    expect(seen).toEqual([]);
    compartment.close();
  });

  test('a hundred uses at once are all answered, sixteen at a time', async () => {
    let [under, most] = [0, 0];
    const slow = {
      wait: async (n: number): Promise<number> => {
        under += 1;
        most = Math.max(most, under);
        await new Promise((done) => setImmediate(done));
        under -= 1;
        return n;
      },
    };
    const compartment = await open(
      'export default async (args, { slow }) => (await Promise.all(Array.from({ length: 100 }, (_, at) => slow.wait(at)))).length;',
      { slow },
    );
    expect(await compartment.call('default', {}, wish)).toBe(100);
    expect(most).toBeLessThanOrEqual(16);
    compartment.close();
  });

  test('is used for nobody after the compartment was closed', async () => {
    let uses = 0;
    let first: () => void = () => undefined;
    const begun = new Promise<void>((done) => (first = done));
    const count = {
      one: () => {
        uses += 1;
        first();
        return Promise.resolve(1);
      },
    };
    const compartment = await open(
      'export default async (args, { count }) => { for (;;) await count.one(); };',
      { count },
    );
    const call = failure(compartment.call('default', {}, wish));
    await begun;
    compartment.close();
    const after = uses;
    expect(await call).toMatchObject({ code: 'closed' });
    await new Promise((done) => setTimeout(done, 50));
    expect(uses).toBe(after);
  });
});
