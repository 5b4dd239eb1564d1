/** Runs programs in the sandbox of one exec power: judges the words, plans what is shown, ends what has no right to run any more. */
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type CommandNames, type NoCommand, type TurnPort, UsageError, commandNames } from '@pawl/core';
import { type Plan, isWithin, planOf, sandboxed, whyUnconfined } from '../sandbox/index.js';
import type { Egress } from './egress.js';
import type { ExecOptions, ExecWish } from './exec-form.js';
import { type ExecResult, type RunBounds, runToEnd } from './exec-run.js';
import { segmentsOf } from './fs-path.js';
import type { FsRoot } from './fs-root.js';
import { givenBody, givenText } from './given.js';
import { anyOf } from './port.js';
import { DenialError, PowerFailure, outOfScope, revoked } from './refusal.js';
import type { Staged } from './staging.js';

/** The folder of an fs power. */
export interface ExecFolder {
  readonly root: FsRoot;
  readonly writable: boolean;
}

/** The network of programs: the proxy, and what ends with the net power. */
export interface WayOut {
  readonly egress: Egress;
  readonly signal: AbortSignal;
}

/** What a sandbox is made from. */
export interface ExecParts {
  readonly options: ExecOptions;
  readonly folders: readonly ExecFolder[];
  readonly bwrap: string;
  readonly bounds: RunBounds;
  readonly way?: WayOut;
}

/** A command: as a line to be judged, and as words to be started. */
interface Command {
  readonly line: string;
  readonly argv: readonly string[];
}

const mostRuns = 16;

/** The programs of one exec power. */
export class ExecSandbox {
  readonly #options: ExecOptions;
  readonly #folders: readonly ExecFolder[];
  readonly #bwrap: string;
  readonly #way: WayOut | undefined;
  readonly #bounds: RunBounds;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor({ options, folders, bwrap, bounds, way }: ExecParts) {
    if (folders.length === 0) throw new UsageError('exec needs at least one fs power');
    this.#options = options;
    this.#folders = folders;
    this.#bwrap = bwrap;
    this.#way = way;
    this.#bounds = bounds;
  }

  /** Why the sandbox is none; undefined: a probe in it was refused what it should be. */

  async whyNot(canaryFolder: string): Promise<string | undefined> {
    const plan = this.#plan(this.#home);
    if ('why' in plan) return plan.why;
    return whyUnconfined(plan, { canaryFolder, hide: this.#options.hide ?? [] });
  }

  /** See {@link ExecPower.run}; `turn` is the one that it is used in. */
  async run(
    argv: readonly [string, ...string[]],
    wish: ExecWish,
    turn: TurnPort | undefined,
  ): Promise<ExecResult> {
    if (!Array.isArray(argv)) throw malformed('the words are no list');
    const words = Array.from(argv, (word: unknown) => givenText(word, 'a word of a command'));
    if (words.length === 0) throw malformed('there is no program');
    if (words.some((word) => word.includes('\0'))) throw malformed('a word holds NUL');
    return this.#start({ line: words.map(quoted).join(' '), argv: words }, wish, turn);
  }

  /** See {@link ExecPower.shell}. */
  async shell(given: string, wish: ExecWish, turn: TurnPort | undefined): Promise<ExecResult> {
    const line = givenText(given, 'a line');
    return this.#start({ line, argv: ['/bin/sh', '-c', line] }, wish, turn);
  }

  /** No program starts afterwards; settles when those that run have ended. */
  async revoke(): Promise<void> {
    this.#end.abort(revoked());
    await Promise.allSettled(this.#running);
    await this.#way?.egress.close();
  }

  get #home(): string {
    return this.#folders[0]?.root.paths[0] ?? '/';
  }

  #guard(turn: TurnPort | undefined): void {
    this.#end.signal.throwIfAborted();
    this.#options.port.guard();
    for (const { root } of this.#folders) root.guard();
    this.#way?.signal.throwIfAborted();
    turn?.guard();
  }

  async #start({ line, argv }: Command, wish: ExecWish, turn: TurnPort | undefined): Promise<ExecResult> {
    this.#guard(turn);
    const input = givenBody(wish.input, 'an input');
    const cwd = this.#folder(givenText(wish.cwd ?? '', 'a folder'));
    this.#judge(commandNames(line, { root: cwd, case: 'sensitive', platform: 'posix' }));
    if (this.#running.size >= mostRuns) throw new PowerFailure('failed', `${mostRuns} programs run already`);
    const signal = anyOf(wish.signal, turn?.signal, ...this.#ends());
    const run = this.#staged(turn, (staged) =>
      this.#confined({ cwd, argv, staged }, { signal, ...(input !== undefined && { input }) }, turn),
    );
    this.#running.add(run);
    try {
      return await run;
    } catch (error) {
      this.#guard(turn);
      throw error;
    } finally {
      this.#running.delete(run);
    }
  }

  /** What is to be made for one run is there while it runs, and what it leaves is kept when it was allowed to the end. */
  async #staged(
    turn: TurnPort | undefined,
    run: (staged: Staged | undefined) => Promise<ExecResult>,
  ): Promise<ExecResult> {
    const staged = await this.#options.staging?.begin(turn);
    try {
      const result = await run(staged);
      this.#guard(turn);
      if (!result.timedOut) await staged?.keep();
      this.#guard(turn);
      return result;
    } finally {
      await staged?.drop();
    }
  }

  async #confined(
    {
      cwd,
      argv,
      staged,
    }: Pick<Command, 'argv'> & { readonly cwd: string; readonly staged: Staged | undefined },
    wish: ExecWish & { readonly signal: AbortSignal },
    turn: TurnPort | undefined,
  ): Promise<ExecResult> {
    for (const { root } of this.#folders) {
      if (!(await root.isInPlace()))
        throw outOfScope('fs.root', 'the folder of this tool is not in its place any more');
    }
    this.#guard(turn);
    const plan = this.#plan(cwd, staged);
    if ('why' in plan)
      throw new PowerFailure('failed', 'the folder of this tool cannot be shown to a program');
    return this.#run(plan, argv, wish);
  }

  /** What ends programs that run: the power is taken back, or one that it was made of. */
  #ends(): readonly AbortSignal[] {
    const made = [...this.#folders.map(({ root }) => root), this.#way].filter((part) => part !== undefined);
    return [this.#end.signal, ...made.map(({ signal }) => signal)];
  }

  #run(
    plan: Plan,
    argv: readonly string[],
    { input, signal }: ExecWish & { readonly signal: AbortSignal },
  ): Promise<ExecResult> {
    const [program = '', ...args] = argv;
    return runToEnd((command) => sandboxed(this.#bwrap, plan, command), {
      program,
      args,
      bounds: this.#bounds,
      signal,
      ...(input !== undefined && { input }),
    });
  }

  /** INVARIANT(P.powers.exec): what is named outside the folders is refused before anything is started. */
  #judge(names: CommandNames | NoCommand): void {
    if (!names.ok) throw malformed(names.why);
    const isOutside = (path: string | undefined): boolean =>
      path === undefined ||
      !this.#folders.some(({ root }) => root.paths.some((folder) => isWithin(path, folder)));
    if (names.programs.some(isOutside))
      throw outOfScope(
        'fs.root',
        'the program is outside the folders of this tool; name it without its path',
      );
    if (names.paths.some(isOutside))
      throw outOfScope('fs.root', 'a word of the command leads outside the folders of this tool');
  }

  /** The absolute path of a folder that is meant; what stands there is for the sandbox to see. */
  #folder(path: string): string {
    if (!isAbsolute(path)) return join(this.#home, ...segmentsOf(path, []));
    const holder = this.#folders.find(({ root }) => root.paths.some((folder) => isWithin(path, folder)));
    if (holder === undefined) throw outOfScope('fs.root', 'the folder is outside the folders of this tool');
    return join(holder.root.paths[0] ?? '/', ...segmentsOf(path, holder.root.paths));
  }

  #plan(cwd: string, staged?: Staged): ReturnType<typeof planOf> {
    const paths = (writable: boolean): string[] =>
      this.#folders.filter((each) => each.writable === writable).flatMap(({ root }) => root.paths);
    const [read, write] = [paths(false), paths(true)];
    const all = [...read, ...write];
    // What is granted itself is shown, be it a mount inside of another folder.
    const mounts = all.flatMap(mountsBelow).filter((point) => !all.includes(point));
    const hide = [...(this.#options.hide ?? []), ...mounts];
    const egress = this.#way?.egress.socket;
    const plan = planOf({ read, write, hide, cwd, ...(egress !== undefined && { egress }) });
    if ('why' in plan || staged === undefined) return plan;
    for (const { path } of staged.mounts) {
      const alone = planOf({ read: [path], write: [], hide: this.#options.hide ?? [], cwd: path });
      if ('why' in alone) return alone;
    }
    const made = staged.mounts.map(({ path, from }) => ({ path, from, how: 'write' as const }));
    return { ...plan, mounts: [...plan.mounts, ...made].sort((a, b) => depth(a.path) - depth(b.path)) };
  }
}

function depth(path: string): number {
  return path.split('/').length;
}

function malformed(why: string): DenialError {
  return new DenialError({
    code: 'malformed_arguments',
    layer: 'power',
    message: `the command is not understood: ${why}`,
    constraint: 'exec.command',
  });
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", String.raw`'\''`)}'`;
}

/** Other file systems that are mounted below a folder: its fs power does not reach them, so neither do programs. */
function mountsBelow(folder: string): readonly string[] {
  const points = readFileSync('/proc/self/mountinfo', 'utf8')
    .split('\n')
    .map((line) =>
      (line.split(' ')[4] ?? '').replaceAll(/\\([0-7]{3})/gu, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 8)),
      ),
    );
  return [...new Set(points)].filter((point) => point !== folder && isWithin(point, folder));
}
