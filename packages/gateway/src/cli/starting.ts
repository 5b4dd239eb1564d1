/** How a server is started or reached: its process, confined where that is demanded, or its address. */
import { resolve } from 'node:path';
import type { Clock, PolicyDocument, ServerName, ServerSource } from '@pawl/core';
import {
  type Implementation,
  type Launch,
  type ProcessOptions,
  type StartServer,
  startHttp,
  startStdio,
  withoutSecrets,
} from '../mcp/index.js';
import { SecretFolder, TokenFolder, storePaths } from '../store/index.js';
import { type Confined, confineServer } from './confine.js';
import { type Given, type SecretReader, type ServerGiven, givenTo } from './given.js';
import { Logins, targetOf } from './logins.js';

/** What servers are started with. */
export interface ServersOptions {
  readonly document: PolicyDocument;
  /** Bytes of a result, asked for at each answer. */
  readonly maxResultBytes: () => number;
  /** Folder of the document. */
  readonly folder: string;
  readonly self: Implementation;
  readonly clock: Clock;
  /** PATH of Pawl itself: where commands are looked up. */
  readonly searchPath: string;
  readonly log: (line: string) => void;
  /** Absolute folder of the store. */
  readonly storeFolder: string;
  readonly secrets: SecretReader;
  /** Tokens of principals. */
  readonly tokens: Pick<TokenFolder, 'read' | 'set'>;
  /** What no sandbox shows: policy and store. */
  readonly hide: readonly string[];
  /** The one server to start, with the command line given instead of its own; the others are left alone. */
  readonly only?: { readonly server: ServerName; readonly command: string; readonly args: readonly string[] };
  /** Called whenever a process of a server has listed its tools. */
  readonly listed?: (server: ServerName) => void;
  /** Starts the processes; those of the operating system unless told. */
  readonly launch?: Launch | undefined;
}

/** What servers are given out of a store, in that folder. */
export function storedFor(folder: string): Pick<ServersOptions, 'secrets' | 'tokens'> {
  const { secrets, tokens } = storePaths(folder);
  return { secrets: new SecretFolder(secrets), tokens: new TokenFolder(tokens) };
}

/** What starts a server. */
export interface Starter {
  readonly start: StartServer;
  readonly confined?: Confined;
  /** Whether a server that is not there at first may come by itself: it is elsewhere, or waits for a secret. */
  readonly mayCome: boolean;
}

/** Why nothing is started. */
export interface NotStartable {
  readonly why: string;
  /** Why the sandbox that the policy demands is not to be had. */
  readonly unconfined?: string;
}

/** Makes what starts a server. Never rejects. */
export async function starterOf(
  options: ServersOptions,
  source: ServerSource,
  log: (line: string) => void,
): Promise<Starter | NotStartable> {
  const given = givenTo(source, options.secrets);
  if (source.url !== undefined) {
    const start = reaching(options, { ...source, url: source.url }, given);
    return { start: cleanly(start, given), mayCome: true };
  }
  const command = programOf(source, options.folder);
  if (command === undefined) return { why: 'its entry has neither command nor url' };
  const confined = await confinedBy(options, source);
  if (typeof confined === 'string') {
    const why = `NOT CONFINED as its sandbox demands, so it is not started: ${confined}`;
    return { why, unconfined: confined };
  }
  const cwd = workingFolder(source, options.folder);
  const launch = { command, args: source.args, cwd, searchPath: options.searchPath };
  const start = launching(
    options,
    { ...launch, ...(confined && { confine: confined.confine }) },
    { given, log },
  );
  const mayCome = given.isSecret;
  return { start: cleanly(start, given), mayCome, ...(confined && { confined }) };
}

/** A server that refuses the token of a principal gets a renewed one, once at each start. */
function reaching(
  { self, clock, maxResultBytes, tokens }: ServersOptions,
  source: ServerSource & { readonly url: string },
  { headers, redactor }: ServerGiven,
): StartServer {
  const { url, name } = source;
  const base = { url, self, clock, maxResultBytes };
  const target = targetOf(source);
  if (target === undefined)
    return (_principal, discovered) => startHttp({ ...base, headers, ...(discovered && { discovered }) });
  const logins = new Logins({ server: name, target, tokens, redactor, clock });
  return async (principal, discovered) => {
    const why = await logins.ready(principal);
    if (why !== undefined) return { ok: false, why };
    const both = (): ReturnType<typeof headers> => joined(headers(), logins.header(principal));
    const options = { ...base, headers: both, ...(discovered && { discovered }) };
    const started = await startHttp(options);
    if (started.ok || started.isRefused !== true) return started;
    const stays = await logins.renew(principal);
    return stays === undefined ? startHttp(options) : { ok: false, why: stays };
  };
}

function joined(one: Given, other: Given): Given {
  if (typeof one === 'string') return one;
  return typeof other === 'string' ? other : { ...one, ...other };
}

function launching(
  { self, clock, maxResultBytes, launch }: ServersOptions,
  command: Omit<ProcessOptions, 'env' | 'log'>,
  { given, log }: { readonly given: ServerGiven; readonly log: (line: string) => void },
): StartServer {
  return async (principal, discovered) => {
    const env = given.env();
    if (typeof env === 'string') return { ok: false, why: env };
    const options = { ...command, env, self, clock, maxResultBytes, launch };
    return startStdio({
      ...options,
      log: (line) => log(`${principal ?? 'probe'}: ${given.redactor.text(line)}`),
      ...(discovered && { discovered }),
    });
  };
}

/** Of a server that is given no secret nothing is touched. */
function cleanly(start: StartServer, { isSecret, redactor }: ServerGiven): StartServer {
  if (!isSecret) return start;
  return async (...who) => withoutSecrets(await start(...who), redactor);
}

/** Confines as the entry of the server says; the reason where that cannot be; undefined where it says nothing. */
async function confinedBy(
  { folder, storeFolder, hide }: ServersOptions,
  source: ServerSource,
): Promise<Confined | string | undefined> {
  const { sandbox } = source;
  if (sandbox === undefined) return undefined;
  return confineServer(sandbox, {
    folder,
    canaryFolder: storeFolder,
    hide,
    cwd: workingFolder(source, folder),
  });
}

/** The program of an entry, where it has one. */
export function programOf({ command }: ServerSource, folder: string): string | undefined {
  return command?.includes('/') === true ? resolve(folder, command) : command;
}

/** Where the process of an entry is started. */
export function workingFolder({ cwd, root }: ServerSource, folder: string): string {
  return resolve(folder, cwd ?? root ?? '.');
}
