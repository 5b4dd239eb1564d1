/** One run of a program in a sandbox, from its start to the end of everything that it started. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { type CommandLine, closedBeyond } from '../sandbox/index.js';
import { NoConfinement, PowerFailure, revoked } from './refusal.js';

/** Bounds of a run. */
export interface RunBounds {
  readonly deadlineMs: number;
  /** Bytes that are kept of each of its outputs; the rest is read and dropped. */
  readonly outputBytes: number;
  /** Bytes of memory of each process. */
  readonly memoryBytes: number;
  /** Bytes of a file that it writes. */
  readonly fileBytes: number;
  readonly cpuSeconds: number;
  /** Processes of the user at the same time. The system does not bound root so. */
  readonly processes: number;
  readonly openFiles: number;
}

/** How a run ended. */
export interface ExecResult {
  /** Undefined when a signal ended it. */
  readonly code: number | undefined;
  /** The beginning of what it wrote, as UTF-8. */
  readonly stdout: string;
  readonly stderr: string;
  /** Something that it wrote was dropped. */
  readonly truncated: boolean;
  /** It was ended at its deadline. */
  readonly timedOut: boolean;
}

/** What is run. */
export interface RunWish extends CommandLine {
  readonly bounds: RunBounds;
  readonly signal: AbortSignal;
  readonly input?: string | Uint8Array;
}

/** Path of the program that sets bounds on processes; it comes with the system (util-linux). */
export const limiter: string | undefined = ['/usr/bin/prlimit', '/bin/prlimit'].find((path) =>
  existsSync(path),
);
/** Whether programs can be bounded here. */
export function hasLimiter(): boolean {
  return limiter !== undefined;
}

/** All that a program finds in its environment. */
const environment = { PATH: '/usr/local/bin:/usr/bin:/bin', HOME: '/tmp', LANG: 'C.UTF-8' };

/** Runs to the end. Rejects when it cannot be started, and with the reason of the signal. */
export async function runToEnd(
  confine: (command: CommandLine) => CommandLine,
  { program, args, bounds, signal, input }: RunWish,
): Promise<ExecResult> {
  if (limiter === undefined)
    throw new NoConfinement('an exec power needs prlimit: install the package util-linux');
  signal.throwIfAborted();
  const limited = { program: limiter, args: [...limits(bounds), '--', program, ...args] };
  const command = confine(limited);
  const child = spawn(command.program, [...command.args], {
    env: environment,
    detached: true,
    stdio: [...closedBeyond(['pipe', 'pipe', 'pipe'] as const)],
  });
  let timedOut = false;
  const kill = (): void => killed(child);
  const timer = setTimeout(() => {
    timedOut = true;
    kill();
  }, bounds.deadlineMs);
  signal.addEventListener('abort', kill);
  const [out, err] = [child.stdout, child.stderr].map((stream) => new Kept(stream, bounds.outputBytes));
  child.stdin?.on('error', () => undefined);
  child.stdin?.end(input);
  try {
    const code = await ended(child);
    if (signal.aborted) throw reasonOf(signal);
    const truncated = out?.dropped === true || err?.dropped === true;
    return Object.freeze({ code, stdout: out?.text ?? '', stderr: err?.text ?? '', truncated, timedOut });
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', kill);
    kill();
  }
}

function limits(bounds: RunBounds): readonly string[] {
  return [
    `--data=${bounds.memoryBytes}`,
    `--fsize=${bounds.fileBytes}`,
    `--cpu=${bounds.cpuSeconds}`,
    `--nproc=${bounds.processes}`,
    `--nofile=${bounds.openFiles}`,
    '--core=0',
  ];
}

/** Ends bubblewrap: the first process of its namespace dies with it, and with that one all others. */
function killed({ pid, exitCode, signalCode }: ChildProcess): void {
  // The number of one that is gone may be another's by now.
  if (pid === undefined || exitCode !== null || signalCode !== null) return;
  try {
    process.kill(-pid, 'SIGKILL');
  } catch {
    // It is gone already.
  }
}

function ended(child: ChildProcess): Promise<number | undefined> {
  return new Promise((done, fail) => {
    child.once('error', () => fail(new PowerFailure('failed', 'the program could not be started')));
    child.once('close', (code) => done(code ?? undefined));
  });
}

function reasonOf(signal: AbortSignal): Error {
  return signal.reason instanceof Error ? signal.reason : revoked();
}

/** The beginning of a stream. */
class Kept {
  dropped = false;
  readonly #chunks: Buffer[] = [];
  #left: number;

  constructor(stream: ChildProcess['stdout'], bytes: number) {
    this.#left = bytes;
    stream?.on('data', (chunk: Buffer) => this.#take(chunk));
    stream?.on('error', () => undefined);
  }

  get text(): string {
    return Buffer.concat(this.#chunks).toString('utf8');
  }

  #take(chunk: Buffer): void {
    if (chunk.length > this.#left) this.dropped = true;
    if (this.#left > 0) this.#chunks.push(chunk.subarray(0, this.#left));
    this.#left = Math.max(0, this.#left - chunk.length);
  }
}
