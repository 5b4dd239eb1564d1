/** Servers on pipes in this very process, whose tools change while they run; and the whole gateway before them. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { type Json, type JsonObject, parseAgentName, systemClock, systemEntropy } from '@pawl/core';
import { onTestFinished } from 'vitest';
import { type Line, openLine } from '../../bench/authority/line.js';
import { type Daemon, startDaemon } from '../../packages/gateway/src/cli/daemon.js';
import { openDoors } from '../../packages/gateway/src/cli/doors.js';
import { prove } from '../../packages/gateway/src/cli/prove.js';
import { readPolicy } from '../../packages/gateway/src/config/index.js';
import { issueKey } from '../../packages/gateway/src/identity/index.js';
import type { ProcessOptions, ServerProcess } from '../../packages/gateway/src/mcp/index.js';
import { type Store, memoryStore, openStore, storePaths } from '../../packages/gateway/src/store/index.js';
import { pawlHere } from '../e2e/gateway.js';

/** A tool that takes texts of these names. */
export function tool(name: string, args: readonly string[] = [], more: JsonObject = {}): JsonObject {
  const properties = Object.fromEntries(args.map((each) => [each, { type: 'string' }]));
  return { name, description: `does ${name}`, inputSchema: { type: 'object', properties }, ...more };
}

/** A server: what it lists now, and what reached it. */
export class FakeServer {
  /** Tools of a page; the last page has no cursor unless `cursors` says otherwise. */
  pages: readonly (readonly JsonObject[])[];
  /** Cursor after each page; undefined: the number of the next page. */
  cursorAfter: ((page: number) => string) | undefined;
  readonly received: string[] = [];
  /** Settles before each answer to `tools/list`. */
  hold: Promise<void> = Promise.resolve();
  /** Called when tools are asked for. */
  listing: () => void = () => undefined;
  #processes = new Set<{ write: (message: JsonObject) => void; kill: () => void }>();

  constructor(...tools: readonly JsonObject[]) {
    this.pages = [tools];
  }

  /** Lists these from now on, and says that something changed. */
  become(...tools: readonly JsonObject[]): void {
    this.pages = [tools];
    for (const { write } of this.#processes)
      write({ jsonrpc: '2.0', method: 'notifications/tools/list_changed' });
  }

  /** Lists these from its next start on; every process dies now. */
  dieAndBecome(...tools: readonly JsonObject[]): void {
    this.pages = [tools];
    for (const { kill } of this.#processes) kill();
  }

  /** Processes that run. */
  get running(): number {
    return this.#processes.size;
  }

  start(): ServerProcess {
    const [stdin, stdout] = [new PassThrough(), new PassThrough()];
    let rest = '';
    const write = (message: JsonObject): void => void stdout.write(`${JSON.stringify(message)}\n`);
    stdin.setEncoding('utf8').on('data', (text: string) => {
      const lines = (rest + text).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) void this.#answer(JSON.parse(line) as Asked, write);
    });
    const kill = (): void => void stdin.destroy();
    const process_ = { write, kill };
    this.#processes.add(process_);
    const gone = new Promise<string>((resolve) => stdin.once('close', () => resolve('it was ended')));
    void gone.then(() => this.#processes.delete(process_));
    return { pid: process.pid, stdin, stdout, gone, kill, end: async () => (kill(), void (await gone)) };
  }

  async #answer({ id, method, params }: Asked, write: (message: JsonObject) => void): Promise<void> {
    if (id === undefined) return;
    const result = await this.#result(method, params);
    const told = result === undefined ? { error: { code: -32_601, message: 'no such method' } } : { result };
    write({ jsonrpc: '2.0', id, ...told });
  }

  async #result(method: string, params: JsonObject = {}): Promise<JsonObject | undefined> {
    if (method === 'tools/list') {
      this.listing();
      await this.hold;
      return this.#page(Number(params['cursor'] ?? 0));
    }
    if (method === 'tools/call') {
      const { name } = params;
      this.received.push(typeof name === 'string' ? name : '');
      return { content: [{ type: 'text', text: JSON.stringify(params) }] };
    }
    if (method === 'ping') return {};
    if (method !== 'initialize') return undefined;
    const serverInfo = { name: 'fake', version: '1.0.0' };
    return { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true } }, serverInfo };
  }

  #page(at: number): JsonObject {
    const tools = [...(this.pages[at] ?? [])];
    if (this.cursorAfter !== undefined) return { tools, nextCursor: this.cursorAfter(at) };
    return at + 1 < this.pages.length ? { tools, nextCursor: String(at + 1) } : { tools };
  }
}

interface Asked {
  readonly id?: Json;
  readonly method: string;
  readonly params?: JsonObject;
}

/** What a gateway is started with. */
export interface HouseOptions {
  /** By name; a command `NAME` in the policy starts that one. Absent: commands are programs. */
  readonly servers?: Readonly<Record<string, FakeServer>>;
  readonly policy: object;
  readonly locked?: boolean;
  readonly bumpEpoch?: boolean;
  /** Keeps the store over a restart in that folder; else it forgets. */
  readonly folder?: string;
}

/** A running gateway. */
export interface House {
  readonly daemon: Daemon;
  readonly store: Store;
  readonly log: readonly string[];
  /** Where the policy is. */
  readonly folder: string;
  /** Opens a session under a fresh key. */
  session(agent: string): Promise<Line>;
  /** Connects again under the key of that session. */
  again(line: Line): Promise<Line>;
  write(policy: object): void;
  /** Runs a command on its store. */
  ask(...args: readonly string[]): ReturnType<typeof pawlHere>;
  close(): Promise<void>;
}

/** A document over these servers, where the agent `a` has these rules. */
export function policyOver(servers: readonly string[], allow: readonly object[], more: object = {}): object {
  const entries = servers.map((name) => [name, { command: name, ...more }]);
  return { pawl: 1, servers: Object.fromEntries(entries), agents: { a: { allow } } };
}

/** Starts one; it ends with the test. */
export async function startHouse(options: HouseOptions): Promise<House> {
  const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'pawl-tools-'));
  const [file, storeFolder] = [join(folder, 'pawl.json'), join(folder, 'store')];
  const write = (policy: object): void => writeFileSync(file, JSON.stringify(policy));
  write(options.policy);
  mkdirSync(storeFolder, { recursive: true, mode: 0o700 });
  const read = readPolicy(file);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  const store = options.folder === undefined ? memoryStore() : await openStore(storeFolder);
  const log: string[] = [];
  const { locked = false, bumpEpoch = false, servers } = options;
  const launch = ({ command }: ProcessOptions): ServerProcess | string =>
    servers?.[command]?.start() ?? `there is no ${command}`;
  const daemon = await startDaemon({
    read: read.policy,
    store,
    storeFolder,
    bumpEpoch,
    locked,
    log: (line) => void log.push(line),
    prover: { compare: async (...pair) => prove(...pair) },
    launch: servers === undefined ? undefined : launch,
  });
  if (!('gate' in daemon)) throw new Error(`not started: ${JSON.stringify(daemon)}`);
  const paths = storePaths(storeFolder);
  const failed = (error: unknown): void => void log.push(String(error));
  const doors = await openDoors(daemon, { paths, http: undefined, agents: true, failed });
  const lines = new Map<Line, string>();
  let closing: Promise<void> | undefined;
  const end = async (): Promise<void> => {
    for (const line of lines.keys()) line.close();
    await doors.close();
    await daemon.close();
    if (options.folder === undefined) rmSync(folder, { recursive: true, force: true });
  };
  const close = (): Promise<void> => (closing ??= end());
  onTestFinished(close);
  const connect = async (key: string): Promise<Line> => {
    const line = await openLine(paths.agentsSocket, key);
    lines.set(line, key);
    return line;
  };
  return {
    daemon,
    store,
    log,
    folder,
    write,
    close,
    ask: (...args) => pawlHere(...args, '--store', storeFolder),
    again: (line) => connect(lines.get(line) ?? ''),
    async session(agent) {
      const name = parseAgentName(agent);
      if (name === undefined) throw new Error(`${agent} is no agent`);
      const { record, key } = issueKey({ agent: name }, systemEntropy, systemClock.wall());
      await store.keys.issue(record);
      return connect(key);
    },
  };
}
