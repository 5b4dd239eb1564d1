/** What a daemon puts in force: the compiled policy for the tools in force, and the hash of everything that decides. */
import { realpathSync } from 'node:fs';
import { resolve } from 'node:path';
import {
  type Clock,
  type CompiledPolicy,
  type Digest,
  type Json,
  type LoadProblem,
  type ServerName,
  type ToolDefinition,
  generationHash,
} from '@pawl/core';
import { type BadPolicy, type ReadPolicy, compileRead } from '../config/index.js';
import type { PinStore, StoredPin } from '../store/index.js';
import { definitionsInForce } from './pins.js';
import { type RunningServer, definitionsOf } from './servers.js';

/** Definitions in force, by server. */
export type ToolsInForce = ReadonlyMap<ServerName, readonly ToolDefinition[]>;

/** A generation that could be put in force. */
export interface Candidate {
  readonly policy: CompiledPolicy;
  readonly hash: Digest;
  /** Tools that a server lists as they are in force, by server: what may be mounted. */
  readonly present: ReadonlyMap<ServerName, ReadonlySet<string>>;
  /** Pins to record once it is in force: a start that is refused has seen nothing. */
  readonly unseen: readonly StoredPin[];
  readonly findings: readonly LoadProblem[];
}

/** What a candidate is made from. */
export interface CandidateParts {
  readonly read: ReadPolicy;
  readonly servers: readonly RunningServer[];
  readonly pins: Pick<PinStore, 'list'>;
  /** Absolute folder of the store. */
  readonly storeFolder: string;
  readonly clock: Clock;
  readonly log: (line: string) => void;
}

/** Compiles the policy for the tools in force; changes nothing in the store. */
export async function candidate(parts: CandidateParts): Promise<Candidate | BadPolicy> {
  const { read, servers, pins } = parts;
  const tools = new Map<ServerName, readonly ToolDefinition[]>();
  const present = new Map<ServerName, ReadonlySet<string>>();
  const unseen: StoredPin[] = [];
  for (const server of servers) {
    const listed = await definitionsInForce(pins, server.name, definitionsOf(server), parts);
    tools.set(server.name, listed.inForce);
    present.set(server.name, listed.present);
    unseen.push(...listed.unseen);
  }
  const loaded = compileRead(read, { tools, protectedPaths: protectedPaths(parts), vanishedTool: 'finding' });
  if (!loaded.ok) return loaded;
  const { policy, findings } = loaded;
  return { policy, findings, present, unseen, hash: generationHash(generationParts(read, policy, tools)) };
}

/** Everything that decides; neutral keys (descriptions of agents) are left out. */
function generationParts(
  read: ReadPolicy,
  policy: CompiledPolicy,
  tools: ToolsInForce,
): Readonly<Record<string, Json>> {
  const connectors = [...policy.servers.values()].map(({ name, connector }): [string, Json] => [
    name,
    connector === undefined ? null : { name: connector.name, version: connector.version },
  ]);
  return {
    document: withoutNeutral(read.document.plain),
    facts: Object.fromEntries(read.facts),
    tools: Object.fromEntries([...tools].map(([name, list]) => [name, byName(list)])),
    connectors: Object.fromEntries(connectors),
  };
}

/** Definitions by name: the order in which a server lists them decides nothing. */
function byName(list: readonly ToolDefinition[]): Json {
  return Object.fromEntries(list.map(({ name, definition }) => [name, definition]));
}

function withoutNeutral(document: ReadPolicy['document']['plain']): Json {
  const agents = document['agents'];
  if (typeof agents !== 'object' || agents === null || Array.isArray(agents)) return document;
  const kept = Object.entries(agents).map(([name, agent]): [string, Json] => [
    name,
    withoutDescription(agent ?? null),
  ]);
  return { ...document, agents: Object.fromEntries(kept) };
}

function withoutDescription(agent: Json): Json {
  if (typeof agent !== 'object' || agent === null || Array.isArray(agent)) return agent;
  return Object.fromEntries(Object.entries(agent).filter(([key]) => key !== 'description'));
}

/** Policy and store, under the names given and the real ones. */
function protectedPaths({ read, storeFolder }: CandidateParts): readonly string[] {
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
