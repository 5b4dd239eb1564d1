/** The skills of a running daemon: what is loaded is mounted and kept over a restart, what is masked is told, and the audit knows of it. */
import {
  type AuditRecord,
  type Current,
  type ExecutorId,
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
  Skills,
  canonicalJson,
  isRefusal,
  parseToolName,
  sha256,
  skillServer,
  spawn,
} from '@pawl/core';
import { readYaml } from '../config/index.js';
import { skillFolder } from '../power/index.js';
import type { SkillStore, StoredSkill } from '../store/index.js';

/** Runs a tool of a skill: the only way from a call to a skill's code. */
export interface SkillRunner {
  /** Makes ready what the tools of a skill need, before they are published. */
  prepare(skill: PreparedSkill): Promise<void>;
  /** Whether there is what runs this file of a prepared skill, confined; a tool without it is not mounted. */
  runs(file: string, skill: PreparedSkill): boolean;
  /** Answers one call. What it rejects with is the tool's error. */
  run(tool: SkillTool, skill: LoadedSkill, call: SkillCall): Promise<unknown>;
}

/** One call of a skill's tool. */
export interface SkillCall {
  readonly args: JsonObject;
  readonly signal: AbortSignal;
}

/** Nothing runs: skills are verified, intersected and masked, and their tools are not mounted. */
export const noRunner: SkillRunner = Object.freeze({
  prepare: () => Promise.resolve(),
  runs: () => false,
  run: () => Promise.reject(new Error('nothing runs skills here')),
});

/** What loaded skills are kept with. */
export interface LiveSkillsParts {
  readonly current: Current;
  readonly registry: Registry;
  readonly clock: { wall(): number };
  readonly audit: { note(record: AuditRecord): void };
  readonly runner: SkillRunner;
  /** Where loaded skills outlive the process; nowhere unless given. */
  readonly kept?: SkillStore;
  readonly log?: (line: string) => void;
}

/** Where a skill comes from, and who wants it. */
export interface SkillOrigin {
  /** Absolute path of its folder. */
  readonly path: string;
  readonly by: string;
}

/** A skill of an earlier run that is not loaded in this one. */
export interface NotLoaded {
  readonly stored: StoredSkill;
  readonly refusal: SkillRefusal;
}

/** The shelf of a daemon. */
export class LiveSkills {
  readonly shelf: Skills;
  readonly #parts: LiveSkillsParts;
  readonly #origins = new WeakMap<LoadRequest['folder'], SkillOrigin>();
  readonly #writes = new WeakMap<LoadedSkill, Promise<void>>();
  /** What was mounted here, and nobody else's: a server may have a name that begins like those of skills. */
  readonly #mounted = new Map<Mountable['tool'], Mountable['digest']>();
  #notLoaded: readonly NotLoaded[] = [];
  #written: Promise<void> = Promise.resolve();

  constructor(parts: LiveSkillsParts) {
    const { current, clock, runner } = parts;
    this.#parts = parts;
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
    if (origin !== undefined) this.#origins.set(request.folder, origin);
    const answer = await this.shelf.load(request);
    if (isRefusal(answer)) {
      this.#note('skill_refused', refusalData(request.executor, answer));
      return answer;
    }
    try {
      await this.#writes.get(answer);
    } catch (error) {
      this.shelf.unload(answer.executor, answer.manifest.frontmatter.name);
      throw error;
    }
    this.#forgetNotLoaded(answer.executor, answer.manifest.frontmatter.name);
    return answer;
  }

  /** Unloads a skill, or forgets one of an earlier run that is not loaded. False when there is neither. */
  async unload(executor: ExecutorId, name: string): Promise<boolean> {
    const known = this.#forgetNotLoaded(executor, name);
    if (this.shelf.unload(executor, name)) await this.#written;
    else if (known)
      await this.#parts.kept?.drop('skill_unloaded', { skill: name, executor }, { executor, name });
    else return false;
    return true;
  }

  /**
   * Loads what an earlier run had, by the same sequence, from the same folders. It has to be the same, and gets at most what it had.
   * What is refused is told, and forgotten, unless its folder could not be read; an operator loads it anew.
   */
  async restore(): Promise<void> {
    for (const stored of (await this.#parts.kept?.list()) ?? []) await this.#restoreOne(stored);
  }

  /** Skills of an earlier run that could not be loaded again. */
  notLoaded(): readonly NotLoaded[] {
    return this.#notLoaded;
  }

  async #restoreOne(stored: StoredSkill): Promise<void> {
    const { executor, name, root, key, granted, folder: path, by } = stored;
    const folder = skillFolder(path);
    this.#origins.set(folder, { path, by });
    const answer = await this.shelf.load({ folder, executor, before: { name, root, key, granted } });
    if (!isRefusal(answer)) return;
    const data = { skill: name, restart: true, ...refusalData(executor, answer) };
    this.#notLoaded = [...this.#notLoaded, { stored, refusal: answer }];
    this.#parts.log?.(`skill ${name} for ${executor} is not loaded again: ${answer.message}`);
    if (answer.reason === 'unreadable') this.#note('skill_refused', data);
    else await this.#parts.kept?.drop('skill_refused', data, stored);
  }

  #forgetNotLoaded(executor: ExecutorId, name: string): boolean {
    const others = this.#notLoaded.filter(
      ({ stored }) => stored.executor !== executor || stored.name !== name,
    );
    const known = others.length < this.#notLoaded.length;
    this.#notLoaded = others;
    return known;
  }

  /** The tools of a skill that nothing runs: they are not mounted. */
  absent(skill: PreparedSkill): readonly string[] {
    const { runner } = this.#parts;
    return skill.manifest.tools.filter(({ run }) => !runner.runs(run, skill)).map(({ name }) => name);
  }

  #changed(change: ShelfChange): void {
    this.#mount();
    const { skill } = change;
    const { executor, manifest, verified, intersection } = skill;
    const { name } = manifest.frontmatter;
    const about = { skill: name, executor, root: verified.root };
    if (change.kind === 'unloaded') {
      const why = change.why === undefined ? {} : { why: change.why.reason, message: change.why.message };
      this.#keep('skill_unloaded', { ...about, ...why }, skill, (kept, event, data) =>
        kept.drop(event, data, { executor, name }),
      );
      return;
    }
    const { granted, masked } = intersection;
    const { by } = verified;
    const who = by === undefined ? { unsigned: true } : { by: { key: by.key, trusted: by.trusted } };
    const event = change.kind === 'loaded' ? 'skill_loaded' : 'skill_masked';
    const stored = this.#stored(skill);
    this.#keep(event, { ...about, ...who, granted, masked }, skill, (kept, told, data) =>
      kept.put(told, data, stored),
    );
  }

  #stored(skill: LoadedSkill): StoredSkill {
    const { executor, manifest, verified, intersection, folder } = skill;
    const { path = '', by = '' } = this.#origins.get(folder) ?? {};
    const key = verified.by && { key: verified.by.key };
    const { name } = manifest.frontmatter;
    const { granted } = intersection;
    const at = Math.round(this.#parts.clock.wall());
    return { executor, name, folder: path, root: verified.root, ...key, granted, by, at };
  }

  /** The record, and in one step with it what is stored; a skill without origin is not stored, and only recorded. */
  #keep(
    event: SkillEvent,
    data: JsonObject,
    skill: LoadedSkill,
    write: (kept: SkillStore, event: SkillEvent, data: JsonObject) => Promise<void>,
  ): void {
    const { kept, log } = this.#parts;
    if (kept === undefined || !this.#origins.has(skill.folder)) return this.#note(event, data);
    const written = write(kept, event, data);
    this.#writes.set(skill, written);
    this.#written = written;
    written.catch((error: unknown) => {
      log?.(`${event} of ${skill.manifest.frontmatter.name} could not be stored: ${String(error)}`);
    });
  }

  /** Every tool of every loaded skill, once, whoever it is loaded for. */
  #mount(): void {
    const { registry, runner } = this.#parts;
    const wanted = new Map(this.shelf.list().flatMap((skill) => entriesOf(skill, runner, this.shelf)));
    const gone = [...this.#mounted].filter(([tool, digest]) => wanted.get(tool)?.digest !== digest);
    const ours = gone.filter(([tool, digest]) => registry.table().get(tool)?.digest === digest);
    registry.unmount(ours.map(([tool]) => tool));
    for (const [tool] of gone) this.#mounted.delete(tool);
    const come = [...wanted.values()].filter(({ tool }) => !registry.table().has(tool));
    registry.mount(come);
    for (const { tool, digest } of come) this.#mounted.set(tool, digest);
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

type SkillEvent = Parameters<SkillStore['put']>[0];

function refusalData(executor: ExecutorId, { code, reason, message, file }: SkillRefusal): JsonObject {
  return { executor, code, reason, message, ...(file === undefined ? {} : { file }) };
}

type Mountable = Parameters<Registry['mount']>[0][number];
type Entries = readonly (readonly [string, Mountable])[];

function entriesOf(skill: LoadedSkill, runner: SkillRunner, shelf: Skills): Entries {
  const server = skillServer(skill.manifest.frontmatter.name);
  return skill.manifest.tools.flatMap((tool) => {
    const name = server && parseToolName(`${server}/${tool.name}`);
    const masked = skill.intersection.masked.includes(tool.name);
    if (name === undefined || (!masked && !runner.runs(tool.run, skill))) return [];
    const { description, inputSchema } = tool;
    const definition: JsonObject = { name: tool.name, description, inputSchema };
    const digest = sha256(canonicalJson({ definition, root: skill.verified.root }));
    const ref = spawn({
      parallel: Infinity,
      turn: (_method, message, { signal }) => {
        // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the dispatcher sends actors nothing else
        const { args, executor } = message as ToolCall;
        const found = shelf.find(executor, name);
        if (found === undefined || found.masked) throw new Error('the skill is no longer loaded');
        return runner.run(found.tool, found.skill, { args, signal });
      },
    });
    return [[name, { tool: name, ref, definition, digest }]];
  });
}
