/** Confining the processes of a server as its `sandbox` says, proved before the first of them starts. */
import { join, resolve } from 'node:path';
import { type SandboxSource, hostGrant } from '@pawl/core';
import { type Egress, lookupAll, openEgress } from '../power/index.js';
import {
  type CommandLine,
  type Plan,
  findBwrap,
  isInPlace,
  isShown,
  planOf,
  sandboxed,
  whyUnconfined,
} from '../sandbox/index.js';

/** A confinement that was seen to refuse. */
export interface Confined {
  /** The command line that starts a program in it, or why that program is not to be seen there. */
  readonly confine: (command: CommandLine) => CommandLine | string;
  /** Ends its network. */
  close(): Promise<void>;
}

/** Where a server is. Absolute paths. */
export interface ConfinePlace {
  /** Of the document: its relative paths are meant from there. */
  readonly folder: string;
  /** A folder that no sandbox shows, as the store's: what lies there stays unseen, or the confinement is none. */
  readonly canaryFolder: string;
  /** What no sandbox shows. */
  readonly hide: readonly string[];
  readonly cwd: string;
  /** Finds bubblewrap. */
  readonly find?: () => string | undefined;
}

/** Makes the confinement and proves it, or says why there is none. Never rejects. */
export async function confineServer(sandbox: SandboxSource, place: ConfinePlace): Promise<Confined | string> {
  const bwrap = (place.find ?? findBwrap)();
  if (bwrap === undefined)
    return 'bubblewrap is not installed; install it (Debian: apt-get install bubblewrap)';
  const hide = [...place.hide, place.canaryFolder, join(place.folder, '.pawl')];
  let egress: OpenEgress | undefined;
  try {
    egress = await egressOf(sandbox);
    const plan = planOf({
      read: sandbox.read.map((path) => resolve(place.folder, path)),
      write: sandbox.write.map((path) => resolve(place.folder, path)),
      hide,
      cwd: place.cwd,
      ...(egress !== undefined && { egress: egress.socket }),
    });
    const why =
      'why' in plan ? plan.why : await whyUnconfined(plan, { canaryFolder: place.canaryFolder, hide }, bwrap);
    if ('why' in plan || why !== undefined) {
      await egress?.close();
      return why ?? 'it was not seen to refuse';
    }
    return {
      confine: (command) => confinedCommand(bwrap, plan, command),
      close: async () => egress?.close(),
    };
  } catch (error) {
    await egress?.close();
    return error instanceof Error ? error.message : 'unknown';
  }
}

type OpenEgress = Pick<Egress, 'socket' | 'close'>;

async function egressOf({ network }: SandboxSource): Promise<OpenEgress | undefined> {
  if (network === 'none') return undefined;
  const end = new AbortController();
  const egress = await openEgress({
    hosts: hostGrant(network.hosts),
    lookup: lookupAll,
    signal: end.signal,
    guard: () => end.signal.throwIfAborted(),
  });
  const close = async (): Promise<void> => {
    end.abort(new Error('the server was ended'));
    await egress.close();
  };
  return { socket: egress.socket, close };
}

function confinedCommand(bwrap: string, plan: Plan, command: CommandLine): CommandLine | string {
  // Another process that may change a folder above can have put a link in the place of one of these.
  if (!isInPlace(plan)) return 'a folder of its sandbox is gone, or is a link by now';
  if (isShown(plan, command.program)) return sandboxed(bwrap, plan, command);
  return `its sandbox does not show ${command.program}: add the folder of the program to sandbox.read`;
}
