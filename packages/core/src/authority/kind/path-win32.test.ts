/** Paths of win32: values, globs, and what reports got wrong. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { doc, judged, problemsOf, readContext } from '../../../../../test/constraints.js';
import { coversBelow, includes } from '../automaton/index.js';
import {
  type PathContext,
  below,
  canonicalPath,
  canonicalText,
  childrenOf,
  globLanguage,
  readConstraint,
  spelledText,
} from './index.js';
import { pathsOn } from './path-language.js';
import { badName } from './path-win32.js';

const win: PathContext = { root: 'c:/srv', home: 'c:/Users/dev', case: 'insensitive', platform: 'win32' };
const onPath = { place: 'path', path: win } as const;
const exact = { place: 'path', path: { ...win, case: 'sensitive' } } as const;

function path(value: string, base?: string): string | undefined {
  const read = canonicalPath(value, win, base);
  return read.ok ? read.path : undefined;
}

describe('a path of win32 in a call', () => {
  test('[P.kind.win32] takes both separators and any case of its drive, and is forwarded in its native form', () => {
    expect(path('C:\\Users\\x')).toBe('c:/Users/x');
    expect(path('c:/Users\\x/')).toBe('c:/Users/x');
    expect(path('C:\\')).toBe('c:/');
    expect(path('C:\\a\\..\\..\\b\\.\\c')).toBe('c:/b/c');
    expect(canonicalText('path', 'c:/Users/../Users/x', win)).toEqual({
      ok: true,
      text: 'c:/Users/x',
      forward: 'C:\\Users\\x',
    });
    expect(canonicalText('path', 'C:\\', win)).toEqual({ ok: true, text: 'c:/', forward: 'C:\\' });
    expect(spelledText('path', 'c:/a b')).toBe('C:\\a b');
    expect(spelledText('path', '/a')).toBe('/a');
  });

  test('[P.kind.win32] is resolved against the root or the base that is given, and ~ is the home', () => {
    expect(path('notes\\a.txt')).toBe('c:/srv/notes/a.txt');
    expect(path('..\\..\\..\\a')).toBe('c:/a');
    expect(path('a', 'd:/x')).toBe('d:/x/a');
    expect(path('a', 'd:/')).toBe('d:/a');
    expect(path('~\\x')).toBe('c:/Users/dev/x');
    expect(path('~')).toBe('c:/Users/dev');
    expect(path('~root')).toBeUndefined();
    expect(canonicalPath('a', { case: 'insensitive', platform: 'win32' }).ok).toBe(false);
  });

  test('[P.kind.win32] is refused where the system would open something else', () => {
    const drives = [
      'C:x',
      'C:',
      'C:..\\x',
      '\\x',
      '/x',
      '\\\\nas\\share\\x',
      '//nas/share',
      '\\\\?\\C:\\x',
      '\\\\.\\C:',
      '\\??\\C:\\x',
      '\\/x',
      '1:\\x',
      'CD:\\x',
    ];
    const devices = [
      'C:\\con',
      'C:\\a\\NUL',
      'nul.txt',
      'C:\\Com1.log',
      'lpt9',
      'COM¹',
      'conin$',
      'aux .c',
      'C:\\nul\\x',
    ];
    const names = [
      'C:\\a.',
      'C:\\a ',
      'C:\\a. .',
      'C:\\...',
      'C:\\a\\.. \\b',
      'C:\\notes.txt:payload.exe',
      'C:\\a::$DATA',
      'C:\\a\\D:\\b',
      'C:\\a*b',
      'C:\\a?',
      'C:\\a<b',
      'C:\\a|b',
      'C:\\a"b',
      'C:\\a\tb',
    ];
    const short = ['C:\\PROGRA~1', 'C:\\SECRET~1.TXT', 'c:\\a~12.b', 'C:\\~1'];
    const texts = ['', 'C:\\a\u0000', 'C:\\cafe\u0301', 'C:\\\ud800', 'C:\\a%5c..', 'C:\\a%2e%2e'];
    for (const each of [...drives, ...devices, ...names, ...short, ...texts])
      expect(path(each), each).toBeUndefined();
  });

  test('keeps names that only look alike', () => {
    const kept = [
      'console.txt',
      'auxiliary',
      'com10',
      'a~b',
      'report~2024-final.txt',
      'backup.txt~',
      '.gitignore',
      'a b',
      ' a',
      'x.con',
      'nul-l',
      '[id].ts',
      'Program Files (x86)',
      '100%',
    ];
    for (const each of kept) expect(path(`C:\\${each}`), each).toBe(`c:/${each}`);
  });
});

describe('a glob of win32 paths', () => {
  const rows: readonly (readonly [glob: string, hits: readonly string[], misses: readonly string[]])[] = [
    ['C:\\proj\\**', ['c:\\proj', 'C:\\PROJ\\a\\b', 'c:/proj/x'], ['D:\\proj\\a', 'C:\\projects']],
    ['c:/proj/*.txt', ['C:\\proj\\a.TXT'], ['C:\\proj\\a\\b.txt', 'C:\\proj\\a.txt.exe']],
    ['C:\\', ['C:\\'], ['C:\\a', 'D:\\']],
    ['C:\\**', ['C:\\', 'C:\\a'], ['D:\\']],
    ['**\\.env', ['C:\\.env', 'D:\\a\\.ENV'], ['C:\\.env.local']],
    ['**/**', ['C:\\', 'z:/a'], []],
    ['src\\*', ['C:\\srv\\src\\a', 'src\\a'], ['C:\\src\\a']],
    ['~\\x', ['C:\\Users\\dev\\x'], []],
    ['{C:,d:}/{a,b\\c}', ['C:\\a', 'D:\\b\\c'], ['E:\\a']],
    ['C:/a?c', ['C:\\abc'], ['C:\\ac']],
  ];

  test('[P.kind.win32] matches whole segments in any case, on its drive', () => {
    for (const [glob, hits, misses] of rows) {
      for (const hit of hits) expect(judged(glob, hit, onPath), `${glob} on ${hit}`).toBe(true);
      for (const miss of misses) expect(judged(glob, miss, onPath), `${glob} on ${miss}`).toBe(false);
    }
  });

  test('[P.kind.win32] compares names exactly where the server says so, and drives never', () => {
    expect(judged('C:\\Proj\\**', 'c:\\Proj\\a', exact)).toBe(true);
    expect(judged('C:\\Proj\\**', 'c:\\proj\\a', exact)).toBe(false);
    expect(judged('C:\\Proj\\**', 'c:\\proj\\a', { ...exact, polarity: 'refuse' })).toBe(true);
  });

  test('[P.kind.win32] that is malformed is a problem that says what is allowed', () => {
    const malformed = [
      'C:proj',
      'C:',
      '\\proj',
      '/proj',
      '/**',
      '\\\\nas\\share\\**',
      '//nas/share/**',
      '\\\\?\\C:\\**',
      'C:\\a\\\\b',
      'C:\\..\\b',
      'C:\\con',
      'C:\\a\\nul.txt',
      'C:\\a.',
      'C:\\a ',
      'C:\\PROGRA~1',
      'C:\\a:b',
      'C:\\*:x',
      '*:\\x',
      'C:\\a<b',
      'C:\\a|b',
      'C:\\{a,con}',
      '!C:\\a',
      '~user\\a',
      'C:\\a**',
    ];
    for (const each of malformed)
      expect(problemsOf(each, onPath)[0] ?? '', each).toMatch(/^where: .* allowed .+/u);
    expect(problemsOf('\\\\nas\\share', onPath)[0]).toContain('a network path or a device path');
    expect(problemsOf('C:proj', onPath)[0]).toContain('DRIVE:/');
    const ctx = readContext(onPath);
    readConstraint(doc('**'), ctx);
    expect(ctx.findings[0]?.message).toContain('**/** means every path');
  });

  test('[P.authority.extent] covers what is below a path, on the drive and at its top', () => {
    for (const folder of ['c:/proj', 'c:/']) {
      const whole = [globLanguage(`${folder}/**`.replace('//', '/'), win, false)];
      for (const { prefix, tail } of [below(folder), childrenOf(folder)]) {
        expect(coversBelow(whole, prefix, tail)).toBe(true);
        expect(coversBelow([globLanguage('d:/**', win, false)], prefix, tail)).toBe(false);
      }
    }
  });
});

describe('reports about win32 paths', () => {
  test('[P.kind.win32] R017, R026: neither drives nor names have case', () => {
    expect(judged({ in: 'C:\\**', except: 'C:\\Windows\\System32' }, 'C:\\WINDOWS\\sYSTEM32', onPath)).toBe(
      false,
    );
    expect(judged({ in: 'C:\\**', except: 'C:\\Windows\\System32' }, 'C:\\Windows\\Fonts', onPath)).toBe(
      true,
    );
    expect(judged('c:\\Users\\dev\\Documents\\**', 'C:\\Users\\dev\\Documents\\sub\\a.txt', onPath)).toBe(
      true,
    );
  });

  test('[P.kind.win32] R027 to R029: streams, trimmed names and network paths are refused', () => {
    expect(judged('C:\\proj\\**', 'C:\\proj\\notes.txt:payload.exe', onPath)).toBe('refused');
    expect(
      judged({ in: 'C:\\site\\**', except: 'C:\\site\\secret.txt' }, 'C:\\site\\secret.txt. ', onPath),
    ).toBe('refused');
    expect(judged('**/**', '\\\\?\\UNC\\fileserver\\e\\file.log', onPath)).toBe('refused');
  });

  test('[P.kind.win32] R025: the grant of a network share is refused at load, as the contract says', () => {
    expect(problemsOf('\\\\nas01\\media\\**', onPath)[0]).toContain('network path');
  });

  test('[P.kind.polarity] R016, R018, R019: folding follows the volume, and denials always fold', () => {
    const volume = { place: 'path', path: { case: 'insensitive', platform: 'posix' } } as const;
    const keys = { in: '/home/dev/**', except: ['**/authorized_keys', '**/{.kube,.docker,.azure}/**'] };
    expect(judged(keys, '/home/dev/.ssh/AUTHORIZED_KEYS', volume)).toBe(false);
    expect(judged(keys, '/home/dev/.Kube/config', volume)).toBe(false);
    expect(judged(keys, '/home/dev/.config/x', volume)).toBe(true);
    expect(judged('/data/public/**', '/data/PUBLIC/x.txt', { place: 'path' })).toBe(false);
    expect(judged('/data/public/**', '/data/PUBLIC/x.txt', volume)).toBe(true);
  });
});

describe('win32 paths at random', () => {
  const chars = ['a', 'C', ':', '\\', '/', '.', ' ', '~', '1', 'con', 'é', '*', '%2e', 'lpt1'];
  const text = fc.oneof(
    fc.array(fc.constantFrom(...chars), { maxLength: 9 }).map((list) => list.join('')),
    fc.string({ unit: 'binary' }),
  );
  const all = pathsOn('win32');

  test('[P.kind.win32] are canonical in the domain of globs, and read again as themselves', () => {
    fc.assert(
      fc.property(fc.constantFrom('', 'C:\\', 'd:/'), text, (start, rest) => {
        const read = canonicalText('path', start + rest, win);
        if (!read.ok) return;
        expect(all.test(read.text)).toBe(true);
        expect(canonicalText('path', read.text, win)).toEqual(read);
        expect(canonicalText('path', read.forward, win)).toEqual(read);
      }),
      { numRuns: 1000 },
    );
  });

  test('[P.kind.win32] the domain holds exactly the names in which nothing is bad', () => {
    const odd = fc.array(
      fc.constantFrom('c', 'O', 'n', 'u', 'l', 'p', 't', 'm', '1', '²', '$', '~', '.', ' ', ':', '\t', 'k'),
      { minLength: 1, maxLength: 10 },
    );
    fc.assert(
      fc.property(
        fc.oneof(
          odd.map((list) => list.join('')),
          fc.constantFrom('con', 'NUL.x', 'conin$', 'lpt3', 'com²', 'clock$ .a', 'prn'),
        ),
        (name) => {
          fc.pre(name !== '.' && name !== '..');
          expect(all.test(`c:/${name}`), name).toBe(badName(name) === undefined);
        },
      ),
      { numRuns: 2000 },
    );
  });

  test('[P.kind.win32] globs match canonical paths only', () => {
    const glob = fc
      .array(fc.constantFrom('a', '*', '**', '?', '.', '~1', 'con', '/', '\\', '{a,b}'), { maxLength: 8 })
      .map((list) => `C:/${list.join('')}`);
    fc.assert(
      fc.property(glob, fc.boolean(), (pattern, fold) => {
        if (problemsOf(pattern, onPath).length === 0)
          expect(includes(all, globLanguage(pattern, win, fold))).toBe(true);
      }),
      { numRuns: 300 },
    );
  });
});
