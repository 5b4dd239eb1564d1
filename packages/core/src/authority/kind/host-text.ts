/** Hosts as calls send them: names and addresses, each in one canonical text (POLICY section 4, host). */
import { addressText } from './host-address.js';

/** A canonical text, or why the value has none. */
export type HostText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/** Of a host alone; a url has its own marks. */
const noHost = /[\s\p{Cc}\p{Surrogate}/\\?#@%<>^|"'`{}]/u;
const dotted = /^\d+\.\d+\.\d+\.\d+$/u;
const name = /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)*$/u;

/**
 * The canonical text of a host: of a name, lower case, punycode, without the dot at its end; of an address, `4:` and 8
 * hexadecimal digits or `6:` and 32, whatever the spelling, IPv4 addresses inside IPv6 ones taken out. Spellings are read
 * as in urls (WHATWG URL, host parsing). Refused: everything else, ports and zones too. Never throws.
 */
export function canonicalHost(value: string): HostText {
  if (value === '') return no('the host is empty');
  if (noHost.test(value)) return no('the host has characters that no host has');
  if (value !== value.normalize('NFC')) return no('the host is not in Unicode normal form C');
  const parsed = parsedHost(value);
  if (parsed === undefined) return no('the host is no name and no address');
  const address = digitsOf(parsed);
  if (address !== undefined) return { ok: true, text: addressText(address) };
  const plain = parsed.endsWith('.') ? parsed.slice(0, -1) : parsed;
  return name.test(plain) ? { ok: true, text: plain } : no('the host has labels that no name has');
}

/** The 8 or 32 hexadecimal digits of an address in any spelling, as it stands; undefined: the text is none. */
export function addressDigits(value: string): string | undefined {
  const parsed = noHost.test(value) ? undefined : parsedHost(value);
  return parsed === undefined ? undefined : digitsOf(parsed);
}

function no(why: string): HostText {
  return { ok: false, why };
}

/** The host as the url parser writes it; an IPv6 address may go without brackets. */
function parsedHost(value: string): string | undefined {
  if (!/[:[\]]/u.test(value)) return parsed(value);
  const inner = /^\[([^[\]]*)\]$/u.exec(value)?.[1] ?? value;
  return /^[\da-f:.]+$/iu.test(inner) ? parsed(`[${inner}]`) : undefined;
}

function parsed(host: string): string | undefined {
  try {
    return new URL(`http://${host}/`).hostname;
  } catch {
    return undefined;
  }
}

function digitsOf(host: string): string | undefined {
  if (host.startsWith('[')) return sixDigits(host.slice(1, -1));
  return dotted.test(host) ? host.split('.').map(hexByte).join('') : undefined;
}

/** The 32 digits of an address as the parser writes it: groups, at most one `::`. */
function sixDigits(text: string): string {
  const [head = '', tail = ''] = text.split('::');
  const [before, after] = [groups(head), groups(tail)];
  return before + '0'.repeat(32 - before.length - after.length) + after;
}

function groups(text: string): string {
  return text
    .split(':')
    .map((group) => (group === '' ? '' : group.padStart(4, '0')))
    .join('');
}

function hexByte(byte: string): string {
  return Number(byte).toString(16).padStart(2, '0');
}

/** The host as calls spell it, which reads as this canonical text again; `[…]` around IPv6 addresses. */
export function spelledHost(text: string): string {
  const hex = text.slice(2);
  if (text.startsWith('4:')) {
    return [0, 2, 4, 6].map((at) => Number.parseInt(hex.slice(at, at + 2), 16)).join('.');
  }
  if (!text.startsWith('6:')) return text;
  return parsed(`[${(hex.match(/.{4}/gu) ?? []).join(':')}]`) ?? text;
}
