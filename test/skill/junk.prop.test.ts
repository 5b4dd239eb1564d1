/** Whatever a signed skill says: it loads or is refused with a reason, and what is published lies inside what it says and what is granted. */
import { type LoadedSkill, executorId, isRefusal, parseAgentName } from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { SkillRunner } from '../../packages/gateway/src/cli/live-skills.js';
import { World } from '../dispatch/world.js';
import { MemoryFolder, entriesOf, newKey, signed } from './signed.js';

const key = newKey();
const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, skills: ['*'] } } };
const agent = executorId(parseAgentName('agent')!);
const runner: SkillRunner = {
  prepare: () => Promise.resolve(),
  runs: () => true,
  run: () => Promise.resolve('done'),
};
const text = { type: 'string' };
const tools = {
  files: {
    write_file: { type: 'object', properties: { path: text, content: text } },
    read_text_file: { type: 'object', properties: { path: text } },
  },
  bank: { send: { type: 'object', properties: { to: text, amount: { type: 'number' } } } },
};
const policy = `pawl: 1
servers: { files: { command: f, connector: filesystem, root: /a }, bank: { command: b } }
sets: { us: [ann] }
agents:
  agent:
    allow: [ { tools: [files/*], where: { path: /a/** } }, { tools: [bank/send], where: { args.to: { set: us }, rest: any } } ]
    skills: { notes: { grant: [ { tools: [files/*], where: { path: /a/b/** } } ], mode: fail_visible } }
skills: { names: { Write: files/write_file } }
`;

/** Words that stand somewhere in policies, schemas and manifests, and things that stand nowhere. */
const words = [
  'files/write_file',
  'files/*',
  'files/read_text_file',
  'bank/send',
  'Write',
  'Bash',
  '*/x',
  'files/@resource',
  '/a/b/**',
  '/a/b/c',
  '/a/**',
  '../x',
  '**/*a*b*c*',
  'write',
  'read',
  'any',
  'absent',
  'one',
  'run.sh',
  '',
  '\u0000',
  '__proto',
];
const names = [
  'tools',
  'verbs',
  'where',
  'path',
  'args.to',
  'args.amount',
  'rest',
  'in',
  'except',
  'either',
  'set',
  'fact',
  'min',
  'glob',
  'constructor',
  'one',
  'type',
  '$ref',
];
const { value: junk } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, depthSize: 'small' },
    fc.constantFrom<unknown>(...words, null, true, 0, -1, 1.5, 1e300),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...names), tie('value'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));
const plain = { noNullPrototype: true } as const;
const often = <T>(usual: fc.Arbitrary<T>, seldom: fc.Arbitrary<T>): fc.Arbitrary<T> =>
  fc.oneof({ arbitrary: usual, weight: 9 }, { arbitrary: seldom, weight: 1 });
const paths = fc.constantFrom<unknown>('/a/b/**', '/a/b/c', 'b/*', ['/a/b/x/**', '/a/b/y'], '/a/**', {
  in: '/a/**',
  except: '/a/c/**',
});
const where = fc.oneof(
  { arbitrary: fc.record({ path: often(paths, junk) }, plain), weight: 8 },
  {
    arbitrary: fc.record(
      { 'args.to': often(fc.constantFrom<unknown>('ann', { set: 'us' }), junk), rest: fc.constant('any') },
      plain,
    ),
    weight: 1,
  },
  { arbitrary: junk, weight: 1 },
);
const rule = fc.record(
  {
    tools: fc.oneof(
      {
        arbitrary: fc.subarray<unknown>(['files/write_file', 'Write', 'files/*', 'files/read_text_file'], {
          minLength: 1,
        }),
        weight: 9,
      },
      { arbitrary: fc.array(fc.constantFrom<unknown>(...words), { maxLength: 3 }), weight: 1 },
      { arbitrary: junk, weight: 1 },
    ),
    verbs: often(fc.constantFrom<unknown>(['write'], ['read', 'write'], ['read', 'write', 'list']), junk),
    where,
  },
  { requiredKeys: ['tools', 'where'], ...plain },
);
const tool = fc.record(
  {
    description: often(fc.constant<unknown>('A tool.'), junk),
    needs: often(fc.constantFrom<unknown>(['one'], ['two', 'one'], []), junk),
    run: often(fc.constant<unknown>('run.sh'), junk),
    inputSchema: often(
      fc.constantFrom<unknown>({}, { type: 'object' }, { type: ['object', 'null'], x: 1 }),
      junk,
    ),
  },
  { requiredKeys: ['description', 'needs', 'run'], ...plain },
);
const manifest = fc.record(
  {
    'pawl-skill': fc.constant(1),
    capabilities: fc.record(
      { one: rule, two: rule, constructor: rule },
      { requiredKeys: ['one', 'two'], ...plain },
    ),
    tools: fc.dictionary(often(fc.constantFrom('one', 'two', 'toString'), fc.constant('@x')), tool, {
      maxKeys: 2,
      ...plain,
    }),
  },
  { requiredKeys: ['pawl-skill', 'capabilities'], ...plain },
);
const allowed = fc.option(
  fc.oneof(fc.constantFrom<unknown>(...words, 'Write(/a/b/**)', 'Write(**/*a*) files/read_text_file'), junk),
  { nil: undefined, freq: 1 },
);

async function loaded(asked: unknown, ceiling: unknown): Promise<{ world: World; answer: Answer }> {
  const more = ceiling === undefined ? '' : `allowed-tools: ${JSON.stringify(ceiling)}\n`;
  const entries = entriesOf({
    'SKILL.md': `---\nname: notes\ndescription: x\n${more}---\n`,
    'run.sh': '#!/bin/sh\n',
    'pawl-skill.json': JSON.stringify(asked),
  });
  const world = new World({ policy, tools, trust, runner });
  const folder = new MemoryFolder(await signed(entries, key));
  return { world, answer: await world.skills.load({ folder, executor: agent }) };
}

type Answer = Awaited<ReturnType<World['skills']['load']>>;

/** Holds what came of it against itself, and says whether anything was granted. */
function granting(world: World, { manifest: { tools: own }, intersection }: LoadedSkill): boolean {
  const { acting, granted, masked } = intersection;
  expect(acting.reachable.filter((each) => each.startsWith('bank/'))).toEqual([]);
  for (const { name, needs } of own)
    expect(masked.includes(name)).toBe(needs.some((need) => !granted.includes(need)));
  for (const definition of world.definitions(world.open('agent').id))
    expect(definition).toMatchObject({ inputSchema: { type: 'object' } });
  world.reload(`${policy}# again\n`);
  expect(world.skills.shelf.list()[0]?.intersection).toMatchObject({ granted, masked });
  return granted.length > 0;
}

describe('[S003.manifest-meets-grant] [S003.frontmatter] junk that somebody signed', () => {
  test('never crashes a load, a reload, or what the agent sees, and is granted nothing beyond the grant', async () => {
    let count = 0;
    const property = fc.asyncProperty(manifest, allowed, async (asked, ceiling) => {
      const { world, answer } = await loaded(asked, ceiling);
      if (isRefusal(answer)) expect(answer.message.length).toBeGreaterThan(20);
      else if (granting(world, answer)) count += 1;
    });
    await fc.assert(property, { numRuns: 400 });
    expect(count).toBeGreaterThan(0);
  });
});
