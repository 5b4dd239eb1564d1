/** Urls: values in every spelling, patterns, and what reports got wrong. */
import { describe, expect, test } from 'vitest';
import { doc, judged, problemsOf, readContext } from '../../../../../test/constraints.js';
import { canonicalText, readConstraint, spelledText } from './index.js';

const onUrl = { place: 'url' } as const;
const denying = { place: 'url', polarity: 'refuse' } as const;

function url(value: string): string | undefined {
  const read = canonicalText('url', value, readContext().path);
  return read.ok ? read.text : undefined;
}

describe('a url of a call', () => {
  test('[P.kind.url] has its host, its port and its path in one form, and neither query nor fragment', () => {
    expect(url('HTTPS://Shop.Example./in?x=1#f')).toBe('https://shop.example:443/in');
    expect(url('https://shop.example:443')).toBe('https://shop.example:443/');
    expect(url('http://shop.example:8080/a/./b/../c')).toBe('http://shop.example:8080/a/c');
    expect(url('http://0xC0000211/')).toBe('http://4:c0000211:80/');
    expect(url('http://[::ffff:192.0.2.17]/')).toBe('http://4:c0000211:80/');
    expect(url('ws://[::1]:9/x')).toBe('ws://6:00000000000000000000000000000001:9/x');
    expect(url('git://Host.example/r.git')).toBe('git://host.example:/r.git');
    expect(url('git://host.example')).toBe('git://host.example:/');
    expect(url('file:///etc/hosts')).toBe('file://:/etc/hosts');
    expect(url('https://attacker.example.net?=.example.com')).toBe('https://attacker.example.net:443/');
  });

  test('[P.kind.url] keeps escapes apart that mean something, and no others', () => {
    const rows = [
      ['/%7Eann/%61', '/~ann/a'],
      ['/group%2fproject', '/group%2Fproject'],
      ['/a b|c', '/a%20b%7Cc'],
      ['/%c3%a9t%C3%89/é', '/étÉ/é'],
      ['/%2e%2e/x', '/x'],
      ['/a/%2E%2e/b', '/b'],
      ['/a%2eb', '/a.b'],
      ['/100%', '/100%25'],
      ['/100%25', '/100%25'],
      ['/%zz', '/%25zz'],
      ['/%%34%31', '/%2541'],
      ['/a%3bb;c', '/a%3Bb;c'],
      ['/%ff', '/%FF'],
      ['/%E2%80', '/%E2%80'],
      ['//a//', '//a//'],
      ['/web/2020/https://x.example/', '/web/2020/https://x.example/'],
    ] as const;
    for (const [sent, canonical] of rows) {
      expect(url(`https://h.example${sent}`), sent).toBe(`https://h.example:443${canonical}`);
    }
  });

  test('[P.kind.url] is refused with userinfo, backslashes, control characters, or blanks at its ends', () => {
    const refused = [
      'https://user@h.example/',
      'https://@h.example/',
      'https://h.example\\x',
      'https://h.example/?a=\\',
      'https://h.example/a\tb',
      'https://h.exa\nmple/',
      ' https://h.example/',
      'https://h.example/ ',
      'https://h.example/\u0000',
      'https://h.example/\ud800',
      'https://h.example/cafe\u0301',
      'https://h.example/cafe%CC%81',
    ];
    for (const each of refused) expect(url(each), JSON.stringify(each)).toBeUndefined();
  });

  test('[P.kind.url] is refused where readers could find another host in it, or none', () => {
    const refused = [
      '',
      'h.example/x',
      '//h.example/x',
      'https:h.example',
      'https:/h.example',
      'https:///h.example',
      'https://',
      'https://h..example/',
      'https://h.example:99999/',
      'https://h.example:x/',
      'file:x',
      'git://%61.example/',
      'https://a,b.example/',
      'https://[::1%25eth0]/',
    ];
    for (const each of refused) expect(url(each), each).toBeUndefined();
  });

  test('[P.kind.url] is refused when a later decoding makes another path of it (reports R020 to R023)', () => {
    const refused = [
      '/card%00.json',
      '/a%0a',
      '/a%5c..%5cb',
      '/a%255cb',
      '/missions/%252e%252e%252f%252e%252e%252fsecret.yaml',
      '/a%25252fb',
      '/..%2F..%2Fetc%2Fpasswd',
      '/a%2F..%2fb',
      '/a%2F%2e%2e',
      '/pub/..;/admin',
      '/a/%c0%ae%c0%ae/b',
      '/a%C2%85',
      '/pub//../admin',
      '/%%32%65',
    ];
    for (const each of refused) expect(url(`https://h.example${each}`), each).toBeUndefined();
    expect(url('file://documents/..%2F..%2Fetc%2Fpasswd')).toBeUndefined();
    expect(
      judged('https://h.example/servers/**', 'https://h.example/servers/%2e%2e/certificates', onUrl),
    ).toBe(false);
  });

  test('[P.kind.url] without // is the whole text as parsed', () => {
    expect(url('about:blank')).toBe('about:blank');
    expect(url('ABOUT:blank')).toBe('about:blank');
    expect(url('about:blank#a')).toBe('about:blank#a');
    expect(url('data:text/html,<b>')).toBe('data:text/html,<b>');
    expect(url('mailto:a@b.example')).toBe('mailto:a@b.example');
  });

  test('is forwarded as it was sent, and can be spelled again', () => {
    const sent = 'HTTP://0x7f.1:80/%7e?q';
    const read = canonicalText('url', sent, readContext().path);
    expect(read).toEqual({ ok: true, text: 'http://4:7f000001:80/~', forward: sent });
    expect(spelledText('url', 'http://4:7f000001:80/~')).toBe('http://127.0.0.1:80/~');
    expect(spelledText('url', 'git://h.example:/x')).toBe('git://h.example/x');
    expect(spelledText('url', 'about:blank')).toBe('about:blank');
  });
});

describe('a pattern of urls', () => {
  const rows: readonly (readonly [pattern: string, hits: readonly string[], misses: readonly string[]])[] = [
    [
      'https://shop.example',
      ['https://shop.example', 'https://SHOP.example:443/a/b?x', 'https://shop.example//'],
      ['http://shop.example/', 'https://shop.example:444/', 'https://a.shop.example/'],
    ],
    ['https://shop.example/', ['https://shop.example'], ['https://shop.example/a']],
    [
      'https://shop.example:*/in',
      ['https://shop.example/in', 'https://shop.example:9443/in?x=1#f'],
      [
        'https://shop.example/in/a',
        'http://shop.example/in',
        'https://shop.example/IN',
        'https://shop.example/in/',
      ],
    ],
    [
      'http://localhost:4000',
      ['http://localhost:4000/app/index.html'],
      ['http://localhost/', 'http://localhost:40000/'],
    ],
    ['HTTP://H.example:080/A', ['http://h.example/A'], ['http://h.example/a']],
    [
      'https://**.shop.example/pub/**',
      ['https://a.shop.example/pub/x', 'https://a.b.shop.example/pub', 'https://a.shop.example/pub/'],
      ['https://shop.example/pub/x', 'https://a.shop.example/x', 'https://a.shop.example/public'],
    ],
    ['https://*.shop.example', ['https://a.shop.example/'], ['https://a.b.shop.example/']],
    [
      'https://**',
      ['https://docs.example.org/api', 'https://localhost/'],
      ['https://10.0.0.1/', 'https://[::1]/', 'http://docs.example.org/'],
    ],
    ['http://192.0.2.17/a', ['http://0xC0000211/a', 'http://[::ffff:192.0.2.17]/a'], ['http://192.0.2.18/a']],
    ['http://[::1]:8080/**', ['http://[0::1]:8080/x'], ['http://[::1]/x']],
    [
      'https://h.example/v?/*.json',
      ['https://h.example/v1/a.json', 'https://h.example/v%20/a.json', 'https://h.example/v%C3%A9/.json'],
      ['https://h.example/v12/a.json', 'https://h.example/v1/a/b.json', 'https://h.example/v/a.json'],
    ],
    [
      'https://h.example/a/*',
      ['https://h.example/a/b', 'https://h.example/a/b%2Fc'],
      ['https://h.example/a/', 'https://h.example/a', 'https://h.example/a/b/'],
    ],
    ['https://h.example/a/', ['https://h.example/a/'], ['https://h.example/a', 'https://h.example/a//']],
    [
      'https://h.example/**/x',
      ['https://h.example/x', 'https://h.example/a/b/x', 'https://h.example//x'],
      ['https://h.example/ax'],
    ],
    [
      'https://h.example/{a,b/c}/x',
      ['https://h.example/a/x', 'https://h.example/b/c/x'],
      ['https://h.example/b/x'],
    ],
    [
      'https://h.example/caf\u00e9 %7e\\*',
      ['https://h.example/caf%C3%A9%20~*'],
      ['https://h.example/cafe%20~x'],
    ],
    ['https://h.example/g%2fp', ['https://h.example/g%2Fp'], ['https://h.example/g/p']],
    [
      'https://h.example/.*',
      ['https://h.example/.env', 'https://h.example/..a'],
      ['https://h.example/', 'https://h.example/a'],
    ],
    ['https://h.example/{.,a}x', ['https://h.example/.x', 'https://h.example/ax'], ['https://h.example/x']],
    ['https://h.example/%2e*', ['https://h.example/.env'], ['https://h.example/a']],
    ['about:blank', ['about:blank', 'ABOUT:blank'], ['about:blank?x', 'about:config', 'data:about:blank']],
    [
      'file:///data/**',
      ['file:///data/a', 'file://localhost/data'],
      ['file://host.example/data/a', 'file:///etc'],
    ],
    ['git://h.example/r', ['git://h.example/r'], ['git://h.example:9418/r']],
    ['git://h.example:*/r', ['git://h.example/r', 'git://h.example:9418/r'], []],
  ];

  test('[P.kind.url] matches scheme, host, port and path, each whole', () => {
    for (const [pattern, hits, misses] of rows) {
      for (const hit of hits) expect(judged(pattern, hit, onUrl), `${pattern} on ${hit}`).toBe(true);
      for (const miss of misses) expect(judged(pattern, miss, onUrl), `${pattern} on ${miss}`).toBe(false);
    }
  });

  test('[P.kind.polarity] that refuses sees through case, doubled slashes, one at the end and needless escapes', () => {
    const admin = ['/admin', '/ADMIN', '/Admin/', '//admin', '//admin//'];
    for (const each of admin)
      expect(judged('https://h.example/admin', `https://h.example${each}`, denying), each).toBe(true);
    expect(judged('https://h.example/admin/**', 'https://h.example//admin//x', denying)).toBe(true);
    expect(judged('https://h.example/a!b', 'https://h.example/a%21b', denying)).toBe(true);
    expect(judged('https://h.example/a!b', 'https://h.example/a%21b', onUrl)).toBe(false);
    expect(judged('https://h.example/admin', 'https://h.example/admins', denying)).toBe(false);
    expect(
      judged(
        { in: 'https://h.example', except: 'https://h.example/admin/**' },
        'https://h.example/Admin/x',
        onUrl,
      ),
    ).toBe(false);
    expect(
      judged({ in: 'https://h.example', except: 'https://h.example/admin/**' }, 'https://h.example/x', onUrl),
    ).toBe(true);
    expect(judged({ except: 'https://**' }, 'about:blank', onUrl)).toBe(true);
  });

  test('[P.kind.url] that is malformed is a problem that says what is allowed', () => {
    const malformed = [
      '',
      'shop.example',
      'shop.example/x',
      '*',
      '**',
      '/x',
      '*://h.example',
      'http*://h.example',
      'https:h.example',
      'https://',
      'https:///x',
      'https://h.example:',
      'https://h.example:99999',
      'https://h.example:x',
      'https://user@h.example',
      'https://h.example/a#b',
      'https://h.example?x=1',
      'https://h.example/..//x',
      'https://public.*',
      'https://.h.example',
      'https://a*.example',
      'https://h.example/a//b',
      'https://h.example/a/../b',
      'https://h.example/%2e%2e/b',
      'https://h.example/a**',
      'https://h.example/{a',
      'https://h.example/%00',
      'https://h.example/%252f',
      'data:*',
      'about:*',
      'https://[::1/x',
      'h\u00e9://x',
    ];
    for (const each of malformed)
      expect(problemsOf(each, onUrl)[0] ?? '', each).toMatch(/^where: .* allowed .+/u);
    expect(problemsOf('*://h.example', onUrl)[0]).toContain('one pattern for each scheme');
    expect(problemsOf('https://h.example?x=1', onUrl)[0]).toContain('query and fragment are free');
    expect(problemsOf({ url: ['x'] })[0]).toContain('where.url[0]: no scheme in the url "x"');
    expect(problemsOf({ url: ['https://h.example'] }, onUrl)[0]).toContain('write the url alone');
  });

  test('with something like a query is told that ? is one character', () => {
    const ctx = readContext(onUrl);
    expect(readConstraint(doc('https://h.example/a?id=*'), ctx)).toBeDefined();
    expect(ctx.findings[0]?.message).toContain('query and fragment are free');
  });

  test('as a named set or a block is a name like any other, since in urls only literals are addresses', () => {
    expect(judged('https://public', 'https://8.8.8.8/', onUrl)).toBe(false);
    expect(judged('https://public', 'https://public/', onUrl)).toBe(true);
    expect(judged('http://10.0.0.0/8', 'http://10.0.0.1/', onUrl)).toBe(false);
  });
});

describe('reports about urls', () => {
  const example = ['https://example.com', 'https://**.example.com'];

  test('[P.kind.url] R070 to R074, R076, R077: only the parsed host counts', () => {
    expect(judged(example, 'https://example.com:password@attacker.example.net/', onUrl)).toBe('refused');
    expect(judged(example, 'https://notexample.com/', onUrl)).toBe(false);
    expect(judged('https://**.example.com', 'https://example.com/', onUrl)).toBe(false);
    expect(judged(example, 'https://attacker.example.net?=.example.com', onUrl)).toBe(false);
    expect(judged('https://www.example.com', 'https://WWW.EXAMPLE.COM/', onUrl)).toBe(true);
    expect(judged(example, 'https://www.example.com/docs', onUrl)).toBe(true);
  });

  test('[P.kind.url] R078 to R080: wildcards are as wide as they say', () => {
    expect(judged('https://**', 'https://docs.example.org/api', onUrl)).toBe(true);
    const pages = ['http://www.example.com/**', 'https://www.example.com/**'];
    expect(judged(pages, 'https://www.example.com/registry/find.do?reset=1', onUrl)).toBe(true);
    expect(judged('https://**.test', 'https://physics.school.test/', onUrl)).toBe(true);
    expect(judged('https://**.test', 'https://test/', onUrl)).toBe(false);
  });

  test('[P.kind.url] R081, R082: ports are any, or the one that is named', () => {
    expect(judged('https://tool.example.net:*', 'https://tool.example.net:8443/x', onUrl)).toBe(true);
    expect(judged('https://tool.example.net', 'https://tool.example.net:8443/x', onUrl)).toBe(false);
    expect(judged('http://localhost:4000', 'http://localhost:4000/app/index.html', onUrl)).toBe(true);
    expect(judged('http://localhost:4000', 'http://localhost:4001/app/index.html', onUrl)).toBe(false);
  });

  test('[P.kind.url] R083, R084: schemes are an allow list', () => {
    expect(judged(example, 'data:text/html,<script>1</script>', onUrl)).toBe(false);
    expect(judged(example, "javascript:fetch('https://attacker.example.net')", onUrl)).toBe(false);
    expect(judged(example, 'http://example.com/', onUrl)).toBe(false);
  });

  test('[P.kind.url] R101, R116: a url argument is judged like any other', () => {
    expect(judged({ url: ['https://api.example.com'] }, 'https://attacker.example.net/')).toBe(false);
    expect(judged({ url: ['https://api.example.com'] }, 'https://api.example.com/items/1')).toBe(true);
  });
});
