/** Calls as the audit recorded them, as far as a policy can be made from them. */
import {
  type AgentName,
  type ExecutorId,
  type Json,
  type JsonObject,
  type Level,
  type ToolName,
  isJsonArray,
  isJsonObject,
  mintId,
  own,
  parseAgentName,
  parseToolName,
} from '@pawl/core';
import type { CallRecord } from './explain.js';

/** One access as a record tells it: tool, verb, extent and fields. */
export type RecordedAccess = Readonly<Record<string, string>>;

/** One call. */
export interface RecordedCall {
  readonly id: string;
  readonly agent: AgentName;
  readonly executor: ExecutorId;
  readonly tool: ToolName;
  /** What was kept: without payload, unless the policy keeps everything. */
  readonly args: JsonObject;
  readonly accesses: readonly RecordedAccess[];
  readonly level: Level;
  /** `permit`, or the code of the refusal. */
  readonly came: string;
}

/** A record of a call, with everything that a rule needs; undefined for any other record, and where no arguments were kept. */
export function recordedCall({ record, arguments: args }: CallRecord): RecordedCall | undefined {
  const [call, executor, tool] = [own(record, 'call'), own(record, 'executor'), own(record, 'tool')];
  const came =
    record.type === 'intent' ? 'permit' : record.type === 'refusal' ? own(record, 'code') : undefined;
  if (typeof call !== 'string' || typeof executor !== 'string' || typeof tool !== 'string') return undefined;
  const [agent, name] = [parseAgentName(executor.split('/')[0] ?? ''), parseToolName(tool)];
  if (agent === undefined || name === undefined || typeof came !== 'string' || !isJsonObject(args))
    return undefined;
  return {
    id: call,
    agent,
    executor: mintId.executor(executor),
    tool: name,
    args,
    accesses: accessesIn(own(record, 'target'), tool),
    level: levelIn(own(record, 'level')),
    came,
  };
}

function accessesIn(target: Json | undefined, tool: string): readonly RecordedAccess[] {
  const list = isJsonArray(target) ? target.filter(isJsonObject) : [];
  return list
    .filter((access) => own(access, 'tool') === tool)
    .map((access) =>
      Object.fromEntries(
        Object.entries(access).filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
      ),
    );
}

function levelIn(level: Json | undefined): Level {
  return level === 'once' || level === 'session' ? level : 'permit';
}
