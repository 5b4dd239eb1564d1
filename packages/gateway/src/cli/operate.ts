/** Where an operation of a command happens: in the daemon that answers on the control socket, else on the store itself. */
import { existsSync } from 'node:fs';
import { systemClock } from '@pawl/core';
import {
  type Answer,
  type ControlErrorCode,
  type ControlProblem,
  type OperationName,
  type Operations,
  type ParamsOf,
  type ValueOf,
  callControl,
  no,
} from '../control/index.js';
import { type Store, StoreError, openStore, storePaths } from '../store/index.js';
import { type ExitCode, type Terminal, exit } from './command.js';
import type { KnownAgents } from './known-agents.js';
import { guarded } from './guarded.js';
import { storeOperations } from './operations.js';
import type { StorePlace } from './store-option.js';

/** Asks the daemon of the store; when there is none, `offline` answers. Never rejects for what a store or a daemon does. */
export async function operate<O extends OperationName>(
  place: StorePlace,
  operation: O,
  params: ParamsOf<O>,
  offline: () => Promise<Answer<ValueOf<O>>>,
): Promise<Answer<ValueOf<O>>> {
  const { controlSocket } = storePaths(place.folder);
  const result = await callControl(controlSocket, operation, params);
  if (result.kind === 'answered') return result.answer;
  if (result.kind === 'absent') return guarded(offline);
  return no('internal', `${result.why}; whether it took effect is unknown`);
}

/** How a store is opened offline. */
export interface OfflineOptions {
  /** Whether a store is made where there is none. */
  readonly create?: boolean;
  readonly agents?: KnownAgents;
}

/** Runs an operation on a store that nobody holds, and lets it go again. */
export async function onStore<T>(
  place: StorePlace,
  options: OfflineOptions,
  work: (operations: Operations) => Promise<Answer<T>>,
): Promise<Answer<T>> {
  const { folder } = place;
  if (options.create !== true && !existsSync(storePaths(folder).database))
    throw new StoreError('absent', `there is no store in ${folder}`);
  const { agents } = options;
  const store = await openHeld(folder);
  if (!('id' in store)) return store;
  try {
    const parts = { store, folder, clock: systemClock, ...(agents === undefined ? {} : { agents }) };
    return await work(storeOperations(parts));
  } finally {
    await store.close();
  }
}

async function openHeld(folder: string): Promise<Store | Extract<Answer<never>, { ok: false }>> {
  try {
    return await openStore(folder);
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'held') throw error;
    const why = `another process holds the store in ${folder} and answers on no control socket; end it, or ask again once it serves`;
    return no('unavailable', why);
  }
}

/** Says why an operation was not done, and answers the exit code. */
export function tellProblem(
  name: string,
  problem: ControlProblem,
  json: boolean,
  terminal: Terminal,
): ExitCode {
  terminal.err(json ? `${JSON.stringify({ error: problem })}\n` : `pawl ${name}: ${problem.message}\n`);
  return exitCodes[problem.code];
}

const exitCodes: Readonly<Record<ControlErrorCode, ExitCode>> = {
  refused: exit.negative,
  forbidden: exit.negative,
  unavailable: exit.negative,
  invalid_parameters: exit.usage,
  too_large: exit.usage,
  malformed: exit.internal,
  unknown_operation: exit.internal,
  wrong_method: exit.internal,
  timeout: exit.internal,
  internal: exit.internal,
};
