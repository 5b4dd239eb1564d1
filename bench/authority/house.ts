/** The whole gateway in this process, over a suite: a policy in a file, a store, the agents socket, keys, and servers that say what they were called with. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseAgentName, parseToolName, readableName, systemClock, systemEntropy } from '@pawl/core';
import { startDaemon } from '../../packages/gateway/src/cli/daemon.js';
import { openDoors } from '../../packages/gateway/src/cli/doors.js';
import { readPolicy } from '../../packages/gateway/src/config/index.js';
import { issueKey } from '../../packages/gateway/src/identity/index.js';
import { memoryStore, storePaths } from '../../packages/gateway/src/store/index.js';
import { type Line, openLine } from './line.js';
import { suiteServers } from './server.js';
import type { SuiteTool } from './suite.js';

/** A running gateway. */
export interface House {
  /** Opens a session of its own for an agent: under a fresh key, over a fresh connection. */
  session(agent: string): Promise<Line>;
  /** The name that a tool of the suite has in a session. */
  named(tool: string): string;
  /** Calls that reached a server, and intents to hand one over that are in the audit. */
  books(): Promise<{ readonly received: number; readonly intents: number }>;
  close(): Promise<void>;
}

/** Starts one over a server of that name with these tools; it reads the policy from a file. */
export async function startHouse(
  server: string,
  tools: readonly SuiteTool[],
  policy: string,
): Promise<House> {
  const folder = mkdtempSync(join(tmpdir(), 'pawl-suite-'));
  const file = join(folder, 'pawl.yaml');
  writeFileSync(file, policy);
  const read = readPolicy(file);
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join('; '));
  const store = memoryStore();
  const servers = suiteServers(tools);
  const { launch } = servers;
  const noted: string[] = [];
  const log = (line: string): void => void noted.push(line);
  const daemon = await startDaemon({
    read: read.policy,
    store,
    storeFolder: folder,
    bumpEpoch: false,
    log,
    launch,
  });
  if (!('gate' in daemon)) throw new Error(`not started: ${JSON.stringify(daemon)}`);
  const paths = storePaths(folder);
  const doors = await openDoors(daemon, {
    paths,
    http: undefined,
    agents: true,
    failed: (error) => log(String(error)),
  });
  const lines = new Set<Line>();
  return {
    async session(agent) {
      const name = parseAgentName(agent);
      if (name === undefined) throw new Error(`${agent} is no agent`);
      const { record, key } = issueKey({ agent: name }, systemEntropy, systemClock.wall());
      await store.keys.issue(record);
      const line = await openLine(paths.agentsSocket, key);
      lines.add(line);
      return line;
    },
    named(tool) {
      const full = parseToolName(`${server}/${tool}`);
      if (full === undefined) throw new Error(`${tool} is no tool`);
      return readableName(full);
    },
    async books() {
      const records = await store.records({ limit: Number.MAX_SAFE_INTEGER });
      const intents = records.filter(({ text }) => text.includes('"type":"intent"')).length;
      return { received: servers.received(), intents };
    },
    async close() {
      for (const line of lines) line.close();
      await doors.close();
      await daemon.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
