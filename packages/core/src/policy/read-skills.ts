/** Reading what the document says of skills: what each may do for an agent, and the names that they use. */
import {
  type DocMap,
  type Expect,
  type Member,
  type Position,
  type Spot,
  type ToolName,
  entryOf,
  parseToolName,
} from '../ground/index.js';
import type { Settings, SkillGrantSource } from './document.js';
import { skillGrantKeys, skillsKeys } from './keys.js';
import { readRules } from './read-rule.js';

/** Name under which the trust file is captured with the facts; no constraint can refer to it. */
export const trustFact = 'skills.trust';

const skillPattern = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/u;

/** Whether a text can be the name of a skill. */
export function isSkillName(text: string): boolean {
  return skillPattern.test(text);
}

/** `skills` of an agent. */
export function readSkillGrants(expect: Expect, spot: Spot): readonly SkillGrantSource[] {
  return expect.members(spot).flatMap((member) => readGrantOf(expect, member) ?? []);
}

function readGrantOf(expect: Expect, { key, keyAt, spot }: Member): SkillGrantSource | undefined {
  if (!isSkillName(key))
    return expect.problem(keyAt, spot.path, `skill name ${JSON.stringify(key)}`, 'letters, digits, _ . -');
  const map = expect.mapping(spot, skillGrantKeys);
  if (map === undefined) return undefined;
  const [grant, mode] = [memberOf(map, spot, 'grant'), memberOf(map, spot, 'mode')];
  if (grant === undefined) return expect.problem(map.at, spot.path, 'no grant', 'grant: a list of rules');
  return {
    name: key,
    at: keyAt,
    path: spot.path,
    grant: readRules(expect, 'grant', grant),
    mode: (mode && expect.oneOf(mode, skillGrantKeys.mode.words)) ?? 'fail_closed',
  };
}

function memberOf(map: DocMap, spot: Spot, key: string): Spot | undefined {
  const entry = entryOf(map, key);
  return entry && { node: entry.value, path: `${spot.path}.${key}` };
}

/** What `skills` of the document says, but for the trust file, which is read beside it. */
export function readSkillSettings(
  expect: Expect,
  spot: Spot | undefined,
): Pick<Settings, 'skillNames' | 'unsignedSkills'> {
  const map = spot && expect.mapping(spot, skillsKeys);
  const at = (key: keyof typeof skillsKeys): Spot | undefined => map && spot && memberOf(map, spot, key);
  const [names, unsigned] = [at('names'), at('unsigned')];
  const word = unsigned && expect.oneOf(unsigned, skillsKeys.unsigned.words);
  return {
    skillNames: Object.freeze(names === undefined ? {} : readNames(expect, names)),
    unsignedSkills: word ?? 'refuse',
  };
}

function readNames(expect: Expect, spot: Spot): Readonly<Record<string, ToolName>> {
  const named = expect
    .members(spot)
    .flatMap(({ key, spot: at }): readonly (readonly [string, ToolName])[] => {
      const text = expect.text(at, 'server/tool');
      const tool = text === undefined ? undefined : parseToolName(text);
      if (text !== undefined && tool === undefined)
        expect.problem(at.node.at, at.path, JSON.stringify(text), 'server/tool');
      return tool === undefined ? [] : [[key, tool]];
    });
  return Object.fromEntries(named);
}

/** The trust file that the document names, and where it does. */
export function readTrustFile(
  expect: Expect,
  spot: Spot | undefined,
): { readonly file: string; readonly at: Position } | undefined {
  const entry = spot?.node.kind === 'map' ? entryOf(spot.node, 'trust') : undefined;
  if (spot === undefined || entry === undefined) return undefined;
  const file = expect.text({ node: entry.value, path: `${spot.path}.trust` }, 'a file name');
  return file === undefined ? undefined : { file, at: entry.value.at };
}
