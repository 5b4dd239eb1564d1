/** What the tools of loaded skills hold: granted before they are published, again under another policy, closed when nobody uses it. */
import type { PreparedSkill, SkillTool } from '@pawl/core';
import { type ExecPower, NoConfinement } from '../power/index.js';
import { type GrantedSkill, type SkillPowers, skillPowers } from './skill-powers.js';
import { skillReach } from './skill-reach.js';
import { skillSandbox } from './skill-sandbox.js';

/** One tool of a skill with its powers. */
export interface ReadyTool {
  /** For a program, which is in a process of its own. */
  readonly exec?: ExecPower;
  /** For code that is handed powers. */
  readonly powers: SkillPowers;
  /** The skill's own files. */
  readonly folder: string;
}

/** Where skills are kept to be run. */
export interface ReadyOptions {
  /** Absolute; no sandbox sees it but for the skill's own folder in it. */
  readonly place: string;
  readonly log: (line: string) => void;
  /** Milliseconds of one run; 60,000 unless told. */
  readonly deadlineMs?: number;
}

interface Made extends ReadyTool {
  readonly findings: readonly string[];
  isInPlace(): boolean;
  revoke(): Promise<void>;
}

/** All tools of a skill as it was loaded for one executor, under one policy. */
interface Entry {
  /** By what they need. */
  readonly tools: Map<string, Promise<Made | undefined>>;
  /** What they held before folders were exchanged. */
  readonly old: Promise<Made | undefined>[];
  /** By what a tool needs. */
  readonly findings: Map<string, readonly string[]>;
  users: number;
  retired: boolean;
}

interface Wanted {
  readonly skill: PreparedSkill;
  readonly tool: SkillTool;
  readonly folder: string;
}

const port = { guard: (): void => {} };

/** The powers of skills by what they were judged to be: another policy in force makes other ones, for calls that begin then. */
export class ReadySkills {
  readonly #options: ReadyOptions;
  readonly #entries = new WeakMap<PreparedSkill['intersection'], Entry>();
  /** By executor and skill: what calls use, and what was prepared and may never be loaded. */
  readonly #latest = new Map<string, Entry>();
  readonly #prepared = new Map<string, Entry>();

  constructor(options: ReadyOptions) {
    this.#options = options;
  }

  /** Grants what a tool may hold before its skill is loaded. False: there is no confinement here, so it holds nothing and cannot run. */
  async prepare(skill: PreparedSkill, tool: SkillTool, folder: string): Promise<boolean> {
    const entry = this.#entryOf(skill);
    replace(this.#prepared, keyOf(skill), entry, (before) => this.#retire(before));
    return (await this.#made(entry, { skill, tool, folder })) !== undefined;
  }

  /** Runs something with the powers of a tool of a loaded skill; `undefined`: there is no confinement here. */
  async with<T>(
    skill: PreparedSkill,
    tool: SkillTool,
    folder: string,
    use: (ready: ReadyTool | undefined) => Promise<T>,
  ): Promise<T> {
    const entry = this.#entryOf(skill);
    const key = keyOf(skill);
    if (this.#prepared.get(key) === entry) this.#prepared.delete(key);
    replace(this.#latest, key, entry, (before) => this.#retire(before));
    entry.users += 1;
    try {
      return await use(await this.#fresh(entry, { skill, tool, folder }));
    } finally {
      entry.users -= 1;
      this.#closeUnused(entry);
    }
  }

  /** What was granted to a skill and gives its tools nothing. */
  findings({ intersection, manifest }: PreparedSkill): readonly string[] {
    const { findings } = this.#entries.get(intersection) ?? {};
    return manifest.tools.flatMap((tool) =>
      (findings?.get(needsOf(tool)) ?? []).map((each) => `${tool.name}: ${each}`),
    );
  }

  /** Closes what a skill holds, once no call uses it. */
  retire(skill: PreparedSkill): void {
    const key = keyOf(skill);
    for (const entries of [this.#latest, this.#prepared]) {
      const entry = entries.get(key);
      entries.delete(key);
      if (entry !== undefined) this.#retire(entry);
    }
  }

  #entryOf(skill: PreparedSkill): Entry {
    const known = this.#entries.get(skill.intersection);
    if (known?.retired === false) return known;
    const entry: Entry = {
      tools: new Map(),
      old: [],
      findings: new Map(),
      users: 0,
      retired: false,
    };
    this.#entries.set(skill.intersection, entry);
    return entry;
  }

  #retire(entry: Entry): void {
    entry.retired = true;
    this.#closeUnused(entry);
  }

  #closeUnused(entry: Entry): void {
    if (entry.users > 0) return;
    const gone = [...entry.old.splice(0), ...(entry.retired ? entry.tools.values() : [])];
    if (entry.retired) entry.tools.clear();
    for (const made of gone) void made.then((each) => each?.revoke()).catch(() => undefined);
  }

  /** What a tool holds, granted anew where folders came, went or were exchanged meanwhile; calls that run keep what they have. */
  async #fresh(entry: Entry, wanted: Wanted): Promise<Made | undefined> {
    const held = entry.tools.get(needsOf(wanted.tool));
    const made = await this.#made(entry, wanted);
    if (made === undefined || made.isInPlace()) return made;
    if (held !== undefined && entry.tools.get(needsOf(wanted.tool)) === held) {
      entry.tools.delete(needsOf(wanted.tool));
      entry.old.push(held);
    }
    return this.#made(entry, wanted);
  }

  #made(entry: Entry, wanted: Wanted): Promise<Made | undefined> {
    const { tool } = wanted;
    const needs = needsOf(tool);
    const known = entry.tools.get(needs);
    if (known !== undefined) return known;
    const made = this.#make(wanted).then((each) => {
      if (each !== undefined) entry.findings.set(needs, [...new Set(each.findings)]);
      return each;
    });
    entry.tools.set(needs, made);
    // What went wrong once is tried again.
    made.catch(() => entry.tools.delete(needs));
    return made;
  }

  async #make({ skill, tool, folder }: Wanted): Promise<Made | undefined> {
    const { place, log, deadlineMs } = this.#options;
    const reach = skillReach(skill, tool);
    let granted: GrantedSkill | undefined;
    try {
      const held = await skillPowers(reach, port);
      granted = held;
      const sandbox = { folder, reach, granted: held, place, port, ...(deadlineMs && { deadlineMs }) };
      const exec = tool.as === 'module' ? undefined : await skillSandbox(sandbox);
      const revoke = async (): Promise<void> => {
        await exec?.revoke();
        await held.revoke();
      };
      return {
        ...(exec !== undefined && { exec: exec.power }),
        powers: held.power,
        folder,
        findings: held.findings,
        isInPlace: () => held.isInPlace(),
        revoke,
      };
    } catch (error) {
      await granted?.revoke();
      if (!(error instanceof NoConfinement)) throw error;
      log(`skill ${skill.manifest.frontmatter.name}: ${tool.name} stays absent: ${error.message}`);
      return undefined;
    }
  }
}

function replace(
  entries: Map<string, Entry>,
  key: string,
  entry: Entry,
  gone: (before: Entry) => void,
): void {
  const before = entries.get(key);
  entries.set(key, entry);
  if (before !== undefined && before !== entry) gone(before);
}

/** Tools that need the same hold the same. */
function needsOf({ needs, as }: SkillTool): string {
  return JSON.stringify([as ?? 'program', ...[...needs].sort()]);
}

function keyOf({ executor, manifest }: PreparedSkill): string {
  return `${executor} ${manifest.frontmatter.name}`;
}
