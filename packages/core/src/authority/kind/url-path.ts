/** Paths of urls: one canonical text for every spelling of the same octets. */

const plain = /^[A-Za-z0-9._~!$&'()*+,;=:@/-]*$/u;
const unreserved = /^[A-Za-z0-9._~-]$/u;
/** Runs of escapes, and what stands in a path in its escaped form only. */
const pieces = /(?:%[\dA-Fa-f]{2})+|[^A-Za-z0-9._~!$&'()*+,;=:@/\u00a0-\u{10ffff}-]/gu;

/**
 * Escapes as they stand in canonical text: those of unreserved characters and of characters beyond ASCII decoded (RFC 3986
 * and 3987: the same identifier), all others in upper case; a bare `%` and characters that no path holds are escaped.
 */
export function canonicalEscapes(text: string): string {
  return plain.test(text)
    ? text
    : text.replaceAll(pieces, (piece) => (piece.length < 3 ? escaped(piece) : decoded(piece)));
}

function escaped(char: string): string {
  return Array.from(new TextEncoder().encode(char), (byte) => `%${hexByte(byte)}`).join('');
}

function hexByte(byte: number): string {
  return byte.toString(16).toUpperCase().padStart(2, '0');
}

/** Decodes what may be decoded of a run of escapes. */
function decoded(run: string): string {
  let text = '';
  for (let at = 0; at < run.length; ) {
    const size = 3 * sizeBy(Number.parseInt(run.slice(at + 1, at + 3), 16));
    const char = charOf(run.slice(at, at + size));
    const kept = char !== undefined && (unreserved.test(char) || char >= '\u00a0');
    text += kept ? char : run.slice(at, at + 3).toUpperCase();
    at += kept ? size : 3;
  }
  return text;
}

/** Octets of the character that begins with this one (UTF-8). */
function sizeBy(octet: number): number {
  if (octet < 0xc2 || octet > 0xf4) return 1;
  if (octet < 0xe0) return 2;
  return octet < 0xf0 ? 3 : 4;
}

function charOf(escapes: string): string | undefined {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return undefined;
  }
}

/** Control characters and backslashes, escaped once or several times, their overlong forms too. */
const harmful = /%(?:25)*(?:[01][\dA-F]|7F|5C|C2%(?:25)*[89][\dA-F]|C0%(?:25)*A[EF]|C1%(?:25)*9C)/iu;
/** Dots and slashes escaped twice or more. */
const twice = /%(?:25)+2[EF]/iu;
/** A segment that some later reader takes for `.` or `..`. */
const dots = /(?:^|\/|%2F)\.{1,2}(?:;|\/|%2F|$)/u;

/** Why a canonical path may become another one further on, or undefined. */
export function hiddenSteps(path: string): string | undefined {
  if (harmful.test(path)) return 'the path of the url holds escaped control characters or backslashes';
  if (twice.test(path)) return 'the path of the url holds dots or slashes that are escaped twice';
  if (dots.test(path)) return 'the path of the url holds dot segments behind escaped slashes or before a ;';
  return path.normalize('NFC') === path
    ? undefined
    : 'the path of the url is not in Unicode normal form C when decoded';
}
