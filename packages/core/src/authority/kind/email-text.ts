/** Email addresses as calls send them: one plain address (POLICY section 4, email). */
import { canonicalHost } from './host-text.js';

/** A canonical text, or why the value has none. */
export type EmailText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string };

/**
 * Characters of local parts: those of RFC 5322 atoms but `!` and `%`, by which old relays route on, and letters, marks and
 * digits beyond ASCII (RFC 6531).
 */
const local = /^[\p{L}\p{M}\p{N}#$&'*+/=?^_`{|}~-]+(?:\.[\p{L}\p{M}\p{N}#$&'*+/=?^_`{|}~-]+)*$/u;

/** Whether the text is a plain local part. */
export function isLocalPart(text: string): boolean {
  return local.test(text);
}

/**
 * The canonical text `local@HOST` of exactly one plain address: the local part as sent, the domain a canonical host name.
 * Lists, display names, comments, quoted local parts, addresses as domains and blanks are refused. Never throws.
 */
export function canonicalEmail(value: string): EmailText {
  const [name = '', domain, ...more] = value.split('@');
  if (domain === undefined || more.length > 0) return no('it is not exactly one plain address');
  if (!isLocalPart(name)) return no('its local part is not plain');
  if (name.normalize('NFC') !== name) return no('it is not in Unicode normal form C');
  const host = canonicalHost(domain);
  if (!host.ok) return no(`its domain is none: ${host.why}`);
  if (host.text.includes(':')) return no('its domain is an address');
  return { ok: true, text: `${name}@${host.text}` };
}

function no(why: string): EmailText {
  return { ok: false, why };
}
