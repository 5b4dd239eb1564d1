/** host, url and email at random: against plain matchers over the parts that values and patterns were made of. */
import { BlockList } from 'node:net';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { judged, problemsOf, readContext } from '../../../../../test/constraints.js';
import { includes, sample } from '../automaton/index.js';
import {
  type Place,
  type Polarity,
  canonicalText,
  compileConstraint,
  hostOfUrl,
  spelledText,
} from './index.js';
import { viewTexts } from './views.js';

const ctx = readContext().path;
const views = ['path', 'host', 'url', 'email'] as const;
const polarity = fc.constantFrom<Polarity>('admit', 'refuse');

const label = fc.constantFrom('a', 'b', 'x1', 'a-b', '0', '10', 'a0x');
const labels = fc.array(label, { minLength: 1, maxLength: 4 }).filter((list) => /[a-z-]/u.test(list.at(-1)!));
const byte = fc.oneof(fc.constantFrom(0, 10, 127, 169, 172, 192, 255), fc.nat(255));
const four = fc.tuple(byte, byte, byte, byte);
const group = fc.oneof(
  fc.constantFrom(0, 0, 1, 0xffff, 0x64, 0xff9b, 0x2002, 0xfe80, 0x7f00),
  fc.nat(0xffff),
);
const six = fc.tuple(group, group, group, group, group, group, group, group);

/** A spelling of the address, of many. */
function fourSpelled(bytes: readonly number[], way: number): string {
  const whole = bytes.reduce((sum, each) => sum * 256 + each, 0);
  const [a = 0, b = 0, c = 0, d = 0] = bytes;
  const hex = [a * 256 + b, c * 256 + d].map((each) => each.toString(16));
  const ways = [
    bytes.join('.'),
    String(whole),
    `0x${whole.toString(16)}`,
    `0${whole.toString(8)}`,
    `${a}.${whole % 2 ** 24}`,
    `0x${a.toString(16)}.${b}.${whole % 65536}`,
    `::ffff:${bytes.join('.')}`,
    `[::ffff:${hex.join(':')}]`,
    `64:ff9b::${hex.join(':')}`,
    `2002:${hex.join(':')}::1`,
    `${bytes.join('.')}.`,
  ];
  return ways[way % ways.length] ?? '';
}

const name = fc.tuple(labels, fc.boolean(), fc.constantFrom('', '.')).map(([list, upper, dot]) => ({
  list,
  text: (upper ? list.join('.').toUpperCase() : list.join('.')) + dot,
}));

describe('hosts', () => {
  test('[P.kind.host] match label globs exactly as a plain matcher does', () => {
    const glob = fc.tuple(fc.constantFrom('', '*.', '**.'), labels);
    fc.assert(
      fc.property(glob, name, fc.array(label), polarity, ([head, tail], other, more, at) => {
        for (const list of [other.list, [...more, ...tail], tail]) {
          const extra = list.length - tail.length;
          const ends = extra >= 0 && tail.every((each, i) => each === list[extra + i]);
          const expected = ends && (head === '' ? extra === 0 : head === '*.' ? extra === 1 : extra > 0);
          expect(judged(head + tail.join('.'), list.join('.'), { place: 'host', polarity: at })).toBe(
            expected,
          );
        }
        expect(canonicalText('host', other.text, ctx)).toMatchObject({ text: other.list.join('.') });
      }),
      { numRuns: 300 },
    );
  });

  test('[P.kind.host] are in blocks exactly as node:net says, in every spelling', () => {
    fc.assert(
      fc.property(
        four,
        fc.nat(32),
        fc.array(fc.tuple(four, fc.nat(32), fc.nat(20)), { minLength: 5 }),
        (base, bits, list) => {
          const network = base.map(
            (each, i) => each & (256 - 2 ** Math.min(8, Math.max(0, 8 - (bits - 8 * i)))),
          );
          const blocks = new BlockList();
          blocks.addSubnet(network.join('.'), bits, 'ipv4');
          const block = `${network.join('.')}/${bits}`;
          for (const [address, kept, way] of list) {
            const near = address.map((each, i) => (8 * i < kept ? (base[i] ?? 0) : each));
            const sent = fourSpelled(near, way);
            expect(judged(block, sent, { place: 'host' }), `${block} on ${sent}`).toBe(
              blocks.check(near.join('.')),
            );
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('[P.kind.host] blocks of IPv6 agree with node:net wherever no IPv4 address is inside', () => {
    fc.assert(
      fc.property(
        six,
        fc.nat(128),
        fc.array(fc.tuple(six, fc.nat(8)), { minLength: 5 }),
        (base, bits, list) => {
          const network = base.map(
            (each, i) => each & (65536 - 2 ** Math.min(16, Math.max(0, 16 - (bits - 16 * i)))),
          );
          const text = network.map((each) => each.toString(16)).join(':');
          const blocks = new BlockList();
          blocks.addSubnet(text, bits, 'ipv6');
          for (const [address, kept] of list) {
            const near = address.map((each, i) => (i < kept ? (base[i] ?? 0) : each).toString(16)).join(':');
            const read = canonicalText('host', near, ctx);
            if (!read.ok || read.text.startsWith('4:')) continue;
            expect(judged(`${text}/${bits}`, near, { place: 'host' }), `${text}/${bits} on ${near}`).toBe(
              blocks.check(near, 'ipv6'),
            );
          }
        },
      ),
      { numRuns: 200 },
    );
  });

  test('[P.kind.host] every address is in a named set, and in public only if in no other', () => {
    const named = ['private', 'loopback', 'link-local', 'metadata'];
    fc.assert(
      fc.property(
        fc.oneof(
          four.map((each) => each.join('.')),
          six.map((each) => each.map((one) => one.toString(16)).join(':')),
        ),
        (sent) => {
          const others = judged(named, sent, { place: 'host' });
          expect(judged('public', sent, { place: 'host' })).toBe(others === false);
        },
      ),
      { numRuns: 500 },
    );
  });
});

const segment = fc.constantFrom('a', 'B', 'x.y', 'a!', 'é', '%2F', '%20', '~', '');
/** Segments as a pattern, each with a plain test of a canonical segment. */
const step = fc.constantFrom(
  'a',
  'B',
  'x.y',
  'a!',
  'é',
  '%2F',
  '%20',
  '~',
  '*',
  '**',
  '?',
  'a*',
  '*.y',
  '{a,B}',
);

function stepHolds(pattern: string, own: string): boolean {
  if (pattern === '*') return own !== '';
  if (pattern === '?') return Array.from(own.replace(/%../u, '.')).length === 1;
  if (pattern === 'a*') return own.startsWith('a');
  if (pattern === '*.y') return own.endsWith('.y');
  if (pattern === '{a,B}') return own === 'a' || own === 'B';
  return pattern === own;
}

function stepsHold(pattern: readonly string[], own: readonly string[]): boolean {
  const [first, ...rest] = pattern;
  if (first === undefined) return own.length === 0;
  if (first === '**') return stepsHold(rest, own) || (own.length > 0 && stepsHold(pattern, own.slice(1)));
  const [head, ...tail] = own;
  return head !== undefined && stepHolds(first, head) && stepsHold(rest, tail);
}

describe('urls', () => {
  const scheme = fc.constantFrom('http', 'https', 'ws', 'git');
  const port = fc.constantFrom('', ':80', ':443', ':8080');
  const host = fc.constantFrom('a.example', 'b.a.example', '10.0.0.1', 'c.b.a.example');
  const hostGlob = fc.constantFrom('a.example', '*.a.example', '**.a.example', '**', '10.0.0.1');
  const defaults: Readonly<Record<string, string>> = { http: ':80', https: ':443', ws: ':80', git: '' };

  type Sent = readonly [
    scheme: string,
    host: string,
    port: string,
    segments: readonly string[],
    tail: string,
  ];
  type Parts = readonly [scheme: string, host: string, port: string, steps: readonly string[]];

  const spell = ([own, name, number, list]: Parts): string =>
    `${own}://${name}${number}${list.map((each) => `/${each}`).join('')}`;

  function partsHold([own, hosts, ports, steps]: Parts, [used, name, number, segments]: Sent): boolean {
    const portHolds = ports === ':*' || (ports || defaults[own]) === (number || defaults[used]);
    const pathHolds = steps.length === 0 || stepsHold(steps, segments.length === 0 ? [''] : segments);
    return own === used && judged(hosts, name, { place: 'host' }) === true && portHolds && pathHolds;
  }

  test('[P.kind.url] match patterns exactly as their parts do', () => {
    const sent = fc.tuple(
      scheme,
      host,
      port,
      fc.array(segment, { maxLength: 4 }),
      fc.constantFrom('', '?q=/x', '#f'),
    );
    const pattern = fc.tuple(
      scheme,
      hostGlob,
      fc.oneof(port, fc.constant(':*')),
      fc.array(step, { maxLength: 4 }),
    );
    let hits = 0;
    fc.assert(
      fc.property(pattern, fc.array(sent, { minLength: 8, maxLength: 16 }), (parts, list) => {
        for (const [s, ...others] of list) {
          const own: Sent = [s === 'git' ? s : parts[0], ...others];
          const [written, value] = [spell(parts), spell([own[0], own[1], own[2], own[3]]) + own[4]];
          const expected = partsHold(parts, own);
          if (expected) hits++;
          expect(judged(written, value, { place: 'url' }), `${written} on ${value}`).toBe(expected);
          if (expected) expect(judged(written, value, { place: 'url', polarity: 'refuse' })).toBe(true);
        }
      }),
      { numRuns: 200 },
    );
    expect(hits).toBeGreaterThan(9);
  });
});

describe('email addresses', () => {
  test('[P.kind.email] match patterns exactly as their parts do', () => {
    const local = fc.constantFrom('a', 'A', 'ab', 'a.b', 'b', 'é', 'a+b');
    const globs: Readonly<Record<string, RegExp>> = {
      '*': /^.+$/u,
      'a*': /^a.*$/u,
      '?': /^.$/u,
      'a?b': /^a.b$/u,
      'a.b': /^a\.b$/u,
      '*+b': /^.*\+b$/u,
    };
    fc.assert(
      fc.property(
        fc.constantFrom(...Object.keys(globs)),
        labels,
        local,
        fc.tuple(labels, polarity),
        (glob, domain, own, [other, at]) => {
          for (const list of [domain, other]) {
            const test = at === 'admit' ? globs[glob]! : new RegExp(globs[glob]!.source, 'iu');
            const expected = test.test(own) && list.join('.') === domain.join('.');
            expect(
              judged(`${glob}@${domain.join('.')}`, `${own}@${list.join('.')}`, {
                place: 'email',
                polarity: at,
              }),
            ).toBe(expected);
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('canonical texts', () => {
  const pieces = fc.constantFrom(
    'http',
    'https',
    'file',
    ':',
    '//',
    '/',
    '.',
    '..',
    '@',
    'a',
    'B',
    '0x7f',
    '1',
    '[',
    ']',
    '::',
    '%',
    '%2e',
    '%25',
    '2f',
    '%c3%a9',
    '?',
    '#',
    '*',
    '\\',
    ' ',
    ';',
    'é',
    '\u0301',
    'xn--',
    '_',
    '~',
    '+',
    '\u00a0',
    '😀',
    '"',
    '<',
  );
  const junk = fc.oneof(
    fc.array(pieces, { maxLength: 12 }).map((list) => list.join('')),
    fc.string({ unit: 'binary' }),
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.emailAddress(),
    fc.ipV6(),
    fc.domain(),
  );
  const rooted = fc
    .tuple(fc.constantFrom('', 'https://h.example/', 'about:', 'a@', 'http://'), junk)
    .map(([start, rest]) => start + rest);

  test('[P.kind.host] [P.kind.url] [P.kind.email] never throw, lie in what their view can show, and read again as themselves', () => {
    let read = 0;
    fc.assert(
      fc.property(rooted, (sent) => {
        for (const view of views) {
          const found = canonicalText(view, sent, ctx);
          if (!found.ok) continue;
          read++;
          expect(viewTexts(view, 'posix').test(found.text), `${view} ${found.text}`).toBe(true);
          expect(canonicalText(view, found.forward, ctx)).toEqual(found);
          expect(canonicalText(view, spelledText(view, found.text), ctx)).toMatchObject({
            ok: true,
            text: found.text,
          });
        }
        const host = hostOfUrl(sent);
        const whole = canonicalText('url', sent, ctx);
        if (!whole.ok) return;
        const [, shown = ''] = /^[^:]*:\/\/([^/]*):/u.exec(whole.text) ?? [];
        expect(host).toEqual({ ok: true, text: shown === '' ? undefined : shown });
      }),
      { numRuns: 2000 },
    );
    expect(read).toBeGreaterThan(1000);
  });

  const patterns: Readonly<Record<'host' | 'url' | 'email', fc.Arbitrary<string>>> = {
    host: fc.oneof(
      fc.constantFrom('**', '*', '10.0.0.0/7', 'fe80::/11', 'public', 'private', 'metadata'),
      labels.map((list) => `**.${list.join('.')}`),
    ),
    url: fc
      .tuple(
        fc.constantFrom('http', 'git', 'file'),
        fc.constantFrom('**', '10.0.0.1', '[::2]', 'a.example'),
        fc.constantFrom('', ':*', ':8080'),
        fc.array(step, { maxLength: 3 }),
      )
      .filter(([own, , port]) => own !== 'file' || port === '')
      .map(
        ([own, host, port, steps]) => `${own}://${host}${port}${steps.map((each) => `/${each}`).join('')}`,
      ),
    email: labels.map((list) => `?*@**.${list.join('.')}`),
  };

  test('[P.kind.host] [P.kind.url] [P.kind.email] an example of a pattern can be sent, and is a member', () => {
    fc.assert(
      fc.property(
        fc.constantFrom('host' as const, 'url' as const, 'email' as const),
        fc.gen(),
        (kind, gen) => {
          const pattern = gen(() => patterns[kind]);
          const place: Place = kind;
          if (problemsOf(pattern, { place }).length > 0) return;
          const text = compileConstraint({ kind, patterns: [pattern] }, readContext({ place }))[0]!.get(
            kind,
          )!.text;
          expect(includes(viewTexts(kind, 'posix'), text)).toBe(true);
          const example = sample(text)!;
          expect(canonicalText(kind, spelledText(kind, example), ctx), pattern).toMatchObject({
            ok: true,
            text: example,
          });
        },
      ),
      { numRuns: 300 },
    );
  });

  test('patterns at random are read or refused, and never throw', () => {
    fc.assert(
      fc.property(
        rooted,
        fc.constantFrom<Place>('host', 'url', 'email', 'path'),
        polarity,
        (text, place, at) => {
          for (const each of problemsOf(text, { place, polarity: at })) expect(each).toContain('allowed');
        },
      ),
      { numRuns: 1500 },
    );
  });
});
