/** `pawl secrets login` and `logout`: tokens for a server, got by a person at a browser. */
import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  type ExecutorId,
  type ServerName,
  executorId,
  parseAgentName,
  parseServerName,
  systemClock,
  systemEntropy,
} from '@pawl/core';
import { readPolicy } from '../config/index.js';
import { type Login, type OAuthTarget, beginLogin } from '../mcp/index.js';
import { TokenFolder, storePaths } from '../store/index.js';
import { type CommandInput, type ExitCode, Misuse, type Terminal, exit, need } from './command.js';
import { agentsOf, whyNoExecutor } from './known-agents.js';
import { timeText } from './layout.js';
import { targetOf } from './logins.js';
import { tellBadPolicy } from './problem.js';
import { storePlace } from './store-option.js';

/** Milliseconds for the person to come back. */
const patienceMs = 300_000;

/** Logs in at the issuer of a server and stores the tokens. */
export async function login(
  input: CommandInput,
  word: string | undefined,
  terminal: Terminal,
): Promise<ExitCode> {
  const server = serverIn(word);
  const read = readPolicy(need(input, 'policy'));
  if (!read.ok) return tellBadPolicy(read, false, terminal);
  const { document } = read.policy;
  const source = document.servers.get(server);
  const target = source && targetOf(source);
  if (target === undefined) throw new Misuse(`the policy has no server ${server} with auth`);
  const principal = principalIn(input);
  const [agent, instance] = principal?.split('/').map(parseAgentName) ?? [];
  const unknown = agent && whyNoExecutor(agentsOf(document), agent, instance);
  if (unknown !== undefined) throw new Misuse(unknown);
  const place = { tokens: tokensAt(input), server, principal };
  return comingBack(target, input.text('client-id'), { ...place, terminal });
}

/** Removes the tokens of a principal. */
export function logout(input: CommandInput, word: string | undefined, terminal: Terminal): ExitCode {
  const server = serverIn(word);
  const principal = principalIn(input);
  const had = tokensAt(input).remove(server, principal);
  const who = principal ?? 'the list of its tools';
  if (had)
    terminal.out(`the tokens for ${server} of ${who} are removed here; the issuer may still take them\n`);
  else terminal.err(`pawl secrets logout: there are no tokens for ${server} of ${who}\n`);
  return had ? exit.ok : exit.negative;
}

interface Place {
  readonly tokens: TokenFolder;
  readonly server: ServerName;
  readonly principal: ExecutorId | undefined;
  readonly terminal: Terminal;
}

async function comingBack(target: OAuthTarget, client: string | undefined, place: Place): Promise<ExitCode> {
  const { tokens, server, principal, terminal } = place;
  const door = createServer();
  door.listen(0, '127.0.0.1');
  await once(door, 'listening');
  const { port } = boundTo(door);
  try {
    const redirect = `http://127.0.0.1:${port}/callback`;
    const around = { redirect, clock: systemClock, entropy: systemEntropy };
    const begun = await beginLogin(target, { ...around, ...(client !== undefined && { client }) });
    terminal.out(
      `open this in a browser on this machine, and log in for ${principal ?? 'the list of tools'}:\n\n  ${begun.url}\n\n`,
    );
    const given = await returned(door, begun);
    tokens.set(server, principal, given);
    const until = given.expiresAt === undefined ? '' : `, good until ${timeText(given.expiresAt)}`;
    const renewed = given.refresh === undefined ? ', not renewed' : ', renewed by Pawl';
    terminal.out(`logged in at ${target.issuer}${until}${renewed}\n`);
    return exit.ok;
  } catch (error) {
    terminal.err(`pawl secrets login: ${error instanceof Error ? error.message : 'unknown'}\n`);
    return exit.negative;
  } finally {
    door.close();
    door.closeAllConnections();
  }
}

/** Waits for the browser. Anybody on this machine may knock: what does not come back from this login is not listened to. */
function returned(door: Server, begun: Login): ReturnType<Login['finish']> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('nobody came back within 5 minutes')), patienceMs);
    door.on('request', (request, response) => {
      const url = new URL(request.url ?? '/', 'http://127.0.0.1');
      const isBack =
        request.method === 'GET' && url.pathname === '/callback' && begun.isOwn(url.searchParams);
      response.writeHead(isBack ? 200 : 404, { 'content-type': 'text/plain', 'cache-control': 'no-store' });
      response.end(isBack ? 'Go back to the terminal.\n' : '');
      if (!isBack) return;
      clearTimeout(timer);
      begun.finish(url.searchParams).then(resolve, reject);
    });
  });
}

function boundTo(door: Server): AddressInfo {
  const address = door.address();
  return typeof address === 'object' && address !== null ? address : { port: 0, address: '', family: '' };
}

function tokensAt(input: CommandInput): TokenFolder {
  return new TokenFolder(storePaths(storePlace(input).folder).tokens);
}

function serverIn(word: string | undefined): ServerName {
  const server = word === undefined ? undefined : parseServerName(word);
  if (server === undefined) throw new Misuse('name a SERVER of the policy');
  return server;
}

/** The principal of `--agent` and `--instance`; undefined: the one for whom tools are listed. */
function principalIn(input: CommandInput): ExecutorId | undefined {
  const [agentText, instance] = [input.text('agent'), input.text('instance')];
  if (agentText === undefined && instance !== undefined) throw new Misuse('--instance needs --agent');
  const agent = agentText === undefined ? undefined : parseAgentName(agentText);
  const isNamed = instance === undefined || parseAgentName(instance) !== undefined;
  if ((agentText !== undefined && agent === undefined) || !isNamed)
    throw new Misuse('--agent and --instance are names: letters, digits, "_", "." and "-"');
  return agent === undefined ? undefined : executorId(agent, instance);
}
