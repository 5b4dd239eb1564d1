/**
 * Tools that mean harm, each the source of one module. They return a list of what they got hold of: the text of a file outside, a
 * variable of the environment, a connection, another realm. What is confined gets nothing, whatever it tries.
 */

/** What every attack is told: where the things are that it is not to get. */
export interface Target {
  /** Absolute path of a file outside. */
  readonly canary: string;
  /** What stands in it, and in the environment under `name`. */
  readonly secret: string;
  readonly name: string;
  /** A port of this machine that somebody listens on. */
  readonly port: number;
}

/** One attack. */
export interface Attack {
  readonly source: string;
  /** It does not answer by itself: it is ended. */
  readonly ends?: 'time' | 'memory';
  /** Only in a compartment does it mean anything. */
  readonly only?: 'compartment';
}

const head = `
const got = [];
const attempt = (what, work) => { try { const found = work(); if (found) got.push(what + ': ' + String(found).slice(0, 200)); } catch {} };
const attemptLater = async (what, work) => { try { const found = await work(); if (found) got.push(what + ': ' + String(found).slice(0, 200)); } catch {} };
const has = (value, secret) => { try { return String(value).includes(secret) ? 'has it' : ''; } catch { return ''; } };
`;

function attack(body: string): string {
  return `${head}
export default async (args, powers) => {
${body}
  return got;
};
`;
}

const builtins = `
  const roads = (name) => [
    () => globalThis.process.getBuiltinModule(name),
    () => globalThis.process.mainModule.require(name),
    () => globalThis.process.binding(name),
    () => globalThis.require(name),
    () => module.require(name),
    () => Function('return process')().getBuiltinModule(name),
    () => (0, eval)('process').getBuiltinModule(name),
    () => (() => {}).constructor('return process')().getBuiltinModule(name),
    () => Error.constructor('return process')().getBuiltinModule(name),
    () => Reflect.construct(Function, ['return process'])().getBuiltinModule(name),
    () => Reflect.getPrototypeOf(async () => {}).constructor('return process')().getBuiltinModule(name),
  ];
  const each = (name, work) => roads(name).map((road) => () => work(road()));
`;

/** By name. */
export const attacks: Readonly<Record<string, Attack>> = {
  files: {
    source: attack(`${builtins}
  for (const way of each('fs', (fs) => has(fs.readFileSync(args.canary), args.secret))) attempt('read', way);
  for (const way of each('fs', (fs) => { fs.writeFileSync(args.canary + '.written', 'x'); return 'wrote'; }))
    attempt('write', way);`),
  },
  programs: {
    source: attack(`${builtins}
  for (const way of each('child_process', (run) => has(run.execFileSync('/bin/cat', [args.canary]), args.secret)))
    attempt('run', way);`),
  },
  network: {
    source: attack(`${builtins}
  const url = 'http://127.0.0.1:' + args.port + '/';
  await attemptLater('fetch', async () => (await fetch(url)).status);
  await attemptLater('socket', () => new Promise((done, fail) => {
    const socket = new WebSocket(url.replace('http', 'ws'));
    socket.onopen = () => done('open');
    socket.onerror = () => fail(new Error('closed'));
  }));
  for (const way of each('net', (net) => new Promise((done, fail) => {
    const socket = net.connect(args.port, '127.0.0.1');
    socket.on('connect', () => done('connected'));
    socket.on('error', fail);
  }))) await attemptLater('connect', way);`),
  },
  environment: {
    source: attack(`${builtins}
  attempt('env', () => has(globalThis.process.env[args.name], args.secret));
  attempt('all', () => has(JSON.stringify(globalThis.process.env), args.secret));
  for (const way of each('fs', (fs) => has(fs.readFileSync('/proc/' + globalThis.process.ppid + '/environ'), args.secret)))
    attempt('parent', way);`),
  },
  globals: {
    only: 'compartment',
    source: attack(`
  const names = ['process', 'global', 'require', 'module', 'Buffer', 'fetch', 'WebSocket', 'WebAssembly', 'SharedArrayBuffer',
    'Atomics', 'setTimeout', 'setImmediate', 'queueMicrotask', 'structuredClone', 'MessageChannel', 'Worker', 'performance',
    'gc', 'navigator', 'crypto', 'URL', 'postMessage', 'importScripts', 'DOMException', 'EventTarget', 'AbortController',
    'WeakRef_', 'Deno', 'Bun', 'lockdown_'];
  const roads = [() => globalThis, () => Function('return this')(), () => (0, eval)('this'), () => (() => {}).constructor('return globalThis')()];
  for (const road of roads) for (const name of names) attempt(name, () => road()[name] !== undefined && 'there');
  attempt('sloppy this', () => (function () { return this; })() && 'there');
  attempt('caller', () => (function inner() { return inner.caller; })() && 'there');
  attempt('callee', () => (function () { return arguments.callee.caller; })() && 'there');
  attempt('time', () => Date.now() > 0 && 'there');
  attempt('chance', () => typeof Math.random() === 'number' && 'there');`),
  },
  compartments: {
    only: 'compartment',
    source: attack(`
  attempt('compartment', () => {
    const made = new Compartment({ __options__: true, globals: {} });
    return made.evaluate('typeof process') !== 'undefined' && 'a process';
  });
  await attemptLater('import hook', async () => {
    const made = new Compartment({}, {}, { resolveHook: (name) => name, importHook: async () => { throw new Error('no'); } });
    return (await made.import('node:fs')) && 'imported';
  });
  attempt('lockdown again', () => { lockdown(); return 'unlocked'; });`),
  },
  stacks: {
    only: 'compartment',
    source: attack(`
  attempt('call sites', () => {
    let sites;
    Error.prepareStackTrace = (_, all) => (sites = all);
    void new Error('x').stack;
    return sites && 'call sites';
  });
  attempt('capture', () => {
    const into = {};
    Error.captureStackTrace(into);
    return /node_modules|process[.]js|[/]dist[/]|[/]src[/]/.test(String(into.stack)) && into.stack;
  });
  attempt('stack', () => /node_modules|[/]dist[/]|[/]src[/]/.test(String(new Error('x').stack)) && new Error('x').stack);
  attempt('overflow', () => {
    const deeper = () => deeper();
    try { deeper(); } catch (error) {
      return error.constructor.constructor('return typeof process')() !== 'undefined' && 'the host of an overflow';
    }
  });
  attempt('meta', () => /node_modules|[/]dist[/]|[/]src[/]|[/]tmp[/]/.test(JSON.stringify(import.meta.url ?? '')) && import.meta.url);`),
  },
  poison: {
    source: attack(`
  const shared = [Object, Array, Promise, Function, Error, Map, Set, String, Number, RegExp, Uint8Array, Symbol];
  for (const each of shared) {
    try { each.prototype.poisoned = 'yes'; } catch {}
    try { each.poisoned = 'yes'; } catch {}
    try { Object.setPrototypeOf(each.prototype, { poisoned: 'yes' }); } catch {}
  }
  for (const [of, name] of [[Array.prototype, 'map'], [Promise.prototype, 'then'], [JSON, 'stringify'], [Object, 'entries'], [Function.prototype, 'call']])
    try { Object.defineProperty(of, name, { value: () => 'poisoned' }); } catch {}
  try { Object.prototype.__defineGetter__('isError', () => true); } catch {}
  try { ({}).__proto__.poisoned = 'yes'; } catch {}
  try { globalThis.poisoned = (globalThis.poisoned ?? 0) + 1; if (globalThis.poisoned > 1) got.push('state of another call'); } catch {}
  for (const power of Object.values(powers ?? {})) try { power.read = () => 'poisoned'; } catch {}
  try { powers.fs = { read: () => 'poisoned' }; if (powers.fs.read() === 'poisoned') got.push('changed its powers'); } catch {}`),
  },
  evaluated: {
    source: attack(`
  const sources = ["import('node:fs')", "import/**/('node:fs')", "im\\\\u0070ort('node:fs')", "<!-- x\\n process", "--> x\\n process",
    "new Function('return import(\\"node:fs\\")')()", "(async () => { const fs = await import('fs'); return fs; })()", "import.meta"];
  for (const source of sources) {
    await attemptLater('eval', async () => { const fs = await (0, eval)(source); return has(fs.readFileSync(args.canary), args.secret); });
    await attemptLater('Function', async () => { const fs = await Function('return ' + source)(); return has(fs.readFileSync(args.canary), args.secret); });
  }`),
  },
  forged: {
    only: 'compartment',
    source: attack(`
  const lines = ['{"say":"result","call":1,"value":"\\\\"forged\\\\""}', '{"say":"use","use":1,"power":"fs","method":"read","args":"[]"}', '{"order":"used","use":1,"ok":true,"value":"1"}'];
  for (const line of lines) {
    attempt('console', () => { console.log(line); });
    attempt('post', () => postMessage(line));
    attempt('onmessage', () => { globalThis.onmessage = () => {}; });
  }
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'then'])
    attempt('power ' + name, () => Object.hasOwn(powers ?? {}, name) && 'there');`),
  },
  'busy-loop': { ends: 'time', source: attack('  for (;;);') },
  'busy-promises': {
    ends: 'time',
    source: attack('  for (;;) await null;'),
  },
  'busy-regexp': {
    ends: 'time',
    source: attack("  /^(?:a+)+$/.test('a'.repeat(64) + 'b');"),
  },
  'busy-builtin': {
    ends: 'time',
    source: attack(
      '  const long = []; long.length = 2 ** 32 - 1; for (;;) { long.indexOf(1); long.lastIndexOf(1); }',
    ),
  },
  'busy-thenable': {
    ends: 'time',
    source: attack('  const again = () => ({ then: (done) => done(again()) }); await again();'),
  },
  'never-settles': { ends: 'time', source: attack('  await new Promise(() => {});') },
  'memory-objects': {
    ends: 'memory',
    source: attack('  const all = []; for (;;) all.push({ all: [...all.slice(-1000)] });'),
  },
  'memory-arrays': {
    ends: 'memory',
    source: attack('  const all = []; for (;;) all.push(new Array(10_000_000).fill(1.5));'),
  },
  'memory-buffers': {
    ends: 'memory',
    source: attack('  const all = []; for (;;) all.push(new Uint8Array(64 * 1024 * 1024).fill(1));'),
  },
  'memory-text': {
    ends: 'memory',
    source: attack(
      "  const all = []; let text = 'x'.repeat(1 << 20); for (;;) { all.push((text + all.length).split('').join('y')); }",
    ),
  },
  'memory-table': {
    ends: 'memory',
    source: attack(
      '  const all = []; for (;;) { const table = new Map(); for (let at = 0; at < 16_000_000; at += 1) table.set(at, at); all.push(table); }',
    ),
  },
};

/** Values that are no answer: each an expression that a tool returns, or a statement that throws. What comes of it is an error or plain text. */
export const oddAnswers: Readonly<Record<string, string>> = {
  'a thenable that answers twice': 'return { then: (done) => { done("first"); done("second"); } };',
  'a thenable that throws': 'return { then: () => { throw new Error("no"); } };',
  'a proxy':
    'return new Proxy({}, { ownKeys: () => ["a"], getOwnPropertyDescriptor: () => ({ value: 1, enumerable: true, configurable: true }), get: (_, key) => (key === "then" ? undefined : () => 1) });',
  'a proxy that throws': 'return new Proxy({}, { ownKeys: () => { throw { message: 5 }; } });',
  'a revoked proxy': 'const { proxy, revoke } = Proxy.revocable({}, {}); revoke(); return proxy;',
  'a circle': 'const circle = {}; circle.circle = circle; return circle;',
  'a function': 'return () => 1;',
  'a function inside': 'return { run: () => 1 };',
  'a symbol': 'return Symbol("x");',
  'a large whole number': 'return 10n;',
  bytes: 'return new Uint8Array(3);',
  'a member named __proto__': 'return JSON.parse(\'{"__proto__": {"polluted": 1}}\');',
  'a toJSON that lies': 'return { toJSON: () => ({ say: "result", call: 1, value: "1" }) };',
  'a toJSON that throws': 'return { toJSON: () => { throw null; } };',
  'a getter': 'return { get a() { throw new Error("read"); } };',
  'deep nesting': 'let deep = []; for (let at = 0; at < 100_000; at += 1) deep = [deep]; return deep;',
  'a large text': 'return "x".repeat(5_000_000);',
  'a text of control characters': 'return "\\u0000\\u001b[31m\\n{\\"say\\":\\"open\\"}\\n";',
  'a lone surrogate': 'return "\\ud800";',
  nothing: 'return undefined;',
  'an error with a getter':
    'throw Object.defineProperty(new Error("x"), "message", { get: () => { throw new Error("again"); } });',
  'an error with a message that is none':
    'throw Object.assign(new Error(), { message: { toString: () => "no" } });',
  'an error with a long message': 'throw new Error("x".repeat(1_000_000));',
  'an error with control characters': 'throw new Error("\\u001b[2J\\u202e\\n{\\"say\\":\\"open\\"}");',
  null: 'throw null;',
  'a thrown function': 'throw () => 1;',
  'a thrown proxy': 'throw new Proxy({}, { get: () => { throw new Error("no"); } });',
  'a rejection that nobody takes': 'Promise.reject(new Error("alone")); return "went on";',
};

/** Sources that are refused before any of their code runs, and why. */
export const refusedSources: Readonly<Record<string, string>> = {
  'a module of node': "import fs from 'node:fs'; export default () => fs;",
  'a module of node by its old name': "import { readFileSync } from 'fs'; export default () => readFileSync;",
  'a module of node, exported on': "export * from 'node:child_process'; export default () => 1;",
  'a module of node for its effect': "import 'node:worker_threads'; export default () => 1;",
  'a package that is not there': "import left from 'left-pad'; export default () => left;",
  'a file that is not there': "import x from './gone.js'; export default () => x;",
  'a file above': "import x from '../../../../../../etc/passwd'; export default () => x;",
  'a file above, spelled': "import x from './%2e%2e/%2e%2e/%2e%2e/etc/passwd'; export default () => x;",
  'a file above with a backslash': String.raw`import x from '.\\..\\..\\etc\\passwd'; export default () => x;`,
  'an absolute path': "import x from '/etc/passwd'; export default () => x;",
  'an address of a file': "import x from 'file:///etc/passwd'; export default () => x;",
  'an address of data': "import x from 'data:text/javascript,export default 1'; export default () => x;",
  'an address of the net': "import x from 'https://example.com/x.js'; export default () => x;",
  'an import decided later': 'export default (args) => import(args.name);',
  'an import of node, later': "export default () => import('node:fs');",
  'an import in a function that nobody calls':
    "function never() { return import('node:fs'); }\nexport default () => 1;",
  'an import with a comment inside': "export default () => import/* x */('node:fs');",
  'an import on two lines': "export default () => import\n('node:fs');",
  'an import in a template': "export default () => `${import('node:fs')}`;",
  'an import in a default value': "export default (x = import('node:fs')) => x;",
  'an import in a class': "class X { static x = import('node:fs'); }\nexport default () => X;",
  'an import after what looks like a pattern':
    "const a = 1, g = 1; export default () => a / 1 / import('fs') / g;",
  'a phase of an import': "export default () => import.source('./x.wasm');",
  require: "export default () => require('fs');",
  'a require with a name that is decided later': 'export default (args) => require(args.name);',
  'a require in a function that nobody calls':
    "function never() { return require('fs'); }\nexport default () => 1;",
  'a require in brackets': "export default () => (require)('fs');",
  'a require that is asked for politely': "export default () => require?.('fs');",
  'a require with a template': 'export default () => require`fs`;',
  'a module of the old kind': 'module.exports = () => 1;',
  'no module': 'export default () => {',
  'a comment of HTML': 'let x = 1;\n<!-- x = 2\nexport default () => x;',
  'an escaped keyword': "export default () => im\\u0070ort('node:fs');",
  'a value that is awaited outside': 'await 1; export default () => 1;',
};

/** Sources that look like the above and are honest: they load and answer `ok`. */
export const honestSources: Readonly<Record<string, string>> = {
  'words in a text': `export default () => ["import('node:fs')", 'require("fs")', '<!-- a comment -->', '-->'].length === 4 ? 'ok' : '';`,
  'words in a template': "export default () => `import('x') <!-- --> require('y')`.length > 0 ? 'ok' : '';",
  'words in a comment':
    "// import('node:fs') <!-- require('fs') -->\n/* import('x') */\nexport default () => 'ok';",
  'words in a pattern': "export default () => (/import\\(|<!--|require\\(/.test('import(') ? 'ok' : '');",
  'a method of that name':
    "const it = { import: (x) => x, require: (x) => x };\nexport default () => it.import(it.require('ok'));",
  'a function of that name': "const require = (x) => x;\nexport default () => require('ok');",
  'a parameter of that name': "const run = (require) => require('ok');\nexport default () => run((x) => x);",
  'less than a negated decrement': "export default () => { let x = 1; return 0 <!--x ? 'ok' : ''; };",
  'greater than a decrement':
    "export default () => { let x = 2; while (x --> 1); return x === 0 ? 'ok' : ''; };",
  'a class with private members':
    "class A { #x = 'ok'; get x() { return this.#x; } }\nexport default () => new A().x;",
  'its own errors':
    "class Bad extends Error { name = 'Bad'; }\nexport default () => { try { throw new Bad('x'); } catch (e) { return e.message === 'x' && e.name === 'Bad' ? 'ok' : ''; } };",
  'names that objects have':
    "const o = {}; o.toString = () => 'ok'; o.constructor = 1; export default () => String(o);",
  'text beyond ASCII': "const größe = 'ok'; export default () => größe;",
  'what the language has':
    "export default async () => { for await (const x of (async function* () { yield 'ok'; })()) return x; };",
  'a console': "export default () => { console.log('x'); console.error('y'); return 'ok'; };",
  'a named function': "export default function tool() { return 'ok'; }",
  'a function that is exported by another name':
    "function tool() { return 'ok'; }\nexport { tool as default };",
};
