/** Laws of sets of accesses: the meet, the values of a field, regions under several sets. */
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type Json, type JsonObject, parseToolName } from '../ground/index.js';
import type { Access } from './access.js';
import { admits, admitsAll } from './admits.js';
import {
  type Authority,
  type Bucket,
  type Level,
  type Rule,
  authorityOf,
  bucketOf,
  levels,
  lower,
} from './authority.js';
import { Box, type FieldSet } from './box.js';
import { Cover } from './cover.js';
import { type ValueSet, compileConstraint, everythingSet, member, missing, scalars } from './kind/index.js';
import { meet } from './meet.js';
import { type Held, Region } from './region.js';
import { scalarValues, values } from './values.js';

const tool = parseToolName('s/t');
if (tool === undefined) throw new Error('s/t is a tool name');
const paths = { root: '/w', case: 'sensitive', platform: 'posix' } as const;
const keys = ['x', 'y'] as const;
const pool: readonly Json[] = ['a', 'b', 'ab', 1, 2, true, null];

function setOf(values: readonly (string | number | boolean | null)[]): ValueSet {
  const [alternative] = compileConstraint(
    { kind: 'oneOf', values },
    { place: 'raw', polarity: 'admit', path: paths },
  );
  return alternative?.get('raw') ?? everythingSet;
}

function field(name: string, set: ValueSet, ifCarried = false): FieldSet {
  return { key: `args.${name}`, path: [name], name: `args.${name}`, set, text: '', ifCarried };
}

const scalar = fc.constantFrom<string | number | boolean | null>('a', 'b', 'ab', 1, 2, true, null);
const valueSet = fc.uniqueArray(scalar, { minLength: 1, maxLength: 3 }).map(setOf);
const box = fc
  .record({ x: fc.option(valueSet), y: fc.option(valueSet), closed: fc.boolean() })
  .map(({ x, y, closed }) => {
    const fields = [...(x === null ? [] : [field('x', x)]), ...(y === null ? [] : [field('y', y)])];
    return new Box({
      fields,
      ...(closed ? { cover: new Cover(fields.map((each) => each.path ?? [])) } : {}),
    });
  });
const level = fc.constantFrom<Level>('permit', 'session', 'once');
const rule = fc.record({ rule: fc.constantFrom('r0', 'r1', 'r2'), level, box });
const bucket = fc
  .tuple(fc.array(rule, { maxLength: 4 }), fc.array(rule, { maxLength: 2 }), fc.array(rule, { maxLength: 2 }))
  .map(([allow, ask, deny]) => bucketOf(allow, ask, deny));
const args = fc.record({ x: fc.constantFrom(...pool), y: fc.constantFrom(...pool) }, { requiredKeys: [] });

function authority(of: Bucket): Authority {
  return authorityOf('policy', new Map(tool === undefined ? [] : [[tool, new Map([['call' as const, of]])]]));
}

function access(given: JsonObject): Access {
  const fields: Record<string, Held> = Object.fromEntries(
    keys.map((key) => [`args.${key}`, Object.hasOwn(given, key) ? value(given[key]) : missing]),
  );
  if (tool === undefined) throw new Error('no tool');
  return { tool, verb: 'call', fields, args: given, namedOnly: false, regions: [] };
}

function value(held: Json | undefined): Json {
  return held ?? null;
}

/** A plain scan of the rules. */
function scan(of: Bucket, one: Access): Level | undefined {
  if (of.deny.some((each) => each.box.meets(one))) return undefined;
  const held = of.allow.filter((each) => each.box.holdsPoint(one)).map((each) => each.level);
  const best = levels.find((each) => held.includes(each));
  if (best === undefined) return undefined;
  return of.ask
    .filter((each) => each.box.meets(one))
    .reduce<Level>((sum, each) => lower(sum, each.level), best);
}

describe('admission', () => {
  test('[P.authority.index-agrees] gives the level of a plain scan, in any order of rules', () => {
    fc.assert(
      fc.property(bucket, args, (of, given) => {
        const one = access(given);
        const expected = scan(of, one);
        expect(admits(authority(of), one).level).toBe(expected);
        const turned = bucketOf([...of.allow].reverse(), [...of.ask].reverse(), [...of.deny].reverse());
        expect(admits(authority(turned), one).level).toBe(expected);
      }),
    );
  });

  test('[P.authority.index-agrees] yields every rule that gives the call its level, and no other', () => {
    fc.assert(
      fc.property(fc.array(rule, { maxLength: 5 }), args, (allow, given) => {
        const one = access(given);
        const answer = admits(authority(bucketOf(allow)), one);
        if (answer.level === undefined) return;
        const holding = allow.filter((each: Rule) => each.level === answer.level && each.box.holdsPoint(one));
        expect(new Set(answer.rules)).toEqual(new Set(holding));
      }),
    );
  });

  test('[P.authority.meet] of two authorities admits exactly what both admit, at the lower level', () => {
    fc.assert(
      fc.property(bucket, bucket, args, (a, b, given) => {
        const one = access(given);
        const [inA, inB] = [admits(authority(a), one).level, admits(authority(b), one).level];
        const both = inA === undefined || inB === undefined ? undefined : lower(inA, inB);
        expect(admitsAll(meet(authority(a), authority(b)), [one]).level).toBe(both);
        expect(admitsAll(meet(meet(authority(b)), meet(), authority(a)), [one]).level).toBe(both);
      }),
    );
  });

  test('[P.authority.all-accesses] of several accesses holds iff each one does, at the lowest level', () => {
    fc.assert(
      fc.property(bucket, fc.array(args, { minLength: 1, maxLength: 3 }), (of, list) => {
        const each = list.map((given) => admits(authority(of), access(given)).level);
        const lowest = each.reduce((sum, one) =>
          sum === undefined || one === undefined ? undefined : lower(sum, one),
        );
        expect(admitsAll(meet(authority(of)), list.map(access)).level).toBe(lowest);
      }),
    );
  });

  test('[P.authority.meet] the empty meet holds everything, at the freest level', () => {
    expect(admitsAll(meet(), [access({ x: 'a' })])).toEqual({ level: 'permit', rules: [] });
  });
});

describe('the values of a field', () => {
  test('[P.authority.values] are those with which the access is admitted, where no denial is', () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 4 }),
        fc.array(rule, { maxLength: 3 }),
        args,
        (first, second, given) => {
          const whole = meet(authority(bucketOf(first)), authority(bucketOf(second)));
          const { x: _x, ...rest } = given;
          const found = values(whole, access(rest), {
            key: 'args.x',
            path: ['x'],
            open: new Set(['args.x']),
          });
          for (const x of pool) {
            expect([x, member(found, x)]).toEqual([
              x,
              admitsAll(whole, [access({ ...rest, x })]).level !== undefined,
            ]);
          }
          const listed = scalarValues(whole, [access(rest)], {
            key: 'args.x',
            path: ['x'],
            open: new Set(['args.x']),
          });
          const list = scalars(found, 64);
          expect(listed === undefined ? undefined : new Set(listed.scalars)).toEqual(
            list === undefined ? undefined : new Set(list),
          );
          if (listed !== undefined) expect(listed.missing).toBe(member(found, missing));
          expect(member(found, missing)).toBe(admitsAll(whole, [access(rest)]).level !== undefined);
        },
      ),
    );
  });

  test('[P.authority.values] of a nested argument that a closed rule covers in part are lists and objects, or absence', () => {
    const closed = new Box({ fields: [], cover: new Cover([['o', 'k']]) });
    const whole = meet(authority(bucketOf([{ rule: 'r', level: 'permit', box: closed }])));
    const found = (path: readonly string[]): readonly boolean[] => {
      const set = values(whole, access({}), { key: `args.${path.join('.')}`, path, open: new Set() });
      return [member(set, missing), member(set, 'a'), member(set, {}), member(set, [])];
    };
    expect(found(['o'])).toEqual([true, false, true, true]);
    expect(found(['o', 'k'])).toEqual([true, true, true, true]);
    expect(found(['p'])).toEqual([true, false, false, false]);
  });
});

describe('regions', () => {
  // Every glob below speaks of three segments at most, and takes zz, which none of them names, for any other name.
  const names = ['a', 'b', 'c', 'zz'];
  const below = (top: string, depth: number): readonly string[] =>
    depth === 0
      ? [top]
      : [top, ...names.flatMap((name) => below(`${top === '/' ? '' : top}/${name}`, depth - 1))];
  const globs = ['/**', '/a/**', '/a', '/*', '/a/*/**', '/*/b/**', '/a/{a,b}/**', '**/c', '/a/*'];
  const set = (glob: string): ValueSet => {
    const context = { place: 'path', polarity: 'admit', path: paths } as const;
    const [alternative] = compileConstraint({ kind: 'path', globs: [glob] }, context);
    return alternative?.get('path') ?? everythingSet;
  };

  test('[P.authority.extent] lie inside sets iff all that is beneath lies in one of them, and meet a set iff some of it does', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.constantFrom(...globs), { minLength: 1, maxLength: 4 }),
        fc.constantFrom('/', '/a', '/a/b', '/c'),
        (list, top) => {
          const sets = list.map(set);
          const region = Region.subtree(top);
          const all = below(top, 4);
          const inside = all.every((path) => sets.some((each) => member(each, path)));
          expect(region.inside(sets)).toBe(inside);
          for (const each of sets) expect(region.meets(each)).toBe(all.some((path) => member(each, path)));
        },
      ),
    );
  });

  test('[P.authority.extent] the direct entries of a folder are its children without itself', () => {
    const region = Region.children('/a');
    expect([
      region.inside([set('/a/*')]),
      region.inside([set('/a')]),
      region.meets(set('/a')),
      region.meets(set('/a/b')),
      region.meets(set('/a/b/c')),
    ]).toEqual([true, false, false, true, false]);
    expect(Region.children('/').inside([set('/*')])).toBe(true);
  });

  test('[P.authority.extent] whatever a wildcard stands for lies inside no set, and meets every set that is not empty', () => {
    const region = Region.everything('all');
    expect([region.inside([everythingSet]), region.meets(set('/a')), region.inside([])]).toEqual([
      false,
      true,
      false,
    ]);
  });

  test('[P.authority.extent] a wildcard lies inside an unconstrained field only', () => {
    const one: Access = { ...access({}), fields: { f: Region.everything('all') }, regions: ['f'] };
    const of = (fields: readonly FieldSet[]): Level | undefined =>
      admits(authority(bucketOf([{ rule: 'r', level: 'permit', box: new Box({ fields }) }])), one).level;
    const wide = { ...field('f', everythingSet), key: 'f', path: undefined };
    expect([of([]), of([wide])]).toEqual(['permit', undefined]);
  });
});

describe('boxes', () => {
  test('[P.authority.meet] two fields with one key hold together, as a set and for each access', () => {
    const two = new Box({ fields: [field('x', setOf(['a', 'b'])), field('x', setOf(['b', 1]))] });
    expect(pool.map((x) => two.holdsPoint(access({ x })))).toEqual(pool.map((x) => x === 'b'));
    const both = two.setOf('args.x');
    expect(pool.map((x) => both !== undefined && member(both, x))).toEqual(pool.map((x) => x === 'b'));
    expect(two.setOf('args.y')).toBeUndefined();
  });

  test('[P.authority.meet] a field of a ceiling holds for what does not carry it', () => {
    const ceiling = new Box({ fields: [{ ...field('f', setOf(['a']), true), key: 'f' }] });
    expect(ceiling.holdsPoint(access({}))).toBe(true);
    expect(new Box({ fields: [{ ...field('f', setOf(['a'])), key: 'f' }] }).holdsPoint(access({}))).toBe(
      false,
    );
  });
});
