/** Which executors a policy document has: whom a key can be issued for. */
import { type AgentName, type PolicyDocument, readDocument } from '@pawl/core';
import { parseDocument } from '../config/index.js';

/** One agent of a document. */
export interface KnownAgent {
  /** Whether it acts without an instance. */
  readonly bare: boolean;
  readonly instances: readonly string[];
}

/** The agents of a document. */
export type KnownAgents = ReadonlyMap<AgentName, KnownAgent>;

/** The agents of a document that was read. An agent with instances acts through them only, unless it says otherwise. */
export function agentsOf(document: PolicyDocument): KnownAgents {
  const known = new Map<AgentName, KnownAgent>();
  for (const agent of document.agents.values()) {
    const own = document.instances.filter((each) => each.agent === agent.name);
    const instances = own.map(({ instance }) => instance);
    const rule = agent.instances ?? (instances.length > 0 ? 'required' : 'optional');
    known.set(agent.name, { bare: rule === 'optional', instances });
  }
  return known;
}

/** The agents of a stored document, or undefined when it cannot be read any more. */
export function agentsInText(text: string): KnownAgents | undefined {
  const parsed = parseDocument(text, 'stored');
  const document = parsed.ok ? readDocument(parsed.root).document : undefined;
  return document === undefined ? undefined : agentsOf(document);
}

/** Why there is no such executor, with the names that exist; undefined when there is one. */
export function whyNoExecutor(
  known: KnownAgents,
  agent: AgentName,
  instance: string | undefined,
): string | undefined {
  const found = known.get(agent);
  if (found === undefined)
    return `there is no agent ${agent}; the policy has ${names([...known.keys()], 'agents')}`;
  const has = names(found.instances, 'instances');
  if (instance !== undefined)
    return found.instances.includes(instance)
      ? undefined
      : `agent ${agent} has no instance ${instance}; it has ${has}`;
  return found.bare ? undefined : `agent ${agent} acts only through an instance; it has ${has}`;
}

function names(list: readonly string[], what: string): string {
  return list.length === 0 ? `no ${what}` : list.join(', ');
}
