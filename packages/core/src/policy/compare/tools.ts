/** The tools over which executors are compared: those of NEW, or where no schema is known one for each kind of name. */
import { nameCells } from '../../authority/index.js';
import {
  type AgentName,
  type ServerName,
  type ToolName,
  mountableTool,
  toolName,
} from '../../ground/index.js';
import type { AgentOutline } from '../compile-input.js';
import type { CompiledPolicy } from '../compile.js';

const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./';

/** Every tool that matters to an agent; undefined: the patterns tell too many names apart. */
export function toolsToCompare(
  old: CompiledPolicy,
  next: CompiledPolicy,
  agent: AgentName,
): readonly ToolName[] | undefined {
  const agents = [old, next].flatMap((side) => side.agents.get(agent) ?? []);
  const tools: ToolName[] = [];
  for (const server of next.servers.values()) {
    if (server.tools !== undefined) {
      for (const { frame } of server.tools.values()) tools.push(frame.tool);
      continue;
    }
    const tables = [old, next].flatMap((side) =>
      Object.keys(side.servers.get(server.name)?.connector?.tools ?? {}),
    );
    const cells = nameCells([...patternsOn(server.name, agents), ...tables], letters);
    if (cells === undefined) return undefined;
    for (const name of cells) if (mountableTool(name)) tools.push(toolName(server.name, name));
  }
  return tools;
}

function patternsOn(server: ServerName, agents: readonly AgentOutline[]): readonly string[] {
  return agents
    .flatMap(({ tools }) => tools.filter((each) => each.server === server))
    .map(({ tool }) => tool);
}
