/** Small policies and calls at random: raw arguments, paths with and without what is beneath them, asks and denials. */
import * as fc from 'fast-check';
import type { Json, JsonObject } from '../packages/core/src/ground/index.js';
import { type Tools, closed, filesystemTools, gate } from './policies.js';

/** One rule of a random policy. */
export interface Rule {
  readonly tools?: readonly string[];
  readonly verbs?: readonly string[];
  readonly where?: Readonly<Record<string, Json>>;
  readonly ask?: 'once' | 'session';
  readonly reach?: 'named' | 'below';
}
/** The lists of its agent `a`. */
export interface Policy {
  readonly allow: readonly Rule[];
  readonly ask: readonly Rule[];
  readonly deny: readonly Rule[];
}
/** A call of one of its tools. */
export interface Call {
  readonly tool: string;
  readonly args: JsonObject;
}

const plain = { type: ['string', 'number', 'boolean', 'null', 'array'] };
const fileTools = ['read_text_file', 'read_multiple_files', 'directory_tree', 'edit_file', 'move_file'];
const tools: Tools = {
  s: { t: closed({ x: plain, y: plain, z: plain }) },
  f: Object.fromEntries(Object.entries(filesystemTools).filter(([name]) => fileTools.includes(name))),
};

/** A scalar argument. */
export const scalar: fc.Arbitrary<Json> = fc.constantFrom<Json>(
  'a',
  'A',
  'b',
  'ab',
  '/w/a',
  '/w/b/k',
  1,
  2,
  3.5,
  true,
  null,
);
/** A plain argument, or a list of two. */
const value: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: scalar },
  fc.array(scalar, { maxLength: 2 }),
);
/** Globs of which random rules are made. */
const globs: readonly string[] = [
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
];
/** Paths as calls spell them. */
const pathValues: readonly string[] = [
  '/w',
  '/w/a',
  'a',
  '/w/a/k',
  '/w/b',
  'b/k',
  '/w/b/K',
  '/w/c',
  '/',
  '/w/a/../b/k',
  '/x/k',
  '/w/A',
];
/** One or two different values. */
export const oneOrTwo = <T>(one: fc.Arbitrary<T>): fc.Arbitrary<T[]> =>
  fc.uniqueArray(one, { minLength: 1, maxLength: 2, comparator: 'SameValueZero' });
const glob = oneOrTwo(fc.constantFrom(...globs));
/** A constraint on the field `path`. */
export const pathConstraint: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: glob },
  fc.record({ in: glob, except: glob }),
  glob.map((except) => ({ except })),
);
const onePlain: fc.Arbitrary<Json> = fc.oneof(
  oneOrTwo(scalar),
  fc.record({ min: fc.constantFrom(0, 2), max: fc.constantFrom(2, 3) }),
  fc.constantFrom('a*', '?', '*b', '*').map((each) => ({ glob: each })),
  glob.map((path) => ({ path })),
);
const rawConstraint: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: onePlain },
  fc.constantFrom('any', 'present', 'absent'),
  onePlain.map((except) => ({ except })),
  onePlain.map((optional) => ({ optional })),
  fc.record({ in: onePlain, except: oneOrTwo(scalar) }),
  fc.tuple(onePlain, onePlain).map((either) => ({ either })),
);
const rawWhere = fc
  .tuple(
    fc.uniqueArray(fc.constantFrom('x', 'y', 'z'), { minLength: 1, maxLength: 2 }),
    rawConstraint,
    rawConstraint,
    fc.boolean(),
  )
  .map(
    ([names, one, two, rest]): Record<string, Json> => ({
      ...Object.fromEntries(names.map((name, i) => [`args.${name}`, i === 0 ? one : two])),
      ...(rest ? { rest: 'any' } : {}),
    }),
  );
const fileTool = fc.constantFrom(...fileTools.map((name) => `f/${name}`));
const level = fc.constantFrom<'once' | 'session'>('once', 'session');
/** What a rule points at. */
export const target: fc.Arbitrary<Rule> = fc.oneof(
  fc.record({ tools: fc.constant(['s/t']) }, { requiredKeys: ['tools'] }),
  rawWhere.map((where) => ({ tools: ['s/t'], where })),
  rawWhere.map((where) => ({ tools: ['s/*'], where })),
  fc.tuple(fileTool, pathConstraint).map(([tool, path]) => ({ tools: [tool], where: { path } })),
  pathConstraint.map((path) => ({ tools: ['f/*'], where: { path } })),
  pathConstraint.map((path) => ({ tools: ['f/*'], verbs: ['read'], where: { path } })),
);
/** A rule that asks. */
export const asking: fc.Arbitrary<Rule> = fc
  .tuple(target, level)
  .map(([rule, ask]): Rule => ({ ...rule, ask }));
const allow = fc.array(fc.oneof({ weight: 2, arbitrary: target }, asking), { minLength: 1, maxLength: 4 });
/** A rule that denies. */
export const denial: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 2, arbitrary: target.filter((rule) => rule.where !== undefined) },
  fc
    .tuple(pathConstraint, fc.constantFrom<'named' | 'below'>('named', 'below'))
    .map(([path, reach]) => ({ where: { path }, reach })),
);
/** A random policy; not each one loads. */
export const policyOf: fc.Arbitrary<Policy> = fc.record({
  allow,
  ask: fc.array(asking, { maxLength: 2 }),
  deny: fc.array(denial, { maxLength: 2 }),
});
const path = fc.constantFrom(...pathValues);
/** A random call. */
export const call: fc.Arbitrary<Call> = fc.oneof(
  fc.record({ x: value, y: value, z: value }, { requiredKeys: [] }).map((args) => ({ tool: 's/t', args })),
  fc
    .tuple(fc.constantFrom('read_text_file', 'directory_tree'), path)
    .map(([name, at]) => ({ tool: `f/${name}`, args: { path: at } })),
  path.map((at) => ({ tool: 'f/edit_file', args: { path: at, edits: [] } })),
  fc
    .array(path, { minLength: 1, maxLength: 3 })
    .map((paths) => ({ tool: 'f/read_multiple_files', args: { paths } })),
  fc
    .tuple(path, path)
    .map(([source, destination]) => ({ tool: 'f/move_file', args: { source, destination } })),
);

/** The policy, loaded; undefined where it does not load. `more` are further keys of the agent. */
export function compiled(policy: Policy, more: JsonObject = {}): ReturnType<typeof gate> | undefined {
  const servers = {
    s: { command: 'x' },
    f: { command: 'y', connector: 'filesystem', root: '/w' },
  };
  const document = { pawl: 1, servers, agents: { a: { ...policy, ...more } } };
  try {
    return gate(JSON.stringify(document), tools);
  } catch {
    return undefined;
  }
}
