/** A failure report as a scenario: the policy that it speaks of, and what calls must be answered. */
import type { Json } from '@pawl/core';
import type { Files } from '../pawl.js';
import type { Expected } from '../score.js';

/** One call and its answer. */
export interface Step {
  readonly call: Readonly<Record<string, Json>>;
  readonly want: Expected;
}

/** One document with its calls: the report's own call first, then neighbours in both directions. */
export interface Story extends Files {
  readonly steps: readonly Step[];
  readonly assume_consent?: boolean;
}

/** A document that must not load; the error names each text. */
export interface BadLoad extends Files {
  readonly names: readonly string[];
}

/** What a report became. */
export type Telling = readonly (Story | BadLoad)[];

/** A call that is permitted; `args` are what is forwarded, by default what was sent. */
export function permit(tool: string, args: Json, forwarded: Json = args, more: Expected = {}): Step {
  return { call: { tool, args }, want: { decision: 'permit', args: forwarded, ...more } };
}

/** A call that is refused. */
export function deny(tool: string, args: Json, code: string, more: Expected = {}): Step {
  return { call: { tool, args }, want: { decision: 'deny', code, ...more } };
}

/** The same step as an instance of the agent. */
export function by(instance: string, { call, want }: Step): Step {
  return { call: { ...call, instance }, want };
}

/** A whole message to `tools/call` whose params are this text. */
export function message(params: string, want: Expected): Step {
  return { call: { message: `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":${params}}` }, want };
}

/** What a message or arguments that cannot be read are answered. */
export const malformed = { decision: 'deny', code: 'malformed_arguments', layer: 'decode' } as const;

/** A policy that allows one whole tool. */
export function whole(server: string, name: string): string {
  return `
pawl: 1
servers: { ${server}: { command: ${server}-mcp } }
agents: { a: { allow: [ { tools: [${server}/${name}] } ] } }
`;
}
