/** What is stored of an agent and its instances, read against the document: it narrows, or it cannot be read and refuses. */
import {
  type Declaration,
  type Limit,
  type LimitSource,
  isWhole,
  layerOf,
  limitOf,
  placeOf,
} from '../ceiling/index.js';
import type { FieldContext, References } from '../connector/index.js';
import { type LoadProblem, type ServerName, Expect } from '../ground/index.js';
import { checkLimits } from './check-limits.js';
import type { AgentInput } from './compile-input.js';
import type { PolicyDocument } from './document.js';
import { limitTargets } from './limit-targets.js';
import type { ServerFrame } from './tool.js';

/** How a stored entry stands to the policy. */
export interface DeclaredState {
  readonly entry: Declaration;
  /**
   * `whole`: every field lists all that it can hold, so that it counts as no ceiling. `unreadable`: every call that touches what
   * it is for is refused. `idle`: the policy has no such agent or instance.
   */
  readonly state: 'applies' | 'whole' | 'unreadable' | 'idle';
  /** What is wrong with it. */
  readonly why?: string;
}

/** The stored entries of one agent and of its instances. */
export interface StoredLimits {
  /** By whose they are. */
  readonly sources: ReadonlyMap<string, LimitSource>;
  readonly states: readonly DeclaredState[];
}

/** Reads them. Nothing that is stored is a problem of the document: what cannot be read is a finding, and refuses. */
export function storedLimits(agentInput: AgentInput): StoredLimits {
  const { agent, input } = agentInput;
  const sources = new Map<
    string,
    LimitSource & { readonly limits: Limit[]; readonly unreadable: Set<string> }
  >();
  const states: DeclaredState[] = [];
  for (const entry of input.declared ?? []) {
    if (!isOf(entry, agent.name) || !isDeclared(entry, input.document)) continue;
    const source = sources.get(entry.of) ?? { layer: layerOf(entry), limits: [], unreadable: new Set() };
    sources.set(entry.of, source);
    const read = readEntry(agentInput, entry);
    states.push(read.state);
    if (read.limit !== undefined) source.limits.push(read.limit);
    else {
      source.unreadable.add(entry.on);
      const told = `the stored ${source.layer} of ${entry.of} cannot be read (${read.state.why ?? ''}), so every call that touches ${entry.on} is refused`;
      agentInput.expect.finding(agent.at, placeOf(entry), told);
    }
  }
  return { sources, states };
}

/** Stored entries whose agent or instance the document does not have: they wait for it. */
export function idleEntries({
  document,
  declared = [],
}: Pick<AgentInput['input'], 'document' | 'declared'>): readonly DeclaredState[] {
  return declared
    .filter((entry) => !isDeclared(entry, document))
    .map((entry) => ({ entry, state: 'idle', why: 'the policy has no such agent or instance' }));
}

function isOf({ of }: Declaration, agent: string): boolean {
  return of === agent || of.startsWith(`${agent}/`);
}

function isDeclared({ of }: Declaration, { agents, instances }: PolicyDocument): boolean {
  const [agent = '', instance] = of.split('/');
  return instance === undefined
    ? [...agents.keys()].some((name) => name === agent)
    : instances.some((each) => each.agent === agent && each.instance === instance);
}

function readEntry(
  { servers, references, input }: AgentInput,
  entry: Declaration,
): { readonly limit?: Limit; readonly state: DeclaredState } {
  const limit = limitOf(entry);
  if ('message' in limit) return { state: unreadable(entry, limit) };
  const expect = new Expect();
  const context = admitting(expect, references, layerOf(entry));
  checkLimits({ servers, input }, context, [limit]);
  const [problem] = expect.problems;
  if (problem !== undefined) return { state: unreadable(entry, problem) };
  return {
    limit,
    state: { entry, state: isWholeLimit(context, limit, servers, input) ? 'whole' : 'applies' },
  };
}

/** How constraints of a ceiling or of a narrowing are read. */
function admitting(expect: Expect, references: References, layer: LimitSource['layer']): FieldContext {
  return { expect, references, polarity: 'admit', mayBeUnbound: layer === 'ceiling' };
}

function unreadable(entry: Declaration, { found }: LoadProblem): DeclaredState {
  return { entry, state: 'unreadable', why: `found ${found}` };
}

function isWholeLimit(
  context: FieldContext,
  limit: Limit,
  servers: ReadonlyMap<ServerName, ServerFrame>,
  { document }: AgentInput['input'],
): boolean {
  const grounds = limitTargets({ servers, connectors: document.connectors }).at(limit.on)?.grounds ?? [];
  return grounds.every(({ frame }) => limit.fields.every((field) => isWhole(context, frame, field) === true));
}
