/** What a daemon puts in force: the compiled policy for the tools in force, and the hash of everything that decides. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type AcceptedTool,
  type ChangeWitness,
  type CompiledPolicy,
  type Declaration,
  type LoadProblem,
  type PolicyDocument,
  type Proposal,
  type ServerName,
  type ToolDefinition,
  deepEqualJson,
} from '@pawl/core';
import { type BadPolicy, type ReadPolicy, compileReadInSteps } from '../config/index.js';
import type { DefinitionDigests } from '../mcp/index.js';
import type { PinStore, StoredPin } from '../store/index.js';
import { type PinContext, definitionsInForce } from './pins.js';
import { type ServerIdentity, identityOf } from './server-identity.js';
import { type RunningServer, definitionsOf } from './servers.js';
import { sourceOf } from './source.js';
import { unhurried } from './unhurried.js';

/** A generation that could be put in force. */
export interface Candidate extends Proposal {
  /** Digests of the definitions that would be in force, by server. */
  readonly digests: ReadonlyMap<ServerName, DefinitionDigests>;
  readonly accepts: readonly AcceptedTool[];
  /** Definitions that are seen for the first time and wait. To be recorded once it is in force: a start that is refused has seen nothing. */
  readonly waiting: readonly StoredPin[];
  readonly findings: readonly LoadProblem[];
}

/** What a candidate is made from. */
export interface CandidateParts extends PinContext {
  readonly read: ReadPolicy;
  readonly servers: readonly RunningServer[];
  readonly pins: Pick<PinStore, 'list'>;
  /** Entries of ceilings and narrowings that are stored. */
  readonly declared: readonly Declaration[];
  /** Absolute folder of the store. */
  readonly storeFolder: string;
  /** What is in force, where something is: what did not change is taken over from it. */
  readonly before?: CompiledPolicy;
}

/** Compiles the policy for the tools in force; changes nothing in the store. */
export async function candidate(parts: CandidateParts): Promise<Candidate | BadPolicy> {
  const { read, servers, pins, declared } = parts;
  const tools = new Map<ServerName, readonly ToolDefinition[]>();
  const digests = new Map<ServerName, DefinitionDigests>();
  const accepts: AcceptedTool[] = [];
  const waiting: StoredPin[] = [];
  for (const server of servers) {
    const listed = await definitionsInForce(pins, server.name, definitionsOf(server), parts);
    tools.set(server.name, listed.inForce);
    digests.set(server.name, listed.digests);
    accepts.push(...listed.accepts);
    waiting.push(...listed.waiting);
  }
  const paths = protectedPaths(parts);
  const before = parts.before === undefined ? {} : { before: parts.before };
  const options = { tools, protectedPaths: paths, declared, vanishedTool: 'finding', ...before } as const;
  const loaded = await unhurried(compileReadInSteps(read, options));
  if (!loaded.ok) return loaded;
  const { policy, findings } = loaded;
  const made = sourceOf({ read, policy, tools, declared, protectedPaths: paths });
  const seen = { digests, accepts, waiting };
  return { policy, findings: [...findings, ...unconfinedIn(parts)], ...seen, ...made };
}

/** Servers that are not there because they could not be confined as the policy demands. */
function unconfinedIn({ servers, read }: CandidateParts): readonly LoadProblem[] {
  return servers.flatMap(({ name, unconfined }) => {
    const source = read.document.servers.get(name);
    if (unconfined === undefined || source === undefined) return [];
    const path = `servers.${name}.sandbox`;
    const message = `${path}: the server is NOT STARTED and its tools are absent: ${unconfined}`;
    return [{ at: source.at, path, found: unconfined, allowed: '', message }];
  });
}

/** A document in its folder. */
export interface Placed {
  readonly document: PolicyDocument;
  readonly folder: string;
}

/** Servers of NEW that OLD does not have, or has otherwise: taking NEW starts a process, so each is a widening of its own. */
export function serverChanges(
  old: ReadonlyMap<ServerName, ServerIdentity>,
  { document, folder }: Placed,
): readonly ChangeWitness[] {
  return [...document.servers.values()].flatMap((source) => {
    const [before, now] = [old.get(source.name), identityOf(source, folder)];
    if (before !== undefined && deepEqualJson(before, now)) return [];
    const path = `servers.${source.name}`;
    return [{ kind: 'change' as const, what: 'server', path, old: before ?? null, new: now }];
  });
}

/** What the servers of a document are. */
export function identitiesOf({ document, folder }: Placed): ReadonlyMap<ServerName, ServerIdentity> {
  return new Map([...document.servers.values()].map((source) => [source.name, identityOf(source, folder)]));
}

/** Policy and store, under the names given and the real ones. */
export function protectedPaths({
  read,
  storeFolder,
}: {
  readonly read: Pick<ReadPolicy, 'file'>;
  readonly storeFolder: string;
}): readonly string[] {
  const named = [resolve(read.file), resolve(storeFolder)];
  return [...new Set(named.flatMap((path) => [path, realPath(path)]))];
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path;
  }
}
