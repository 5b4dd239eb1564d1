/** What of loaded skills outlives the process: written in one step with the record of it, and read again when the next one starts. */
import type { AuditRecord, ExecutorId, JsonObject, LoadRequest, LoadedSkill, SkillRefusal } from '@pawl/core';
import type { SkillStore, StoredSkill } from '../store/index.js';

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

/** What skills are kept with. */
export interface KeptSkillsParts {
  readonly audit: { note(record: AuditRecord): void };
  readonly clock: { wall(): number };
  /** Nothing outlives the process where it is absent. */
  readonly kept?: SkillStore;
  readonly log?: (line: string) => void;
}

type SkillEvent = Parameters<SkillStore['put']>[0];

/** Kept skills. Those that were read from somewhere without a path are recorded, and not kept. */
export class KeptSkills {
  readonly #parts: KeptSkillsParts;
  readonly #origins = new WeakMap<LoadRequest['folder'], SkillOrigin>();
  readonly #writes = new WeakMap<LoadedSkill, Promise<void>>();
  #notLoaded: readonly NotLoaded[] = [];
  #last: Promise<void> = Promise.resolve();

  constructor(parts: KeptSkillsParts) {
    this.#parts = parts;
  }

  /** Says where what is read from a folder comes from. */
  cameFrom(folder: LoadRequest['folder'], origin: SkillOrigin): void {
    this.#origins.set(folder, origin);
  }

  /** A skill came, or has less than before. */
  put(event: 'skill_loaded' | 'skill_masked', data: JsonObject, skill: LoadedSkill): void {
    const stored = this.#stored(skill);
    this.#write(event, data, skill, (kept) => kept.put(event, data, stored));
  }

  /** A skill went. */
  drop(data: JsonObject, skill: LoadedSkill): void {
    const named = { executor: skill.executor, name: skill.manifest.frontmatter.name };
    this.#write('skill_unloaded', data, skill, (kept) => kept.drop('skill_unloaded', data, named));
  }

  /** Settles when what was told of the skill is durable; rejects where it could not be written. */
  written(skill: LoadedSkill): Promise<void> {
    return this.#writes.get(skill) ?? Promise.resolve();
  }

  /** Settles when all that was told so far is durable. */
  settled(): Promise<void> {
    return this.#last;
  }

  /** What an earlier run had, in the order of loading. */
  async earlier(): Promise<readonly StoredSkill[]> {
    return (await this.#parts.kept?.list()) ?? [];
  }

  /** Skills of an earlier run that could not be loaded again. */
  notLoaded(): readonly NotLoaded[] {
    return this.#notLoaded;
  }

  /** One of them: it is told, and forgotten unless its folder could not be read. */
  async refusedAgain(stored: StoredSkill, refusal: SkillRefusal, data: JsonObject): Promise<void> {
    const { name, executor } = stored;
    this.#notLoaded = [...this.#notLoaded, { stored, refusal }];
    this.#parts.log?.(`skill ${name} for ${executor} is not loaded again: ${refusal.message}`);
    const told = { skill: name, restart: true, ...data };
    if (refusal.reason === 'unreadable') this.#note('skill_refused', told);
    else await this.#parts.kept?.drop('skill_refused', told, stored);
  }

  /** Whether there was one to forget. */
  async forget(executor: ExecutorId, name: string): Promise<boolean> {
    const known = this.passOver(executor, name);
    if (known) await this.#parts.kept?.drop('skill_unloaded', { skill: name, executor }, { executor, name });
    return known;
  }

  /** Takes one off the list of those that could not be loaded. */
  passOver(executor: ExecutorId, name: string): boolean {
    const others = this.#notLoaded.filter(
      ({ stored }) => stored.executor !== executor || stored.name !== name,
    );
    const known = others.length < this.#notLoaded.length;
    this.#notLoaded = others;
    return known;
  }

  #stored({ executor, manifest, verified, intersection, folder }: LoadedSkill): StoredSkill {
    const { path = '', by = '' } = this.#origins.get(folder) ?? {};
    const { name } = manifest.frontmatter;
    const { granted } = intersection;
    const at = Math.round(this.#parts.clock.wall());
    const key = verified.by && { key: verified.by.key };
    return { executor, name, folder: path, root: verified.root, ...key, granted, by, at };
  }

  /** Begins in the step in which it is called, so that writes come in the order of what happened. */
  #write(
    event: SkillEvent,
    data: JsonObject,
    skill: LoadedSkill,
    write: (kept: SkillStore) => Promise<void>,
  ): void {
    const { kept, log } = this.#parts;
    if (kept === undefined || !this.#origins.has(skill.folder)) return this.#note(event, data);
    const written = write(kept);
    this.#writes.set(skill, written);
    this.#last = written;
    written.catch((error: unknown) => {
      log?.(`${event} of ${skill.manifest.frontmatter.name} could not be stored: ${String(error)}`);
    });
  }

  #note(event: SkillEvent, data: JsonObject): void {
    this.#parts.audit.note({ type: 'event', event, data });
  }
}
