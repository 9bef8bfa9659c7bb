import { configDefaults, defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    include: ['test/**/*.test.ts'],
    // The demo under each of its faults takes minutes: `npm run e2e`.
    exclude: [...configDefaults.exclude, 'test/e2e/**'],
    reporters: ['default', './scripts/count-reporter.ts'],
    testTimeout: 60_000,
    hookTimeout: 120_000,
    pool: 'forks',
    maxWorkers: 2,
  },
});
