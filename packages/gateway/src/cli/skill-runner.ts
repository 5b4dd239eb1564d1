/** Runs the tools of skills with what each was granted: programs in a sandbox that shows the skill's own files too, modules in compartments. */
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type PreparedSkill, type SkillFile, type SkillRefusal, type SkillTool, inTurn } from '@pawl/core';
import { type RawResult, resultOf } from '../mcp/index.js';
import type { SkillRunner } from './live-skills.js';
import { SkillModules } from './skill-modules.js';
import { powersInTurn } from './skill-powers.js';
import { ReadySkills } from './skill-ready.js';

/** Where skills are kept to be run. */
export interface SkillRunnerOptions {
  /** Absolute; made when first needed, readable by its owner only. */
  readonly folder: string;
  readonly log: (line: string) => void;
  /** Milliseconds of one call; 60,000 unless told. */
  readonly deadlineMs?: number;
}

/** What runs a file that is not executable itself. */
const interpreters: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
};

/**
 * A runner over the exec power, and over compartments. A program gets a call's arguments as JSON on the standard input; what it writes is the
 * result, and an exit code other than 0 is its error. It sees the skill's own files and what its tool was granted, and nothing else. A module
 * is handed the arguments, and what its tool was granted as powers.
 */
export function skillRunner(options: SkillRunnerOptions): SkillRunner {
  return new SandboxRunner(options);
}

class SandboxRunner implements SkillRunner {
  readonly #options: SkillRunnerOptions;
  readonly #ready: ReadySkills;
  readonly #modules: SkillModules;
  /** Where the files of a skill are, by its digest. */
  readonly #folders = new Map<string, string>();
  /** Tools that were seen to be confined, by the digest of their skill. */
  readonly #confined = new Map<string, Set<string>>();

  constructor(options: SkillRunnerOptions) {
    const { folder: place, ...rest } = options;
    this.#options = options;
    this.#sweep();
    this.#ready = new ReadySkills({ place, ...rest });
    this.#modules = new SkillModules(options);
  }

  async prepare(skill: PreparedSkill): Promise<SkillRefusal | void> {
    const { manifest, verified, intersection } = skill;
    const refusal = await this.#modules.prepare(skill);
    if (refusal !== undefined) return refusal;
    const confined = this.#confined.get(verified.root) ?? new Set();
    this.#confined.set(verified.root, confined);
    for (const tool of manifest.tools.filter(({ name }) => !intersection.masked.includes(name))) {
      if (await this.#ready.prepare(skill, tool, this.#folderOf(skill, tool))) confined.add(tool.name);
      else confined.delete(tool.name);
    }
    return undefined;
  }

  runs(tool: SkillTool, skill: PreparedSkill): boolean {
    const { root, files } = skill.verified;
    if (this.#confined.get(root)?.has(tool.name) !== true) return false;
    if (tool.as === 'module') return this.#modules.runs(tool, skill);
    const known = files.get(tool.run);
    return known !== undefined && commandOf(tool.run, known) !== undefined;
  }

  confines({ as }: SkillTool): 'bubblewrap' | 'compartment' {
    return as === 'module' ? 'compartment' : 'bubblewrap';
  }

  async room({ as }: SkillTool, signal: AbortSignal): Promise<() => void> {
    return as === 'module' ? this.#modules.room(signal) : () => undefined;
  }

  findings(skill: PreparedSkill): readonly string[] {
    return this.#ready.findings(skill);
  }

  retire(skill: PreparedSkill): void {
    this.#ready.retire(skill);
  }

  close(): void {
    this.#modules.close();
  }

  async run(...[tool, skill, call]: Parameters<SkillRunner['run']>): Promise<RawResult> {
    if (tool.as !== 'module') return this.#program(tool, skill, call);
    return this.#ready.with(skill, tool, '', async (ready) => {
      if (ready === undefined) throw new Error(`nothing runs ${tool.run}`);
      return this.#modules.run(tool, skill, call, powersInTurn(ready.powers, call.turn));
    });
  }

  async #program(...[tool, skill, { args, turn }]: Parameters<SkillRunner['run']>): Promise<RawResult> {
    const file = skill.verified.files.get(tool.run);
    const command = file && commandOf(tool.run, file);
    if (command === undefined) throw new Error(`nothing runs ${tool.run}`);
    const folder = this.#folderOf(skill, tool);
    return this.#ready.with(skill, tool, folder, async (ready) => {
      const [program, ...words] = command.map((word) => (word === tool.run ? join(folder, word) : word));
      if (ready?.exec === undefined || program === undefined) throw new Error(`nothing runs ${tool.run}`);
      const wish = { input: JSON.stringify(args), cwd: folder };
      const { code, stdout, stderr, timedOut } = await inTurn(ready.exec, turn).run(
        [program, ...words],
        wish,
      );
      const isError = code !== 0 || timedOut;
      const text = isError && stdout === '' ? stderr : stdout;
      return resultOf({ content: [{ type: 'text', text }], isError });
    });
  }

  /** Where the files of a program's skill are; a module needs none. */
  #folderOf({ verified }: PreparedSkill, { as }: SkillTool): string {
    if (as === 'module') return '';
    const folder = this.#folders.get(verified.root) ?? this.#place(verified.root, verified.files);
    this.#folders.set(verified.root, folder);
    return folder;
  }

  /** Writes what was verified, from memory, under the digest of it all; what stands there from before is replaced. */
  #place(root: string, files: ReadonlyMap<string, SkillFile>): string {
    const folder = join(this.#options.folder, root);
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    const fresh = mkdtempSync(join(this.#options.folder, '.new-'));
    try {
      writeFiles(fresh, files);
      if (existsSync(folder)) rmSync(folder, { recursive: true });
      renameSync(fresh, folder);
    } catch (error) {
      // Half a skill must not fill the disk that the audit log is on.
      rmSync(fresh, { recursive: true, force: true });
      throw error;
    }
    return folder;
  }

  /** Removes what an earlier process left here: it may have been killed, and what is loaded now is placed anew. */
  #sweep(): void {
    const { folder, log } = this.#options;
    if (!existsSync(folder)) return;
    try {
      const left = readdirSync(folder).filter((name) => /^(?:\.new-|\.stage-|[0-9a-f]{64}$)/u.test(name));
      for (const name of left) rmSync(join(folder, name), { recursive: true, force: true });
    } catch (error) {
      log(
        `what was left in ${folder} cannot be removed: ${error instanceof Error ? error.message : 'unknown'}`,
      );
    }
  }
}

function writeFiles(folder: string, files: ReadonlyMap<string, SkillFile>): void {
  for (const [name, { bytes, executable }] of files) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' });
    chmodSync(path, executable ? 0o500 : 0o400);
  }
}

function commandOf(file: string, { executable }: SkillFile): readonly string[] | undefined {
  if (executable) return [file];
  const interpreter = interpreters[extname(file)];
  return interpreter === undefined ? undefined : [interpreter, file];
}
