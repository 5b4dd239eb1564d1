/**
 * The built command line, as tests of the whole drive it: a daemon in a temporary folder, with its store, keys and log.
 * It runs from `packages/gateway/dist`. The gate builds before its tests; after a change run `npm run build` by hand, or
 * what is tested is the program of before the change.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, onTestFinished } from 'vitest';
import { run } from '../../packages/gateway/src/cli/program.js';

const main = fileURLToPath(new URL('../../packages/gateway/dist/cli/main.js', import.meta.url));

/** How a process ended, and what it wrote. */
export interface Ended {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly out: string;
  readonly err: string;
}

/** Arguments of Node that start `pawl`. */
export function pawlArguments(...args: readonly string[]): string[] {
  if (!existsSync(main)) throw new Error('packages/gateway/dist is missing: run npm run build');
  return [main, ...args];
}

/** The environment of a `pawl` that no setting of the caller's reaches. */
export function cleanEnvironment(): Record<string, string> {
  const { PAWL_STORE: _, NODE_OPTIONS: __, ...rest } = process.env;
  return Object.fromEntries(
    Object.entries(rest).filter((entry): entry is [string, string] => entry[1] !== undefined),
  );
}

/** What a test that failed has left running is ended with its file. */
const alive = new Set<ChildProcess>();
afterAll(() => {
  for (const child of alive) child.kill('SIGKILL');
});

/** A started process whose output is kept. */
export class Started {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
  out = '';
  err = '';

  constructor(args: readonly string[], env: Record<string, string> = {}) {
    this.child = spawn(process.execPath, args, {
      env: { ...cleanEnvironment(), ...env },
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    alive.add(this.child);
    this.child.once('close', () => alive.delete(this.child));
    this.child.stdin?.on('error', () => undefined);
    this.child.stdout?.setEncoding('utf8').on('data', (text: string) => (this.out += text));
    this.child.stderr?.setEncoding('utf8').on('data', (text: string) => (this.err += text));
    this.ended = once(this.child, 'close').then(([code, signal]) => ({
      code: code as number | null,
      signal: signal as NodeJS.Signals | null,
      out: this.out,
      err: this.err,
    }));
  }

  /** Settles with what the output then holds once it matches; rejects when the process ends before. */
  async shows(pattern: RegExp, stream: 'out' | 'err' = 'out'): Promise<RegExpExecArray> {
    const source = stream === 'out' ? this.child.stdout : this.child.stderr;
    for (;;) {
      const found = pattern.exec(this[stream]);
      if (found !== null) return found;
      const end = await Promise.race([this.ended, once(source!, 'data').then(() => undefined)]);
      if (end !== undefined && !pattern.test(this[stream]))
        throw new Error(`ended with ${end.code ?? end.signal} before ${pattern}:\n${end.out}\n${end.err}`);
    }
  }
}

/** Runs a command to its end. */
export function pawl(...args: readonly string[]): Promise<Ended> {
  const started = new Started(pawlArguments(...args));
  started.child.stdin?.end();
  return started.ended;
}

/** Runs a command that ends by itself in this very process, from the sources: no start to wait for. */
export async function pawlHere(...args: readonly string[]): Promise<Pick<Ended, 'code' | 'out' | 'err'>> {
  const [out, err]: [string[], string[]] = [[], []];
  const code = await run(args, { out: (text) => void out.push(text), err: (text) => void err.push(text) });
  return { code, out: out.join(''), err: err.join('') };
}

/** A folder that is removed when the test, or the group whose hook asks, has finished. */
export function temporaryFolder(finished: (remove: () => void) => void = onTestFinished): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'pawl-e2e-')));
  finished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The program of a server that is installed for tests. */
export function serverProgram(name: 'filesystem' | 'memory' | 'everything'): string {
  const manifest = createRequire(import.meta.url).resolve(
    `@modelcontextprotocol/server-${name}/package.json`,
  );
  return join(dirname(manifest), 'dist/index.js');
}

/** A server that misbehaves by the names of its tools. */
export const fakeServer: string = fileURLToPath(new URL('../mcp/fake-server.mjs', import.meta.url));

/** Arguments of Node that start a server behind a proxy which notes every `tools/call` that reaches it. */
export function recorded(log: string, ...server: readonly string[]): string[] {
  return [fileURLToPath(new URL('./recorder.mjs', import.meta.url)), log, ...server];
}

/** One call as a recorded server got it. */
export interface RecordedCall {
  readonly name: string;
  readonly arguments: unknown;
}

/** What a recorder has noted so far. */
export function recordedCalls(log: string): readonly RecordedCall[] {
  if (!existsSync(log)) return [];
  return readFileSync(log, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => (JSON.parse(line) as { params: RecordedCall }).params);
}

/** A key as it was issued. */
export interface Key {
  readonly id: string;
  readonly path: string;
  readonly secret: string;
  /** `Bearer …`. */
  readonly authorization: string;
}

/** A running daemon. */
export interface Gateway {
  readonly folder: string;
  readonly policy: string;
  readonly store: string;
  readonly url: string;
  readonly process: Started;
  issueKey(agent: string): Promise<Key>;
  /** Runs a command on its store, in this process. */
  ask(...args: readonly string[]): ReturnType<typeof pawlHere>;
  /** Sends the signal and waits for the end. */
  stop(signal?: NodeJS.Signals): Promise<Ended>;
}

/** What a daemon is started with. */
export interface GatewayOptions {
  /** Temporary, and the caller's to remove. */
  readonly folder: string;
  /** The document, or nothing where an earlier one lies in the folder. */
  readonly policy?: object;
  readonly args?: readonly string[];
  readonly env?: Record<string, string>;
  readonly store?: string;
}

const running = /HTTP {5}(?<url>http:\S+)[^]*stop {5}Ctrl-C\n/u;

/** Starts `pawl run` and settles when it serves. */
export async function startGateway(options: GatewayOptions): Promise<Gateway> {
  const { folder } = options;
  const store = options.store ?? join(folder, 'store');
  const policy = join(folder, 'pawl.json');
  if (options.policy !== undefined) writeFileSync(policy, JSON.stringify(options.policy));
  const args = ['run', policy, '--store', store, '--http', '127.0.0.1:0', ...(options.args ?? [])];
  const started = new Started(pawlArguments(...args), options.env);
  const url = (await started.shows(running)).groups?.['url'] ?? '';
  const ask: Gateway['ask'] = (...words) => pawlHere(...words, '--store', store);
  return {
    folder,
    policy,
    store,
    url,
    process: started,
    ask,
    issueKey: (agent) => issueKey(folder, agent, ask),
    async stop(signal = 'SIGTERM') {
      started.child.kill(signal);
      return started.ended;
    },
  };
}

let issued = 0;

async function issueKey(folder: string, agent: string, ask: Gateway['ask']): Promise<Key> {
  issued += 1;
  const path = join(folder, `${agent}-${issued}.key`);
  const { code, err } = await ask('keys', 'issue', '--agent', agent, '--out', path);
  if (code !== 0) throw new Error(`no key: ${err}`);
  const secret = (JSON.parse(readFileSync(path, 'utf8')) as { key: string }).key;
  return { id: secret.split('_')[1] ?? '', path, secret, authorization: `Bearer ${secret}` };
}
