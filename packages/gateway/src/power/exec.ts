/** The exec power: programs of the system in a sandbox that shows nothing but the folders of its fs powers. */
import { type TurnPort, UsageError, stopsWithTurns } from '@pawl/core';
import { findBwrap } from '../sandbox/index.js';
import { openEgress } from './egress.js';
import type { ExecOptions, ExecPower, ExecWish } from './exec-form.js';
import type { RunBounds } from './exec-run.js';
import { type ExecFolder, type WayOut, ExecSandbox } from './exec-sandbox.js';
import { fsFacts } from './fs.js';
import type { FsReader } from './fs-read.js';
import { netFacts } from './net.js';
import type { Grant } from './port.js';
import { NoConfinement } from './refusal.js';

const usualBounds: RunBounds = {
  deadlineMs: 60_000,
  outputBytes: 1024 * 1024,
  memoryBytes: 1024 * 1024 * 1024,
  fileBytes: 256 * 1024 * 1024,
  cpuSeconds: 120,
  processes: 512,
  openFiles: 1024,
};

/**
 * Grants programs in a sandbox of bubblewrap: the folders of the fs powers, the system read-only, no environment, no network but
 * that of `net`, bounds on time, output, memory and files; the whole tree of processes ends with the run, and every run with the power, or
 * with one that it was made of. Rejects with NoConfinement where that sandbox is not to be had or does not refuse what it should, and with a
 * UsageError for powers that were not granted here.
 */
export async function grantExec(options: ExecOptions): Promise<Grant<ExecPower>> {
  const bwrap = findBwrap();
  if (bwrap === undefined)
    throw new NoConfinement('an exec power needs bubblewrap: install the package bubblewrap');
  const folders = [options.fs].flat().map(folderOf);
  const way = await wayOut(options);
  const bounds = { ...usualBounds, ...options.bounds };
  const exec = new ExecSandbox({ options, folders, bwrap, bounds, ...(way !== undefined && { way }) });
  const why = await exec.whyNot(options.canaryFolder);
  if (why !== undefined) {
    await way?.egress.close();
    throw new NoConfinement(`an exec power needs a sandbox that refuses: ${why}`);
  }
  const powerIn = (turn?: TurnPort): ExecPower =>
    Object.freeze({
      run: (argv: readonly [string, ...string[]], wish: ExecWish = {}) => exec.run(argv, wish, turn),
      shell: (line: string, wish: ExecWish = {}) => exec.shell(line, wish, turn),
    });
  return Object.freeze({ power: stopsWithTurns(powerIn(), powerIn), revoke: () => exec.revoke() });
}

function folderOf(power: FsReader): ExecFolder {
  const facts = fsFacts(power);
  if (facts === undefined)
    throw new UsageError('exec takes fs powers that were granted by grantFs or grantReadFs');
  return facts;
}

async function wayOut({ net }: ExecOptions): Promise<WayOut | undefined> {
  if (net === undefined) return undefined;
  const facts = netFacts(net);
  if (facts === undefined) throw new UsageError('exec takes a net power that was granted by grantNet');
  return { egress: await openEgress(facts), signal: facts.signal };
}
