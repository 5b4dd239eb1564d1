/** What a skill asks for: `pawl-skill.json`, signed like every other file, with capabilities in the words of the policy. */
import { compileSchema, parseJsonBytes } from '../connector/index.js';
import {
  type DocMap,
  type Json,
  type JsonObject,
  type KeyTable,
  type Member,
  type ServerName,
  type Spot,
  Expect,
  entryOf,
  isJsonObject,
  mountableTool,
  nodeOf,
  parseServerName,
  plainOf,
} from '../ground/index.js';
import type { SkillFile } from './folder.js';
import { type Frontmatter, type ReadYaml, readFrontmatter, skillFile } from './frontmatter.js';
import { type SkillRefusal, isRefusal, skillRefusal } from './refusal.js';

/** Name of the file in which a skill asks for capabilities. A skill without it has no tools of its own. */
const manifestFile = 'pawl-skill.json';

/** What stands before the name of a skill where its tools go by `server/tool`. */
export const serverPrefix = 'skill-';

/** Most capabilities and most tools of one skill: each capability is proved while calls wait. */
const most = { capabilities: 64, tools: 256 } as const;

/** Something that a skill asks for. */
export interface Capability {
  readonly name: string;
  /** A rule as in `allow`, whose tools may also go by names that `skills.names` resolves. */
  readonly rule: JsonObject;
}

/** A tool of a skill. */
export interface SkillTool {
  readonly name: string;
  readonly description: string;
  /** A JSON schema that can be used, of type object. */
  readonly inputSchema: JsonObject;
  /** Names of capabilities: every one of them has to be granted. */
  readonly needs: readonly string[];
  /** The file of the skill that answers calls. */
  readonly run: string;
  /** What that file is: a JavaScript module that exports a function. Absent: a program. */
  readonly as?: 'module';
}

/** A skill as it describes itself. */
export interface SkillManifest {
  readonly frontmatter: Frontmatter;
  readonly capabilities: readonly Capability[];
  readonly tools: readonly SkillTool[];
}

/** The keys of `pawl-skill.json`. */
const manifestKeys = {
  'pawl-skill': { help: 'The version of this format: `1`. Required.' },
  capabilities: {
    help: 'What the skill asks for, by name: a rule with `tools`, and perhaps `verbs` and `where`.',
  },
  tools: { help: 'The tools of the skill, by name.' },
} as const;

/** The keys of one tool. */
const skillToolKeys = {
  description: { help: 'What the tool does, for the model. Required.' },
  inputSchema: { help: 'JSON schema of the arguments. Default: no arguments.' },
  needs: { help: 'Names of the capabilities that it needs; `[]` for none. Required.' },
  run: { help: 'The file of the skill that answers calls: a program. Either this or `module`.' },
  module: { help: 'The file of the skill that answers calls: a JavaScript module. Either this or `run`.' },
} as const;

const capabilityKeys: KeyTable = {
  tools: { help: 'Tools.' },
  verbs: { help: 'Verbs.' },
  where: { help: 'Fields.' },
};

/** Reads both files of a skill. Never throws. */
export function readManifest(
  files: ReadonlyMap<string, SkillFile>,
  readYaml: ReadYaml,
): SkillManifest | SkillRefusal {
  const frontmatter = readFrontmatter(files.get(skillFile)?.bytes, readYaml);
  if (isRefusal(frontmatter)) return frontmatter;
  const file = files.get(manifestFile);
  if (file === undefined) return { frontmatter, capabilities: [], tools: [] };
  const parsed = parseJsonBytes(file.bytes);
  if (!parsed.ok) return refused(`found ${parsed.found}`);
  const expect = new Expect();
  const asked = readAsked(expect, { node: nodeOf(parsed.value, { line: 1, column: 1 }), path: '' }, files);
  const [problem] = expect.problems;
  if (problem !== undefined) return refused(problem.message);
  return unmountable(frontmatter.name, asked.tools) ?? { frontmatter, ...asked };
}

function refused(what: string): SkillRefusal {
  const told = what.replace(/\.$/u, '');
  return skillRefusal('bad_manifest', `${manifestFile}: ${told}. Mend it and sign again.`, manifestFile);
}

/** The server part of the names of a skill's tools: `skill-report-writer`; undefined for a name that cannot be part of one. */
export function skillServer(skill: string): ServerName | undefined {
  return parseServerName(`${serverPrefix}${skill}`);
}

function unmountable(name: string, tools: readonly SkillTool[]): SkillRefusal | undefined {
  if (tools.length === 0 || skillServer(name) !== undefined) return undefined;
  const message = `${skillFile}: the name ${name} cannot stand before the names of tools. Use small letters, digits and "-" only, and sign again.`;
  return skillRefusal('bad_frontmatter', message, skillFile);
}

function readAsked(
  expect: Expect,
  root: Spot,
  files: ReadonlyMap<string, SkillFile>,
): Pick<SkillManifest, 'capabilities' | 'tools'> {
  const map = expect.mapping(root, manifestKeys);
  if (map === undefined) return { capabilities: [], tools: [] };
  const version = entryOf(map, 'pawl-skill')?.value;
  if (version?.kind !== 'scalar' || version.value !== 1)
    expect.problem(map.at, 'pawl-skill', 'no version that is read', '"pawl-skill": 1');
  const members = (key: keyof typeof most): readonly Member[] => {
    const entry = entryOf(map, key);
    const found = entry === undefined ? [] : expect.members({ node: entry.value, path: key });
    if (entry === undefined || found.length <= most[key]) return found;
    expect.problem(entry.value.at, key, `${found.length} members`, `at most ${most[key]}`);
    return [];
  };
  const capabilities = members('capabilities').flatMap((member) => readCapability(expect, member) ?? []);
  const names = members('capabilities').map(({ key }) => key);
  const tools = members('tools').flatMap((member) => readTool(expect, member, { names, files }) ?? []);
  return { capabilities, tools };
}

function readCapability(expect: Expect, { key, keyAt, spot }: Member): Capability | undefined {
  if (!/^[A-Za-z0-9][\w.-]{0,63}$/u.test(key))
    return expect.problem(keyAt, spot.path, `the name ${JSON.stringify(key)}`, 'letters, digits, _ . -');
  const map = expect.mapping(spot, capabilityKeys);
  const tools = map && entryOf(map, 'tools');
  if (map !== undefined && tools === undefined)
    return expect.problem(keyAt, spot.path, 'no tools', 'tools: a list of server/tool');
  const rule = map && plainOf(map);
  return rule !== undefined && isJsonObject(rule) ? { name: key, rule } : undefined;
}

interface Around {
  readonly names: readonly string[];
  readonly files: ReadonlyMap<string, SkillFile>;
}

function readTool(expect: Expect, { key, keyAt, spot }: Member, around: Around): SkillTool | undefined {
  if (!mountableTool(key) || key.includes('/') || key.length > 64)
    return expect.problem(keyAt, spot.path, `the name ${JSON.stringify(key)}`, 'letters, digits, _ - .');
  const map = expect.mapping(spot, skillToolKeys);
  if (map === undefined) return undefined;
  const description = required(expect, spot, map, 'description');
  const needs = required(expect, spot, map, 'needs');
  const text = description && expect.text(description, 'a text');
  const names = needs && readNeeds(expect, needs, around);
  const answers = readAnswers(expect, spot, map, around);
  const inputSchema = readSchema(expect, spot, map);
  if (text === undefined || names === undefined || answers === undefined || inputSchema === undefined)
    return undefined;
  return Object.freeze({ name: key, description: text, inputSchema, needs: names, ...answers });
}

function required(
  expect: Expect,
  spot: Spot,
  map: DocMap,
  key: keyof typeof skillToolKeys,
): Spot | undefined {
  const entry = entryOf(map, key);
  if (entry === undefined) return expect.problem(map.at, spot.path, `no ${key}`, skillToolKeys[key].help);
  return { node: entry.value, path: `${spot.path}.${key}` };
}

function readNeeds(expect: Expect, spot: Spot, { names }: Around): readonly string[] | undefined {
  const needs = expect.texts(spot, 'names of capabilities');
  const foreign = needs?.find((name) => !names.includes(name));
  if (foreign === undefined) return needs && [...new Set(needs)];
  return expect.problem(
    spot.node.at,
    spot.path,
    JSON.stringify(foreign),
    names.join(', ') || 'an empty list',
  );
}

function readAnswers(
  expect: Expect,
  ...[spot, map, { files }]: readonly [Spot, DocMap, Around]
): Pick<SkillTool, 'run' | 'as'> | undefined {
  const [run, module] = [entryOf(map, 'run'), entryOf(map, 'module')];
  if (run !== undefined && module !== undefined)
    return expect.problem(module.value.at, `${spot.path}.module`, 'a module beside run', 'one of the two');
  const entry = run ?? module;
  if (entry === undefined)
    return expect.problem(map.at, spot.path, 'neither run nor module', skillToolKeys.run.help);
  const path = `${spot.path}.${run === undefined ? 'module' : 'run'}`;
  const file = expect.text({ node: entry.value, path }, 'a file of the skill');
  if (file === undefined) return undefined;
  const isMeant = files.has(file) && (run !== undefined || /\.m?js$/u.test(file));
  const allowed = run === undefined ? 'a .js or .mjs file of the skill' : 'a file of the skill';
  if (!isMeant) return expect.problem(entry.value.at, path, JSON.stringify(file), allowed);
  return run === undefined ? { run: file, as: 'module' } : { run: file };
}

const noArguments: JsonObject = { type: 'object', properties: {}, additionalProperties: false };

function readSchema(expect: Expect, spot: Spot, map: DocMap): JsonObject | undefined {
  const entry = entryOf(map, 'inputSchema');
  if (entry === undefined) return noArguments;
  const plain: Json = plainOf(entry.value);
  const path = `${spot.path}.inputSchema`;
  const compiled = compileSchema(plain);
  if ('problem' in compiled) return expect.problem(entry.value.at, path, compiled.problem, 'a JSON schema');
  // Arguments are an object whatever a schema leaves out, and clients refuse a list with a tool that does not say so.
  return isJsonObject(plain)
    ? { ...plain, type: 'object' }
    : expect.problem(entry.value.at, path, 'no object', 'a JSON schema');
}
