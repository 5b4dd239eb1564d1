/** SKILL.md: the frontmatter of the agent skills format. */
import {
  type DocMap,
  type DocNode,
  type Json,
  type JsonObject,
  entryOf,
  isJsonObject,
  plainOf,
} from '../ground/index.js';
import { isSkillName } from '../policy/index.js';
import { type AllowedTool, splitAllowedTools } from './allowed-tools.js';
import { type SkillRefusal, skillRefusal } from './refusal.js';

/** File that every skill has. */
export const skillFile = 'SKILL.md';

/** Reads YAML into a tree, or says what is wrong with it. */
export type ReadYaml = (text: string, file: string) => DocNode | { readonly problem: string };

/** What SKILL.md says. */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  /** All of the frontmatter, as it was written. */
  readonly whole: JsonObject;
  /** The text after the frontmatter. */
  readonly instructions: string;
  readonly license: string | undefined;
  readonly compatibility: string | undefined;
  readonly metadata: Json | undefined;
  /** Undefined where nothing is said: then the skill has no ceiling of this kind. */
  readonly allowedTools: readonly AllowedTool[] | undefined;
  /** Keys that the format does not have, or with what the format does not have there; they mean nothing here. */
  readonly unknown: readonly string[];
}

const known: ReadonlySet<string> = new Set([
  'name',
  'description',
  'license',
  'compatibility',
  'metadata',
  'allowed-tools',
]);

/** Longest frontmatter in characters. It is read while calls wait. */
const longest = 65_536;

/** Most items of `allowed-tools`: each is a rule that every capability is held against. */
const mostItems = 256;

class Wrong extends Error {}

/** Reads the frontmatter of SKILL.md. Never throws. */
export function readFrontmatter(
  bytes: Uint8Array | undefined,
  readYaml: ReadYaml,
): Frontmatter | SkillRefusal {
  try {
    return frontmatterOf(partsOf(bytes, readYaml));
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return skillRefusal(
      'bad_frontmatter',
      `${skillFile}: ${error.message}. Mend it and sign again.`,
      skillFile,
    );
  }
}

interface Parts {
  readonly map: DocMap;
  readonly instructions: string;
}

function partsOf(bytes: Uint8Array | undefined, readYaml: ReadYaml): Parts {
  if (bytes === undefined) throw new Wrong('it is not there');
  let text: string;
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw new Wrong('it is no UTF-8');
  }
  const found = /^---[ \t]*\r?\n(?<yaml>[\s\S]*?)(?:^|\r?\n)---[ \t]*(?:\r?\n|$)/u.exec(text);
  const yaml = found?.groups?.['yaml'];
  if (yaml === undefined) throw new Wrong('it does not begin with frontmatter between two lines ---');
  if (yaml.length > longest) throw new Wrong(`its frontmatter is longer than ${longest} characters`);
  const node = readYaml(yaml, skillFile);
  if ('problem' in node) throw new Wrong(node.problem);
  if (node.kind !== 'map') throw new Wrong('its frontmatter is no mapping');
  return { map: node, instructions: text.slice(found?.[0].length ?? 0).replace(/^(?:[ \t]*\r?\n)+/u, '') };
}

function frontmatterOf({ map, instructions }: Parts): Frontmatter {
  const whole = plainOf(map);
  const name = textOf(map, 'name') ?? missing('name');
  if (!isSkillName(name)) throw new Wrong(`the name ${JSON.stringify(name)} is no name of a skill`);
  const metadata = entryOf(map, 'metadata');
  return Object.freeze({
    name,
    description: textOf(map, 'description') ?? missing('description'),
    whole: isJsonObject(whole) ? whole : {},
    instructions,
    license: mayBeText(map, 'license'),
    compatibility: mayBeText(map, 'compatibility'),
    metadata: metadata && plainOf(metadata.value),
    allowedTools: allowedOf(map),
    unknown: map.entries.map(({ key }) => key).filter((key) => !known.has(key) || isOdd(map, key)),
  });
}

function missing(key: string): never {
  throw new Wrong(`it has no ${key}`);
}

function textOf(map: DocMap, key: string): string | undefined {
  const node = entryOf(map, key)?.value;
  if (node === undefined) return undefined;
  if (node.kind === 'scalar' && typeof node.value === 'string' && node.value !== '') return node.value;
  throw new Wrong(`${key} is no text`);
}

/** What carries no authority and is no text is no reason to refuse: it means nothing. */
function mayBeText(map: DocMap, key: string): string | undefined {
  const node = entryOf(map, key)?.value;
  return node?.kind === 'scalar' && node.value !== null && node.value !== '' ? String(node.value) : undefined;
}

/** Whether one of the keys that may hold a text holds a list or a mapping. */
function isOdd(map: DocMap, key: string): boolean {
  return (key === 'license' || key === 'compatibility') && entryOf(map, key)?.value.kind !== 'scalar';
}

/** A text, or a list of texts. What is neither stays in the list as what it is: it has a name that nothing resolves, and grants nothing. */
function allowedOf(map: DocMap): readonly AllowedTool[] | undefined {
  const node = entryOf(map, 'allowed-tools')?.value;
  if (node === undefined) return undefined;
  if (node.kind === 'scalar' && node.value === null) return [];
  const nodes = node.kind === 'list' ? node.items : [node];
  const items = nodes.flatMap((each) => {
    if (each.kind === 'scalar' && typeof each.value === 'string') return splitAllowedTools(each.value);
    const text = JSON.stringify(plainOf(each));
    return [{ text, name: text, limit: undefined }];
  });
  const once = [...new Map(items.map((item) => [item.text, item])).values()];
  if (once.length > mostItems) throw new Wrong(`allowed-tools has more than ${mostItems} items`);
  return once;
}
