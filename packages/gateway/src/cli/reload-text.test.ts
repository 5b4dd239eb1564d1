import { mintId, sha256 } from '@pawl/core';
import type { Reloaded } from '@pawl/core';
import { describe, expect, test } from 'vitest';
import { fakeComparison } from '../../../../test/fake-reload.js';
import { reloadLines } from './reload-text.js';

const refused: Reloaded = {
  kind: 'refused',
  generation: { number: 7, hash: sha256('policy'), store: mintId.store('store') },
  comparison: fakeComparison({ reporter: 'widening' }),
  hash: sha256('proposed'),
};

describe('the ways on of a refused reload', () => {
  test('accept the file, where the file was proposed', () => {
    expect(reloadLines(refused).join('\n')).toContain('accept  pawl reload --bump-epoch (');
  });

  test('accept the stored generation that was proposed, and not whatever the file says', () => {
    expect(reloadLines(refused, 3).join('\n')).toContain('accept  pawl reload --bump-epoch --to 3 (');
  });
});
