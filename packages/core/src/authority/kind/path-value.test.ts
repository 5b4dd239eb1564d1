/** Paths as calls send them. */
import { describe, expect, test } from 'vitest';
import { type PathContext, canonicalPath } from './index.js';

const ctx: PathContext = { root: '/srv/files', home: '/home/dev', case: 'sensitive', platform: 'posix' };
const bare: PathContext = { case: 'sensitive', platform: 'posix' };

function path(value: string, base?: string): string | undefined {
  const read = canonicalPath(value, ctx, base);
  return read.ok ? read.path : undefined;
}

describe('a path of a call', () => {
  test('[P.kind.path-lexical] is resolved against the root, or the base that is given', () => {
    expect(path('notes/a.txt')).toBe('/srv/files/notes/a.txt');
    expect(path('a.txt', '/var/log')).toBe('/var/log/a.txt');
    expect(path('.')).toBe('/srv/files');
    expect(path('/etc/hosts', '/var/log')).toBe('/etc/hosts');
    expect(canonicalPath('a.txt', bare).ok).toBe(false);
    expect(canonicalPath('a.txt', bare, '/x')).toEqual({ ok: true, path: '/x/a.txt' });
  });

  test('[P.kind.path-lexical] climbs by segments that are exactly two dots, and stays at the top', () => {
    expect(path('/srv/files/../../etc/passwd')).toBe('/etc/passwd');
    expect(path('/../../..')).toBe('/');
    expect(path('/srv/files/sales..2024.txt')).toBe('/srv/files/sales..2024.txt');
    expect(path('/srv/files/[...slug].ts')).toBe('/srv/files/[...slug].ts');
    expect(path('/a/v2..attic/..')).toBe('/a');
  });

  test('loses dots, doubled slashes and a slash at its end', () => {
    expect(path('/a//b/./c/')).toBe('/a/b/c');
    expect(path('//a')).toBe('/a');
  });

  test('means the home of the server by ~ alone and before a slash, and nobody else’s', () => {
    expect(path('~')).toBe('/home/dev');
    expect(path('~/.ssh/../x')).toBe('/home/dev/x');
    expect(path('~root/x')).toBeUndefined();
    expect(path('~x')).toBeUndefined();
    expect(path('./~x')).toBe('/srv/files/~x');
    expect(canonicalPath('~/x', bare).ok).toBe(false);
  });

  test('[P.kind.text-unicode] is refused, not repaired, when it is empty, no NFC, or holds U+0000 or a lone surrogate', () => {
    for (const value of ['', '/a\u0000b', '/cafe\u0301', '/\ud800', '/a\udc00b'])
      expect(path(value)).toBeUndefined();
    expect(path('/caf\u00e9/😀')).toBe('/caf\u00e9/😀');
  });

  test('keeps other control characters, backslashes and blanks as parts of names', () => {
    expect(path('/a\nb')).toBe('/a\nb');
    expect(path('/a\\..\\b')).toBe('/a\\..\\b');
    expect(path('/ ')).toBe('/ ');
  });

  test('is refused when a later decoding would make other segments of it or cut it short (reports R020 to R023)', () => {
    const refused = [
      '/pkg/card%00.json',
      'documents/..%2F..%2Fetc%2Fpasswd',
      'missions/%252e%252e%252f%252e%252e%252fsecret.yaml',
      '/servers/%2e%2e/certificates',
      '/a/%2E%2e/b',
      '/a%5c..%5cb',
      '/a%0a',
      '/a%25252f',
      '/a/%c0%ae%c0%af',
    ];
    for (const value of refused) expect(path(value), value).toBeUndefined();
  });

  test('keeps every other percent sign as it is', () => {
    for (const value of ['/100%.txt', '/a%20b', '/50%off', '/%', '/%25.txt', '/%e4%bd%a0', '/%zz']) {
      expect(path(value), value).toBe(value);
    }
  });
});
