/** Names that a model reads: `server__tool`, never two alike in one session, never one that passes from tool to tool. */
import { type Handle, type ToolName, base32, sha256, splitToolName } from '../ground/index.js';

/** Longest name, in characters: 41 + `_` + 6. */
const maxLength = 48;
const suffixLength = 6;
const headLength = maxLength - suffixLength - 1;

/**
 * The readable name of a tool: `server__tool` as it is, where that is at most 48 characters; with `.` and `/` made `_`, or cut, it
 * ends in `_` and 6 characters of a hash of the whole. Names without that end never clash with each other: a server's name has no `_`.
 */
export function readableName(tool: ToolName): string {
  return plainName(tool) ?? hashedName(tool, 0);
}

/** The bare 26 characters of a handle. Has no `_`, so it never equals a readable name. */
export function opaqueName(handle: Handle): string {
  return handle.slice('/object/'.length);
}

/** The names of one session. A name belongs to its tool as long as the book lives, whether the tool is mounted or not. */
export class NameBook {
  readonly #names = new Map<ToolName, string>();
  readonly #taken = new Set<string>();

  /**
   * Names all the tools that have no name yet. Names that need no hash come first; then, in the order of the tools' own names,
   * those with one, hashed again where a name is taken. So what a fresh book answers depends on the set of tools alone.
   */
  enter(tools: Iterable<ToolName>): void {
    const fresh = [...new Set(tools)].filter((tool) => !this.#names.has(tool)).sort();
    const left = fresh.filter((tool) => !this.#take(tool, plainName(tool)));
    for (const tool of left) {
      let attempt = 0;
      while (!this.#take(tool, hashedName(tool, attempt))) attempt += 1;
    }
  }

  /** The name of a tool; undefined if it was never entered. */
  nameOf(tool: ToolName): string | undefined {
    return this.#names.get(tool);
  }

  #take(tool: ToolName, name: string | undefined): boolean {
    if (name === undefined || this.#taken.has(name)) return false;
    this.#taken.add(name);
    this.#names.set(tool, name);
    return true;
  }
}

function plainName(tool: ToolName): string | undefined {
  const name = joined(tool);
  return name.length <= maxLength && !/[./]/u.test(name) ? name : undefined;
}

/** The first attempt hashes the tool's own name; a blank, which no tool's name has, parts it from the number of a later one. */
function hashedName(tool: ToolName, attempt: number): string {
  const digest = sha256(attempt === 0 ? tool : `${tool} ${attempt}`);
  const bytes = Uint8Array.from({ length: 4 }, (_, at) =>
    Number.parseInt(digest.slice(2 * at, 2 * at + 2), 16),
  );
  const head = joined(tool).replaceAll(/[./]/gu, '_').slice(0, headLength);
  return `${head}_${base32(bytes).slice(0, suffixLength)}`;
}

function joined(name: ToolName): string {
  const { server, tool } = splitToolName(name);
  return `${server}__${tool}`;
}
