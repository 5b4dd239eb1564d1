/** Policies about command lines, for a raw tool that runs them. */
import { type Gate, type Tools, closed, gate } from './policies.js';

const text = { type: 'string' };
/** A raw tool `sh/run` with two arguments and a list. */
export const tools: Tools = {
  sh: { run: closed({ command: text, other: text, list: { type: 'array', items: text } }) },
};
/** Its server. */
export const servers: string = 'servers: { sh: { command: x, root: /proj, home: /home/dev } }';

/** A policy of one agent; its rules for the raw tool. */
export function policy(lists: string, server = servers): Gate {
  return gate(`pawl: 1\n${server}\nagents:\n  a: { ${lists} }\n`, tools);
}

/** A policy of allow rules with these conditions. */
export function allowing(...wheres: readonly string[]): Gate {
  return policy(`allow: [ ${wheres.map((where) => `{ tools: [sh/run], where: ${where} }`).join(', ')} ]`);
}

/** What a policy says of command lines: those that it permits. */
export function permitted(under: Gate, lines: readonly string[]): readonly string[] {
  return lines.filter((command) => under.permits('sh/run', { command }));
}

/** Every command of git. */
export const git: string = '{ args.command: { program: [git] } }';
/** A condition on the command, and more of them. */
export const some = (constraint: string, more = ''): string => `{ args.command: ${constraint}${more} }`;
