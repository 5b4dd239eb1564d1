/** What a tool of a skill may reach, for random policies: never more than the calls that were granted, and whole only where each is. */
import { admit, executorId, isRefusal, parseAgentName, toolName, parseServerName } from '@pawl/core';
import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { skillReach } from '../../packages/gateway/src/cli/skill-reach.js';
import type { FileUse } from '../../packages/gateway/src/power/index.js';
import { World } from '../dispatch/world.js';
import { MemoryFolder, entriesOf, newKey, signed } from './signed.js';

const agent = executorId(parseAgentName('a')!);
const files = parseServerName('files')!;
const text = { type: 'string' };
const path = { type: 'object', properties: { path: text }, required: ['path'] };
const catalog = {
  files: {
    read_text_file: path,
    write_file: { type: 'object', properties: { path: text, content: text }, required: ['path', 'content'] },
    list_directory: path,
    edit_file: {
      type: 'object',
      properties: { path: text, edits: { type: 'array', items: { type: 'object' } } },
      required: ['path', 'edits'],
    },
  },
};
/** The call that each use stands for. */
const calls: Readonly<Partial<Record<FileUse, (at: string) => readonly [string, object]>>> = {
  read: (at) => ['read_text_file', { path: at }],
  list: (at) => ['list_directory', { path: at }],
  write: (at) => ['write_file', { path: at, content: '' }],
  replace: (at) => ['edit_file', { path: at, edits: [] }],
};
const uses = Object.keys(calls) as FileUse[];

const segment = fc.constantFrom('a', 'b', 'c.txt', '.env');
const below = fc.array(segment, { maxLength: 3 });
const pathOf = (parts: readonly string[]): string => ['', 'd', ...parts].join('/');
const glob = fc.oneof(
  below.map((parts) => `${pathOf(parts)}/**`),
  below.map((parts) => `${pathOf(parts)}/*`),
  below.map((parts) => `${pathOf(parts)}/*.txt`),
  below.map(pathOf),
);
const deny = fc.oneof(glob, fc.constantFrom('**/.env', '**/c.txt', '/d/a/**'));
const tool = fc.constantFrom(
  'files/read_text_file',
  'files/write_file',
  'files/list_directory',
  'files/*',
  'files/edit_file',
);
const rule = fc.record({
  tools: fc.uniqueArray(tool, { minLength: 1, maxLength: 3 }),
  where: glob.map((at) => ({ path: at })),
});
const allow = fc.oneof(
  { weight: 5, arbitrary: rule },
  { weight: 1, arbitrary: rule.map((one) => ({ ...one, ask: 'once' })) },
  { weight: 1, arbitrary: rule.map((one) => ({ ...one, uses: 5 })) },
);
const policies = fc.record({
  allow: fc.array(allow, { minLength: 1, maxLength: 4 }),
  deny: fc.array(deny, { maxLength: 2 }),
  limited: fc.boolean(),
  asked: fc.array(rule, { minLength: 1, maxLength: 3 }),
  wide: fc.boolean(),
});

type Chosen = typeof policies extends fc.Arbitrary<infer T> ? T : never;

const everything = { tools: ['files/*'], where: { path: '/d/**' } };

/** The policy, and the same without the rules that are counted. */
function documentOf({ asked, wide, limited, allow: rules, deny: denied }: Chosen, counted: boolean): string {
  const held = wide ? [everything, ...rules] : [...asked, ...rules];
  const limits = limited ? { few: { tools: ['files/write_file'], uses: 3, per: 'day' } } : {};
  return JSON.stringify({
    pawl: 1,
    servers: { files: { command: 'f', connector: 'filesystem', root: '/d' } },
    agents: {
      a: {
        allow: held.filter((one) => counted || !('uses' in one)),
        deny: denied.map((at) => ({ where: { path: at } })),
        limits,
        skills: { worker: { grant: wide ? [everything] : asked, mode: 'fail_visible' } },
      },
    },
  });
}

const key = newKey();
const trust = { keys: { [key.publicKey.id]: { publicKey: key.publicKey.pem, name: 'team', skills: ['*'] } } };

/** What a tool reaches that needs all that was asked for; undefined where the policy does not load, or the skill is refused. */
async function reachOf(chosen: Chosen): Promise<ReturnType<typeof skillReach> | undefined> {
  const world = worldOf(documentOf(chosen, true));
  const capabilities = Object.fromEntries(chosen.asked.map((one, at) => [`c${at}`, one]));
  const manifest = {
    'pawl-skill': 1,
    capabilities,
    tools: { work: { description: 'Works.', needs: Object.keys(capabilities), run: 'work.sh' } },
  };
  const skillFiles = {
    'SKILL.md': '---\nname: worker\ndescription: Works.\n---\n',
    'pawl-skill.json': JSON.stringify(manifest),
    'work.sh': 'true',
  };
  const folder = new MemoryFolder(await signed(entriesOf(skillFiles), key));
  const skill = await world?.skills.load({ folder, executor: agent });
  const [work] = skill === undefined || isRefusal(skill) ? [] : skill.manifest.tools;
  return skill === undefined || isRefusal(skill) || work === undefined ? undefined : skillReach(skill, work);
}

/** Whether rules without budgets permit the call by themselves, and no limit counts it: nothing may be used up unseen. */
function outright(chosen: Chosen, name: string, args: object): boolean {
  const executor = worldOf(documentOf(chosen, false))?.cell.current.peek()?.policy.executors.get(agent);
  if (executor === undefined || (chosen.limited && name === 'write_file')) return false;
  const call = {
    tool: toolName(files, name),
    shown: name,
    args: args as never,
    disclosure: 'names' as const,
  };
  const answer = admit({ executor, ...call });
  return answer.kind === 'admitted' && answer.level === 'permit';
}

test('[S003.skill-powers] a use is permitted only as its call is, and a folder whole only where every path in it is', async () => {
  const seen = { permitted: 0, whole: 0 };
  await fc.assert(
    fc.asyncProperty(policies, fc.array(below, { minLength: 6, maxLength: 12 }), async (chosen, parts) => {
      const reach = await reachOf(chosen);
      if (reach === undefined) return;
      for (const at of parts.map(pathOf))
        for (const use of uses) {
          const [name, args] = calls[use]!(at);
          const inside = ['/d', '/d/a', '/d/a/b'].filter((one) => at === one || at.startsWith(`${one}/`));
          const whole = inside.some((folder) => reach.wholly(use, folder));
          const permitted = reach.permits(use, at);
          if (whole) expect(permitted, `${use} ${at}`).toBe(true);
          if (permitted) expect(outright(chosen, name, args), `${use} ${at}`).toBe(true);
          seen.permitted += Number(permitted);
          seen.whole += Number(whole);
        }
    }),
    { numRuns: 80 },
  );
  expect(seen.permitted).toBeGreaterThan(50);
  expect(seen.whole).toBeGreaterThan(10);
});

/** A world of that policy; undefined where it does not load, as for a rule that is wholly denied. */
function worldOf(policy: string): World | undefined {
  try {
    return new World({ policy, tools: catalog, trust });
  } catch {
    return undefined;
  }
}
