/** A loaded skill in the form that control and commands show. */
import type { LoadedSkill, SkillRefusal, Skills } from '@pawl/core';
import type { SkillLoadView, SkillView } from '../control/index.js';
import type { StoredSkill } from '../store/index.js';

/** What is known of a loaded skill beside itself. */
export interface SkillFacts {
  /** Its tools that nothing runs. */
  readonly absent: readonly string[];
  /** What was granted and its programs do not get, in words for people. */
  readonly findings: readonly string[];
  readonly shelf?: Pick<Skills, 'maskedCalls'>;
}

/** The view of a loaded skill. */
export function skillView(skill: LoadedSkill, { absent, findings, shelf }: SkillFacts): SkillView {
  const { manifest, verified, intersection, executor } = skill;
  const { granted, ungranted, masked, unresolved } = intersection;
  const { by } = verified;
  const missing = new Set([...absent, ...masked]);
  return {
    name: manifest.frontmatter.name,
    executor,
    root: verified.root,
    ...(by && { signer: { key: by.key, trusted: by.trusted, ...(by.subject && { subject: by.subject }) } }),
    granted,
    ungranted,
    tools: manifest.tools.map(({ name }) => name).filter((name) => !missing.has(name)),
    masked,
    absent: absent.filter((name) => !masked.includes(name)),
    unresolved,
    findings,
    maskedCalls: Object.fromEntries(masked.map((name) => [name, shelf?.maskedCalls(skill, name) ?? 0])),
  };
}

/** The view of a skill that was loaded in an earlier run and is not in this one. */
export function notLoadedView(stored: StoredSkill, { reason, message }: SkillRefusal): SkillView {
  const { name, executor, root, key } = stored;
  const none = { granted: [], ungranted: [], tools: [], masked: [] };
  const nothing = { ...none, absent: [], unresolved: [], findings: [] };
  const signer = key && { signer: { key } };
  return { name, executor, root, ...signer, ...nothing, maskedCalls: {}, notLoaded: { reason, message } };
}

/** The view of a refusal. */
export function refusedView({ code, reason, message, file }: SkillRefusal): SkillLoadView {
  return { loaded: false, code, reason, message, ...(file === undefined ? {} : { file }) };
}

/** A loaded skill in words, one line each. */
export function skillLines(view: SkillView): readonly string[] {
  const { name, executor, signer, granted, ungranted, tools, masked, absent, unresolved } = view;
  const { findings, notLoaded } = view;
  const list = (what: string, items: readonly string[]): readonly string[] =>
    items.length === 0 ? [] : [`  ${what}: ${items.join(', ')}`];
  const who = signer === undefined ? 'UNSIGNED: sandbox only' : `signed by ${signer.subject ?? signer.key}`;
  return [
    `${name} for ${executor}, ${who}`,
    ...(notLoaded === undefined ? [] : [`  NOT LOADED (${notLoaded.reason}): ${notLoaded.message}`]),
    ...list('granted', granted),
    ...ungranted.map(({ capability, why }) => `  not granted: ${capability} (${why})`),
    ...list('tools', tools),
    ...list('masked', masked),
    ...list('absent, nothing runs them here', absent),
    ...list('allowed-tools that mean nothing here', unresolved),
    ...findings.map((each) => `  not given to programs: ${each}`),
  ];
}
