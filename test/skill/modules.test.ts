/** JavaScript tools of skills: what is loaded, what is refused, and what an agent and an auditor see of it. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type JsonObject, executorId, isRefusal, parseAgentName } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import type { SkillRunner } from '../../packages/gateway/src/cli/live-skills.js';
import { SkillModules } from '../../packages/gateway/src/cli/skill-modules.js';
import { skillRunner } from '../../packages/gateway/src/cli/skill-runner.js';
import { NoConfinement, skillFolder } from '../../packages/gateway/src/power/index.js';
import { World } from '../dispatch/world.js';
import { started } from '../e2e/daemon.js';
import { pawlHere, temporaryFolder } from '../e2e/gateway.js';
import { call, refusalOf, textOf, toolNames } from '../e2e/post.js';
import { prove } from '../../packages/gateway/src/cli/prove.js';
import { MemoryFolder, entriesOf, newKey, signed } from './signed.js';

const examples = fileURLToPath(new URL('../../examples/skills', import.meta.url));
const executor = executorId(parseAgentName('agent')!);
const policy =
  'pawl: 1\nservers: { s: { command: s } }\nagents: { agent: { allow: [ { tools: [s/t] } ] } }\n';

function manifestOf(tools: Readonly<Record<string, object>>): string {
  const whole = Object.entries(tools).map(([name, how]) => [
    name,
    { description: 'A tool.', needs: [], ...how },
  ]);
  return JSON.stringify({ 'pawl-skill': 1, tools: Object.fromEntries(whole) });
}

function filesOf(
  tools: Readonly<Record<string, object>>,
  more: Readonly<Record<string, string>>,
): Record<string, string> {
  return {
    'SKILL.md': '---\nname: counter\ndescription: Counts.\n---\n',
    'pawl-skill.json': manifestOf(tools),
    ...more,
  };
}

interface Loading {
  readonly world: World;
  readonly log: readonly string[];
  readonly answer: Awaited<ReturnType<World['skills']['load']>>;
}

async function load(files: Readonly<Record<string, string>>, given?: SkillRunner): Promise<Loading> {
  const key = newKey();
  const { publicKey } = key;
  const trust = { keys: { [publicKey.id]: { publicKey: publicKey.pem, name: 'team', skills: ['*'] } } };
  const log: string[] = [];
  const runner =
    given ?? skillRunner({ folder: join(temporaryFolder(), 'skills'), log: (line) => log.push(line) });
  const world = new World({ policy, tools: { s: { t: { type: 'object', properties: {} } } }, runner, trust });
  const entries = await signed(entriesOf(files), key, 'counter');
  const answer = await world.skills.load({ folder: new MemoryFolder(entries), executor });
  return { world, log, answer };
}

describe('[P.skill.modules] a skill with a JavaScript tool', () => {
  test.each<readonly [string, Readonly<Record<string, string>>, string, string]>([
    [
      'that would import later',
      { 'a.js': "export default () => import('fs');" },
      'a.js',
      'import(…) at line 1',
    ],
    ['that requires', { 'a.js': "export default () => require('fs');" }, 'a.js', 'require(…) at line 1'],
    [
      'that wants a module of node',
      { 'a.js': "import 'node:fs';\nexport default () => 1;" },
      'a.js',
      'node:fs',
    ],
    [
      'whose part wants one',
      { 'a.js': "import './b.js';\nexport default () => 1;", 'b.js': "import('x');" },
      'b.js',
      'import(…)',
    ],
    ['that is no module', { 'a.js': 'export default () => {' }, 'a.js', 'it is no module'],
    ['without a default export', { 'a.js': 'export const tool = () => 1;' }, 'a.js', 'default export'],
  ])('is refused before anything of it runs: one %s', async (_, code, file, words) => {
    const { world, answer } = await load(filesOf({ count: { module: 'a.js' } }, code));
    expect(answer).toMatchObject({ kind: 'refused', code: 'skill_rejected', reason: 'bad_module', file });
    expect(isRefusal(answer) && answer.message).toContain(words);
    expect(world.skills.shelf.list()).toEqual([]);
    expect(
      world.audit.of('event').map(({ event, data }) => [event, (data as { reason?: string }).reason]),
    ).toContainEqual(['skill_refused', 'bad_module']);
  });

  test('is refused by a dry run too', async () => {
    const folder = temporaryFolder();
    mkdirSync(join(folder, 'skill'));
    const files = filesOf({ count: { module: 'a.js' } }, { 'a.js': "export default () => import('fs');" });
    for (const [file, text] of Object.entries(files)) writeFileSync(join(folder, 'skill', file), text);
    const key = join(folder, 'signing.pem');
    const issued = JSON.parse((await pawlHere('keys', 'issue', '--signing', '--out', key, '--json')).out) as {
      trust: object;
    };
    writeFileSync(join(folder, 'trust.json'), JSON.stringify(issued.trust));
    writeFileSync(join(folder, 'pawl.yaml'), `${policy}skills: { trust: trust.json }\n`);
    await pawlHere('skill', 'sign', join(folder, 'skill'), '--key', key);
    const dry = await pawlHere(
      'skill',
      'load',
      join(folder, 'skill'),
      '--agent',
      'agent',
      '--policy',
      join(folder, 'pawl.yaml'),
      '--dry-run',
      '--json',
    );
    expect(dry.code).toBe(1);
    expect(JSON.parse(dry.out)).toMatchObject({ loaded: false, reason: 'bad_module', file: 'a.js' });
  });

  test.each<readonly [string, Readonly<Record<string, object>>]>([
    ['says both', { count: { module: 'a.js', run: 'a.js' } }],
    ['says neither', { count: {} }],
    ['names a file that is none', { count: { module: 'b.js' } }],
    ['names what is no JavaScript', { count: { module: 'SKILL.md' } }],
  ])('is refused when its tool %s', async (_, tools) => {
    const { answer } = await load(filesOf(tools, { 'a.js': 'export default () => 1;' }));
    expect(answer).toMatchObject({ kind: 'refused', reason: 'bad_manifest', file: 'pawl-skill.json' });
  });

  test('[P.skill.examples] the example counts', async () => {
    const trust = JSON.parse(readFileSync(join(examples, 'trust.json'), 'utf8')) as JsonObject;
    const runner = skillRunner({ folder: join(temporaryFolder(), 'skills'), log: () => undefined });
    const world = new World({
      policy,
      tools: { s: { t: { type: 'object', properties: {} } } },
      runner,
      trust,
    });
    const loaded = await world.skills.load({ folder: skillFolder(join(examples, 'counting')), executor });
    if (isRefusal(loaded)) throw new Error(loaded.message);
    expect(
      await world.call('agent', 'skill-counting__count_words', { text: 'one two\n three' }),
    ).toMatchObject({
      value: { isError: false, members: expect.stringContaining(String.raw`{\"words\":3,\"lines\":2}`) },
    });
  });

  test('has none where compartments were not seen to refuse, and says why', async () => {
    const whys = [
      () => Promise.resolve('the probe could see process'),
      () => Promise.reject(new NoConfinement('a compartment needs prlimit')),
    ];
    for (const whyNot of whys) {
      const log: string[] = [];
      const modules = new SkillModules({ log: (line) => log.push(line), whyNot });
      const { answer } = await load(
        filesOf({ count: { module: 'a.js' } }, { 'a.js': 'export default () => 1;' }),
      );
      if (isRefusal(answer)) throw new Error(answer.message);
      expect(await modules.prepare(answer)).toBeUndefined();
      expect(answer.manifest.tools.map((tool) => modules.runs(tool, answer))).toEqual([false]);
      expect(log).toEqual([expect.stringContaining('JavaScript tools stay absent: ')]);
    }
  });

  test.each<readonly [string, (world: World) => void, object]>([
    [
      'what was unloaded',
      (world) => void world.skills.shelf.unload(executor, 'counter'),
      { code: 'changed_meanwhile', retryable: true },
    ],
    [
      'for who was frozen',
      (world) => void world.freezes.freeze('agent'),
      { code: 'not_permitted', detail: 'frozen', retryable: false },
    ],
  ])(
    'does not run %s while its call waited for room, and gives the room back',
    async (_, happen, refusal) => {
      const done: string[] = [];
      let go = (): void => undefined;
      const free = new Promise<void>((resolve) => (go = resolve));
      const runner: SkillRunner = {
        prepare: () => Promise.resolve(),
        runs: () => true,
        room: async () => {
          done.push('waits');
          await free;
          return () => void done.push('left');
        },
        run: () => Promise.resolve(done.push('ran')),
      };
      const files = filesOf({ count: { module: 'a.js' } }, { 'a.js': 'export default () => 1;' });
      const { world } = await load(files, runner);
      const calls = [1, 2].map(() => world.call('agent', 'skill-counter__count', {}));
      await expect.poll(() => done).toEqual(['waits', 'waits']);
      happen(world);
      go();
      for (const outcome of await Promise.all(calls))
        expect(outcome).toMatchObject({ kind: 'refused', refusal });
      expect(done).toEqual(['waits', 'waits', 'left', 'left']);
    },
  );

  test('what the probe could not be asked is asked again at the next load', async () => {
    const { answer } = await load(
      filesOf({ count: { module: 'a.js' } }, { 'a.js': 'export default () => 1;' }),
    );
    if (isRefusal(answer)) throw new Error(answer.message);
    const whys = [
      () => Promise.reject(new NoConfinement('no memory')),
      () => Promise.resolve('the probe failed'),
      () => Promise.resolve(undefined),
      () => Promise.reject(new Error('a proof holds')),
    ];
    const whyNot = (): Promise<string | undefined> => whys.shift()?.() ?? Promise.resolve('not asked');
    const modules = new SkillModules({ log: () => undefined, whyNot });
    const runs: boolean[] = [];
    for (const _ of [1, 2, 3]) {
      await modules.prepare(answer);
      runs.push(answer.manifest.tools.every((tool) => modules.runs(tool, answer)));
    }
    const copy = { ...answer, verified: { ...answer.verified, files: new Map(answer.verified.files) } };
    await modules.prepare(copy);
    modules.close();
    expect([...runs, whys.length]).toEqual([false, false, true, 1]);
  });

  test('[P.audit.confined-by] over the wire it answers, and the audit says what confined it', {
    timeout: 120_000,
  }, async () => {
    const folder = temporaryFolder();
    const skill = join(folder, 'skill');
    mkdirSync(join(skill, 'tools'), { recursive: true });
    const schema = {
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      additionalProperties: false,
    };
    const files = filesOf(
      {
        count: { module: 'tools/count.js', inputSchema: schema },
        look: { module: 'tools/look.mjs' },
        fail: { module: 'tools/fail.mjs' },
        big: { module: 'tools/big.mjs' },
      },
      {
        'tools/count.js':
          "import { words } from './words.js';\nexport default ({ text }) => ({ words: words(text).length });\n",
        'tools/words.js': 'export const words = (text) => text.split(/\\s+/u).filter(Boolean);\n',
        'tools/look.mjs':
          "export default (args, powers) => [typeof process, typeof fetch, Object.keys(powers)].join(' ');\n",
        'tools/big.mjs': "export default () => 'x'.repeat(1001);\n",
        'tools/fail.mjs': "export default () => { throw new Error('not today'); };\n",
      },
    );
    for (const [name, text] of Object.entries(files)) writeFileSync(join(skill, name), text);
    const key = join(folder, 'signing.pem');
    const issued = await pawlHere('keys', 'issue', '--signing', '--out', key, '--json');
    writeFileSync(
      join(folder, 'trust.json'),
      JSON.stringify((JSON.parse(issued.out) as { trust: object }).trust),
    );
    expect(await pawlHere('skill', 'sign', skill, '--key', key)).toMatchObject({ code: 0 });
    const here = await started({
      folder,
      policy: {
        pawl: 1,
        servers: { s: { command: 's' } },
        agents: { a: { allow: [] } },
        skills: { trust: 'trust.json' },
        results: { maxBytes: 1000 },
      },
      says: prove,
    });
    const agent = await here.issueKey('a');
    const loaded = await here.ask('skill', 'load', skill, '--agent', 'a', '--json');
    expect(JSON.parse(loaded.out)).toMatchObject({
      loaded: true,
      skill: { tools: ['count', 'look', 'fail', 'big'] },
    });
    expect(await toolNames(agent)).toEqual([
      'skill-counter__count',
      'skill-counter__look',
      'skill-counter__fail',
      'skill-counter__big',
    ]);
    expect(textOf(await call(agent, 'skill-counter__count', { text: 'one two  three' }))).toBe('{"words":3}');
    expect(textOf(await call(agent, 'skill-counter__look', {}))).toMatch(/^undefined undefined/u);
    const failed = await call(agent, 'skill-counter__fail', {});
    expect([textOf(failed), failed.isError]).toEqual(['not today', true]);
    expect(refusalOf(await call(agent, 'skill-counter__big', {}))).toBe('result_too_large');
    expect(refusalOf(await call(agent, 'skill-counter__count', { other: 1 }))).toBe('malformed_arguments');
    const shown = await here.ask('audit', 'show', '--json');
    const confined = shown.out.split('\n').filter((line) => line.includes('"type":"intent"'));
    expect(confined).toHaveLength(4);
    for (const line of confined) {
      expect(line).toContain('"confinedBy":"compartment"');
      expect(line).toContain('"confinement":"object"');
    }
  });
});
