/** Addresses of hosts: canonical texts, blocks of them, and their languages. */
import {
  type Charset,
  type Language,
  type Pattern,
  charset,
  languageOf,
  minus,
  pattern,
  unionAll,
} from '../automaton/index.js';

/** `4:` and 8 hexadecimal digits, or `6:` and 32: an address that is no spelling of an IPv4 one. */
export type AddressText = string;

/** The addresses whose first `bits` bits are those of `hex`; 8 digits: IPv4, 32: IPv6. */
export interface Block {
  readonly hex: string;
  readonly bits: number;
}

const zeros = '0'.repeat(24);
/**
 * What IPv4 addresses are written into: mapped (RFC 4291, 2.5.5.2), compatible (2.5.5.1), NAT64 (RFC 6052) and 6to4
 * (RFC 3056). The 8 digits behind the prefix are the address.
 */
const wrappings: readonly string[] = [
  `${zeros.slice(0, 20)}ffff`,
  zeros,
  `0064ff9b${zeros.slice(0, 16)}`,
  '2002',
];

/** The canonical text of an address given by its digits. */
export function addressText(hex: string): AddressText {
  if (hex.length === 8) return `4:${hex}`;
  const inner = unwrapped(hex);
  return inner === undefined ? `6:${hex}` : `4:${inner}`;
}

/** `::` and `::1` are no compatible addresses. */
function unwrapped(hex: string): string | undefined {
  if (hex.startsWith(`${zeros}0000000`) && /[01]$/u.test(hex)) return undefined;
  const around = wrappings.find((each) => hex.startsWith(each));
  return around === undefined ? undefined : hex.slice(around.length, around.length + 8);
}

/** A block inside one of the wrappings is the block of the IPv4 addresses in it. */
function unwrappedBlock({ hex, bits }: Block): Block {
  const around = hex.length === 8 ? undefined : wrappings.find((each) => hex.startsWith(each));
  if (around === undefined || bits < 4 * around.length || addressText(hex).startsWith('6'))
    return { hex, bits };
  return {
    hex: hex.slice(around.length, around.length + 8),
    bits: Math.min(32, bits - 4 * around.length),
  };
}

/** Whether the digits have bits beyond those of the block. */
export function hasBitsBeyond({ hex, bits }: Block): boolean {
  const size = 4 * hex.length;
  return (BigInt(`0x${hex}`) & ((1n << BigInt(size - bits)) - 1n)) !== 0n;
}

const digits: Charset = charset([
  [0x30, 0x39],
  [0x61, 0x66],
]);
const digit = pattern.chars(digits);

function repeated(of: Pattern, times: number): Pattern {
  return pattern.sequence(...Array.from({ length: times }, () => of));
}

function blockPattern({ hex, bits }: Block): Pattern {
  const whole = Math.floor(bits / 4);
  const family = hex.length === 8 ? '4:' : '6:';
  const head = pattern.literal(family + hex.slice(0, whole));
  if (bits % 4 === 0) return pattern.sequence(head, repeated(digit, hex.length - whole));
  const size = 2 ** (4 - (bits % 4));
  const low = Math.floor(Number.parseInt(hex.charAt(whole), 16) / size) * size;
  const some = Array.from({ length: size }, (_, i) => (low + i).toString(16));
  return pattern.sequence(head, pattern.words(some), repeated(digit, hex.length - whole - 1));
}

const wrapped = pattern.either(
  ...wrappings.map((hex) => blockPattern({ hex: hex.padEnd(32, '0'), bits: 4 * hex.length })),
);
const loneSix = [`${zeros}00000000`, `${zeros}00000001`];

/** Every canonical text of an address. */
export const allAddresses: Language = unionAll([
  languageOf(blockPattern({ hex: '00000000', bits: 0 })),
  minus(languageOf(blockPattern({ hex: '0'.repeat(32), bits: 0 })), languageOf(wrapped)),
  languageOf(pattern.words(loneSix.map((hex) => `6:${hex}`))),
]);

const wrappedSix: Language = minus(languageOf(wrapped), allAddresses);

/** The canonical texts of the addresses in the block. */
export function blockLanguage(block: Block): Language {
  const own = languageOf(blockPattern(unwrappedBlock(block)));
  return minus(own, wrappedSix);
}
