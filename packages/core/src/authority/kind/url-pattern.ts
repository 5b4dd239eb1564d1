/** Patterns of urls (POLICY section 4, url): `scheme://host[:port]/pathglob` to language. */
import { type Language, type Pattern, charset, languageOf, pattern } from '../automaton/index.js';
import { allHosts, hostLanguage } from './host-pattern.js';
import { remembering } from './memo.js';
import { type GlobFault, fault } from './path-tokens.js';
import { allUrlPaths, urlPathLanguage } from './url-path-glob.js';
import { canonicalUrl, defaultPorts } from './url-text.js';

/** What a url pattern may be, in words. */
export const urlsWanted =
  'SCHEME://HOST[:PORT][/PATHGLOB] (PORT may be *; HOST a name, *.NAME, **.NAME, ** or an address), or an exact url without //';

const letter = pattern.chars(charset([[0x61, 0x7a]]));
const schemeRest = pattern.chars(
  charset([
    [0x2b, 0x2b],
    [0x2d, 0x2e],
    [0x30, 0x39],
    [0x61, 0x7a],
  ]),
);
const scheme = pattern.sequence(letter, pattern.star(schemeRest));
const port = pattern.star(pattern.chars(charset([[0x30, 0x39]])));
const printable = pattern.chars(charset([[0x20, 0x7e]]));
const noSlash = pattern.chars(
  charset([
    [0x20, 0x2e],
    [0x30, 0x7e],
  ]),
);
/** Behind `scheme:` of a url without authority. */
const opaque = pattern.either(
  pattern.optional(pattern.literal('/')),
  pattern.sequence(pattern.optional(pattern.literal('/')), noSlash, pattern.star(printable)),
);

/** Every canonical text of a url; a few texts that are none are in it too (ports out of range). */
export const allUrls: Language = languageOf(
  pattern.sequence(
    scheme,
    pattern.literal(':'),
    pattern.either(
      opaque,
      pattern.sequence(
        pattern.literal('//'),
        pattern.optional(pattern.within(allHosts)),
        pattern.literal(':'),
        port,
        pattern.within(allUrlPaths),
      ),
    ),
  ),
);

const known = remembering<Language | GlobFault>(8192);

/**
 * The urls that a pattern matches, or what is wrong with it. Refusing (`fold`) sees through the case of paths, doubled
 * slashes, one at the end, and escapes that were not needed.
 */
export function urlLanguage(text: string, fold: boolean): Language | GlobFault {
  return known(JSON.stringify([text, fold]), () => read(text, fold));
}

function read(text: string, fold: boolean): Language | GlobFault {
  if (/^[a-z*][a-z0-9+.*-]*:\/\//iu.test(text)) return readLocated(text, fold);
  if (!/^[a-z][a-z0-9+.-]*:/iu.test(text)) return fault('no scheme', urlsWanted);
  if (text.includes('*')) return fault('a * in a url without //', 'the exact url');
  const url = canonicalUrl(text);
  return url.ok ? languageOf(pattern.literal(url.text), { fold }) : fault(url.why, urlsWanted);
}

function readLocated(text: string, fold: boolean): Language | GlobFault {
  const cut = text.indexOf('://');
  const own = text.slice(0, cut).toLowerCase();
  const slash = text.indexOf('/', cut + 3);
  const place = slash < 0 ? text.slice(cut + 3) : text.slice(cut + 3, slash);
  const glob = slash < 0 ? undefined : text.slice(slash);
  if (own.includes('*')) return fault('a * in the scheme', 'one pattern for each scheme, in a list');
  if (/[?#]/u.test(place) || glob?.includes('#') === true) {
    return fault('a query or a fragment', 'the url without: query and fragment are free');
  }
  const authority = readAuthority(own, place);
  if ('fault' in authority) return authority;
  const path = glob === undefined ? allUrlPaths : urlPathLanguage(glob, fold);
  if ('fault' in path) return path;
  return languageOf(pattern.sequence(pattern.literal(`${own}://`), ...authority.parts, pattern.within(path)));
}

/** Host and port; the port is empty where none is given and the scheme has no default. */
interface Authority {
  readonly parts: readonly Pattern[];
}

const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::(\*|\d{1,5}))?$/u;

function readAuthority(own: string, text: string): Authority | GlobFault {
  if (text.includes('@')) return fault('userinfo', 'the url without: urls that name a user are refused');
  const [, host = '', given] = hostAndPort.exec(text) ?? [];
  if (host === '') return text === '' && !defaultPorts.has(own) ? withoutHost : fault('no host', urlsWanted);
  if (Number(given) > 65_535) return fault('no port', urlsWanted);
  const hosts = hostLanguage(host, 'url');
  if ('fault' in hosts) return hosts;
  const ports = given === '*' ? port : pattern.literal(portText(given ?? defaultPorts.get(own) ?? ''));
  return { parts: [pattern.within(hosts), pattern.literal(':'), ports] };
}

const withoutHost: Authority = { parts: [pattern.literal(':')] };

/** Without zeros in front. */
function portText(digits: string): string {
  return digits === '' ? '' : String(Number(digits));
}
