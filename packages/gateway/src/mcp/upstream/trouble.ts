/** What went wrong with a server, in words for operators and for models. */
import type { End } from './http-exchange.js';

/** What a model may read of a call that the server did not take. */
export function refusalText(status: number): string {
  if (status === 401 || status === 403)
    return `the server refused the credentials of the gateway for this call (HTTP ${status}); tell the operator`;
  return `the server answered HTTP ${status} instead of a result; it may or may not have acted`;
}

/** Why no handshake came about, and what to do next. `shown`: the address without what may be secret in it. */
export function handshakeTrouble(
  why: string,
  { status, headers }: Pick<End, 'status' | 'headers'>,
  shown: string,
): string {
  if (status === undefined) return why;
  if (status === 401 || status === 403)
    return `${shown} refuses the credentials (HTTP ${status}): give it headers in its entry, values with pawl secrets set`;
  if (status === 404) return `there is no MCP server at ${shown} (HTTP 404); look at its url`;
  const target = headers?.get('location');
  if (status >= 300 && status < 400 && target !== undefined)
    return `${shown} redirects to ${plain(target)}, which is not followed; if that is meant, name it as url`;
  return status < 300 ? `${shown}: ${why}` : `${shown} answered HTTP ${status} to the handshake`;
}

/** What went wrong in a handshake, which may be what the server says of it. */
export function handshakeText(error: unknown): string {
  const said = error instanceof Error ? error.message : 'unknown';
  return said.slice(0, 500).replaceAll(/[\p{Cc}\p{Cf}]/gu, ' ');
}

/** What a server wrote, for a log: nothing that a terminal would obey, and no query. */
function plain(text: string): string {
  return (text.split(/[?#]/u, 1)[0] ?? '').slice(0, 200).replaceAll(/[^!-~]/gu, '?');
}

/** An address as it may be shown: a query may hold a secret. */
export function shownUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
