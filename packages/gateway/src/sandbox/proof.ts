/** A sandbox counts once it was seen to refuse: a probe tries what may not work, in the same plan as the program. */
import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, type Server, createServer } from 'node:net';
import { join } from 'node:path';
import { findBwrap, sandboxNode, sandboxed } from './bwrap.js';
import { closedBeyond } from './descriptors.js';
import type { Plan } from './plan.js';

const probeMs = 20_000;

/** Arguments: a file outside, a port of this machine, and what may not be seen, as JSON. Prints what it could do, as JSON. */
const probe = `
const fs = require('node:fs');
const net = require('node:net');
const [canary, port, hidden] = process.argv.slice(1);
const could = [];
const attempt = (what, work) => { try { if (work() !== false) could.push(what); } catch {} };
attempt('read a file outside', () => fs.readFileSync(canary));
for (const path of JSON.parse(hidden)) {
  attempt('see what is hidden', () => fs.statSync(path).isFile() || fs.readdirSync(path).length > 0);
}
attempt('change programs', () => fs.writeFileSync('/usr/.pawl-probe', ''));
attempt('write beside its folders', () => fs.writeFileSync('/.pawl-probe', ''));
attempt('see processes of others', () => fs.readdirSync('/proc').filter((name) => /^[0-9]+$/.test(name)).length > 16);
attempt('use a descriptor of another', () =>
  fs.readdirSync('/proc/self/fd').some((fd) => {
    if (Number(fd) < 3) return false;
    let to = '';
    try { to = fs.readlinkSync('/proc/self/fd/' + fd); } catch { return false; }
    return to.startsWith('/') && !to.startsWith('/proc/') && to !== '/dev/null' && to !== '/dev/urandom';
  }));
const socket = net.connect({ port: Number(port), host: '127.0.0.1' });
const end = () => { process.stdout.write(JSON.stringify({ could })); process.exit(0); };
socket.on('connect', () => { could.push('connect to this machine'); end(); });
socket.on('error', end);
setTimeout(end, 2000);
`;

/** Where a file lies that no sandbox may see: an absolute folder that no plan shows, as the store's. */
export interface ProofPlace {
  readonly canaryFolder: string;
  readonly hide: readonly string[];
}

/**
 * Runs the probe in the plan. Undefined: everything was refused. Else why the sandbox is none: bubblewrap is missing, does not
 * work here, or let the probe do something. Never rejects.
 */
export async function whyUnconfined(
  plan: Plan,
  place: ProofPlace,
  bwrap: string | undefined = findBwrap(),
): Promise<string | undefined> {
  if (bwrap === undefined) return 'bubblewrap is not installed';
  const folder = mkdtempSync(join(place.canaryFolder, '.probe-'));
  const listener = createServer((socket) => socket.destroy());
  let met = 0;
  listener.on('connection', () => (met += 1));
  try {
    const canary = join(folder, randomBytes(8).toString('hex'));
    writeFileSync(canary, 'outside', { mode: 0o644 });
    const port = await listening(listener);
    const args = ['-e', probe, canary, String(port), JSON.stringify(place.hide)];
    // Without the forwarder: what it adds is the program's way out, and the probe has to find none.
    const { egress: _egress, ...bare } = plan;
    const answer = await ran(sandboxed(bwrap, bare, { program: sandboxNode, args }));
    return met > 0 ? 'the probe could connect to this machine' : verdict(answer);
  } catch (error) {
    return `the probe failed: ${error instanceof Error ? error.message : 'unknown'}`;
  } finally {
    listener.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

function listening(server: Server): Promise<number> {
  return new Promise((done, fail) => {
    server.once('error', fail);
    server.listen(0, '127.0.0.1', () => {
      const address: AddressInfo | string | null = server.address();
      done(address !== null && typeof address === 'object' ? address.port : 0);
    });
  });
}

function ran({ program, args }: ReturnType<typeof sandboxed>): Promise<{ out: string; err: string }> {
  return new Promise((done, fail) => {
    const child = spawn(program, [...args], {
      env: {},
      stdio: [...closedBeyond(['ignore', 'pipe', 'pipe'] as const)],
    });
    const timer = setTimeout(() => child.kill('SIGKILL'), probeMs);
    const text = { out: '', err: '' };
    child.stdout?.on('data', (chunk: Buffer) => (text.out += chunk.toString('utf8')));
    child.stderr?.on('data', (chunk: Buffer) => (text.err += chunk.toString('utf8')));
    child.once('error', fail);
    child.once('close', () => {
      clearTimeout(timer);
      done(text);
    });
  });
}

function verdict({ out, err }: { out: string; err: string }): string | undefined {
  const could = couldIn(out);
  if (could === undefined) return `bubblewrap does not work here: ${err.trim().slice(0, 300) || 'no answer'}`;
  return could.length === 0 ? undefined : `the probe could ${could.join(', ')}`;
}

function couldIn(out: string): readonly string[] | undefined {
  try {
    const answer: unknown = JSON.parse(out);
    const could =
      typeof answer === 'object' && answer !== null && 'could' in answer ? answer.could : undefined;
    return Array.isArray(could) ? could.map(String) : undefined;
  } catch {
    return undefined;
  }
}
