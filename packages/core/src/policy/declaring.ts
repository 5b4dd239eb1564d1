/** Declaring for an executor beside the document: sanitised against the policy in force, and compared with what stands there. */
import {
  type Beyond,
  type Declaration,
  type Limit,
  type Sanitised,
  beyond,
  layerOf,
  limitOf,
  sanitise,
} from '../ceiling/index.js';
import type { References } from '../connector/index.js';
import { type DocNode, type ExecutorId, type Json, executorId } from '../ground/index.js';
import { serversFor } from './command-frames.js';
import { type CompiledPolicy, scalarSets } from './compile.js';
import type { AgentSource, InstanceSource, PolicyDocument } from './document.js';
import { limitTargets } from './limit-targets.js';
import { Shelf } from './made.js';
import { RuleIndex } from './rule-index.js';
import { finish } from './work.js';

/** The policy that a declaration is for. */
export interface DeclaringPolicy {
  readonly document: PolicyDocument;
  readonly policy: CompiledPolicy;
  readonly facts: ReadonlyMap<string, Json>;
  /** What is stored now, of everybody. */
  readonly stored: readonly Declaration[];
}

/** What a declaration comes to. */
export interface Declared extends Sanitised {
  /** What it asks for in vain. */
  readonly beyond: readonly Beyond[];
}

/** Undefined where the policy has no such agent or instance. Never throws. */
export function declareLimits(
  around: DeclaringPolicy,
  of: ExecutorId,
  declaration: DocNode,
): Declared | undefined {
  const { document, policy, facts } = around;
  const whose = whoseLimits(document, of);
  if (whose === undefined) return undefined;
  const index = RuleIndex.of(whose.agent);
  const servers = finish(serversFor(index, policy.servers, new Shelf(undefined)));
  const targets = limitTargets({ servers, connectors: document.connectors });
  const references: References = { sets: scalarSets(document), facts };
  const layer = layerOf({ of });
  const reading = { references, polarity: 'admit', mayBeUnbound: layer === 'ceiling' } as const;
  const sanitised = sanitise(declaration, targets, reading);
  const asked = Object.entries(sanitised.kept).flatMap(([on, fields]) => readable({ of, on, fields }));
  const vain = beyond(asked, standingFor(around, whose), targets, reading);
  return { ...sanitised, beyond: vain };
}

/** Whose limits an id means. */
interface Whose {
  readonly agent: AgentSource;
  readonly instance: InstanceSource | undefined;
}

function whoseLimits({ agents, instances }: PolicyDocument, of: ExecutorId): Whose | undefined {
  const agent = [...agents.values()].find(({ name }) => executorId(name) === of || of.startsWith(`${name}/`));
  if (agent === undefined) return undefined;
  const instance = instances.find((each) => executorId(each.agent, each.instance) === of);
  return instance === undefined && executorId(agent.name) !== of ? undefined : { agent, instance };
}

/** Everything else that narrows whom the declaration is for: for an instance its agent's ceilings as well. */
function standingFor({ stored }: DeclaringPolicy, { agent, instance }: Whose): readonly Limit[] {
  const ceiling = instance === undefined ? [] : stored.filter((entry) => entry.of === executorId(agent.name));
  return [...agent.ceiling, ...ceiling.flatMap(readable), ...(instance?.narrow ?? [])];
}

function readable(entry: Declaration): readonly Limit[] {
  const limit = limitOf(entry);
  return 'message' in limit ? [] : [limit];
}
