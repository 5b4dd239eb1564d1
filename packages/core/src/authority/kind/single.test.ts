/** single, and fields of kind oneOf. */
import { describe, expect, test } from 'vitest';
import { doc, judged, problemsOf, readContext } from '../../../../../test/constraints.js';
import { compileConstraint, constraintToDocument, isEmpty, isUnbound, readConstraint } from './index.js';

describe('single', () => {
  test('[P.kind.single] is bound to exactly its value, in the short form of its place', () => {
    expect(judged({ single: 'A-17' }, 'A-17')).toBe(true);
    expect(judged({ single: 'A-17' }, 'A-18')).toBe(false);
    expect(judged({ single: '*' }, 'a')).toBe(false);
    expect(judged({ single: '/data/x' }, '/data/./x', { place: 'path' })).toBe(true);
    expect(judged({ single: 'x.example' }, 'X.example.', { place: 'host' })).toBe(true);
    expect(judged({ single: 'https://x.example/a' }, 'https://x.example/a?b', { place: 'url' })).toBe(true);
    expect(judged({ single: 'a@x.example' }, 'a@X.example', { place: 'email' })).toBe(true);
    expect(judged({ single: 'a' }, 'A', { polarity: 'refuse' })).toBe(true);
    const insensitive = { place: 'path', path: { case: 'insensitive', platform: 'posix' } } as const;
    expect(judged({ single: '/data/x' }, '/Data/x', insensitive)).toBe(true);
  });

  test('[P.kind.single] of several values is a problem', () => {
    expect(problemsOf({ single: ['a'] })[0]).toContain('single is bound to one value');
    expect(problemsOf({ single: { min: 1 } })[0]).toContain('single is bound to one value');
    expect(problemsOf({ single: '/data/*' }, { place: 'path' })[0]).toContain('one value');
    expect(problemsOf({ single: '*.x.example' }, { place: 'host' })[0]).toContain('one value');
    expect(problemsOf({ single: 'https://x.example' }, { place: 'url' })[0]).toContain('one value');
    expect(problemsOf({ single: '*@x.example' }, { place: 'email' })[0]).toContain('one value');
    expect(problemsOf({ single: 'a', oneOf: ['a'] })[0]).toContain('use all');
  });

  test('[P.kind.single] alone in a ceiling is unbound, and admits nothing', () => {
    const ctx = readContext({ mayBeUnbound: true });
    const found = readConstraint(doc('single'), ctx);
    expect(found).toEqual({ kind: 'single' });
    expect(isUnbound(found!)).toBe(true);
    expect(compileConstraint(found!, ctx).map((views) => [...views.values()].every(isEmpty))).toEqual([true]);
    expect(constraintToDocument(found!, 'raw')).toBe('single');
    expect(judged('single', 'single', { mayBeUnbound: true })).toBe(false);
    expect(judged(['single'], 'single', { mayBeUnbound: true })).toBe(true);
    expect(judged({ except: 'single' }, 'single', { mayBeUnbound: true })).toBe(false);
  });

  test('[P.kind.single] alone anywhere else is a literal, with a finding', () => {
    const ctx = readContext();
    expect(readConstraint(doc('single'), ctx)).toEqual({ kind: 'oneOf', values: ['single'] });
    expect(ctx.findings[0]?.message).toContain('literal');
  });
});

describe('a field of kind oneOf', () => {
  const onSite = {
    place: 'oneOf',
    vocabulary: { values: ['north', 'south', 3], wildcard: 'every' },
  } as const;

  test('[P.kind.one-of-field] takes the values that its connector lists, and no others', () => {
    expect(judged(['north', 'south'], 'north', onSite)).toBe(true);
    expect(judged('north', 'south', onSite)).toBe(false);
    expect(judged({ except: 'north' }, 'south', onSite)).toBe(true);
    expect(problemsOf('east', onSite)[0]).toBe(
      'where: the field has no value "east"; found "east"; allowed "north", "south", 3',
    );
    expect(problemsOf(['3'], onSite)[0]).toContain('no value "3"');
    expect(problemsOf('every', onSite)[0]).toContain('stands for every value');
    expect(problemsOf({ prefix: 'n' }, onSite)[0]).toContain('has no place on a field');
    expect(problemsOf({ oneOf: ['north'] }, onSite)[0]).toContain('write the oneOf alone');
  });

  test('is seen as sent', () => {
    const ctx = readContext(onSite);
    const views = compileConstraint(readConstraint(doc('north'), ctx)!, ctx);
    expect(views.map((each) => [...each.keys()])).toEqual([['raw']]);
  });
});
