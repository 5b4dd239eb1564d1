/** Loading a skill: one sequence, at whose end its tools are published, and before which nothing of it can be called. */
import { type ExecutorId, nodeOf } from '../ground/index.js';
import type { CompiledPolicy, ExecutorPolicy, Snapshot } from '../policy/index.js';
import { type Contents, type SkillFolder, readFolder } from './folder.js';
import type { ReadYaml } from './frontmatter.js';
import { type Intersection, intersect } from './intersect.js';
import { type SkillManifest, readManifest } from './manifest.js';
import { type SkillRefusal, isRefusal, skillRefusal } from './refusal.js';
import { type Trust, noTrust, readTrust } from './trust.js';
import { type SignedBy, type Verified, verifyContents } from './verify.js';

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

/** A skill that asked for more than it is granted, although whoever signed it is trusted. */
export interface OverReach {
  readonly skill: string;
  readonly executor: ExecutorId;
  readonly by: SignedBy;
  readonly intersection: Intersection;
  readonly outcome: 'rejected' | 'masked';
}

/** A loaded skill. Frozen; a reload that changes what is granted makes another one. */
export interface LoadedSkill extends PreparedSkill {
  readonly kind: 'loaded';
  /** As they were read: a changed trust file is held against them again. */
  readonly contents: Contents;
}

/** What is to be loaded, and for whom. */
export interface LoadRequest {
  readonly folder: SkillFolder;
  readonly executor: ExecutorId;
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
      return skillRefusal('no_executor', `The policy in force has no executor ${request.executor}.`);

    // verify signature → parse declared capabilities
    const skill = verifySkill(contents, snapshot.policy, ports);
    if (isRefusal(skill)) return skill;

    // intersect with the live grant → reject or mask
    const intersection = judge(ports, skill, { executor, settings: snapshot.policy.settings });
    if (isRefusal(intersection)) return intersection;
    const prepared: PreparedSkill = { executor: request.executor, ...skill, intersection, snapshot };
    const unfit = await ports.prepare?.(prepared);
    if (unfit !== undefined) return unfit;

    // publish the table, in the step in which the snapshot is still the one in force; else intersect again
    if (ports.current.peek() !== snapshot) continue;
    const loaded: LoadedSkill = Object.freeze({ kind: 'loaded' as const, ...prepared, contents });
    return ports.publish(loaded) ?? loaded;
  }
  return skillRefusal(
    'kept_changing',
    'The policy changed each time while the skill was loaded. Load it again.',
  );
}

/** Verified and parsed. */
export interface VerifiedSkill {
  readonly verified: Verified;
  readonly manifest: SkillManifest;
}

/** Verifies and parses what was read, and has the signer's terms name the skill. Never throws. */
export function verifySkill(
  contents: Contents,
  { settings }: Pick<CompiledPolicy, 'settings'>,
  { clock, readYaml }: Pick<LoadPorts, 'clock' | 'readYaml'>,
): VerifiedSkill | SkillRefusal {
  const verified = verifyContents(contents, trustIn(settings), clock.wall());
  if (isRefusal(verified)) return verified;
  const manifest = readManifest(verified.files, readYaml);
  if (isRefusal(manifest)) return manifest;
  return verified.mayBeCalled(manifest.frontmatter.name) ?? { verified, manifest };
}

/** The trust file of a policy; what cannot be read trusts nobody. */
function trustIn({ skillTrust }: CompiledPolicy['settings']): Trust {
  if (skillTrust === undefined) return noTrust;
  return readTrust(nodeOf(skillTrust, { line: 1, column: 1 })).trust ?? noTrust;
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
  const intersection = intersect({ manifest, ...meeting });
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
  return mode === 'fail_visible'
    ? skillRefusal('nothing_maskable', `${asks} No tool of it could be masked. Grant it, or leave the skill.`)
    : skillRefusal('over_reach', `${asks} Grant it, or say mode: fail_visible to load the rest.`);
}
