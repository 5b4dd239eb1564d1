/** Loading a skill: one sequence, at whose end its tools are published, and before which nothing of it can be called. */
import { type Digest, type ExecutorId, nodeOf } from '../ground/index.js';
import type { CompiledPolicy, ExecutorPolicy, Snapshot } from '../policy/index.js';
import { type Contents, type SkillFolder, readFolder } from './folder.js';
import type { ReadYaml } from './frontmatter.js';
import { type Intersection, intersect } from './intersect.js';
import { type SkillManifest, readManifest } from './manifest.js';
import { type SkillRefusal, isRefusal, skillRefusal } from './refusal.js';
import { type Trust, noTrust, readTrust } from './trust.js';
import { type SignedBy, type Verified, unsignedContents, verifyContents } from './verify.js';

/** What loading needs from around it. */
export interface LoadPorts {
  /** Holds the snapshot in force. */
  readonly current: { peek(): Snapshot | undefined };
  /** Wall-clock milliseconds. */
  readonly clock: { wall(): number };
  readonly readYaml: ReadYaml;
  /**
   * Makes ready what runs the tools, before they are published, or says why a tool is none. What it rejects with ends the load.
   */
  readonly prepare?: (skill: PreparedSkill) => Promise<SkillRefusal | void>;
  /** A skill asked for more than it is granted: told before the load ends, whether it is rejected or masked. */
  readonly overReached: (report: OverReach) => void;
  /** Puts the skill in place. Called in the very step in which the snapshot was seen to be still in force; must not wait. */
  readonly publish: (skill: LoadedSkill) => SkillRefusal | undefined;
}

/** A skill that is verified, parsed and intersected, and not published yet. */
export interface PreparedSkill {
  readonly executor: ExecutorId;
  readonly manifest: SkillManifest;
  readonly verified: Verified;
  readonly intersection: Intersection;
  /** What it was judged under. */
  readonly snapshot: Snapshot;
}

/** A skill that asked for more than it is granted, although whoever signed it is trusted, or although nobody signed it. */
export interface OverReach {
  readonly skill: string;
  readonly executor: ExecutorId;
  readonly by: SignedBy | undefined;
  readonly intersection: Intersection;
  readonly outcome: 'rejected' | 'masked';
}

/** A loaded skill. Frozen; a reload that changes what is granted makes another one. */
export interface LoadedSkill extends PreparedSkill {
  readonly kind: 'loaded';
  /** As they were read: a changed trust file is held against them again. */
  readonly contents: Contents;
  /** Where they were read from; it is not read again. */
  readonly folder: SkillFolder;
}

/** What is to be loaded, and for whom. */
export interface LoadRequest {
  readonly folder: SkillFolder;
  readonly executor: ExecutorId;
  /** Where it was loaded before: it has to be the same, and gets no more than it had. */
  readonly before?: LoadedBefore;
}

/** A skill as it was loaded in an earlier run. */
export interface LoadedBefore {
  readonly name: string;
  readonly root: Digest;
  /** The key that signed; undefined where nobody did. */
  readonly key: Digest | undefined;
  readonly granted: readonly string[];
}

/** How often a policy may change while one skill is loaded. */
const mostChanges = 8;

/** Loads a skill. Each file is read once, and what was hashed is what is loaded. Never rejects but with what `prepare` does. */
export async function loadSkill(ports: LoadPorts, request: LoadRequest): Promise<LoadedSkill | SkillRefusal> {
  const contents = await readFolder(request.folder);
  if (isRefusal(contents)) return contents;
  for (let tries = 0; tries < mostChanges; tries += 1) {
    // pin: everything below is judged under one snapshot
    const snapshot = ports.current.peek();
    const executor = snapshot?.policy.executors.get(request.executor);
    if (snapshot === undefined || executor === undefined)
      return skillRefusal('no_executor', noExecutor(request.executor));

    // verify signature → parse declared capabilities
    const skill = sameAs(request.before, verifySkill(contents, snapshot.policy, ports));
    if (isRefusal(skill)) return skill;

    // intersect with the live grant → reject or mask
    const meeting = { executor, settings: snapshot.policy.settings, ...atMostOf(request) };
    const intersection = judge(telling(ports, request), skill, meeting);
    if (isRefusal(intersection)) return intersection;
    const prepared: PreparedSkill = { executor: request.executor, ...skill, intersection, snapshot };
    const unfit = await ports.prepare?.(prepared);
    if (unfit !== undefined) return unfit;

    // publish the table, in the step in which the snapshot is still the one in force; else intersect again
    if (ports.current.peek() !== snapshot) continue;
    const { folder } = request;
    const loaded: LoadedSkill = Object.freeze({ kind: 'loaded' as const, ...prepared, contents, folder });
    return ports.publish(loaded) ?? loaded;
  }
  return skillRefusal(
    'kept_changing',
    'The policy changed each time while the skill was loaded. Load it again.',
  );
}

function noExecutor(executor: ExecutorId): string {
  return `The policy in force has no executor ${executor}. Name an agent of it, and the instance where the agent has instances.`;
}

/** The skill, if it is what was loaded before. */
function sameAs(
  before: LoadedBefore | undefined,
  skill: VerifiedSkill | SkillRefusal,
): VerifiedSkill | SkillRefusal {
  if (before === undefined || isRefusal(skill)) return skill;
  const { verified, manifest } = skill;
  const same =
    verified.root === before.root &&
    verified.by?.key === before.key &&
    manifest.frontmatter.name === before.name;
  if (same) return skill;
  const message = `The folder does not hold what was loaded from it as ${before.name}. Look at it, and load it again.`;
  return skillRefusal('not_as_loaded', message);
}

function atMostOf({ before }: LoadRequest): Pick<Meeting, 'atMost'> {
  return before === undefined ? {} : { atMost: new Set(before.granted) };
}

function telling(ports: LoadPorts, { before }: LoadRequest): Pick<LoadPorts, 'overReached'> {
  return before === undefined ? ports : quietly(ports, before.granted);
}

/** Tells of over-reach only where something that was granted is not any more: what was told when the skill was loaded is no news. */
export function quietly(
  { overReached }: Pick<LoadPorts, 'overReached'>,
  granted: readonly string[],
): Pick<LoadPorts, 'overReached'> {
  return {
    overReached: (report) => {
      const lost = report.intersection.ungranted.some(({ capability }) => granted.includes(capability));
      if (lost) overReached(report);
    },
  };
}

/** Verified and parsed. */
export interface VerifiedSkill {
  readonly verified: Verified;
  readonly manifest: SkillManifest;
}

/** Verifies and parses what was read, and has the signer's terms name the skill. Never throws. */
function verifySkill(
  contents: Contents,
  { settings }: Pick<CompiledPolicy, 'settings'>,
  { clock, readYaml }: Pick<LoadPorts, 'clock' | 'readYaml'>,
): VerifiedSkill | SkillRefusal {
  const bare = contents.signature === undefined && settings.unsignedSkills === 'sandbox';
  const verified = bare
    ? unsignedContents(contents)
    : verifyContents(contents, trustIn(settings), clock.wall());
  if (isRefusal(verified)) return verified;
  const manifest = readManifest(verified.files, readYaml);
  if (isRefusal(manifest)) return manifest;
  return verified.mayBeCalled(manifest.frontmatter.name) ?? { verified, manifest };
}

/** A loaded skill under another policy: what was read and hashed is the same, who is trusted may not be. Never throws. */
export function verifyAgain(
  { contents, verified, manifest }: LoadedSkill,
  { settings }: Pick<CompiledPolicy, 'settings'>,
  clock: LoadPorts['clock'],
): VerifiedSkill | SkillRefusal {
  const trust = trustIn(settings);
  const unsigned = verified.by === undefined && settings.unsignedSkills !== 'sandbox';
  const again = unsigned
    ? verifyContents(contents, trust, clock.wall())
    : verified.recheck(trust, clock.wall());
  if (isRefusal(again)) return again;
  return again.mayBeCalled(manifest.frontmatter.name) ?? { verified: again, manifest };
}

const trustFiles = new WeakMap<object, Trust>();

/** The trust file of a policy; what cannot be read trusts nobody. */
function trustIn({ skillTrust }: CompiledPolicy['settings']): Trust {
  if (typeof skillTrust !== 'object' || skillTrust === null) return noTrust;
  const known = trustFiles.get(skillTrust);
  const trust = known ?? readTrust(nodeOf(skillTrust, { line: 1, column: 1 })).trust ?? noTrust;
  if (known === undefined) trustFiles.set(skillTrust, trust);
  return trust;
}

/** Where a verified skill meets authority. */
export interface Meeting {
  readonly executor: ExecutorPolicy;
  readonly settings: CompiledPolicy['settings'];
  readonly atMost?: ReadonlySet<string>;
}

/** Intersects, and decides what over-reach comes to: rejection, or masks if there is anything to mask. Never throws. */
export function judge(
  { overReached }: Pick<LoadPorts, 'overReached'>,
  { verified, manifest }: VerifiedSkill,
  meeting: Meeting,
): Intersection | SkillRefusal {
  const intersection = intersect({ manifest, unsigned: verified.by === undefined, ...meeting });
  if (intersection.ungranted.length === 0) return intersection;
  const { mode, masked } = intersection;
  const masks = mode === 'fail_visible' && masked.length > 0;
  const report = {
    skill: manifest.frontmatter.name,
    executor: meeting.executor.id,
    by: verified.by,
    intersection,
  };
  overReached({ ...report, outcome: masks ? 'masked' : 'rejected' });
  if (masks) return intersection;
  const told = intersection.ungranted.map(({ capability, why }) => `${capability} (${why})`).join('; ');
  const asks = `The skill ${report.skill} asks ${report.executor} for more than it is granted: ${told}.`;
  const [agent = ''] = report.executor.split('/');
  const grantIt = `Grant it at agents.${agent}.skills.${report.skill}`;
  return mode === 'fail_visible'
    ? skillRefusal(
        'nothing_maskable',
        `${asks} No tool of it could be masked. ${grantIt}, or leave the skill.`,
      )
    : skillRefusal('over_reach', `${asks} ${grantIt}, or say mode: fail_visible there to load the rest.`);
}
