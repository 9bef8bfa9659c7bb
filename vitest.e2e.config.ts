import { defineConfig } from 'vitest/config';

/** The packaged artefact, played from end to end. */
export default defineConfig({
  test: {
    include: ['test/e2e/**/*.test.ts'],
    reporters: ['default', './scripts/count-reporter.ts'],
    testTimeout: 300_000,
    pool: 'forks',
    maxWorkers: 1,
  },
});
