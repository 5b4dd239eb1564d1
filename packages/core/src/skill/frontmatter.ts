/** SKILL.md: the frontmatter of the agent skills format. */
import { type DocMap, type DocNode, type Json, entryOf, plainOf } from '../ground/index.js';
import { isSkillName } from '../policy/index.js';
import { type AllowedTool, splitAllowedTools } from './allowed-tools.js';
import { type SkillRefusal, skillRefusal } from './refusal.js';

/** File that every skill has. */
export const skillFile = 'SKILL.md';

/** Reads YAML into a tree, or says what is wrong with it. */
export type ReadYaml = (text: string, file: string) => DocNode | { readonly problem: string };

/** What the frontmatter says. */
export interface Frontmatter {
  readonly name: string;
  readonly description: string;
  readonly license: string | undefined;
  readonly compatibility: string | undefined;
  readonly metadata: Json | undefined;
  /** Undefined where nothing is said: then the skill has no ceiling of this kind. */
  readonly allowedTools: readonly AllowedTool[] | undefined;
  /** Keys that the format does not have; they mean nothing here. */
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

class Wrong extends Error {}

/** Reads the frontmatter of SKILL.md. Never throws. */
export function readFrontmatter(
  bytes: Uint8Array | undefined,
  readYaml: ReadYaml,
): Frontmatter | SkillRefusal {
  try {
    return frontmatterOf(rootOf(bytes, readYaml));
  } catch (error) {
    if (!(error instanceof Wrong)) throw error;
    return skillRefusal(
      'bad_frontmatter',
      `${skillFile}: ${error.message}. Mend it and sign again.`,
      skillFile,
    );
  }
}

function rootOf(bytes: Uint8Array | undefined, readYaml: ReadYaml): DocMap {
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
  const node = readYaml(yaml, skillFile);
  if ('problem' in node) throw new Wrong(node.problem);
  if (node.kind !== 'map') throw new Wrong('its frontmatter is no mapping');
  return node;
}

function frontmatterOf(map: DocMap): Frontmatter {
  const name = textOf(map, 'name') ?? missing('name');
  if (!isSkillName(name)) throw new Wrong(`the name ${JSON.stringify(name)} is no name of a skill`);
  const metadata = entryOf(map, 'metadata');
  return Object.freeze({
    name,
    description: textOf(map, 'description') ?? missing('description'),
    license: textOf(map, 'license'),
    compatibility: textOf(map, 'compatibility'),
    metadata: metadata && plainOf(metadata.value),
    allowedTools: allowedOf(map),
    unknown: map.entries.map(({ key }) => key).filter((key) => !known.has(key)),
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

/** A text, or a list of texts. */
function allowedOf(map: DocMap): readonly AllowedTool[] | undefined {
  const node = entryOf(map, 'allowed-tools')?.value;
  if (node === undefined) return undefined;
  if (node.kind === 'scalar' && node.value === null) return [];
  const nodes = node.kind === 'list' ? node.items : [node];
  return nodes.flatMap((each) => {
    const text = each.kind === 'scalar' && typeof each.value === 'string' ? each.value : undefined;
    const items = text === undefined ? undefined : splitAllowedTools(text);
    if (items === undefined) throw new Wrong('allowed-tools is no list of tools');
    return items;
  });
}
