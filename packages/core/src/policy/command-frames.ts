/** The tools of which some rule of an agent reads an argument as command lines: they have further verbs and a field. */
import { type ArgumentPath, namesKind } from '../authority/index.js';
import { type ToolFrame, argumentName, parseArgumentName, wordField } from '../connector/index.js';
import type { ServerName, ToolName } from '../ground/index.js';
import type { AgentSource } from './document.js';
import type { Shelf } from './made.js';
import type { RuleIndex } from './rule-index.js';
import type { ServerFrame } from './tool.js';
import type { Work } from './work.js';

/** The servers as they are for an agent; the very same map where no rule of it reads commands. */
export function* serversFor(
  index: RuleIndex,
  servers: ReadonlyMap<ServerName, ServerFrame>,
  shelf: Shelf<ToolFrame>,
): Work<ReadonlyMap<ServerName, ServerFrame>> {
  if (!(yield* anyCommands(index))) return servers;
  const framed = (frame: ToolFrame): ToolFrame => withCommands(frame, commandsFor(index, frame.tool), shelf);
  return new Map(
    [...servers].map(([name, server]) => [name, { ...server, ...toolsFor(server, framed), framed }]),
  );
}

/** Most rules that are looked at in one step. */
const inOneStep = 64;

function* anyCommands({ uses }: RuleIndex): Work<boolean> {
  for (let from = 0; from < uses.length; from += inOneStep) {
    const some = uses.slice(from, from + inOneStep).map(({ source }) => source);
    if (commandsIn(some).length > 0) return true;
    yield;
  }
  return false;
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
    const path = namesKind(node, 'command') ? parseArgumentName(name) : undefined;
    if (path !== undefined) found.set(argumentName(path), path);
  }
  return [...found.values()];
}

function withCommands(
  frame: ToolFrame,
  commands: readonly ArgumentPath[],
  shelf: Shelf<ToolFrame>,
): ToolFrame {
  if (commands.length === 0) return frame;
  return shelf.take(frame, '', [JSON.stringify(commands)], () => {
    const fields = { [wordField]: { kind: 'path' as const }, ...frame.fields };
    return Object.freeze({ ...frame, fields, table: Object.freeze({ ...frame.table, commands }) });
  });
}
