/** POLICY section 5, dispatchers: the calls that a call holds are judged each as its own, beside the dispatcher's. */
import { describe, expect, test } from 'vitest';
import { type Tools, closed, filesystemTools, gate } from '../../../../test/policies.js';
import type { Json } from '../ground/index.js';

const text = { type: 'string' };
const object = { type: 'object' };
const connectors = `
connectors:
  hub:
    fields: { site: { kind: oneOf, values: [n, s], wildcard: all } }
    tools:
      one: { calls: { tool: args.name, arguments: args.input } }
      there: { calls: { server: k, tool: args.name, arguments: args.input } }
      many: { calls: { each: args.calls, tool: tool, arguments: args.arguments } }
      deep: { calls: { tool: args.call.tool, arguments: args.call.input } }
      look: { verb: read, reads: { site: site } }
      both: { verb: read, reads: { site: site }, calls: { tool: args.name, arguments: args.input } }
`;
const tools: Tools = {
  h: {
    one: closed({ name: text, input: object }, 'name'),
    there: closed({ name: text, input: object }, 'name'),
    many: closed({ calls: { type: 'array', items: object } }, 'calls'),
    deep: closed({ call: object }, 'call'),
    look: closed({ site: text }),
    both: closed({ site: text, name: text, input: object }, 'name'),
  },
  k: {
    save: closed({ id: { type: 'integer' }, mode: text }, 'id'),
    'sub/save': closed({ id: { type: 'integer' } }, 'id'),
    drop: closed({ id: { type: 'integer' } }, 'id'),
  },
  files: filesystemTools,
};
const document = (agent: string): string => `pawl: 1
servers:
  h: { command: x, connector: hub }
  k: { command: y }
  files: { command: z, connector: filesystem, root: /w }
${connectors}agents:
  a:
${agent}`;
const under = (agent: string): ReturnType<typeof gate> => gate(document(agent), tools);
const hub = '{ tools: [h/one, h/there, h/many, h/deep] }';

const wrapped = (depth: number, inner: Json): Json =>
  depth === 0 ? inner : { name: 'h/one', input: wrapped(depth - 1, inner) };

describe('[P.connector.calls] the calls inside a call', () => {
  const policy = under(
    `
    allow: [ ${hub}, { tools: [k/save], where: { args.id: { max: 9 }, args.mode: { optional: [fast] } } } ]
    deny: [ { tools: [k/save], where: { args.id: [7] } } ]`,
  );

  test('need what they would need alone, and are refused with the same codes', () => {
    const code = (name: string, input: Json): string | undefined =>
      policy.call('h/one', { name, input }).code;
    expect(code('k/save', { id: 3 })).toBe(undefined);
    expect(code('k/save', { id: 10 })).toBe('not_permitted');
    expect(code('k/save', { id: 7 })).toBe('denied');
    expect(code('k/save', { id: '3' })).toBe('malformed_arguments');
    expect(code('k/save', {})).toBe('malformed_arguments');
    expect(code('k/save', { id: 3, more: 1 })).toBe('malformed_arguments');
    for (const name of [
      'k/drop',
      'k/none',
      'none/save',
      'save',
      '',
      'k/',
      '/save',
      'k//save',
      'K/save',
      'k/save ',
      'k/s*',
    ])
      expect([name, code(name, { id: 3 })]).toEqual([name, 'not_permitted']);
  });

  test('are not allowed by the dispatcher, nor the dispatcher by them', () => {
    expect(under(`    allow: [ ${hub} ]`).permits('h/one', { name: 'k/save', input: { id: 3 } })).toBe(false);
    const inner = under('    allow: [ { tools: [k/save] } ]');
    expect([
      inner.permits('k/save', { id: 3 }),
      inner.permits('h/one', { name: 'k/save', input: { id: 3 } }),
    ]).toEqual([true, false]);
  });

  test('add their accesses to those of the dispatcher', () => {
    expect(policy.call('h/one', { name: 'k/save', input: { id: 3 } }).accesses).toEqual([
      { tool: 'h/one', verb: 'call' },
      { tool: 'k/save', verb: 'call' },
    ]);
  });

  test('name a tool of the server that the connector says', () => {
    expect(policy.permits('h/there', { name: 'save', input: { id: 3 } })).toBe(true);
    expect(policy.permits('h/there', { name: 'k/save', input: { id: 3 } })).toBe(false);
    expect(policy.permits('h/there', { name: 'drop', input: { id: 3 } })).toBe(false);
    const other = under(`    allow: [ ${hub}, { tools: [k/sub/save] } ]`);
    expect(other.permits('h/there', { name: 'sub/save', input: { id: 3 } })).toBe(true);
  });

  test('are judged each where there are several, and one that may not be refuses all', () => {
    const calls = (...ids: readonly number[]): Json => ({
      calls: ids.map((id) => ({ tool: 'k/save', arguments: { id } })),
    });
    expect([policy.permits('h/many', calls(1)), policy.permits('h/many', calls(1, 2, 3))]).toEqual([
      true,
      true,
    ]);
    expect([policy.permits('h/many', calls(1, 10)), policy.permits('h/many', calls(7, 1))]).toEqual([
      false,
      false,
    ]);
  });

  test('may stand deeper in the arguments', () => {
    expect(policy.permits('h/deep', { call: { tool: 'k/save', input: { id: 1 } } })).toBe(true);
    expect(policy.permits('h/deep', { call: { tool: 'k/save', input: { id: 10 } } })).toBe(false);
  });

  test.each<[string, string, Json]>([
    ['no name', 'h/one', { input: { id: 1 } }],
    ['no call', 'h/many', { calls: [] }],
    ['no list', 'h/many', { calls: 'k/save' }],
    ['a list in a list', 'h/many', { calls: [[{ tool: 'k/save', arguments: { id: 1 } }]] }],
    ['a call that is none', 'h/many', { calls: [{ tool: 'k/save', arguments: { id: 1 } }, {}] }],
    ['a name that is no text', 'h/many', { calls: [{ tool: ['k/save'], arguments: { id: 1 } }] }],
    ['arguments that are no object', 'h/many', { calls: [{ tool: 'k/save', arguments: [{ id: 1 }] }] }],
    ['arguments as a text', 'h/many', { calls: [{ tool: 'k/save', arguments: '{"id":1}' }] }],
    ['nothing at a deep place', 'h/deep', { call: {} }],
  ])('that cannot be read refuse the call: %s', (_what, tool, args) => {
    expect(policy.call(tool, args)).toMatchObject({
      decision: 'deny',
      code: 'malformed_arguments',
      layer: 'decode',
    });
  });

  test('may leave their arguments out where the tool takes none', () => {
    const free = under(`    allow: [ ${hub}, { tools: [files/list_allowed_directories] } ]`);
    for (const call of [
      { name: 'files/list_allowed_directories' },
      { name: 'files/list_allowed_directories', input: {} },
    ])
      expect(free.call('h/one', call)).toMatchObject({ decision: 'permit', args: call });
  });

  test('may be dispatchers, four deep and no deeper', () => {
    const save = { name: 'k/save', input: { id: 1 } };
    expect([0, 1, 2].map((depth) => policy.permits('h/one', wrapped(depth, save)))).toEqual([
      true,
      true,
      true,
    ]);
    expect([3, 4, 40].map((depth) => policy.call('h/one', wrapped(depth, save)).code)).toEqual(
      Array(3).fill('not_permitted'),
    );
    expect(policy.permits('h/one', wrapped(2, { name: 'k/save', input: { id: 10 } }))).toBe(false);
  });

  test('give the level of the least free', () => {
    const asking = under(`
    allow: [ ${hub}, { tools: [k/save] } ]
    ask: [ { tools: [k/save], where: { args.id: [5] }, ask: session }, { tools: [k/save], where: { args.id: [6] } } ]`);
    const level = (...ids: readonly number[]): string =>
      asking.call('h/many', { calls: ids.map((id) => ({ tool: 'k/save', arguments: { id } })) }).decision;
    expect([level(1), level(1, 5), level(5, 6), level(1, 2)]).toEqual([
      'permit',
      'session',
      'once',
      'permit',
    ]);
  });

  test('lie within ceiling and narrowing of the executor', () => {
    const capped = under(`
    ceiling: { k: { args.id: { max: 3 } }, filesystem: { path: [/w/in/**] } }
    allow: [ ${hub}, { tools: [k/save] }, { tools: ["files/*"] } ]`);
    expect(capped.permits('h/one', { name: 'k/save', input: { id: 3 } })).toBe(true);
    expect(capped.call('h/one', { name: 'k/save', input: { id: 4 } })).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
      constraint: 'k.args.id ({"max":3})',
    });
    expect(capped.call('h/one', { name: 'files/read_text_file', input: { path: '/w/out' } }).code).toBe(
      'out_of_scope',
    );
  });

  test('are forwarded as they were judged: filled, with defaults and canonical paths, at their place', () => {
    const fill = under(`
    allow: [ ${hub}, { tools: [k/save], where: { args.id: [4], args.mode: any } }, { tools: [files/read_text_file], where: { path: /w/** } }, { tools: [h/look], where: { site: s } } ]`);
    expect(fill.call('h/one', { name: 'k/save', input: { mode: 'x' } })).toMatchObject({
      args: { name: 'k/save', input: { mode: 'x', id: 4 } },
      filled: ['args.id'],
    });
    expect(fill.call('h/one', { name: 'k/save' }).args).toEqual({ name: 'k/save', input: { id: 4 } });
    const calls = [
      { tool: 'files/read_text_file', arguments: { path: 'a/../b' } },
      { tool: 'h/look', arguments: { site: 'all' } },
      { tool: 'h/look' },
      { tool: 'files/read_text_file', arguments: { path: '/w/c' } },
    ];
    expect(fill.call('h/many', { calls }).args).toEqual({
      calls: [
        { tool: 'files/read_text_file', arguments: { path: '/w/b' } },
        { tool: 'h/look', arguments: { site: 's' } },
        { tool: 'h/look', arguments: { site: 's' } },
        { tool: 'files/read_text_file', arguments: { path: '/w/c' } },
      ],
    });
  });

  test('that need no change leave the very same object', () => {
    const args = { name: 'k/save', input: { id: 3 } };
    expect(policy.call('h/one', args).args).toBe(args);
  });

  test('stand beside what the dispatcher itself accesses', () => {
    const both = under(
      '    allow: [ { tools: [h/both], where: { site: n } }, { tools: [k/save], where: { args.id: [1] } } ]',
    );
    const call = (site: string, id: number): boolean =>
      both.permits('h/both', { site, name: 'k/save', input: { id } });
    expect([call('n', 1), call('s', 1), call('n', 2)]).toEqual([true, false, false]);
    expect(both.call('h/both', { name: 'k/save', input: {} }).args).toEqual({
      site: 'n',
      name: 'k/save',
      input: { id: 1 },
    });
  });

  test('may be narrowed by rules on the dispatcher’s own arguments', () => {
    const named = under(
      '    allow: [ { tools: [h/one], where: { args.name: [k/save], rest: any } }, { tools: ["k/*"] } ]',
    );
    expect(named.permits('h/one', { name: 'k/save', input: { id: 1 } })).toBe(true);
    expect(named.permits('h/one', { name: 'k/drop', input: { id: 1 } })).toBe(false);
    expect(named.permits('k/drop', { id: 1 })).toBe(true);
  });

  test('are bounded in number, and many of them take no long time', () => {
    const calls = (count: number): Json => ({
      calls: Array.from({ length: count }, () => ({ tool: 'k/save', arguments: { id: 1 } })),
    });
    expect(policy.permits('h/many', calls(4096))).toBe(true);
    expect(policy.permits('h/many', calls(4097))).toBe(false);
  });
});
