/** POLICY section 5, connectors of one's own: what a declaration may say, and where a wrong one is wrong. */
import { describe, expect, test } from 'vitest';
import { load } from '../../../../test/policies.js';

/** Problems of a document that declares this body as connector `c`, at its own lines and columns. */
function problems(body: string): readonly string[] {
  const lines = body.split('\n').map((line) => `    ${line}\n`);
  const document = `pawl: 1\nservers: { s: { command: x, connector: c } }\nconnectors:\n  c:\n${lines.join('')}agents: { a: { allow: [] } }\n`;
  return load(document).problems.map(
    ({ at, found, allowed }) => `${at.line - 4}:${at.column - 4} ${found} | ${allowed}`,
  );
}

const fields = 'fields: { site: { kind: oneOf, values: [n, s], wildcard: all }, doc: { kind: path } }\n';
const verbs = 'read, list, write, delete, execute, connect, send, call';
const source = 'the name of an argument, { argument, prefix?, base?, argv?, forward? }, or a list of these';

describe('[P.policy.positions] [P.connector.declared] a declaration that is wrong', () => {
  test.each([
    ['a key of a connector', 'tools: {}\nfield: {}', ['2:1 key "field" | fields, tools, unlisted']],
    ['no mapping', '- 1', ['1:1 a list | a mapping with fields, tools, unlisted']],
    ['unlisted', 'unlisted: allow', ['1:11 "allow" | refuse, raw']],
    [
      'a key of a field',
      'fields: { f: { kind: path, glob: x } }',
      ['1:28 key "glob" | kind, values, wildcard'],
    ],
    [
      'a field without kind',
      'fields: { f: { values: [a] } }',
      ['1:14 no kind | kind: one of oneOf, path, host, url, email, command, sql'],
    ],
    [
      'an unknown kind',
      'fields: { f: { kind: regex } }',
      ['1:22 "regex" | oneOf, path, host, url, email, command, sql'],
    ],
    [
      'a name that has a meaning of its own',
      'fields: { rest: { kind: path }, verb: { kind: path }, args.x: { kind: path } }',
      [
        '1:11 field name "rest" | another name: this word has a meaning of its own',
        '1:33 field name "verb" | another name: this word has a meaning of its own',
        '1:55 field name "args.x" | another name: this word has a meaning of its own',
      ],
    ],
    ['no values', 'fields: { f: { kind: oneOf, values: [] } }', ['1:37 an empty list | at least one value']],
    [
      'a value that is no scalar',
      'fields: { f: { kind: oneOf, values: [a, [b], null] } }',
      ['1:41 a list | a text, a number, true or false', '1:46 null | a text, a number, true or false'],
    ],
    [
      'a wildcard without values',
      'fields: { f: { kind: oneOf, wildcard: all } }',
      ['1:39 a wildcard without values | values: everything that the field can hold'],
    ],
    [
      'a wildcard among the values',
      'fields: { f: { kind: oneOf, values: [a, all], wildcard: all } }',
      ['1:57 "all", which is among values | another word for all of them'],
    ],
    [
      'values of another kind than oneOf',
      'fields: { f: { kind: path, values: [/a] } }',
      ['1:14 values or wildcard on a field of kind path | values and wildcard on kind oneOf only'],
    ],
    [
      'a key of a tool',
      `${fields}tools: { t: { verb: read, read: {} } }`,
      ['2:27 key "read" | verb, reads, accesses, omitted, payload, calls, extent, longRunning, idempotent'],
    ],
    ['an unknown verb', `${fields}tools: { t: { verb: look } }`, [`2:21 "look" | ${verbs}`]],
    [
      'reads without a verb',
      `${fields}tools: { t: { reads: { site: x } } }`,
      [`2:22 reads without a verb | verb: one of ${verbs}`],
    ],
    [
      'reads of nothing',
      `${fields}tools: { t: { verb: read, reads: {} } }`,
      ['2:34 an empty mapping | at least one field'],
    ],
    [
      'reads of an unknown field',
      `${fields}tools: { t: { verb: read, reads: { sight: x } } }`,
      ['2:36 field sight | site, doc'],
    ],
    [
      'reads where no field is declared',
      'tools: { t: { verb: read, reads: { site: x } } }',
      ['1:36 field site | a field that the connector declares under fields'],
    ],
    [
      'an access without a verb',
      `${fields}tools: { t: { accesses: [ { doc: x } ] } }`,
      [`2:27 no verb | verb: one of ${verbs}`],
    ],
    [
      'an access without a field',
      `${fields}tools: { t: { accesses: [ { verb: read } ] } }`,
      ['2:27 no field | at least one of site, doc'],
    ],
    [
      'an access to an unknown field',
      `${fields}tools: { t: { accesses: [ { verb: read, dok: x } ] } }`,
      ['2:41 field dok | site, doc'],
    ],
    [
      'accesses that are no list',
      `${fields}tools: { t: { accesses: { verb: read, doc: x } } }`,
      ['2:25 a mapping | a list of accesses'],
    ],
    [
      'an unknown extent',
      `${fields}tools: { t: { accesses: [ { verb: read, doc: x, extent: all } ] } }`,
      ['2:57 "all" | exact, children, subtree'],
    ],
    [
      'a source that is no name',
      `${fields}tools: { t: { verb: read, reads: { site: 7 } } }`,
      [`2:42 7 | ${source}`],
    ],
    [
      'no source',
      `${fields}tools: { t: { verb: read, reads: { site: [] } } }`,
      [`2:42 an empty list | ${source}`],
    ],
    [
      'a source without argument',
      `${fields}tools: { t: { verb: read, reads: { site: { prefix: ":" } } } }`,
      ['2:42 no argument | argument: its name'],
    ],
    [
      'a key of a source',
      `${fields}tools: { t: { verb: read, reads: { site: { argument: x, suffix: ":" } } } }`,
      ['2:57 key "suffix" | argument, prefix, base, argv, forward'],
    ],
    [
      'an empty prefix',
      `${fields}tools: { t: { verb: read, reads: { site: { argument: x, prefix: "" } } } }`,
      ['2:65 an empty text | the text that ends the value, as ":"'],
    ],
    [
      'base and forward on a field that is no path',
      `${fields}tools: { t: { verb: read, reads: { site: { argument: x, base: y, forward: relative } } } }`,
      ['2:63 a field that is no path | kind: path', '2:75 a field that is no path | kind: path'],
    ],
    [
      'forward to something else',
      `${fields}tools: { t: { verb: read, reads: { doc: { argument: x, forward: absolute } } } }`,
      ['2:65 "absolute" | relative'],
    ],
    [
      'argv that is no truth value',
      `${fields}tools: { t: { verb: read, reads: { doc: { argument: x, argv: yes } } } }`,
      ['2:62 "yes" | true or false'],
    ],
    [
      'an omission of an unknown field',
      `${fields}tools: { t: { verb: read, reads: { doc: x }, omitted: { dok: none } } }`,
      ['2:57 field dok | site, doc'],
    ],
    [
      'an omission that is no scalar',
      `${fields}tools: { t: { verb: read, reads: { site: x }, omitted: { site: [n] } } }`,
      ['2:64 a list | a text, a number, true or false'],
    ],
    [
      'payload',
      `${fields}tools: { t: { verb: read, payload: body } }`,
      ['2:36 "body" | a list of names of arguments'],
    ],
    [
      'flags',
      `${fields}tools: { t: { verb: read, longRunning: 1, idempotent: no } }`,
      ['2:40 1 | true or false', '2:55 "no" | true or false'],
    ],
    [
      'calls without tool',
      `${fields}tools: { t: { calls: { each: args.c, arguments: input } } }`,
      ['2:22 calls without tool and arguments | tool and arguments: where a call names them'],
    ],
    [
      'a key of calls',
      `${fields}tools: { t: { calls: { tool: args.n, arguments: args.i, depth: 9 } } }`,
      ['2:57 key "depth" | server, each, tool, arguments'],
    ],
    [
      'a server of calls',
      `${fields}tools: { t: { calls: { server: No One, tool: args.n, arguments: args.i } } }`,
      ['2:32 "No One" | a server name'],
    ],
  ])('%s', (_what, body, expected) => {
    expect(problems(body)).toEqual(expected);
  });

  test('several at once are all told, in the order of the document', () => {
    const found = problems(
      'fields: { f: { kind: pad } }\ntools: { t: { verb: look, reads: { f: x } } }\nunlisted: no',
    );
    expect(found.map((each) => each.split(' ')[0])).toEqual(['1:22', '2:21', '2:36', '3:11']);
  });

  test('its name', () => {
    const found = load(
      'pawl: 1\nconnectors: { Desk: { tools: {} } }\nagents: { a: { allow: [] } }\n',
    ).problems;
    expect(found.map(({ at, found: what }) => `${at.line}:${at.column} ${what}`)).toEqual([
      '2:15 connector name "Desk"',
    ]);
  });

  test('a server that names a connector which nobody declares', () => {
    const found = load(
      'pawl: 1\nservers: { s: { command: x, connector: dask } }\nconnectors: { desk: {} }\nagents: { a: { allow: [] } }\n',
    ).problems;
    expect(found).toMatchObject([
      {
        at: { line: 2 },
        found: '"dask"',
        allowed: 'filesystem, terminal, fetch, git, shell, browser, sql, desk',
      },
    ]);
  });

  test('a server that has the name of a declared connector and not the connector', () => {
    const found = load(
      'pawl: 1\nservers: { desk: { command: x } }\nconnectors: { desk: {} }\nagents: { a: { allow: [] } }\n',
    ).problems;
    expect(found).toMatchObject([{ found: 'server name "desk" without that connector' }]);
  });
});

describe('[P.connector.declared] a declaration that is right', () => {
  test.each([
    ['nothing at all', '{}'],
    [
      'every kind',
      'fields: { a: { kind: oneOf }, b: { kind: path }, c: { kind: host }, d: { kind: url }, e: { kind: email } }',
    ],
    ['values of several types', 'fields: { f: { kind: oneOf, values: [a, 1, true], wildcard: 0 } }'],
    ['a tool without authority', 'tools: { t: { verb: list }, u: {} }'],
    [
      'everything at once',
      `${fields}tools:
  t:
    verb: read
    extent: subtree
    reads: { doc: [x, { argument: args.o.y, base: args.folder, argv: true, forward: relative }], site: { argument: r, prefix: ":" } }
    accesses: [ { verb: send, site: z, extent: exact } ]
    omitted: { site: all, doc: none }
    payload: [body]
    longRunning: true
    idempotent: false
  d: { calls: { server: s, each: args.calls, tool: name, arguments: input } }
unlisted: raw`,
    ],
  ])('%s', (_what, body) => {
    expect(problems(body)).toEqual([]);
  });
});
