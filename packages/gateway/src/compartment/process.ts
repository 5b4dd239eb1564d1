/** A process of node for code that is not trusted: nothing of the gateway in it but its entry, and it can always be ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import { Socket } from 'node:net';
import { fileURLToPath } from 'node:url';
import { NoConfinement, limiter } from '../power/index.js';
import { closedBeyond } from '../sandbox/index.js';
import { Lines } from './wire.js';

/** Bounds of a process. The kernel holds it to all but the first and the last. */
export interface ProcessBounds {
  /** Of what JavaScript allocates, in MiB. */
  readonly heapMiB: number;
  /** Of all memory that it may write to, buffers included, in MiB. */
  readonly memoryMiB: number;
  /** Of its processor time. */
  readonly cpuSeconds: number;
  /** Of one line that it sends. */
  readonly lineBytes: number;
}

/** Who hears of a process. */
export interface Listener {
  /** One line that it sent. */
  line(text: string): void;
  /** Once, at its end, with why it ended. */
  ended(why: string): void;
}

/** The two programs that run so. */
const entries: Readonly<Record<'load' | 'run', URL>> = {
  load: new URL('./load-process.js', import.meta.url),
  run: new URL('./run-process.js', import.meta.url),
};

/** A running process; it ends with whoever started it. */
export class Confined {
  readonly #child: ChildProcess;
  readonly #waiting: string[] = [];
  #listener: Listener | undefined;
  #over: string | undefined;

  /** Starts one. Throws NoConfinement where memory cannot be bounded. */
  constructor(entry: 'load' | 'run', bounds: ProcessBounds) {
    if (limiter === undefined)
      throw new NoConfinement('a compartment needs prlimit: install the package util-linux');
    const args = [
      ...limits(bounds),
      '--',
      process.execPath,
      ...nodeArguments(bounds),
      fileURLToPath(entries[entry]),
    ];
    this.#child = spawn(limiter, args, {
      cwd: '/',
      env: {},
      detached: true,
      stdio: [...closedBeyond(['pipe', 'pipe', 'ignore'] as const)],
    });
    const lines = new Lines(bounds.lineBytes);
    this.#child.stdout?.on('data', (chunk: Buffer) => this.#take(lines.take(chunk)));
    this.#child.stdin?.on('error', () => undefined);
    this.#child.once('error', () => this.#end('the process could not be started'));
    this.#child.once('close', (code, signal) => this.#end(whyEnded(code, signal)));
    // What waits to be used keeps nobody running; what is asked has somebody who waits for it.
    this.#child.unref();
    for (const stream of [this.#child.stdin, this.#child.stdout])
      if (stream instanceof Socket) stream.unref();
  }

  /** From now on this one hears of it; also of what came before. */
  attend(listener: Listener): void {
    this.#listener = listener;
    for (const line of this.#waiting.splice(0)) listener.line(line);
    if (this.#over !== undefined) listener.ended(this.#over);
  }

  get isOver(): boolean {
    return this.#over !== undefined;
  }

  /** Sends one order. */
  send(order: object): void {
    if (this.#over === undefined) this.#child.stdin?.write(`${JSON.stringify(order)}\n`);
  }

  /** Ends it at once, whatever it does. */
  end(why: string): void {
    const { pid, exitCode, signalCode } = this.#child;
    this.#end(why);
    if (pid === undefined || exitCode !== null || signalCode !== null) return;
    try {
      process.kill(-pid, 'SIGKILL');
    } catch {
      // It is gone already.
    }
  }

  #take(lines: readonly string[] | undefined): void {
    if (this.#over !== undefined) return;
    if (lines === undefined) return this.end('it sent more at once than it may');
    for (const line of lines) {
      if (this.#listener === undefined) this.#waiting.push(line);
      else this.#listener.line(line);
    }
  }

  #end(why: string): void {
    if (this.#over !== undefined) return;
    this.#over = why;
    this.#listener?.ended(why);
  }
}

function limits({ memoryMiB, cpuSeconds }: ProcessBounds): readonly string[] {
  return [
    `--data=${memoryMiB * 1024 * 1024}`,
    `--cpu=${cpuSeconds}`,
    `--fsize=${isSource ? 64 * 1024 * 1024 : 0}`,
    '--nofile=128',
    '--core=0',
  ];
}

function nodeArguments({ heapMiB }: ProcessBounds): readonly string[] {
  return [`--max-old-space-size=${heapMiB}`, '--no-addons', '--no-warnings', ...fromSource()];
}

/** Whether this file is a source, as in tests: what makes node read sources keeps files. */
const isSource = import.meta.url.endsWith('.ts');

/** A process of sources needs the hooks that this process was given. */
function fromSource(): readonly string[] {
  if (!isSource) return [];
  return process.execArgv.flatMap((word, at, all) =>
    word === '--import' ? [word, all[at + 1] ?? ''] : word.startsWith('--import=') ? [word] : [],
  );
}

function whyEnded(code: number | null, signal: NodeJS.Signals | null): string {
  // V8 aborts when a heap is full; the limiter ends what used up its processor time.
  if (signal === 'SIGABRT' || signal === 'SIGTRAP' || signal === 'SIGILL' || code === 134)
    return 'it used up its memory';
  if (signal === 'SIGXCPU' || signal === 'SIGKILL') return 'it used up its processor time';
  return signal === null ? `its process ended with code ${code ?? 0}` : `its process was ended by ${signal}`;
}
