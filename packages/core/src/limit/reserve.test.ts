import { expect, test } from 'vitest';
import { fakeExecutor } from '../../../../test/fake-policy.js';
import { mintId } from '../ground/index.js';
import { noLimits } from './index.js';

test('where nobody counts, what would have to be counted is used up', () => {
  const limits = [{ name: 'pay', uses: 1, per: 'day' }] as const;
  const request = {
    session: mintId.session('s'),
    executor: fakeExecutor('a'),
    budgets: { generation: '1', keys: new Map() },
    calls: [{ cap: 'permit', footings: [], limits }],
  } as const;
  expect(noLimits.reserve(request)).toMatchObject({ kind: 'used-up' });
});
