/** First use, later changes and acceptance: which tool definitions are in force. */
import {
  type AcceptedTool,
  type Clock,
  type Digest,
  type ServerName,
  type ToolDefinition,
  isJsonObject,
} from '@pawl/core';
import { type DefinitionDigests, definitionDigest } from '../mcp/index.js';
import type { PinStore, StoredPin } from '../store/index.js';
import { visible } from './layout.js';

/** A waiting definition that an operator accepts. */
export interface WaitingName {
  readonly server: ServerName;
  readonly tool: string;
  readonly digest: Digest;
}

/** What is known beside the list. */
export interface PinContext {
  readonly clock: Clock;
  readonly log: (line: string) => void;
  /** Nothing is accepted that an operator has not accepted: first use neither. */
  readonly locked?: boolean;
  /** Waiting definitions that are taken for accepted. */
  readonly accepting?: readonly WaitingName[];
}

/** What one server's list comes to. */
export interface ListedTools {
  /** What the policy is compiled for: the same at every start, whatever the server lists today. */
  readonly inForce: readonly ToolDefinition[];
  /** Their digests. */
  readonly digests: DefinitionDigests;
  /** Those that the store has not accepted yet; the generation that has them in force does. */
  readonly accepts: readonly AcceptedTool[];
  /** New or changed definitions that the store has not seen yet. */
  readonly waiting: readonly StoredPin[];
}

/**
 * The definitions in force of one server. The first list of a server that the store has never seen is accepted as first use;
 * from then on what was accepted is in force: a new or changed definition waits for an operator. Changes nothing in the store.
 */
export async function definitionsInForce(
  pins: Pick<PinStore, 'list'>,
  server: ServerName,
  listed: readonly ToolDefinition[],
  context: PinContext,
): Promise<ListedTools> {
  const stored = await pins.list(server);
  if (stored.length === 0 && context.locked !== true) return firstUse(server, listed, context.clock);
  const accepting = (context.accepting ?? []).filter((each) => each.server === server);
  const taken = stored.filter((pin) => pin.state === 'waiting' && accepting.some((each) => isOf(each, pin)));
  const kept = stored.filter(
    ({ state, tool }) => state === 'accepted' && !taken.some((pin) => pin.tool === tool),
  );
  const accepted = inOrderOf(listed, [...kept, ...taken]);
  const digests = new Map(accepted.map(({ tool, digest }) => [tool, digest]));
  return {
    inForce: accepted.flatMap(definitionOf),
    digests,
    accepts: taken.map((pin) => acceptedTool(pin, false)),
    waiting: newlyWaiting({ server, stored, digests }, listed, context),
  };
}

function firstUse(server: ServerName, listed: readonly ToolDefinition[], clock: Clock): ListedTools {
  const pins = listed.map((tool) => waitingPin(server, tool, clock));
  return {
    inForce: listed,
    digests: new Map(pins.map(({ tool, digest }) => [tool, digest])),
    accepts: pins.map((pin) => acceptedTool(pin, true)),
    waiting: [],
  };
}

/** What the store knows of a server. */
export interface KnownPins {
  readonly server: ServerName;
  readonly stored: readonly StoredPin[];
  /** Of what is in force. */
  readonly digests: DefinitionDigests;
}

/** Tools of one server that may wait; what comes beyond is absent as well, and not stored. */
const mostWaiting = 2048;

/** Definitions in a list that are neither in force nor known to wait, as many as there is room for; each is told once. */
export function newlyWaiting(
  { server, stored, digests }: KnownPins,
  listed: readonly ToolDefinition[],
  { clock, log }: Pick<PinContext, 'clock' | 'log'>,
): readonly StoredPin[] {
  const fresh = listed
    .map((tool) => waitingPin(server, tool, clock))
    .filter((pin) => digests.get(pin.tool) !== pin.digest)
    .filter((pin) => !stored.some((each) => each.state === 'waiting' && isOf(each, pin)));
  const waits = new Set(stored.filter(({ state }) => state === 'waiting').map(({ tool }) => tool));
  const others = fresh.filter(({ tool }) => !waits.has(tool));
  const beyond = new Set(others.slice(Math.max(0, mostWaiting - waits.size)));
  if (beyond.size > 0)
    log(`server ${server}: ${mostWaiting} tools wait; ${beyond.size} more are absent and were not stored`);
  const kept = fresh.filter((pin) => !beyond.has(pin));
  for (const { tool } of kept) {
    const what = digests.has(tool) ? 'changed' : 'new';
    const name = `${server}/${visible(tool)}`;
    log(
      `${name} is ${what}: it waits and is absent until an operator accepts it; look with: pawl pins show ${server}`,
    );
  }
  return kept;
}

function isOf(one: Pick<WaitingName, 'tool' | 'digest'>, pin: StoredPin): boolean {
  return one.tool === pin.tool && one.digest === pin.digest;
}

/** The server's order, so that a list reads the same after a restart; what is not listed any more comes last. */
function inOrderOf(listed: readonly ToolDefinition[], pins: readonly StoredPin[]): readonly StoredPin[] {
  const places = new Map(listed.map(({ name }, index) => [name, index]));
  const place = ({ tool }: StoredPin): number => places.get(tool) ?? listed.length;
  return [...pins].sort((a, b) => place(a) - place(b));
}

function definitionOf({ tool, definition }: StoredPin): readonly ToolDefinition[] {
  return isJsonObject(definition) ? [{ name: tool, definition }] : [];
}

function acceptedTool({ server, tool, digest }: StoredPin, isFirst: boolean): AcceptedTool {
  return { server, tool, digest, firstUse: isFirst };
}

function waitingPin(server: ServerName, { name, definition }: ToolDefinition, clock: Clock): StoredPin {
  const digest = definitionDigest(definition);
  return { server, tool: name, digest, definition, state: 'waiting', firstUse: false, at: clock.wall() };
}
