/** The mediation point as the wire sees it: core's sessions, locator and dispatcher behind the Gate of mcp. */
import {
  type AuditLog,
  type CompiledPolicy,
  type Current,
  type DispatchPorts,
  type Dispatcher,
  type Entropy,
  type Handle,
  type Locator,
  type SessionId,
  type Sessions,
  base32,
  denial,
  executorOf,
  handleFrom,
  mintId,
  noSuchCapMessage,
  ownServer,
  shownMounts,
  splitToolName,
} from '@pawl/core';
import {
  type CallAnswer,
  type Gate,
  type GateRequest,
  type GateSession,
  type ListedTool,
  type RawResult,
  type Rejection,
  type SkillReadings,
  type Supervised,
  isRawResult,
  resultOf,
} from '../mcp/index.js';
import type { Desk } from './ask-desk.js';
import type { RunningServer, UpstreamExtras } from './servers.js';

/** What a gate is made from. */
export interface GateParts {
  readonly current: Current;
  readonly sessions: Sessions;
  readonly locator: Locator;
  readonly dispatcher: Dispatcher;
  /** As they are at each call. */
  readonly servers: () => readonly RunningServer[];
  /** How a tool stands to what is in force. */
  readonly standing: NonNullable<DispatchPorts['standing']>;
  readonly audit: AuditLog;
  readonly entropy: Entropy;
  readonly asks: Desk;
  readonly skills: SkillReadings;
}

/** Calls in flight, for `status`. */
export interface CountingGate extends Gate {
  inFlight(): number;
  /** Whether a tool of that session is mounted under that capability. */
  holds(session: SessionId, capability: string): boolean;
}

/** Makes the gate of a daemon. */
export function gateOf(parts: GateParts): CountingGate {
  let inFlight = 0;
  const settled = new WeakSet<Supervised>();
  const warmed = new WeakSet<GateSession>();
  return {
    inFlight: () => inFlight,
    holds: (session, capability) =>
      parts.locator.list(session).some((mount) => mount.capability.id === capability),
    openSession: (credential, anew = false) => {
      const policy = parts.current.peek()?.policy;
      const executor =
        policy === undefined ? undefined : executorOf(policy, credential.agent, credential.instance);
      if (executor === undefined || 'kind' in executor) return executor ?? noPolicy();
      const opening = { ...credential, executor: executor.id };
      const session = anew ? parts.sessions.openAnew(opening) : parts.sessions.resume(opening);
      if (session === undefined) {
        // What was revoked is told so call by call, and audited.
        const before = parts.sessions.lastOf(credential.key);
        return before === undefined ? noPolicy() : { id: before, executor: executor.id };
      }
      if (!warmed.has(session)) warmUp(parts, policy, session, settled);
      warmed.add(session);
      return session;
    },
    list: (session) => listed(parts, session, settled),
    child: (session, name) => parts.sessions.childOf(session, name),
    locate: (session, name) =>
      parts.locator.find(session, name) ?? parts.locator.former(session, name) ?? handleNamed(parts, name),
    asks: parts.asks,
    skills: parts.skills,
    rejected: (rejection) => noteRejection(parts, rejection),
    call: async (request) => {
      inFlight += 1;
      try {
        return await mediated(parts, request);
      } finally {
        inFlight -= 1;
      }
    },
  };
}

/**
 * The handle that an opaque name is, whoever holds it: the dispatcher finds nothing behind it in this session, and the audit
 * says whether it was foreign, expired or never there.
 */
function handleNamed({ current }: GateParts, name: string): Handle | undefined {
  const isOpaque = current.peek()?.policy.settings.exposure === 'opaque';
  return isOpaque && /^[a-z2-7]{26}$/u.test(name) ? handleFrom(name) : undefined;
}

/** A message that never became a call is audited all the same. */
function noteRejection(
  { audit, entropy, sessions }: GateParts,
  { session, key, code, why }: Rejection,
): void {
  const executor = session === undefined ? undefined : sessions.get(session)?.executor;
  audit.note({
    type: 'refusal',
    verdict: 'deny',
    call: mintId.call(`c_${base32(entropy.bytes(10))}`),
    code,
    layer: code === 'no_such_cap' ? 'handle' : 'decode',
    message: why,
    ...(session === undefined ? {} : { session }),
    ...(executor === undefined ? {} : { executor }),
    ...(key === undefined ? {} : { key }),
  });
}

function noPolicy(): ReturnType<typeof denial> {
  return denial({ code: 'no_such_cap', layer: 'handle', message: noSuchCapMessage });
}

/** Starts the processes that the session may call, so that the first call finds them up. */
function warmUp(
  parts: GateParts,
  policy: CompiledPolicy | undefined,
  { executor }: GateSession,
  settled: WeakSet<Supervised>,
): void {
  const reachable = policy?.executors.get(executor)?.reachable ?? [];
  const needed = new Set(reachable.map((tool) => splitToolName(tool).server));
  for (const { name, supervisor } of parts.servers()) {
    const supervised = needed.has(name) ? supervisor?.of(executor) : undefined;
    if (supervised !== undefined) void supervised.ready().then(() => settled.add(supervised));
  }
}

/** Tools as they are in force, whose process is up, or still on its way up for the first time. */
function listed(
  { locator, sessions, servers, standing, current }: GateParts,
  id: SessionId,
  settled: WeakSet<Supervised>,
): readonly ListedTool[] {
  const session = sessions.get(id);
  if (session === undefined) return [];
  const up = new Map(servers().map(({ name, supervisor }) => [name, supervisor?.of(session.executor)]));
  const mounts = locator.list(id).filter(({ tool }) => {
    const { server } = splitToolName(tool);
    if (server === ownServer) return true;
    const supervised = up.get(server);
    if (standing(tool, session.executor) !== 'in-force') return false;
    // A tool of a skill: no server has it.
    if (!up.has(server)) return true;
    if (supervised === undefined) return false;
    return supervised.state === 'up' || !settled.has(supervised);
  });
  const policy = current.peek()?.policy;
  const shown = policy === undefined ? [] : shownMounts(policy, session, mounts);
  return shown.map(({ name, handle, definition }) => ({ name, handle, definition }));
}

async function mediated(parts: GateParts, request: GateRequest): Promise<CallAnswer> {
  const waiting = coming(parts, request);
  if (waiting !== undefined) await waiting;
  const { session, handle, args, signal, onBehalfOf, onProgress, trace } = request;
  const extras: UpstreamExtras = {
    ...(onProgress === undefined ? {} : { onProgress }),
    ...(trace === undefined ? {} : { trace }),
  };
  const outcome = await parts.dispatcher.call({
    session,
    handle,
    args,
    signal,
    extras,
    ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
  });
  if (outcome.kind === 'result')
    return { kind: 'result', call: outcome.call, result: rawResult(outcome.value) };
  const { call, refusal, ask } = outcome;
  const open = ask === undefined ? undefined : parts.asks.shown(ask);
  return { kind: 'refused', call, refusal, ...(open === undefined ? {} : { ask: open }) };
}

/** The first start of the process behind a handle, or a listing of its changed tools, while it has not come to an end. */
function coming(
  { locator, servers }: GateParts,
  { session, handle }: GateRequest,
): Promise<unknown> | undefined {
  const located = handle === undefined ? 'unknown' : locator.locate(session, handle);
  if (typeof located === 'string') return undefined;
  const { server } = splitToolName(located.mount.tool);
  const supervised = servers()
    .find(({ name }) => name === server)
    ?.supervisor?.of(located.session.executor);
  return supervised?.settling() === true ? supervised.ready() : undefined;
}

function rawResult(value: unknown): RawResult {
  return isRawResult(value) ? value : resultOf(value);
}
