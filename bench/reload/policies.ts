/** Policies of many rules for the benchmarks of reloads, and the tools that they speak of. */
import { type ServerName, type ToolDefinition, parseServerName } from '@pawl/core';

/** How many tools a policy of that many rules speaks of. */
export function toolsFor(rules: number): number {
  return Math.max(1, Math.ceil(rules / 20));
}

const schema = {
  type: 'object',
  properties: { x: { type: 'string' }, n: { type: 'number' }, mode: { type: 'string' } },
  additionalProperties: false,
};

/** Schemas of the tools by name. */
export function schemasOf(tools: number): Readonly<Record<string, typeof schema>> {
  return Object.fromEntries(Array.from({ length: tools }, (_, at) => [`t${at}`, schema]));
}

/** The tools as a server lists them. */
export function catalogOf(tools: number): ReadonlyMap<ServerName, readonly ToolDefinition[]> {
  const server = parseServerName('s');
  if (server === undefined) throw new Error('no server name');
  const list = Object.entries(schemasOf(tools)).map(([name, inputSchema]) => ({
    name,
    definition: { name, inputSchema },
  }));
  return new Map([[server, list]]);
}

/** The text of a policy; rule `edit` allows one number fewer each `round`, so each round attenuates the one before. */
export function policyText(rules: number, edit = 0, round = 0): string {
  const tools = toolsFor(rules);
  const allow = Array.from({ length: rules }, (_, at) => ({
    tools: [`s/t${at % tools}`],
    where: {
      'args.x': { glob: `job-${at}-*` },
      'args.n': { min: 0, max: 10_000 + at - (at === edit ? round : 0) },
      ...(at % 2 === 0 ? { 'args.mode': ['fast', 'safe', `own-${at % 7}`] } : {}),
    },
  }));
  return JSON.stringify({ pawl: 1, servers: { s: { command: 's' } }, agents: { a: { allow } } });
}
