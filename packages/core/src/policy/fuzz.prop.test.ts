/** Anything at all through reading, compiling and judging, with every kind and connector: an answer in bounded time, never an exception. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Tools, Gate, closed, filesystemTools, gate, load } from '../../../../test/policies.js';
import { parseJson } from '../connector/index.js';
import { type PathContext, type ViewName, canonicalText, hostOfUrl } from '../authority/index.js';
import type { Json, JsonObject } from '../ground/index.js';

const text = { type: 'string' };
const tools: Tools = {
  c: {
    group: closed({ site: { ...text, default: 'all' }, ref: text }),
    mail: closed(
      { to: { type: 'array', items: text }, cc: { type: 'array', items: text, default: ['d@x.example'] } },
      'to',
    ),
    file: closed({ path: {}, base: text, n: {} }),
    open: closed({ url: text, proxy: text }),
    relay: closed({ calls: {} }),
    free: { type: 'object' },
  },
  w: {
    t: { type: 'object', properties: { x: {}, y: { type: 'object', properties: { z: { default: [1] } } } } },
  },
  files: filesystemTools,
};
const head = `pawl: 1
servers:
  c: { command: x, connector: k, root: /r, home: /h }
  w: { command: x, platform: win32, root: 'C:\\r', home: 'C:\\h' }
  files: { command: x, connector: filesystem, root: /r, case: insensitive }
sets: { some: [a, 1, true, /r/**, x.example, "*@x.example"] }
facts: { f: { file: f.json } }
connectors:
  k:
    fields: { site: { kind: oneOf, values: [n, s, w], wildcard: all }, num: { kind: oneOf }, who: { kind: email }, doc: { kind: path }, page: { kind: url }, host: { kind: host } }
    tools:
      group: { verb: read, reads: { site: [site, { argument: ref, prefix: ":" }] } }
      mail: { accesses: [ { verb: send, who: [to, cc] } ] }
      file: { verb: execute, reads: { doc: { argument: path, base: args.base, argv: true, forward: relative } }, accesses: [ { verb: write, num: n } ], extent: subtree }
      open: { verb: connect, reads: { page: url, host: url }, accesses: [ { verb: connect, host: proxy } ] }
      relay: { calls: { each: args.calls, tool: tool, arguments: arguments } }
    unlisted: raw
`;
const facts = new Map<string, Json>([['f', { list: ['a', 'x.example'], one: 'n' }]]);

/** Texts that some kind gives a meaning, whole and cut together. */
const piece = fc.constantFrom(
  '/',
  '\\',
  '..',
  '.',
  '~',
  '~a',
  '*',
  '**',
  '?',
  '{a,b}',
  '{',
  '[',
  '!',
  '@(',
  ':',
  'C:',
  '\\\\?\\',
  'NUL',
  '-',
  '%2F',
  '%',
  '%25%32',
  'http://',
  'https:',
  '//',
  '@',
  '#',
  '?q',
  '127.0.0.1',
  '0x7f',
  '::1',
  '[::ffff:1.2.3.4]',
  '/33',
  'x.example',
  '.',
  'xn--',
  'ſ',
  'ß',
  'İ',
  'a',
  'A',
  'n',
  'all',
  'single',
  'any',
  ' ',
  '\0',
  '\u0301',
  '\ud800',
  '\u{10ffff}',
  '\n',
  '1',
  '1e999',
  '-0',
  'null',
  '__proto__',
);
const odd = fc.oneof(
  fc.array(piece, { maxLength: 6 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary', maxLength: 8 }),
);
const scalar = fc.oneof(
  odd,
  fc.constantFrom<Json>(
    0,
    1,
    -1,
    1.5,
    1e21,
    true,
    false,
    null,
    'n',
    's',
    'a@x.example',
    '/r/a',
    'https://x.example/a',
  ),
);
const key = fc.constantFrom(
  'oneOf',
  'min',
  'max',
  'above',
  'below',
  'integer',
  'is',
  'prefix',
  'suffix',
  'glob',
  'maxLength',
  'path',
  'host',
  'url',
  'email',
  'single',
  'optional',
  'all',
  'either',
  'in',
  'except',
  'items',
  'minItems',
  'maxItems',
  'set',
  'fact',
  'command',
  '__proto__',
);
const { constraint } = fc.letrec<{ constraint: Json }>((tie) => ({
  constraint: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar,
    fc.array(tie('constraint'), { maxLength: 3 }),
    fc.dictionary(key, tie('constraint'), { maxKeys: 2 }),
    fc.constantFrom<Json>(
      { set: 'some' },
      { fact: 'f.list' },
      { fact: 'f.one' },
      'any',
      'present',
      'absent',
      'single',
      ['n'],
      { path: ['/r/**'] },
    ),
  ),
}));
const field = fc.constantFrom(
  'site',
  'num',
  'who',
  'doc',
  'page',
  'host',
  'path',
  'args.x',
  'args.y.z',
  'args.url',
  'args."a.b"',
  'rest',
);
const where = fc.dictionary(field, constraint, { minKeys: 1, maxKeys: 2 });
const names = [
  'c/group',
  'c/mail',
  'c/file',
  'c/open',
  'c/relay',
  'c/free',
  'w/t',
  'files/read_text_file',
  'files/directory_tree',
];
const toolName = fc.constantFrom(...names);
/** Fields that a tool has, and constraints that they take. */
const fitting: readonly (readonly [tool: string, field: string, constraints: readonly Json[]])[] = [
  ['c/group', 'site', ['n', ['n', 's'], { except: ['w'] }, 'any', { fact: 'f.one' }]],
  ['c/mail', 'who', ['*@x.example', { set: 'some' }, { except: 'a@x.example' }]],
  ['c/file', 'doc', ['/r/**', { in: '/r/**', except: '**/.*' }, ['a', '/r/?/{b,c}']]],
  ['c/file', 'num', [[1, 'a'], { single: 1 }, 'any']],
  ['c/open', 'host', ['**', ['public', 'x.example'], { except: ['private'] }]],
  ['c/open', 'page', ['https://**', 'https://x.example:*/a/**']],
  [
    'w/t',
    'args.x',
    [{ path: ['C:\\r\\**'] }, { min: 1, integer: true }, { optional: ['a'] }, { items: ['a'], maxItems: 2 }],
  ],
  ['w/t', 'args.y.z', [{ prefix: 'a' }, { either: [['a'], { max: 3 }] }, [1]]],
  ['files/read_text_file', 'path', ['/r/**', ['a/*', '/r/b']]],
  ['files/directory_tree', 'path', ['/**', { in: '/r/**', except: '/r/s/**' }]],
];
const sound = fc
  .constantFrom(...fitting)
  .chain(([name, key, some]) =>
    fc
      .oneof({ arbitrary: fc.constantFrom(...some), weight: 9 }, { arbitrary: constraint, weight: 1 })
      .map((one) => ({ tools: [name], where: { [key]: one } })),
  );
const wild = fc.record({ tools: toolName.map((name) => [name]), where }, { requiredKeys: ['tools'] });
const rule: fc.Arbitrary<Json> = fc.oneof({ arbitrary: sound, weight: 12 }, { arbitrary: wild, weight: 1 });
const agent: fc.Arbitrary<Json> = fc
  .record(
    {
      allow: fc.array(rule, { minLength: 1, maxLength: 3 }),
      deny: fc.array(rule, { maxLength: 1 }),
      ask: fc.array(rule, { maxLength: 1 }),
      ceiling: fc.oneof(
        fc.constantFrom<Json>(
          { k: { site: 'single' } },
          { k: { host: ['public'] } },
          { filesystem: { path: ['/r/**'] } },
        ),
        fc.dictionary(fc.constantFrom('k', 'c', 'w', 'filesystem'), where, { maxKeys: 1 }),
      ),
    },
    { requiredKeys: ['allow'] },
  )
  .map((parts) => ({ ...parts }));
const { value } = fc.letrec<{ value: Json }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, depthSize: 'small' },
    scalar,
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(odd, tie('value'), { maxKeys: 3 }),
  ),
}));
const argument = fc.constantFrom(
  'site',
  'ref',
  'to',
  'cc',
  'path',
  'base',
  'n',
  'url',
  'proxy',
  'x',
  'y',
  'a.b',
  'calls',
);
const inner = fc.array(
  fc.record({ tool: toolName, arguments: fc.dictionary(argument, value, { maxKeys: 2 }) }),
  { maxLength: 3 },
);
const args = fc.oneof(
  fc.dictionary(argument, value, { maxKeys: 3 }),
  inner.map((calls): JsonObject => ({ calls })),
  value,
);

/** A seed of its own for every property, so that a failure comes again. */
const runs = (numRuns: number, seed: number): { readonly numRuns: number; readonly seed: number } => ({
  numRuns,
  seed,
});

const document = (of: Json, more = ''): string => `${head}${more}agents: ${JSON.stringify({ a: of })}\n`;

describe('whatever comes in', () => {
  test('[P.policy.positions] [P.decode.no-throw] any rules load or are refused, and judge any calls', () => {
    let loaded = 0;
    fc.assert(
      fc.property(agent, fc.array(fc.tuple(toolName, args), { minLength: 1, maxLength: 4 }), (of, calls) => {
        const { policy, problems, findings } = load(document(of), tools, { facts });
        expect(policy === undefined).toBe(problems.length > 0);
        for (const { at, message } of problems) {
          expect(at.line).toBeGreaterThan(0);
          expect(message.length).toBeLessThan(2_000);
        }
        if (policy === undefined) return;
        loaded += 1;
        const judge = new Gate(policy, findings);
        for (const [name, given] of calls)
          expect(judge.call(name, given).message?.length ?? 0).toBeLessThanOrEqual(200);
      }),
      runs(500, 11),
    );
    expect(loaded).toBeGreaterThan(50);
  });

  test('[P.decode.no-throw] [P.decode.judged-is-forwarded] any calls are answered, alike each time, and what is forwarded is permitted as it stands', () => {
    const policy = gate(
      document({
        ceiling: { k: { site: ['n', 's'], host: ['**', 'public'] }, c: { 'args.x': { optional: [1, 'a'] } } },
        allow: [
          { tools: ['c/*'] },
          { tools: ['c/group'], where: { site: ['n', 's'] } },
          {
            tools: ['w/t'],
            where: {
              'args.x': { either: [{ path: ['C:\\r\\**'] }, { host: ['**'] }, ['a', 1]] },
              rest: 'any',
            },
          },
          { tools: ['files/*'], where: { path: { in: '/r/**', except: '**/.env' } } },
        ],
        deny: [
          { where: { who: '*@evil.example' } },
          { where: { doc: '/r/secret/**' } },
          { where: { page: 'http://**:*' } },
        ],
      }),
      tools,
      { facts },
    );
    let permitted = 0;
    fc.assert(
      fc.property(toolName, args, (name, given) => {
        const verdict = policy.call(name, given);
        expect(policy.call(name, given)).toEqual(verdict);
        if (verdict.decision !== 'permit') return;
        permitted += 1;
        expect(policy.call(name, verdict.args)).toMatchObject({ decision: 'permit', args: verdict.args });
      }),
      runs(3_000, 12),
    );
    expect(permitted).toBeGreaterThan(100);
  });

  test('[P.connector.declared] any declaration of a connector loads or is refused', () => {
    const word = fc.constantFrom(
      'fields',
      'tools',
      'unlisted',
      'kind',
      'values',
      'wildcard',
      'verb',
      'reads',
      'accesses',
      'omitted',
      'payload',
      'calls',
      'extent',
      'argument',
      'prefix',
      'base',
      'argv',
      'forward',
      'server',
      'each',
      'tool',
      'arguments',
      'longRunning',
      'f',
      't',
      'args.a',
      'constructor',
    );
    const leaf = fc.oneof(
      word,
      scalar,
      fc.constantFrom('oneOf', 'path', 'read', 'send', 'subtree', 'relative', 'none', 'refuse', 'raw'),
    );
    const { tree } = fc.letrec<{ tree: Json }>((tie) => ({
      tree: fc.oneof(
        { maxDepth: 4, depthSize: 'small' },
        leaf,
        fc.array(tie('tree'), { maxLength: 3 }),
        fc.dictionary(word, tie('tree'), { maxKeys: 3 }),
      ),
    }));
    const source = fc.oneof(tree, word, fc.record({ argument: word, prefix: leaf }));
    const access = fc.record({ verb: fc.constantFrom('read', 'send'), f: source });
    const declared = fc.record(
      {
        fields: fc.record({
          f: fc.oneof(tree, fc.record({ kind: fc.constantFrom('oneOf', 'path', 'host', 'url', 'email') })),
        }),
        tools: fc.dictionary(
          word,
          fc.oneof(
            tree,
            fc.record({ verb: fc.constant('read'), reads: fc.record({ f: source }) }),
            fc.record({ accesses: fc.array(access, { maxLength: 2 }) }),
          ),
        ),
        unlisted: leaf,
      },
      { requiredKeys: ['fields', 'tools'] },
    );
    fc.assert(
      fc.property(fc.oneof(declared, tree), args, (table, given) => {
        const own = {
          pawl: 1,
          servers: { c: { command: 'x', connector: 'k' } },
          connectors: { k: table },
          agents: { a: { allow: [{ tools: ['c/*'] }] } },
        };
        const { policy, problems, findings } = load(JSON.stringify(own), {
          c: { t: { type: 'object' }, f: { type: 'object' } },
        });
        expect(policy === undefined).toBe(problems.length > 0);
        for (const each of problems)
          expect(
            Math.min(each.at.line, each.at.column, each.found.length, each.allowed.length),
          ).toBeGreaterThan(0);
        if (policy !== undefined) new Gate(policy, findings).call('c/t', given);
      }),
      runs(800, 13),
    );
  });

  test('[P.decode.no-throw] any text of arguments is decoded or refused', () => {
    const fragment = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '\\u',
      '\\ud800',
      'null',
      'true',
      '1',
      '-',
      '.',
      'e',
      '"a"',
      '"__proto__"',
      ' ',
      '\n',
    );
    const frame = fc.oneof(
      fc.array(fragment, { maxLength: 20 }).map((parts) => parts.join('')),
      fc.tuple(value, fc.nat(200), piece).map(([json, at, cut]) => {
        const whole = JSON.stringify(json);
        return whole.slice(0, at) + cut + whole.slice(at);
      }),
    );
    fc.assert(
      fc.property(frame, (sent) => {
        const read = parseJson(sent);
        expect(typeof read.ok).toBe('boolean');
        if (read.ok) expect(JSON.parse(sent)).toEqual(read.value);
      }),
      runs(3_000, 14),
    );
  });
});

describe('values of each kind', () => {
  const posix: PathContext = { root: '/r', home: '/h', case: 'sensitive', platform: 'posix' };
  const contexts: readonly PathContext[] = [
    posix,
    { ...posix, case: 'insensitive' },
    { case: 'sensitive', platform: 'posix' },
    { root: 'c:/r', home: 'c:/h', case: 'insensitive', platform: 'win32' },
  ];
  const long = fc.tuple(odd, fc.integer({ min: 1, max: 3_000 })).map(([part, times]) => part.repeat(times));

  test.each<[ViewName, number]>([
    ['path', 21],
    ['host', 22],
    ['url', 23],
    ['email', 24],
  ])(
    '[P.decode.no-throw] any text is a %s or is refused, and what is forwarded reads as the same',
    (view, seed) => {
      fc.assert(
        fc.property(
          fc.oneof({ arbitrary: odd, weight: 9 }, { arbitrary: long, weight: 1 }),
          fc.constantFrom(...contexts),
          (sent, context) => {
            const read = canonicalText(view, sent, context);
            if (!read.ok) {
              expect(read.why.length).toBeLessThan(200);
              return;
            }
            expect(read.text.length).toBeLessThanOrEqual(12 * sent.length + 100);
            expect(canonicalText(view, read.forward, context)).toMatchObject({ ok: true, text: read.text });
          },
        ),
        runs(3_000, seed),
      );
    },
  );

  test('[P.kind.url] the host of a url is that of the kind url, where that takes it', () => {
    fc.assert(
      fc.property(odd, (sent) => {
        const [host, url] = [hostOfUrl(sent), canonicalText('url', sent, posix)];
        if (!url.ok) return;
        const named = /^[a-z][a-z0-9+.-]*:\/\/([^/]*):\d*\//u.exec(url.text)?.[1];
        expect(host).toEqual({ ok: true, text: named === '' ? undefined : named });
      }),
      runs(3_000, 25),
    );
  });
});
