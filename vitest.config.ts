import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    // Not bound to src and test: with --dir the patterns are read from that folder.
    include: ['**/*.test.ts'],
    pool: 'forks',
    testTimeout: 30_000,
    hookTimeout: 60_000,
  },
});
