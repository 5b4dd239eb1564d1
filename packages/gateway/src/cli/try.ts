/** `run --try`: makes calls as a client would, and shows what came of them. */
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import {
  type AgentName,
  type Json,
  type JsonObject,
  isJsonArray,
  isJsonObject,
  own,
  parseJson,
  parseToolName,
  readableName,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import { issueKey, readKeyFile, writeKeyFile } from '../identity/index.js';
import type { StorePaths } from '../store/index.js';
import type { Terminal } from './command.js';
import type { Daemon } from './daemon.js';
import { recordLine, recordLines } from './record-line.js';

/** What to try, and where the gateway is. */
export interface TryOptions {
  readonly file: string;
  readonly paths: StorePaths;
  readonly url: string | undefined;
}

interface Attempt {
  readonly tool: string;
  readonly args: JsonObject;
}

/** Makes the calls of the file as the first agent of the policy, through the agents socket with a key of its own. */
export async function tryCalls(daemon: Daemon, options: TryOptions, terminal: Terminal): Promise<void> {
  const attempts = readAttempts(options.file);
  const [agent] = daemon.snapshot.policy.agents.keys();
  if (attempts === undefined || agent === undefined) {
    terminal.err(
      `pawl: ${options.file}: found no lines {"tool":…,"args":{…}}, or the policy has no agent; nothing is tried\n`,
    );
    return;
  }
  const keyFile = await keyFor(daemon, options, agent);
  const read = readKeyFile(keyFile);
  if (!read.ok) throw new Error(`${keyFile}: ${read.why}`);
  const from = daemon.store.head().seq + 1;
  for (const [index, answer] of (await callAll(read.file.agents, read.file.key, attempts)).entries()) {
    const { tool, args } = attempts[index] ?? { tool: '', args: {} };
    terminal.out(`\n> ${readableName(named(tool))} ${JSON.stringify(args)}\n${indent(textOf(answer))}\n`);
  }
  terminal.out('\naudit:\n');
  const records = (await daemon.store.records({ from })).filter(
    (record) => recordLine(record.text).call !== undefined,
  );
  for (const line of recordLines(records.map((record) => record.text))) terminal.out(`  ${line}\n`);
  terminal.out(`\nPaste this into the configuration of an MCP client:\n${snippet(keyFile)}\n`);
}

function readAttempts(file: string): readonly Attempt[] | undefined {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '');
  const attempts = lines.map((line) => {
    const parsed = parseJson(line);
    const tool = parsed.ok && isJsonObject(parsed.value) ? own(parsed.value, 'tool') : undefined;
    const args = parsed.ok && isJsonObject(parsed.value) ? own(parsed.value, 'args') : undefined;
    return typeof tool === 'string' && parseToolName(tool) !== undefined && isJsonObject(args)
      ? { tool, args }
      : undefined;
  });
  const good = attempts.filter((attempt) => attempt !== undefined);
  return good.length === attempts.length && good.length > 0 ? good : undefined;
}

function named(tool: string): Parameters<typeof readableName>[0] {
  const name = parseToolName(tool);
  if (name === undefined) throw new Error(`no tool name: ${tool}`);
  return name;
}

/** A key file of the agent in the store's folder; issued once and kept. */
async function keyFor(
  { store, snapshot }: Daemon,
  { paths, url }: TryOptions,
  agent: AgentName,
): Promise<string> {
  const file = join(paths.folder, `${agent}.key.json`);
  const kept = existsSync(file) ? readKeyFile(file) : undefined;
  const [instance] = [...snapshot.policy.executors.values()]
    .filter((each) => each.agent === agent)
    .map((each) => each.instance);
  if (kept?.ok === true) return file;
  const holder = instance === undefined ? { agent } : { agent, instance };
  const { record, key } = issueKey(holder, systemEntropy, systemClock.wall());
  await store.keys.issue(record);
  writeKeyFile(file, { key, agents: paths.agentsSocket, ...(url === undefined ? {} : { url }) });
  return file;
}

/** Speaks the agents socket line by line: the key, the handshake, one call after the other. */
async function callAll(
  socketPath: string,
  key: string,
  attempts: readonly Attempt[],
): Promise<readonly Json[]> {
  const socket = connect(socketPath);
  const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
  const send = (message: JsonObject): void => void socket.write(`${JSON.stringify(message)}\n`);
  const next = async (): Promise<Json> => {
    const line: unknown = (await lines.next()).value;
    const parsed = parseJson(typeof line === 'string' ? line : '', { bytes: 16 * 1024 * 1024 });
    return parsed.ok ? parsed.value : null;
  };
  send({ pawl: 1, key });
  const clientInfo = { name: 'pawl try', version: '1' };
  send({
    jsonrpc: '2.0',
    id: 0,
    method: 'initialize',
    params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo },
  });
  await next();
  send({ jsonrpc: '2.0', method: 'notifications/initialized' });
  const answers: Json[] = [];
  for (const [index, { tool, args }] of attempts.entries()) {
    send({
      jsonrpc: '2.0',
      id: index + 1,
      method: 'tools/call',
      params: { name: readableName(named(tool)), arguments: args },
    });
    answers.push(await next());
  }
  socket.end();
  return answers;
}

function textOf(answer: Json): string {
  const result = isJsonObject(answer) ? own(answer, 'result') : undefined;
  const content = isJsonObject(result) ? own(result, 'content') : undefined;
  const texts = isJsonArray(content)
    ? content.map((block) => (isJsonObject(block) ? own(block, 'text') : undefined))
    : [];
  const text = texts.filter((each) => typeof each === 'string').join('\n');
  const refused = isJsonObject(result) && own(result, 'isError') === true;
  return `${refused ? 'refused: ' : ''}${text === '' ? JSON.stringify(answer) : text}`;
}

function indent(text: string): string {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `  ${line}`)
    .join('\n');
}

function snippet(keyFile: string): string {
  const program = fileURLToPath(new URL('./main.js', import.meta.url));
  const server = { command: process.execPath, args: [program, 'connect', '--key', keyFile] };
  return JSON.stringify({ mcpServers: { pawl: server } }, null, 2);
}
