/** POLICY section 5, ceilings and narrowings on declared fields of every kind, and `single`, which a narrowing binds. */
import { describe, expect, test } from 'vitest';
import { type Tools, type Verdict, closed, gate, load } from '../../../../test/policies.js';

const text = { type: 'string' };
const connectors = `
connectors:
  desk:
    fields:
      site: { kind: oneOf, values: [north, south, west], wildcard: every }
      person: { kind: email }
      doc: { kind: path }
      page: { kind: url }
      host: { kind: host }
    tools:
      list: { verb: list, reads: { site: site_id }, omitted: { site: every } }
      home: { verb: list, reads: { site: site_id } }
      mail: { verb: send, reads: { person: to }, payload: [body] }
      file: { verb: read, reads: { doc: path } }
      open: { verb: connect, reads: { page: url, host: url } }
      ping: { verb: list }
`;
const deskTools = {
  list: closed({ site_id: text }),
  home: closed({ site_id: { ...text, default: 'north' } }),
  mail: closed({ to: text, body: text }, 'to'),
  file: closed({ path: text }, 'path'),
  open: closed({ url: text }, 'url'),
  ping: closed({}),
};
const tools: Tools = {
  d: deskTools,
  e: deskTools,
  bank: { pay: closed({ account: text, amount: { type: 'number' } }), open: { type: 'object' } },
};
const head = `pawl: 1
servers: { d: { command: x, connector: desk, root: /w }, e: { command: x, connector: desk, root: /v }, bank: { command: y } }
sets: { sites: [north, west], staff: ["*@x.example", bo@y.example] }
${connectors}`;
const everything = '[ { tools: ["d/*"] }, { tools: ["e/*"] }, { tools: ["bank/*"] } ]';
const document = (ceiling: string, narrow: string, allow = everything): string =>
  `${head}agents: { a: { allow: ${allow}${ceiling === '' ? '' : `, ceiling: ${ceiling}`} } }\n${narrow === '' ? '' : `instances: { a/i: { narrow: ${narrow} } }\n`}`;
const under = (ceiling: string, narrow = '', allow = everything): ReturnType<typeof gate> =>
  gate(document(ceiling, narrow, allow), tools);
const mine = { instance: 'i' };

describe('[P.authority.meet] a ceiling on declared fields', () => {
  test('holds on every server of the connector where a call carries the field, and on no other', () => {
    const policy = under('{ desk: { site: [north, west], person: "*@x.example" } }');
    expect(policy.call('d/list', { site_id: 'south' })).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
      constraint: 'desk.site (north, west)',
      rule: 'agents.a.ceiling.desk',
    });
    expect(policy.permits('e/list', { site_id: 'south' })).toBe(false);
    expect(policy.permits('e/list', { site_id: 'west' })).toBe(true);
    expect(policy.permits('d/mail', { to: 'a@x.example', body: 'south' })).toBe(true);
    expect(policy.permits('d/mail', { to: 'a@y.example' })).toBe(false);
    expect([policy.permits('d/ping'), policy.permits('bank/pay', { account: 'south' })]).toEqual([
      true,
      true,
    ]);
  });

  test('by server holds on that server alone, beside one by connector', () => {
    const policy = under('{ desk: { site: [north, west] }, e: { site: [west, south] } }');
    const at = (tool: string): readonly boolean[] =>
      ['north', 'south', 'west'].map((site_id) => policy.permits(tool, { site_id }));
    expect([at('d/list'), at('e/list')]).toEqual([
      [true, false, true],
      [false, false, true],
    ]);
  });

  test.each<[string, string, string, readonly string[], readonly string[]]>([
    [
      'host',
      'host: ["**.x.example", public]',
      'open',
      ['https://a.b.x.example/', 'http://8.8.8.8/'],
      ['https://x.example/', 'http://10.1.2.3/', 'https://b.x.example@m.example/'],
    ],
    [
      'url',
      'page: "https://x.example/in/**"',
      'open',
      ['https://x.example/in', 'HTTPS://X.example:443/in/a?b'],
      ['http://x.example/in', 'https://x.example/in/../out', 'https://x.example:8443/in'],
    ],
    [
      'email',
      'person: { set: staff }',
      'mail',
      ['a@x.example', 'bo@Y.example'],
      ['a@y.example', 'a@z.x.example', 'a@x.example, b@x.example'],
    ],
    [
      'path',
      'doc: { in: /w/**, except: "/w/*/secret" }',
      'file',
      ['/w/a', 'a/b', '/w/a/secret/b'],
      ['/v/a', '/w/a/secret', '/w/a/SECRET', '../v'],
    ],
  ])('of kind %s narrows as a rule would', (...[, field, tool, fine, outside]) => {
    const policy = under(`{ desk: { ${field} } }`);
    const argument =
      new Map([
        ['open', 'url'],
        ['mail', 'to'],
      ]).get(tool) ?? 'path';
    const answers = (values: readonly string[]): readonly unknown[] =>
      values.map((value) => [value, policy.permits(`d/${tool}`, { [argument]: value })]);
    expect(answers(fine)).toEqual(fine.map((value) => [value, true]));
    expect(answers(outside)).toEqual(outside.map((value) => [value, false]));
  });

  test('narrows a wildcard, and what is left out, to its one value; of several it names them', () => {
    const one = under('{ desk: { site: [west] } }');
    for (const args of [{}, { site_id: 'every' }])
      expect(one.call('d/list', args)).toMatchObject({ args: { site_id: 'west' }, filled: ['args.site_id'] });
    const two = under('{ desk: { site: { set: sites } } }');
    expect(two.call('d/list', { site_id: 'every' })).toMatchObject({
      code: 'several_values',
    });
    expect(two.call('d/list', {}).message).toMatch(/north.*west/u);
    const met = under('{ desk: { site: [north, west] } }', '{ d: { site: [west, south] } }');
    expect(met.call('d/list', {}, mine).args).toEqual({ site_id: 'west' });
  });

  test('judges a default, and never replaces it', () => {
    expect(under('{ desk: { site: [north] } }').call('d/home').args).toEqual({ site_id: 'north' });
    expect(under('{ desk: { site: [west] } }').call('d/home')).toMatchObject({
      code: 'out_of_scope',
      constraint: 'desk.site (west)',
    });
  });
});

describe('[P.connector.whole-ceiling] a ceiling that lists all that a field can hold', () => {
  const whole = under('{ desk: { site: [north, west, south] } }');

  test('leaves calls as they were sent, wildcards and omissions too', () => {
    for (const args of [{ site_id: 'every' }, {}, { site_id: 'south' }])
      expect(whole.call('d/list', args).args).toBe(args);
    const home = {};
    expect(whole.call('d/home', home).args).toBe(home);
  });

  test('still holds no value beside them', () => {
    expect(whole.call('d/list', { site_id: 'east' })).toMatchObject({ code: 'out_of_scope' });
  });

  test('leaves narrowings and rules as they are', () => {
    const narrowed = under('{ desk: { site: [north, west, south] } }', '{ desk: { site: [west] } }');
    expect(narrowed.call('d/list', { site_id: 'every' }, mine).args).toEqual({ site_id: 'west' });
    const rule = under(
      '{ desk: { site: [north, west, south] } }',
      '',
      '[ { tools: [d/list], where: { site: [north, west, south] } } ]',
    );
    expect(rule.call('d/list', { site_id: 'every' }).code).toBe('several_values');
  });

  test('is no matter of a field whose values are not listed', () => {
    expect(under('{ desk: { doc: "/**" } }').permits('d/file', { path: '/etc/a' })).toBe(true);
    expect(under('{ desk: { site: any } }').permits('d/list', { site_id: 'every' })).toBe(true);
  });
});

describe('[P.kind.single] single in a ceiling', () => {
  const calls = (policy: ReturnType<typeof gate>, options = {}): readonly Verdict['decision'][] =>
    ['north', 'south', 'west'].map((site_id) => policy.call('d/list', { site_id }, options).decision);

  test('admits nothing until a narrowing binds the field to one value', () => {
    const unbound = under('{ desk: { site: single } }');
    expect(calls(unbound)).toEqual(['deny', 'deny', 'deny']);
    expect(unbound.call('d/list', { site_id: 'north' })).toMatchObject({
      code: 'out_of_scope',
      constraint: 'desk.site (single)',
    });
    expect(unbound.permits('d/ping')).toBe(true);
    for (const narrow of [
      '{ desk: { site: [north, west] } }',
      '{ desk: { site: { except: north } } }',
      '{ bank: { args.account: [A] } }',
    ])
      expect([narrow, calls(under('{ desk: { site: single } }', narrow), mine)]).toEqual([
        narrow,
        ['deny', 'deny', 'deny'],
      ]);
  });

  test('admits the one value that a narrowing binds, and fills it', () => {
    for (const narrow of [
      '{ desk: { site: south } }',
      '{ desk: { site: [south] } }',
      '{ desk: { site: { single: south } } }',
      '{ d: { site: [south] } }',
      '{ desk: { site: { in: [south, west], except: [west] } } }',
    ]) {
      const bound = under('{ desk: { site: single } }', narrow);
      expect([narrow, calls(bound, mine)]).toEqual([narrow, ['deny', 'permit', 'deny']]);
      expect(bound.call('d/list', {}, mine).args).toEqual({ site_id: 'south' });
    }
  });

  test('bound to something else, the narrowing refuses', () => {
    const bound = under('{ desk: { site: single } }', '{ desk: { site: south } }');
    expect(bound.call('d/list', { site_id: 'north' }, mine)).toMatchObject({
      code: 'out_of_scope',
      layer: 'narrowing',
      constraint: 'desk.site (south)',
    });
  });

  test('binds each server on its own', () => {
    const bound = under('{ desk: { site: single } }', '{ d: { site: south } }');
    expect([
      bound.permits('d/list', { site_id: 'south' }, mine),
      bound.permits('e/list', { site_id: 'south' }, mine),
    ]).toEqual([true, false]);
  });

  test('of a path is bound by one path, not by a folder with all beneath it', () => {
    const of = (narrow: string): ReturnType<typeof gate> =>
      under('{ desk: { doc: single } }', `{ desk: { doc: ${narrow} } }`);
    expect([
      of('/w/a').permits('d/file', { path: 'a' }, mine),
      of('/w/a').permits('d/file', { path: 'b' }, mine),
    ]).toEqual([true, false]);
    expect(of('/w/**').permits('d/file', { path: 'a' }, mine)).toBe(false);
    expect(of('"/w/?"').permits('d/file', { path: 'a' }, mine)).toBe(false);
  });

  test.each([
    [
      'host',
      '{ desk: { host: single } }',
      '{ desk: { host: x.example } }',
      'd/open',
      { url: 'https://x.example/a' },
      { url: 'https://y.example/a' },
    ],
    [
      'email',
      '{ desk: { person: single } }',
      '{ desk: { person: a@x.example } }',
      'd/mail',
      { to: 'a@X.example' },
      { to: 'b@x.example' },
    ],
    [
      'a raw argument',
      '{ bank: { args.account: single } }',
      '{ bank: { args.account: [A-17] } }',
      'bank/pay',
      { account: 'A-17', amount: 3 },
      { account: 'A-18', amount: 3 },
    ],
    [
      'a number',
      '{ bank: { args.amount: single } }',
      '{ bank: { args.amount: { min: 3, max: 3 } } }',
      'bank/pay',
      { amount: 3 },
      { amount: 4 },
    ],
  ])('of %s', (...[, ceiling, narrow, tool, fine, outside]) => {
    const policy = under(ceiling, narrow);
    expect([policy.permits(tool, fine, mine), policy.permits(tool, outside, mine)]).toEqual([true, false]);
    expect(under(ceiling).permits(tool, fine)).toBe(false);
  });

  test('with a value of its own needs no narrowing', () => {
    expect(calls(under('{ desk: { site: { single: west } } }'))).toEqual(['deny', 'deny', 'permit']);
    expect(calls(under('{ desk: { site: { single: west } } }', '{ desk: { site: south } }'), mine)).toEqual([
      'deny',
      'deny',
      'deny',
    ]);
  });

  test('stands alone in ceilings only', () => {
    const found = load(document('', '{ desk: { site: single } }'), tools);
    expect(found.problems.map(({ message }) => message).join()).toMatch(/single/u);
  });
});

describe('[P.connector.ceiling-junk] junk in a limit', () => {
  const problems = (
    ceiling: string,
    narrow = '',
    known: Tools | undefined = tools,
    allow = everything,
  ): readonly string[] =>
    load(document(ceiling, narrow, allow), known).problems.map(({ path, found }) => `${path}: ${found}`);
  const named = (path: string): readonly unknown[] => [expect.stringContaining(path)];

  test.each([
    ['a field that the connector does not have', '{ desk: { sight: [north] } }', 'agents.a.ceiling.desk'],
    ['a value that the field cannot hold', '{ desk: { site: [north, moon] } }', 'agents.a.ceiling.desk.site'],
    ['the wildcard', '{ desk: { site: [every] } }', 'agents.a.ceiling.desk.site'],
    ['a kind that the field does not have', '{ desk: { site: { min: 1 } } }', 'agents.a.ceiling.desk.site'],
    ['a pattern that is none', '{ desk: { doc: [/w/a**] } }', 'agents.a.ceiling.desk.doc'],
    ['a host that is none', '{ desk: { host: ["a b"] } }', 'agents.a.ceiling.desk.host'],
    ['no value', '{ desk: { site: [] } }', 'agents.a.ceiling.desk.site'],
    ['a set that is not declared', '{ desk: { site: { set: none } } }', 'agents.a.ceiling.desk.site'],
    ['an argument by connector', '{ desk: { args.site_id: [north] } }', 'agents.a.ceiling.desk'],
    [
      'a kind on an argument that ceilings do not have',
      '{ bank: { args.account: { host: [x.example] } } }',
      'agents.a.ceiling.bank.args.account',
    ],
  ])('%s is an error, with schemas or without, with tools of it or without', (_what, ceiling, path) => {
    expect(problems(ceiling)).toEqual(named(path));
    expect(problems(ceiling, '', undefined)).toEqual(named(path));
    const narrowed = problems('', ceiling);
    expect(narrowed).toEqual(named(path.replace('agents.a.ceiling', 'instances.a/i.narrow')));
    if (path.includes('desk'))
      expect(problems(ceiling, '', tools, '[ { tools: [bank/pay] } ]')).toEqual(named(path));
  });

  test('of a connector that no server has is an error too', () => {
    expect(problems('{ fetch: { host: ["a b"] } }')).toEqual(named('agents.a.ceiling.fetch.host'));
    expect(problems('{ filesystem: { path: { min: 1 } } }')).toEqual(
      named('agents.a.ceiling.filesystem.path'),
    );
    expect(problems('{ fetch: { host: [x.example] }, filesystem: { path: [in/**, "~/a"] } }')).toEqual([]);
  });
});
