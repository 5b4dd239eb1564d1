/** Reading constraints: short and long forms, references, and what is wrong with a document. */
import { describe, expect, test } from 'vitest';
import { doc, readContext } from '../../../../../test/constraints.js';
import type { Json } from '../../ground/index.js';
import { anything } from '../automaton/index.js';
import {
  type Constraint,
  type ReadContext,
  type Value,
  Spread,
  and,
  compileConstraint,
  equal,
  everythingSet,
  followsName,
  includes,
  member,
  missing,
  readConstraint,
  scalars,
  splitByName,
  valueSet,
  viewUniverse,
} from './index.js';

function read(value: Json, changes: Partial<ReadContext> = {}): Constraint | undefined {
  return readConstraint(doc(value), readContext(changes));
}

function problems(value: Json, changes: Partial<ReadContext> = {}): readonly string[] {
  const ctx = readContext(changes);
  expect(readConstraint(doc(value), ctx)).toBeUndefined();
  expect(ctx.problems.length).toBeGreaterThan(0);
  return ctx.problems.map(
    (each) => `${each.path}: ${each.message}; found ${each.found}; allowed ${each.allowed}`,
  );
}

/** Whether the value, the same in every view, meets the constraint. */
function admits(constraint: Json, value: Value, changes: Partial<ReadContext> = {}): boolean {
  const ctx = readContext(changes);
  const found = readConstraint(doc(constraint), ctx);
  expect(ctx.problems).toEqual([]);
  if (found === undefined) throw new Error('not read');
  return compileConstraint(found, ctx).some((views) =>
    [...views.values()].every((set) => member(set, value)),
  );
}

const onPath = { place: 'path' } as const;
const denying = { polarity: 'refuse' } as const;

describe('short forms', () => {
  test('[P.kind.strict-types] a scalar or a list on a raw argument is exact, never a glob', () => {
    expect(admits('job-*', 'job-*')).toBe(true);
    expect(admits('job-*', 'job-7')).toBe(false);
    expect(admits(['a', 1, true, null], null)).toBe(true);
    expect(admits([1], '1')).toBe(false);
    expect(admits(['1'], 1)).toBe(false);
    expect(admits([1], 1.0)).toBe(true);
    expect(admits([0], -0)).toBe(true);
    expect(admits([true], 1)).toBe(false);
  });

  test('the words any, present and absent are presence alone, and literals in a list', () => {
    expect(read('any')).toEqual({ kind: 'presence', word: 'any' });
    expect(read(['any'])).toEqual({ kind: 'oneOf', values: ['any'] });
    expect(read('absent', onPath)).toEqual({ kind: 'presence', word: 'absent' });
    expect(read({ oneOf: ['any'] })).toEqual({ kind: 'oneOf', values: ['any'] });
  });

  test('on a path field a text or a list of texts are globs', () => {
    expect(read('/data/**', onPath)).toEqual({ kind: 'path', globs: ['/data/**'] });
    expect(read(['/a', 'b'], onPath)).toEqual({ kind: 'path', globs: ['/a', 'b'] });
    expect(problems([1], onPath)[0]).toContain('a path is a text');
    expect(problems({ path: ['/a'] }, onPath)[0]).toContain('write the path alone');
    expect(problems({ prefix: 'a' }, onPath)[0]).toContain('has no place on a field');
  });

  test('a list of constraints of one kind is an or', () => {
    expect(admits([{ prefix: 'a' }, { prefix: 'b' }], 'bx')).toBe(true);
    expect(problems([{ prefix: 'a' }, { min: 1 }])[0]).toContain('either');
    expect(problems(['a', { prefix: 'b' }])[0]).toContain('either');
    expect(problems([['a']])[0]).toContain('either');
  });
});

describe('what is wrong with a constraint', () => {
  test('unknown keys are named with what is allowed', () => {
    expect(problems({ prefx: 'a' })[0]).toMatch(/unknown key prefx; found "prefx"; allowed .*prefix/u);
    expect(problems({ min: 1, prefix: 'a' })[0]).toContain('use all');
  });

  test('[P.rule.never-matches] empty and unsatisfiable constraints are problems', () => {
    const empty: Json[] = [[], {}, { oneOf: [] }, { all: [] }, { either: [] }, { is: [] }, { path: [] }];
    const never: Json[] = [
      { min: 2, max: 1 },
      { above: 1, below: 1 },
      { min: 0.1, max: 0.9, integer: true },
      { all: [['a'], ['b']] },
      { in: ['a'], except: ['a'] },
      { prefix: 'abc', maxLength: 2 },
      { minItems: 2, maxItems: 1 },
      { except: 'any' },
    ];
    for (const value of [...empty, ...never]) problems(value);
  });

  test('what folding leaves over decides whether an exception empties a constraint', () => {
    expect(read({ in: ['a'], except: ['A'] }, denying)).toBeDefined();
    problems({ in: ['a'], except: ['A'] });
  });

  test('[P.authority.state-cap] a pattern that would grow too large is a problem', () => {
    expect(problems({ glob: `*a${'?'.repeat(30)}` })[0]).toContain('more than');
    expect(problems(`/**/*a${'?'.repeat(30)}`, onPath)[0]).toContain('more than');
  });

  test('members of the wrong type are named with their path', () => {
    expect(problems({ min: '1' })[0]).toContain('where.min');
    expect(problems({ maxLength: -1 })[0]).toContain('where.maxLength');
    expect(problems({ maxLength: 1.5 })[0]).toContain('whole number');
    expect(problems({ integer: false })[0]).toContain('where.integer');
    expect(problems({ is: [1] })[0]).toContain('where.is');
    expect(problems({ in: ['a'] })[0]).toContain('except is missing');
    expect(problems({ either: [['a'], { nope: 1 }] })[0]).toContain('where.either[1]');
    expect(problems([Infinity])[0]).toContain('JSON');
  });

  test('[P.kind.text-unicode] texts are normalised with a finding, and refused with U+0000 or lone surrogates', () => {
    const ctx = readContext();
    expect(readConstraint(doc(['cafe\u0301']), ctx)).toEqual({ kind: 'oneOf', values: ['caf\u00e9'] });
    expect(ctx.findings).toHaveLength(1);
    problems(['a\u0000']);
    problems({ prefix: '\ud800' });
    problems('/\udfff', onPath);
  });
});

describe('references', () => {
  test('stand for the list of their place', () => {
    expect(read({ set: 'crew' })).toEqual({ kind: 'oneOf', values: ['ann', 'bo'] });
    expect(read({ fact: 'rota.today' })).toEqual({ kind: 'oneOf', values: ['x', 'y'] });
    expect(read({ fact: 'rota.lead' })).toEqual({ kind: 'oneOf', values: ['ann'] });
    const sets = new Map([['folders', ['/a/**', 'b']]]);
    expect(read({ set: 'folders' }, { ...onPath, sets })).toEqual({ kind: 'path', globs: ['/a/**', 'b'] });
    expect(read({ set: 'words' }, { sets: new Map([['words', ['any']]]) })).toEqual({
      kind: 'oneOf',
      values: ['any'],
    });
  });

  test('that are missing or of the wrong type are problems that say what there is', () => {
    expect(problems({ set: 'crewe' })[0]).toMatch(/crewe.*allowed crew/u);
    expect(problems({ set: 'e' }, { sets: new Map([['e', []]]) })[0]).toContain('empty');
    expect(problems({ fact: 'rota.tomorrow' })[0]).toMatch(/tomorrow.*rota\.today/u);
    expect(problems({ fact: 'rota.deep' })[0]).toContain('no list of scalars');
    expect(problems({ fact: 'rota.none' })[0]).toContain('no list of scalars');
    expect(problems({ fact: 'rots.today' })[0]).toContain('no fact rots');
    expect(problems({ fact: 'rota' })[0]).toContain('name.key');
    expect(problems({ fact: 'rota.constructor' })[0]).toContain('has no constructor');
    expect(problems({ set: 'crew', except: ['bo'] })[0]).toContain('no other key');
    expect(problems({ set: ['crew'] })[0]).toContain('takes a name');
  });
});

describe('presence and absence', () => {
  test('[P.kind.absent] nothing holds for an absent value but any, absent and optional', () => {
    const holds = (constraint: Json): boolean => admits(constraint, missing);
    expect(['any', 'absent', { optional: ['a'] }].map((each) => holds(each))).toEqual([true, true, true]);
    const others: Json[] = [
      'present',
      ['a'],
      { except: ['a'] },
      { min: 0 },
      { items: 'any' },
      { path: ['/a'] },
    ];
    expect(others.map((each) => holds(each))).toEqual(others.map(() => false));
  });

  test('an exception admits any present value of any type outside it', () => {
    for (const value of [5, false, 'guest', null, { a: 'root' }, [], ['x', 1]] satisfies Value[]) {
      expect(admits({ except: ['root'] }, value)).toBe(true);
    }
    expect(admits({ except: ['root'] }, ['x', ['ROOT']])).toBe(false);
  });

  test('absence is judged element by element where a path leads through an array', () => {
    const some = new Spread(['a', missing]);
    expect(admits('absent', some)).toBe(false);
    expect(admits('absent', new Spread([missing, missing]))).toBe(true);
    expect(admits('present', some)).toBe(false);
    expect(admits({ optional: ['a'] }, some)).toBe(true);
    expect(admits('absent', some, denying)).toBe(true);
    expect(admits('any', some)).toBe(true);
    expect(admits('absent', [])).toBe(false);
  });
});

describe('arrays', () => {
  test('[P.kind.arrays] a constraint holds for every element when it admits, and for some when it refuses', () => {
    expect(admits(['a', 'b'], ['a', 'b'])).toBe(true);
    expect(admits(['a', 'b'], ['a', 'c'])).toBe(false);
    expect(admits(['a'], [])).toBe(true);
    expect(admits(['root'], ['u', ['root']], denying)).toBe(true);
    expect(admits(['root'], [], denying)).toBe(false);
    expect(admits({ either: [['a'], { prefix: 'x' }] }, ['a', 'xy'])).toBe(true);
    expect(admits({ all: [{ prefix: 'a' }, { suffix: 'z' }] }, ['ax', 'xz'], denying)).toBe(false);
  });

  test('[P.kind.arrays] items, minItems and maxItems constrain arrays only', () => {
    const constraint: Json = { items: ['a', 'b'], minItems: 1, maxItems: 2 };
    expect([['a'], ['a', 'b'], [['a']]].map((each) => admits(constraint, each))).toEqual([true, true, true]);
    expect(
      ([[], ['c'], ['a', 'b', 'a'], 'a', missing] as Value[]).map((each) => admits(constraint, each)),
    ).toEqual([false, false, false, false, false]);
    expect(admits({ all: [['a', 'b'], { minItems: 1 }] }, ['a'])).toBe(true);
    expect(admits({ all: [['a', 'b'], { minItems: 1 }] }, 'a')).toBe(false);
    expect(admits({ items: ['root'] }, ['u', 'ROOT'], denying)).toBe(true);
  });
});

describe('polarity', () => {
  test('[P.kind.polarity] admitting compares code points, refusing folds, and each except flips', () => {
    expect(admits(['Root'], 'root')).toBe(false);
    expect(admits(['Root'], 'rOOT', denying)).toBe(true);
    expect(admits({ in: { prefix: 'db-' }, except: ['db-prod'] }, 'db-PROD')).toBe(false);
    expect(admits({ in: { glob: '.env*' }, except: ['.env.sample'] }, '.env.SAMPLE', denying)).toBe(true);
    expect(admits({ in: { glob: '.env*' }, except: ['.env.sample'] }, '.env.sample', denying)).toBe(false);
    expect(admits({ except: { except: ['a'] } }, 'A')).toBe(false);
    expect(admits({ except: { except: ['a'] } }, 'a')).toBe(true);
  });

  test('a case-insensitive server folds paths in both positions', () => {
    const insensitive = { path: { root: '/Proj', case: 'insensitive', platform: 'posix' } } as const;
    expect(admits('Docs/*', '/proj/docs/A', { ...onPath, ...insensitive })).toBe(true);
    expect(admits('Docs/*', '/proj/docs/a', onPath)).toBe(false);
  });
});

describe('paths', () => {
  test('[P.kind.path-glob] malformed globs are problems', () => {
    const malformed = [
      'a**b',
      '**a',
      '***',
      '/a//b',
      '//a',
      '/a/./b',
      '/a/../b',
      '..',
      '.',
      '/{a,..}/b',
      '/a/{.,b}',
      '!a',
      '/a/@(b)',
      '/+(a)',
      '/a?(b)',
      '/*(a)',
      '/!(a)',
      '~user/a',
      '/{a',
      '/a}',
      '/{a}',
      '/{,a}/b',
      '/a\\',
      '/a\\/b',
      '',
      '{~x,a}',
      '/{*,a}*',
      `/${'{a,b}'.repeat(11)}`,
    ];
    for (const glob of malformed) expect(problems(glob, onPath)[0], glob).toContain('where');
  });

  test('[P.kind.path-glob] relative globs need a root and ~ needs a home', () => {
    const bare = { place: 'path', path: { case: 'sensitive', platform: 'posix' } } as const;
    expect(problems('src/**', bare)[0]).toContain('root');
    expect(problems('**', bare)[0]).toContain('root');
    expect(problems('~/x', bare)[0]).toContain('home');
    expect(read('**/x', bare)).toBeDefined();
  });

  test('** alone is below the root, with a finding', () => {
    const ctx = readContext(onPath);
    readConstraint(doc('**'), ctx);
    expect(ctx.findings[0]?.message).toContain('/**');
    expect(admits('**', '/proj/a', onPath)).toBe(true);
    expect(admits('**', '/etc/passwd', onPath)).toBe(false);
  });

  test('[P.kind.path-glob] match as the policy says', () => {
    const rows: readonly (readonly [glob: string, hits: readonly string[], misses: readonly string[]])[] = [
      ['/data/**', ['/data', '/data/a/b'], ['/database', '/', '/DATA/a']],
      ['/**', ['/', '/a/b'], []],
      ['/', ['/'], ['/a']],
      ['/data/', ['/data'], ['/data/a']],
      ['/data/*', ['/data/a', '/data/...'], ['/data', '/data/a/b']],
      ['/data/**/x.md', ['/data/x.md', '/data/a/b/x.md'], ['/data/ax.md']],
      ['**/.env', ['/.env', '/a/.env'], ['/a/.env.local', '/a/x.env']],
      ['/a/?', ['/a/b', '/a/😀'], ['/a/bc', '/a']],
      ['/p/[id].ts', ['/p/[id].ts'], ['/p/i.ts']],
      ['/p/a\\*b', ['/p/a*b'], ['/p/axb']],
      ['/{a,b/{c,d}}/x', ['/a/x', '/b/c/x', '/b/d/x'], ['/b/x', '/c/x']],
      ['/f{,.bak}', ['/f', '/f.bak'], ['/f.']],
      ['~/x', ['/home/dev/x'], ['/~/x']],
      ['~', ['/home/dev'], ['/home/dev/x']],
      ['\\~x', ['/proj/~x'], ['/home/dev']],
      ['src/*.ts', ['/proj/src/a.ts', '/proj/src/.ts'], ['/src/a.ts', '/proj/src/a/b.ts']],
      ['/a/.*', ['/a/.b'], ['/a/.', '/a/..']],
      ['/a,b', ['/a,b'], []],
    ];
    for (const [glob, hits, misses] of rows) {
      for (const hit of hits) expect(admits(glob, hit, onPath), `${glob} on ${hit}`).toBe(true);
      for (const miss of misses) expect(admits(glob, miss, onPath), `${glob} on ${miss}`).toBe(false);
    }
  });

  test('on a field are compared within what paths can be at all', () => {
    const seen = viewUniverse('path');
    const ctx = readContext(onPath);
    const everywhere = compileConstraint(readConstraint(doc({ optional: '/**' }), ctx)!, ctx)[0]!.get(
      'path',
    )!;
    expect(includes(everywhere, everythingSet)).toBe(false);
    expect(([missing, '/a'] satisfies Value[]).map((each) => member(seen, each))).toEqual([true, true]);
    expect(['a', '/a/', '/..'].map((each) => member(seen, each))).toEqual([false, false, false]);
    const texts = valueSet({ missing: true, text: anything });
    expect(includes(everywhere, and(texts, seen))).toBe(true);
    expect(equal(and(seen, everythingSet), seen)).toBe(true);
  });

  test('[P.rule.reach] the rule text decides which globs follow the name', () => {
    expect(splitByName({ kind: 'path', globs: ['**/.env', '/etc/**'] })).toEqual({
      named: { kind: 'path', globs: ['**/.env'] },
      below: { kind: 'path', globs: ['/etc/**'] },
    });
    expect(splitByName({ kind: 'path', globs: ['/a'] }).named).toBeUndefined();
    expect(['**/x', '**', '/**/x'].map(followsName)).toEqual([true, false, false]);
  });

  test('a raw argument may be judged as a path, beside its raw form', () => {
    const ctx = readContext();
    const constraint = readConstraint(doc({ in: { path: ['/data/**'] }, except: { suffix: '/' } }), ctx);
    const alternatives = compileConstraint(constraint!, ctx);
    expect(alternatives.map((each) => [...each.keys()])).toEqual([['path', 'raw']]);
    const either = readConstraint(doc({ either: [{ path: ['/a'] }, ['-']] }), ctx);
    expect(compileConstraint(either!, ctx)).toHaveLength(2);
  });
});

describe('the values that are left', () => {
  test('[P.fill.single] of a list with exceptions are counted', () => {
    const ctx = readContext();
    const constraint = readConstraint(doc({ in: ['a', 'b', 1], except: ['B'] }), ctx);
    const set = compileConstraint(constraint!, ctx)[0]?.get('raw');
    expect(scalars(set!, 8)).toEqual(['a', 1]);
  });
});
