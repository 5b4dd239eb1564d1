/** What the tools of loaded skills hold: granted before they are published, again under another policy, closed when nobody uses it. */
import type { PreparedSkill, SkillTool } from '@pawl/core';
import { type ExecPower, NoConfinement } from '../power/index.js';
import { type SkillPowers, skillPowers } from './skill-powers.js';
import { skillReach } from './skill-reach.js';
import { skillSandbox } from './skill-sandbox.js';

/** One tool of a skill with its powers. */
export interface ReadyTool {
  /** For code in a process of its own. */
  readonly exec: ExecPower;
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
}

interface Made extends ReadyTool {
  readonly findings: readonly string[];
  revoke(): Promise<void>;
}

/** All tools of a skill as it was loaded for one executor, under one policy. */
interface Entry {
  readonly tools: Map<string, Promise<Made | undefined>>;
  findings: readonly string[];
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
    // A call that began before what it holds was retired ends with powers that nobody after it gets.
    if (!entry.retired) replace(this.#latest, key, entry, (before) => this.#retire(before));
    entry.users += 1;
    try {
      return await use(await this.#made(entry, { skill, tool, folder }));
    } finally {
      entry.users -= 1;
      this.#closeUnused(entry);
    }
  }

  /** What was granted to a skill and gives its tools nothing. */
  findings({ intersection }: PreparedSkill): readonly string[] {
    return this.#entries.get(intersection)?.findings ?? [];
  }

  /** Closes what a skill holds, once no call uses it. */
  retire(skill: PreparedSkill): void {
    const key = keyOf(skill);
    const entry = this.#entries.get(skill.intersection);
    for (const each of [this.#latest.get(key), entry]) if (each !== undefined) this.#retire(each);
    this.#latest.delete(key);
    if (this.#prepared.get(key) === entry) this.#prepared.delete(key);
  }

  #entryOf(skill: PreparedSkill): Entry {
    const known = this.#entries.get(skill.intersection);
    if (known !== undefined && !known.retired) return known;
    const entry: Entry = { tools: new Map(), findings: [], users: 0, retired: known !== undefined };
    this.#entries.set(skill.intersection, entry);
    return entry;
  }

  #retire(entry: Entry): void {
    entry.retired = true;
    this.#closeUnused(entry);
  }

  #closeUnused(entry: Entry): void {
    if (!entry.retired || entry.users > 0) return;
    for (const made of entry.tools.values()) void made.then((each) => each?.revoke()).catch(() => undefined);
    entry.tools.clear();
  }

  #made(entry: Entry, wanted: Wanted): Promise<Made | undefined> {
    const { tool } = wanted;
    const known = entry.tools.get(tool.name);
    if (known !== undefined) return known;
    const made = this.#make(wanted).then((each) => {
      if (each !== undefined) entry.findings = [...new Set([...entry.findings, ...each.findings])];
      return each;
    });
    entry.tools.set(tool.name, made);
    // What went wrong once is tried again.
    made.catch(() => entry.tools.delete(tool.name));
    return made;
  }

  async #make({ skill, tool, folder }: Wanted): Promise<Made | undefined> {
    const { place, log } = this.#options;
    const reach = skillReach(skill, tool);
    try {
      const granted = await skillPowers(reach, port);
      const exec = await skillSandbox({ folder, reach, granted, place, port });
      const revoke = async (): Promise<void> => {
        await exec.revoke();
        await granted.revoke();
      };
      const { power: powers, findings } = granted;
      return {
        exec: exec.power,
        powers,
        folder,
        findings: findings.map((each) => `${tool.name}: ${each}`),
        revoke,
      };
    } catch (error) {
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

function keyOf({ executor, manifest }: PreparedSkill): string {
  return `${executor} ${manifest.frontmatter.name}`;
}
