/** What sessions read of loaded skills: served from memory, mediated and written down like a call. */
import {
  type AuditLog,
  type Clock,
  type Current,
  type Entropy,
  type Freezes,
  type IntentRecord,
  type LoadedSkill,
  type SessionId,
  type Sessions,
  type Skills,
  base32,
  denial,
  fault,
  mintId,
  skillServer,
  toolName,
} from '@pawl/core';
import type { SkillReading, SkillReadings } from '../mcp/index.js';

/** What readings are made from. */
export interface SkillReadingsParts {
  readonly current: Current;
  readonly sessions: Sessions;
  readonly freezes: Freezes;
  readonly skills: Pick<Skills, 'servedTo'>;
  readonly audit: AuditLog;
  readonly clock: Clock;
  readonly entropy: Entropy;
}

/** Readings of the skills of a daemon. */
export function skillReadings(parts: SkillReadingsParts): SkillReadings {
  return {
    served: (session) => servedIn(parts, session),
    read: (reading) => read(parts, reading),
  };
}

/** A child session has what was delegated, and that is never a skill. */
function servedIn(
  { current, sessions, freezes, skills }: SkillReadingsParts,
  id: SessionId,
): readonly LoadedSkill[] {
  const session = sessions.get(id);
  if (session === undefined || session.child !== undefined) return [];
  const { executor } = session;
  const stands =
    current.peek()?.policy.executors.has(executor) === true &&
    freezes.covers(executor) === undefined &&
    sessions.mountsOf(id)?.isMoved() === false;
  return stands ? skills.servedTo(executor) : [];
}

async function read(parts: SkillReadingsParts, reading: SkillReading): ReturnType<SkillReadings['read']> {
  const { audit, clock, current } = parts;
  const most = current.peek()?.policy.settings.resultsMaxBytes ?? 0;
  if (reading.file.bytes.length > most)
    return fault('result_too_large', `the file is larger than ${most} bytes; ask for another one`);
  const began = clock.monotonic();
  const intent = intentOf(parts, reading);
  try {
    await audit.append(intent).durable;
  } catch (error) {
    const why = error instanceof Error ? error.message : 'unknown';
    return fault('audit_unavailable', 'the audit log cannot be written, so nothing is read; try later', why);
  }
  // last check: what was unloaded or masked meanwhile is not handed out
  const stands = servedIn(parts, reading.session).some(
    ({ manifest, verified }) =>
      manifest.frontmatter.name === reading.skill.manifest.frontmatter.name &&
      verified.root === reading.skill.verified.root,
  );
  const { call } = intent;
  const milliseconds = Math.round(clock.monotonic() - began);
  if (stands) {
    audit.note({ type: 'settlement', call, outcome: 'ok', milliseconds });
    return undefined;
  }
  const message = 'this skill is not loaded any more; list again what there is';
  const refused = denial({ code: 'no_such_cap', layer: 'handle', message });
  audit.note({ type: 'settlement', call, outcome: 'not_dispatched', code: refused.code, milliseconds });
  return refused;
}

/** The access `(server/@resource, read, uri)` or `(server/@prompt:NAME, read)`, in the form of a call's record. */
function intentOf({ current, sessions, entropy }: SkillReadingsParts, reading: SkillReading): IntentRecord {
  const { session: id, skill, file, what } = reading;
  const { name } = skill.manifest.frontmatter;
  const server = skillServer(name);
  const tool = server && toolName(server, 'uri' in what ? '@resource' : `@prompt:${name}`);
  const session = sessions.get(id);
  const snapshot = current.peek();
  const epoch = session && snapshot?.epochs.get(session.executor);
  const generation = snapshot && { number: snapshot.generation.number, hash: snapshot.generation.hash };
  const uri = 'uri' in what ? { uri: what.uri } : {};
  const access = { tool: tool ?? name, verb: 'read', ...uri, digest: file.digest };
  return {
    type: 'intent',
    verdict: 'permit',
    level: 'permit',
    rules: [`skills.${name}`],
    call: mintId.call(`c_${base32(entropy.bytes(10))}`),
    session: id,
    ...(session && { executor: session.executor, key: session.key }),
    ...(tool && { tool }),
    ...(generation && { policyGeneration: generation }),
    ...(epoch === undefined ? {} : { epoch }),
    target: [access],
    confinement: 'object',
  };
}
