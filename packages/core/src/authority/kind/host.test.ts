/** Hosts: values in every spelling, patterns, named sets, and what reports got wrong. */
import { describe, expect, test } from 'vitest';
import { judged, problemsOf, readContext } from '../../../../../test/constraints.js';
import { canonicalText, hostOfUrl, spelledText } from './index.js';

const onHost = { place: 'host' } as const;
const denying = { place: 'host', polarity: 'refuse' } as const;

function host(value: string): string | undefined {
  const read = canonicalText('host', value, readContext().path);
  return read.ok ? read.text : undefined;
}

/** The judgement of a field host that is fed by a url. */
function ofUrl(pattern: string | readonly string[], url: string): boolean | 'refused' {
  const read = hostOfUrl(url);
  if (!read.ok) return 'refused';
  return read.text !== undefined && judged([pattern].flat(), spelledText('host', read.text), onHost) === true;
}

describe('a host of a call', () => {
  test('[P.kind.host] is a name in lower case and punycode, without a dot at its end', () => {
    expect(host('DB.Corp.Example.')).toBe('db.corp.example');
    expect(host('☃.net')).toBe('xn--n3h.net');
    expect(host('XN--N3H.net')).toBe('xn--n3h.net');
    expect(host('_dmarc.a-b.example')).toBe('_dmarc.a-b.example');
    expect(host('localhost')).toBe('localhost');
  });

  test('[P.kind.host] is an address in one form, whatever number it is spelled as', () => {
    const loopback = [
      '127.0.0.1',
      '127.1',
      '2130706433',
      '017700000001',
      '0x7f000001',
      '0x7f.0.0.1',
      '127.0.0.1.',
    ];
    const inSix = ['::ffff:127.0.0.1', '[::FFFF:7f00:1]', '::127.0.0.1', '64:ff9b::7f00:1', '2002:7f00:1::'];
    for (const each of [...loopback, ...inSix]) expect(host(each), each).toBe('4:7f000001');
    expect(host('::1')).toBe('6:00000000000000000000000000000001');
    expect(host('[::]')).toBe('6:00000000000000000000000000000000');
    expect(host('2001:DB8::8:800:200c:417a')).toBe('6:20010db80000000000080800200c417a');
  });

  test('[P.kind.host] is refused when it is anything else', () => {
    const odd = [
      '',
      ' a',
      'a ',
      'a b',
      'a/b',
      'a:80',
      '[::1]:80',
      'a@b',
      'a..b',
      '.a',
      'a..',
      '.',
      'a%62',
      'a\\b',
      '1.2.3.4.5',
    ];
    const worse = [
      '256.1.1.1',
      'fe80::1%eth0',
      '::1::',
      '[a]',
      'a,b',
      '*.a',
      'a\tb',
      'cafe\u0301.net',
      '\ud800.net',
      'xn--a',
      '10.0.0.0/8',
    ];
    for (const each of [...odd, ...worse]) expect(host(each), each).toBeUndefined();
  });

  test('is forwarded as it was sent', () => {
    const read = canonicalText('host', '0x7f.1', readContext().path);
    expect(read).toEqual({ ok: true, text: '4:7f000001', forward: '0x7f.1' });
    expect(spelledText('host', '4:7f000001')).toBe('127.0.0.1');
    expect(spelledText('host', '6:00000000000000000000000000000001')).toBe('[::1]');
  });
});

describe('a pattern of hosts', () => {
  const rows: readonly (readonly [pattern: string, hits: readonly string[], misses: readonly string[]])[] = [
    ['corp.example', ['corp.example', 'CORP.example.'], ['a.corp.example', 'xcorp.example']],
    ['Corp.Example.', ['corp.example'], []],
    [
      '*.corp.example',
      ['db.corp.example', 'DB.Corp.Example.'],
      ['a.db.corp.example', 'corp.example', 'xcorp.example'],
    ],
    ['**.corp.example', ['db.corp.example', 'a.db.corp.example'], ['corp.example', 'notcorp.example']],
    ['*', ['localhost'], ['a.b', '10.0.0.1', '::1']],
    ['**', ['localhost', 'a.b'], ['10.0.0.1', '::1']],
    ['☃.net', ['xn--n3h.net', '☃.net'], []],
    ['10.0.0.1', ['10.0.0.1', '0xa000001', '::ffff:10.0.0.1'], ['10.0.0.2']],
    ['0xa000001', ['10.0.0.1'], []],
    ['[::1]', ['::1'], ['::2']],
    ['10.0.0.0/8', ['10.255.0.1', '::ffff:10.1.2.3', '2002:a01:203::'], ['11.0.0.1', 'a10.example']],
    ['192.168.4.0/22', ['192.168.7.255'], ['192.168.8.0', '192.168.3.255']],
    ['0.0.0.0/0', ['1.2.3.4'], ['::1', 'a.b']],
    ['fc00::/7', ['fdab::1'], ['fe00::1']],
    ['::ffff:10.0.0.0/104', ['10.1.1.1'], ['11.0.0.1']],
    ['::/0', ['::1', '2001:db8::1'], ['10.0.0.1', '::ffff:10.0.0.1']],
    ['2002:a00::/24', ['10.1.1.1', '2002:a01:203::'], ['11.0.0.1']],
  ];

  test('[P.kind.host] matches whole labels, and label globs never match addresses', () => {
    for (const [pattern, hits, misses] of rows) {
      for (const hit of hits) expect(judged(pattern, hit, onHost), `${pattern} on ${hit}`).toBe(true);
      for (const miss of misses) expect(judged(pattern, miss, onHost), `${pattern} on ${miss}`).toBe(false);
    }
  });

  test('[P.kind.polarity] has no case to fold', () => {
    expect(judged('LocalHost', 'localhost.', denying)).toBe(true);
    expect(judged({ in: '**.corp.example', except: 'DB.corp.example' }, 'db.corp.example', onHost)).toBe(
      false,
    );
  });

  test('[P.kind.host] the named sets are those of the registries, and public is outside of all others', () => {
    const sets: Readonly<Record<string, readonly string[]>> = {
      public: ['8.8.8.8', '134744072', '2606:4700::1111', '100.63.255.255', '172.32.0.1'],
      private: [
        '10.1.2.3',
        '172.16.0.1',
        '192.168.1.1',
        '100.64.0.1',
        'fd12::1',
        '203.0.113.7',
        '198.18.0.1',
        '224.0.0.1',
        '0.1.2.3',
        '64:ff9b:1::1',
        'fec0::1',
        'ff02::1',
      ],
      loopback: ['127.0.0.1', '127.255.1.1', '::1', '0.0.0.0', '::'],
      'link-local': ['169.254.1.1', 'fe80::1'],
      metadata: ['169.254.169.254', 'fd00:ec2::254', '100.100.100.200', '168.63.129.16'],
    };
    for (const [name, list] of Object.entries(sets)) {
      for (const each of list) {
        expect(judged(name, each, onHost), `${name} on ${each}`).toBe(true);
        if (name !== 'public') expect(judged('public', each, onHost), each).toBe(false);
      }
      expect(judged(name, name, onHost), 'a name is in no set').toBe(false);
    }
    expect(judged('private', '127.0.0.1', onHost)).toBe(false);
    expect(
      judged({ except: ['public', 'private', 'loopback', 'link-local', 'metadata'] }, '1.2.3.4', onHost),
    ).toBe(false);
  });

  test('[P.kind.host] that is malformed is a problem that says what is allowed', () => {
    const malformed = [
      '',
      '.corp.example',
      'a*.example',
      '*a.example',
      'a.*',
      '*.*.a',
      '**.*.a',
      '*.10',
      '*.',
      '**a',
      'a..b',
      'a:80',
      'http://a',
      'a/b',
      '10.0.0.1/8',
      '10.0.0.0/33',
      '10.0.0.0/',
      '10.0.0.0/-1',
      '::/129',
      '*.10.0.0.0/8',
      'a b',
      '256.0.0.1',
      'user@a',
      '!a',
      '{a,b}.c',
    ];
    for (const each of malformed) expect(problemsOf(each, onHost)[0], each).toMatch(/^where: .* allowed .+/u);
    expect(problemsOf('.corp.example', onHost)[0]).toContain('**.NAME');
    expect(problemsOf('10.0.0.1/8', onHost)[0]).toContain('beyond the first 8');
    expect(problemsOf([1], onHost)[0]).toContain('where[0]: a pattern of host is a text; found 1');
    expect(problemsOf({ host: ['a..b'] })[0]).toContain('where.host[0]');
    expect(problemsOf({ host: [] })[0]).toContain('empty list');
    expect(problemsOf({ host: 'a' }, onHost)[0]).toContain('write the host alone');
  });
});

describe('reports about hosts', () => {
  const publicly = ['**', 'public'];

  test('[P.kind.host] R085 to R088, R090: no spelling of a local or special address is public', () => {
    const local = [
      'http://[::ffff:127.0.0.1]:6789/',
      'http://0.0.0.0/',
      'http://2130706433:8080/',
      'http://017700000001:9000/x',
      'http://127.1/',
      'http://100.64.0.1/',
    ];
    for (const url of local) expect(ofUrl(publicly, url), url).toBe(false);
  });

  test('[P.kind.host] R089: a number that is a public address is judged as that address', () => {
    expect(ofUrl(publicly, 'http://134744072/')).toBe(true);
    expect(ofUrl(publicly, 'http://docs.example.org/')).toBe(true);
  });

  test('[P.kind.host] R070, R071: what stands before an at-sign is not the host', () => {
    expect(ofUrl('example.com', 'https://example.com:password@attacker.example.net/')).toBe(false);
    expect(ofUrl('example.com', 'https://user:password@example.com/')).toBe(true);
    expect(ofUrl('example.com', 'https://a@b@example.com/')).toBe('refused');
    expect(ofUrl('example.com', 'https://attacker.example.net\\@example.com/')).toBe('refused');
  });

  test('[P.kind.host] R072 to R074, R077: names match by whole labels, apex and subdomains apart', () => {
    expect(ofUrl(['example.com', '**.example.com'], 'https://notexample.com/')).toBe(false);
    expect(ofUrl('**.example.com', 'https://example.com/')).toBe(false);
    expect(ofUrl(['example.com', '**.example.com'], 'https://www.example.com/docs')).toBe(true);
    expect(ofUrl('example.com', 'https://attacker.example.net?=.example.com')).toBe(false);
  });

  test('[P.kind.host] R075, R076: one dot at the end and the case of letters change nothing', () => {
    const read = hostOfUrl('http://localhost./hook');
    expect(read).toEqual({ ok: true, text: 'localhost' });
    expect(judged('localhost', 'localhost.', denying)).toBe(true);
    expect(ofUrl('www.example.com', 'https://WWW.EXAMPLE.COM/')).toBe(true);
  });

  test('[P.kind.host] R083, R084: a url without a host is inside no rule for hosts', () => {
    for (const url of [
      'data:text/html,<script>1</script>',
      "javascript:fetch('https://attacker.example.net')",
      'about:blank',
      'file:///etc/passwd',
    ]) {
      expect(hostOfUrl(url), url).toEqual({ ok: true, text: undefined });
      expect(ofUrl(publicly, url), url).toBe(false);
    }
  });
});
