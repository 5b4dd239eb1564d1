/** First use and later changes: which tool definitions are in force. */
import type { Clock, ServerName, ToolDefinition } from '@pawl/core';
import type { PinStore, StoredPin } from '../store/index.js';
import { definitionDigest } from './servers.js';

/**
 * The definitions in force of one server. The first list of a server that the store has never seen is accepted and recorded as
 * first use; after that a new or changed definition waits, and what waits is absent.
 */
export async function definitionsInForce(
  pins: PinStore,
  server: ServerName,
  listed: readonly ToolDefinition[],
  context: { readonly clock: Clock; readonly log: (line: string) => void },
): Promise<readonly ToolDefinition[]> {
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
  if (unseen.length > 0) await pins.put(unseen);
  for (const pin of firstUse ? [] : fresh) {
    context.log(
      `server ${server}: the definition of ${pin.tool} is new or changed; it waits and the tool is absent`,
    );
  }
  return listed.filter(fits);
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
