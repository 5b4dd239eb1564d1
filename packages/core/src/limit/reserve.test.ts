import { expect, test } from 'vitest';
import { fakeExecutor, fakeTool } from '../../../../test/fake-policy.js';
import { mintId } from '../ground/index.js';
import { noLimits } from './index.js';

test('without limits every reservation is granted, however often', () => {
  const request = {
    session: mintId.session('s'),
    executor: fakeExecutor('a'),
    tool: fakeTool('files/write'),
    call: mintId.call('c'),
    budgets: [{ rule: 'agents.a.allow[0]', uses: 1 }],
    limits: [],
  };
  for (let call = 0; call < 3; call += 1) {
    const reservation = noLimits.reserve(request);
    expect(reservation).not.toBe('used-up');
    if (reservation !== 'used-up') reservation.spend();
  }
});
