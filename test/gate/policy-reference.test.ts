/** The policy reference is printed from what the readers use, whole, and up to date. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { badHelp, policyReference, render } from '../../gate/policy-reference.mjs';
import { namedSetHelp } from '../../packages/core/src/authority/kind/host-sets.js';
import { referenceKeys } from '../../packages/core/src/authority/kind/reference.js';
import { kinds } from '../../packages/core/src/authority/kind/registry.js';
import { verbHelp } from '../../packages/core/src/authority/region.js';
import * as connectorKeys from '../../packages/core/src/connector/keys.js';
import {
  type DocNode,
  type KeyTable,
  denialCodes,
  faultCodes,
} from '../../packages/core/src/ground/index.js';
import * as policyKeys from '../../packages/core/src/policy/keys.js';
import { compileRead, parseDocument, readPolicy } from '../../packages/gateway/src/config/index.js';

/** What is said of everything but keys. */
const sound = {
  kinds,
  references: referenceKeys,
  hostSets: namedSetHelp,
  verbs: verbHelp,
  denials: denialCodes,
  faults: faultCodes,
};

const root = join(import.meta.dirname, '../..');
const everyKey = join(root, 'examples/policies/every-key.yaml');

describe('[P.house.reference] docs/reference/policy.md', () => {
  test('is what the code says', async () => {
    const { text, wrong } = await policyReference();
    expect(wrong).toEqual([]);
    expect(readFileSync(join(root, 'docs/reference/policy.md'), 'utf8')).toBe(text);
  });

  test('a part that is not placed, and a place without a part, are wrong', () => {
    const parts = new Map([
      ['keys server', 'A'],
      ['verbs', 'B'],
    ]);
    expect(render('x\n{{keys server}}\ny\n{{verbs}}\n', parts)).toEqual({ text: 'x\nA\ny\nB\n', wrong: [] });
    expect(render('{{keys server}}\n{{other}}\n', parts).wrong).toEqual([
      'gate/policy-reference.md: {{other}} stands for nothing',
      'gate/policy-reference.md: {{verbs}} is missing',
    ]);
  });

  test.each(['', 'No stop', 'Two\nlines.'])('a key whose help is %j is wrong', (help) => {
    const tables = new Map([['server', { command: { help }, args: { help: 'One line.' } }]]);
    expect(badHelp({ ...sound, tables })).toEqual([
      'server.command: no line of help that ends with a full stop',
    ]);
  });
});

describe('[P.house.reference] the document with every key', () => {
  test('loads', () => {
    const read = readPolicy(everyKey);
    expect(read.ok && compileRead(read.policy, { tools: undefined, vanishedTool: 'problem' }).ok).toBe(true);
  });

  test('holds every key that this version takes', () => {
    const parsed = parseDocument(readFileSync(everyKey, 'utf8'), everyKey);
    const used = new Set(parsed.ok ? keysOf(parsed.root) : []);
    const { ruleKeysIn, ...others } = policyKeys;
    const tables: readonly KeyTable[] = [
      ...Object.values({ ...others, ...connectorKeys }),
      ...Object.values(ruleKeysIn),
    ];
    const taken = tables.flatMap((table) =>
      Object.entries(table).flatMap(([key, { toCome }]) => (toCome === true ? [] : [key])),
    );
    expect(taken.filter((key) => !used.has(key))).toEqual([]);
  });
});

function keysOf(node: DocNode): readonly string[] {
  if (node.kind === 'scalar') return [];
  if (node.kind === 'list') return node.items.flatMap(keysOf);
  return node.entries.flatMap(({ key, value }) => [key, ...keysOf(value)]);
}
