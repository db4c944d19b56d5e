import { defineConfig } from 'vitest/config';

/** Drawn once for all files of a run; `TEST_SEED` repeats it. */
const runSeed = String(Math.floor(Math.random() * 2 ** 31));

/** A group of tests: where they lie, and what differs for them. */
const project = (name: string, include: readonly string[], differing: object = {}) => ({
  extends: true as const,
  test: { name, include: [...include], ...differing },
});

export default defineConfig({
  test: {
    pool: 'forks',
    env: { TEST_RUN_SEED: runSeed },
    setupFiles: ['test/support/print-seed.ts'],
    // What hangs is found all the same; a test that starts servers takes a minute on a machine that does much else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A test that expects nothing, for example because the list in its loop is empty, fails.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    projects: [
      project('unit', ['src/**/*.test.ts', 'test/{architecture,conformance,contracts,openapi,support}/**/*.test.ts']),
      project('e2e', ['test/{docs,e2e,edge,hostile-compilations,project}/**/*.test.ts']),
      project('pages', ['test/browser/**/*.test.ts']),
      project('clients', ['test/clients/*.test.ts']),
      project('attack', ['test/attack/**/*.test.ts']),
    ],
  },
});
