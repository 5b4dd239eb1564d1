import { describe, expect, test } from 'vitest';
import { type JsonObject, parseToolName } from '../ground/index.js';
import { type Access, type Held, Region, type Verb, isReading, overlap } from './index.js';

function access(
  tool: string,
  verb: Verb,
  fields: Readonly<Record<string, Held>>,
  args: JsonObject = {},
): Access {
  const regions = Object.keys(fields).filter((key) => fields[key] instanceof Region);
  return { tool: parseToolName(tool)!, verb, fields, args, namedOnly: false, regions };
}

const file = (path: Held, tool = 'files/write_file', verb: Verb = 'write'): Access =>
  access(tool, verb, { path });
const tree = (path: string): Region => Region.subtree(path);
const entries = (path: string): Region => Region.children(path);

describe('accesses of one connector', () => {
  test.each<[string, Held, Held, boolean]>([
    ['the same file', '/a/b', '/a/b', true],
    ['different files', '/a/b', '/a/c', false],
    ['one name that begins with the other', '/a/b', '/a/bc', false],
    ['names that differ in case only', '/a/B', '/A/b', true],
    ['a file below a folder', '/a/b', tree('/a'), true],
    ['a folder and itself', '/a', tree('/a'), true],
    ['a file beside a folder', '/ab', tree('/a'), false],
    ['a file below the root', '/a', tree('/'), true],
    ['two folders, one below the other', tree('/a/b/c'), tree('/a'), true],
    ['two folders beside each other', tree('/a/b'), tree('/a/c'), false],
    ['folders of which one name begins with the other', tree('/a/b'), tree('/a/bc'), false],
    ['folders that differ in case', tree('/A/b'), tree('/a'), true],
    ['an entry of a folder', '/a/b', entries('/a'), true],
    ['a folder and its entries', '/a', entries('/a'), false],
    ['something deeper than the entries', '/a/b/c', entries('/a'), false],
    ['entries and a folder that is one', tree('/a/b'), entries('/a'), true],
    ['entries of a folder below', entries('/a/b'), entries('/a'), false],
    ['a wildcard and anything', '/a', Region.everything('*'), true],
    ['a wildcard and a folder', Region.everything('*'), tree('/a'), true],
    ['numbers', 1, 1, true],
    ['numbers that differ', 1, 2, false],
    ['a number and its text', 1, '1', false],
  ])('of %s', (_, one, other, meets) => {
    expect(overlap(file(one), file(other, 'files/read_text_file', 'read'))).toBe(meets);
    expect(overlap(file(other), file(one, 'files/read_text_file', 'read'))).toBe(meets);
  });

  test('meet only if all the fields meet that both have', () => {
    const one = access('git/push', 'send', { path: '/r', remotes: 'origin' });
    expect(overlap(one, access('git/push', 'send', { path: '/r', remotes: 'fork' }))).toBe(false);
    expect(overlap(one, access('git/status', 'read', { path: '/r' }))).toBe(true);
    expect(overlap(one, access('git/fetch', 'connect', { refs: 'main' }))).toBe(false);
  });

  test('without any field meet those of the same tool', () => {
    const click = access('browser/click', 'write', {}, { ref: 'a' });
    expect(overlap(click, access('browser/click', 'write', {}, { ref: 'b' }))).toBe(true);
    expect(overlap(click, access('browser/type', 'write', {}))).toBe(false);
    expect(overlap(click, access('browser/click', 'connect', { url: 'https://a.example/' }))).toBe(false);
  });

  test('of different servers never meet, whatever they name', () => {
    expect(overlap(file('/a'), file('/a', 'other/write_file'))).toBe(false);
  });
});

describe('accesses of tools without connector', () => {
  const call = (tool: string, args: JsonObject, fields: Readonly<Record<string, Held>> = {}): Access =>
    access(tool, 'call', fields, args);

  test('meet when tool and all arguments are the same', () => {
    expect(overlap(call('x/t', { a: 1, b: [2] }), call('x/t', { b: [2], a: 1 }))).toBe(true);
    expect(overlap(call('x/t', { a: 1 }), call('x/t', { a: 2 }))).toBe(false);
    expect(overlap(call('x/t', { a: 1 }), call('x/t', { a: 1, b: 2 }))).toBe(false);
    expect(overlap(call('x/t', {}), call('x/u', {}))).toBe(false);
  });

  test('compare an argument as a path where lists judge it as one', () => {
    const one = call('x/t', { p: '/a/../b' }, { 'args.p|path': '/b' });
    expect(overlap(one, call('x/t', { p: '/b' }, { 'args.p|path': '/b' }))).toBe(true);
    expect(overlap(one, call('x/t', { p: '/c' }, { 'args.p|path': '/c' }))).toBe(false);
  });
});

test('reading and listing leave everything as it is, every other verb may not', () => {
  const reading = (['read', 'list', 'write', 'delete', 'execute', 'connect', 'send', 'call'] as const).filter(
    (verb) => isReading(file('/a', 'files/t', verb)),
  );
  expect(reading).toEqual(['read', 'list']);
});
