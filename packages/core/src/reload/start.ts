/** Start: the first generation of a process, taken from what the store knows and what the document says. */
import type { Alarm, ExecutorId } from '../ground/index.js';
import type { Comparison, Snapshot } from '../policy/index.js';
import {
  type Activated,
  type ActivationPorts,
  type Proposal,
  acceptedIn,
  activate,
  knownTo,
  resume,
  storedExecutors,
} from './activate.js';
import { type Prover, proved, undecided } from './prover.js';
import { pawlMoved } from './source.js';
import type { GenerationCause, StoredGeneration } from './store.js';
import { type Verdict, verdictOf } from './verdict.js';

/** What start needs from around it. */
export interface StartPorts extends ActivationPorts {
  readonly prover: Prover;
  readonly alarm: Alarm;
  /** Executors that an existing credential stands for: one of them is not new, even if the store never knew it. */
  readonly credentials: () => Iterable<ExecutorId>;
}

/** What is to be put in force. */
export interface StartRequest extends Proposal {
  /** Operator act: take a generation that is not known to be an attenuation. */
  readonly bumpEpoch: boolean;
  /** With `bumpEpoch`: every epoch moves, not only those of executors that gained. */
  readonly all?: boolean;
}

/**
 * What start did: `first` in an empty store, `same` as stored, `activated` as the next generation, `pawl` where only Pawl itself
 * changed (every epoch moved), or `refused`: then nothing is in force.
 */
export type Started =
  | {
      readonly kind: 'first' | 'same' | 'pawl';
      readonly snapshot: Snapshot;
      readonly stored: StoredGeneration;
    }
  | {
      readonly kind: 'activated';
      readonly snapshot: Snapshot;
      readonly stored: StoredGeneration;
      readonly comparison: Comparison;
    }
  | { readonly kind: 'refused'; readonly stored: StoredGeneration; readonly comparison: Comparison };

/**
 * Puts a generation in force, or refuses and leaves the cell empty. An empty store takes any document; the same hash goes on as
 * the same generation; another one is compared with the stored one. Durable before it is in force.
 */
export async function start(ports: StartPorts, request: StartRequest): Promise<Started> {
  const stored = await ports.store.current();
  if (stored === undefined) return { kind: 'first', ...(await next(ports, request, stored, first)) };
  if (stored.hash === request.hash) return { kind: 'same', ...resume(ports, stored, request.policy) };
  const everybody = [...knownTo(stored, request.policy)];
  const moved = pawlMoved(stored.source, request.source);
  if (moved && stored.source.content === request.source.content)
    return { kind: 'pawl', ...(await next(ports, request, stored, { verdict: 'pawl', moved: everybody })) };
  const verdict = moved
    ? judged(
        undecided(everybody, 'Pawl itself changed since, and the policy with it'),
        ports,
        request,
        stored,
      )
    : await compared(ports, request, stored);
  const { comparison, attenuates, gained } = verdict;
  if (!attenuates && !request.bumpEpoch) return { kind: 'refused', stored, comparison };
  const all = verdict.everybody || (request.bumpEpoch && request.all === true);
  const activated = await next(ports, request, stored, {
    verdict: comparison.relation,
    moved: all ? everybody : [...gained],
  });
  return { kind: 'activated', comparison, ...activated };
}

const first = { verdict: 'first', moved: [] } as const;

function next(
  ports: StartPorts,
  request: StartRequest,
  before: StoredGeneration | undefined,
  cause: Omit<GenerationCause, 'trigger'>,
): Promise<Activated> {
  return activate(ports, {
    proposal: request,
    before,
    lineage: new Map(),
    cause: { trigger: 'start', ...cause, ...acceptedIn(request) },
  });
}

async function compared(
  ports: StartPorts,
  request: StartRequest,
  stored: StoredGeneration,
): Promise<Verdict> {
  const executors = knownTo(stored, request.policy);
  const question = { old: stored.source, next: request.source, executors };
  return judged(await proved(ports.prover, question, ports.alarm), ports, request, stored);
}

function judged(
  comparison: Comparison,
  ports: StartPorts,
  request: StartRequest,
  stored: StoredGeneration,
): Verdict {
  const known = new Set([...storedExecutors(stored), ...ports.credentials()]);
  return verdictOf(comparison, {
    next: request.policy.executors.keys(),
    known,
    changes: request.changes ?? [],
  });
}
