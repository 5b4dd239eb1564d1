/** Pairs that comparing once got wrong: lists with their elements, urls and their hosts, what is no longer looked at. */
import { describe, expect, test } from 'vitest';
import { certificateFaults } from '../../packages/core/src/policy/compare/certificate.js';
import { comparePolicies } from '../../packages/core/src/policy/compare/compare.js';
import type { Relation } from '../../packages/core/src/policy/comparison.js';
import type { Json, JsonObject } from '../../packages/core/src/ground/index.js';
import { judgeCall } from '../../packages/core/src/reload/judge.js';
import { type Gate, type Tools, closed, gate } from '../policies.js';

const plain = { type: ['string', 'number', 'boolean', 'null', 'array'] };
const tools: Tools = {
  s: { t: closed({ x: plain, y: plain, l: { type: 'array', items: { type: 'object' } } }) },
  w: { fetch_html: closed({ url: { type: 'string' } }, 'url') },
  d: {
    store: closed(
      { tenant: { type: 'string', enum: ['acme', 'globex'] }, folder: { type: 'string' } },
      'folder',
      'tenant',
    ),
  },
};
const connectors = {
  docs: {
    fields: { tenant: { kind: 'oneOf', values: ['acme', 'globex'] }, path: { kind: 'path' } },
    tools: { store: { verb: 'write', reads: { tenant: 'tenant', path: 'folder' } } },
  },
};
const servers = {
  s: { command: 'x' },
  w: { command: 'y', connector: 'fetch' },
  d: { command: 'z', connector: 'docs', root: '/' },
};

interface Lists {
  readonly allow: readonly JsonObject[];
  readonly ask?: readonly JsonObject[];
  readonly deny?: readonly JsonObject[];
}
function loaded(lists: Lists): Gate {
  return gate(JSON.stringify({ pawl: 1, servers, connectors, agents: { a: lists } }), tools);
}
function relation(old: Lists, next: Lists): Relation {
  const sides = { old: loaded(old).policy, next: loaded(next).policy, judge: judgeCall };
  return comparePolicies(sides).relation;
}
const on =
  (tool: string) =>
  (where: JsonObject): JsonObject => ({ tools: [tool], where });
const plainly = on('s/t');
const page = on('w/fetch_html');
const y = (constraint: Json): JsonObject => plainly({ 'args.y': constraint });

/** That the call is freer under NEW, and that comparing says so. */
function gained(old: Lists, next: Lists, tool: string, args: JsonObject): void {
  expect([loaded(old).call(tool, args).decision, loaded(next).call(tool, args).decision]).toEqual([
    'deny',
    'permit',
  ]);
  expect(relation(old, next)).toBe('widening');
}

/** That the call is refused on both sides. */
function refused(old: Lists, next: Lists, tool: string, args: JsonObject): void {
  expect([loaded(old).call(tool, args).decision, loaded(next).call(tool, args).decision]).toEqual([
    'deny',
    'deny',
  ]);
}

describe('[P.includes.exact] lists and their elements', () => {
  const other = plainly({ 'args.x': ['q'] });

  test('an empty list is refused where every element would be', () => {
    const deny = [y({ glob: 'a' })];
    refused({ allow: [other], deny }, { allow: [other, y(['a'])], deny }, 's/t', { y: [] });
  });

  test('and so is an empty list around an argument', () => {
    const deny = [plainly({ 'args.l.k': { optional: ['a'] } })];
    const more = plainly({ 'args.l.k': ['a'], 'args.x': 'any' });
    refused({ allow: [other], deny }, { allow: [other, more], deny }, 's/t', { l: [] });
  });

  test('a constraint that holds every list holds lists of elements that it does not hold', () => {
    gained({ allow: [y(['a'])] }, { allow: [y(['a']), y({ minItems: 0 })] }, 's/t', { y: ['b'] });
  });

  test('a constraint that holds no list holds none of the elements that it holds', () => {
    gained({ allow: [y({ in: ['a'], except: { minItems: 0 } })] }, { allow: [y(['a'])] }, 's/t', {
      y: ['a'],
    });
  });

  test('a url that only its host is read of: OLD looks at the url and refuses it, NEW does not', () => {
    const allow = [page({ host: ['a.example'] })];
    const old = { allow, deny: [page({ url: ['https://b.example/**'] })] };
    gained(old, { allow }, 'w/fetch_html', { url: 'https://u@a.example/x' });
  });

  test('rules that speak of lists as such hold no list together that neither holds', () => {
    const some = (...list: readonly string[]): JsonObject => y({ in: list, except: { minItems: 2 } });
    refused({ allow: [some('a', 'b')] }, { allow: [some('a'), some('b')] }, 's/t', { y: ['a', 'b'] });
  });
});

describe('[P.includes.exact] certificates', () => {
  test('one is no proof where NEW no longer looks at what OLD cannot read', () => {
    const free = { ...plainly({ 'args.x': 'any' }), ask: 'once' };
    const looking = { ...plainly({ 'args.x': ['a'] }), ask: 'once' };
    const [old, next] = [loaded({ allow: [free], ask: [looking] }), loaded({ allow: [free] })];
    const forth = { old: next.policy, next: old.policy, judge: judgeCall };
    const back = { old: old.policy, next: next.policy, judge: judgeCall };
    expect(comparePolicies(back).relation).toBe('widening');
    const { certificate } = comparePolicies(forth);
    expect(certificateFaults(certificate ?? null, forth)).toEqual([]);
    expect(certificateFaults(certificate ?? null, back)).not.toEqual([]);
  });
});

describe('[P.includes.exact] gains that are none', () => {
  test('a value outside a vocabulary that the schema lets no call have', () => {
    const allow = [on('d/store')({ path: ['/**'] })];
    const looking = { ...on('d/store')({ path: ['/**'], tenant: ['acme'] }), ask: 'session' };
    expect(relation({ allow: [...allow, looking] }, { allow })).toBe('equal');
  });
});
