/** Tests of sandboxes run where bubblewrap is and works, and say so where it is not. */
import { spawnSync } from 'node:child_process';
import { describe, test } from 'vitest';
import { findBwrap } from '../packages/gateway/src/sandbox/index.js';

/** Why there is no sandbox here; undefined: there is one. */
export function whyNoSandbox(): string | undefined {
  const bwrap = findBwrap();
  if (bwrap === undefined) return 'bubblewrap is not installed';
  const { status, stderr } = spawnSync(bwrap, ['--unshare-all', '--ro-bind', '/', '/', '/bin/true'], {
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `bubblewrap does not work here: ${stderr.trim()}`;
}

/** A group of tests that needs a sandbox; without one it is a skipped test that says why. */
export function describeWithSandbox(title: string, body: () => void): void {
  const why = whyNoSandbox();
  describe(title, () => {
    if (why === undefined) body();
    else test('is skipped', ({ skip }) => skip(why));
  });
}
