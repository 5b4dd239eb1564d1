/** First use and later changes: which tool definitions are in force. */
import { type Clock, type ServerName, type ToolDefinition, isJsonObject } from '@pawl/core';
import type { PinStore, StoredPin } from '../store/index.js';
import { definitionDigest } from './servers.js';

/** What one server's list comes to. */
export interface ListedTools {
  /** What the policy is compiled for: the same at every start, whatever the server lists today. */
  readonly inForce: readonly ToolDefinition[];
  /** Tools that the server lists as they are in force; the others are absent. */
  readonly present: ReadonlySet<string>;
  /** What the store has not seen yet; to be recorded once a generation with these tools is in force. */
  readonly unseen: readonly StoredPin[];
}

/**
 * The definitions in force of one server. The first list of a server that the store has never seen is accepted as first use;
 * from then on what was accepted is in force: a new or changed definition waits, and it, or one that is not listed any more, is
 * absent. Changes nothing in the store.
 */
export async function definitionsInForce(
  pins: Pick<PinStore, 'list'>,
  server: ServerName,
  listed: readonly ToolDefinition[],
  context: { readonly clock: Clock; readonly log: (line: string) => void },
): Promise<ListedTools> {
  const stored = await pins.list(server);
  if (stored.length === 0) {
    const unseen = listed.map((tool) => pinOf(server, tool, 'accepted', context.clock));
    return { inForce: listed, present: new Set(listed.map(({ name }) => name)), unseen };
  }
  const accepted = stored.filter((pin) => pin.state === 'accepted');
  const fits = ({ name, definition }: ToolDefinition): boolean =>
    accepted.some((pin) => pin.tool === name && pin.digest === definitionDigest(definition));
  const fresh = listed.filter((tool) => !fits(tool));
  for (const { name } of fresh) {
    context.log(
      `server ${server}: the definition of ${name} is new or changed; it waits and the tool is absent`,
    );
  }
  const waiting = fresh.map((tool) => pinOf(server, tool, 'waiting', context.clock));
  const unseen = waiting.filter(
    (pin) => !stored.some((each) => each.tool === pin.tool && each.digest === pin.digest),
  );
  return {
    inForce: inOrderOf(listed, accepted).flatMap(definitionOf),
    present: new Set(listed.filter(fits).map(({ name }) => name)),
    unseen,
  };
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

function pinOf(
  server: ServerName,
  { name, definition }: ToolDefinition,
  state: StoredPin['state'],
  clock: Clock,
): StoredPin {
  return {
    server,
    tool: name,
    digest: definitionDigest(definition),
    definition,
    state,
    firstUse: state === 'accepted',
    at: clock.wall(),
  };
}
