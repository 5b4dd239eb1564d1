/** The smallest plain allow lists that hold recorded calls, tried out on the policy in force before they are told. */
import {
  type AgentName,
  type CompiledPolicy,
  type Json,
  type JsonObject,
  canonicalJson,
  isInside,
  isJsonObject,
  own,
} from '@pawl/core';
import { type LoadedPolicy, compileRead, readCaptured } from '../config/index.js';
import type { CallRecord } from './explain.js';
import { groupBy } from './group.js';
import { type RecordedCall, recordedCall } from './recorded.js';
import { type SuggestedRule, mergedRules, rulesFor } from './suggested-rules.js';

/** What suggesting takes. */
export interface SuggestInput {
  /** The policy in force, for the tools in force. */
  readonly loaded: LoadedPolicy;
  /** How it is compiled. */
  readonly compile: Parameters<typeof compileRead>[1];
  readonly records: Iterable<CallRecord>;
  /** Only of this agent. */
  readonly agent?: AgentName;
  /** Whether calls that no rule allowed are taken in, too. Calls that a denial or a ceiling refused never are. */
  readonly refused: boolean;
}

/** A suggestion for one agent. */
export interface Suggestion {
  readonly agent: AgentName;
  readonly allow: readonly SuggestedRule[];
  /** How many calls it is made from. */
  readonly calls: number;
  /** Calls that no rule was found for, each with why. */
  readonly left: readonly { readonly id: string; readonly tool: string; readonly why: string }[];
}

/** Longest list of values where something shorter holds them. */
const mostListed = 8;

/** Refusals that a wider allow list would have turned into permits. */
const wanting: ReadonlySet<string> = new Set(['not_permitted']);

/** Suggests an allow list for every agent with calls. INVARIANT: no rule holds a recorded call that a denial refused. */
export function suggest(input: SuggestInput): readonly Suggestion[] {
  const byAgent = new Map<AgentName, RecordedCall[]>();
  for (const record of input.records) {
    const call = recordedCall(record);
    if (call === undefined || (input.agent !== undefined && call.agent !== input.agent)) continue;
    byAgent.set(call.agent, [...(byAgent.get(call.agent) ?? []), call]);
  }
  return [...byAgent].flatMap(([agent, calls]) => suggestFor(input, agent, calls));
}

function suggestFor(
  input: SuggestInput,
  agent: AgentName,
  calls: readonly RecordedCall[],
): readonly Suggestion[] {
  const taken = distinctCalls(
    calls.filter(({ came }) => came === 'permit' || (input.refused && wanting.has(came))),
  );
  const denied = calls.filter(({ came }) => came === 'denied');
  if (taken.length === 0) return [];
  const byTool = groupBy(taken, ({ tool }) => tool);
  const allow: SuggestedRule[] = [];
  const left: Suggestion['left'][number][] = [];
  for (const [tool, some] of byTool) {
    const found = rulesOfTool(
      input,
      agent,
      some,
      denied.filter((call) => call.tool === tool),
    );
    allow.push(...found.rules);
    left.push(...found.left.map(({ call, why }) => ({ id: call.id, tool: call.tool, why })));
  }
  return [{ agent, allow: mergedRules(allow), calls: taken.length, left }];
}

/** Calls that say the same are one. */
function distinctCalls(calls: readonly RecordedCall[]): readonly RecordedCall[] {
  const key = ({ executor, tool, args, accesses, level }: RecordedCall): string =>
    canonicalJson([executor, tool, args, accesses.map((access) => ({ ...access })), level]);
  return [...new Map(calls.map((call) => [key(call), call])).values()];
}

interface Tried {
  readonly rules: readonly SuggestedRule[];
  readonly left: readonly { readonly call: RecordedCall; readonly why: string }[];
}

/** Rules of one tool: first short ones, then with every value listed where short ones would hold what a denial refused. */
function rulesOfTool(
  input: SuggestInput,
  agent: AgentName,
  calls: readonly RecordedCall[],
  denied: readonly RecordedCall[],
): Tried {
  for (const most of [mostListed, Infinity]) {
    const rules = rulesFor(input.loaded.policy, calls, most);
    const policy = trial(input, agent, rules);
    if (policy === undefined) continue;
    if (denied.some((call) => holds(policy, call))) continue;
    const out = calls.filter((call) => !holds(policy, call));
    if (out.length > 0 && most !== Infinity) continue;
    return { rules, left: out.map((call) => ({ call, why: 'no plain rule holds it' })) };
  }
  const why = denied.length > 0 ? 'a denial refused the same' : 'no plain rule holds it';
  return oneByOne(input, agent, calls, { denied, why });
}

/** What can be kept of a tool of which not all calls fit together: each call by itself. */
function oneByOne(
  input: SuggestInput,
  agent: AgentName,
  calls: readonly RecordedCall[],
  { denied, why }: { readonly denied: readonly RecordedCall[]; readonly why: string },
): Tried {
  const good = calls.filter((call) => {
    const policy = trial(input, agent, rulesFor(input.loaded.policy, [call], Infinity));
    return policy !== undefined && holds(policy, call) && !denied.some((each) => holds(policy, each));
  });
  const rules = good.length === 0 ? [] : rulesFor(input.loaded.policy, good, Infinity);
  const policy = good.length === 0 ? undefined : trial(input, agent, rules);
  const safe = policy !== undefined && !denied.some((call) => holds(policy, call));
  const kept = safe ? good.filter((call) => holds(policy, call)) : [];
  const left = calls.filter((call) => !kept.includes(call)).map((call) => ({ call, why }));
  return { rules: kept.length === 0 ? [] : rules, left };
}

function holds(policy: CompiledPolicy, { executor, tool, args }: RecordedCall): boolean {
  const found = policy.executors.get(executor);
  return found !== undefined && isInside(found, tool, args);
}

/** The policy with these rules as the agent's only ones and none of its denials; undefined where they do not load. */
function trial(
  { loaded, compile }: SuggestInput,
  agent: AgentName,
  allow: readonly SuggestedRule[],
): CompiledPolicy | undefined {
  const document = withAllow(loaded.read.document.plain, agent, allow);
  const agents = own(document, 'agents');
  const changed = isJsonObject(agents) ? own(agents, agent) : undefined;
  if (!isJsonObject(changed)) return undefined;
  const bare = Object.fromEntries(
    Object.entries(changed).filter(([key]) => !['deny', 'ask', 'limits'].includes(key)),
  );
  const { folder, facts } = loaded.read;
  const text = JSON.stringify({
    ...document,
    agents: { [agent]: bare },
    instances: instancesOf(document, agent),
  });
  const read = readCaptured('suggestion', { document: text, folder, facts });
  const compiled = read.ok ? compileRead(read.policy, compile) : undefined;
  return compiled?.ok === true ? compiled.policy : undefined;
}

function instancesOf(document: JsonObject, agent: AgentName): JsonObject {
  const instances = own(document, 'instances');
  if (!isJsonObject(instances)) return {};
  return Object.fromEntries(Object.entries(instances).filter(([name]) => name.startsWith(`${agent}/`)));
}

/** The document with another allow list for the agent. */
export function withAllow(
  document: JsonObject,
  agent: AgentName,
  allow: readonly SuggestedRule[],
): JsonObject {
  const agents = own(document, 'agents');
  const before = isJsonObject(agents) ? own(agents, agent) : undefined;
  const rules: Json = allow.map(ruleJson);
  const changed: JsonObject = { ...(isJsonObject(before) ? before : {}), allow: rules };
  return { ...document, agents: { ...(isJsonObject(agents) ? agents : {}), [agent]: changed } };
}

/** A rule as it stands in a document. */
export function ruleJson({ tools, verbs, where, ask }: SuggestedRule): JsonObject {
  return {
    tools: [...tools],
    ...(verbs === undefined ? {} : { verbs: [...verbs] }),
    ...(where === undefined ? {} : { where }),
    ...(ask === undefined ? {} : { ask }),
  };
}
