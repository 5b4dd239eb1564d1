/** `pawl skill sign|verify|inspect|load|list|unload`: skills are signed, verified, and loaded for an agent. */
import { type Command, type CommandInput, type ExitCode, Misuse, type Terminal } from './command.js';
import { inspectSkill, signSkill, verifySkillFolder } from './skill-offline.js';
import { listSkills, loadSkillFor, unloadSkill } from './skill-live.js';
import { storeOptions } from './store-option.js';

/** The command. */
export const skillCommand: Command = {
  name: 'skill',
  summary: 'Signs and verifies skills, and loads them for agents.',
  usage: `skill sign FOLDER --key FILE [--json]
         pawl skill verify FOLDER --trust FILE | --policy P [--json]
         pawl skill inspect FOLDER [--json]
         pawl skill load FOLDER --agent A [--instance I] [--dry-run [--tools DIR]] [--json]
         pawl skill list [--json]
         pawl skill unload NAME --agent A [--instance I] [--json]
         (load, list and unload with --store DIR or --policy P)`,
  example: `pawl skill sign examples/skills/good --key signing.pem
         pawl skill verify examples/skills/good --policy examples/skills/pawl.yaml
         pawl skill inspect examples/skills/over-reaching
         pawl skill load examples/skills/good --agent writer --policy examples/skills/pawl.yaml --dry-run --tools examples/skills/tools
         pawl skill list --policy examples/skills/pawl.yaml
         pawl skill unload report-writer --agent writer --policy examples/skills/pawl.yaml`,
  options: {
    key: { type: 'string', help: 'sign: the private key, as keys issue --signing writes it' },
    trust: { type: 'string', help: 'verify: the trust file; else the one that the policy names' },
    agent: { type: 'string', help: 'load, unload: the agent' },
    instance: { type: 'string', help: 'load, unload: the instance of the agent' },
    'dry-run': {
      type: 'boolean',
      help: 'load: says what loading would come to under --policy; no daemon is asked',
    },
    tools: { type: 'string', help: 'load --dry-run: folder with one <server>.json a server' },
    ...storeOptions,
    json: { type: 'boolean', help: 'one JSON object; for list one a line' },
  },
  run: skill,
};

const acts: Readonly<
  Record<string, (input: CommandInput, word: string, terminal: Terminal) => Promise<ExitCode>>
> = {
  sign: signSkill,
  verify: verifySkillFolder,
  inspect: inspectSkill,
  load: loadSkillFor,
  unload: unloadSkill,
};

async function skill(input: CommandInput, terminal: Terminal): Promise<ExitCode> {
  const [act, word, extra] = input.words;
  if (act === 'list' && word === undefined) return listSkills(input, terminal);
  const run = act !== undefined && Object.hasOwn(acts, act) ? acts[act] : undefined;
  if (run === undefined) throw new Misuse('say what to do: sign, verify, inspect, load, list or unload');
  if (word === undefined) throw new Misuse(act === 'unload' ? 'NAME is missing' : 'FOLDER is missing');
  if (extra !== undefined) throw new Misuse(`there is a word too much after ${word}`);
  return run(input, word, terminal);
}
