/** A tool that needs no rule because having it is all that was granted: the tool of a loaded skill. */
import { Box } from '../authority/index.js';
import { compileSchema, rawTool } from '../connector/index.js';
import type { JsonObject, ToolName } from '../ground/index.js';
import { type ToolPolicy, toolPolicy } from './tool-policy.js';

/** Admits every call that the schema takes; `rule` is the path by which records name why. Undefined for a schema that cannot be used. */
export function openTool(tool: ToolName, inputSchema: JsonObject, rule: string): ToolPolicy | undefined {
  const schema = compileSchema(inputSchema);
  if ('problem' in schema) return undefined;
  const paths = { case: 'sensitive', platform: 'posix' } as const;
  const frame = Object.freeze({ tool, schema, table: rawTool, fields: {}, paths });
  const verbs = [rawTool.verb];
  const everything = {
    path: rule,
    level: 'permit',
    boxes: [new Box({ fields: [] })],
    verbs,
    keys: [],
  } as const;
  return toolPolicy({ frame, allow: [everything], ask: [], deny: [], limits: [] }, []);
}
