/** The tools that are Pawl's own: agents are granted them by rules as they are granted any other. */
import { type ServerName, type ToolName, mintId, toolName } from '../ground/index.js';
import type { AgentSource } from './document.js';
import type { ToolCatalog, ToolDefinition } from './tool.js';

/** The server of Pawl's own tools. No document may declare one of that name. */
export const ownServer: ServerName = mintId.server('pawl');

/** By which a session opens a narrower one for a subagent. */
export const delegateTool: ToolName = toolName(ownServer, 'delegate');

/** What a rule of a delegation may say: as an item of `allow` in a policy. */
const rule = {
  type: 'object',
  properties: {
    tools: { type: 'array', minItems: 1, items: { type: 'string' } },
    verbs: { type: 'array', minItems: 1, items: { type: 'string' } },
    where: { type: 'object' },
    uses: { type: 'integer', minimum: 1 },
    ask: { type: 'string', enum: ['once', 'session'] },
  },
  required: ['tools'],
  additionalProperties: false,
} as const;

/** As clients and rules see it. */
export const delegateDefinition: ToolDefinition = Object.freeze({
  name: 'delegate',
  definition: {
    name: 'delegate',
    title: 'Delegate to a subagent',
    description:
      'Opens a narrower session for a subagent. It may do what this session may do AND what the rules in `allow` say, never more. ' +
      'Rules name tools as server/tool. Answers the name of the session; it is of use to the client of this very agent only.',
    inputSchema: {
      type: 'object',
      properties: {
        allow: { type: 'array', minItems: 1, maxItems: 64, items: rule },
        as: {
          type: 'string',
          description: 'Another agent whose own limits hold as well: agent or agent/instance.',
        },
        depth: {
          type: 'integer',
          minimum: 0,
          description: 'How deep the subagent may delegate; 0 unless told.',
        },
        ttl: { type: 'string', description: 'How long the session lives, as 30s, 10m, 2h.' },
      },
      required: ['allow'],
      additionalProperties: false,
    },
  },
});

/** Without Pawl's own tools, of which the only one is of no use without the right to delegate. */
export function serversWithin<T>(
  { delegate }: Pick<AgentSource, 'delegate'>,
  servers: ReadonlyMap<ServerName, T>,
): ReadonlyMap<ServerName, T> {
  if (delegate !== undefined || !servers.has(ownServer)) return servers;
  return new Map([...servers].filter(([name]) => name !== ownServer));
}

/** The tools of servers with Pawl's own among them; as it was where no schema is known. */
export function withOwnTools(tools: ToolCatalog): ToolCatalog {
  return tools && new Map([...tools, [ownServer, [delegateDefinition]]]);
}
