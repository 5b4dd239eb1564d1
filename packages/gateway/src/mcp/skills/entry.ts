/** A loaded skill as the wire shows it: its files as resources, its instructions as a prompt, and its entry in the Skills extension. */
import type { JsonObject, LoadedSkill, SkillFile } from '@pawl/core';

/** A file of a skill under its address. */
export interface SkillResource {
  readonly uri: string;
  /** Relative to the skill. */
  readonly name: string;
  readonly skill: LoadedSkill;
  readonly file: SkillFile;
}

/** File that every skill has. */
const entryFile = 'SKILL.md';
/** Member of `_meta` with the digest of what was hashed when the skill was loaded. */
const digestKey = 'pawl/digest';
const scheme = 'skill://';
/** The MIME type of a folder. */
const folderType = 'inode/directory';

/** Skills beyond these are not for the extension: no host has to take them (its section on limits). */
const mostFiles = 512;
const mostBytes = 16_777_216;

const known = new WeakMap<LoadedSkill['verified'], readonly SkillResource[]>();

/** Every file of a skill, in the order of names. The addresses are compared as texts, never decoded. */
export function resourcesOf(skill: LoadedSkill): readonly SkillResource[] {
  const before = known.get(skill.verified);
  if (before !== undefined) return before;
  const made = [...skill.verified.files]
    .map(([name, file]) => ({ uri: uriOf(skill, name), name, skill, file }))
    .sort((a, b) => (a.uri < b.uri ? -1 : 1));
  known.set(skill.verified, made);
  return made;
}

/** The address of a file, or of a folder; of the skill itself where `name` is empty. */
function uriOf({ manifest }: LoadedSkill, name: string): string {
  return [`${scheme}${manifest.frontmatter.name}`, ...name.split('/').filter((part) => part !== '')]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/');
}

/** A file in a list of resources. */
export function resourceView({ uri, name, skill, file }: SkillResource): JsonObject {
  const { frontmatter } = skill.manifest;
  const named =
    name === entryFile
      ? { name: frontmatter.name, description: frontmatter.description }
      : { name: name.slice(name.lastIndexOf('/') + 1) };
  return { uri, ...named, mimeType: mimeOf(name, file), size: file.bytes.length, _meta: digestMeta(file) };
}

/** What reading a file gives. */
export function contentsView({ uri, name, file }: SkillResource): JsonObject {
  const text = textOf(file.bytes);
  const body = text === undefined ? { blob: Buffer.from(file.bytes).toString('base64') } : { text };
  return { contents: [{ uri, mimeType: mimeOf(name, file), ...body, _meta: digestMeta(file) }] };
}

/** A skill in a list of prompts. */
export function promptView({ manifest: { frontmatter } }: LoadedSkill): JsonObject {
  return { name: frontmatter.name, title: frontmatter.name, description: frontmatter.description };
}

/** The instructions of a skill as a prompt. */
export function promptMessages({ manifest: { frontmatter } }: LoadedSkill): JsonObject {
  const content = { type: 'text', text: frontmatter.instructions };
  return { description: frontmatter.description, messages: [{ role: 'user', content }] };
}

/** The file whose text a prompt is. */
export function promptSource(skill: LoadedSkill): SkillResource | undefined {
  return resourcesOf(skill).find(({ name }) => name === entryFile);
}

/** A skill as the extension lists it; undefined for one that is larger than the extension allows. */
export function entryView(skill: LoadedSkill): JsonObject | undefined {
  const resources = resourcesOf(skill);
  const bytes = resources.reduce((sum, { file }) => sum + file.bytes.length, 0);
  if (resources.length > mostFiles || bytes > mostBytes) return undefined;
  return {
    uri: uriOf(skill, entryFile),
    frontmatter: skill.manifest.frontmatter.whole,
    resources: resources.map(({ uri, file }) => ({ uri, digest: digestOf(file), size: file.bytes.length })),
  };
}

/** What stands directly in a folder of a skill; undefined where there is no such folder. */
export function folderView(skill: LoadedSkill, uri: string): readonly JsonObject[] | undefined {
  const inside = resourcesOf(skill).filter((each) => each.uri.startsWith(`${uri}/`));
  if (inside.length === 0 || !(uri === uriOf(skill, '') || uri.startsWith(`${uriOf(skill, '')}/`)))
    return undefined;
  const children = new Map<string, JsonObject>();
  for (const each of inside) {
    const [child = '', ...deeper] = each.uri.slice(uri.length + 1).split('/');
    const folder = { uri: `${uri}/${child}`, name: decodeURIComponent(child), mimeType: folderType };
    children.set(child, deeper.length === 0 ? resourceView(each) : folder);
  }
  return [...children.values()];
}

function digestMeta(file: SkillFile): JsonObject {
  return { [digestKey]: digestOf(file) };
}

function digestOf({ digest }: SkillFile): string {
  return `sha256:${digest}`;
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });

/** The text of bytes that are UTF-8; it encodes to the very same bytes again. */
function textOf(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return undefined;
  try {
    return utf8.decode(bytes);
  } catch {
    return undefined;
  }
}

const types: Readonly<Record<string, string>> = {
  css: 'text/css',
  csv: 'text/csv',
  gif: 'image/gif',
  html: 'text/html',
  jpeg: 'image/jpeg',
  jpg: 'image/jpeg',
  js: 'text/javascript',
  json: 'application/json',
  md: 'text/markdown',
  mjs: 'text/javascript',
  pdf: 'application/pdf',
  png: 'image/png',
  py: 'text/x-python',
  sh: 'application/x-sh',
  svg: 'image/svg+xml',
  xml: 'application/xml',
  yaml: 'application/yaml',
  yml: 'application/yaml',
};

function mimeOf(name: string, { bytes }: SkillFile): string {
  const extension = /\.(?<extension>[A-Za-z0-9]+)$/u.exec(name)?.groups?.['extension']?.toLowerCase() ?? '';
  if (Object.hasOwn(types, extension)) return types[extension] ?? '';
  return textOf(bytes) === undefined ? 'application/octet-stream' : 'text/plain';
}
