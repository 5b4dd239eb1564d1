/** The list of mutants speaks of the sources and tests as they are; `npm run mutants` shows that each is noticed. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../gate/root.mjs';
import { edited, mutants } from './mutants.mjs';

test.each(mutants.map((mutant) => [mutant.id, mutant] as const))(
  '[P.race.mutants] %s changes what it names, and the test that must notice it exists',
  (_id, { edits, file, test: title }) => {
    for (const edit of edits) {
      const text = readFileSync(join(root, edit.file), 'utf8');
      expect(edited(text, edit)).not.toBe(text);
    }
    expect(readFileSync(join(root, file), 'utf8')).toContain(title);
  },
);

test('[P.race.mutants] no two mutants have one id', () => {
  expect(new Set(mutants.map(({ id }) => id)).size).toBe(mutants.length);
});
