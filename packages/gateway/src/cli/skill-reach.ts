/** What a tool of a skill may reach, as its capabilities say it: files and urls, judged as calls of the tools that were granted. */
import {
  type Chargeable,
  type ExecutorPolicy,
  type JsonObject,
  type PreparedSkill,
  type SkillTool,
  type ToolName,
  admit,
  escapeGlob,
  isJsonArray,
  own,
  parseToolName,
  permitsWholly,
  toolName,
} from '@pawl/core';
import type { FileJudge, FileUse, UrlJudge } from '../power/index.js';
import { type Place, isHere, mayWrite, merged, placesIn, textsIn } from './skill-places.js';

/** What a tool of a skill may reach. Everything is judged by what the executor may do for the skill, in one frozen snapshot. Pure. */
export interface SkillReach extends FileJudge, UrlJudge {
  /** Where its files may be, as its capabilities name that. None: it has no files. */
  readonly places: readonly Place[];
  /** Host patterns that its capabilities name. None: it has no network. */
  readonly hosts: readonly string[];
  /** Whether a use is permitted on everything below a folder, outright. */
  wholly(use: FileUse, folder: string): boolean;
  /** Whether files may be moved about below a folder, outright. */
  whollyMoves(folder: string): boolean;
  /** What was granted and gives its program nothing, in words for people. */
  readonly findings: readonly string[];
}

/** Calls of connector `filesystem` that stand for a use of a path. `search` reads all below, `replace` edits what is there. */
const fileCalls: Readonly<Record<FileUse, readonly (readonly [tool: string, argument: string])[]>> = {
  read: [
    ['read_text_file', 'path'],
    ['read_file', 'path'],
    ['read_media_file', 'path'],
    ['read_multiple_files', 'paths'],
  ],
  list: [
    ['list_directory', 'path'],
    ['list_directory_with_sizes', 'path'],
    ['get_file_info', 'path'],
  ],
  search: [
    ['directory_tree', 'path'],
    ['search_files', 'path'],
  ],
  write: [['write_file', 'path']],
  replace: [['edit_file', 'path']],
  mkdir: [['create_directory', 'path']],
};

/** Other arguments that these calls need; they carry no authority. */
const payload: Readonly<Record<string, JsonObject>> = {
  write_file: { content: '' },
  edit_file: { edits: [] },
  search_files: { pattern: '*' },
};

/** The reach of one tool of a skill that is about to be loaded, or is. */
export function skillReach(skill: PreparedSkill, tool: SkillTool): SkillReach {
  return new Reach(skill, tool);
}

class Reach implements SkillReach {
  readonly places: readonly Place[];
  readonly hosts: readonly string[];
  readonly findings: readonly string[];
  readonly #acting: ExecutorPolicy;
  /** Tools by the connector whose words they speak; only of servers on this machine, as paths are of this machine. */
  readonly #tools: { readonly files: readonly ToolName[]; readonly urls: readonly ToolName[] };

  constructor(skill: PreparedSkill, tool: SkillTool) {
    const { intersection, manifest, snapshot } = skill;
    const granted = new Set(intersection.granted);
    const needed = manifest.capabilities.filter(({ name }) => tool.needs.includes(name) && granted.has(name));
    this.#acting = intersection.actingFor(tool);
    this.#tools = toolsOf(snapshot.policy.servers, this.#acting);
    const words = needed.map(({ name, rule }) => ({
      name,
      rule,
      texts: textsIn(own(rule, 'where') ?? null),
    }));
    const roots = this.#tools.files.map((each) => this.#acting.forTool(each)?.frame.paths.root);
    this.places =
      this.#tools.files.length === 0
        ? []
        : merged(words.flatMap(({ rule, texts }) => placesIn(texts, roots, mayWrite(rule))));
    this.hosts = this.#hostsIn(words.flatMap(({ texts }) => texts));
    const means = new Set([...this.#tools.files, ...this.#tools.urls]);
    this.findings = words.flatMap(({ name, rule }) => {
      const other = toolsIn(rule).filter((each) => !means.has(each));
      return other.length === 0 ? [] : [`${name}: nothing of ${other.join(', ')} can be given to a program`];
    });
  }

  permits(use: FileUse, path: string): boolean {
    return this.#onFiles(fileCalls[use], (tool, name, argument) =>
      this.#admits(tool, { ...payload[name], [argument]: argument === 'paths' ? [path] : path }),
    );
  }

  permitsMove(from: string, to: string): boolean {
    return this.#onFiles([['move_file', '']], (tool) =>
      this.#admits(tool, { source: from, destination: to }),
    );
  }

  wholly(use: FileUse, folder: string): boolean {
    return this.#onFiles(fileCalls[use], (tool) => permitsWholly(this.#acting, tool, below(folder)));
  }

  whollyMoves(folder: string): boolean {
    return this.#onFiles([['move_file', '']], (tool) => permitsWholly(this.#acting, tool, below(folder)));
  }

  permitsUrl(url: string): boolean {
    return this.#tools.urls.some((tool) => this.#admits(tool, { url }));
  }

  permitsOrigin(origin: string): boolean {
    return this.#tools.urls.some((tool) => permitsWholly(this.#acting, tool, { url: [origin] }));
  }

  /**
   * A name as it stands: it grants no address but public ones. What may be or hold an address counts where all that its text says is
   * permitted: else a skill could list inner addresses in what it says it does not want, and reach them by a name of its own.
   */
  #hostsIn(texts: readonly string[]): readonly string[] {
    const { urls } = this.#tools;
    const any = (where?: JsonObject): boolean =>
      urls.some((tool) => permitsWholly(this.#acting, tool, where));
    if (urls.length === 0) return [];
    const named = texts.flatMap((text) => {
      const host = hostIn(text);
      if (host === undefined) return [];
      return isName(host) || any(host === text ? { host: [text] } : { url: [text] }) ? [host] : [];
    });
    return [...new Set(any() ? [...named, '**', 'public'] : named)];
  }

  #onFiles(
    calls: readonly (readonly [tool: string, argument: string])[],
    ask: (tool: ToolName, name: string, argument: string) => boolean,
  ): boolean {
    return this.#tools.files.some((tool) =>
      calls.some(([name, argument]) => tool.endsWith(`/${name}`) && ask(tool, name, argument)),
    );
  }

  /** Permitted outright, and not counted: what a program does is not seen by limits. */
  #admits(tool: ToolName, args: JsonObject): boolean {
    const answer = admit({ executor: this.#acting, tool, shown: tool, args, disclosure: 'names' });
    if (answer.kind !== 'admitted' || answer.level !== 'permit') return false;
    return answer.charges?.every(isUncounted) ?? true;
  }
}

/** Whether rules without budgets hold the call, and no limit counts it. */
function isUncounted({ cap, footings, limits }: Chargeable): boolean {
  const held = footings.every((footing) => {
    const free = footing.rules.filter(({ level, uses }) => level === 'permit' && uses === undefined);
    return footing.cap === 'permit' && footing.heldBy(free);
  });
  return cap === 'permit' && limits.length === 0 && held;
}

function below(folder: string): JsonObject {
  return { path: `${escapeGlob(folder)}/**` };
}

/** Tools of the two connectors whose accesses are those of a program: files, and urls that are connected to. */
function toolsOf(
  servers: PreparedSkill['snapshot']['policy']['servers'],
  acting: ExecutorPolicy,
): { readonly files: readonly ToolName[]; readonly urls: readonly ToolName[] } {
  const speaking = (connector: string): readonly ToolName[] =>
    [...servers.values()].flatMap((server) => {
      if (server.connector?.name !== connector || !isHere(server)) return [];
      const names = Object.keys(server.connector.tools).map((name) => toolName(server.name, name));
      return names.filter((name) => acting.forTool(name)?.reachable === true);
    });
  return { files: speaking('filesystem'), urls: speaking('fetch') };
}

function toolsIn(rule: JsonObject): readonly ToolName[] {
  const tools = own(rule, 'tools');
  return (isJsonArray(tools) ? tools : []).flatMap((tool) =>
    typeof tool === 'string' && !tool.includes('*') ? (parseToolName(tool) ?? []) : [],
  );
}

/** The host of a url pattern, or the text itself, which may be a host pattern. */
function hostIn(text: string): string | undefined {
  const url = /^[a-z][a-z0-9+.-]*:\/\/(?<host>\[[^\]]*\]|[^/:?#]*)/iu.exec(text)?.groups?.['host'];
  return url === undefined ? text : url.replaceAll(/^\[|\]$/gu, '');
}

/** Names of several labels whose last one begins with a letter: no spelling of an address, and no set of them. */
function isName(host: string): boolean {
  return /^(?:\*{1,2}\.)?(?:[a-z0-9_-]+\.)+[a-z][a-z0-9-]*$/iu.test(host);
}
