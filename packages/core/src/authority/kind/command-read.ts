/** A command line as simple commands, each with its one text (POLICY section 4, command). */
import type { PathContext } from './context.js';
import { type Folders, foldersAfter, pathsFrom } from './command-folders.js';
import { parseCommands } from './command-parser.js';
import { CommandFault, type CommandNode, type SimpleNode, type Word } from './command-syntax.js';
import { type CommandParts, commandText, reserved, unresolvedMark } from './command-text.js';
import { shellText, unwrapped, wrapperNames } from './command-wrapper.js';

/** One simple command: an access of verb `execute`. */
export interface SimpleCommand {
  /** Its one text, by which constraints judge it. */
  readonly text: string;
  /** The program, then its words. */
  readonly words: readonly Word[];
  /** Those of groups and shells around it are its own too. A path that could not be resolved begins with `?`. */
  readonly redirects: CommandParts['redirects'];
  /** Where it may run. */
  readonly folders: Folders;
}

/** The simple commands of a line, at least one; or why it is not understood. */
export type ReadCommands =
  | { readonly ok: true; readonly commands: readonly SimpleCommand[] }
  | { readonly ok: false; readonly why: string };

/** Longest command line, in code units. */
const longest = 262_144;
/** Most simple commands of one line. */
const mostCommands = 512;
/** Most code units of all their texts together. */
const mostText = 1_048_576;
/** Deepest that shells may be given shells to run. */
const deepest = 8;

/** Builtins that run, define or replace what the reader does not see. */
const refused: ReadonlySet<string> = new Set([
  '.',
  'alias',
  'autoload',
  'bind',
  'builtin',
  'complete',
  'enable',
  'eval',
  'fc',
  'hash',
  'source',
  'trap',
  'unalias',
]);

/** Programs that no simple command has. */
export const refusedPrograms: readonly string[] = [...refused, ...wrapperNames];

/**
 * Reads a command line, in linear time. `base`: the folder in which it runs, canonical; default: the root. Substitutions,
 * expansions, functions, background jobs and whatever else the closed subset does not hold are refused; nothing throws.
 */
export function readCommands(text: string, ctx: PathContext, base?: string): ReadCommands {
  if (ctx.platform === 'win32') return no('commands of win32 are not understood');
  if (text.length > longest) return no('it is too long');
  const walk: Walk = { ctx, found: [], length: 0 };
  const bad = walkText(walk, text, { assignments: [], redirects: [], depth: 0 }, [base ?? ctx.root]);
  return bad === undefined ? { ok: true, commands: walk.found } : no(bad.why);
}

function no(why: string): ReadCommands {
  return { ok: false, why };
}

interface Walk {
  readonly ctx: PathContext;
  readonly found: SimpleCommand[];
  length: number;
}

/** What stands around a command and holds for it too. */
interface Around {
  readonly assignments: readonly string[];
  readonly redirects: CommandParts['redirects'];
  readonly depth: number;
}

function walkText(walk: Walk, text: string, around: Around, folders: Folders): CommandFault | undefined {
  const nodes = parseCommands(text);
  return nodes instanceof CommandFault ? nodes : walkNodes(walk, nodes, around, folders);
}

function walkNodes(
  walk: Walk,
  nodes: readonly CommandNode[],
  around: Around,
  folders: Folders,
): CommandFault | undefined {
  let here = folders;
  for (const node of nodes) {
    const within = { ...around, redirects: redirected(walk, around, node, here) };
    const after =
      node.kind === 'group'
        ? walkNodes(walk, node.nodes, within, here)
        : walkSimple(walk, node, within, here);
    if (after instanceof CommandFault) return after;
    if (after !== undefined) here = after;
  }
  return undefined;
}

function redirected(
  { ctx }: Walk,
  around: Around,
  { redirects }: CommandNode,
  folders: Folders,
): Around['redirects'] {
  const paths = redirects.flatMap(({ verbs, target }) => {
    const known = pathsFrom(target.text, target.tilde, folders, ctx) ?? [unresolvedMark + target.text];
    return verbs.flatMap((verb) => known.map((path) => ({ verb, path })));
  });
  return [...around.redirects, ...paths];
}

/** The folders in which what follows may run, or a fault. */
function walkSimple(
  walk: Walk,
  { words }: SimpleNode,
  around: Around,
  folders: Folders,
): Folders | CommandFault | undefined {
  const first = words.findIndex((word) => word.name < 0);
  if (first < 0) return new CommandFault('an assignment stands alone');
  const assignments = [...around.assignments, ...words.slice(0, first).map((word) => word.text)];
  const inner = unwrapped(words.slice(first));
  if (inner instanceof CommandFault) return inner;
  const text = shellText(inner);
  if (text !== undefined) {
    if (around.depth === deepest) return new CommandFault('shells are nested too deeply');
    return walkText(walk, text, { ...around, assignments, depth: around.depth + 1 }, folders);
  }
  return (
    badProgram(inner) ??
    note(walk, inner, { ...around, assignments }, folders) ??
    foldersAfter(inner, folders, walk.ctx)
  );
}

const bashAssignment = /^[A-Za-z_][A-Za-z0-9_]*(?:\[.*\])?\+?=/su;

function badProgram([program]: readonly Word[]): CommandFault | undefined {
  if (program === undefined || program.text === '') return new CommandFault('a command has no program');
  if (program.glob >= 0) return new CommandFault('the program is a pattern');
  if (refused.has(program.text) || (reserved.has(program.text) && program.plain)) {
    return new CommandFault(`${program.text} is not understood`);
  }
  const assigns = program.plain && bashAssignment.test(program.text);
  return assigns ? new CommandFault('it holds an assignment that is not plain') : undefined;
}

function note(
  walk: Walk,
  words: readonly Word[],
  around: Around,
  folders: Folders,
): CommandFault | undefined {
  const { assignments, redirects } = around;
  const text = commandText({ assignments, redirects, words: words.map((word) => word.text) });
  walk.length += text.length;
  if (walk.found.length === mostCommands || walk.length > mostText) return new CommandFault('it is too long');
  walk.found.push({ text, words, redirects, folders });
  return undefined;
}
