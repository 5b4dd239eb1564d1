/** Delegating in a session: what its executor holds is narrowed, a child session is opened for it, and both are recorded. */
import type { AuditLog } from '../audit/index.js';
import { type DelegationCertificate, type DelegationRequest, delegate } from '../capability/index.js';
import {
  type Denial,
  type Entropy,
  type Fault,
  type Json,
  type SessionId,
  base32,
  denial,
  fault,
} from '../ground/index.js';
import type { Current } from '../policy/index.js';
import { noSuchCapMessage } from './locator.js';
import type { Session } from './opening.js';
import type { Sessions } from './session.js';

/** What delegating needs. */
export interface DelegatingPorts {
  readonly sessions: Pick<Sessions, 'get' | 'openChild' | 'close'>;
  readonly current: Current;
  readonly audit: Pick<AuditLog, 'append'>;
  readonly entropy: Entropy;
}

/** What is asked for in a session. */
export interface SessionRequest extends DelegationRequest {
  /** Milliseconds that the child lives at most; as long as its parent unless told. */
  readonly ttl?: number | undefined;
}

/** A child session as whoever delegated is told of it. */
export interface DelegatedSession {
  readonly kind: 'delegated';
  readonly session: Session;
  /** By which the holder of the same credential addresses it; never to be written down. */
  readonly name: string;
  readonly certificate: DelegationCertificate;
}

/**
 * Delegates. The record is durable before anybody is told the name; where it cannot be written there is no child. Never rejects.
 */
export async function delegateSession(
  ports: DelegatingPorts,
  parent: SessionId,
  request: SessionRequest,
): Promise<DelegatedSession | Denial | Fault> {
  const { sessions, current, entropy, audit } = ports;
  const above = sessions.get(parent);
  const snapshot = current.peek();
  if (above === undefined || snapshot === undefined) return gone();
  if (request.ttl !== undefined && !(request.ttl > 0)) return noTime();
  const { agent, instance, child: of } = above;
  const id = `d_${base32(entropy.bytes(10))}`;
  const made = delegate(snapshot.policy, { agent, instance, delegation: of?.delegation }, request, id);
  if (made.kind !== 'delegated') return made;
  const opened = sessions.openChild(parent, made, request.ttl);
  if (opened === undefined) return gone();
  if (opened === 'full') return tooMany();
  const { session, name } = opened;
  const { certificate } = made;
  try {
    await audit.append(record(above, session, { id, generation: snapshot.generation.number, certificate }), {
      allow: request.allow,
    }).durable;
  } catch (error) {
    sessions.close(session.id);
    const why = error instanceof Error ? error.message : 'unknown';
    return fault('audit_unavailable', 'The delegation could not be recorded, so there is none.', why);
  }
  return { kind: 'delegated', session, name, certificate };
}

function record(
  parent: Session,
  child: Session,
  {
    id,
    generation,
    certificate,
  }: { readonly id: string; readonly generation: number; readonly certificate: DelegationCertificate },
): Parameters<AuditLog['append']>[0] {
  const { relation, rules, executors, depth, notGranted, notHeld } = certificate;
  const told: Json = notGranted.map(({ tool, left }) => ({ tool, left }));
  return {
    type: 'event',
    event: 'delegated',
    data: {
      executor: parent.executor,
      key: parent.key,
      session: child.id,
      parentSession: parent.id,
      delegation: id,
      generation,
      certificate: {
        relation,
        rules,
        executors: [...executors],
        depth,
        notGranted: told,
        notHeld: [...notHeld],
      },
    },
  };
}

function gone(): Denial {
  return denial({ code: 'no_such_cap', layer: 'handle', message: noSuchCapMessage });
}

function noTime(): Denial {
  const message = 'ttl: give milliseconds above 0, or leave it out.';
  return denial({ code: 'malformed_arguments', layer: 'decode', message });
}

function tooMany(): Denial {
  const message = 'This session has as many child sessions as it may have. Wait until one has ended.';
  return denial({ code: 'limit_used_up', layer: 'limit', message });
}
