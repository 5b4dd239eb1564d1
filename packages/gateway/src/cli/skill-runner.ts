/** Runs the tools of skills: each a program of the skill in a sandbox that shows the skill's own files, read-only, and what its tool was granted. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import { type PreparedSkill, type SkillFile, inTurn } from '@pawl/core';
import { type RawResult, resultOf } from '../mcp/index.js';
import type { SkillRunner } from './live-skills.js';
import { ReadySkills } from './skill-ready.js';

/** Where skills are kept to be run. */
export interface SkillRunnerOptions {
  /** Absolute; made when first needed, readable by its owner only. */
  readonly folder: string;
  readonly log: (line: string) => void;
}

/** What runs a file that is not executable itself. */
const interpreters: Readonly<Record<string, string>> = {
  '.sh': 'sh',
  '.py': 'python3',
  '.js': 'node',
  '.mjs': 'node',
};

/**
 * A runner over the exec power. A call's arguments come in as JSON on the standard input; what the program writes is the result,
 * and an exit code other than 0 is its error. It sees the skill's own files and what its tool was granted, and nothing else.
 */
export function skillRunner(options: SkillRunnerOptions): SkillRunner {
  return new SandboxRunner(options);
}

class SandboxRunner implements SkillRunner {
  readonly #options: SkillRunnerOptions;
  readonly #ready: ReadySkills;
  /** Of each skill that was prepared by its digest: where it is, and whether programs can be confined. */
  readonly #prepared = new Map<string, { readonly folder: string; confined: boolean }>();

  constructor(options: SkillRunnerOptions) {
    this.#options = options;
    this.#ready = new ReadySkills({ place: options.folder, log: options.log });
  }

  async prepare(skill: PreparedSkill): Promise<void> {
    const { manifest, verified, intersection } = skill;
    if (manifest.tools.length === 0) return;
    const known = this.#prepared.get(verified.root);
    const prepared = known ?? { folder: this.#place(verified.root, verified.files), confined: true };
    this.#prepared.set(verified.root, prepared);
    for (const tool of manifest.tools.filter(({ name }) => !intersection.masked.includes(name))) {
      const { folder } = prepared;
      prepared.confined = await this.#ready.prepare(skill, tool, folder);
    }
  }

  runs(file: string, { verified }: Parameters<SkillRunner['runs']>[1]): boolean {
    const known = verified.files.get(file);
    const confined = this.#prepared.get(verified.root)?.confined === true;
    return confined && known !== undefined && commandOf(file, known) !== undefined;
  }

  findings(skill: PreparedSkill): readonly string[] {
    return this.#ready.findings(skill);
  }

  retire(skill: PreparedSkill): void {
    this.#ready.retire(skill);
  }

  async run(...[tool, skill, { args, turn }]: Parameters<SkillRunner['run']>): Promise<RawResult> {
    const file = skill.verified.files.get(tool.run);
    const command = file && commandOf(tool.run, file);
    const prepared = this.#prepared.get(skill.verified.root);
    if (prepared === undefined || command === undefined) throw new Error(`nothing runs ${tool.run}`);
    const { folder } = prepared;
    return this.#ready.with(skill, tool, folder, async (ready) => {
      const [program, ...words] = command.map((word) => (word === tool.run ? join(folder, word) : word));
      if (ready === undefined || program === undefined) throw new Error(`nothing runs ${tool.run}`);
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

  /** Writes what was verified, from memory, under the digest of it all; what stands there from before is replaced. */
  #place(root: string, files: ReadonlyMap<string, SkillFile>): string {
    const folder = join(this.#options.folder, root);
    mkdirSync(this.#options.folder, { recursive: true, mode: 0o700 });
    const fresh = mkdtempSync(join(this.#options.folder, '.new-'));
    for (const [name, { bytes, executable }] of files) {
      const path = join(fresh, name);
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
      writeFileSync(path, bytes, { mode: 0o600, flag: 'wx' });
      chmodSync(path, executable ? 0o500 : 0o400);
    }
    if (existsSync(folder)) rmSync(folder, { recursive: true });
    renameSync(fresh, folder);
    return folder;
  }
}

function commandOf(file: string, { executable }: SkillFile): readonly string[] | undefined {
  if (executable) return [file];
  const interpreter = interpreters[extname(file)];
  return interpreter === undefined ? undefined : [interpreter, file];
}
