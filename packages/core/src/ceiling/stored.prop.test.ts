/** Stored ceilings and narrowings: what sanitising keeps, what resolving admits, and what is told. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Tools, closed, gate, load } from '../../../../test/policies.js';
import { type Json, type JsonObject, mintId, nodeOf } from '../ground/index.js';
import { type Declared, declareLimits } from '../policy/declaring.js';
import type { Declaration } from './declaration.js';

const text = { type: 'string' };
const connectors = `
connectors:
  desk:
    fields:
      site: { kind: oneOf, values: [north, south, west], wildcard: every }
      doc: { kind: path }
      host: { kind: host }
    tools:
      list: { verb: list, reads: { site: site_id }, omitted: { site: every } }
      file: { verb: read, reads: { doc: path } }
      open: { verb: connect, reads: { host: host } }
`;
const tools: Tools = {
  d: {
    list: closed({ site_id: text }),
    file: closed({ path: text }, 'path'),
    open: closed({ host: text }, 'host'),
  },
  bank: { pay: closed({ account: text, amount: { type: 'number' } }) },
};
const document = (ceiling = '', narrow = ''): string => `pawl: 1
servers: { d: { command: x, connector: desk, root: /w }, bank: { command: y } }
sets: { sites: [north, west] }
${connectors}
agents: { a: { allow: [ { tools: ["d/*"] }, { tools: [bank/pay] } ], instances: optional${ceiling === '' ? '' : `, ceiling: ${ceiling}`} } }
instances: { a/i: ${narrow === '' ? '{}' : `{ narrow: ${narrow} }`} }
`;

function entry(of: string, on: string, fields?: JsonObject): Declaration {
  return { of: mintId.executor(of), on, ...(fields === undefined ? {} : { fields }) };
}

function declaring(
  of: string,
  declaration: Json,
  { ceiling = '', narrow = '', stored = [] as readonly Declaration[] } = {},
): Declared {
  const { policy, source } = loaded(document(ceiling, narrow), stored);
  const around = { document: source, policy, facts: new Map<string, Json>(), stored };
  const declared = declareLimits(around, mintId.executor(of), nodeOf(declaration, { line: 1, column: 1 }));
  if (declared === undefined) throw new Error(`nobody is ${of}`);
  return declared;
}

function loaded(
  policyText: string,
  stored: readonly Declaration[],
): {
  policy: NonNullable<ReturnType<typeof load>['policy']>;
  source: Parameters<typeof declareLimits>[0]['document'];
} {
  let source: Parameters<typeof declareLimits>[0]['document'] | undefined;
  const result = load(policyText, tools, { declared: stored }, (read) => void (source = read));
  if (result.policy === undefined || source === undefined) throw new Error(result.problems[0]?.message);
  return { policy: result.policy, source };
}

describe('[S002.declared-and-resolved] sanitising a declaration', () => {
  test.each<[string, Json, JsonObject, readonly string[]]>([
    ['keeps what the tables know', { desk: { site: ['north'] } }, { desk: { site: ['north'] } }, []],
    ['keeps a declaration by server', { d: { doc: '/w/**' } }, { d: { doc: '/w/**' } }, []],
    [
      'keeps arguments of a server',
      { bank: { 'args.account': ['A'] } },
      { bank: { 'args.account': ['A'] } },
      [],
    ],
    ['keeps single in a ceiling', { desk: { doc: 'single' } }, { desk: { doc: 'single' } }, []],
    [
      'keeps sets by their name',
      { desk: { site: { set: 'sites' } } },
      { desk: { site: { set: 'sites' } } },
      [],
    ],
    ['drops a value', { desk: { site: ['north', 'moon'] } }, { desk: { site: ['north'] } }, ['desk.site[1]']],
    [
      'drops every value that is none',
      { desk: { site: ['moon', 'north', 'every', 7] } },
      { desk: { site: ['north'] } },
      ['desk.site[0]', 'desk.site[2]', 'desk.site[3]'],
    ],
    [
      'drops a value of the long form',
      { bank: { 'args.account': { oneOf: [['x'], 'A'] } } },
      { bank: { 'args.account': { oneOf: ['A'] } } },
      ['bank.args.account.oneOf[0]'],
    ],
    [
      'drops a choice that is none',
      { desk: { site: { either: [['moon'], ['west']] } } },
      { desk: { site: { either: [['west']] } } },
      ['desk.site.either[0]'],
    ],
    [
      'drops a pattern that is none',
      { desk: { doc: ['/w/a**', '/w/b'] } },
      { desk: { doc: ['/w/b'] } },
      ['desk.doc[0]'],
    ],
    [
      'drops a host that is none',
      { desk: { host: ['a b', 'x.example'] } },
      { desk: { host: ['x.example'] } },
      ['desk.host[0]'],
    ],
    [
      'drops a field whose one value is none',
      { desk: { site: 'moon', doc: '/w/x' } },
      { desk: { doc: '/w/x' } },
      ['desk.site'],
    ],
    [
      'drops a field that nothing has',
      { desk: { sight: ['north'] }, d: { doc: '/w/x' } },
      { d: { doc: '/w/x' } },
      ['desk.sight'],
    ],
    ['drops a name that nothing has', { desks: { site: ['north'] } }, {}, ['desks']],
    ['drops a kind that the field does not have', { desk: { site: { min: 1 } } }, {}, ['desk.site']],
    ['drops what is no mapping', { desk: ['north'] }, {}, ['desk']],
    ['drops an empty mapping', { desk: {} }, {}, ['desk']],
    ['drops arguments by connector', { desk: { 'args.site_id': ['north'] } }, {}, ['desk.args.site_id']],
    ['drops an argument that no tool has', { bank: { 'args.iban': ['X'] } }, {}, ['bank.args.iban']],
    [
      'drops a constraint whole whose part is none',
      { desk: { site: { all: [['north'], ['moon']] } } },
      {},
      ['desk.site.all[1]'],
    ],
    [
      'drops an exception whole that names what is none',
      { desk: { site: { except: ['moon'] } } },
      {},
      ['desk.site.except'],
    ],
  ])('%s', (_what, declaration, kept, dropped) => {
    const answer = declaring('a', declaration);
    expect(answer.kept).toEqual(kept);
    expect(answer.dropped.map(({ path }) => path)).toEqual(dropped);
    for (const { message, allowed } of answer.dropped) expect([message, allowed]).not.toContain('');
  });

  test('[P.kind.single] single alone is for ceilings: a subscriber who says so asks for a value of that name', () => {
    expect(declaring('a/i', { desk: { site: 'single' } }).kept).toEqual({});
  });

  test('[P.connector.whole-ceiling] a list of everything is kept as its values, and counts as none', () => {
    const all = { desk: { site: ['west', 'north', 'south'] } };
    expect(declaring('a', all)).toMatchObject({ kept: all, whole: ['desk.site'], dropped: [] });
    const { policy } = loaded(document(), [entry('a', 'desk', all.desk)]);
    expect(policy.declared).toMatchObject([{ state: 'whole' }]);
  });

  test('nobody is declared for whom the policy does not have', () => {
    for (const nobody of ['b', 'a/j', 'a/i/x', 'b/i']) expect(() => declaring(nobody, {})).toThrow(/nobody/u);
  });

  const constraint = fc.letrec<{ json: Json }>((tie) => ({
    json: fc.oneof(
      { maxDepth: 3, depthSize: 'small' },
      fc.constantFrom<Json>(
        'north',
        'south',
        'moon',
        'every',
        'single',
        'any',
        '/w/**',
        '/w/a**',
        'x.example',
        7,
        null,
        true,
      ),
      fc.array(tie('json'), { maxLength: 3 }),
      fc.dictionary(
        fc.constantFrom(
          'oneOf',
          'except',
          'in',
          'all',
          'either',
          'single',
          'set',
          'path',
          'host',
          'min',
          'is',
          'odd',
        ),
        tie('json'),
        { maxKeys: 2 },
      ),
    ),
  })).json;
  const declarations = fc.dictionary(
    fc.constantFrom('desk', 'd', 'bank', 'filesystem', 'nothing'),
    fc.oneof(
      fc.dictionary(
        fc.constantFrom('site', 'doc', 'host', 'path', 'args.account', 'args.amount', 'odd'),
        constraint,
        { maxKeys: 3 },
      ),
      constraint,
    ),
    { maxKeys: 3 },
  );

  test('what is left of anything is left whole by sanitising again, can be read, and is what the store holds', () => {
    fc.assert(
      fc.property(declarations, fc.constantFrom('a', 'a/i'), (declaration, of) => {
        const { kept } = declaring(of, declaration);
        expect(declaring(of, kept)).toMatchObject({ kept, dropped: [] });
        const stored = Object.entries(kept).map(([on, fields]) => entry(of, on, fields));
        const { policy } = loaded(document(), stored);
        expect(policy.declared.map(({ state }) => state)).not.toContain('unreadable');
      }),
      { numRuns: 150 },
    );
  });
});

describe('[S002.narrow-only-narrows] what is stored, met with the document', () => {
  const sites = ['north', 'south', 'west'] as const;
  const some = fc.option(fc.subarray([...sites], { minLength: 1 }), { nil: undefined });
  const told = (list: readonly string[] | undefined): string =>
    list === undefined ? '' : `{ desk: { site: [${list.join(', ')}] } }`;

  test('a value is permitted exactly where ceilings and narrowings of document and store all hold it', () => {
    fc.assert(
      fc.property(some, some, some, some, (ceiling, stored, narrow, bound) => {
        const declared = [
          ...(stored === undefined ? [] : [entry('a', 'd', { site: stored })]),
          ...(bound === undefined ? [] : [entry('a/i', 'desk', { site: bound })]),
        ];
        const policy = gate(document(told(ceiling), told(narrow)), tools, { declared });
        for (const site of sites) {
          const inside = [ceiling, stored, narrow, bound].every((list) => list?.includes(site) ?? true);
          expect(policy.permits('d/list', { site_id: site }, { instance: 'i' })).toBe(inside);
          const agent = [ceiling, stored].every((list) => list?.includes(site) ?? true);
          expect(policy.permits('d/list', { site_id: site })).toBe(agent);
        }
      }),
      { numRuns: 120 },
    );
  });

  test('[P.kind.single] a field that waits is bound by what narrowings leave together', () => {
    const bound = gate(document('{ desk: { site: single } }', '{ desk: { site: [north, west] } }'), tools, {
      declared: [entry('a/i', 'desk', { site: ['west', 'south'] })],
    });
    const reach = sites.map((site_id) => bound.permits('d/list', { site_id }, { instance: 'i' }));
    expect(reach).toEqual([false, false, true]);
  });

  test('[S002.constraint-named] refusals name what was declared and where it is stored', () => {
    const policy = gate(document('{ desk: { site: [north, south] } }'), tools, {
      declared: [entry('a', 'd', { site: ['south'] }), entry('a/i', 'desk', { doc: ['/w/**'] })],
    });
    expect(policy.call('d/list', { site_id: 'north' })).toMatchObject({
      code: 'out_of_scope',
      layer: 'ceiling',
      constraint: 'd.site (south)',
      rule: 'stored.a.ceiling.d',
    });
    expect(policy.call('d/file', { path: '/v' }, { instance: 'i' })).toMatchObject({
      layer: 'narrowing',
      constraint: 'desk.doc (/w/**)',
      rule: 'stored.a/i.narrow.desk',
    });
  });

  test('[S002.unreadable-refuses] [P.connector.ceiling-junk] an entry that the document no longer gives a meaning is a finding, and refuses', () => {
    const declared = [entry('a', 'desk', { site: { set: 'sites' } })];
    const gone = document().replace('sets: { sites: [north, west] }\n', '');
    expect(gate(document(), tools, { declared }).permits('d/list', { site_id: 'west' })).toBe(true);
    const policy = gate(gone, tools, { declared });
    expect(policy.call('d/list', { site_id: 'west' })).toMatchObject({ code: 'unreadable_ceiling' });
    expect(policy.findings.map(({ message }) => message).join()).toMatch(
      /stored ceiling of a cannot be read/u,
    );
  });

  test('[S002.unreadable-refuses] a path that has no meaning for one server refuses that server', () => {
    const rootless = document().replace('connector: desk, root: /w }', 'connector: desk }');
    const policy = gate(rootless, tools, { declared: [entry('a', 'desk', { doc: ['below/**'] })] });
    expect(policy.call('d/file', { path: '/w/a' })).toMatchObject({ code: 'unreadable_ceiling' });
  });

  test('an entry of an instance that is not declared waits for it', () => {
    const { policy } = loaded(document(), [entry('a/j', 'desk', { site: ['north'] }), entry('z', 'desk')]);
    expect(policy.declared.map(({ state }) => state)).toEqual(['idle', 'idle']);
  });
});

describe('[S002.subscriber-cannot-widen] what is asked for in vain', () => {
  const told = (...args: Parameters<typeof declaring>): readonly unknown[] =>
    declaring(...args).beyond.map(({ field, asked, left, outside }) => [field, asked, left, outside]);

  test('is told value by value', () => {
    expect(
      told('a/i', { desk: { site: ['north', 'south', 'west'] } }, { ceiling: '{ desk: { site: [north] } }' }),
    ).toEqual([
      ['desk.site', 'south', 'nothing', 'desk.site (north)'],
      ['desk.site', 'west', 'nothing', 'desk.site (north)'],
    ]);
  });

  test('is told of folders and hosts, in part too', () => {
    const ceiling = '{ desk: { doc: [/w/a/**], host: ["*.x.example"] } }';
    expect(
      told(
        'a/i',
        { desk: { doc: ['/w/a/b', '/w/**', '/v'], host: ['a.x.example', 'y.example'] } },
        { ceiling },
      ),
    ).toEqual([
      ['desk.doc', '/w/**', 'part', 'desk.doc (/w/a/**)'],
      ['desk.doc', '/v', 'nothing', 'desk.doc (/w/a/**)'],
      ['desk.host', 'y.example', 'nothing', 'desk.host (*.x.example)'],
    ]);
  });

  test('is told across names: by server within a ceiling by connector', () => {
    expect(told('a/i', { d: { site: ['west'] } }, { ceiling: '{ desk: { site: [north] } }' })).toEqual([
      ['d.site', 'west', 'nothing', 'desk.site (north)'],
    ]);
  });

  test('is told of numbers and of arguments', () => {
    const ceiling = '{ bank: { args.amount: { max: 100 }, args.account: [A, B] } }';
    expect(
      told('a/i', { bank: { 'args.amount': { max: 500 }, 'args.account': ['B', 'C'] } }, { ceiling }),
    ).toEqual([
      ['bank.args.amount', '{"max":500}', 'part', 'bank.args.amount ({"max":100})'],
      ['bank.args.account', 'C', 'nothing', 'bank.args.account (A, B)'],
    ]);
  });

  test('is told of the stored ceiling of the agent and of the narrowing in the document', () => {
    const stored = [entry('a', 'desk', { site: ['north', 'west'] })];
    expect(
      told(
        'a/i',
        { desk: { site: ['south', 'west'] } },
        { narrow: '{ desk: { site: [north, south] } }', stored },
      ),
    ).toEqual([
      ['desk.site', 'south', 'nothing', 'desk.site (north, west)'],
      ['desk.site', 'west', 'nothing', 'desk.site (north, south)'],
    ]);
  });

  test('is told where a value is to be bound and several are asked for; one binds', () => {
    const ceiling = '{ desk: { site: single } }';
    expect(told('a/i', { desk: { site: ['north', 'west'] } }, { ceiling })).toEqual([
      ['desk.site', '["north","west"]', 'nothing', 'desk.site (single)'],
    ]);
    expect(told('a/i', { desk: { site: ['north'] } }, { ceiling })).toEqual([]);
  });

  test('nothing is told of what lies within', () => {
    expect(
      told('a/i', { desk: { site: ['north'] } }, { ceiling: '{ desk: { site: [north, west] } }' }),
    ).toEqual([]);
    expect(told('a', { desk: { site: ['north'] } })).toEqual([]);
  });
});
