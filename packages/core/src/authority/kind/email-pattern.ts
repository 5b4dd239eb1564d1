/** Patterns of email addresses (POLICY section 4, email): `*@corp.example`, `ann@x.example`. */
import {
  type Language,
  type Pattern,
  charset,
  complementChars,
  intersect,
  languageOf,
  pattern,
} from '../automaton/index.js';
import { isLocalPart } from './email-text.js';
import { allNames, hostLanguage, hostsWanted } from './host-pattern.js';
import { remembering } from './memo.js';
import { type GlobFault, fault } from './path-tokens.js';

/** What an email pattern may be, in words. */
export const emailsWanted: string = `LOCAL@DOMAIN: LOCAL a local part in which * is any run of characters and ? any one, DOMAIN ${hostsWanted('email')}`;

/** Characters that no local part has; all that are beyond ASCII may be in one. */
const never = Array.from(` !"%(),:;<>@[\\].`, (char): [number, number] => [
  char.charCodeAt(0),
  char.charCodeAt(0),
]);
const char = pattern.chars(complementChars(charset([...never, [0, 0x1f], [0x7f, 0xa0]])));
const atom = pattern.plus(char);
const dot = pattern.literal('.');
const allLocals = languageOf(pattern.sequence(atom, pattern.star(pattern.sequence(dot, atom))));
const at = pattern.literal('@');

/** Every canonical text of an address; local parts with characters that are no letters, marks and digits are in it too. */
export const allEmails: Language = languageOf(
  pattern.sequence(pattern.within(allLocals), at, pattern.within(allNames)),
);

const known = remembering<Language | GlobFault>(8192);

/** The addresses that a pattern matches, or what is wrong with it. Refusing folds the local part; domains have no case. */
export function emailLanguage(text: string, fold: boolean): Language | GlobFault {
  return known(JSON.stringify([text, fold]), () => read(text, fold));
}

function read(text: string, fold: boolean): Language | GlobFault {
  const [local = '', domain, ...more] = text.split('@');
  if (domain === undefined) return fault('no @', emailsWanted);
  if (more.length > 0) return fault('more than one @', emailsWanted);
  const example = local.replaceAll(/[*?]/gu, 'x');
  if (local.includes('**') || !isLocalPart(example)) {
    return fault('a local part that is not plain', emailsWanted);
  }
  const hosts = hostLanguage(domain, 'email');
  if ('fault' in hosts) return hosts;
  const locals = intersect(languageOf(localPattern(local), { fold }), allLocals);
  return languageOf(pattern.sequence(pattern.within(locals), at, pattern.within(hosts)));
}

function localPattern(local: string): Pattern {
  const any = pattern.either(char, dot);
  const parts = Array.from(local, (each) => {
    if (each === '*') return pattern.star(any);
    return each === '?' ? any : pattern.literal(each);
  });
  return pattern.sequence(...parts);
}
