/** A server's process: started with nothing but what its entry declares, ended with everything it started. */
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, dirname, isAbsolute, join, resolve } from 'node:path';
import type { Readable, Writable } from 'node:stream';
import { type CommandLine, closedBeyond } from '../../sandbox/index.js';
import { LineReader } from '../line.js';

/** A process to start. */
export interface ProcessOptions {
  /** A path, or a word that is looked up in `searchPath`. */
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd?: string;
  /** The whole environment, but for a fixed PATH when it has none. */
  readonly env: Readonly<Record<string, string>>;
  /** Folders, as in PATH, in which `command` is looked up. */
  readonly searchPath: string;
  /** What is started in the program's stead so that it is confined; or why that program cannot be. Absent: it is not confined. */
  readonly confine?: (command: CommandLine) => CommandLine | string;
  /** Takes what the process writes to stderr, line by line: cut, bounded in number, without control characters. */
  readonly log: (line: string) => void;
}

/** A running process. */
export interface ServerProcess {
  readonly pid: number;
  readonly stdin: Writable;
  readonly stdout: Readable;
  /** Settles with what happened once the process is gone and its output is read. */
  readonly gone: Promise<string>;
  /** Closes its input, then asks, then forces it and its group to end; settles when it is gone. */
  end(): Promise<void>;
  /** Forces it and its group to end at once. */
  kill(): void;
}

/** PATH of a server whose entry declares none: the folder of this node, and the system's. */
export const fixedPath: string = [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(
  delimiter,
);

const longestLine = 2000;
const linesPerWindow = 100;
const windowMs = 10_000;
/** Milliseconds for the process to go after its input is closed, and again after it is asked. */
const politeMs = 1000;
/** Milliseconds after its exit in which the process's output may still be read: others may hold the pipe open. */
const lingerMs = 500;

/** The absolute path of a command, or undefined when there is no such executable file. */
function resolveCommand(command: string, searchPath: string, cwd = '.'): string | undefined {
  if (command.includes('/')) {
    const path = isAbsolute(command) ? command : resolve(cwd, command);
    return isExecutable(path) ? path : undefined;
  }
  const folders = searchPath.split(delimiter).filter((folder) => isAbsolute(folder));
  return folders.map((folder) => join(folder, command)).find(isExecutable);
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}

function missing(command: string): string {
  return command.includes('/')
    ? `${command} is no program that can be started`
    : `no program ${command} in PATH`;
}

/** Groups that were started and are not gone. However this process ends, if it can still act, none of them stays. */
const living = new Set<number>();
process.on('exit', () => {
  for (const pid of living) signalGroup(pid, 'SIGKILL');
});

/** Starts what answers on a pair of pipes, or says why it cannot. */
export type Launch = (options: ProcessOptions) => ServerProcess | string;

/** Starts a process in a group of its own, or says why it cannot. */
export function startProcess(options: ProcessOptions): ServerProcess | string {
  const { args, cwd, searchPath } = options;
  const path = resolveCommand(options.command, searchPath, cwd);
  if (path === undefined) return missing(options.command);
  if (cwd !== undefined && !isFolder(cwd)) return `its folder ${cwd} is not there`;
  const command = options.confine?.({ program: path, args }) ?? { program: path, args };
  if (typeof command === 'string') return command;
  const child = started(command, options);
  if (child === undefined) return `${path} cannot be started`;
  const { pid } = child;
  const gone = whenGone(child);
  if (pid === undefined) return `${path} cannot be started`;
  child.stdin.on('error', () => undefined);
  readErrors(child.stderr, options.log);
  const kill = (): void => signalGroup(pid, 'SIGKILL');
  living.add(pid);
  void gone.then(() => {
    living.delete(pid);
    kill();
  });
  return { pid, stdin: child.stdin, stdout: child.stdout, gone, kill, end: () => ended(child, pid, gone) };
}

/** A confined process gets its three pipes and no descriptor that Pawl happens to hold. */
function started(
  { program, args }: CommandLine,
  { cwd, env, confine }: ProcessOptions,
): ChildProcessWithoutNullStreams | undefined {
  const pipes = ['pipe', 'pipe', 'pipe'] as const;
  const child = spawn(program, [...args], {
    ...(cwd !== undefined && { cwd }),
    env: { PATH: fixedPath, ...env },
    stdio: [...(confine === undefined ? pipes : closedBeyond(pipes))],
    detached: true,
    windowsHide: true,
  });
  if (hasPipes(child)) return child;
  child.on('error', () => undefined);
  return undefined;
}

function hasPipes(child: ChildProcess): child is ChildProcessWithoutNullStreams {
  return child.stdin !== null && child.stdout !== null && child.stderr !== null;
}

function whenGone(child: ChildProcessWithoutNullStreams): Promise<string> {
  return new Promise((settle) => {
    let why = 'the process ended';
    child.once('error', (error) => settle(`the process could not be started: ${error.message}`));
    child.once('exit', (code, signal) => {
      why = signal === null ? `the process ended with code ${code ?? 0}` : `the process ended by ${signal}`;
      setTimeout(() => settle(why), lingerMs).unref();
    });
    child.once('close', () => settle(why));
  });
}

async function ended(
  child: ChildProcessWithoutNullStreams,
  pid: number,
  gone: Promise<string>,
): Promise<void> {
  child.stdin.end();
  const ask = setTimeout(() => signalGroup(pid, 'SIGTERM'), politeMs);
  const force = setTimeout(() => signalGroup(pid, 'SIGKILL'), 2 * politeMs);
  await gone;
  clearTimeout(ask);
  clearTimeout(force);
}

function signalGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // The group is gone already.
  }
}

function readErrors(stderr: Readable, log: (line: string) => void): void {
  let left = linesPerWindow;
  let dropped = 0;
  let windowEnd = 0;
  const reader = new LineReader(longestLine, {
    line: (bytes) => take(bytes.toString('utf8')),
    oversize: (head) => take(`${head.toString('utf8')}…`),
  });
  const take = (line: string): void => {
    const now = performance.now();
    if (now >= windowEnd) {
      if (dropped > 0) log(`(${dropped} more lines)`);
      [left, dropped, windowEnd] = [linesPerWindow, 0, now + windowMs];
    }
    if (left === 0) dropped += 1;
    else {
      left -= 1;
      log(printable(line));
    }
  };
  stderr.on('data', (chunk: Buffer) => reader.push(chunk));
  stderr.on('error', () => undefined);
}

function printable(line: string): string {
  return line.replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ').trimEnd();
}
