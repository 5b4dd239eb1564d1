import type { DocNode } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { formatProblem } from './problem.js';
import { longestDocument, parseDocument } from './yaml.js';

/** The plain value of a document, or its problems as lines. */
function read(text: string): unknown {
  const result = parseDocument(text, 'p.yaml');
  if (!result.ok) return result.problems.map((problem) => formatProblem(result.file, problem));
  return plain(result.root);
}

function plain(node: DocNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
}

function firstProblem(text: string): string {
  const result = read(text);
  return Array.isArray(result) && typeof result[0] === 'string'
    ? result[0]
    : `read ${JSON.stringify(result)}`;
}

describe('what is read', () => {
  test.each<[string, unknown]>([
    ['a: 1', { a: 1 }],
    ['a: yes', { a: 'yes' }],
    ['a: on', { a: 'on' }],
    ['a: True', { a: true }],
    ['a: ~\nb:\nc: null', { a: null, b: null, c: null }],
    ['a: 012', { a: 12 }],
    ['a: 0x1F\nb: 0o17', { a: 31, b: 15 }],
    ['a: +5\nb: -1.50\nc: .5\nd: 1.\ne: 25e-2\nf: -0', { a: 5, b: -1.5, c: 0.5, d: 1, e: 0.25, f: 0 }],
    ['a: 9007199254740992', { a: 9007199254740992 }],
    ['a: 2026-11-30', { a: '2026-11-30' }],
    ['a: "1"\nb: \'2\'', { a: '1', b: '2' }],
    ['a: !!str 1\nb: !!int "3"', { a: '1', b: 3 }],
    ['a: |\n  *.md\n  x\n', { a: '*.md\nx\n' }],
    ['a: /data/**\nb: ["*.md", files/*]', { a: '/data/**', b: ['*.md', 'files/*'] }],
    ['a: "caf\\u00e9 \\ud800"', { a: 'café \ud800' }],
    ['where: { args.x: { above: 0 }, rest: any }', { where: { 'args.x': { above: 0 }, rest: 'any' } }],
    ['%YAML 1.2\n---\na: 1\n...\n', { a: 1 }],
    ['a: &k [1, 2]\nb: *k\nc: { d: *k }', { a: [1, 2], b: [1, 2], c: { d: [1, 2] } }],
    ['a: &k 1\nb: &k 2\nc: *k', { a: 1, b: 2, c: 2 }],
    ['constructor: 1\ntoString: 2', { constructor: 1, toString: 2 }],
    ['{\n\t"a": [1, "b\\/c", null],\n\t"d": {"e": true}\n}', { a: [1, 'b/c', null], d: { e: true } }],
    ['"text"', 'text'],
    ['a: 1\r\nb: 2\r\n', { a: 1, b: 2 }],
  ])('reads %j', (text, value) => {
    expect(read(text)).toStrictEqual(value);
  });

  test('[P.policy.positions] gives every key and value its line and column', () => {
    const result = parseDocument(
      '# c\npawl: 1\nagents:\n  a:\n    - { tools: [ x/y ], "k": &t yes }\n',
      'p.yaml',
    );
    const places: string[] = [];
    const walk = (node: DocNode): void => {
      places.push(`${node.kind} ${node.at.line}:${node.at.column}`);
      if (node.kind === 'list') node.items.forEach(walk);
      if (node.kind !== 'map') return;
      for (const entry of node.entries) {
        places.push(`${entry.key} ${entry.keyAt.line}:${entry.keyAt.column}`);
        walk(entry.value);
      }
    };
    if (result.ok) walk(result.root);
    expect(places).toStrictEqual([
      'map 2:1',
      'pawl 2:1',
      'scalar 2:7',
      'agents 3:1',
      'map 4:3',
      'a 4:3',
      'list 5:5',
      'map 5:7',
      'tools 5:9',
      'list 5:16',
      'scalar 5:18',
      'k 5:25',
      'scalar 5:33',
    ]);
  });
});

describe('what is refused', () => {
  const exact = 'a finite number that survives the round trip through a double, or a quoted text';
  const textKey = 'a key that is text; quote what YAML reads as something else';

  test.each<[string, string]>([
    ['a: 1\nb: 2\na: 3', 'p.yaml:3:1: found the key a a second time; allowed here: each key once'],
    [
      '{"a": {"b": 1,\n "\\u0062": 2}}',
      'p.yaml:2:2: found the key b a second time; allowed here: each key once',
    ],
  ])('[P.policy.unknown-key] duplicate keys at any depth, in JSON too: %j', (text, line) => {
    expect(read(text)).toStrictEqual([line]);
  });

  test.each<[string, string]>([
    ['1: a', `p.yaml:1:1: found the key 1, which is no text; allowed here: ${textKey}`],
    ['a: { true: b }', `p.yaml:1:6: found the key true, which is no text; allowed here: ${textKey}`],
    ['~: a', `p.yaml:1:1: found the key ~, which is no text; allowed here: ${textKey}`],
    ['? [a]\n: b', `p.yaml:1:3: found a key, which is no text; allowed here: ${textKey}`],
    ['a: &k x\n*k : 1', `p.yaml:2:1: found the alias *k as a key; allowed here: ${textKey}`],
    [
      '<<: { a: 1 }',
      'p.yaml:1:1: found the merge key <<; allowed here: other keys; YAML 1.2 has no merge key',
    ],
    ['a:\n  __proto__: 1', 'p.yaml:2:3: found the key __proto__; allowed here: any other key'],
    ['a: .inf', `p.yaml:1:4: found the number .inf, which no double holds exactly; allowed here: ${exact}`],
    ['a: [.NaN]', `p.yaml:1:5: found the number .NaN, which no double holds exactly; allowed here: ${exact}`],
    [
      'a: 9007199254740993',
      `p.yaml:1:4: found the number 9007199254740993, which no double holds exactly; allowed here: ${exact}`,
    ],
    [
      'a: 0x20000000000001',
      `p.yaml:1:4: found the number 0x20000000000001, which no double holds exactly; allowed here: ${exact}`,
    ],
    [
      'a: 100.0000000000000000001',
      `p.yaml:1:4: found the number 100.0000000000000000001, which no double holds exactly; allowed here: ${exact}`,
    ],
    ['a: 1e400', `p.yaml:1:4: found the number 1e400, which no double holds exactly; allowed here: ${exact}`],
    ['', 'p.yaml:1:1: found an empty document; allowed here: one document'],
    ['# only\n---\n', 'p.yaml:1:1: found an empty document; allowed here: one document'],
    ['a: 1\n---\nb: 2', 'p.yaml:2:1: found a second document; allowed here: one document'],
    [
      '%YAML 1.1\n---\na: yes',
      'p.yaml:1:1: found the directive %YAML 1.1; allowed here: %YAML 1.2, or no directive',
    ],
    ['a: "\u0000"', 'p.yaml:1:5: found the control character U+0000; allowed here: printable text'],
    [
      'a: &k [*k]',
      'p.yaml:1:8: found the alias *k inside its own anchor; allowed here: an alias of an anchor that ends before it',
    ],
  ])('%j', (text, line) => {
    expect(read(text)).toStrictEqual([line]);
  });

  test.each([
    'a: *.md',
    'a: **/x',
    'a: [*.md, b]',
    '- *\n',
    'a: [**/*.{md,txt}]',
    'a: **/x y',
    'a: *foo\nb: &foo 1',
    '*.md: x',
  ])('an unquoted glob, and says that it must be quoted: %s', (text) => {
    expect(firstProblem(text)).toMatch(/^p\.yaml:1:\d+: .*a glob that begins with \* must be quoted/u);
  });

  test('quotes the glob in the message', () => {
    expect(firstProblem('where:\n  path: **/.env')).toBe(
      'p.yaml:2:9: found **/.env without quotes, which YAML reads as an alias of an anchor that does not exist; ' +
        'allowed here: an alias of an anchor above; a glob that begins with * must be quoted: "**/.env"',
    );
  });

  test.each([
    'a: !secret b',
    'a: !!binary aGk=',
    'a: !!set { b }',
    'a: !!timestamp 2026-11-30',
    'a: ! 12',
    '- !x\n',
    'a: !!float x',
  ])('tags outside the core schema: %s', (text) => {
    expect(firstProblem(text)).toMatch(/^p\.yaml:1:\d+: .*core schema/u);
  });

  test.each([
    'a:\n\tb: 1',
    'a: [1, 2',
    'a: b: c',
    'a: - b',
    'a: @x',
    'a: `x',
    'a: %x',
    'a: "x" y',
    'a:\n  - b\n c: 1',
    'a: "\\x"',
    '{"a" 1}',
  ])('what is no YAML, with its position: %j', (text) => {
    expect(firstProblem(text)).toMatch(
      /^p\.yaml:\d+:\d+: found what YAML does not allow \(.+\); allowed here: .+$/u,
    );
  });

  test('carries the path, what was found and what is allowed as data', () => {
    const result = parseDocument('agents:\n  a:\n    allow: [ { n: 1e999 } ]', 'p.yaml');
    expect(result).toMatchObject({
      ok: false,
      problems: [{ path: 'agents.a.allow[0].n', at: { line: 3, column: 19 } }],
    });
  });

  test('lists several problems in the order of the text', () => {
    expect(read('a: *x\nb: *y')).toHaveLength(2);
  });
});

describe('bounds', () => {
  test('64 levels', () => {
    const nested = (depth: number): string => `${'['.repeat(depth)}${']'.repeat(depth)}`;
    expect(parseDocument(nested(64), 'p.yaml').ok).toBe(true);
    expect(firstProblem(nested(65))).toBe(
      'p.yaml:1:65: found more than 64 levels; allowed here: less nesting',
    );
    expect(firstProblem('['.repeat(300_000))).toMatch(/more than 64 levels/u);
    expect(firstProblem('{a: '.repeat(300_000))).toMatch(/more than 64 levels/u);
    expect(firstProblem('- '.repeat(300_000))).toMatch(/more than 64 levels/u);
  });

  test('64 levels through aliases', () => {
    const lines = ['a0: &a0 []'];
    for (let i = 1; i < 70; i += 1) lines.push(`a${i}: &a${i} [*a${i - 1}]`);
    expect(firstProblem(lines.join('\n'))).toMatch(/^p\.yaml:64:\d+: found more than 64 levels/u);
  });

  test('100,000 nodes, every alias written out', () => {
    const lines = ['a0: &a0 [x, x, x, x, x, x, x, x, x, x]'];
    for (let i = 1; i < 10; i += 1)
      lines.push(
        `a${i}: &a${i} [${Array(10)
          .fill(`*a${i - 1}`)
          .join(', ')}]`,
      );
    expect(firstProblem(lines.join('\n'))).toMatch(/^p\.yaml:5:\d+: found more than 100000 nodes/u);
    expect(firstProblem(`[${'x,'.repeat(200_001)}]`)).toMatch(/more than 100000 nodes/u);
  });

  test('4 MiB of UTF-8', () => {
    expect(firstProblem(`# ${'é'.repeat(longestDocument / 2)}`)).toBe(
      'p.yaml:1:1: found a document longer than 4194304 bytes; allowed here: at most 4194304 bytes',
    );
  });

  test('20 problems', () => {
    expect(read(Array.from({ length: 50 }, (_, i) => `a${i}: *x`).join('\n'))).toHaveLength(20);
  });
});
