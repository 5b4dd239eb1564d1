/** Pairs of policies at random in the fragment that Pawl and SMT solvers both speak. */
import * as fc from 'fast-check';
import type { Json } from '../../packages/core/src/ground/index.js';
import { type Gate, closed, filesystemTools, gate } from '../policies.js';
import { type Rule, oneOrTwo } from '../random-policies.js';
import type { Limited, Tool } from './encode.js';
import { type Regex, any, either, inSegment, plus, sequence, star, text } from './regex.js';

/** Two policies of one tool. */
export interface Pair {
  readonly tool: Tool;
  readonly old: Limited;
  readonly next: Limited;
}

const scalars = { type: ['string', 'number', 'boolean', 'null'] };
const arguments_ = ['x', 'y'] as const;
const scalarTags = ['text', 'number', 'true', 'false', 'null', 'dirty'] as const;

/** Two plain arguments, one of them required. */
const plainTool: Tool = {
  name: 's/t',
  args: [
    { name: 'x', tags: scalarTags, texts: star(any) },
    { name: 'y', tags: ['missing', ...scalarTags], texts: star(any) },
  ],
};

const dot = text('.', false);
const notDot: Regex = { kind: 'any', without: './' };
/** Any segment but those of one dot or two. */
const segment = either(
  sequence(notDot, star(inSegment)),
  sequence(dot, notDot, star(inSegment)),
  sequence(dot, dot, plus(inSegment)),
);

/** A file, and two numbers beside it. */
const fileTool: Tool = {
  name: 'f/read_text_file',
  path: 'path',
  args: [
    { name: 'path', tags: ['text'], texts: star(sequence(text('/', false), segment)) },
    { name: 'head', tags: ['missing', 'number'], texts: text('', false) },
    { name: 'tail', tags: ['missing', 'number'], texts: text('', false) },
  ],
};

const scalar = fc.constantFrom<Json>('a', 'A', 'b', 'ab', 'k', 's', 'é', '', 1, 2, 3.5, true, false, null);
const number = fc.constantFrom(-1, 0, 1, 2, 2.5, 3, 4);
const low = fc.constantFrom<'min' | 'above'>('min', 'above');
const high = fc.constantFrom<'max' | 'below'>('max', 'below');
const interval: fc.Arbitrary<Json> = fc
  .tuple(number, fc.constantFrom(0, 1, 2, 3), low, high, fc.constantFrom('both', 'low', 'high', 'whole'))
  .map(([from, length, least, most, which]) => ({
    ...(which === 'high' ? {} : { [least]: from }),
    ...(which === 'low' ? {} : { [most]: from + length }),
    ...(which === 'whole' ? { integer: true } : {}),
  }));
const globs = ['*', '?', '??', 'a*', '*b', '*a*', 'a?b', 'k*', '*s', 'A*', '*b*b', '?*', 'a*b*'];
const texts: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...globs).map((glob) => ({ glob })) },
  fc.constantFrom('a', 'ab', 'k').map((prefix) => ({ prefix })),
  fc.constantFrom('b', 's', 'ab').map((suffix) => ({ suffix })),
  fc.constantFrom(0, 1, 2, 3).map((maxLength) => ({ maxLength })),
  fc
    .tuple(fc.constantFrom('a', 'b'), fc.constantFrom(1, 2, 3))
    .map(([prefix, maxLength]) => ({ prefix, maxLength })),
  fc
    .tuple(fc.constantFrom('a', 'k'), fc.constantFrom('b', 's'))
    .map(([prefix, suffix]) => ({ prefix, suffix })),
  fc.constantFrom('a', 'ab').map((is) => ({ is })),
);
const plain: fc.Arbitrary<Json> = fc.oneof(
  { weight: 2, arbitrary: oneOrTwo(scalar) },
  { weight: 2, arbitrary: interval },
  { weight: 4, arbitrary: texts },
);
const constraint: fc.Arbitrary<Json> = fc.oneof(
  { weight: 6, arbitrary: plain },
  fc.constantFrom('any', 'present'),
  plain.map((except) => ({ except })),
  plain.map((optional) => ({ optional })),
  fc.record({ in: plain, except: plain }),
  fc.tuple(plain, plain).map((either) => ({ either })),
  fc.tuple(texts, texts).map((all) => ({ all })),
);
const whereOf = (
  names: readonly string[],
  one: fc.Arbitrary<Json>,
  least: number,
): fc.Arbitrary<Record<string, Json>> =>
  fc
    .tuple(
      fc.subarray([...names], { minLength: least }),
      fc.array(one, { minLength: names.length, maxLength: names.length }),
    )
    .map(([chosen, values]) =>
      Object.fromEntries(chosen.map((name, at) => [`args.${name}`, values[at] ?? null])),
    );
const rest = fc.boolean().map((free): Record<string, Json> => (free ? { rest: 'any' } : {}));
const level = fc.constantFrom<'once' | 'session'>('once', 'session');

const plainRule: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 1, arbitrary: fc.constant<Rule>({ tools: ['s/t'] }) },
  {
    weight: 12,
    arbitrary: fc
      .tuple(whereOf(arguments_, constraint, 1), rest, fc.constantFrom('s/t', 's/*'))
      .map(([where, free, tool]): Rule => ({ tools: [tool], where: { ...where, ...free } })),
  },
);

const pathGlobs = [
  '/w/**',
  '/w/a/**',
  '/w/*',
  '/w/a',
  '/w/b/k',
  '**/k',
  '**/k/**',
  '/w/*/k',
  '/w/{a,b}/**',
  '/**',
  '/w/a*',
  '/w/?',
  '/w/*k*/**',
  '/w/a*/*',
  '/*/a/**',
  '/w/.a',
  '/w/**/k',
  '/w/{a,b}k',
];
const glob = oneOrTwo(fc.constantFrom(...pathGlobs));
const path: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: glob },
  fc.record({ in: glob, except: glob }),
  glob.map((except) => ({ except })),
);
const numbers: fc.Arbitrary<Json> = fc.oneof(
  interval,
  oneOrTwo(number),
  interval.map((optional) => ({ optional })),
);
const fileRule: fc.Arbitrary<Rule> = fc
  .tuple(path, whereOf(['head', 'tail'], numbers, 0), rest, fc.constantFrom('f/read_text_file', 'f/*'))
  .map(
    ([at, where, free, tool]): Rule => ({
      tools: [tool],
      where: { path: at, ...where, ...(Object.keys(where).length > 0 ? free : {}) },
    }),
  );

interface World {
  readonly tool: Tool;
  readonly rule: fc.Arbitrary<Rule>;
  readonly ceiling: fc.Arbitrary<Record<string, Json>>;
}
const worlds: readonly World[] = [
  { tool: plainTool, rule: plainRule, ceiling: whereOf(['x', 'y'], plain, 1) },
  { tool: fileTool, rule: fileRule, ceiling: glob.map((each) => ({ path: each })) },
];

function policyOf({ rule, ceiling }: World): fc.Arbitrary<Limited> {
  const asking = fc.tuple(rule, level).map(([one, ask]): Rule => ({ ...one, ask }));
  const denial = rule.filter(({ where }) => where !== undefined).map(unanswered);
  const lists = fc.record({
    allow: fc.array(fc.oneof({ weight: 2, arbitrary: rule }, asking), { minLength: 1, maxLength: 4 }),
    ask: fc.array(asking.map(unanswered), { maxLength: 2 }),
    deny: fc.array(denial, { maxLength: 2 }),
  });
  return fc
    .tuple(lists, fc.option(ceiling, { nil: undefined, freq: 5 }))
    .map(([policy, limit]) => (limit === undefined ? policy : { ...policy, ceiling: limit }));
}

/** `rest` says nothing in rules that take away. */
function unanswered(rule: Rule): Rule {
  const { rest: _rest, ...where } = rule.where ?? {};
  return rule.where === undefined ? rule : { ...rule, where };
}

/** A policy changed a little: a rule more or fewer, another rule in its place, one rule in two, a list in another order. */
function changed(world: World): fc.Arbitrary<readonly [Limited, Limited]> {
  const lists = ['allow', 'ask', 'deny'] as const;
  const change = fc.record({
    list: fc.constantFrom(...lists, 'allow' as const),
    how: fc.constantFrom('more', 'drop', 'other', 'split'),
    at: fc.nat(3),
    other: policyOf(world),
  });
  return fc
    .tuple(policyOf(world), fc.array(change, { minLength: 1, maxLength: 3 }), fc.boolean())
    .map(([policy, changes, swapped]) => {
      const next = changes.reduce<Limited>((now, { list, how, at, other }) => {
        const own = now[list];
        const fresh = other[list][0];
        const place = at % Math.max(own.length, 1);
        if (how === 'drop') return { ...now, [list]: own.filter((_, each) => each !== place) };
        if (how === 'split') return { ...now, [list]: own.flatMap(halves) };
        if (fresh === undefined) return now;
        return {
          ...now,
          [list]: how === 'more' ? [...own, fresh] : own.map((one, each) => (each === place ? fresh : one)),
        };
      }, policy);
      return swapped ? ([next, policy] as const) : ([policy, next] as const);
    });
}

/** A rule as two that together say the same, where one of its constraints is a list of two or an interval. */
function halves(rule: Rule): readonly Rule[] {
  for (const [field, one] of Object.entries(rule.where ?? {})) {
    const parts = halvesOf(one);
    if (parts !== undefined)
      return parts.map((part) => ({ ...rule, where: { ...rule.where, [field]: part } }));
  }
  return [rule];
}

function halvesOf(one: Json): readonly Json[] | undefined {
  if (typeof one !== 'object' || one === null) return undefined;
  if (Array.isArray(one)) return one.length === 2 ? one.map((each: Json) => [each]) : undefined;
  const {
    min,
    max,
    either: two,
  } = one as { readonly min?: number; readonly max?: number; readonly either?: Json[] };
  if (two !== undefined) return two;
  if (min === undefined || max === undefined || max <= min) return undefined;
  const { min: _min, max: _max, ...kept } = one as Record<string, Json>;
  return [
    { ...kept, min, max: min + 0.5 },
    { ...kept, above: min + 0.5, max },
  ];
}

/** A pair at random; not each policy of one loads. */
export const pair: fc.Arbitrary<Pair> = fc
  .constantFrom(...worlds)
  .chain((world) =>
    fc
      .oneof({ weight: 4, arbitrary: changed(world) }, fc.tuple(policyOf(world), policyOf(world)))
      .map(([old, next]) => ({ tool: world.tool, old, next })),
  );

const tools = {
  s: { t: closed({ x: scalars, y: scalars }, 'x') },
  f: { read_text_file: filesystemTools['read_text_file'] ?? {} },
};

/** The policy, loaded; undefined where it does not load. */
export function loaded({ ceiling, ...lists }: Limited, tool: Tool): Gate | undefined {
  const servers = { s: { command: 'x' }, f: { command: 'y', connector: 'filesystem', root: '/w' } };
  const limit = ceiling === undefined ? {} : { ceiling: { [tool.path === undefined ? 's' : 'f']: ceiling } };
  try {
    return gate(JSON.stringify({ pawl: 1, servers, agents: { a: { ...lists, ...limit } } }), tools);
  } catch {
    return undefined;
  }
}
