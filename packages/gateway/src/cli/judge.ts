/** Judging one line of `decide` with the same admission that the gateway uses. */
import {
  type AccessView,
  type Admission,
  type CompiledPolicy,
  type Denial,
  type ExecutorPolicy,
  type Json,
  type LimitPort,
  type ToolName,
  accessView,
  admit,
  consentRefusal,
  denial,
  executorOf,
  limitRequest,
  limitUsedUp,
  mintId,
  noSuchCapMessage,
  own,
  parseJson,
  parseToolName,
  readableName,
} from '@pawl/core';
import { decodeFrame } from '../mcp/index.js';

/** One line of the input. `message` is the text of a whole JSON-RPC message and wins over `tool`. */
export interface DecideLine {
  readonly id: Json;
  readonly tool?: string;
  readonly message?: string;
  /** Text of the arguments object; wins over `args`. */
  readonly raw?: string;
  readonly args?: Json;
  readonly agent?: string;
  readonly instance?: string;
  /** Counted together; all lines of an executor that name none are one session. */
  readonly session?: string;
}

/** One line of the output. */
export interface Verdict {
  readonly id: Json;
  readonly decision: 'permit' | 'ask' | 'deny';
  readonly code?: string;
  readonly layer?: string;
  readonly constraint?: string;
  readonly rule?: string;
  readonly message?: string;
  /** As forwarded. */
  readonly args?: Json;
  readonly filled?: readonly string[];
  readonly accesses?: readonly AccessView[];
}

/** What lines are judged under. */
export interface JudgeContext {
  readonly policy: CompiledPolicy;
  readonly assumeConsent: boolean;
  /** Counts over the lines of one file. */
  readonly limits: LimitPort;
  readonly agent?: string;
  readonly instance?: string;
}

/** A verdict, with the rules that admit the call. */
export interface JudgedLine {
  readonly verdict: Verdict;
  /** Paths in the document; none where the call is denied. */
  readonly rules: readonly string[];
}

/** Judges one line. Never throws. */
export function judgeLine(context: JudgeContext, line: DecideLine): JudgedLine {
  const call = callOf(context.policy, line);
  if ('kind' in call) return { verdict: deny(line.id, call), rules: [] };
  const agent = line.agent ?? context.agent;
  const instance =
    line.instance ??
    (line.agent === undefined || line.agent === context.agent ? context.instance : undefined);
  const executor = executorOf(context.policy, agent, instance);
  if ('kind' in executor) return { verdict: deny(line.id, executor), rules: [] };
  const admission = admit({
    executor,
    tool: call.tool,
    shown: readableName(call.tool),
    args: call.args,
    disclosure: context.policy.settings.disclose,
  });
  const verdict = verdictOf(context, line, executor, { admission, tool: call.tool });
  const rules = admission.kind === 'refused' || verdict.decision === 'deny' ? [] : admission.rules;
  return { verdict, rules: [...new Set(rules.map(({ rule }) => rule))] };
}

function verdictOf(
  context: JudgeContext,
  line: DecideLine,
  executor: ExecutorPolicy,
  { admission, tool }: { readonly admission: Admission; readonly tool: ToolName },
): Verdict {
  const { id } = line;
  const about = { shown: readableName(tool) };
  const accesses = admission.accesses.length === 0 ? {} : { accesses: admission.accesses.map(accessView) };
  if (admission.kind === 'refused') return { ...deny(id, admission.denial), ...accesses };
  const { args, filled } = admission;
  const forwarded = { args, ...(filled.length === 0 ? {} : { filled }), ...accesses };
  const reserved = reserve(context, line, executor, admission);
  const asks = reserved.level !== undefined && reserved.level !== 'permit' && !context.assumeConsent;
  if (asks) {
    if (reserved.kind === 'reserved') reserved.giveBack();
    const { code, layer, message } = consentRefusal(about, 'required');
    return { id, decision: 'ask', code, layer, message, ...forwarded };
  }
  if (reserved.kind === 'used-up') return { ...deny(id, limitUsedUp(about, reserved.by)), ...accesses };
  reserved.spend();
  return { id, decision: 'permit', ...forwarded };
}

/** What the gateway would reserve for the call; a call that nothing counts goes as it was admitted. */
function reserve(
  { limits }: JudgeContext,
  line: DecideLine,
  executor: ExecutorPolicy,
  { level, charges }: Extract<Admission, { kind: 'admitted' }>,
): ReturnType<LimitPort['reserve']> {
  if (charges === undefined)
    return { kind: 'reserved', level, kept: [], spend: (): void => {}, giveBack: () => [] };
  const session = mintId.session(line.session === undefined ? 'default' : `named ${line.session}`);
  return limits.reserve(limitRequest(charges, executor, session, { number: 0, hash: mintId.digest('') }));
}

function deny(id: Json, refusal: Denial): Verdict {
  const { code, layer, constraint, rule, message } = refusal;
  return {
    id,
    decision: 'deny',
    code,
    layer,
    ...(constraint === undefined ? {} : { constraint }),
    ...(rule === undefined ? {} : { rule }),
    message,
  };
}

interface NamedCall {
  readonly tool: ToolName;
  readonly args: Json | undefined;
}

function callOf(policy: CompiledPolicy, line: DecideLine): NamedCall | Denial {
  if (line.message !== undefined) return fromMessage(policy, line.message);
  const tool = parseToolName(line.tool ?? '');
  if (tool === undefined || isUnknown(policy, tool)) return noTool();
  if (line.raw === undefined) return { tool, args: line.args ?? undefined };
  const parsed = parseJson(line.raw);
  return parsed.ok
    ? { tool, args: parsed.value ?? undefined }
    : malformed(`the arguments hold ${parsed.found}`);
}

function fromMessage(policy: CompiledPolicy, text: string): NamedCall | Denial {
  const frame = decodeFrame(text);
  if (frame.kind === 'invalid') return malformed(frame.message);
  if (frame.kind !== 'request' || frame.method !== 'tools/call') {
    const message = `The method ${frame.method.slice(0, 60)} is closed. Use tools/list and tools/call.`;
    return denial({ code: 'surface_closed', layer: 'decode', message });
  }
  const name = own(frame.params, 'name');
  if (typeof name !== 'string') return malformed('params.name is no text');
  const tool = toolNamed(policy, name);
  return tool === undefined ? noTool() : { tool, args: own(frame.params, 'arguments') ?? undefined };
}

/** Whether the tools are known and this is none of them. */
function isUnknown(policy: CompiledPolicy, tool: ToolName): boolean {
  const servers = [...policy.servers.values()];
  const own = servers.find(({ name }) => tool.startsWith(`${name}/`));
  if (own === undefined) return servers.some(({ tools }) => tools !== undefined);
  return own.tools !== undefined && !own.tools.has(tool.slice(own.name.length + 1));
}

/** The tool of a readable name; without schemas the name says it itself. */
function toolNamed(policy: CompiledPolicy, name: string): ToolName | undefined {
  for (const server of policy.servers.values()) {
    for (const { frame } of server.tools?.values() ?? [])
      if (readableName(frame.tool) === name) return frame.tool;
    const prefix = `${server.name}__`;
    if (server.tools === undefined && name.startsWith(prefix)) {
      const tool = parseToolName(`${server.name}/${name.slice(prefix.length)}`);
      if (tool !== undefined && readableName(tool) === name) return tool;
    }
  }
  return undefined;
}

function noTool(): Denial {
  return denial({ code: 'no_such_cap', layer: 'handle', message: noSuchCapMessage, reason: 'unknown' });
}

function malformed(why: string): Denial {
  return denial({
    code: 'malformed_arguments',
    layer: 'decode',
    message: `${why}. Correct the message and send it again.`,
  });
}
