/** Load problems in one style: what was found, and what is allowed there. */
import type { LoadProblem, Position } from '@pawl/core';

/** Makes a problem; `found` and `allowed` are noun phrases. */
export function loadProblem(at: Position, path: string, found: string, allowed: string): LoadProblem {
  return { at, path, found, allowed, message: `found ${found}; allowed here: ${allowed}` };
}

/** `file:line:column: message`, as one line. */
export function formatProblem(file: string, problem: LoadProblem): string {
  return `${file}:${problem.at.line}:${problem.at.column}: ${told(problem).replaceAll(/\s+/gu, ' ')}`;
}

/** The message; where it says neither where it is about nor what is allowed there, with both. */
function told({ message, path, allowed }: LoadProblem): string {
  return message.includes(allowed) ? message : `${path}: ${message}; allowed here: ${allowed}`;
}
