/** Hosts and addresses that a list of patterns grants to whoever connects: names as they are called, addresses as they are dialled. */
import { UsageError } from '../../ground/index.js';
import { type Language, minus, nothing, unionAll } from '../automaton/index.js';
import { hostLanguage } from './host-pattern.js';
import { namedSets } from './host-sets.js';
import { canonicalHost } from './host-text.js';

/** What a list of host patterns grants. */
export interface HostGrant {
  /** Whether a host may be called: its canonical name or address is in the list. False for what is no host. */
  called(host: string): boolean;
  /**
   * Whether an address may be dialled for a name that may be called: it is public, or the list names it. Any spelling; what is
   * no address is not dialled. A pattern for names grants no address but public ones.
   */
  dialled(address: string): boolean;
}

/** Compiles the patterns (POLICY section 4, host). Throws a UsageError for one that is no pattern, and for an empty list. */
export function hostGrant(patterns: readonly string[]): HostGrant {
  if (patterns.length === 0)
    throw new UsageError('no host pattern is given: grant no network at all instead');
  const listed = unionAll(patterns.map(languageOf));
  const open = namedSets.get('public');
  return Object.freeze({
    called: (host: string) => {
      const read = canonicalHost(host);
      return read.ok && listed.test(read.text);
    },
    dialled: (address: string) => {
      const read = canonicalHost(address);
      return read.ok && isAddress(read.text) && (listed.test(read.text) || open?.test(read.text) === true);
    },
  });
}

/** Why a text is no host pattern; undefined: it is one. */
export function hostPatternFault(
  pattern: string,
): { readonly found: string; readonly allowed: string } | undefined {
  const read = hostLanguage(pattern.normalize('NFC'), 'host');
  return 'fault' in read ? { found: read.fault, allowed: read.allowed } : undefined;
}

/** Whether everything that the patterns of `inner` list is listed by those of `outer`. All of them are patterns. */
export function hostsWithin(inner: readonly string[], outer: readonly string[]): boolean {
  return minus(unionAll(inner.map(languageOf)), unionAll(outer.map(languageOf))) === nothing;
}

/** Whether a canonical text of a host is that of an address. */
function isAddress(text: string): boolean {
  return text.includes(':');
}

function languageOf(pattern: string): Language {
  const read = hostLanguage(pattern.normalize('NFC'), 'host');
  if (!('fault' in read)) return read;
  throw new UsageError(`host pattern ${JSON.stringify(pattern)}: ${read.fault}; allowed: ${read.allowed}`);
}
