import { mintId, sha256 } from '@pawl/core';
import type { Json, Reloaded } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { fakeComparison } from '../../../../test/fake-reload.js';
import { gainLines, reloadLines } from './reload-text.js';

const refused: Extract<Reloaded, { kind: 'refused' }> = {
  kind: 'refused',
  generation: { number: 7, hash: sha256('policy'), store: mintId.store('store') },
  comparison: fakeComparison({ reporter: 'widening' }),
  hash: sha256('proposed'),
};

describe('the ways on of a refused reload', () => {
  test('accept the file, where the file was proposed', () => {
    const hash = refused.hash.slice(0, 16);
    expect(reloadLines(refused).join('\n')).toContain(`accept  pawl reload --bump-epoch --expect ${hash} (`);
  });

  test('accept the stored generation that was proposed, and not whatever the file says', () => {
    expect(reloadLines(refused, 3).join('\n')).toContain('accept  pawl reload --bump-epoch --to 3 --expect ');
  });
});

describe('what is added or removed', () => {
  const told = (old: Json, now: Json): string => {
    const witness = { kind: 'change', what: 'server', path: 'servers.more', old, new: now } as const;
    return gainLines({ ...refused.comparison, executors: {}, witnesses: [witness] }).join('\n');
  };

  test('is told in words, without members that say nothing', () => {
    const server = { command: 'npx', args: ['-y', 'x'], cwd: null, env: [], values: 'abc' };
    expect(told(null, server)).toBe(
      '  everybody: server servers.more is added: command "npx", args ["-y","x"], values "abc"',
    );
    expect(told(server, null)).toContain('server servers.more is removed: it was command "npx"');
    expect(told('a', 'b')).toBe('  everybody: server at servers.more: "a" → "b"');
  });
});

test('[P.reload.accepts-what-was-shown] an act for something else says what was shown and what is there now', () => {
  const [first = ''] = reloadLines({ ...refused, expected: 'f'.repeat(64) });
  expect(first).toContain(
    `what was shown as ${'f'.repeat(16)} has changed since, and is ${refused.hash.slice(0, 16)} now`,
  );
});
