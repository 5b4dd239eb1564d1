/** The tools of which some rule of an agent reads an argument as command lines: they have further verbs and a field. */
import { type ArgumentPath, namesKind } from '../authority/index.js';
import { type ToolFrame, argumentName, parseArgumentName, wordField } from '../connector/index.js';
import type { ServerName, ToolName } from '../ground/index.js';
import type { AgentSource } from './document.js';
import { RuleIndex } from './rule-index.js';
import type { ServerFrame } from './tool.js';

/** The servers as they are for an agent; the very same map where no rule of it reads commands. */
export function serversFor(
  agent: AgentSource,
  servers: ReadonlyMap<ServerName, ServerFrame>,
): ReadonlyMap<ServerName, ServerFrame> {
  const index = new RuleIndex(agent);
  if (!index.uses.some(({ source }) => commandsIn([source]).length > 0)) return servers;
  const framed = (frame: ToolFrame): ToolFrame => withCommands(frame, commandsFor(index, frame.tool));
  return new Map(
    [...servers].map(([name, server]) => [name, { ...server, ...toolsFor(server, framed), framed }]),
  );
}

function toolsFor(
  { tools }: ServerFrame,
  framed: (frame: ToolFrame) => ToolFrame,
): Pick<ServerFrame, 'tools'> {
  if (tools === undefined) return { tools };
  return { tools: new Map([...tools].map(([name, tool]) => [name, { ...tool, frame: framed(tool.frame) }])) };
}

function commandsFor(index: RuleIndex, tool: ToolName): readonly ArgumentPath[] {
  return commandsIn(index.for(tool).map(({ source }) => source));
}

/** Arguments that constraints of kind command name, each once. */
function commandsIn(
  sources: readonly Pick<AgentSource['allow'][number], 'where'>[],
): readonly ArgumentPath[] {
  const found = new Map<string, ArgumentPath>();
  for (const { name, node } of sources.flatMap(({ where }) => where?.fields ?? [])) {
    const path = parseArgumentName(name);
    if (path !== undefined && namesKind(node, 'command')) found.set(argumentName(path), path);
  }
  return [...found.values()];
}

function withCommands(frame: ToolFrame, commands: readonly ArgumentPath[]): ToolFrame {
  if (commands.length === 0) return frame;
  const fields = { [wordField]: { kind: 'path' as const }, ...frame.fields };
  return Object.freeze({ ...frame, fields, table: Object.freeze({ ...frame.table, commands }) });
}
