import type { DocNode } from '@pawl/core';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { stringify } from 'yaml';
import { parseDocument } from './yaml.js';

const text = fc.string({ unit: 'grapheme' });
const { value } = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      null,
      true,
      false,
      0,
      1.5,
      1e23,
      '',
      '*.md',
      '!x',
      'null',
      '1',
      'a: b',
      '- x',
      '#c',
      'x\ny\n',
      '{',
      "'",
      '"',
    ),
    fc.integer(),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map((number) => number + 0),
    text,
    fc.array(tie('value'), { maxLength: 4 }),
    fc.dictionary(
      text.filter((key) => key !== '__proto__' && key !== '<<'),
      tie('value'),
      { maxKeys: 4 },
    ),
  ),
}));

function plain(node: DocNode): unknown {
  if (node.kind === 'scalar') return node.value;
  if (node.kind === 'list') return node.items.map(plain);
  return Object.fromEntries(node.entries.map((entry) => [entry.key, plain(entry.value)]));
}

function read(document: string): unknown {
  const result = parseDocument(document, 'p.yaml');
  return result.ok ? plain(result.root) : result.problems;
}

describe('documents', () => {
  test('JSON text means what JSON.parse makes of it', () => {
    fc.assert(
      fc.property(value, fc.constantFrom(undefined, 2, '\t'), (given, indent) => {
        const json = JSON.stringify(given, null, indent);
        expect(read(json)).toStrictEqual(JSON.parse(json));
      }),
      { numRuns: 1000 },
    );
  });

  test('printed YAML is read as the value that was printed', () => {
    const printable = value.filter(
      (given) => !/[^\P{Cc}\t\n\r]/u.test(JSON.stringify(given)) && given !== null,
    );
    fc.assert(
      fc.property(printable, (given) => {
        expect(read(stringify(given, { aliasDuplicateObjects: false, lineWidth: 0 }))).toStrictEqual(
          JSON.parse(JSON.stringify(given)),
        );
      }),
      { numRuns: 500 },
    );
  });

  test('[P.policy.positions] no text makes the parser throw, and every problem has a position in the text', () => {
    const pieces = fc.constantFrom(
      '*',
      '&a ',
      '*a',
      '!',
      '!!str ',
      '|',
      '>',
      '-',
      ' - ',
      ': ',
      '?',
      ',',
      '[',
      ']',
      '{',
      '}',
      '"',
      "'",
      '#',
      '\n',
      '\n  ',
      '\t',
      '%',
      '@',
      '`',
      '---\n',
      '...\n',
      '<<',
      '~',
      '.inf',
      '1e999',
      '0x1',
      'a',
      'b: ',
      '\\',
      '\u0000',
      '\ufeff',
      '\u2028',
      '%YAML 1.1\n',
    );
    const nearYaml = fc
      .array(fc.oneof(pieces, fc.string({ unit: 'binary', maxLength: 2 })), { maxLength: 30 })
      .map((all) => all.join(''));
    fc.assert(
      fc.property(fc.oneof(nearYaml, fc.string({ unit: 'binary' })), (given) => {
        const result = parseDocument(given, 'p.yaml');
        if (result.ok) return;
        expect(result.problems.length).toBeGreaterThan(0);
        const lines = given.split('\n');
        for (const { at, found, allowed } of result.problems) {
          expect(at.line >= 1 && at.line <= lines.length).toBe(true);
          expect(at.column >= 1 && at.column <= (lines[at.line - 1]?.length ?? 0) + 1).toBe(true);
          expect(found !== '' && allowed !== '').toBe(true);
        }
      }),
      { numRuns: 3000 },
    );
  });
});
