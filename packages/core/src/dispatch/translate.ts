/** From what a model says to a mediated call: a name of its own table, or a handle, becomes the one handle that is looked up. */
import { type CallId, type Handle, type Json, type SessionId, parseHandle } from '../ground/index.js';
import type { Locator } from '../handle/index.js';
import { frozenCopy } from '../vat/index.js';
import type { CallOutcome } from './call.js';
import type { Dispatcher } from './dispatch.js';

/** A call as a model words it: a tool by the name that it was shown, exactly, or by its handle. */
export type WordedCall =
  | { readonly tool: string; readonly handle?: undefined; readonly args?: Json }
  | { readonly handle: string; readonly tool?: undefined; readonly args?: Json };

/** What goes with a call beside its words. */
export interface CallOptions {
  readonly signal?: AbortSignal;
  /** The call in whose turn this one is made: `turn.id`. */
  readonly parent?: CallId;
  /** Recorded, never consulted. */
  readonly onBehalfOf?: string;
}

/** Translates the calls of sessions. */
export interface Translator {
  /**
   * Mediates one call. Names are looked up in the table of this session, exactly and without folding; what is no name of it and no handle is
   * answered like every handle that leads nowhere. Never rejects for anything that a model can say; the arguments are copied.
   */
  call(session: SessionId, worded: WordedCall, options?: CallOptions): Promise<CallOutcome>;
}

/** A translator over the tables of sessions and the mediation point. */
export function translator(
  locator: Pick<Locator, 'find' | 'former'>,
  dispatcher: Pick<Dispatcher, 'call'>,
): Translator {
  return Object.freeze({
    call: async (session: SessionId, worded: WordedCall, options: CallOptions = {}): Promise<CallOutcome> => {
      const { signal = new AbortController().signal, parent, onBehalfOf } = options;
      return dispatcher.call({
        session,
        handle: handleOf(locator, session, worded),
        args: argsOf(worded),
        signal,
        ...(parent === undefined ? {} : { parent }),
        ...(onBehalfOf === undefined ? {} : { onBehalfOf }),
      });
    },
  });
}

/** Arguments that are nested too deeply, or are no plain data, are none that any tool takes. */
function argsOf({ args }: WordedCall): Json | undefined {
  try {
    return frozenCopy(args);
  } catch {
    return unusable;
  }
}

/** Refused as malformed by every tool, and audited so. */
const unusable: Json = Object.freeze([]);

function handleOf(
  locator: Pick<Locator, 'find' | 'former'>,
  session: SessionId,
  { tool, handle }: { readonly tool?: unknown; readonly handle?: unknown },
): Handle | undefined {
  if (typeof handle === 'string') return tool === undefined ? parseHandle(handle) : undefined;
  if (typeof tool !== 'string') return undefined;
  return locator.find(session, tool) ?? locator.former(session, tool);
}
