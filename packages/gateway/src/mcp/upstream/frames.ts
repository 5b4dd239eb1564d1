/** The frames that Pawl itself writes to a server. */
import type { Json, JsonObject } from '@pawl/core';
import { type Era, modernVersion } from '../era.js';
import { type Implementation, clientCapabilitiesKey, clientInfoKey, protocolVersionKey } from '../meta.js';
import { methodNotFound } from '../wire-error.js';

/** One call to write. */
export interface CallFrame {
  readonly id: number;
  readonly tool: string;
  readonly args: JsonObject;
  /** Whether the server may report progress; its token is the id. */
  readonly progress: boolean;
  readonly trace?: JsonObject;
}

/** Writes frames of one era. */
export interface UpstreamFrames {
  /** `tools/call`. */
  call(frame: CallFrame): string;
  /** Asks a 2026-07-28 server to tell when its tools change; one of before tells without being asked. */
  listen(id: number): string | undefined;
  /** A question that every server of the era answers, and that changes nothing. */
  look(id: string): string;
  /** `notifications/cancelled` for a call. */
  cancel(id: number, reason: string): string;
}

/**
 * Frames for a server of this era. A 2026-07-28 server gets in each message's `_meta` the version, Pawl's name and its
 * capabilities: none, since every surface by which a server could ask for something is closed.
 */
export function upstreamFrames(era: Era, self: Implementation): UpstreamFrames {
  const envelope = {
    [protocolVersionKey]: modernVersion,
    [clientInfoKey]: self,
    [clientCapabilitiesKey]: {},
  };
  const always = era === 'modern' ? JSON.stringify(envelope).slice(1, -1) : '';
  return {
    call({ id, tool, args, progress, trace }) {
      const meta = metaText(always, { ...trace, ...(progress && { progressToken: id }) });
      const params = `{"name":${JSON.stringify(tool)},"arguments":${JSON.stringify(args)}${meta}}`;
      return `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${params}}`;
    },
    listen(id) {
      if (era !== 'modern') return undefined;
      const params = `{"notifications":{"toolsListChanged":true}${metaText(always, {})}}`;
      return `{"jsonrpc":"2.0","id":${id},"method":"subscriptions/listen","params":${params}}`;
    },
    look(id) {
      const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"method":`;
      return era === 'modern' ? `${head}"server/discover","params":{"_meta":{${always}}}}` : `${head}"ping"}`;
    },
    cancel(id, reason) {
      const params = `{"requestId":${id},"reason":${JSON.stringify(reason)}${metaText(always, {})}}`;
      return `{"jsonrpc":"2.0","method":"notifications/cancelled","params":${params}}`;
    },
  };
}

function metaText(always: string, more: Readonly<Record<string, Json | undefined>>): string {
  const own = JSON.stringify(more).slice(1, -1);
  if (always === '' && own === '') return '';
  return `,"_meta":{${always}${always !== '' && own !== '' ? ',' : ''}${own}}`;
}

/** The answer to a request of a legacy server: its ping is answered, everything else is closed. */
export function answerToServer(id: Json, method: string): string {
  const head = `{"jsonrpc":"2.0","id":${JSON.stringify(id)},`;
  if (method === 'ping') return `${head}"result":{}}`;
  return `${head}"error":{"code":${methodNotFound},"message":"closed here","data":{"code":"surface_closed"}}}`;
}
