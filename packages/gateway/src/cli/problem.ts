/** Telling load problems and findings: text for people, one JSON line for machines. */
import { type BadPolicy, formatProblem } from '../config/index.js';
import type { LoadProblem } from '@pawl/core';
import { type ExitCode, type Terminal, exit } from './command.js';

/** Writes what is wrong with a policy to stderr and answers exit 3. With `json`: the first problem, as one line. */
export function tellBadPolicy(bad: BadPolicy, json: boolean, terminal: Terminal): ExitCode {
  const [first] = bad.problems;
  if (json && first !== undefined) {
    const { at, found, allowed, message } = first;
    const error = { file: bad.file, line: at.line, column: at.column, found, allowed, message };
    terminal.err(`${JSON.stringify({ error })}\n`);
  } else for (const problem of bad.problems) terminal.err(`${formatProblem(bad.file, problem)}\n`);
  return exit.invalid;
}

/** Findings as lines on stderr. */
export function tellFindings(file: string, findings: readonly LoadProblem[], terminal: Terminal): void {
  for (const finding of findings) terminal.err(`${formatProblem(file, finding)} (finding)\n`);
}
