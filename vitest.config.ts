import { configDefaults, defineConfig } from 'vitest/config';

/** Drawn once for all files of a run; `TEST_SEED` repeats it. */
const runSeed = String(Math.floor(Math.random() * 2 ** 31));

/** Tests of units that take more than about two seconds of a processor: what compiles, imports or serves a lot. */
const SLOW = [
  'src/commands/ledger/ledger-units.test.ts',
  'src/commands/status/status.test.ts',
  'src/imports/live-sources.test.ts',
  'src/mirror/fees/{differential,fuzz}.test.ts',
  'src/mirror/balances/balances-by-key.test.ts',
  'src/mirror/ingest/{block-proof,follow,proof-threads,run,schedule,stream-writer}/**/*.test.ts',
  'src/mirror/ingest/source/block-node/block-node-source.test.ts',
  'src/mirror/ingest/rebuild/**/*.test.ts',
  'src/mirror/ledger/commit/{commit-units,naive-replay.sqlite}.test.ts',
  'src/mirror/{answers-as-lines,mirror-rest-cases}.test.ts',
  'src/status/{any-calls,routes,scenarios}.test.ts',
  'src/status/{feeds,manage,page}/**/*-{calls,routes}.test.ts',
  'src/status/uptime/component-uptime.test.ts',
  'src/verify/{bodies,body-thread,compile,following,proxy,submissions,verdicts}/**/*.test.ts',
  'src/verify/**/*-routes.test.ts',
  'src/verify/jobs/queue/{job-dispatcher,suspects}.test.ts',
  'src/verify/metadata/find-original-sources.test.ts',
];

/** A group of tests: where they lie, and which of them belong to another group. */
const project = (name: string, include: readonly string[], exclude: readonly string[] = []) => ({
  extends: true as const,
  test: { name, include: [...include], exclude: [...configDefaults.exclude, ...exclude] },
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
      project(
        'unit',
        ['src/**/*.test.ts', 'test/{architecture,conformance,contracts,openapi,support}/**/*.test.ts'],
        SLOW,
      ),
      project('slow', SLOW),
      project('e2e', ['test/{docs,e2e,edge,hostile-compilations,project}/**/*.test.ts']),
      project('pages', ['test/browser/**/*.test.ts']),
      project('clients', ['test/clients/*.test.ts']),
      project('attack', ['test/attack/**/*.test.ts']),
    ],
  },
});
