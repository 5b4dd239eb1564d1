/** What `pawl doctor` looks at: the machine, the store, and what a policy demands of both. */
import { mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { ServerSource } from '@pawl/core';
import { Compartments, whyNoCompartment } from '../compartment/index.js';
import type { ReadPolicy } from '../config/index.js';
import { fitsSocket } from '../control/index.js';
import { hasLimiter, walkWorks } from '../power/index.js';
import { findBwrap, planOf, whyUnconfined } from '../sandbox/index.js';
import { openStore, storePaths } from '../store/index.js';
import { confineServer } from './confine.js';
import { protectedPaths } from './generation.js';
import { secretsIn } from './given.js';
import { targetOf } from './logins.js';
import { storedFor } from './starting.js';

/** One thing that was looked at. `absent`: nobody demands it here; `bad`: without it something does not run. */
export interface Check {
  readonly name: string;
  readonly state: 'ok' | 'absent' | 'bad';
  /** What was found, and what to do. */
  readonly text: string;
}

/** The version of Node that runs this. */
export function nodeCheck(version: string = process.versions.node): Check {
  const major = Number.parseInt(version, 10);
  return major >= 20
    ? { name: 'node', state: 'ok', text: version }
    : { name: 'node', state: 'bad', text: `${version}: Pawl needs 20 or newer` };
}

/** What powers and sandboxes are made of. None of it is needed by a policy that demands no sandbox. */
export async function confinementChecks(): Promise<readonly Check[]> {
  const walk: Check = (await walkWorks())
    ? { name: 'descriptor walk', state: 'ok', text: '/proc/self/fd leads to open folders' }
    : { name: 'descriptor walk', state: 'absent', text: 'no Linux with /proc: tools get no fs power' };
  const limiter: Check = hasLimiter()
    ? { name: 'prlimit', state: 'ok', text: 'bounds programs of the exec power' }
    : {
        name: 'prlimit',
        state: 'absent',
        text: 'install util-linux: tools get no exec power and no compartment',
      };
  return [walk, await told('sandbox', sandboxCheck), limiter, await compartmentCheck()];
}

async function compartmentCheck(): Promise<Check> {
  const name = 'compartments';
  const compartments = new Compartments();
  try {
    const why = await whyNoCompartment(compartments);
    return why === undefined
      ? { name, state: 'ok', text: 'a probe was refused everything, and was ended' }
      : { name, state: 'absent', text: `${why}: JavaScript tools of skills are absent` };
  } catch (error) {
    return { name, state: 'absent', text: textOf(error) };
  } finally {
    compartments.close();
  }
}

async function sandboxCheck(): Promise<Check> {
  const name = 'sandbox';
  if (findBwrap() === undefined)
    return {
      name,
      state: 'absent',
      text: 'bubblewrap is not installed (Debian: apt-get install bubblewrap)',
    };
  return inFolder(async (folder) => {
    const plan = planOf({ read: [], write: [], hide: [], cwd: '/' });
    const why = 'why' in plan ? plan.why : await whyUnconfined(plan, { canaryFolder: folder, hide: [] });
    return why === undefined
      ? { name, state: 'ok', text: 'bubblewrap works, and a probe was refused everything' }
      : { name, state: 'absent', text: why };
  });
}

/** Whether a database and a socket can be had at all. */
export async function storeChecks(folder: string): Promise<readonly Check[]> {
  const [database, socket] = [await told('database', databaseCheck), await told('sockets', socketCheck)];
  return [database, socket, ...folderChecks(folder)];
}

/** What cannot even be looked at is not there. */
async function told(name: string, check: () => Promise<Check>): Promise<Check> {
  try {
    return await check();
  } catch (error) {
    return { name, state: 'bad', text: textOf(error) };
  }
}

async function databaseCheck(): Promise<Check> {
  return inFolder(async (folder) => {
    try {
      const store = await openStore(join(folder, 'store'));
      await store.close();
      return { name: 'database', state: 'ok', text: 'SQLite opens, locks and writes' };
    } catch (error) {
      return { name: 'database', state: 'bad', text: textOf(error) };
    }
  });
}

async function socketCheck(): Promise<Check> {
  return inFolder(async (folder) => {
    const server = createServer();
    const outcome = await new Promise<string | undefined>((done) => {
      server.once('error', (error) => done(textOf(error)));
      server.listen(join(folder, 's'), () => done(undefined));
    });
    server.close();
    return outcome === undefined
      ? { name: 'sockets', state: 'ok', text: 'Unix sockets can be opened' }
      : { name: 'sockets', state: 'bad', text: outcome };
  });
}

function folderChecks(folder: string): readonly Check[] {
  const { controlSocket, agentsSocket } = storePaths(folder);
  const long = [controlSocket, agentsSocket].find((path) => !fitsSocket(path));
  const path: Check[] =
    long === undefined
      ? []
      : [
          {
            name: 'store',
            state: 'bad',
            text: `${long} is too long a path for a socket: name another --store`,
          },
        ];
  return [...path, modeCheck(folder)];
}

function modeCheck(folder: string): Check {
  const name = 'store';
  const stats = statSync(folder, { throwIfNoEntry: false });
  if (stats === undefined)
    return { name, state: 'ok', text: `${folder} is not there yet; pawl run makes it` };
  if (!stats.isDirectory()) return { name, state: 'bad', text: `${folder} is no folder` };
  const mode = (stats.mode & 0o777).toString(8);
  if ((stats.mode & 0o077) !== 0)
    return { name, state: 'bad', text: `${folder} is open to others (${mode}): chmod 700` };
  const own = process.getuid?.() ?? stats.uid;
  return stats.uid === own
    ? { name, state: 'ok', text: `${folder} is closed to others (${mode})` }
    : { name, state: 'bad', text: `${folder} belongs to another user` };
}

/** What a policy demands of this machine: for each server its sandbox, proved as `pawl run` would. */
export async function policyChecks(read: ReadPolicy, storeFolder: string): Promise<readonly Check[]> {
  const checks: Check[] = [];
  for (const source of read.document.servers.values())
    checks.push(await told(`server ${source.name}`, () => serverCheck(source, read, storeFolder)));
  return checks;
}

async function serverCheck(source: ServerSource, read: ReadPolicy, storeFolder: string): Promise<Check> {
  const name = `server ${source.name}`;
  const { sandbox, cwd, root, url } = source;
  const lack = lackOf(source, storeFolder);
  if (lack !== undefined) return { name, state: 'bad', text: `it is not started: ${lack}` };
  if (url !== undefined)
    return { name, state: 'ok', text: 'is elsewhere: what it reaches is not for Pawl to say' };
  if (sandbox === undefined)
    return { name, state: 'ok', text: 'demands no sandbox: its process reaches what this user reaches' };
  const confined = await inFolder((canary) =>
    confineServer(sandbox, {
      folder: read.folder,
      canaryFolder: canary,
      hide: [...protectedPaths({ read, storeFolder })],
      cwd: resolve(read.folder, cwd ?? root ?? '.'),
    }),
  );
  if (typeof confined === 'string')
    return { name, state: 'bad', text: `its sandbox is not to be had: ${confined}` };
  await confined.close();
  return { name, state: 'ok', text: 'its sandbox works, and a probe was refused everything' };
}

/** What a server should be given and is not there. */
function lackOf(source: ServerSource, storeFolder: string): string | undefined {
  const { secrets, tokens } = storedFor(storeFolder);
  const reads = secretsIn(source).map((each) => secrets.read(each));
  const missing = reads.find(({ ok }) => !ok);
  if (missing?.ok === false) return missing.why;
  const isOpen = targetOf(source) === undefined || tokens.read(source.name, undefined) !== undefined;
  return isOpen ? undefined : `nobody has logged in there; run: pawl secrets login ${source.name}`;
}

async function inFolder<T>(work: (folder: string) => Promise<T>): Promise<T> {
  const folder = temporaryFolder();
  try {
    return await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function temporaryFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'pawl-doctor-'));
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : textOf(error);
    throw new Error(
      `no folder can be made in ${tmpdir()} (${code}): free space there, or name another by TMPDIR`,
      { cause: error },
    );
  }
}

function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
