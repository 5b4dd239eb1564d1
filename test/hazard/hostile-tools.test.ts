/**
 * The same hostile tools in both tiers, called through the dispatcher as tools of a signed skill: as modules in compartments, and as
 * programs in bubblewrap, where a tool has the whole of node and no machine. Beside them an honest one, which has to go on working.
 */
import { spawn } from 'node:child_process';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { type CallOutcome, executorId, isRefusal, parseAgentName } from '@pawl/core';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { skillRunner } from '../../packages/gateway/src/cli/skill-runner.js';
import { whyNoSandbox } from '../bubblewrap.js';
import { World } from '../dispatch/world.js';
import { temporaryFolder } from '../e2e/gateway.js';
import { MemoryFolder, entriesOf, newKey, signed } from '../skill/signed.js';
import { type Attack, type Target, attacks } from './hostile-tools.js';

const secret = 'the-word-that-nobody-may-see-4711';
const name = 'PAWL_HOSTILE_TARGET';
const executor = executorId(parseAgentName('agent')!);
const policy =
  'pawl: 1\nservers: { s: { command: s } }\nagents: { agent: { allow: [ { tools: [s/t] } ] } }\n';
const honest = "import { plus } from '../lib/plus.js';\nexport default ({ a }) => `${a} and ${plus(1)}`;\n";
/** Calls a module as a program: arguments on the standard input, the answer on the standard output. */
const asProgram = (module: string): string => `
import { readFileSync, writeSync } from 'node:fs';
import tool from './${module}';
const { stringify } = JSON;
const answer = await tool(JSON.parse(readFileSync(0, 'utf8')), Object.freeze({}));
writeSync(1, typeof answer === 'string' ? answer : stringify(answer));
`;

type Tier = 'compartment' | 'bubblewrap';

interface Scene {
  readonly world: World;
  readonly target: Target;
  readonly call: (tool: string) => Promise<{ readonly outcome: CallOutcome; readonly text: string }>;
}

let server: Server;
let connections = 0;
let target: Target;

beforeAll(async () => {
  const folder = temporaryFolder(afterAll);
  mkdirSync(join(folder, 'outside'));
  const canary = join(folder, 'outside', 'canary.txt');
  writeFileSync(canary, secret);
  process.env[name] = secret;
  server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  target = { canary, secret, name, port: (server.address() as AddressInfo).port };
});
afterAll(() => {
  delete process.env[name];
  server.close();
});
afterEach(() => {
  expect(connections).toBe(0);
  expect(readdirSync(join(target.canary, '..'))).toEqual(['canary.txt']);
  for (const shared of [{}, [], () => 1, Promise.resolve(), new Error('x'), new Map()])
    expect((shared as { poisoned?: string }).poisoned).toBeUndefined();
});

/** A world in which one signed skill is loaded that has all the attacks as tools of this tier. */
async function sceneOf(
  tier: Tier,
  chosen: readonly (readonly [string, Attack])[],
  deadlineMs: number,
): Promise<Scene> {
  const key = newKey();
  const { publicKey } = key;
  const trust = { keys: { [publicKey.id]: { publicKey: publicKey.pem, name: 'mallory', skills: ['*'] } } };
  const log: string[] = [];
  const runner = skillRunner({
    folder: join(temporaryFolder(afterAll), 'skills'),
    log: (line) => log.push(line),
    deadlineMs,
  });
  const world = new World({
    policy,
    tools: { s: { t: { type: 'object', properties: {} } } },
    runner,
    trust,
    ttl: Infinity,
  });
  const all = [...chosen.map(([each, { source }]) => [each, source] as const), ['honest', honest] as const];
  const tool = (each: string): object => ({
    description: 'A tool.',
    inputSchema: { type: 'object', properties: {}, additionalProperties: true },
    needs: [],
    ...(tier === 'compartment' ? { module: `tools/${each}.mjs` } : { run: `tools/run-${each}.mjs` }),
  });
  const files = {
    'SKILL.md': '---\nname: hostile\ndescription: Means harm.\n---\n',
    'pawl-skill.json': JSON.stringify({
      'pawl-skill': 1,
      tools: Object.fromEntries(all.map(([each]) => [each, tool(each)])),
    }),
    'lib/plus.js': 'export const plus = (x) => x + 1;\n',
    'package.json': '{ "name": "hostile", "type": "module" }',
    ...Object.fromEntries(all.map(([each, source]) => [`tools/${each}.mjs`, source])),
    ...Object.fromEntries(all.map(([each]) => [`tools/run-${each}.mjs`, asProgram(`${each}.mjs`)])),
  };
  const entries = await signed(entriesOf(files), key, 'hostile');
  const loaded = await world.skills.load({ folder: new MemoryFolder(entries), executor });
  if (isRefusal(loaded)) throw new Error(loaded.message);
  expect(log).toEqual([]);
  expect(world.skills.absent(loaded)).toEqual([]);
  return {
    world,
    target,
    call: async (each) => {
      const outcome = await world.call('agent', `skill-hostile__${each}`, { ...target, a: 'one' });
      if (outcome.kind === 'refused') return { outcome, text: outcome.refusal.message };
      const { content } = JSON.parse(`{${membersOf(outcome)}}`) as { content: readonly { text: string }[] };
      return { outcome, text: content.map(({ text }) => text).join('') };
    },
  };
}

function membersOf(outcome: Exclude<CallOutcome, { kind: 'refused' }>): string {
  return (outcome.value as { members: string }).members;
}

describe('[S001.hostile-tools] where nothing confines them', () => {
  test.each(['files', 'programs', 'network', 'environment', 'globals'])(
    '%s gets what it is after',
    async (each) => {
      const folder = temporaryFolder();
      writeFileSync(join(folder, 'tool.mjs'), attacks[each]!.source);
      writeFileSync(join(folder, 'run.mjs'), asProgram('tool.mjs'));
      const child = spawn(process.execPath, [join(folder, 'run.mjs')], { stdio: ['pipe', 'pipe', 'ignore'] });
      child.stdin.end(JSON.stringify(target));
      const chunks: Buffer[] = [];
      child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk));
      await new Promise((done) => child.once('close', done));
      // The listener hangs up at once, so of the network it alone tells.
      if (each === 'network') expect(connections).toBeGreaterThan(0);
      else expect(JSON.parse(Buffer.concat(chunks).toString())).not.toEqual([]);
      rmSync(`${target.canary}.written`, { force: true });
      connections = 0;
    },
  );
});

const tiers: readonly Tier[] = ['compartment', 'bubblewrap'];
for (const tier of tiers) {
  const why = tier === 'bubblewrap' ? whyNoSandbox() : undefined;
  describe(`[S001.hostile-tools] hostile tools in ${tier}`, () => {
    if (why !== undefined) {
      test('are not tried', ({ skip }) => skip(why));
      return;
    }
    const chosen = Object.entries(attacks).filter(([, { only }]) => only === undefined || only === tier);
    const scenes = new Map<Attack['ends'], Scene>();
    const sceneFor = (ends: Attack['ends']): Scene => scenes.get(ends)!;
    beforeAll(async () => {
      for (const [ends, deadlineMs] of [
        [undefined, 10_000],
        ['memory', 4000],
        ['time', 700],
      ] as const) {
        const mine = chosen.filter(([, attack]) => attack.ends === ends);
        scenes.set(ends, await sceneOf(tier, mine, deadlineMs));
      }
    });

    test.each(chosen)('%s gets nothing, and the honest tool goes on', async (each, { ends }) => {
      const scene = sceneFor(ends);
      const before = scene.world.audit.of('intent').length;
      const { outcome, text } = await scene.call(each);
      expect(text).not.toContain(secret);
      if (ends === undefined) expect(text).toBe('[]');
      else expect(outcome).toMatchObject({ kind: 'result', value: { isError: true } });
      expect((await sceneFor(undefined).call('honest')).text).toBe('one and 2');
      expect(scene.world.audit.of('intent')[before]).toMatchObject({
        tool: `skill-hostile/${each}`,
        confinement: 'object',
        confinedBy: tier,
      });
    });

    test('a second call of the one that poisons finds nothing of the first', async () => {
      expect((await sceneFor(undefined).call('poison')).text).toBe('[]');
      expect((await sceneFor(undefined).call('poison')).text).toBe('[]');
      expect((await sceneFor(undefined).call('honest')).text).toBe('one and 2');
    });

    test('an answer that is too large stays out', async () => {
      const big = "export default () => 'x'.repeat(5_000_000);";
      const scene = await sceneOf(tier, [['big', { source: big }]], 10_000);
      const { text } = await scene.call('big');
      expect(text).toMatch(/larger|too (?:large|long|much)|more than/u);
      expect(text.length).toBeLessThanOrEqual(1024);
    });
  });
}
