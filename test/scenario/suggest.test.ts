/** Suggested allow lists: they load, hold the calls they are made from, and nothing that a denial refused. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  type Admission,
  type Envelope,
  type Json,
  type JsonObject,
  accessView,
  admit,
  executorOf,
  parseServerName,
  parseToolName,
} from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { bodyOf } from '../../packages/core/src/dispatch/body.js';
import { type Tools, closed, filesystemTools } from '../policies.js';
import { type LoadedPolicy, compileRead, readCaptured } from '../../packages/gateway/src/config/index.js';
import {
  type CallRecord,
  type Suggestion,
  ruleLines,
  suggest,
  withAllow,
} from '../../packages/gateway/src/review/index.js';

const text = { type: 'string' };
const listed = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../examples/terminal/tools/term.json'), 'utf8'),
) as { readonly tools: readonly { readonly name: string; readonly inputSchema: Json }[] };
const terminal = Object.fromEntries(listed.tools.map(({ name, inputSchema }) => [name, inputSchema]));
const tools: Tools = {
  files: filesystemTools,
  term: terminal,
  db: { query: closed({ sql: text }, 'sql') },
  sh: { run_command: closed({ command: text, workdir: text, stdin: text }, 'command') },
  web: { fetch_html: closed({ url: text, headers: { type: 'object' }, proxy: text }, 'url') },
  mail: {
    send: closed({
      to: { type: 'array', items: text },
      cc: { type: 'array', items: text },
      from: text,
      body: text,
      extra: text,
    }),
  },
  raw: {
    act: closed({
      name: text,
      count: { type: 'number' },
      flag: { type: 'boolean' },
      tags: { type: 'array', items: text },
      place: { type: 'object', properties: { x: text, y: { type: ['string', 'null'] } } },
    }),
    ping: closed({ deep: text }),
  },
};
const document = `pawl: 1
servers:
  files: { command: x, connector: filesystem, root: /data }
  term: { command: x, connector: terminal }
  db: { command: x, connector: sql }
  sh: { command: x, connector: shell, root: /w }
  web: { command: x, connector: fetch }
  mail: { command: x, connector: post }
  raw: { command: x }
connectors:
  post:
    fields: { people: { kind: email }, sender: { kind: email } }
    tools:
      send:
        accesses: [ { verb: send, people: [to, cc] }, { verb: write, sender: from } ]
        payload: [body]
agents:
  a:
    allow:
      - tools: ["files/*", "term/*", "sh/*", "web/*", "raw/*", "mail/*"]
      - { tools: [db/query], where: { sql: { statements: [select, insert], tables: ["*", "public.*", "x.*"], schema: public } } }
    deny:
      - { where: { path: /data/secret/** } }
      - { where: { path: "**/.env" }, reach: named }
`;

const catalog = new Map(
  Object.entries(tools).map(([server, list]) => [
    parseServerName(server)!,
    Object.entries(list).map(([name, inputSchema]) => ({ name, definition: { name, inputSchema } })),
  ]),
);
const options = { tools: catalog, vanishedTool: 'finding' } as const;

function loadedFrom(document_: string): LoadedPolicy {
  const read = readCaptured('x', { document: document_, folder: '/', facts: new Map() });
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  const compiled = compileRead(read.policy, options);
  if (!compiled.ok)
    throw new Error(compiled.problems.map(({ message, path }) => `${path} ${message}`).join('; '));
  return compiled;
}

const base = loadedFrom(document);

interface Call {
  readonly tool: string;
  readonly args: JsonObject;
}

function judged(loaded: LoadedPolicy, { tool, args }: Call): Admission {
  const executor = executorOf(loaded.policy, 'a', undefined);
  if ('kind' in executor) throw new Error(executor.message);
  return admit({ executor, tool: parseToolName(tool)!, shown: tool, args, disclosure: undefined });
}

/** The record that the gateway would have written. */
function recordOf(call: Call, seq: number): CallRecord {
  const admission = judged(base, call);
  const executor = base.policy.executors.values().next().value!;
  const frame = executor.forTool(parseToolName(call.tool)!)!.frame;
  const target = admission.accesses.map((access): Json => ({ ...accessView(access) }));
  const facts = {
    call: `c_${seq}`,
    executor: 'a',
    tool: call.tool,
    ...(target.length === 0 ? {} : { target }),
  };
  const permitted = admission.kind === 'admitted';
  const args = bodyOf('authority', permitted ? admission : { args: call.args, frame });
  const record: Envelope['record'] = permitted
    ? { type: 'intent', verdict: 'permit', level: admission.level, ...facts }
    : { type: 'refusal', verdict: 'deny', code: admission.denial.code, ...facts };
  return { seq, at: seq, record, ...(args === undefined ? {} : { arguments: args }) };
}

function suggestedFor(
  calls: readonly Call[],
  more: { refused?: boolean; loaded?: LoadedPolicy } = {},
): Suggestion {
  const records = calls.map(recordOf);
  const [found] = suggest({
    loaded: more.loaded ?? base,
    compile: options,
    records,
    refused: more.refused ?? false,
  });
  if (found === undefined) throw new Error('nothing was suggested');
  return found;
}

/** The policy with the suggestion instead of the agent's rules. */
function applied({ agent, allow }: Suggestion): LoadedPolicy {
  return loadedFrom(JSON.stringify(withAllow(base.read.document.plain, agent, allow)));
}

/** The printed list, in a policy. */
function printed({ allow }: Suggestion): LoadedPolicy {
  const rules = allow.flatMap((rule) => ruleLines(rule).map((line) => `      ${line}`)).join('\n');
  const head = document.slice(0, document.indexOf('    allow:'));
  return loadedFrom(`${head}    allow:\n${rules}\n`);
}

const wheres = ({ allow }: Suggestion): readonly unknown[] =>
  allow.map(({ tools: names, where, verbs }) => [
    names,
    where ?? null,
    ...(verbs === undefined ? [] : [verbs]),
  ]);

describe('[P.cli.suggest] a suggestion', () => {
  test('lists a few values, and joins tools that need the same', () => {
    const found = suggestedFor([
      { tool: 'files/read_text_file', args: { path: 'a.txt' } },
      { tool: 'files/list_directory', args: { path: '/data/a.txt' } },
      { tool: 'files/write_file', args: { path: 'out/b', content: 'SECRET' } },
    ]);
    expect(wheres(found)).toEqual([
      [['files/list_directory', 'files/read_text_file'], { path: ['/data/a.txt'] }],
      [['files/write_file'], { path: ['/data/out/b'] }],
    ]);
    expect(JSON.stringify(found)).not.toContain('SECRET');
  });

  test('takes the common folder of many paths, but not over what was denied', () => {
    const reads = Array.from({ length: 9 }, (_, at) => ({
      tool: 'files/read_text_file',
      args: { path: `/data/in/${at}` },
    }));
    expect(wheres(suggestedFor(reads))).toEqual([[['files/read_text_file'], { path: ['/data/in/**'] }]]);
    const denied = { tool: 'files/read_text_file', args: { path: '/data/in/.env' } };
    const found = suggestedFor([...reads, denied]);
    expect(found.left).toEqual([]);
    expect(found.allow[0]?.where).toEqual({ path: reads.map(({ args }) => args.path) });
  });

  test('takes whole folders for what takes them', () => {
    expect(wheres(suggestedFor([{ tool: 'files/directory_tree', args: { path: '/data/a' } }]))).toEqual([
      [['files/directory_tree'], { path: ['/data/a/**'] }],
    ]);
    expect(
      wheres(
        suggestedFor([{ tool: 'files/move_file', args: { source: '/data/a', destination: '/data/b' } }]),
      ),
    ).toEqual([
      [['files/move_file'], { path: ['/data/a/**'] }, ['delete']],
      [['files/move_file'], { path: ['/data/b/**'] }, ['write']],
    ]);
  });

  test('names raw arguments, in the world that was seen', () => {
    const found = suggestedFor([
      { tool: 'raw/act', args: { name: 'any', count: 1, tags: ['x'] } },
      { tool: 'raw/act', args: { name: 'b', count: 2, place: { x: 'q', y: null } } },
      { tool: 'raw/ping', args: {} },
    ]);
    expect(wheres(found)).toEqual([
      [
        ['raw/act'],
        {
          'args.name': ['any', 'b'],
          'args.count': [1, 2],
          'args.tags': { optional: ['x'] },
          'args.place.x': { optional: ['q'] },
          'args.place.y': { optional: [null] },
        },
      ],
      [['raw/ping'], { 'args.deep': 'absent' }],
    ]);
  });

  test('bounds many numbers and texts', () => {
    const calls = Array.from({ length: 12 }, (_, at) => ({
      tool: 'raw/act',
      args: { name: `bot/${at}`, count: at },
    }));
    expect(suggestedFor(calls).allow[0]?.where).toEqual({
      'args.name': { prefix: 'bot/' },
      'args.count': { min: 0, max: 11, integer: true },
    });
  });

  test('bounds texts that are paths as paths, and says where it is wide', () => {
    const paths = Array.from({ length: 9 }, (_, at) => ({ tool: 'raw/act', args: { name: `/srv/a/${at}` } }));
    expect(suggestedFor(paths).allow[0]?.where).toEqual({ 'args.name': { path: ['/srv/a/**'] } });
    const words = Array.from({ length: 9 }, (_, at) => ({ tool: 'raw/act', args: { name: `${at}-` } }));
    const { allow } = suggestedFor(words);
    expect(allow[0]).toMatchObject({
      where: { 'args.name': { maxLength: 2 } },
      wide: ['args.name: 9 different texts'],
    });
  });

  test('makes one rule for each kind of access of a connector, and frees payload beside raw arguments', () => {
    const found = suggestedFor([
      {
        tool: 'mail/send',
        args: { to: ['ann@x.example', 'bo@x.example'], from: 'me@x.example', body: 'B', extra: 'e' },
      },
      { tool: 'web/fetch_html', args: { url: 'https://a.example/p?q=1' } },
      { tool: 'term/terminal_send_text', args: { target: 'tmux:main', text: 'T' } },
      { tool: 'db/query', args: { sql: 'select * from users' } },
      { tool: 'sh/run_command', args: { command: 'git status && ls -l' } },
    ]);
    expect(found.left).toEqual([]);
    expect(wheres(found)).toEqual([
      [
        ['mail/send'],
        {
          people: ['ann@x.example', 'bo@x.example'],
          'args.extra': ['e'],
          'args.from': 'any',
          'args.body': 'any',
        },
      ],
      [
        ['mail/send'],
        { sender: ['me@x.example'], 'args.extra': ['e'], 'args.to': 'any', 'args.body': 'any' },
      ],
      [['web/fetch_html'], { url: ['https://a.example/p'] }],
      [['term/terminal_send_text'], { backends: ['tmux'], targets: ['tmux:main'] }],
      [['db/query'], { sql: [{ statements: ['select'], tables: ['users'], schema: 'public' }] }],
      [
        ['sh/run_command'],
        {
          command: [
            { program: ['git'], args: ['status'] },
            { program: ['ls'], args: ['-l'] },
          ],
        },
      ],
    ]);
  });

  test('takes in calls that no rule allowed where asked for, and never those that a denial or a ceiling refused', () => {
    const narrow = loadedFrom(
      document
        .replace('      - tools: ["files/*",', '      - tools: [')
        .replace('  a:\n', '  a:\n    ceiling: { filesystem: { path: /data/** } }\n'),
    );
    const refusal = (path: string, code: string, seq: number): CallRecord => ({
      seq,
      at: 0,
      record: {
        type: 'refusal',
        code,
        call: `c_${seq}`,
        executor: 'a',
        tool: 'files/read_text_file',
        target: [{ tool: 'files/read_text_file', verb: 'read', path }],
      },
      arguments: { path },
    });
    const records = [
      refusal('/data/x', 'not_permitted', 1),
      refusal('/etc/passwd', 'out_of_scope', 2),
      refusal('/data/secret/x', 'denied', 3),
    ];
    const input = { loaded: narrow, compile: options, records };
    expect(suggest({ ...input, refused: false })).toEqual([]);
    const [found] = suggest({ ...input, refused: true });
    expect(wheres(found!)).toEqual([[['files/read_text_file'], { path: ['/data/x'] }]]);
  });

  test('keeps what was asked for asking', () => {
    const record = { ...recordOf({ tool: 'raw/ping', args: { deep: 'x' } }, 1) };
    const asked = { ...record, record: { ...record.record, level: 'once' } };
    const [found] = suggest({ loaded: base, compile: options, records: [asked], refused: false });
    expect(found?.allow).toMatchObject([{ ask: 'once', where: { 'args.deep': ['x'] } }]);
  });

  test('leaves out, and says so, what is denied as well or has no plain rule', () => {
    const call = { tool: 'files/read_text_file', args: { path: '/data/a' } };
    const permitted = recordOf(call, 1);
    const denied = {
      ...permitted,
      seq: 2,
      record: { ...permitted.record, type: 'refusal', code: 'denied', call: 'c_2' },
    };
    const other = recordOf({ tool: 'files/read_text_file', args: { path: '/data/b' } }, 3);
    const [found] = suggest({
      loaded: base,
      compile: options,
      records: [permitted, denied, other],
      refused: false,
    });
    expect(found).toMatchObject({
      allow: [{ where: { path: ['/data/b'] } }],
      left: [{ id: 'c_1', why: 'a denial refused the same' }],
    });
    const quoted = suggestedFor([{ tool: 'sh/run_command', args: { command: "echo 'a b'" } }]);
    expect(quoted).toMatchObject({ allow: [], left: [{ tool: 'sh/run_command' }] });
  });
});

const name = fc.oneof(
  fc.constantFrom('a', 'any', 'b c', 'true', '7', '~x', '*', '{x}', 'a\\b', 'ü', '-', 'a: b', '#x', '.env'),
  fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 4 })
    .filter((each) => !/[/\0]/u.test(each) && each.normalize('NFC') === each && !/\p{Cs}/u.test(each)),
);
const path = fc
  .tuple(
    fc.constantFrom('/data', '/data/secret', '/data/in', '/etc', 'rel'),
    fc.array(name, { maxLength: 2 }),
  )
  .map(([top, rest]) => [top, ...rest].join('/'));
const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({
    tool: fc.constantFrom('files/read_text_file', 'files/list_directory', 'files/directory_tree'),
    args: fc.record({ path }),
  }),
  fc.record({ tool: fc.constant('files/write_file'), args: fc.record({ path, content: fc.string() }) }),
  fc.record({ tool: fc.constant('files/move_file'), args: fc.record({ source: path, destination: path }) }),
  fc.record({
    tool: fc.constant('files/read_multiple_files'),
    args: fc.record({ paths: fc.array(path, { minLength: 1, maxLength: 3 }) }),
  }),
  fc.record({
    tool: fc.constant('raw/act'),
    args: fc.record(
      {
        name,
        count: fc.oneof(fc.integer({ min: -20, max: 20 }), fc.constantFrom(0.5, -3.25)),
        flag: fc.boolean(),
        tags: fc.array(name, { maxLength: 3 }),
        place: fc.record({ x: name, y: fc.oneof(name, fc.constant(null)) }, { requiredKeys: [] }),
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    tool: fc.constant('mail/send'),
    args: fc.record(
      {
        to: fc.array(fc.constantFrom('ann@x.example', 'bo@y.example', 'c.d@z.example'), { maxLength: 3 }),
        from: fc.constantFrom('me@x.example'),
        body: fc.string(),
        extra: name,
      },
      { requiredKeys: [] },
    ),
  }),
  fc.record({
    tool: fc.constant('term/terminal_capture'),
    args: fc.record(
      { target: fc.constantFrom('tmux:main', 'kitty:1', 'main'), backend: fc.constantFrom('tmux', 'kitty') },
      { requiredKeys: ['target'] },
    ),
  }),
  fc.record({
    tool: fc.constant('web/fetch_html'),
    args: fc.record({
      url: fc.constantFrom('https://a.example/p/q?x=1', 'http://b.example:81/*', 'https://a.example/'),
    }),
  }),
);

describe('[P.cli.suggest] every suggestion', () => {
  test('loads, holds what it is made from, and holds nothing that a denial refused', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 25 }), (calls) => {
        const outcomes = calls.map((each) => ({ each, admission: judged(base, each) }));
        const permitted = outcomes.filter(({ admission }) => admission.kind === 'admitted');
        fc.pre(permitted.length > 0);
        const found = suggestedFor(calls);
        const policy = applied(found);
        expect([...policy.policy.executors.keys()]).toEqual(['a']);
        const left = new Set(found.left.map(({ id }) => id));
        for (const [at, { each, admission }] of outcomes.entries()) {
          if (admission.kind !== 'admitted' || left.has(`c_${at}`)) continue;
          expect(
            judged(policy, { tool: each.tool, args: admission.args }),
            JSON.stringify(each),
          ).toMatchObject({ kind: 'admitted' });
        }
        const bare = printed(found);
        for (const { each, admission } of outcomes)
          if (admission.kind === 'refused' && admission.denial.code === 'denied')
            expect(judged(bare, each), JSON.stringify(each)).toMatchObject({ kind: 'refused' });
        expect(found.left, JSON.stringify(found.left)).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });
});
