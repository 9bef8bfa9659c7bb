import type { Reporter, TestModule } from 'vitest/node';

/**
 * Prints `N passed, N failed` (and `, N skipped` where there are any) alone on the last line, the form that CI systems
 * count. A module that cannot be loaded counts as one failed test, so that a broken import never reads as success.
 */
class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], errors: readonly unknown[]): void {
    const counts = { passed: 0, failed: errors.length, skipped: 0 };
    for (const module of modules) {
      const tests = [...module.children.allTests()];
      for (const test of tests) {
        const state = test.result().state;
        if (state !== 'pending') counts[state] += 1;
      }
      if (module.state() === 'failed' && !tests.some((test) => test.result().state === 'failed')) counts.failed += 1;
    }
    const skipped = counts.skipped > 0 ? `, ${counts.skipped} skipped` : '';
    process.on('exit', () => process.stdout.write(`\n${counts.passed} passed, ${counts.failed} failed${skipped}\n`));
  }
}

// Vitest takes a reporter file's default export.
// oxlint-disable-next-line import/no-default-export
export default CountReporter;
