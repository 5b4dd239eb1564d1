import { expect, test } from 'vitest';
import { fakeEntropy, fakeExecutor, fakeSnapshot, fakeTool } from '../../../../test/fake-policy.js';
import { mintCapability } from '../capability/index.js';
import { mintId, sha256 } from '../ground/index.js';
import { Ledger } from './ledger.js';
import { mintHandle } from './mint.js';
import type { Mount } from './opening.js';

const entropy = fakeEntropy();
const session = mintId.session('s');
const tool = fakeTool('files/read');

function mount(): Mount {
  const init = { executor: fakeExecutor('a'), session, key: mintId.key('k'), tool, snapshot: fakeSnapshot() };
  const capability = mintCapability(init, entropy);
  const name = 'files__read';
  return {
    handle: mintHandle(entropy),
    name,
    title: name,
    tool,
    capability,
    definition: {},
    digest: sha256(''),
    confinement: 'name',
  };
}

test('a ledger tells living, dead and unknown handles apart', () => {
  const ledger = new Ledger(new Uint8Array(32));
  const [living, dead] = [mount(), mount()];
  for (const each of [living, dead]) ledger.lease(each.handle, { session, mount: each });
  ledger.bury(dead.handle, 'revoked');
  ledger.bury(dead.handle, 'expired');
  expect(ledger.find(living.handle)).toEqual({ lease: { session, mount: living }, grave: undefined });
  const { capability } = dead;
  expect(ledger.find(dead.handle)).toEqual({
    lease: undefined,
    grave: { session, reason: 'revoked', capability },
  });
  expect(ledger.find(undefined)).toEqual({ lease: undefined, grave: undefined });
});

test('a ledger remembers a bounded number of dead handles, the latest', () => {
  const ledger = new Ledger(new Uint8Array(32));
  const one = mount();
  const handles = Array.from({ length: 16_385 }, () => mintHandle(entropy));
  for (const handle of handles) {
    ledger.lease(handle, { session, mount: one });
    ledger.bury(handle, 'expired');
  }
  expect(ledger.find(handles[0]).grave).toBeUndefined();
  expect(ledger.find(handles[1]).grave).toBeDefined();
  expect(ledger.find(handles.at(-1)).grave).toBeDefined();
});
