/** Runs JavaScript tools of skills: each call in a compartment of its own, with the powers that it is given. */
import {
  type PreparedSkill,
  type SkillRefusal,
  type SkillTool,
  CapError,
  denial,
  fault,
  skillRefusal,
} from '@pawl/core';
import {
  CompartmentFailure,
  Compartments,
  type Files,
  type Modules,
  type Powers,
  whyNoCompartment,
} from '../compartment/index.js';
import { type RawResult, resultOf } from '../mcp/index.js';
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
  /** By the files that they are of: what nobody has loaded any more is forgotten. */
  readonly #loaded = new WeakMap<PreparedSkill['verified']['files'], Modules>();
  #proof: Promise<string | undefined> | undefined;

  constructor(options: SkillModulesOptions) {
    this.#options = options;
  }

  /** Loads the modules of a skill; a refusal names the file. Where there are no compartments its tools stay absent, loudly. */
  async prepare({ manifest, verified }: PreparedSkill): Promise<SkillRefusal | undefined> {
    const entries = [...new Set(manifest.tools.filter(({ as }) => as === 'module').map(({ run }) => run))];
    if (entries.length === 0 || this.#loaded.has(verified.files)) return undefined;
    const why = await this.#whyNot();
    if (why !== undefined) {
      this.#options.log(`skill ${manifest.frontmatter.name}: its JavaScript tools stay absent: ${why}`);
      return undefined;
    }
    const files = new Map([...verified.files].map(([path, { bytes }]) => [path, bytes]));
    const modules = await this.#load(files, entries);
    if ('kind' in modules) return modules;
    this.#loaded.set(verified.files, modules);
    return undefined;
  }

  /** Whether the module of this tool was loaded. */
  runs({ run }: SkillTool, { verified }: PreparedSkill): boolean {
    return this.#loaded.get(verified.files)?.has(run) === true;
  }

  /** Waits until one more may run. Rejects with a refusal when none may for long, or nobody waits for it any more. */
  async room(signal: AbortSignal): Promise<() => void> {
    try {
      return await this.#compartments.room(signal);
    } catch (error) {
      if (!(error instanceof CompartmentFailure)) throw error;
      throw new CapError(error.code === 'busy' ? allTaken : neverRun);
    }
  }

  /**
   * Answers one call, with powers that whoever gives them takes back. What the tool does wrong is its own error, in words for the model.
   */
  async run(
    ...[tool, skill, call, powers]: readonly [SkillTool, PreparedSkill, SkillCall, Powers]
  ): Promise<RawResult> {
    const module = this.#loaded.get(skill.verified.files)?.get(tool.run);
    if (module === undefined) throw new Error(`nothing runs ${tool.run}`);
    const { args, signal, room } = call;
    let isOpen = false;
    try {
      const compartment = await this.#compartments.open(module, powers, {
        signal,
        ...(room !== undefined && { room }),
      });
      isOpen = true;
      try {
        const { deadlineMs = usualDeadlineMs } = this.#options;
        return textResult(await compartment.call('default', args, { deadlineMs, signal }), false);
      } finally {
        compartment.close();
      }
    } catch (error) {
      if (signal.aborted) throw new CapError(isOpen ? cutOff : neverRun);
      if (!(error instanceof CompartmentFailure)) throw error;
      if (error.code === 'busy') throw new CapError(allTaken);
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

  /** Proved once. What went wrong is tried again at the next load: a machine that was out of memory may have some again. */
  async #whyNot(): Promise<string | undefined> {
    const proof = (this.#proof ??= (this.#options.whyNot ?? whyNoCompartment)(this.#compartments));
    const again = (): void => {
      if (this.#proof === proof) this.#proof = undefined;
    };
    try {
      const why = await proof;
      if (why !== undefined) again();
      return why;
    } catch (error) {
      again();
      if (!(error instanceof NoConfinement)) throw error;
      return error.message;
    }
  }
}

/** Nothing of the call was run. */
const allTaken = denial({
  code: 'busy',
  layer: 'exclusion',
  message: 'As many tools run already as may at a time. Call again later.',
});

/** Its client has gone, or what it was called by was revoked. */
const cutOff = fault('outcome_unknown', 'the call was cancelled after it had been handed over');
const neverRun = fault('upstream_gone', 'the call was cancelled before anything of the tool ran');

/** A text as it is, anything else as JSON. */
function textResult(value: unknown, isError: boolean): RawResult {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value);
  return resultOf({ content: [{ type: 'text', text }], isError });
}
