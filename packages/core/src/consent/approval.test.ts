import { expect, test } from 'vitest';
import { fakeExecutor, fakeTool } from '../../../../test/fake-policy.js';
import { mintId, sha256 } from '../ground/index.js';
import { noConsent } from './index.js';

test('where nobody can approve, every ask stays required', () => {
  const request = {
    session: mintId.session('s'),
    executor: fakeExecutor('a'),
    epoch: 0,
    tool: fakeTool('files/write'),
    toolDigest: sha256('tool'),
    argumentsDigest: sha256('arguments'),
    shown: 'files__write {}',
  };
  expect(noConsent.ask({ ...request, level: 'session' })).toMatchObject({ kind: 'required' });
  expect(noConsent.ask({ ...request, level: 'once' })).toMatchObject({ kind: 'required' });
});
