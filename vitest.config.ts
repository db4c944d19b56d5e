import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Not bound to src and test: with --dir the patterns are read from that folder.
    include: ['**/*.test.ts'],
    pool: 'forks',
    // What hangs is found all the same; a test that starts servers takes a minute on a machine that does much else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
