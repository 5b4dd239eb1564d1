/** Which session a request is for: the one of its credential, or a child of it that the request names. */
import { type JsonObject, type SessionId, own } from '@pawl/core';
import { metaOf } from './era.js';
import type { Gate } from './gate.js';

/** The member of `_meta` by which the client of a subagent names its child session. */
const childSessionKey = 'pawl/session';

/**
 * The session that a request is for. Undefined where it names a child that the credential's session does not have, or spells the
 * member otherwise: it is never answered by the wider session instead.
 */
export function addressed(
  gate: Pick<Gate, 'child'>,
  session: SessionId,
  params: JsonObject,
): SessionId | undefined {
  const meta = metaOf(params);
  const named = Object.keys(meta ?? {}).filter((key) => key.toLowerCase() === childSessionKey);
  if (meta === undefined || named.length === 0) return session;
  const name = own(meta, childSessionKey);
  return named.length === 1 && typeof name === 'string' ? gate.child?.(session, name) : undefined;
}
