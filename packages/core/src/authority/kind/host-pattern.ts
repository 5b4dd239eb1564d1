/** Patterns of hosts (POLICY section 4, host): text to language. */
import {
  type Charset,
  type Language,
  type Pattern,
  charset,
  intersect,
  languageOf,
  minus,
  pattern,
  union,
} from '../automaton/index.js';
import { allAddresses, blockLanguage, hasBitsBeyond } from './host-address.js';
import { namedSets } from './host-sets.js';
import { addressDigits, canonicalHost } from './host-text.js';
import { remembering } from './memo.js';
import { type GlobFault, fault } from './path-tokens.js';

/** Where a host pattern stands: alone it may be a block or a named set, in a url an address, in an email a name only. */
export type HostPlace = 'host' | 'url' | 'email';

const labelChar: Charset = charset([
  [0x2d, 0x2d],
  [0x30, 0x39],
  [0x5f, 0x5f],
  [0x61, 0x7a],
]);
const digit = pattern.chars(charset([[0x30, 0x39]]));
const hexDigit = pattern.chars(
  charset([
    [0x30, 0x39],
    [0x61, 0x66],
  ]),
);
const label = pattern.plus(pattern.chars(labelChar));
const dotted = pattern.sequence(label, pattern.literal('.'));
/** The last label of a text that is read as an address, or as nothing. */
const numeric = pattern.either(
  pattern.plus(digit),
  pattern.sequence(pattern.literal('0x'), pattern.star(hexDigit)),
);

/** Every canonical text of a name. */
export const allNames: Language = minus(
  languageOf(pattern.sequence(pattern.star(dotted), label)),
  languageOf(pattern.sequence(pattern.star(dotted), numeric)),
);
/** Every canonical text of a host. */
export const allHosts: Language = union(allNames, allAddresses);

const known = remembering<Language | GlobFault>(8192);

/** The hosts that a pattern matches, or what is wrong with it. Hosts have no case, so nothing here folds. */
export function hostLanguage(text: string, place: HostPlace): Language | GlobFault {
  return known(`${place} ${text}`, () => read(text, place));
}

/** What a host pattern may be, in words. */
export function hostsWanted(place: HostPlace): string {
  const names = 'a name, *.NAME for one label before it, **.NAME for one or more';
  if (place === 'email') return names;
  if (place === 'url') return `${names}, ** for any name, or an address`;
  return `${names}, ** for any name, an address, ADDRESS/BITS, or ${[...namedSets.keys()].join(', ')}`;
}

function read(text: string, place: HostPlace): Language | GlobFault {
  const named = namedSets.get(text);
  if (named !== undefined && place === 'host') return named;
  if (text.includes('/')) return readBlock(text, place);
  if (text.includes('*')) return readLabels(text, place);
  const host = canonicalHost(text);
  if (!host.ok) return fault(text.startsWith('.') ? 'a dot in front' : host.why, hostsWanted(place));
  if (place === 'email' && host.text.includes(':')) return fault('an address', hostsWanted(place));
  return languageOf(pattern.literal(host.text));
}

function readBlock(text: string, place: HostPlace): Language | GlobFault {
  const cut = text.indexOf('/');
  const hex = addressDigits(text.slice(0, cut));
  const bits = /^\d{1,3}$/u.test(text.slice(cut + 1)) ? Number(text.slice(cut + 1)) : Infinity;
  if (place !== 'host' || hex === undefined || bits > 4 * hex.length) return fault('a /', hostsWanted(place));
  if (hasBitsBeyond({ hex, bits })) {
    return fault(
      `an address with bits beyond the first ${bits}`,
      'the first address of the block, and /BITS',
    );
  }
  return blockLanguage({ hex, bits });
}

const anyLabel: ReadonlyMap<string, Pattern> = new Map([
  ['*', label],
  ['**', pattern.sequence(pattern.star(dotted), label)],
]);

function readLabels(text: string, place: HostPlace): Language | GlobFault {
  const cut = text.indexOf('.');
  const head = anyLabel.get(cut < 0 ? text : text.slice(0, cut));
  const rest = cut < 0 ? '' : text.slice(cut + 1);
  if (head === undefined || rest.includes('*'))
    return fault('a * that is not the first label', hostsWanted(place));
  if (cut < 0) return intersect(languageOf(head), allNames);
  const host = canonicalHost(rest);
  if (!host.ok || host.text.includes(':')) return fault('no name after the *', hostsWanted(place));
  return languageOf(pattern.sequence(head, pattern.literal(`.${host.text}`)));
}
