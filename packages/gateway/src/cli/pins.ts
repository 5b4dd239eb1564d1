/** First use and later changes: which tool definitions are in force. */
import type { Clock, ServerName, ToolDefinition } from '@pawl/core';
import type { PinStore, StoredPin } from '../store/index.js';
import { definitionDigest } from './servers.js';

/** What one server's list comes to. */
export interface ListedTools {
  readonly inForce: readonly ToolDefinition[];
  /** What the store has not seen yet; to be recorded once a generation with these tools is in force. */
  readonly unseen: readonly StoredPin[];
}

/**
 * The definitions in force of one server. The first list of a server that the store has never seen is accepted as first use;
 * after that a new or changed definition waits, and what waits is absent. Changes nothing in the store.
 */
export async function definitionsInForce(
  pins: Pick<PinStore, 'list'>,
  server: ServerName,
  listed: readonly ToolDefinition[],
  context: { readonly clock: Clock; readonly log: (line: string) => void },
): Promise<ListedTools> {
  const stored = await pins.list(server);
  const firstUse = stored.length === 0;
  const accepted = new Map(
    stored.filter((pin) => pin.state === 'accepted').map((pin) => [pin.tool, pin.digest]),
  );
  const fits = ({ name, definition }: ToolDefinition): boolean =>
    firstUse || accepted.get(name) === definitionDigest(definition);
  const state = firstUse ? ('accepted' as const) : ('waiting' as const);
  const fresh = listed
    .filter((tool) => firstUse || !fits(tool))
    .map((tool): StoredPin => pinOf(server, tool, state, context.clock));
  const unseen = fresh.filter(
    (pin) => !stored.some((each) => each.tool === pin.tool && each.digest === pin.digest),
  );
  for (const pin of firstUse ? [] : fresh) {
    context.log(
      `server ${server}: the definition of ${pin.tool} is new or changed; it waits and the tool is absent`,
    );
  }
  return { inForce: listed.filter(fits), unseen };
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
