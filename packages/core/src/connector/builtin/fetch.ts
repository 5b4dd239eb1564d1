/** Connector `fetch`: mcp-fetch-server, fields `url` and `host` (the host of that url). */
import type { AccessRow, ConnectorTable, ToolTable } from '../table.js';

function row(argument: string, needed: boolean): AccessRow {
  const url = { argument: [argument] };
  return {
    verb: 'connect',
    extent: 'exact',
    fields: { url: [url], host: [{ ...url, ofUrl: true }] },
    omitted: {},
    needed,
    namedOnly: false,
  };
}

/**
 * A proxy is connected to as well. Request headers are not classed: a `Host`, a token or a cookie among them carries
 * authority of its own, so a rule has to free or constrain them.
 */
function tool(...payload: readonly string[]): ToolTable {
  return { verb: 'connect', accesses: [row('url', true), row('proxy', false)], payload };
}

/** Connecting to the url, and to the proxy if the call names one. */
export const fetch: ConnectorTable = {
  name: 'fetch',
  version: 1,
  packages: ['mcp-fetch-server'],
  fields: { url: { kind: 'url' }, host: { kind: 'host' } },
  unlisted: 'refuse',
  tools: {
    fetch_html: tool('max_length', 'start_index'),
    fetch_markdown: tool('max_length', 'start_index'),
    fetch_txt: tool('max_length', 'start_index'),
    fetch_json: tool('max_length', 'start_index'),
    fetch_readable: tool('max_length', 'start_index'),
    fetch_youtube_transcript: tool('max_length', 'start_index', 'lang'),
  },
};
