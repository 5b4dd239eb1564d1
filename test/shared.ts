/** Data that stands beside the repository: tests that read it run where it is and say so where it is not. */
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, test } from 'vitest';

/** Part of the title of every group that needs the folder; the reporter looks for it. */
export const needsShared = '(needs ../shared)';

/** The folder beside the repository, or undefined where there is none. */
export function sharedDir(): string | undefined {
  const folder = join(dirname(import.meta.dirname), '..', 'shared');
  return existsSync(folder) ? folder : undefined;
}

/**
 * A group of tests over one part of ../shared, as `cases/policy`. Without the folder, or without that part, the
 * group is one skipped test that says why; the reporter counts it as failed when CI is set and ../shared exists.
 */
export function describeWithShared(title: string, part: string, body: (folder: string) => void): void {
  const shared = sharedDir();
  const folder = shared === undefined ? undefined : join(shared, part);
  describe(`${title} ${needsShared}`, () => {
    if (folder !== undefined && existsSync(folder)) body(folder);
    else
      test('is skipped', ({ skip }) => skip(`../shared${shared === undefined ? '' : `/${part}`} is absent`));
  });
}
