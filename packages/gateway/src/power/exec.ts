/** The exec power: programs of the system in a sandbox that shows nothing but the folders of its fs powers. */
import { readFileSync } from 'node:fs';
import { isAbsolute, join } from 'node:path';
import { type CommandNames, type NoCommand, UsageError, commandNames } from '@pawl/core';
import { type Plan, findBwrap, isWithin, planOf, sandboxed, whyUnconfined } from '../sandbox/index.js';
import { type Egress, openEgress } from './egress.js';
import { type ExecResult, type RunBounds, runToEnd } from './exec-run.js';
import { fsFacts } from './fs.js';
import { segmentsOf } from './fs-path.js';
import type { FsReader } from './fs-read.js';
import type { FsRoot } from './fs-root.js';
import { type NetPower, netFacts } from './net.js';
import type { Grant, PowerPort } from './port.js';
import { DenialError, NoConfinement, PowerFailure, outOfScope, revoked } from './refusal.js';

/** What one run is told beside its command. */
export interface ExecWish {
  /** Relative to the first folder, or absolute inside one. Default: the first folder. */
  readonly cwd?: string;
  /** What the program reads. */
  readonly input?: string | Uint8Array;
  /** Aborted: the run is ended. */
  readonly signal?: AbortSignal;
}

/** A power to run programs. */
export interface ExecPower {
  /**
   * Runs a program of the system, or one inside the folders, with these words as they are. Rejects with a DenialError before
   * anything is started: `out_of_scope` (constraint `fs.root`) when the program or a word is a path outside the folders,
   * `malformed_arguments` when the words cannot be read as a command (POLICY section 4), or that of the guard.
   */
  run(argv: readonly [string, ...string[]], wish?: ExecWish): Promise<ExecResult>;
  /** Runs a line of a shell. Otherwise as {@link ExecPower.run}. */
  shell(line: string, wish?: ExecWish): Promise<ExecResult>;
}

/** What an exec power is made from. */
export interface ExecOptions {
  /** Powers that were granted here; their folders are what programs see, at the same paths. At least one. */
  readonly fs: FsReader | readonly FsReader[];
  /** Programs reach the hosts of this power through a proxy. Without it they have no network. */
  readonly net?: NetPower;
  readonly port: PowerPort;
  readonly bounds?: Partial<RunBounds>;
  /** Paths that stay hidden though they lie in the folders, as those of policy and store. */
  readonly hide?: readonly string[];
  /** A folder outside all of that, for the proof at the start. */
  readonly canaryFolder: string;
}

const usualBounds: RunBounds = {
  deadlineMs: 60_000,
  outputBytes: 1024 * 1024,
  memoryBytes: 1024 * 1024 * 1024,
  fileBytes: 256 * 1024 * 1024,
  cpuSeconds: 120,
  processes: 512,
  openFiles: 1024,
};
const mostRuns = 16;

/**
 * Grants programs in a sandbox of bubblewrap: the folders of the fs powers, the system read-only, no environment, no network but
 * that of `net`, bounds on time, output, memory and files; the whole tree of processes ends with the run. Rejects with
 * NoConfinement where that sandbox is not to be had or does not refuse what it should, and with a UsageError for powers that
 * were not granted here.
 */
export async function grantExec(options: ExecOptions): Promise<Grant<ExecPower>> {
  const bwrap = findBwrap();
  if (bwrap === undefined)
    throw new NoConfinement('an exec power needs bubblewrap: install the package bubblewrap');
  const folders = [options.fs].flat().map(folderOf);
  const egress = await egressOf(options);
  const exec = new Exec(options, folders, { bwrap, ...(egress !== undefined && { egress }) });
  const why = await exec.whyNot(options.canaryFolder);
  if (why !== undefined) {
    await egress?.close();
    throw new NoConfinement(`an exec power needs a sandbox that refuses: ${why}`);
  }
  const power: ExecPower = Object.freeze({
    run: (argv: readonly [string, ...string[]], wish: ExecWish = {}) => exec.run(argv, wish),
    shell: (line: string, wish: ExecWish = {}) => exec.shell(line, wish),
  });
  return Object.freeze({ power, revoke: () => exec.revoke() });
}

interface Folder {
  readonly root: FsRoot;
  readonly writable: boolean;
}

function folderOf(power: FsReader): Folder {
  const facts = fsFacts(power);
  if (facts === undefined)
    throw new UsageError('exec takes fs powers that were granted by grantFs or grantReadFs');
  return facts;
}

async function egressOf({ net }: ExecOptions): Promise<Egress | undefined> {
  if (net === undefined) return undefined;
  const facts = netFacts(net);
  if (facts === undefined) throw new UsageError('exec takes a net power that was granted by grantNet');
  return openEgress(facts);
}

class Exec {
  readonly #options: ExecOptions;
  readonly #folders: readonly Folder[];
  readonly #bwrap: string;
  readonly #egress: Egress | undefined;
  readonly #bounds: RunBounds;
  readonly #end = new AbortController();
  readonly #running = new Set<Promise<unknown>>();

  constructor(
    options: ExecOptions,
    folders: readonly Folder[],
    { bwrap, egress }: { readonly bwrap: string; readonly egress?: Egress },
  ) {
    if (folders.length === 0) throw new UsageError('exec needs at least one fs power');
    this.#options = options;
    this.#folders = folders;
    this.#bwrap = bwrap;
    this.#egress = egress;
    this.#bounds = { ...usualBounds, ...options.bounds };
  }

  async whyNot(canaryFolder: string): Promise<string | undefined> {
    const plan = this.#plan(this.#home);
    if ('why' in plan) return plan.why;
    return whyUnconfined(plan, { canaryFolder, hide: this.#options.hide ?? [] });
  }

  async run(argv: readonly [string, ...string[]], wish: ExecWish): Promise<ExecResult> {
    if (argv.some((word) => word.includes('\0'))) throw malformed('a word holds NUL');
    return this.#start(argv.map(quoted).join(' '), argv, wish);
  }

  shell(line: string, wish: ExecWish): Promise<ExecResult> {
    return this.#start(line, ['/bin/sh', '-c', line], wish);
  }

  async revoke(): Promise<void> {
    this.#end.abort(revoked());
    await Promise.allSettled(this.#running);
    await this.#egress?.close();
  }

  get #home(): string {
    return this.#folders[0]?.root.paths[0] ?? '/';
  }

  #guard(): void {
    this.#end.signal.throwIfAborted();
    this.#options.port.guard();
    for (const { root } of this.#folders) root.guard();
  }

  async #start(line: string, argv: readonly string[], wish: ExecWish): Promise<ExecResult> {
    this.#guard();
    const cwd = this.#folder(wish.cwd ?? '');
    this.#judge(commandNames(line, { root: cwd, case: 'sensitive', platform: 'posix' }));
    if (this.#running.size >= mostRuns) throw new PowerFailure('failed', `${mostRuns} programs run already`);
    for (const { root } of this.#folders) {
      if (!(await root.isInPlace()))
        throw outOfScope('fs.root', 'the folder of this tool is not in its place any more');
    }
    this.#guard();
    const plan = this.#plan(cwd);
    if ('why' in plan)
      throw new PowerFailure('failed', 'the folder of this tool cannot be shown to a program');
    const run = this.#run(plan, argv, wish);
    this.#running.add(run);
    try {
      const result = await run;
      this.#guard();
      return result;
    } finally {
      this.#running.delete(run);
    }
  }

  #run(plan: Plan, argv: readonly string[], { input, signal }: ExecWish): Promise<ExecResult> {
    const [program = '', ...args] = argv;
    return runToEnd((command) => sandboxed(this.#bwrap, plan, command), {
      program,
      args,
      bounds: this.#bounds,
      signal: AbortSignal.any([this.#end.signal, ...(signal === undefined ? [] : [signal])]),
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

  #plan(cwd: string): ReturnType<typeof planOf> {
    const paths = (writable: boolean): string[] =>
      this.#folders.filter((each) => each.writable === writable).flatMap(({ root }) => root.paths);
    const [read, write] = [paths(false), paths(true)];
    const hide = [...(this.#options.hide ?? []), ...[...read, ...write].flatMap(mountsBelow)];
    const egress = this.#egress?.socket;
    return planOf({ read, write, hide, cwd, ...(egress !== undefined && { egress }) });
  }
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
