/** Urls as calls send them: one canonical text (POLICY section 4, url). */
import { canonicalHost, spelledHost } from './host-text.js';
import { canonicalEscapes, hiddenSteps } from './url-path.js';

/** A url that has an authority; `host` is canonical, empty where the url has none (`file:///x`). */
interface Located {
  readonly scheme: string;
  readonly host: string;
  /** Digits; empty where the scheme has no default and the url names none. */
  readonly port: string;
  /** As the parser gives it. */
  readonly path: string;
}

type Read = Located | { readonly opaque: string } | { readonly why: string };

/** A canonical text, or why the value has none. */
export type UrlText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** Ports of the schemes that the url parser knows. */
export const defaultPorts: ReadonlyMap<string, string> = new Map([
  ['http', '80'],
  ['https', '443'],
  ['ws', '80'],
  ['wss', '443'],
  ['ftp', '21'],
]);

/**
 * The canonical text `scheme://HOST:PORT/path`: HOST as of the kind host, the port always there (empty where the scheme has
 * no default), query and fragment dropped, escapes as {@link canonicalEscapes} writes them, dot segments resolved (WHATWG
 * URL). Of a url without authority (`about:blank`, `data:…`): the whole as the parser writes it.
 *
 * Refused, never repaired: userinfo, backslashes, control characters, blanks at the ends, what does not spell `//` and a
 * host though its scheme has one, and paths that a later decoding or merging of slashes would turn into others.
 */
export function canonicalUrl(value: string): UrlText {
  const read = readUrl(value, false);
  if ('why' in read) return { ok: false, why: read.why };
  if ('opaque' in read) return { ok: true, text: read.opaque };
  const path = canonicalEscapes(read.path === '' ? '/' : read.path);
  const why = hiddenSteps(path);
  if (why !== undefined) return { ok: false, why };
  return { ok: true, text: `${read.scheme}://${read.host}:${read.port}${path}` };
}

/**
 * The projection of a url on its host: the canonical host, `undefined` where the url has none. Unlike the kind url it takes
 * plain userinfo, which is no part of the host, and any path.
 */
export function hostOfUrl(
  value: string,
): { readonly ok: true; readonly text: string | undefined } | { readonly ok: false; readonly why: string } {
  const read = readUrl(value, true);
  if ('why' in read) return { ok: false, why: read.why };
  return { ok: true, text: 'opaque' in read || read.host === '' ? undefined : read.host };
}

const shape = /^[^/?#]*?:(\/\/([^/?#]*)([^?#]*))?/u;
const userinfo = /^[\w.~!$&'()*+,;=:%-]*@/u;

function readUrl(value: string, mayNameUser: boolean): Read {
  const bad = refusal(value);
  const url = bad === undefined ? parsed(value) : undefined;
  if (url === undefined) return { why: bad ?? 'the url cannot be parsed' };
  const scheme = url.protocol.slice(0, -1);
  const [, spelled, authority = '', path = ''] = shape.exec(value) ?? [];
  if (spelled === undefined) {
    return hasHost(scheme) || scheme === 'file' ? { why: 'the url has no //' } : { opaque: url.href };
  }
  const why = misspelled(scheme, mayNameUser ? authority.replace(userinfo, '') : authority, path);
  return why === undefined ? located(scheme, url) : { why };
}

function located(scheme: string, url: URL): Read {
  const host = url.hostname === '' ? noHost : canonicalHost(url.hostname);
  if (!host.ok) return { why: host.why };
  const port = url.port === '' ? (defaultPorts.get(scheme) ?? '') : url.port;
  return { scheme, host: host.text, port, path: url.pathname };
}

const noHost: UrlText = { ok: true, text: '' };

/** Whether every url of the scheme has one; those whose host may be empty have no default port either. */
function hasHost(scheme: string): boolean {
  return defaultPorts.has(scheme);
}

/** What other readers than the parser may take otherwise. */
function misspelled(scheme: string, authority: string, path: string): string | undefined {
  if (authority.includes('@')) return 'the url names a user';
  if (authority === '' && hasHost(scheme)) return 'the url names no host';
  return mergesInto(path) ? 'the path of the url has dot segments beside doubled slashes' : undefined;
}

function refusal(value: string): string | undefined {
  if (value === '') return 'the url is empty';
  if (/\p{Cc}/u.test(value)) return 'the url holds control characters';
  if (value.trim() !== value) return 'the url begins or ends with a blank';
  if (value.includes('\\')) return 'the url holds a backslash';
  if (/\p{Surrogate}/u.test(value)) return 'the url holds a lone surrogate';
  return value.normalize('NFC') === value ? undefined : 'the url is not in Unicode normal form C';
}

function parsed(value: string): URL | undefined {
  try {
    return new URL(value);
  } catch {
    return undefined;
  }
}

/** Whether readers that merge slashes before they climb come to another path than readers that do not. */
function mergesInto(path: string): boolean {
  return path.includes('//') && /\/(?:\.|%2e){1,2}(?:\/|$)/iu.test(path);
}

/** The url as calls spell it, which reads as this canonical text again. */
export function spelledUrl(text: string): string {
  const found = /^([a-z][a-z0-9+.-]*):\/\/([^/]*):(\d*)(\/.*)$/su.exec(text);
  if (found === null) return text;
  const [, scheme = '', host = '', port = '', path = ''] = found;
  const escaped = path.replaceAll(/[\u0080-\u{10ffff}]/gu, (char) => encodeURIComponent(char));
  return `${scheme}://${spelledHost(host)}${port === '' ? '' : `:${port}`}${escaped}`;
}
