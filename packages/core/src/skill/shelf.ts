/** The skills that are loaded, executor by executor: what is published, what is masked, and what a reload leaves of it. */
import {
  type Denial,
  type ExecutorId,
  type ToolName,
  denial,
  splitToolName,
  toolName,
} from '../ground/index.js';
import { type CompiledPolicy, type Snapshot, type ToolPolicy, type Work, openTool } from '../policy/index.js';
import type { Intersection } from './intersect.js';
import {
  type LoadPorts,
  type LoadedSkill,
  type LoadRequest,
  type OverReach,
  judge,
  loadSkill,
  quietly,
  verifyAgain,
} from './load.js';
import { type SkillTool, serverPrefix, skillServer } from './manifest.js';
import { type SkillRefusal, isRefusal, skillRefusal } from './refusal.js';

/** What the shelf needs from around it; it fills in `publish` itself. */
export interface ShelfPorts extends Omit<LoadPorts, 'publish'> {
  /** Told in the step in which what is published changed; must not wait. */
  readonly changed?: (change: ShelfChange) => void;
}

/** A skill came, went, or has other tools. */
export type ShelfChange =
  | { readonly kind: 'loaded' | 'masked'; readonly skill: LoadedSkill }
  | { readonly kind: 'unloaded'; readonly skill: LoadedSkill; readonly why: SkillRefusal | undefined };

/** A tool of a loaded skill, found by its name. */
export interface ShelfTool {
  readonly skill: LoadedSkill;
  readonly tool: SkillTool;
  readonly masked: boolean;
}

/** What a policy leaves of a loaded skill, and what there is to tell of it. */
interface Foreseen {
  readonly outcome: Pick<LoadedSkill, 'verified' | 'intersection'> | SkillRefusal;
  readonly reports: readonly OverReach[];
}

/** All loaded skills of a process. */
export class Skills {
  readonly #ports: ShelfPorts;
  readonly #loaded = new Map<ExecutorId, Map<string, LoadedSkill>>();
  /** By the policy that may come into force. */
  readonly #foreseen = new WeakMap<CompiledPolicy, ReadonlyMap<LoadedSkill, Foreseen>>();
  #changes = 0;
  readonly #maskedCalls = new WeakMap<LoadedSkill['manifest'], Map<string, number>>();

  constructor(ports: ShelfPorts) {
    this.#ports = ports;
  }

  /** Another number after every change of what is published. */
  get changes(): number {
    return this.#changes;
  }

  /** Loads a skill for an executor; see {@link loadSkill}. */
  load(request: LoadRequest): Promise<LoadedSkill | SkillRefusal> {
    return loadSkill({ ...this.#ports, publish: (skill) => this.#publish(skill) }, request);
  }

  /** Whether there was one to unload. */
  unload(executor: ExecutorId, name: string): boolean {
    const skill = this.#loaded.get(executor)?.get(name);
    if (skill === undefined) return false;
    this.#drop(skill, undefined);
    return true;
  }

  /** In the order of loading. */
  list(): readonly LoadedSkill[] {
    return [...this.#loaded.values()].flatMap((skills) => [...skills.values()]);
  }

  /**
   * Skills whose instructions and files an executor may read: those that somebody signed, and of which, where they have tools, some
   * can be called. In the order of loading.
   */
  servedTo(executor: ExecutorId): readonly LoadedSkill[] {
    return [...(this.#loaded.get(executor)?.values() ?? [])].filter(
      ({ verified, manifest: { tools }, intersection: { masked } }) =>
        verified.by !== undefined && (tools.length === 0 || masked.length < tools.length),
    );
  }

  /** The names of an executor's tools: those that can be called, and those that are masked. */
  toolsOf(executor: ExecutorId): {
    readonly open: readonly ToolName[];
    readonly masked: readonly ToolName[];
  } {
    const all = [...(this.#loaded.get(executor)?.values() ?? [])].flatMap(shelfTools);
    const names = (masked: boolean): readonly ToolName[] =>
      all.filter((each) => each.masked === masked).flatMap((each) => nameOf(each) ?? []);
    return { open: names(false), masked: names(true) };
  }

  /** A tool of a skill that is loaded for the executor. */
  find(executor: ExecutorId, tool: ToolName): ShelfTool | undefined {
    const { server, tool: name } = splitToolName(tool);
    if (!server.startsWith(serverPrefix)) return undefined;
    const skill = this.#loaded.get(executor)?.get(server.slice(serverPrefix.length));
    return skill && shelfTools(skill).find((each) => each.tool.name === name);
  }

  /** The refusal of a call to a masked tool, counted; undefined for a tool that is not masked. Nothing of the skill is touched. */
  refuseMasked({ skill, tool, masked }: ShelfTool, shown: string): Denial | undefined {
    if (!masked) return undefined;
    const counts = this.#maskedCalls.get(skill.manifest) ?? new Map<string, number>();
    this.#maskedCalls.set(skill.manifest, counts.set(tool.name, (counts.get(tool.name) ?? 0) + 1));
    return denial({
      code: 'masked',
      layer: 'skill',
      message: `${shown} is masked: its skill asks for more than it is granted. This is final; go on without it, or tell the operator.`,
      detail: `skill ${skill.manifest.frontmatter.name}, signed by ${skill.verified.by?.key ?? 'nobody'}`,
    });
  }

  /** How often calls to a masked tool were refused by `refuseMasked`. */
  maskedCalls(skill: LoadedSkill, tool: string): number {
    return this.#maskedCalls.get(skill.manifest)?.get(tool) ?? 0;
  }

  /**
   * Works out, skill by skill, what a policy that may come into force leaves of each, so that `reintersect` finds it done. Nothing
   * changes, and nothing is told.
   */
  *foresee(policy: CompiledPolicy): Work<void> {
    const foreseen = new Map<LoadedSkill, Foreseen>();
    this.#foreseen.set(policy, foreseen);
    for (const skill of this.list()) {
      foreseen.set(skill, this.#under(skill, policy));
      yield;
    }
  }

  /**
   * Holds every loaded skill against a snapshot that just came into force; to be called in that very step. What is no longer
   * granted is masked, or the skill unloaded; what is granted more now stays masked until the skill is loaded anew.
   */
  reintersect(snapshot: Snapshot): void {
    const foreseen = this.#foreseen.get(snapshot.policy);
    for (const skill of this.list()) {
      const { outcome, reports } = foreseen?.get(skill) ?? this.#under(skill, snapshot.policy);
      for (const report of reports) this.#ports.overReached(report);
      if (isRefusal(outcome)) this.#drop(skill, outcome);
      else this.#replace(skill, Object.freeze({ ...skill, ...outcome, snapshot }));
    }
  }

  #under(skill: LoadedSkill, policy: CompiledPolicy): Foreseen {
    const reports: OverReach[] = [];
    const executor = policy.executors.get(skill.executor);
    if (executor === undefined) {
      const message = `The policy in force has no executor ${skill.executor}.`;
      return { outcome: skillRefusal('no_executor', message), reports };
    }
    const again = verifyAgain(skill, policy, this.#ports.clock);
    if (isRefusal(again)) return { outcome: again, reports };
    const nameless = unmountable(skill, policy);
    if (nameless !== undefined) return { outcome: nameless, reports };
    const { granted } = skill.intersection;
    const ports = quietly({ overReached: (report) => void reports.push(report) }, granted);
    const atMost = new Set(granted);
    const intersection = judge(ports, again, { executor, settings: policy.settings, atMost });
    const { verified } = again;
    return { outcome: isRefusal(intersection) ? intersection : { verified, intersection }, reports };
  }

  #publish(skill: LoadedSkill): SkillRefusal | undefined {
    const { name } = skill.manifest.frontmatter;
    const mine = this.#loaded.get(skill.executor) ?? new Map<string, LoadedSkill>();
    const refusal = this.#unfit(skill, mine);
    if (refusal !== undefined) return refusal;
    this.#loaded.set(skill.executor, mine.set(name, skill));
    this.#tell({ kind: 'loaded', skill });
    return undefined;
  }

  #unfit(skill: LoadedSkill, mine: ReadonlyMap<string, LoadedSkill>): SkillRefusal | undefined {
    const { name } = skill.manifest.frontmatter;
    if (mine.has(name))
      return skillRefusal(
        'already_loaded',
        `A skill ${name} is loaded for ${skill.executor}. Unload it first: pawl skill unload.`,
      );
    const nameless = unmountable(skill, skill.snapshot.policy);
    if (nameless !== undefined) return nameless;
    const other = this.list().find((each) => each.manifest.frontmatter.name === name);
    if (other === undefined || other.verified.root === skill.verified.root) return undefined;
    const message = `Another version of ${name} is loaded for ${other.executor}. Unload it first: pawl skill unload.`;
    return skillRefusal('already_loaded', message);
  }

  #replace(skill: LoadedSkill, next: LoadedSkill): void {
    this.#loaded.get(skill.executor)?.set(skill.manifest.frontmatter.name, next);
    if (!sameGrant(skill.intersection, next.intersection)) this.#tell({ kind: 'masked', skill: next });
  }

  #drop(skill: LoadedSkill, why: SkillRefusal | undefined): void {
    const mine = this.#loaded.get(skill.executor);
    mine?.delete(skill.manifest.frontmatter.name);
    if (mine?.size === 0) this.#loaded.delete(skill.executor);
    this.#tell({ kind: 'unloaded', skill, why });
  }

  #tell(change: ShelfChange): void {
    this.#changes += 1;
    this.#ports.changed?.(change);
  }
}

const policies = new WeakMap<SkillTool, ToolPolicy | undefined>();

/** What admits calls of a skill's tool: that it is there. What it does is admitted where it does it. */
export function toolOf({ skill, tool }: ShelfTool, name: ToolName): ToolPolicy | undefined {
  if (!policies.has(tool)) {
    const rule = `skills.${skill.manifest.frontmatter.name}`;
    policies.set(tool, openTool(name, tool.inputSchema, rule));
  }
  return policies.get(tool);
}

/** A skill with tools whose names would begin like those of a server of the policy. */
function unmountable(
  { manifest }: LoadedSkill,
  policy: Pick<CompiledPolicy, 'servers'>,
): SkillRefusal | undefined {
  const { name } = manifest.frontmatter;
  const server = skillServer(name);
  if (manifest.tools.length === 0 || server === undefined || !policy.servers.has(server)) return undefined;
  const message = `The policy has a server ${server}, so the tools of ${name} cannot go by that name. Rename one of them.`;
  return skillRefusal('bad_frontmatter', message);
}

function shelfTools(skill: LoadedSkill): readonly ShelfTool[] {
  const masked = new Set(skill.intersection.masked);
  return skill.manifest.tools.map((tool) => ({ skill, tool, masked: masked.has(tool.name) }));
}

function nameOf({ skill, tool }: ShelfTool): ToolName | undefined {
  const server = skillServer(skill.manifest.frontmatter.name);
  return server && toolName(server, tool.name);
}

/** Nothing unmasks and nothing is granted again, so that as many are the same ones. */
function sameGrant(a: Intersection, b: Intersection): boolean {
  return a.masked.length === b.masked.length && a.granted.length === b.granted.length;
}
