/** A quiet reporter: failures and skip reasons, then one closing line that counts the tests. */
import { DefaultReporter } from 'vitest/node';
import type { SerializedError, TestModule, TestRunEndReason } from 'vitest/node';

type Counts = { passed: number; failed: number; skipped: number };

function countTests(modules: readonly TestModule[]): Counts {
  const counts: Counts = { passed: 0, failed: 0, skipped: 0 };
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { state } = test.result();
      if (state === 'passed') counts.passed += 1;
      else if (state === 'failed') counts.failed += 1;
      else counts.skipped += 1;
    }
  }
  return counts;
}

/** Errors outside tests (a file that does not load, an unhandled rejection) each count as one failure. */
function countOther(modules: readonly TestModule[], unhandled: number): number {
  const broken = modules.filter((module) => module.errors().length > 0).length;
  return broken + unhandled;
}

/** Prints vitest's own output and ends with `N passed, N failed, N skipped` as the last line. */
export default class ClosingLineReporter extends DefaultReporter {
  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const counts = countTests(modules);
    const failed = counts.failed + countOther(modules, errors.length);
    const line = `${counts.passed} passed, ${failed} failed, ${counts.skipped} skipped\n`;
    process.on('exit', () => process.stdout.write(line));
  }
}
