/** vitest's own output, then why tests were skipped, then one closing line that counts the tests. */
import { writeFileSync } from 'node:fs';
import { DefaultReporter } from 'vitest/node';
import type { SerializedError, TestCase, TestModule, TestRunEndReason } from 'vitest/node';
import { needsShared, sharedDir } from './shared.js';

type Counts = { passed: number; failed: number; skipped: number };

/** In CI a test that could have read ../shared and did not is a failure. */
function isWronglySkipped(test: TestCase): boolean {
  return Boolean(process.env['CI']) && sharedDir() !== undefined && test.fullName.includes(needsShared);
}

function stateOf(test: TestCase): keyof Counts {
  const { state } = test.result();
  if (state === 'passed' || state === 'failed') return state;
  return isWronglySkipped(test) ? 'failed' : 'skipped';
}

function reasonOf(test: TestCase): string {
  const result = test.result();
  const note = result.state === 'skipped' ? result.note : undefined;
  return note ?? 'no reason given';
}

/** Files that did not load and errors outside tests each count as one failure. */
function countOther(modules: readonly TestModule[], unhandled: number): number {
  return modules.filter((module) => module.errors().length > 0).length + unhandled;
}

/** Ends with `N passed, N failed, N skipped`: the last line of the process, or the text of the file in PAWL_COUNTS. */
export default class ClosingLineReporter extends DefaultReporter {
  override onTestRunEnd(
    modules: readonly TestModule[],
    errors: readonly SerializedError[],
    reason: TestRunEndReason,
  ): void {
    super.onTestRunEnd(modules, errors, reason);
    const counts: Counts = { passed: 0, failed: countOther(modules, errors.length), skipped: 0 };
    for (const test of modules.flatMap((module) => [...module.children.allTests()])) {
      counts[stateOf(test)] += 1;
      if (test.result().state === 'skipped') this.log(`skipped: ${test.fullName}: ${reasonOf(test)}`);
      if (test.result().state === 'skipped' && isWronglySkipped(test)) {
        this.error(`FAILED: CI is set and ../shared is there, but this was skipped: ${test.fullName}`);
        process.exitCode = 1;
      }
    }
    this.close(`${counts.passed} passed, ${counts.failed} failed, ${counts.skipped} skipped\n`);
  }

  private close(line: string): void {
    const file = process.env['PAWL_COUNTS'];
    if (file !== undefined) writeFileSync(file, line);
    else process.on('exit', () => process.stdout.write(line));
  }
}
