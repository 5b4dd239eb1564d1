/**
 * The named sets of addresses that host patterns may use. Sources: the IANA registries of IPv4 and IPv6 special-purpose
 * addresses (RFC 6890, RFC 8190) and of the IPv6 address space (RFC 4291: global unicast is 2000::/3 only).
 */
import { type Language, minus, unionAll } from '../automaton/index.js';
import { allAddresses, blockLanguage } from './host-address.js';
import { addressDigits } from './host-text.js';

/** The addresses of blocks that are known to be well formed. */
function blocks(...texts: readonly string[]): Language {
  return unionAll(
    texts.map((text) => {
      const [address = '', bits] = text.split('/');
      return blockLanguage({ hex: addressDigits(address) ?? '', bits: Number(bits) });
    }),
  );
}

/** The machine itself; `0.0.0.0` and `::` reach it where they are dialled. */
const loopback = blocks('127.0.0.0/8', '::1/128', '0.0.0.0/32', '::/128');

const linkLocal = blocks('169.254.0.0/16', 'fe80::/10');

/**
 * Where clouds answer questions about the machine that asks: AWS (also ECS, EKS, time and names aside), Azure, Google,
 * Oracle and Alibaba Cloud, as their manuals give the addresses.
 */
const metadata = blocks(
  '169.254.169.254/32',
  '169.254.170.2/32',
  '169.254.170.23/32',
  '168.63.129.16/32',
  '192.0.0.192/32',
  '100.100.100.200/32',
  'fd00:ec2::254/128',
  'fd00:ec2::23/128',
  'fd20:ce::254/128',
);

/** Every other address that the registries do not call globally reachable, whole blocks with their few exceptions. */
const special = blocks(
  '0.0.0.0/8', // this network, RFC 791
  '10.0.0.0/8', // private use, RFC 1918
  '100.64.0.0/10', // shared address space, RFC 6598
  '172.16.0.0/12', // private use, RFC 1918
  '192.0.0.0/24', // protocol assignments, RFC 6890
  '192.0.2.0/24', // documentation, RFC 5737
  '192.88.99.0/24', // relays of 6to4, RFC 7526
  '192.168.0.0/16', // private use, RFC 1918
  '198.18.0.0/15', // benchmarking, RFC 2544
  '198.51.100.0/24', // documentation, RFC 5737
  '203.0.113.0/24', // documentation, RFC 5737
  '224.0.0.0/4', // multicast, RFC 5771
  '240.0.0.0/4', // reserved and broadcast, RFC 1112, RFC 8190
  '::/3', // not global unicast: among others local NAT64 (RFC 8215), discard-only (RFC 6666)
  '2001::/23', // protocol assignments, Teredo among them, RFC 2928
  '2001:db8::/32', // documentation, RFC 3849
  '3fff::/20', // documentation, RFC 9637
  '4000::/2', // not global unicast: among others segment routing (RFC 9602)
  '8000::/1', // not global unicast: among others unique local (RFC 4193), site-local, multicast
);

const privately = minus(special, unionAll([loopback, linkLocal]));

/** What each set is, in one line for the reference. */
export const namedSetHelp = {
  public: { help: 'Every address outside the other sets.' },
  private: {
    help: 'Not globally reachable: private use, shared, documentation, multicast, reserved, unique local.',
  },
  loopback: { help: 'The machine itself: `127.0.0.0/8`, `::1`, and `0.0.0.0` and `::`, which reach it too.' },
  'link-local': { help: '`169.254.0.0/16` and `fe80::/10`.' },
  metadata: { help: 'Where clouds answer questions about the machine that asks; overlaps the others.' },
} as const;

/** Addresses by the name of their set. `public` is every address outside the others; metadata overlaps them. */
export const namedSets: ReadonlyMap<string, Language> = new Map<keyof typeof namedSetHelp, Language>([
  ['public', minus(allAddresses, unionAll([special, loopback, linkLocal, metadata]))],
  ['private', privately],
  ['loopback', loopback],
  ['link-local', linkLocal],
  ['metadata', metadata],
]);
