/** Delegation: of what a session holds, the part that some rules, and perhaps another agent's authority, leave. */
import {
  type Denial,
  type Digest,
  type ExecutorId,
  type Json,
  canonicalJson,
  denial,
  executorId,
  sha256,
} from '../ground/index.js';
import {
  type Principal,
  type CompiledPolicy,
  type Delegation,
  type ExecutorPolicy,
  type NotGranted,
  delegatedPolicy,
  depthLeft,
  executorOf,
  notGrantedBy,
  policyOf,
  readNarrower,
  stepsOf,
} from '../policy/index.js';

/** What is asked for. */
export interface DelegationRequest {
  /** A list of allow rules, as in a policy. */
  readonly allow: Json;
  /** Another executor whose authority has to hold as well: `agent` or `agent/instance`. */
  readonly as?: string | undefined;
  /** How deep what is delegated may be delegated further; 0 unless told. More than the parent may give is cut. */
  readonly depth?: number | undefined;
}

/** Who delegates: an executor in its own right, or what was delegated to it. */
export interface Delegator extends Principal {
  readonly delegation?: Delegation | undefined;
}

/** What says that the child is no wider than its parent: it is the meet, by how it is made. For the audit. */
export interface DelegationCertificate {
  readonly relation: 'meet';
  /** Of the rules that were asked for. */
  readonly rules: Digest;
  /** Everybody whose authority is in the meet, the one who delegated first. */
  readonly executors: readonly ExecutorId[];
  /** How deep it may be delegated further. */
  readonly depth: number;
  /** What was asked for and is not held by the parent. */
  readonly notGranted: readonly NotGranted[];
  /** Tools and patterns of which the parent has nothing. */
  readonly notHeld: readonly string[];
}

/** What was delegated. */
export interface Delegated {
  readonly kind: 'delegated';
  readonly delegation: Delegation;
  /** Other executors whose authority it intersects. */
  readonly through: readonly ExecutorId[];
  readonly certificate: DelegationCertificate;
}

/**
 * Delegates under a policy. The right to delegate is the agent's key `delegate` and nothing else; what is asked for beyond the
 * parent is told and not granted. Refused: no right, rules that cannot be read, nobody of that name, and what leaves nothing.
 * `id` is unique in the process.
 */
export function delegate(
  policy: CompiledPolicy,
  parent: Delegator,
  request: DelegationRequest,
  id: string,
): Delegated | Denial {
  const held = policyOf(policy, parent);
  if ('kind' in held) return held;
  const left = depthLeft(policy, parent, parent.delegation);
  // INVARIANT(P.delegate.right): a depth that is no number lies on no side of any comparison.
  if (!(left >= 1)) return refused('This session has no right to delegate.');
  const wrong = whatIsWrong(request);
  if (wrong !== undefined) return malformed(wrong);
  const as = request.as === undefined ? undefined : actorOf(policy, request.as);
  if (as !== undefined && 'kind' in as) return as;
  const read = readNarrower(request.allow, held, id);
  if ('problems' in read) return malformed(read.problems[0]?.message ?? 'allow cannot be read');
  const delegation: Delegation = Object.freeze({
    id,
    of: Object.freeze({ agent: parent.agent, instance: parent.instance }),
    within: parent.delegation,
    allow: Object.freeze(read.allow),
    as,
    depth: Math.min(request.depth ?? 0, left - 1),
  });
  return judged(policy, held, delegation, { notHeld: read.notHeld, rules: request.allow });
}

function whatIsWrong({ depth = 0, as }: DelegationRequest): string | undefined {
  if (!Number.isSafeInteger(depth) || depth < 0) return 'depth: give a whole number of at least 0';
  return as === undefined || typeof as === 'string' ? undefined : 'as: give an agent, or agent/instance';
}

function judged(
  policy: CompiledPolicy,
  held: ExecutorPolicy,
  delegation: Delegation,
  { notHeld, rules }: { readonly notHeld: readonly string[]; readonly rules: Json },
): Delegated | Denial {
  const met = delegatedPolicy(policy, delegation);
  if (met === undefined) return malformed('allow: its rules cannot be used with the tools that they name');
  if (met.reachable.length === 0)
    return refused('This session holds nothing of what these rules allow, so there is nothing to delegate.');
  const through = throughOf(delegation, held.id);
  const certificate: DelegationCertificate = {
    relation: 'meet',
    rules: sha256(canonicalJson(rules)),
    executors: [held.id, ...through],
    depth: Math.max(0, depthLeft(policy, delegation.of, delegation)),
    notGranted: notGrantedBy(policy, delegation, held),
    notHeld,
  };
  return { kind: 'delegated', delegation, through, certificate };
}

function throughOf(delegation: Delegation, own: ExecutorId): readonly ExecutorId[] {
  const named = stepsOf(delegation).flatMap(({ as }) =>
    as === undefined ? [] : [executorId(as.agent, as.instance)],
  );
  return [...new Set(named)].filter((id) => id !== own);
}

function actorOf(policy: CompiledPolicy, text: string): Principal | Denial {
  const cut = text.indexOf('/');
  const [agent, instance] = cut < 0 ? [text, undefined] : [text.slice(0, cut), text.slice(cut + 1)];
  const found = executorOf(policy, agent, instance);
  if (!('kind' in found)) return Object.freeze({ agent: found.agent, instance: found.instance });
  const message = 'as: the policy knows nobody of that name to act as; give agent or agent/instance.';
  return denial({ code: found.code, layer: 'agent', message });
}

function refused(message: string): Denial {
  return denial({ code: 'not_permitted', layer: 'policy', message });
}

function malformed(message: string): Denial {
  return denial({ code: 'malformed_arguments', layer: 'decode', message: message.slice(0, 200) });
}
