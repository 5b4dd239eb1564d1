/** The fronts that are measured, each with processes, store and server of its own. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { type MakeCall, httpClient, lineClient } from './client.js';

/** A running front. */
export interface Front {
  readonly name: string;
  readonly call: MakeCall;
  /** Whose CPU counts, by what each is. */
  readonly processes: Readonly<Record<string, number>>;
}

/** All of them, and how to end them. */
export interface Fronts {
  readonly fronts: readonly Front[];
  readonly close: () => Promise<void>;
}

const root = join(import.meta.dirname, '../..');
const main = join(root, 'packages/gateway/dist/cli/main.js');
const server = join(import.meta.dirname, 'server.mjs');
const copier = join(import.meta.dirname, 'copier.mjs');

const policy = `
pawl: 1
servers:
  files: { command: node, args: [${JSON.stringify(server)}], connector: filesystem, root: work }
agents:
  worker:
    allow:
      - tools: [files/read_text_file]
        where: { path: [docs/**, src/**, /tmp/shared/*.txt] }
    deny:
      - where: { path: "**/.env" }
`;

/** Starts every front. `profile`: a folder that takes a CPU profile of every Pawl process. */
export async function startFronts(profile: string | undefined): Promise<Fronts> {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-bench-'));
  mkdirSync(join(folder, 'work'));
  const document = join(folder, 'pawl.yaml');
  writeFileSync(document, policy);
  const children: ChildProcess[] = [];
  const start = (...args: readonly string[]): ChildProcess => {
    const flags = profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${profile}`];
    const own = args[0] === main ? flags : [];
    const child = spawn(process.execPath, [...own, ...args], {
      cwd: folder,
      stdio: ['pipe', 'pipe', 'pipe'],
    });
    children.push(child);
    return child;
  };
  const close = async (): Promise<void> => {
    for (const child of children) child.kill('SIGTERM');
    await Promise.all(children.map(ended));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    return { fronts: await startAll(folder, document, start), close };
  } catch (error) {
    await close();
    throw error;
  }
}

type Start = (...args: readonly string[]) => ChildProcess;

async function startAll(folder: string, document: string, start: Start): Promise<readonly Front[]> {
  const copied = start(copier, process.execPath, server);
  const wrapStore = join(folder, 'wrap');
  const place = ['--policy', document, '--store', wrapStore];
  const wrapped = start(main, 'wrap', ...place, '--server', 'files', '--', process.execPath, server);
  const store = join(folder, 'run');
  const daemon = start(main, 'run', document, '--store', store, '--http', '127.0.0.1:0');
  const url = await endpointOf(daemon);
  const key = issueKey(folder, store);
  const connected = start(main, 'connect', '--key', key.file);
  const ofDaemon = { run: daemon.pid! };
  return [
    { name: 'frame copier', call: await lineClient(copied), processes: { copier: copied.pid! } },
    { name: 'wrap', call: await lineClient(wrapped), processes: { wrap: wrapped.pid! } },
    {
      name: 'connect + run',
      call: await lineClient(connected),
      processes: { connect: connected.pid!, ...ofDaemon },
    },
    { name: 'HTTP', call: await httpClient(url, key.secret), processes: ofDaemon },
  ];
}

async function endpointOf(daemon: ChildProcess): Promise<string> {
  let said = '';
  for (const stream of [daemon.stdout!, daemon.stderr!])
    stream.on('data', (chunk: Buffer) => (said += chunk.toString()));
  for (let tries = 0; tries < 300 && daemon.exitCode === null; tries++) {
    const found = /http:\/\/\S+/u.exec(said);
    if (found !== null) return found[0];
    await pause(100);
  }
  throw new Error(`pawl run did not come up: ${said}`);
}

function issueKey(folder: string, store: string): { readonly file: string; readonly secret: string } {
  const file = join(folder, 'worker.key');
  const args = [main, 'keys', 'issue', '--agent', 'worker', '--out', file, '--store', store];
  const { stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  if (!existsSync(file)) throw new Error(`no key was issued: ${stderr}`);
  const { key }: { key: string } = JSON.parse(readFileSync(file, 'utf8'));
  return { file, secret: key };
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const timer = setTimeout(() => child.kill('SIGKILL'), 5000);
  await new Promise<void>((resolve) => child.once('exit', () => resolve()));
  clearTimeout(timer);
}
