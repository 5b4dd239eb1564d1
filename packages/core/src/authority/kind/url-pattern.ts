/** Patterns of urls (POLICY section 4, url): `scheme://host[:port]/pathglob` to language. */
import {
  type Language,
  type Pattern,
  charset,
  finite,
  languageOf,
  minus,
  pattern,
} from '../automaton/index.js';
import { allHosts, hostLanguage } from './host-pattern.js';
import { remembering } from './memo.js';
import { type GlobFault, fault } from './path-tokens.js';
import { anyUrlPath, urlPathPattern } from './url-path-glob.js';
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
const digit = pattern.chars(charset([[0x30, 0x39]]));
const upTo = (last: string): Pattern => pattern.chars(charset([[0x30, last.charCodeAt(0)]]));
const positive = pattern.chars(charset([[0x31, 0x39]]));
/** 0 to 65535, without zeros in front. */
const anyPort = pattern.either(
  pattern.literal('0'),
  pattern.sequence(positive, pattern.upTo(digit, 3)),
  pattern.sequence(pattern.chars(charset([[0x31, 0x35]])), digit, digit, digit, digit),
  pattern.sequence(pattern.literal('6'), upTo('4'), digit, digit, digit),
  pattern.sequence(pattern.literal('65'), upTo('4'), digit, digit),
  pattern.sequence(pattern.literal('655'), upTo('2'), digit),
  pattern.sequence(pattern.literal('6553'), upTo('5')),
);
const colon = pattern.literal(':');
const slashes = pattern.literal('//');
const ported = pattern.words([...defaultPorts.keys()]);
/** Schemes without a port of their own. */
const others = minus(
  languageOf(pattern.sequence(letter, pattern.star(schemeRest))),
  languageOf(pattern.words([...defaultPorts.keys(), 'file'])),
);
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

const hosts = pattern.within(allHosts);
const withPort = pattern.sequence(ported, colon, slashes, hosts, colon, anyPort, anyUrlPath);
const ofFile = pattern.sequence(pattern.literal('file://'), pattern.optional(hosts), colon, anyUrlPath);
const ofOthers = pattern.sequence(
  slashes,
  pattern.either(colon, pattern.sequence(hosts, colon, pattern.optional(anyPort))),
  anyUrlPath,
);
/** Every canonical text of a url. */
export const allUrls: Language = languageOf(
  pattern.either(
    withPort,
    ofFile,
    pattern.sequence(pattern.within(others), colon, pattern.either(opaque, ofOthers)),
  ),
);

/** Every canonical text of a url whose host is one of these. Throws TooManyStates. */
export function urlsOnHosts(named: Language): Language {
  const host = pattern.within(named);
  return languageOf(
    pattern.either(
      pattern.sequence(ported, colon, slashes, host, colon, anyPort, anyUrlPath),
      pattern.sequence(pattern.literal('file://'), host, colon, anyUrlPath),
      pattern.sequence(
        pattern.within(others),
        colon,
        slashes,
        host,
        colon,
        pattern.optional(anyPort),
        anyUrlPath,
      ),
    ),
  );
}

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
  const path = glob === undefined ? anyUrlPath : urlPathPattern(glob, fold);
  if ('fault' in path) return path;
  return languageOf(pattern.sequence(pattern.literal(`${own}://`), ...authority.parts, path));
}

/** Host and port; the port is empty where none is given and the scheme has no default. */
interface Authority {
  readonly parts: readonly Pattern[];
}

const hostAndPort = /^(\[[^\]]*\]|[^:]*)(?::(\*|\d{1,5}))?$/u;

function readAuthority(own: string, text: string): Authority | GlobFault {
  if (text.includes('@')) return fault('userinfo', 'the url without: urls that name a user are refused');
  if (text === '' && !defaultPorts.has(own)) return withoutHost;
  const [, host = '', given] = hostAndPort.exec(text) ?? [];
  if (host === '') return fault('no host', urlsWanted);
  const ports = readPort(own, given);
  if ('fault' in ports) return ports;
  const named = hostLanguage(host, 'url');
  if ('fault' in named) return named;
  const [only] = finite(named, 1) ?? [];
  const name = only === undefined ? pattern.within(named) : pattern.literal(only);
  return { parts: [name, colon, ports] };
}

const withoutHost: Authority = { parts: [colon] };

function readPort(own: string, given: string | undefined): Pattern | GlobFault {
  if (given === undefined) return pattern.literal(defaultPorts.get(own) ?? '');
  if (own === 'file' || Number(given) > 65_535)
    return fault(`port ${given}`, '0 to 65535, or *; no port in file:');
  if (given !== '*') return pattern.literal(String(Number(given)));
  return defaultPorts.has(own) ? anyPort : pattern.optional(anyPort);
}
