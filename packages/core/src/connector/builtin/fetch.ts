/** Connector `fetch`: mcp-fetch-server, fields `url` and `host` (the host of that url). */
import type { ConnectorTable, ToolTable } from '../table.js';

/**
 * Request headers are not classed: a `Host`, a token or a cookie among them carries authority of its own, so a rule has to
 * free or constrain them.
 */
function tool(...payload: readonly string[]): ToolTable {
  const url = { argument: ['url'] };
  return {
    verb: 'connect',
    accesses: [
      {
        verb: 'connect',
        extent: 'exact',
        fields: { url: [url], host: [{ ...url, ofUrl: true }] },
        omitted: {},
        needed: true,
        namedOnly: false,
      },
    ],
    payload,
  };
}

/** One access a call: connecting to the url. */
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
