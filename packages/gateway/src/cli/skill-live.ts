/** Loading skills into a running daemon, and saying what loading would come to without one. */
import { resolve } from 'node:path';
import {
  type CompiledPolicy,
  type ExecutorId,
  type PreparedSkill,
  type Snapshot,
  executorId,
  isRefusal,
  loadSkill,
  mintId,
  parseAgentName,
  sha256,
  systemClock,
} from '@pawl/core';
import { compileRead, readPolicy, readYaml } from '../config/index.js';
import type { SkillLoadView } from '../control/index.js';
import { skillFolder } from '../power/index.js';
import { toolsOption } from './catalog-option.js';
import { type CommandInput, type ExitCode, Misuse, type Terminal, exit, need } from './command.js';
import { onStore, operate, tellProblem } from './operate.js';
import { tellBadPolicy } from './problem.js';
import { SkillModules } from './skill-modules.js';
import { skillFindings } from './skill-powers.js';
import { refusedView, skillLines, skillView } from './skill-view.js';
import { storePlace } from './store-option.js';

/** `skill load`: exit 0 loaded, 1 refused. */
export async function loadSkillFor(
  input: CommandInput,
  folder: string,
  terminal: Terminal,
): Promise<ExitCode> {
  const executor = executorIn(input);
  if (input.flag('dry-run')) return dryRun(input, { folder, executor }, terminal);
  if (input.text('tools') !== undefined) throw new Misuse('--tools belongs to load --dry-run');
  const json = input.flag('json');
  const place = storePlace(input);
  const asked = { folder: resolve(folder), executor };
  const answer = await operate(place, 'skillLoad', asked, () =>
    onStore(place, {}, (operations) => operations.skillLoad(asked)),
  );
  if (!answer.ok) return tellProblem('skill load', answer.error, json, terminal);
  return tellLoad(answer.value, json, terminal);
}

function tellLoad(view: SkillLoadView, json: boolean, terminal: Terminal): ExitCode {
  const lines = view.loaded
    ? ['loaded:', ...skillLines(view.skill)]
    : [`refused (${view.code}, ${view.reason}): ${view.message}`];
  terminal.out(json ? `${JSON.stringify(view)}\n` : `${lines.join('\n')}\n`);
  return view.loaded ? exit.ok : exit.negative;
}

/** The same sequence under a policy that is in force nowhere; nothing is published. */
async function dryRun(
  input: CommandInput,
  { folder, executor }: { readonly folder: string; readonly executor: ExecutorId },
  terminal: Terminal,
): Promise<ExitCode> {
  const json = input.flag('json');
  const tools = toolsOption(input, terminal);
  if (tools === 'bad') return exit.invalid;
  const read = readPolicy(need(input, 'policy'));
  if (!read.ok) return tellBadPolicy(read, json, terminal);
  const loaded = compileRead(read.policy, { tools, vanishedTool: 'problem' });
  if (!loaded.ok) return tellBadPolicy(loaded, json, terminal);
  const snapshot = snapshotOf(loaded.policy);
  const modules = new SkillModules({ log: (line) => terminal.err(`${line}\n`) });
  const ports = {
    current: { peek: () => snapshot },
    clock: systemClock,
    readYaml,
    prepare: (skill: PreparedSkill) => modules.prepare(skill),
    overReached: () => undefined,
    publish: () => undefined,
  };
  const answer = await loadSkill(ports, { folder: skillFolder(folder), executor });
  modules.close();
  const view = isRefusal(answer)
    ? refusedView(answer)
    : { loaded: true as const, skill: skillView(answer, { absent: [], findings: skillFindings(answer) }) };
  return tellLoad(view, json, terminal);
}

function snapshotOf(policy: CompiledPolicy): Snapshot {
  const generation = { number: 0, hash: sha256(''), store: mintId.store('none') };
  return Object.freeze({ generation, policy, epochs: new Map(), lineage: new Map() });
}

/** `skill list`. */
export async function listSkills(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const place = storePlace(input);
  const answer = await operate(place, 'skillList', {}, () =>
    onStore(place, {}, (operations) => operations.skillList()),
  );
  if (!answer.ok) return tellProblem('skill list', answer.error, json, terminal);
  const lines = answer.value.flatMap((view) => (json ? [JSON.stringify(view)] : skillLines(view)));
  terminal.out((lines.length === 0 && !json ? ['no skills'] : lines).map((line) => `${line}\n`).join(''));
  return exit.ok;
}

/** `skill unload`. */
export async function unloadSkill(input: CommandInput, name: string, terminal: Terminal): Promise<ExitCode> {
  const json = input.flag('json');
  const place = storePlace(input);
  const named = { name, executor: executorIn(input) };
  const answer = await operate(place, 'skillUnload', named, () =>
    onStore(place, {}, (operations) => operations.skillUnload(named)),
  );
  if (!answer.ok) return tellProblem('skill unload', answer.error, json, terminal);
  terminal.out(json ? `${JSON.stringify(answer.value)}\n` : `${name} is unloaded for ${named.executor}\n`);
  return exit.ok;
}

function executorIn(input: CommandInput): ExecutorId {
  const agent = parseAgentName(need(input, 'agent'));
  const instance = input.text('instance');
  if (agent === undefined) throw new Misuse('--agent is no agent name: letters, digits, "_", "." and "-"');
  if (instance !== undefined && parseAgentName(instance) === undefined)
    throw new Misuse('--instance is no instance name: letters, digits, "_", "." and "-"');
  return executorId(agent, instance);
}
