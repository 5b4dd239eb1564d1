/** Runs JavaScript tools of skills: each call in a compartment of its own, with the powers that it is given. */
import { type PreparedSkill, type SkillRefusal, type SkillTool, skillRefusal } from '@pawl/core';
import {
  CompartmentFailure,
  Compartments,
  type Files,
  type Module,
  type Modules,
  type Powers,
  whyNoCompartment,
} from '../compartment/index.js';
import type { RawResult } from '../mcp/index.js';
import { NoConfinement } from '../power/index.js';
import type { SkillCall } from './live-skills.js';

const usualDeadlineMs = 60_000;

/** What JavaScript tools are run with. */
export interface SkillModulesOptions {
  readonly log: (line: string) => void;
  /** Milliseconds of one call; 60,000 unless told. */
  readonly deadlineMs?: number;
  /** Why there are no compartments here, or undefined. Default: what a probe was seen to be refused. */
  readonly whyNot?: (compartments: Compartments) => Promise<string | undefined>;
}

/** The JavaScript modules of loaded skills. */
export class SkillModules {
  readonly #options: SkillModulesOptions;
  readonly #compartments = new Compartments();
  readonly #loaded = new Map<string, Module>();
  #proof: Promise<string | undefined> | undefined;

  constructor(options: SkillModulesOptions) {
    this.#options = options;
  }

  /** Loads the modules of a skill; a refusal names the file. Where there are no compartments its tools stay absent, loudly. */
  async prepare({ manifest, verified }: PreparedSkill): Promise<SkillRefusal | undefined> {
    const entries = [...new Set(manifest.tools.filter(({ as }) => as === 'module').map(({ run }) => run))];
    if (entries.every((entry) => this.#loaded.has(key(verified.root, entry)))) return undefined;
    const why = await this.#whyNot();
    if (why !== undefined) {
      this.#options.log(`skill ${manifest.frontmatter.name}: its JavaScript tools stay absent: ${why}`);
      return undefined;
    }
    const files = new Map([...verified.files].map(([path, { bytes }]) => [path, bytes]));
    const modules = await this.#load(files, entries);
    if ('kind' in modules) return modules;
    for (const [entry, module] of modules) this.#loaded.set(key(verified.root, entry), module);
    return undefined;
  }

  /** Whether the module of this tool was loaded. */
  runs({ run }: SkillTool, { verified }: PreparedSkill): boolean {
    return this.#loaded.has(key(verified.root, run));
  }

  /**
   * Answers one call, with powers that whoever gives them takes back. What the tool does wrong is its own error, in words for the model.
   */
  async run(
    ...[tool, skill, call, powers]: readonly [SkillTool, PreparedSkill, SkillCall, Powers]
  ): Promise<RawResult> {
    const module = this.#loaded.get(key(skill.verified.root, tool.run));
    if (module === undefined) throw new Error(`nothing runs ${tool.run}`);
    try {
      const compartment = await this.#compartments.open(module, powers);
      try {
        const { args, signal } = call;
        const { deadlineMs = usualDeadlineMs } = this.#options;
        return textResult(await compartment.call('default', args, { deadlineMs, signal }), false);
      } finally {
        compartment.close();
      }
    } catch (error) {
      call.signal.throwIfAborted();
      if (!(error instanceof CompartmentFailure)) throw error;
      return textResult(error.message, true);
    }
  }

  /** Ends the process that waits for the next call. */
  close(): void {
    this.#compartments.close();
  }

  async #load(files: Files, entries: readonly string[]): Promise<Modules | SkillRefusal> {
    try {
      const modules = await this.#compartments.load(files, entries);
      const [bare] = [...modules].find(([, { methods }]) => !methods.includes('default')) ?? [];
      if (bare === undefined) return modules;
      return skillRefusal('bad_module', `${bare} has no default export. Export one function.`, bare);
    } catch (error) {
      if (!(error instanceof CompartmentFailure)) throw error;
      const { message, file } = error;
      return skillRefusal('bad_module', `${file ?? 'A module'}: ${message}. Mend it and sign again.`, file);
    }
  }

  /** Proved once: what refuses now refuses later. */
  async #whyNot(): Promise<string | undefined> {
    this.#proof ??= (this.#options.whyNot ?? whyNoCompartment)(this.#compartments);
    try {
      return await this.#proof;
    } catch (error) {
      if (!(error instanceof NoConfinement)) throw error;
      return error.message;
    }
  }
}

function key(root: string, entry: string): string {
  return `${root} ${entry}`;
}

/** A text as it is, anything else as JSON. */
function textResult(value: unknown, isError: boolean): RawResult {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return { kind: 'result', members: `"content":${JSON.stringify([{ type: 'text', text }])}`, isError };
}
