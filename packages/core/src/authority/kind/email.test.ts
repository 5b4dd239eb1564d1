/** Email addresses: values and patterns. */
import { describe, expect, test } from 'vitest';
import { judged, problemsOf, readContext } from '../../../../../test/constraints.js';
import { canonicalText } from './index.js';

const onEmail = { place: 'email' } as const;
const denying = { place: 'email', polarity: 'refuse' } as const;

function email(value: string): string | undefined {
  const read = canonicalText('email', value, readContext().path);
  return read.ok ? read.text : undefined;
}

describe('an email address of a call', () => {
  test('[P.kind.email] keeps its local part, and its domain is a host name', () => {
    expect(email('Ann.Lee+x@Corp.Example')).toBe('Ann.Lee+x@corp.example');
    expect(email('ann@☃.example.')).toBe('ann@xn--n3h.example');
    expect(email("o'neil_{1}@x.example")).toBe("o'neil_{1}@x.example");
    expect(email('josé@x.example')).toBe('josé@x.example');
    expect(canonicalText('email', 'a@X.example', readContext().path)).toEqual({
      ok: true,
      text: 'a@x.example',
      forward: 'a@X.example',
    });
  });

  test('[P.kind.email] is refused unless it is exactly one plain address', () => {
    const refused = [
      '',
      'ann',
      '@x.example',
      'ann@',
      'ann@@x.example',
      'a@b@x.example',
      'a@x.example,b@y.example',
      'a@x.example;b@y.example',
      'a@x.example b@y.example',
      'Ann <ann@x.example>',
      '<ann@x.example>',
      'ann@x.example (Ann)',
      '(c)ann@x.example',
      '"ann lee"@x.example',
      '"ann"@x.example',
      'ann@[127.0.0.1]',
      'ann@127.0.0.1',
      'ann@2130706433',
      ' ann@x.example',
      'ann@x.example ',
      'ann@x.example\n',
      'ann@x.example\r\nBcc: b@y.example',
      'mailto:ann@x.example',
      '.ann@x.example',
      'ann.@x.example',
      'a..b@x.example',
      'a\\b@x.example',
      'user%evil.example@x.example',
      'evil.example!user@x.example',
      'ann@x..example',
      'ann@x_.exa mple',
      'ann@x.example:25',
      'ann@x.example/',
      'jose\u0301@x.example',
      '\ud800@x.example',
      'a\u0000@x.example',
      'a\u200b@x.example',
    ];
    for (const each of refused) expect(email(each), JSON.stringify(each)).toBeUndefined();
  });
});

describe('a pattern of email addresses', () => {
  const rows: readonly (readonly [pattern: string, hits: readonly string[], misses: readonly string[]])[] = [
    [
      '*@corp.example',
      ['ann@corp.example', 'a.b+c@CORP.example'],
      ['ann@x.corp.example', 'ann@xcorp.example', 'ann@corp.example.evil.example'],
    ],
    [
      'ann@x.example',
      ['ann@x.example', 'ann@X.EXAMPLE.'],
      ['Ann@x.example', 'bann@x.example', 'ann@y.example'],
    ],
    ['ann+*@x.example', ['ann+news@x.example', 'ann+@x.example'], ['ann@x.example']],
    ['j?@x.example', ['jo@x.example', 'jé@x.example'], ['joe@x.example', 'j@x.example']],
    ['*@*.corp.example', ['a@b.corp.example'], ['a@corp.example', 'a@c.b.corp.example']],
    ['*@**', ['a@localhost', 'a@b.example'], []],
    ['ann@Corp.Example.', ['ann@corp.example'], []],
  ];

  test('[P.kind.email] matches the local part and the domain, each whole', () => {
    for (const [pattern, hits, misses] of rows) {
      for (const hit of hits) expect(judged(pattern, hit, onEmail), `${pattern} on ${hit}`).toBe(true);
      for (const miss of misses) expect(judged(pattern, miss, onEmail), `${pattern} on ${miss}`).toBe(false);
    }
  });

  test('[P.kind.polarity] that refuses folds the local part', () => {
    expect(judged('Ann@x.example', 'aNN@X.example', denying)).toBe(true);
    expect(judged({ in: '*@x.example', except: 'root@x.example' }, 'Root@x.example', onEmail)).toBe(false);
    expect(judged({ except: '*@x.example' }, 'ann@y.example', onEmail)).toBe(true);
  });

  test('[P.kind.email] that is malformed is a problem that says what is allowed', () => {
    const malformed = [
      '',
      '*',
      'corp.example',
      '@corp.example',
      'a@',
      'a@b@c.example',
      '**@x.example',
      'a b@x.example',
      '.*@x.example',
      'Ann <a@x.example>',
      'a@10.0.0.1',
      'a@x..example',
      'a@.x.example',
      'a@x.*',
      'a@10.0.0.0/8',
      'a,b@x.example',
    ];
    for (const each of malformed)
      expect(problemsOf(each, onEmail)[0] ?? '', each).toMatch(/^where: .* allowed .+/u);
    expect(problemsOf({ email: ['corp.example'] })[0]).toContain('where.email[0]: no @');
    expect(problemsOf({ email: ['a@x.example'] }, onEmail)[0]).toContain('write the email alone');
  });
});
