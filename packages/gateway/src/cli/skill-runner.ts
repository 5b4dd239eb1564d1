/** Runs the tools of skills: programs in a sandbox that shows the skill's own files, read-only, and no network; modules in compartments. */
import { chmodSync, existsSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, extname, join } from 'node:path';
import type { PreparedSkill, SkillFile, SkillRefusal, SkillTool } from '@pawl/core';
import { type ExecPower, NoConfinement, grantExec, grantReadFs } from '../power/index.js';
import type { RawResult } from '../mcp/index.js';
import type { SkillRunner } from './live-skills.js';
import { SkillModules } from './skill-modules.js';

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

interface Ready {
  readonly exec: ExecPower;
  readonly folder: string;
}

/**
 * A runner over the exec power, and over compartments. A call's arguments come in as JSON on the standard input; what the program writes is the result,
 * and an exit code other than 0 is its error. Nothing of what the skill was granted is handed to the program yet.
 */
export function skillRunner(options: SkillRunnerOptions): SkillRunner {
  return new SandboxRunner(options);
}

class SandboxRunner implements SkillRunner {
  readonly #options: SkillRunnerOptions;
  readonly #ready = new Map<string, Ready>();
  readonly #modules: SkillModules;

  constructor(options: SkillRunnerOptions) {
    this.#options = options;
    this.#modules = new SkillModules(options);
  }

  async prepare(skill: PreparedSkill): Promise<SkillRefusal | void> {
    await this.#preparePrograms(skill);
    return this.#modules.prepare(skill);
  }

  async #preparePrograms({ manifest, verified }: PreparedSkill): Promise<void> {
    const programs = manifest.tools.filter(({ as }) => as === undefined);
    if (programs.length === 0 || this.#ready.has(verified.root)) return;
    const folder = this.#place(verified.root, verified.files);
    try {
      const port = { guard: () => undefined };
      const fs = await grantReadFs({ root: folder, port });
      const { folder: canaryFolder, deadlineMs } = this.#options;
      const bounds = deadlineMs === undefined ? {} : { deadlineMs };
      const { power } = await grantExec({ fs: fs.power, port, canaryFolder, bounds });
      this.#ready.set(verified.root, { exec: power, folder });
    } catch (error) {
      if (!(error instanceof NoConfinement)) throw error;
      this.#options.log(`skill ${manifest.frontmatter.name}: its programs stay absent: ${error.message}`);
    }
  }

  runs(tool: SkillTool, skill: PreparedSkill): boolean {
    if (tool.as === 'module') return this.#modules.runs(tool, skill);
    const { root, files } = skill.verified;
    const known = files.get(tool.run);
    return this.#ready.has(root) && known !== undefined && commandOf(tool.run, known) !== undefined;
  }

  confines({ as }: SkillTool): 'bubblewrap' | 'compartment' {
    return as === 'module' ? 'compartment' : 'bubblewrap';
  }

  async run(...[tool, skill, call]: Parameters<SkillRunner['run']>): Promise<RawResult> {
    return tool.as === 'module' ? this.#modules.run(tool, skill, call, {}) : this.#program(tool, skill, call);
  }

  async #program(
    ...[tool, { verified }, { args, signal }]: Parameters<SkillRunner['run']>
  ): Promise<RawResult> {
    const ready = this.#ready.get(verified.root);
    const file = verified.files.get(tool.run);
    const command = file && commandOf(tool.run, file);
    if (ready === undefined || command === undefined) throw new Error(`nothing runs ${tool.run}`);
    const [program, ...words] = command.map((word) => (word === tool.run ? join(ready.folder, word) : word));
    if (program === undefined) throw new Error(`nothing runs ${tool.run}`);
    const wish = { input: JSON.stringify(args), cwd: ready.folder, signal };
    const { code, stdout, stderr, timedOut } = await ready.exec.run([program, ...words], wish);
    const isError = code !== 0 || timedOut;
    const text = isError && stdout === '' ? stderr : stdout;
    return { kind: 'result', members: `"content":${JSON.stringify([{ type: 'text', text }])}`, isError };
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
