/** POLICY section 4, references: sets and facts stand for lists of scalars, on raw arguments and on fields of every kind. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, gate, load } from '../../../../test/policies.js';
import type { Json } from '../ground/index.js';

const text = { type: 'string' };
const tools: Tools = {
  d: {
    mail: closed({ to: { type: 'array', items: text } }, 'to'),
    file: closed({ path: text }),
    open: closed({ url: text }),
    list: closed({ site: text }),
  },
  s: { t: closed({ x: {}, y: {} }) },
};
const facts = new Map<string, Json>([
  [
    'rota',
    {
      names: ['ann@x.example', 'bo@x.example'],
      lead: 'ann@x.example',
      folders: ['/w/ann/**', 'shared/*'],
      hosts: ['**.x.example', '10.0.0.0/8'],
      sites: ['north'],
      levels: [1, 2],
      empty: [],
      deep: { a: 1 },
      mixed: ['a', ['b']],
      nothing: null,
      'a.b': ['dotted'],
    },
  ],
  ['list', ['a']],
]);
const head = `pawl: 1
servers: { d: { command: x, connector: desk, root: /w }, s: { command: y, root: /w } }
sets:
  staff: ["*@x.example", bo@y.example]
  folders: [/w/in/**, "/w/*/pub"]
  sites: [north, west]
  plain: [a, 1, true]
  one: [a]
facts: { rota: { file: rota.json }, list: { file: list.json } }
connectors:
  desk:
    fields: { person: { kind: email }, doc: { kind: path }, page: { kind: url }, host: { kind: host }, site: { kind: oneOf, values: [north, south, west], wildcard: all } }
    tools:
      mail: { verb: send, reads: { person: to } }
      file: { verb: read, reads: { doc: path } }
      open: { verb: connect, reads: { page: url, host: url } }
      list: { verb: list, reads: { site: site }, omitted: { site: all } }
`;
const changes = { facts };
const under = (agent: string): ReturnType<typeof gate> =>
  gate(`${head}agents:\n  a: { ${agent} }\n`, tools, changes);
const allowing = (tool: string, where: string): ReturnType<typeof gate> =>
  under(`allow: [ { tools: [${tool}], where: ${where} } ]`);
const problems = (tool: string, where: string): readonly string[] =>
  load(
    `${head}agents:\n  a: { allow: [ { tools: [${tool}], where: ${where} } ] }\n`,
    tools,
    changes,
  ).problems.map(({ message }) => message);

describe('[P.policy.references] sets', () => {
  test('are patterns on fields, and exact values on raw arguments', () => {
    const mail = allowing('d/mail', '{ person: { set: staff } }');
    expect(
      [['a@x.example', 'bo@y.example'], ['ann@y.example'], ['a@x.example', 'ann@y.example']].map((to) =>
        mail.permits('d/mail', { to }),
      ),
    ).toEqual([true, false, false]);
    const file = allowing('d/file', '{ doc: { set: folders } }');
    expect(
      ['/w/in', 'in/a/b', '/w/x/pub', '/w/x/y/pub'].map((path) => file.permits('d/file', { path })),
    ).toEqual([true, true, true, false]);
    const raw = allowing('s/t', '{ args.x: { set: staff } }');
    expect(['*@x.example', 'a@x.example', 'bo@y.example'].map((x) => raw.permits('s/t', { x }))).toEqual([
      true,
      false,
      true,
    ]);
  });

  test('keep the types of their values', () => {
    const policy = allowing('s/t', '{ args.x: { set: plain } }');
    expect(['a', 1, true, [1, 'a']].map((x) => policy.permits('s/t', { x }))).toEqual([
      true,
      true,
      true,
      true,
    ]);
    expect(['1', 'true', 'A', null].map((x) => policy.permits('s/t', { x }))).toEqual([
      false,
      false,
      false,
      false,
    ]);
  });

  test('stand inside combinations, denials and ceilings', () => {
    const except = allowing('d/list', '{ site: { except: { set: sites } } }');
    expect(['south', 'north'].map((site) => except.permits('d/list', { site }))).toEqual([true, false]);
    expect(except.call('d/list', { site: 'all' }).args).toEqual({ site: 'south' });
    const either = allowing('s/t', '{ args.x: { either: [{ set: one }, { min: 5 }] } }');
    expect(['a', 5, 4].map((x) => either.permits('s/t', { x }))).toEqual([true, true, false]);
    const denied = under('allow: [ { tools: [d/mail] } ], deny: [ { where: { person: { set: staff } } } ]');
    expect(
      [['a@y.example'], ['BO@Y.example'], ['a@x.example']].map((to) => denied.permits('d/mail', { to })),
    ).toEqual([true, false, false]);
    const capped = under('allow: [ { tools: [d/list] } ], ceiling: { desk: { site: { set: sites } } }');
    expect(['north', 'south'].map((site) => capped.permits('d/list', { site }))).toEqual([true, false]);
  });

  test('with one value fill', () => {
    expect(allowing('s/t', '{ args.x: { set: one } }').call('s/t').args).toEqual({ x: 'a' });
  });

  test.each([
    ['a set that is not there', 's/t', '{ args.x: { set: none } }', /there is no set none/u],
    ['a key beside it', 's/t', '{ args.x: { set: one, fact: rota.lead } }', /no other key beside it/u],
    ['a name that is none', 's/t', '{ args.x: { set: [one] } }', /set takes a name/u],
    [
      'a set whose values the field cannot hold',
      'd/list',
      '{ site: { set: one } }',
      /the field has no value "a"/u,
    ],
    [
      'a set whose values are no patterns of the kind',
      'd/file',
      '{ doc: { set: plain } }',
      /a path is a text/u,
    ],
  ])('are refused at load: %s', (_what, tool, where, message) => {
    expect(problems(tool, where).join('\n')).toMatch(message);
  });
});

describe('[P.policy.references] facts', () => {
  test('are read from what was captured, a scalar as a list of one', () => {
    const mail = allowing('d/mail', '{ person: { fact: rota.names } }');
    expect(
      [['ann@x.example'], ['bo@X.example'], ['cy@x.example']].map((to) => mail.permits('d/mail', { to })),
    ).toEqual([true, true, false]);
    const lead = allowing('d/mail', '{ person: { fact: rota.lead } }');
    expect([['ann@x.example'], ['bo@x.example']].map((to) => lead.permits('d/mail', { to }))).toEqual([
      true,
      false,
    ]);
    const file = allowing('d/file', '{ doc: { fact: rota.folders } }');
    expect(['/w/ann/a', 'shared/a', '/w/bo'].map((path) => file.permits('d/file', { path }))).toEqual([
      true,
      true,
      false,
    ]);
    const host = allowing('d/open', '{ host: { fact: rota.hosts } }');
    expect(
      ['http://a.x.example/', 'http://10.1.1.1/', 'http://11.1.1.1/'].map((url) =>
        host.permits('d/open', { url }),
      ),
    ).toEqual([true, true, false]);
    const raw = allowing('s/t', '{ args.x: { fact: rota.levels }, args.y: { fact: rota.a.b } }');
    expect(raw.permits('s/t', { x: 2, y: 'dotted' })).toBe(true);
    expect(raw.permits('s/t', { x: '2', y: 'dotted' })).toBe(false);
  });

  test('fill a field and bind a ceiling', () => {
    expect(allowing('d/list', '{ site: { fact: rota.sites } }').call('d/list').args).toEqual({
      site: 'north',
    });
    const bound = gate(
      `${head}agents: { a: { allow: [ { tools: [d/list] } ], ceiling: { desk: { site: single } } } }\ninstances: { a/i: { narrow: { desk: { site: { fact: rota.sites } } } } }\n`,
      tools,
      changes,
    );
    expect(bound.call('d/list', { site: 'all' }, { instance: 'i' }).args).toEqual({ site: 'north' });
  });

  test.each([
    ['rota', /named as name\.key/u],
    ['none.names', /there is no fact none/u],
    ['rota.none', /the fact rota has no none/u],
    ['rota.empty', /rota\.empty is no list of scalars/u],
    ['rota.deep', /rota\.deep is no list of scalars/u],
    ['rota.mixed', /rota\.mixed is no list of scalars/u],
    ['rota.nothing', /rota\.nothing is no list of scalars/u],
    ['rota.__proto__', /has no __proto__/u],
    ['rota.constructor', /has no constructor/u],
    ['list.0', /the fact list has no 0/u],
  ])('%s is refused at load', (fact, message) => {
    expect(problems('s/t', `{ args.x: { fact: ${fact} } }`).join('\n')).toMatch(message);
  });

  test('whose values a field cannot hold are refused at load', () => {
    expect(problems('d/list', '{ site: { fact: rota.names } }')).toHaveLength(1);
    expect(problems('d/mail', '{ person: { fact: rota.levels } }')).toHaveLength(1);
  });
});
