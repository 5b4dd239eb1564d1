/** A reload up to its verdict: a proposal, compared with what is in force. */
import type { Digest, ExecutorId, LoadProblem } from '../ground/index.js';
import type { Comparison, Generation, Snapshot } from '../policy/index.js';
import { type Activated, type Proposal, knownTo, storedExecutors } from './activate.js';
import { proved, undecided } from './prover.js';
import { pawlMoved } from './source.js';
import type { StartPorts } from './start.js';
import type { DeclaredBy, Trigger } from './store.js';
import { verdictOf } from './verdict.js';

/** The operator's act that lets a reload widen. */
export interface OperatorAct {
  /** Every epoch moves, not only those of executors that gained. */
  readonly all?: boolean;
  /** Mints fresh capabilities into the open sessions of whoever was moved. */
  readonly reissue?: boolean;
  /** Begin of the hash that was shown to the operator: anything else that is proposed by now is refused. */
  readonly expect?: string;
}

/** What cannot be compiled: the last good generation stays. */
export interface Unusable {
  readonly kind: 'invalid';
  readonly file: string;
  readonly problems: readonly LoadProblem[];
}

/** One reload. */
export interface ReloadRequest {
  readonly trigger: Exclude<Trigger, 'start'>;
  /** Operator act: take what is not known to be an attenuation. Only with trigger `operator`. */
  readonly act?: OperatorAct;
  /** The stored generation whose source is proposed again. */
  readonly to?: number;
  /** Whose stored ceiling or narrowing the proposal changes. */
  readonly declared?: DeclaredBy;
  /** The act itself names the tool definitions that are to come into force, under the document in force. */
  readonly accepting?: boolean;
  /** Makes the proposal, when it is this reload's turn. A rejection leaves everything as it is. */
  readonly propose: () => Promise<Proposal | Unusable>;
  /** Called in the very step in which the snapshot came into force; must not throw. */
  readonly inForce?: (snapshot: Snapshot) => void;
}

/** What a reload came to. `generation` is in force then. */
export type Reloaded =
  /** The same content: nothing moves. */
  | { readonly kind: 'same'; readonly generation: Generation }
  | {
      readonly kind: 'activated';
      readonly generation: Generation;
      readonly comparison: Comparison;
      /** Executors whose epoch moved: their capabilities are dead. */
      readonly moved: readonly ExecutorId[];
      /** Sessions into which fresh capabilities were let. */
      readonly reissued: number;
      /** Open sessions of moved executors that have no tools now, until their credential is presented anew. */
      readonly emptied: number;
    }
  /** Not known to be an attenuation, and no operator act: the last good generation stays. */
  | {
      readonly kind: 'refused';
      readonly generation: Generation;
      readonly comparison: Comparison;
      /** Of what was proposed. */
      readonly hash: Digest;
      /** The operator act was for this hash, or one that begins so, and what is proposed now is something else. */
      readonly expected?: string;
    }
  | (Unusable & { readonly generation: Generation })
  /** The proposal could not be made, or not be stored: nothing changed. */
  | { readonly kind: 'failed'; readonly generation: Generation; readonly why: string };

/** What a reload would come to. `acceptable`: it would be activated without an operator act. */
export type Proposed =
  | Exclude<Reloaded, { kind: 'activated' }>
  | {
      readonly kind: 'acceptable';
      readonly generation: Generation;
      readonly comparison: Comparison;
      readonly hash: Digest;
    };

/** A proposal with its verdict. */
export interface Judged {
  readonly kind: 'judged';
  readonly proposal: Proposal;
  readonly comparison: Comparison;
  /** Whether no operator act is needed. */
  readonly attenuates: boolean;
  readonly allowed: boolean;
  readonly moved: readonly ExecutorId[];
}

/** Compares a proposal with what is in force. Never rejects, and changes nothing. */
export async function propose(
  ports: StartPorts,
  inForce: Activated,
  { act, propose: make }: ReloadRequest,
): Promise<Judged | Exclude<Reloaded, { kind: 'activated' | 'refused' }>> {
  const { stored, snapshot } = inForce;
  const { generation } = snapshot;
  let proposal: Proposal | Unusable;
  try {
    proposal = await make();
  } catch (error) {
    return { kind: 'failed', generation, why: error instanceof Error ? error.message : String(error) };
  }
  if ('problems' in proposal) return { ...proposal, generation };
  if (proposal.hash === stored.hash) return { kind: 'same', generation };
  const everybody = [...new Set([...knownTo(stored, snapshot.policy), ...proposal.policy.executors.keys()])];
  const question = { old: stored.source, next: proposal.source, executors: everybody };
  const comparison = pawlMoved(stored.source, proposal.source)
    ? undecided(everybody, 'Pawl itself changed since that generation')
    : await proved(ports.prover, question, ports.alarm);
  const verdict = verdictOf(comparison, {
    next: proposal.policy.executors.keys(),
    known: new Set([...storedExecutors(stored), ...ports.credentials()]),
    changes: proposal.changes ?? [],
  });
  const all = act?.all === true || (act !== undefined && verdict.everybody);
  return {
    kind: 'judged',
    proposal,
    comparison: verdict.comparison,
    attenuates: verdict.attenuates,
    allowed: verdict.attenuates || act !== undefined,
    moved: all ? everybody : [...verdict.gained],
  };
}
