/** The skills of a running daemon: what is loaded is mounted and kept over a restart, what is masked is told, and the audit knows of it. */
import {
  type AuditRecord,
  type Current,
  type Entry,
  type ExecutorId,
  type Freezes,
  type JsonObject,
  type LoadRequest,
  type LoadedSkill,
  type OverReach,
  type PreparedSkill,
  type Registry,
  type ShelfChange,
  type SkillRefusal,
  type SkillTool,
  type ToolCall,
  type TurnPort,
  CapError,
  Skills,
  canonicalJson,
  denial,
  isRefusal,
  parseToolName,
  type reloader,
  sha256,
  skillServer,
  spawn,
  turnPort,
} from '@pawl/core';
import { readYaml } from '../config/index.js';
import { isRawResult, within } from '../mcp/index.js';
import { skillFolder } from '../power/index.js';
import { unhurried } from './unhurried.js';
import { KeptSkills, type KeptSkillsParts, type NotLoaded, type SkillOrigin } from './kept-skills.js';

/** Runs a tool of a skill: the only way from a call to a skill's code. */
export interface SkillRunner {
  /** Makes ready what the tools of a skill need, before they are published; or says why one of them is no tool. */
  prepare(skill: PreparedSkill): Promise<SkillRefusal | void>;
  /** Whether there is what runs this tool of a prepared skill, confined; a tool without it is not mounted. */
  runs(tool: SkillTool, skill: PreparedSkill): boolean;
  /** What confines it. */
  confines?(tool: SkillTool): Entry['confinedBy'];
  /** Waits until there is room for one more run of such a tool; gives what gives it back. Rejects with why there is none. Default: there is. */
  room?(tool: SkillTool, signal: AbortSignal): Promise<() => void>;
  /** Answers one call. What it rejects with is the tool's error. */
  run(tool: SkillTool, skill: LoadedSkill, call: SkillCall): Promise<unknown>;
  /** What was granted to the tools of a prepared skill and gives their programs nothing, in words for people. Default: nothing to tell. */
  findings?(skill: PreparedSkill): readonly string[];
  /** A skill is loaded no longer: what its tools held is closed once no call of theirs runs. */
  retire?(skill: LoadedSkill): void;
  /** Nothing runs any more. */
  close?(): void;
}

/** One call of a skill's tool. */
export interface SkillCall {
  readonly args: JsonObject;
  readonly signal: AbortSignal;
  /** For powers: the turn of this call. */
  readonly turn: TurnPort;
  /** Gives back what {@link SkillRunner.room} gave; a second time does nothing. */
  readonly room?: () => void;
}

/** Nothing runs: skills are verified, intersected and masked, and their tools are not mounted. */
export const noRunner: SkillRunner = Object.freeze({
  prepare: () => Promise.resolve(),
  runs: () => false,
  run: () => Promise.reject(new Error('nothing runs skills here')),
});

/** What the skills of a daemon are made from. */
export interface LiveSkillsParts extends KeptSkillsParts {
  readonly current: Current;
  readonly registry: Registry;
  readonly runner: SkillRunner;
  readonly freezes: Pick<Freezes, 'covers'>;
}

/** The shelf of a daemon. */
export class LiveSkills {
  readonly shelf: Skills;
  readonly #parts: LiveSkillsParts;
  readonly #kept: KeptSkills;
  /** What was mounted here, by skill, and nobody else's: a server may have a name that begins like those of skills. */
  readonly #mounted = new Map<string, ReadonlyMap<Mountable['tool'], Mountable['digest']>>();

  constructor(parts: LiveSkillsParts) {
    const { current, clock, runner } = parts;
    this.#parts = parts;
    this.#kept = new KeptSkills(parts);
    this.shelf = new Skills({
      current,
      clock,
      readYaml,
      prepare: (skill) => runner.prepare(skill),
      overReached: (report) => this.#overReached(report),
      changed: (change) => this.#changed(change),
    });
  }

  /**
   * Loads a skill; a refusal is recorded too. One with an origin outlives the process when this resolves; rejects where that cannot
   * be written, and then it is not loaded.
   */
  async load(request: LoadRequest, origin?: SkillOrigin): Promise<LoadedSkill | SkillRefusal> {
    if (origin !== undefined) this.#kept.cameFrom(request.folder, origin);
    const answer = await this.shelf.load(request).catch(notReady);
    if (isRefusal(answer)) {
      this.#note('skill_refused', refusalData(request.executor, answer));
      return answer;
    }
    try {
      await this.#kept.written(answer);
    } catch (error) {
      this.shelf.unload(answer.executor, answer.manifest.frontmatter.name);
      throw error;
    }
    this.#kept.passOver(answer.executor, answer.manifest.frontmatter.name);
    return answer;
  }

  /** Unloads a skill, or forgets one of an earlier run that is not loaded. False when there is neither. */
  async unload(executor: ExecutorId, name: string): Promise<boolean> {
    if (!this.shelf.unload(executor, name)) return this.#kept.forget(executor, name);
    this.#kept.passOver(executor, name);
    await this.#kept.settled();
    return true;
  }

  /**
   * Loads what an earlier run had, by the same sequence, from the same folders. It has to be the same, and gets at most what it had.
   * What is refused is told, and forgotten, unless its folder could not be read; an operator loads it anew.
   */
  async restore(): Promise<void> {
    for (const stored of await this.#kept.earlier()) {
      const { executor, name, root, key, granted, folder: path, by } = stored;
      const folder = skillFolder(path);
      this.#kept.cameFrom(folder, { path, by });
      const before = { name, root, key, granted };
      const answer = await this.shelf.load({ folder, executor, before }).catch(notPrepared);
      if (isRefusal(answer)) await this.#kept.refusedAgain(stored, answer, refusalData(executor, answer));
    }
  }

  /** As reloads meet them. */
  get reloads(): NonNullable<Parameters<typeof reloader>[0]['skills']> {
    const { shelf } = this;
    return {
      foresee: (policy) => unhurried(shelf.foresee(policy)),
      reintersect: (snapshot) => shelf.reintersect(snapshot),
    };
  }

  /** Skills of an earlier run that could not be loaded again. */
  notLoaded(): readonly NotLoaded[] {
    return this.#kept.notLoaded();
  }

  /** The tools of a skill that nothing runs: they are not mounted. */
  absent(skill: PreparedSkill): readonly string[] {
    const { runner } = this.#parts;
    return skill.manifest.tools.filter((tool) => !runner.runs(tool, skill)).map(({ name }) => name);
  }

  /** What was granted to a skill and its programs do not get. */
  findings(skill: PreparedSkill): readonly string[] {
    return this.#parts.runner.findings?.(skill) ?? [];
  }

  /** Closes what loaded skills hold, once no call uses it; they stay loaded. */
  close(): void {
    const { runner } = this.#parts;
    for (const skill of this.shelf.list()) runner.retire?.(skill);
    runner.close?.();
  }

  #changed(change: ShelfChange): void {
    const { skill } = change;
    this.#mount(skill.manifest.frontmatter.name);
    if (change.kind === 'unloaded') this.#parts.runner.retire?.(skill);
    const { executor, manifest, verified, intersection } = skill;
    const about = { skill: manifest.frontmatter.name, executor, root: verified.root };
    this.#tell(change);
    if (change.kind === 'unloaded') {
      const why = change.why === undefined ? {} : { why: change.why.reason, message: change.why.message };
      this.#kept.drop({ ...about, ...why }, skill);
      return;
    }
    const { granted, masked } = intersection;
    const { by } = verified;
    const who = by === undefined ? { unsigned: true } : { by: { key: by.key, trusted: by.trusted } };
    const event = change.kind === 'loaded' ? 'skill_loaded' : 'skill_masked';
    this.#kept.put(event, { ...about, ...who, granted, masked }, skill);
  }

  /** What a reload took away, for whoever watches the daemon; what an operator asked for was answered. */
  #tell(change: ShelfChange): void {
    const { executor, manifest, intersection } = change.skill;
    const about = `the skill ${manifest.frontmatter.name} of ${executor}`;
    if (change.kind === 'masked')
      this.#parts.log?.(`${about} has less: ${intersection.masked.join(', ') || 'no tool'} masked now`);
    if (change.kind === 'unloaded' && change.why !== undefined)
      this.#parts.log?.(`${about} is unloaded (${change.why.reason}): ${change.why.message}`);
  }

  /** Every tool of the skill of that name, once, whoever it is loaded for: all of them have the same files. */
  #mount(name: string): void {
    const { registry } = this.#parts;
    const skills = this.shelf.list().filter(({ manifest }) => manifest.frontmatter.name === name);
    const wanted = new Map(skills.flatMap((skill) => entriesOf(skill, this.#parts, this.shelf)));
    const before = this.#mounted.get(name) ?? new Map<Mountable['tool'], Mountable['digest']>();
    const gone = [...before].filter(([tool, digest]) => wanted.get(tool)?.digest !== digest);
    // A server of the policy may have taken the name in the same step: what it mounts stays.
    const ours = gone.filter(([tool, digest]) => registry.table().get(tool)?.digest === digest);
    if (ours.length > 0) registry.unmount(ours.map(([tool]) => tool));
    const kept = [...before].filter(([tool, digest]) => wanted.get(tool)?.digest === digest);
    const come = [...wanted.values()].filter(({ tool }) => !registry.table().has(tool));
    if (come.length > 0) registry.mount(come);
    const now = new Map([...kept, ...come.map(({ tool, digest }) => [tool, digest] as const)]);
    if (now.size === 0) this.#mounted.delete(name);
    else this.#mounted.set(name, now);
  }

  #overReached({ skill, executor, by, intersection, outcome }: OverReach): void {
    const { ungranted, masked } = intersection;
    const signed = by && { key: by.key, trusted: by.trusted, ...(by.subject && { subject: by.subject }) };
    this.#note('security', {
      what: 'skill_over_reach',
      skill,
      executor,
      ...(signed === undefined ? { unsigned: true } : { by: signed }),
      outcome,
      ungranted: ungranted.map(({ capability, why }) => ({ capability, why })),
      masked,
    });
  }

  #note(event: Extract<AuditRecord, { type: 'event' }>['event'], data: JsonObject): void {
    this.#parts.audit.note({ type: 'event', event, data });
  }
}

/** What this machine did not allow, as a disk that is full, is for the operator to mend; anything else is Pawl's own trouble. */
function notReady(error: unknown): SkillRefusal {
  if (error instanceof Error && 'syscall' in error) return notPrepared(error);
  throw error;
}

/** A skill of an earlier run that cannot be made ready keeps nobody from starting. */
function notPrepared(error: unknown): SkillRefusal {
  const why = error instanceof Error ? error.message : String(error);
  const message = `It cannot be made ready: ${why}. Load it again when that is mended.`;
  return { kind: 'refused', code: 'skill_rejected', reason: 'unreadable', message };
}

function refusalData(executor: ExecutorId, { code, reason, message, file }: SkillRefusal): JsonObject {
  return { executor, code, reason, message, ...(file === undefined ? {} : { file }) };
}

type Mountable = Parameters<Registry['mount']>[0][number];
type Entries = readonly (readonly [string, Mountable])[];

/** Nothing of the tool ran. */
const goneMeanwhile = denial({
  code: 'changed_meanwhile',
  layer: 'skill',
  message: 'The skill was unloaded, or its tool masked, while the call waited. List the tools again.',
});

/** Nothing of the tool ran. */
const frozenMeanwhile = denial({
  code: 'not_permitted',
  layer: 'policy',
  message:
    'An operator froze this agent while the call waited, so nothing is permitted. Stop, and tell the operator.',
  detail: 'frozen',
});

function entriesOf(
  skill: LoadedSkill,
  { runner, current, freezes }: Pick<LiveSkillsParts, 'runner' | 'current' | 'freezes'>,
  shelf: Skills,
): Entries {
  const server = skillServer(skill.manifest.frontmatter.name);
  return skill.manifest.tools.flatMap((tool) => {
    const name = server && parseToolName(`${server}/${tool.name}`);
    const masked = skill.intersection.masked.includes(tool.name);
    if (name === undefined || (!masked && !runner.runs(tool, skill))) return [];
    const { description, inputSchema } = tool;
    const definition: JsonObject = { name: tool.name, description, inputSchema };
    const digest = sha256(canonicalJson({ definition, root: skill.verified.root }));
    const ref = spawn({
      parallel: Infinity,
      turn: async (_method, message, context) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the dispatcher sends actors nothing else
        const { args, executor } = message as ToolCall;
        const { signal } = context;
        const room = await runner.room?.(tool, signal);
        try {
          // After the wait, so that what was frozen, unloaded, masked or granted less meanwhile is.
          if (freezes.covers(executor) !== undefined) throw new CapError(frozenMeanwhile);
          const found = shelf.find(executor, name);
          if (found === undefined || found.masked) throw new CapError(goneMeanwhile);
          const call = { args, signal, turn: turnPort(context), ...(room !== undefined && { room }) };
          const answer = await runner.run(found.tool, found.skill, call);
          const most = current.peek()?.policy.settings.resultsMaxBytes ?? 0;
          return isRawResult(answer) ? within(answer, most) : answer;
        } finally {
          room?.();
        }
      },
    });
    const confinedBy = runner.confines?.(tool);
    const by = confinedBy === undefined ? {} : ({ confinement: 'object', confinedBy } as const);
    return [[name, { tool: name, ref, definition, digest, ...by }]];
  });
}
