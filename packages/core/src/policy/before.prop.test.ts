/** Compiling with an earlier policy at hand: the same answers as without, and the very same parts where nothing changed. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Tools, Gate, closed, filesystemTools, load } from '../../../../test/policies.js';
import type { Declaration } from '../ceiling/index.js';
import { type Json, executorId, parseAgentName } from '../ground/index.js';
import { judgeCall } from '../reload/judge.js';
import { comparePolicies } from './compare/compare.js';
import { policyPrint } from './compare/inclusion.js';
import type { CompileInput } from './compile-input.js';
import type { CompiledPolicy } from './compile.js';

const text = { type: 'string' };
const schemas: readonly Tools[string][] = [
  { t: closed({ x: text, y: { type: 'number' }, cmd: text }), u: closed({ x: text }) },
  {
    t: closed({ x: { type: 'string', default: 'a' }, y: { type: 'number' }, cmd: text }),
    u: closed({ x: text }),
  },
  { u: closed({ x: { enum: ['a', 'b'] } }), t: closed({ x: text, y: { type: 'number' }, cmd: text }) },
];
const { read_text_file: read, move_file: move, directory_tree: tree } = filesystemTools;
const fileTools = { read_text_file: read ?? null, move_file: move ?? null, directory_tree: tree ?? null };

const rules = {
  allow: [
    { tools: ['s/t'], where: { 'args.x': ['a', 'b'] } },
    { tools: ['s/t'], where: { 'args.x': { set: 'names' }, rest: 'any' } },
    { tools: ['s/t', 's/u'], where: { 'args.x': { glob: 'a*' } }, ask: 'session' },
    { tools: ['s/*'], where: { 'args.x': { fact: 'who.list' } } },
    { tools: ['s/t'], where: { 'args.y': { min: -1, max: 3 } }, uses: 2 },
    { tools: ['s/t'], where: { 'args.cmd': { program: ['ls', 'env'] } } },
    { tools: ['s/t'], where: { 'args.x': 'any', 'args.y': { above: -1, max: 3 } } },
    { tools: ['f/read_text_file'], where: { path: '/w/**' } },
    { tools: ['f/read_text_file', 'f/directory_tree'], where: { path: ['/w/a/**', 'e\u0301/**'] } },
    { tools: ['f/*'], where: { path: '/w/a/**' }, ask: 'once' },
    { tools: ['f/move_file'], where: { path: { in: '/w/**', except: '/w/b/**' } } },
  ],
  ask: [
    { tools: ['s/t'], where: { 'args.x': ['b'] }, ask: 'once' },
    { tools: ['f/*'], where: { path: '/w/a/k' } },
  ],
  deny: [
    { where: { path: '**/k' } },
    { tools: ['s/*'], where: { 'args.x': { set: 'names' } } },
    { tools: ['f/*'], where: { path: '/w/b/**' }, reach: 'named' },
    { tools: ['f/*'], where: { path: '/w/b/**' } },
    { tools: ['s/later*'] },
  ],
} as const;

/** Lists in any order, so that rules move: two alike in one document too. */
const listOf = (pool: readonly Json[], most: number): fc.Arbitrary<Json[]> =>
  fc.array(fc.constantFrom(...pool), { maxLength: most });
const agent = fc.record(
  {
    allow: listOf(rules.allow, 6),
    ask: listOf(rules.ask, 2),
    deny: listOf(rules.deny, 3),
    ceiling: fc.constantFrom<Json>(
      { filesystem: { path: ['/w/a/**'] } },
      { filesystem: { path: ['/w/b/**'] } },
      { s: { 'args.x': ['a', 'ab'] } },
      { s: { 'args.x': 'single' } },
      { s: { 'args.x': { set: 'names' } } },
    ),
    limits: fc.constantFrom<Json>(
      { l: { tools: ['s/t'], uses: 3, per: 'day' } },
      {
        l: { tools: ['s/t'], uses: 2, per: 'day' },
        m: { tools: ['s/t'], where: { 'args.x': ['a'] }, uses: 1, per: 'session' },
      },
    ),
  },
  { requiredKeys: ['allow'] },
);

interface Given {
  readonly text: string;
  readonly tools: Tools;
  readonly changes: Partial<CompileInput>;
}

const name = parseAgentName('a')!;
const [agentA, instanceI] = [executorId(name), executorId(name, 'i')];

const parts = {
  a: agent,
  b: fc.option(agent, { nil: undefined }),
  names: fc.constantFrom(['a'], ['a', 'b'], ['c']),
  list: fc.constantFrom(['a'], ['b', 'ab']),
  narrow: fc.constantFrom<Json | undefined>(
    undefined,
    { s: { 'args.x': ['a'] } },
    { s: { 'args.x': ['ab'] } },
    { s: { 'args.x': { fact: 'who.list' } } },
    { filesystem: { path: '/w/a/**' } },
  ),
  declared: fc.constantFrom<readonly Declaration[]>(
    [],
    [{ of: agentA, on: 's', fields: { 'args.x': ['a'] } }],
    [{ of: agentA, on: 's', fields: { 'args.x': ['a', 'ab'] } }],
    [{ of: agentA, on: 's', fields: { 'args.x': { junk: 1 } } }],
    [{ of: instanceI, on: 'filesystem', fields: { path: ['/w/a/**'] } }],
  ),
  root: fc.constantFrom('/w', '/w/a'),
  letters: fc.constantFrom('sensitive', 'insensitive'),
  protectedPaths: fc.constantFrom<readonly string[]>([], ['/w/k'], ['/w/a/k']),
  schema: fc.constantFrom(...schemas),
};
type Parts = {
  readonly [K in keyof typeof parts]: (typeof parts)[K] extends fc.Arbitrary<infer T> ? T : never;
};

/** A document, and then others that each differ from the one before in a part or two. */
const generations: fc.Arbitrary<readonly Given[]> = fc
  .tuple(
    fc.record(parts),
    fc.array(fc.tuple(fc.record(parts), fc.subarray(Object.keys(parts), { minLength: 1, maxLength: 2 })), {
      minLength: 1,
      maxLength: 4,
    }),
  )
  .map(([first, edits]) => {
    const all: Parts[] = [first];
    for (const [others, keys] of edits)
      all.push({
        ...all.at(-1)!,
        ...Object.fromEntries(Object.entries(others).filter(([key]) => keys.includes(key))),
      });
    return all.map(givenOf);
  });

function givenOf(all: Parts): Given {
  const { a, b, names, list, narrow, declared, root, letters, protectedPaths, schema } = all;
  const document = {
    pawl: 1,
    servers: { s: { command: 's' }, f: { command: 'f', connector: 'filesystem', root, case: letters } },
    sets: { names },
    facts: { who: { file: 'who.json' } },
    agents: { a, ...(b === undefined ? {} : { b }) },
    ...(narrow === undefined ? {} : { instances: { 'a/i': { narrow } } }),
  };
  return {
    text: JSON.stringify(document),
    tools: { s: schema, f: fileTools },
    changes: {
      protectedPaths,
      declared,
      facts: new Map<string, Json>([['who', { list }]]),
      vanishedTool: 'finding',
    },
  };
}

const calls: readonly (readonly [tool: string, args: Json])[] = [
  ...['a', 'b', 'ab', 'c', 'z'].flatMap(
    (x) =>
      [
        ['s/t', { x }],
        ['s/t', { x, y: 0 }],
        ['s/u', { x }],
      ] as const,
  ),
  ['s/t', {}],
  ['s/t', { y: -1 }],
  ['s/t', { cmd: 'ls -l' }],
  ['s/t', { cmd: 'env sh' }],
  ...['/w/a', '/w/a/k', '/w/k', 'k', '/w/b/c', '/w/A/x', '/x'].flatMap(
    (path) =>
      [
        ['f/read_text_file', { path }],
        ['f/directory_tree', { path }],
      ] as const,
  ),
  ['f/move_file', { source: '/w/a/x', destination: '/w/c' }],
  ['f/move_file', { source: '/w/b', destination: '/w/a' }],
];

function answers(policy: CompiledPolicy): unknown {
  const gate = new Gate(policy, []);
  return [...policy.executors.values()].map((executor) => {
    const { id, agent: name, instance, budgets, reachable } = executor;
    const tools = reachable.map((tool) => executor.forTool(tool)!);
    return {
      id,
      reachable,
      budgets: [...budgets],
      prints: tools.map(policyPrint),
      limits: tools.map(({ limits }) =>
        limits.map((limit) => ({
          ...limit,
          buckets: [...limit.buckets].map(([verb, all]) => [verb, all.map(({ box }) => box.print)]),
        })),
      ),
      verdicts: calls.map(([tool, args]) =>
        gate.call(tool, args, { agent: name, ...(instance === undefined ? {} : { instance }) }),
      ),
    };
  });
}

describe('[P.reload.taken-over] a policy that is compiled with an earlier one at hand', () => {
  test('answers every call, finds every problem, and compares as one that is compiled alone', () => {
    fc.assert(
      fc.property(generations, (all) => {
        let before: CompiledPolicy | undefined;
        for (const { text: document, tools, changes } of all) {
          const alone = load(document, tools, changes);
          const beside = load(document, tools, { ...changes, ...(before === undefined ? {} : { before }) });
          expect(beside.problems).toEqual(alone.problems);
          expect(beside.findings).toEqual(alone.findings);
          expect(beside.policy === undefined).toBe(alone.policy === undefined);
          if (beside.policy === undefined || alone.policy === undefined) continue;
          expect(answers(beside.policy)).toEqual(answers(alone.policy));
          expect(beside.policy.agents).toEqual(alone.policy.agents);
          expect(beside.policy.declared).toEqual(alone.policy.declared);
          const pair = { old: alone.policy, next: beside.policy, judge: judgeCall };
          expect(comparePolicies(pair).relation).toBe('equal');
          before = beside.policy;
        }
      }),
      { numRuns: 100 },
    );
  });

  test('has the very same parts for what did not change, and others for what did', () => {
    const document = (x: string): string =>
      JSON.stringify({
        pawl: 1,
        servers: { s: { command: 's' } },
        agents: {
          a: {
            allow: [
              { tools: ['s/t'], where: { 'args.x': [x] } },
              { tools: ['s/t'], where: { 'args.y': { max: 3 } } },
              { tools: ['s/u'], where: { 'args.x': ['a'] } },
            ],
          },
        },
      });
    const tools = { s: schemas[0]! };
    const first = load(document('a'), tools).policy!;
    const second = load(document('b'), tools, { before: first }).policy!;
    const [before, now] = [first, second].map((policy) => [...policy.executors.values()][0]!);
    const [t, u] = ['t', 'u'].map(
      (name) => first.servers.get([...first.servers.keys()][0]!)!.tools!.get(name)!.frame.tool,
    );
    expect(now!.forTool(u!)).toBe(before!.forTool(u!));
    expect(now!.forTool(t!)).not.toBe(before!.forTool(t!));
    const boxes = [before, now].map(
      (side) => side!.forTool(t!)!.authorities.factors[0]!.bucket(t!, 'call')!.allow,
    );
    expect(boxes[1]![1]!.box).toBe(boxes[0]![1]!.box);
    expect(boxes[1]![0]!.box).not.toBe(boxes[0]![0]!.box);
  });

  test('keeps the boxes of a rule that only moved, under its new name', () => {
    const rule = (x: string): Json => ({ tools: ['s/u'], where: { 'args.x': [x] } });
    const document = (...allow: readonly Json[]): string =>
      JSON.stringify({ pawl: 1, servers: { s: { command: 's' } }, agents: { a: { allow } } });
    const tools = { s: schemas[0]! };
    const first = load(document(rule('a')), tools).policy!;
    const second = load(document(rule('b'), rule('a')), tools, { before: first }).policy!;
    const [one, two] = [first, second].map((policy) => {
      const [executor] = policy.executors.values();
      const [tool] = executor!.reachable;
      return executor!.forTool(tool!)!.authorities.factors[0]!.bucket(tool!, 'call')!.allow;
    });
    expect(two!.map((each) => each.rule)).toEqual(['agents.a.allow[0]', 'agents.a.allow[1]']);
    expect(two![1]!.box).toBe(one![0]!.box);
  });
});
