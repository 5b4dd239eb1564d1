/**
 * Policies over finite universes: every access that a call of a tool can make is listed, and each is judged naively. Paths have
 * few names and end at a depth beyond what any glob here tells apart.
 */
import * as fc from 'fast-check';
import type { Json } from '../../packages/core/src/ground/index.js';
import { type Polarity, argumentsHold, leafMeets } from '../naive-reading.js';
import { type Gate, closed, filesystemTools, gate } from '../policies.js';
import { type Policy, type Rule, oneOrTwo } from '../random-policies.js';

/** A kind of access of a tool, with all of them. */
interface Row {
  readonly tool: string;
  readonly verb: string;
  readonly extent?: 'subtree' | 'children';
  /** Whether a denial that begins with two stars judges the path named alone. */
  readonly follows?: true;
  readonly accesses: readonly Access[];
}

/** One access. */
export interface Access {
  /** Undefined: there is none, or it cannot be read. */
  readonly path?: string;
  /** The call names what is no path. */
  readonly unreadable?: true;
  /** The call names what is in no normal form. */
  readonly dirtyTenant?: true;
  /** As `path`; {@link everyTenant}: the wildcard. */
  readonly tenant?: string;
  readonly args: Readonly<Record<string, Json>>;
}

// --- universes ---

// Every name that a glob here has, in both cases, and one that none has.
const names = ['a', 'A', 'b', 'B', 'k', 'K', 'x', 'X', 'z'];
const deepest = 4;
/** Deepest of the folders that accesses name: what is beneath them is still told apart. */
const deepestNamed = 3;

interface Place {
  readonly path: string;
  readonly depth: number;
  readonly entries: readonly number[];
}
const places: Place[] = [];
function grow(path: string, depth: number): number {
  const entries = depth === deepest ? [] : names.map((name) => grow(`${path}/${name}`, depth + 1));
  return places.push({ path: path === '' ? '/' : path, depth, entries }) - 1;
}
grow('', 0);
const placeOf = new Map(places.map(({ path }, at) => [path, at]));
const named = places.filter(({ depth }) => depth <= deepestNamed).map(({ path }) => path);

const texts = ['a', 'A', 'b', 'ab', 'zb', 'z'];
const scalars: readonly Json[] = [...texts, 1, 2, 3.5, true, null];
const lists: readonly Json[] = [
  ...scalars.map((one) => [one]),
  ...scalars.slice(0, 8).map((one) => [one, 'a']),
];
const tenants = ['acme', 'globex'];
/** What a call that names no tenant, or all of them, holds. */
const everyTenant = 'all';

const plain: readonly Access[] = [undefined, ...scalars].flatMap((x) =>
  [undefined, ...lists].map((y) => ({
    args: { ...(x === undefined ? {} : { x }), ...(y === undefined ? {} : { y }) },
  })),
);
const paths: readonly Access[] = [
  ...named.map((path) => ({ path, args: {} })),
  { unreadable: true, args: {} },
];
const wholePaths: readonly Access[] = [
  ...places.map(({ path }) => ({ path, args: {} })),
  { unreadable: true, args: {} },
];
const ofTenants: readonly Access[] = [
  ...[...tenants, 'nobody', everyTenant].map((tenant) => ({ tenant, args: {} })),
  { dirtyTenant: true, args: {} },
];
const mixed: readonly Access[] = paths.flatMap((access) =>
  ofTenants.map((tenant) => ({ ...access, ...tenant })),
);

/** Every row of every tool. */
export const rows: readonly Row[] = [
  { tool: 's/t', verb: 'call', accesses: plain },
  { tool: 'f/read_text_file', verb: 'read', accesses: wholePaths },
  { tool: 'f/directory_tree', verb: 'read', extent: 'subtree', accesses: paths },
  { tool: 'f/edit_file', verb: 'read', accesses: wholePaths },
  { tool: 'f/edit_file', verb: 'write', accesses: wholePaths },
  { tool: 'f/move_file', verb: 'delete', extent: 'subtree', follows: true, accesses: paths },
  { tool: 'f/move_file', verb: 'write', extent: 'subtree', follows: true, accesses: paths },
  { tool: 'd/peek', verb: 'list', extent: 'children', accesses: paths },
  { tool: 'd/show', verb: 'read', accesses: ofTenants },
  { tool: 'd/store', verb: 'write', extent: 'subtree', accesses: mixed },
];

const text = { type: 'string' };
const tools = {
  s: { t: closed({ x: { enum: scalars }, y: { type: 'array', items: { enum: scalars } } }) },
  f: Object.fromEntries(
    Object.entries(filesystemTools).filter(([name]) => rows.some((row) => row.tool === `f/${name}`)),
  ),
  d: {
    peek: closed({ folder: text }, 'folder'),
    show: closed({ tenant: text }),
    store: closed({ tenant: text, folder: text }, 'folder', 'tenant'),
  },
};
const connectors = {
  docs: {
    fields: {
      tenant: { kind: 'oneOf', values: tenants, wildcard: everyTenant },
      path: { kind: 'path' },
    },
    tools: {
      peek: { verb: 'list', reads: { path: 'folder' }, extent: 'children' },
      show: { verb: 'read', reads: { tenant: 'tenant' }, omitted: { tenant: everyTenant } },
      store: { accesses: [{ verb: 'write', tenant: 'tenant', path: 'folder', extent: 'subtree' }] },
    },
  },
};
const servers = {
  s: { command: 'x' },
  f: { command: 'y', connector: 'filesystem', root: '/' },
  d: { command: 'z', connector: 'docs', root: '/' },
};

/** The policy, loaded; undefined where it does not load. */
export function loadedFinite(policy: Policy): Gate | undefined {
  try {
    return gate(JSON.stringify({ pawl: 1, servers, connectors, agents: { a: policy } }), tools);
  } catch {
    return undefined;
  }
}

// --- policies at random ---

const globs = [
  '/**',
  '/*',
  '/a',
  '/a/**',
  '/b/k',
  '/*/k',
  '/{a,b}/**',
  '**/k',
  '**/k/**',
  '/x/*',
  '/*/*',
  '/k/**',
];
const glob = oneOrTwo(fc.constantFrom(...globs));
const path: fc.Arbitrary<Json> = fc.oneof(
  { weight: 4, arbitrary: glob },
  fc.record({ in: glob, except: glob }),
  glob.map((except) => ({ except })),
);
const one: fc.Arbitrary<Json> = fc.oneof(
  { weight: 3, arbitrary: oneOrTwo(fc.constantFrom(...scalars)) },
  fc.record({ min: fc.constantFrom(0, 2), max: fc.constantFrom(2, 3.5) }),
  fc.constantFrom('a*', '?', '*b', '*').map((each) => ({ glob: each })),
);
const raw: fc.Arbitrary<Json> = fc.oneof(
  { weight: 5, arbitrary: one },
  fc.constantFrom('any', 'present', 'absent'),
  one.map((except) => ({ except })),
  one.map((optional) => ({ optional })),
  fc.record({ in: one, except: one }),
  fc.tuple(one, one).map((either) => ({ either })),
);
const plainRule: fc.Arbitrary<Rule> = fc
  .tuple(fc.subarray(['x', 'y'], { minLength: 1 }), raw, raw, fc.boolean())
  .map(
    ([chosen, first, second, free]): Rule => ({
      tools: ['s/t'],
      where: {
        ...Object.fromEntries(chosen.map((name, at) => [`args.${name}`, at === 0 ? first : second])),
        ...(free ? { rest: 'any' } : {}),
      },
    }),
  );
const fileTool = fc.constantFrom(
  'f/read_text_file',
  'f/directory_tree',
  'f/edit_file',
  'f/move_file',
  'f/*',
  'd/peek',
  'd/store',
);
const oneTenant: fc.Arbitrary<Json> = fc.oneof(
  oneOrTwo(fc.constantFrom(...tenants)),
  fc.constantFrom(...tenants).map((each) => ({ except: [each] })),
);
const target: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 4, arbitrary: plainRule },
  {
    weight: 1,
    arbitrary: fc.constantFrom('s/t', 'f/*', 'd/*', 'f/edit_file').map((tool) => ({ tools: [tool] })),
  },
  {
    weight: 8,
    arbitrary: fc.tuple(fileTool, path).map(([tool, at]): Rule => ({ tools: [tool], where: { path: at } })),
  },
  path.map((at): Rule => ({ tools: ['f/*'], verbs: ['read'], where: { path: at } })),
  fc
    .tuple(fc.constantFrom('d/show', 'd/store', 'd/*'), oneTenant)
    .map(([tool, at]): Rule => ({ tools: [tool], where: { tenant: at } })),
  fc
    .tuple(path, oneTenant)
    .map(([at, who]): Rule => ({ tools: ['d/store'], where: { path: at, tenant: who } })),
);
const asking = fc
  .tuple(target, fc.constantFrom<'once' | 'session'>('once', 'session'))
  .map(([rule, ask]): Rule => ({ ...rule, ask }));
const denial: fc.Arbitrary<Rule> = fc.oneof(
  { weight: 2, arbitrary: target.filter(({ where }) => where !== undefined) },
  {
    weight: 2,
    arbitrary: fc
      .tuple(path, fc.constantFrom<'named' | 'below'>('named', 'below'))
      .map(([at, reach]): Rule => ({ where: { path: at }, reach })),
  },
);
const policyOf: fc.Arbitrary<Policy> = fc.record({
  allow: fc.array(fc.oneof({ weight: 2, arbitrary: target }, asking), { minLength: 1, maxLength: 5 }),
  ask: fc.array(asking, { maxLength: 2 }),
  deny: fc.array(denial, { maxLength: 2 }),
});

/** A policy and one that is near it, in either order. */
export const finitePair: fc.Arbitrary<readonly [Policy, Policy]> = fc
  .tuple(
    policyOf,
    policyOf,
    fc.array(
      fc.tuple(fc.constantFrom('allow', 'ask', 'deny'), fc.constantFrom('more', 'drop', 'other'), fc.nat(4)),
      {
        minLength: 1,
        maxLength: 3,
      },
    ),
    fc.boolean(),
  )
  .map(([policy, other, changes, swapped]) => {
    const next = changes.reduce<Policy>((now, [list, how, at]) => {
      const own = now[list];
      const fresh = other[list][at % Math.max(other[list].length, 1)];
      const place = at % Math.max(own.length, 1);
      if (how === 'drop' || fresh === undefined)
        return { ...now, [list]: own.filter((_, each) => each !== place) };
      const kept = how === 'more' ? own : own.filter((_, each) => each !== place);
      return { ...now, [list]: [...kept, fresh] };
    }, policy);
    return swapped ? [next, policy] : [policy, next];
  });

// --- the naive judgement ---

const order = ['permit', 'session', 'once'] as const;

/** An access of the row that is freer under NEW, or undefined. */
export function gainedIn(row: Row, old: Policy, next: Policy): Access | undefined {
  const [before, now] = [concerning(old, row), concerning(next, row)];
  if (JSON.stringify(before) === JSON.stringify(now)) return undefined;
  return row.accesses.find((access) => freedomOf(now, row, access) > freedomOf(before, row, access));
}

/** The rules of a policy that concern a row. */
function concerning({ allow, ask, deny }: Policy, row: Row): Policy {
  const here = (rule: Rule): boolean => concerns(rule, row);
  return { allow: allow.filter(here), ask: ask.filter(here), deny: deny.filter(here) };
}

/** How free an access is under rules that concern its row: 3 permit, 2 asked once a session, 1 asked each time, 0 refused. */
function freedomOf(policy: Policy, row: Row, access: Access): number {
  if (policy.allow.length === 0) return 0;
  const all = [...policy.allow, ...policy.ask, ...policy.deny];
  const looks = (field: string): boolean => all.some(({ where }) => where?.[field] !== undefined);
  if (access.unreadable === true && looks('path')) return 0;
  if (access.dirtyTenant === true && looks('tenant')) return 0;
  const meeting = (rule: Rule): boolean => meets(rule, row, access);
  if (policy.deny.some(meeting)) return 0;
  const usable = policy.allow.filter((rule) => holdsBesidePath(rule, access));
  const level = order.findIndex((_, at) => {
    const free = usable.filter((rule) => order.indexOf(rule.ask ?? 'permit') <= at);
    return free.length > 0 && covered(free, row, access);
  });
  if (level < 0) return 0;
  const caps = policy.ask.filter(meeting).map((rule) => order.indexOf(rule.ask ?? 'once'));
  return 3 - Math.max(level, ...caps);
}

function concerns(rule: Rule, { tool, verb }: Row): boolean {
  const isNamed =
    rule.tools === undefined ||
    rule.tools.some((each) => each === tool || (each.endsWith('/*') && tool.startsWith(each.slice(0, -1))));
  const has = (field: string): boolean =>
    field === 'path'
      ? tool !== 's/t' && tool !== 'd/show'
      : field === 'tenant'
        ? tool === 'd/show' || tool === 'd/store'
        : tool === 's/t';
  return isNamed && Object.keys(rule.where ?? {}).every(has) && (rule.verbs?.includes(verb) ?? true);
}

function holdsBesidePath({ where, tools, verbs }: Rule, access: Access): boolean {
  const { path: _path, tenant: who, ...others } = where ?? {};
  const rule: Rule = {
    ...(tools === undefined ? {} : { tools }),
    ...(verbs === undefined ? {} : { verbs }),
    where: others,
  };
  if (!argumentsHold(rule, access.args, 'admit')) return false;
  // Exceptions admit nothing but what there is.
  const value = access.tenant ?? '';
  return who === undefined || (tenants.includes(value) && isTenant(who, value, 'admit'));
}

function isTenant(constraint: Json, value: string, polarity: Polarity): boolean {
  return leafMeets(constraint, value, polarity, 'raw');
}

function covered(rules: readonly Rule[], row: Row, { path: at }: Access): boolean {
  if (at === undefined || rules.some(({ where }) => where?.['path'] === undefined)) return true;
  const place = placeOf.get(at) ?? 0;
  const sets = rules.map(({ where }) => pathSet(where?.['path'] ?? [], 'admit'));
  const isIn = (each: number): boolean => sets.some((set) => set[each] === 1);
  if (row.extent === undefined) return isIn(place);
  if (row.extent === 'children') return entriesOf(place).every(isIn);
  return everywhere(place, isIn);
}

function entriesOf(place: number): readonly number[] {
  return places[place]?.entries ?? [];
}

function everywhere(place: number, isIn: (place: number) => boolean): boolean {
  return isIn(place) && entriesOf(place).every((entry) => everywhere(entry, isIn));
}

function meets(rule: Rule, row: Row, access: Access): boolean {
  const { path: at, tenant: who, ...others } = rule.where ?? {};
  if (!argumentsHold({ where: others }, access.args, 'refuse')) return false;
  if (who !== undefined && access.tenant !== everyTenant && !isTenant(who, access.tenant ?? '', 'refuse'))
    return false;
  if (at === undefined || access.path === undefined) return at === undefined;
  const place = placeOf.get(access.path) ?? 0;
  return alternatives(at, row).some(({ constraint, namedOnly }) => {
    const set = pathSet(constraint, 'refuse');
    const isIn = (each: number): boolean => set[each] === 1;
    if (row.extent === undefined || namedOnly || rule.reach === 'named') return isIn(place);
    if (row.extent === 'children') return entriesOf(place).some(isIn);
    return !everywhere(place, (each) => !isIn(each));
  });
}

/** The globs of a list each for itself: some of them follow the name. */
function alternatives(
  constraint: Json,
  { follows }: Row,
): readonly { readonly constraint: Json; readonly namedOnly: boolean }[] {
  const isNamed = (each: Json): boolean => typeof each === 'string' && each.startsWith('**/');
  if (Array.isArray(constraint))
    return constraint.map((each: Json) => ({
      constraint: [each],
      namedOnly: follows === true && isNamed(each),
    }));
  const within = (constraint as { readonly in?: readonly Json[] }).in;
  return [{ constraint, namedOnly: follows === true && within?.every(isNamed) === true }];
}

const sets = new Map<string, Uint8Array>();

/** By place, whether a constraint holds there. */
function pathSet(constraint: Json, polarity: Polarity): Uint8Array {
  const key = `${polarity} ${JSON.stringify(constraint)}`;
  const known = sets.get(key);
  if (known !== undefined) return known;
  const set = Uint8Array.from(places, ({ path: at }) => Number(leafMeets(constraint, at, polarity, 'path')));
  sets.set(key, set);
  return set;
}
