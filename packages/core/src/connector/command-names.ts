/** What a command line names, for whoever runs it: programs that are paths, and the paths among words and redirections. */
import { type PathContext, Region, pathsFrom, splitText } from '../authority/index.js';
import { besidesOf } from './command-access.js';

/** Canonical absolute paths; undefined: one that cannot be known. */
export interface CommandNames {
  readonly ok: true;
  /** Programs that are spelled as paths. */
  readonly programs: readonly (string | undefined)[];
  /** A folder stands for all that is in it. */
  readonly paths: readonly (string | undefined)[];
}

/** Why a line is not understood. */
export interface NoCommand {
  readonly ok: false;
  readonly why: string;
}

/**
 * Reads a line of a shell (POLICY section 4, command): every word is also a path, but those of programs whose words are text.
 * `ctx.root` is the folder in which it runs. Never throws.
 */
export function commandNames(line: string, ctx: PathContext): CommandNames | NoCommand {
  const read = splitText('command', line, ctx);
  if (!read.ok) return read;
  const programs: (string | undefined)[] = [];
  const paths: (string | undefined)[] = [];
  for (const { command } of read.parts) {
    if (command === undefined) continue;
    const program = command.words[0]?.text ?? '';
    if (program.includes('/'))
      programs.push(...(pathsFrom(program, false, command.folders, ctx) ?? [undefined]));
    const beside = besidesOf(command, ctx);
    if ('why' in beside) return { ok: false, why: beside.why };
    for (const { path } of beside.besides) paths.push(textOf(path));
  }
  return { ok: true, programs, paths: [...new Set(paths)] };
}

function textOf(held: unknown): string | undefined {
  if (held instanceof Region) return held.named;
  return typeof held === 'string' ? held : undefined;
}
