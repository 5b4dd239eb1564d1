/** Constraints against a plain reading of POLICY section 4, and their printed form. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doc, readContext, scalarPool, value } from '../../../../../test/constraints.js';
import type { Json } from '../../ground/index.js';
import { foldOrbit } from '../automaton/index.js';
import {
  type Constraint,
  type KindName,
  type Missing,
  type NumberConstraint,
  type Place,
  type Polarity,
  type PresenceConstraint,
  type TextConstraint,
  type Value,
  ReadySet,
  Spread,
  compileConstraint,
  constraintToDocument,
  member,
  missing,
  readConstraint,
} from './index.js';
import { effects } from '../sql/index.js';
import { maxAlternatives } from './meaning.js';

const textPool = scalarPool.filter((each) => typeof each === 'string');
const chars = fc
  .array(fc.constantFrom('a', 'b', 'B', 's', '*', '?', '/'), { maxLength: 4 })
  .map((list) => list.join(''));
const some = <T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(arbitrary, { nil: undefined });

function given<T extends object>(members: T): T {
  const entries = Object.entries(members).filter(([, member]) => member !== undefined);
  return Object.fromEntries(entries) as T;
}

const oneOf: fc.Arbitrary<Constraint> = fc
  .uniqueArray(fc.constantFrom(...scalarPool), { minLength: 1, maxLength: 3 })
  .map((values) => ({ kind: 'oneOf', values }));
const number: fc.Arbitrary<Constraint> = fc
  .record({
    min: some(fc.constantFrom(0, 1, -3)),
    max: some(fc.constantFrom(1, 2, 1.5)),
    above: some(fc.constantFrom(0, 1)),
    below: some(fc.constantFrom(2, 1.5)),
    integer: some(fc.constant(true)),
  })
  .map((members) => ({ kind: 'number', ...given(members) }) as Constraint)
  .filter((each) => Object.keys(each).length > 1);
const text: fc.Arbitrary<TextConstraint> = fc
  .record({
    is: some(fc.uniqueArray(fc.constantFrom(...textPool), { minLength: 1, maxLength: 3 })),
    prefix: some(fc.constantFrom('a', 'A', 'S', '')),
    suffix: some(fc.constantFrom('b', 'c')),
    glob: some(chars),
    maxLength: some(fc.nat(3)),
  })
  .map((members) => ({ kind: 'text', ...given(members) }) as TextConstraint)
  .filter((each) => Object.keys(each).length > 1);

/** Constraints of single values in the raw view; arrays are judged leaf by leaf. */
const plain: fc.Arbitrary<Constraint> = fc.letrec<{ plain: Constraint }>((tie) => ({
  plain: fc.oneof(
    { depthSize: 'small', maxDepth: 3 },
    oneOf,
    number,
    text,
    tie('plain').map((of): Constraint => ({ kind: 'optional', of })),
    fc.array(tie('plain'), { minLength: 1, maxLength: 3 }).map((of): Constraint => ({ kind: 'all', of })),
    fc.array(tie('plain'), { minLength: 1, maxLength: 3 }).map((of): Constraint => ({ kind: 'either', of })),
    tie('plain').map((except): Constraint => ({ kind: 'except', except })),
    fc
      .tuple(tie('plain'), tie('plain'))
      .map(([within, except]): Constraint => ({ kind: 'except', in: within, except })),
  ),
})).plain;

const folded = (char: string): number => foldOrbit(char.codePointAt(0)!)[0]!;

function sameText(a: string, b: string, fold: boolean): boolean {
  if (!fold) return a === b;
  const [one, two] = [Array.from(a, folded), Array.from(b, folded)];
  return one.length === two.length && one.every((point, i) => point === two[i]);
}

function globMatches(glob: readonly string[], whole: readonly string[], fold: boolean): boolean {
  const [first, ...rest] = glob;
  if (first === undefined) return whole.length === 0;
  if (first === '*')
    return globMatches(rest, whole, fold) || (whole.length > 0 && globMatches(glob, whole.slice(1), fold));
  const char = whole[0];
  if (char === undefined || (first !== '?' && !sameText(first, char, fold))) return false;
  return globMatches(rest, whole.slice(1), fold);
}

function textHolds(c: TextConstraint, whole: string, fold: boolean): boolean {
  const { is, prefix = '', suffix = '', glob, maxLength = Infinity } = c;
  const points = Array.from(whole);
  const head = points.slice(0, Array.from(prefix).length).join('');
  const tail = points.slice(Math.max(0, points.length - Array.from(suffix).length)).join('');
  if (is !== undefined && !is.some((each) => sameText(each, whole, fold))) return false;
  if (glob !== undefined && !globMatches(Array.from(glob), points, fold)) return false;
  return sameText(head, prefix, fold) && sameText(tail, suffix, fold) && points.length <= maxLength;
}

function numberHolds(c: NumberConstraint, x: number): boolean {
  const { min = -Infinity, max = Infinity, above = -Infinity, below = Infinity, integer = false } = c;
  return x >= min && x <= max && x > above && x < below && (!integer || Number.isInteger(x));
}

type Judge<C> = (c: C, leaf: Json | Missing, polarity: Polarity) => boolean;

/** Whether a value that is no array meets a constraint of the kind. */
const judges: { readonly [K in KindName]: Judge<Extract<Constraint, { kind: K }>> } = {
  oneOf: (c, leaf, polarity) =>
    c.values.some((each) =>
      typeof each === 'string' && typeof leaf === 'string'
        ? sameText(each, leaf, polarity === 'refuse')
        : each === leaf,
    ),
  number: (c, leaf) => typeof leaf === 'number' && numberHolds(c, leaf),
  text: (c, leaf, polarity) => typeof leaf === 'string' && textHolds(c, leaf, polarity === 'refuse'),
  path: () => false,
  host: () => false,
  url: () => false,
  email: () => false,
  command: () => false,
  sql: () => false,
  single: (c, leaf, polarity) => c.of !== undefined && single(c.of, leaf, polarity),
  presence: (c, leaf) => c.word === 'any' || (c.word === 'absent') === (leaf === missing),
  optional: (c, leaf, polarity) => leaf === missing || single(c.of, leaf, polarity),
  all: (c, leaf, polarity) => c.of.every((part) => single(part, leaf, polarity)),
  either: (c, leaf, polarity) => c.of.some((part) => single(part, leaf, polarity)),
  except: (c, leaf, polarity) =>
    (c.in === undefined ? leaf !== missing : single(c.in, leaf, polarity)) &&
    !single(c.except, leaf, polarity === 'refuse' ? 'admit' : 'refuse'),
  items: () => false,
};

function single(c: Constraint, leaf: Json | Missing, polarity: Polarity): boolean {
  const judge = judges[c.kind] as Judge<Constraint>;
  return judge(c, leaf, polarity);
}

function leavesOf(whole: Json | Missing): (Json | Missing)[] {
  return Array.isArray(whole) ? (whole as Json[]).flatMap(leavesOf) : [whole];
}

function holds(c: Constraint, whole: Value, polarity: Polarity): boolean {
  const parts = whole instanceof Spread ? whole.elements.map((each) => leavesOf(each)) : [leavesOf(whole)];
  return polarity === 'admit'
    ? parts.flat().every((leaf) => single(c, leaf, polarity))
    : parts.flat().some((leaf) => single(c, leaf, polarity));
}

const polarity = fc.constantFrom<Polarity>('admit', 'refuse');
const values = fc.array(value, { minLength: 10, maxLength: 30 });

describe('compiled constraints', () => {
  test('[P.kind.combinations] admit and refuse what a plain reading of the policy does', () => {
    fc.assert(
      fc.property(plain, polarity, values, (c, at, list) => {
        const alternatives = compileConstraint(c, readContext({ polarity: at }));
        expect(alternatives).toHaveLength(1);
        const set = alternatives[0]!.get('raw')!;
        const fast = new ReadySet(set);
        for (const each of list) {
          expect(member(set, each)).toBe(holds(c, each, at));
          expect(fast.has(each)).toBe(member(set, each));
        }
      }),
      { numRuns: 300 },
    );
  });

  test('[P.kind.arrays] on items: lengths hold, and every (refusing: some) direct element is inside', () => {
    const lengths = fc.record({ minItems: some(fc.nat(2)), maxItems: some(fc.nat(3)) });
    fc.assert(
      fc.property(plain, lengths, polarity, values, (inner, given_, at, list) => {
        const c = { kind: 'items', items: inner, ...given(given_) } as Constraint;
        const set = compileConstraint(c, readContext({ polarity: at }))[0]!.get('raw')!;
        for (const each of list) {
          if (each instanceof Spread) continue;
          const elements = Array.isArray(each) ? (each as Json[]) : undefined;
          const meets = (element: Json): boolean => holds(inner, element, at);
          const expected =
            elements !== undefined &&
            elements.length >= (given_.minItems ?? 0) &&
            elements.length <= (given_.maxItems ?? Infinity) &&
            (at === 'admit' ? elements.every(meets) : elements.some(meets));
          expect(member(set, each)).toBe(expected);
        }
      }),
      { numRuns: 300 },
    );
  });
});

const globs = fc.uniqueArray(fc.constantFrom('/data/**', '**/.env', 'src/*.ts', '~/{a,b}', '/a\\*b', '/é'), {
  minLength: 1,
  maxLength: 3,
});
const path: fc.Arbitrary<Constraint> = globs.map((list) => ({ kind: 'path', globs: list }));
const someOf = (...list: readonly string[]): fc.Arbitrary<readonly string[]> =>
  fc.uniqueArray(fc.constantFrom(...list), { minLength: 1, maxLength: 3 });
const hosts = someOf('*.x.example', 'X.example.', '**', '10.0.0.0/8', '::1', 'private', 'metadata');
const urls = someOf('https://**.x.example:*/a/*', 'HTTP://x.example', 'about:blank', 'http://10.0.0.1/{a,b}');
const emails = someOf('*@x.example', 'Ann@X.example', 'a?+*@**.x.example');
const patterned: Readonly<Record<'host' | 'url' | 'email', fc.Arbitrary<Constraint>>> = {
  host: hosts.map((patterns) => ({ kind: 'host', patterns })),
  url: urls.map((patterns) => ({ kind: 'url', patterns })),
  email: emails.map((patterns) => ({ kind: 'email', patterns })),
};
const words = fc.array(fc.constantFrom('-n', '*', '**', 'a b', "it's", 'x?'), { minLength: 1, maxLength: 3 });
const commands: fc.Arbitrary<Constraint> = fc
  .record(
    {
      program: someOf('git', '/usr/bin/git', 'g*'),
      sub: someOf('push', 'pr view', 're*'),
      args: words,
      has: words,
      env: fc.oneof(fc.constant('any' as const), someOf('A', 'LC_*')),
      redirect: fc.record({ read: globs, write: globs }, { requiredKeys: ['read'] }),
    },
    { requiredKeys: ['program'] },
  )
  .map((members) => ({ kind: 'command', ...members }));
const sqls: fc.Arbitrary<Constraint> = fc
  .record(
    {
      statements: fc.uniqueArray(fc.constantFrom(...effects), { minLength: 1, maxLength: 3 }),
      tables: someOf('public.*', 'users', '*.a?', "o'x.y z"),
      schema: fc.constant('public'),
    },
    { requiredKeys: ['schema'] },
  )
  .map((members) => ({ kind: 'sql', ...members }));
/** Constraints of one value, by place; commands and SQL have no short form. */
const ones: Readonly<Record<Exclude<Place, 'command' | 'sql'>, readonly Constraint[]>> = {
  raw: [{ kind: 'oneOf', values: [1] }],
  oneOf: [{ kind: 'oneOf', values: ['a'] }],
  path: [{ kind: 'path', globs: ['/data/x'] }],
  host: [{ kind: 'host', patterns: ['X.example'] }],
  url: [{ kind: 'url', patterns: ['http://x.example/a'] }],
  email: [{ kind: 'email', patterns: ['a@x.example'] }],
};
const bound = (place: Exclude<Place, 'command' | 'sql'>): fc.Arbitrary<Constraint> =>
  fc.constantFrom(...ones[place]).map((of) => ({ kind: 'single', of }));

/** Any constraint that may stand at the place. */
function anyConstraint(leaf: fc.Arbitrary<Constraint>, arrays: boolean): fc.Arbitrary<Constraint> {
  return fc.letrec<{ any: Constraint }>((tie) => ({
    any: fc.oneof(
      { depthSize: 'small', maxDepth: 3 },
      leaf,
      fc
        .constantFrom<PresenceConstraint['word']>('any', 'present', 'absent')
        .map((word): Constraint => ({ kind: 'presence', word })),
      tie('any').map((of): Constraint => ({ kind: 'optional', of })),
      fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((of): Constraint => ({ kind: 'all', of })),
      fc.array(tie('any'), { minLength: 1, maxLength: 3 }).map((of): Constraint => ({ kind: 'either', of })),
      tie('any').map((except): Constraint => ({ kind: 'except', except })),
      fc
        .tuple(tie('any'), tie('any'))
        .map(([within, except]): Constraint => ({ kind: 'except', in: within, except })),
      ...(arrays
        ? [
            fc
              .tuple(tie('any'), fc.nat(2))
              .map(([of, minItems]): Constraint => ({ kind: 'items', items: of, minItems })),
          ]
        : []),
    ),
  })).any;
}

describe('printed constraints', () => {
  test('[P.authority.print-parse] read back as themselves, on raw arguments and on fields of every kind', () => {
    const { host, url, email } = patterned;
    const leaf = fc.oneof(oneOf, number, text, path, host, url, email, commands, sqls, bound('raw'));
    const raw = anyConstraint(leaf, true).map((c) => ({ c, place: 'raw' as Place }));
    const on = (place: Exclude<Place, 'command' | 'sql'>, of: fc.Arbitrary<Constraint>): typeof raw =>
      anyConstraint(fc.oneof(of, bound(place)), false).map((c) => ({ c, place }));
    const field = fc.oneof(
      on('path', path),
      on('host', host),
      on('url', url),
      on('email', email),
      on('oneOf', oneOf),
      anyConstraint(commands, false).map((c) => ({ c, place: 'command' as const })),
      anyConstraint(sqls, false).map((c) => ({ c, place: 'sql' as const })),
    );
    let read = 0;
    fc.assert(
      fc.property(fc.oneof(raw, field), polarity, ({ c, place }, at) => {
        const ctx = readContext({ place, polarity: at });
        const found = readConstraint(doc(constraintToDocument(c, place)), ctx);
        if (found === undefined) {
          for (const { message } of ctx.problems) expect(message).toMatch(/^no value meets|alternatives$/u);
          return;
        }
        read++;
        expect(found).toEqual(c);
        expect(ctx.problems).toEqual([]);
        expect(compileConstraint(found, ctx).length).toBeLessThanOrEqual(maxAlternatives);
      }),
      { numRuns: 300 },
    );
    expect(read).toBeGreaterThan(60);
  });
});
