import { configDefaults, defineConfig } from 'vitest/config';
import './scripts/install-test-packages.mjs';
import { SHARED_MARK } from './test/shared-data.ts';
import { testsAlikeOnBackends, testsWithoutSharedData } from './test/support/chosen-tests.ts';

/** Drawn once for all files of a run, or given; `TEST_SEED` repeats it. */
const runSeed = process.env['TEST_RUN_SEED'] ?? String(Math.floor(Math.random() * 2 ** 31));

/** Tests of units that take more than about two seconds of a processor: what compiles, imports or serves a lot. */
const SLOW = [
  'test/openapi/answers.test.ts',
  'src/commands/ledger/ledger-units.test.ts',
  'src/commands/status/status.test.ts',
  'src/imports/live-sources.test.ts',
  'src/mirror/fees/{differential,fuzz}.test.ts',
  'src/mirror/balances/balances-by-key.test.ts',
  'src/mirror/contracts/contract-lists.test.ts',
  'src/mirror/ingest/{block-proof,follow,run,schedule}/**/*.test.ts',
  'tools/**/*.test.ts',
  'src/mirror/ingest/rebuild/**/*.test.ts',
  'src/mirror/ledger/commit/commit-units.test.ts',
  'src/mirror/answers-as-lines.test.ts',
  'src/status/{any-calls,routes,scenarios}.test.ts',
  'src/status/{feeds,manage,page}/**/*-{calls,routes}.test.ts',
  'src/status/uptime/component-uptime.test.ts',
  'src/verify/{bodies,body-thread,compile,following,mismatch,proxy,submissions,verdicts}/**/*.test.ts',
  'src/verify/**/*-routes.test.ts',
  'src/verify/jobs/queue/job-dispatcher.test.ts',
];

/**
 * Tests of units that take one or two seconds. With PostgreSQL they are among the fast ones, since CI runs those alone on
 * it, without the tests that name their database.
 */
const MODERATE = [
  'src/{app,server-metrics,commands/stop-on-signal,threads/tick-shape}.test.ts',
  'src/http/{answers/json-pieces,edge/waiting-room}.test.ts',
  'src/mirror/contracts/{logs/chunk-search.sql,state/contract-states}.test.ts',
  'src/mirror/fees/{answers/routes,decode/strict-decoder}.test.ts',
  'src/mirror/ingest/{block-records/real-blocks,source/bucket/*}.test.ts',
  'src/mirror/ledger/{commit/ledger-backend.sqlite,facets/stated-balances}.test.ts',
  'src/mirror/{network/network-documents,nfts/nft-story,tokens/tokens}.test.ts',
  'src/mirror/transactions/{find-transaction,list-paging,list-paging.sqlite}.test.ts',
  'src/status/{feeds/render-feed,monitor/page-upkeep,page/page-size}.test.ts',
  'src/status/{subscribers/deliveries,text/render-body}.test.ts',
  'src/{store/open-store,storage/sql/sql-dialect.sql}.test.ts',
  'src/verify/{contracts/redirects,forms/hostile-forms,match/deployed-code.property,routes}.test.ts',
  'src/verify/{contract-pages/colour/source-colours,exact-runs,submit-pages/job-settings}.test.ts',
  'src/verify/metadata/search-thread.test.ts',
  'test/{conformance/seed-fixtures,contracts/*,openapi/{rules,statuses},support/postgres}.test.ts',
];

/** What has no counterpart on SQLite: `npm test` leaves PostgreSQL out, `npm run test:postgres` does not. */
const POSTGRES = ['{src,test/contracts}/**/*.postgres.test.ts', 'src/storage/postgres/*.test.ts'];
const isPostgres = process.env['TEST_BACKEND'] === 'postgres';

/** Tests that take many seconds: kills, many processes, many compilers, many damaged files and requests. */
const LONG = [
  'src/mirror/ingest/follow/mirror-faults.test.ts',
  'src/mirror/ingest/source/bucket/few-signatures.test.ts',
  'src/verify/compile/supply/downloads/release-list-download.test.ts',
  'test/e2e/{command-line,relay-client}.test.ts',
  'test/project/{bundled-packages,build-sqlite-driver,notices,test-packages}.test.ts',
  'src/storage/postgres/stalled-connections.test.ts',
  'src/mirror/ingest/source/bucket/s3-object-store.test.ts',
  'src/mirror/ingest/follow/mirror-source.test.ts',
  'src/mirror/ingest/rebuild/rebuild-ledger.sqlite.test.ts',
  'src/verify/body-thread/body-thread.test.ts',
  'src/verify/compile/native/native-{languages,process}.test.ts',
  'src/verify/compile/supply/packed-compilers.test.ts',
  'src/verify/verdicts/{cancelled-compilation,conformance-vectors,odd-compilations,reused-compilations}.test.ts',
  'test/docs/{code-blocks,proxies}.test.ts',
  'test/e2e/test-api.test.ts',
  'src/mirror/ingest/block-proof/damaged-proofs.test.ts',
  'src/mirror/ingest/proof-threads/proof-threads.test.ts',
  'src/mirror/ledger/commit/naive-replay.sqlite.test.ts',
  'src/mirror/ingest/block-proof/address-book/check-schnorr-proof.test.ts',
  'src/mirror/ingest/run/{damage,proofs-every,shared-commits.sqlite}.test.ts',
  'src/mirror/ingest/source/block-node/block-node-source.test.ts',
  'src/mirror/ingest/source/bucket/bucket-source.test.ts',
  'src/verify/compile/compilers.test.ts',
  'src/verify/compile/pool/{compiler-pool,compiler-thread}.test.ts',
  'src/verify/jobs/queue/suspects.test.ts',
  'src/verify/metadata/find-original-sources.test.ts',
  'test/e2e/{crash,follow-crash,import-crash,status-crash}.test.ts',
  'test/e2e/{explorer-pages,follow-mirror,follow-network,hostile-input,import-command,imports-at-once}.test.ts',
  'test/e2e/{block-files,block-nodes,compilers-command,ledger-command,postgres-backup,serve}.test.ts',
  'test/e2e/{demo-command,links,long-values.sqlite,process-one}.test.ts',
  'test/e2e/{status-abuse,status-name,status-webhooks,storage-faults,test-kit,test-kit-changes}.test.ts',
  'test/e2e/{verify-following,verify-ledger,watch-folder}.test.ts',
  'test/e2e/{backup,copy-command}.sqlite.test.ts',
  'test/e2e/{import-command,refused-writes,rolling-upgrade}.postgres.test.ts',
  'test/hostile-compilations/**/*.test.ts',
  'test/project/examples.test.ts',
  'tools/network/write-blocks.sqlite.test.ts',
];

/**
 * What `.ci/run` leaves to the workflow, so that it ends in about 15 minutes: long tests of whole commands, clients,
 * pages and attacks whose parts shorter tests reach as well. Of each kind it runs what loses data or answers wrongly
 * when it breaks.
 */
const WORKFLOW_ONLY = [
  'src/mirror/ingest/block-proof/address-book/check-schnorr-proof.test.ts',
  'src/mirror/ingest/follow/mirror-{faults,source}.test.ts',
  'src/mirror/ingest/{proof-threads/proof-threads,run/proofs-every}.test.ts',
  'src/mirror/ingest/source/{block-node/block-node-source,bucket/{bucket-source,few-signatures,s3-object-store}}.test.ts',
  'src/storage/postgres/stalled-connections.test.ts',
  'src/verify/body-thread/body-thread.test.ts',
  'src/verify/compile/{compilers,pool/{compiler-pool,compiler-thread},native/native-{languages,process}}.test.ts',
  'src/verify/compile/supply/{packed-compilers,downloads/release-list-download}.test.ts',
  'src/verify/metadata/find-original-sources.test.ts',
  // The cases that `.ci/run` runs are these vectors as well.
  'src/verify/verdicts/conformance-vectors.test.ts',
  'test/attack/{block-proofs,changed-blocks,database-gone,full-disk,held-connections,keep-alive,kills}.test.ts',
  'test/attack/{large-answers,large-outputs,lock,overload,quiet-network,status-load}.test.ts',
  'test/browser/{contract-pages,docs-page,status-page,verify-pages}.test.ts',
  'test/clients/{api-linters,forge-etherscan,hardhat-2,openapi-client,test-runners,upgrades}.test.ts',
  'test/clients/{local-node-proxies,local-node-traces,reverted-chain}.test.ts',
  'test/docs/{code-blocks,proxies}.test.ts',
  'test/e2e/{backup.sqlite,block-files,block-nodes,command-line,compilers-command,copy-command.sqlite}.test.ts',
  'test/e2e/{demo-command,explorer-pages,follow-crash,follow-mirror,follow-network,import-{command,crash}}.test.ts',
  'test/e2e/{imports-at-once,ledger-command,long-values.sqlite,postgres-backup,relay-client}.test.ts',
  'test/e2e/{rolling-upgrade.postgres,status-{abuse,name,webhooks},storage-faults,test-{api,kit,kit-changes}}.test.ts',
  'test/e2e/{verify-following,verify-ledger,watch-folder}.test.ts',
  'test/faults/{clocks.postgres,import-leader.postgres,soak,stopped-replica.postgres}.test.ts',
  'test/hostile-compilations/**/*.test.ts',
  'test/project/{bundled-packages,build-sqlite-driver,examples,notices,test-packages}.test.ts',
  'tools/network/write-blocks.sqlite.test.ts',
];

/** What `.ci/run` does not repeat on PostgreSQL: answers and pages over repositories that other tests open there. */
const SQLITE_IN_SHORT = [
  'src/{,http/**/}*.test.ts',
  'src/status/{feeds,monitor,page,subscribers}/**/*.test.ts',
  'src/status/{short-links,writing-components}.test.ts',
  'src/verify/{contracts/redirects,exact-runs,forms/*,routes,submit-pages/*}.test.ts',
  'test/{conformance,openapi}/*.test.ts',
];
const isShort = process.env['TEST_SET'] === 'short';
const leftToWorkflow = isShort ? [...WORKFLOW_ONLY, ...(isPostgres ? SQLITE_IN_SHORT : [])] : [];

const isSharedOnly = process.env['TEST_SHARED'] === 'only';
/** One pattern for all, since each would be tried on every path. */
const either = (paths: readonly string[]) => (paths.length === 0 ? [] : [`{${paths.join(',')}}`]);
const NOT_CHOSEN = either(isSharedOnly ? testsWithoutSharedData() : []);
const ALIKE = either(isPostgres ? testsAlikeOnBackends() : []);
const notChosenIn = (group: string) => (group === 'postgres' ? NOT_CHOSEN : [...NOT_CHOSEN, ...ALIKE]);

interface Group {
  readonly include: readonly string[];
  /** Those that belong to another group. */
  readonly exclude?: readonly string[];
  /** Files at a time. */
  readonly workers: number;
  /** What runs before the first file and after the last. */
  readonly globalSetup?: string;
  /** Whether each file has a process of its own. Default: yes, but reading modules anew may take as long as the tests. */
  readonly isolate?: boolean;
}

/**
 * Groups run one after the other, in this order; what measures the whole machine runs alone.
 *
 * `npm test` runs the first two, each other one has a script of its own; the workflow runs all.
 */
const groups: Readonly<Record<string, Group>> = {
  unit: {
    include: ['src/**/*.test.ts', 'test/{architecture,conformance,contracts,openapi,support}/**/*.test.ts'],
    exclude: [...SLOW, ...LONG, ...POSTGRES, ...(isPostgres ? [] : MODERATE)],
    workers: 2,
    isolate: false,
  },
  slow: {
    include: [...SLOW, ...(isPostgres ? [] : MODERATE), 'test/{docs,e2e,edge,project}/**/*.test.ts'],
    exclude: [...LONG, ...POSTGRES],
    workers: 2,
    isolate: false,
  },
  postgres: { include: POSTGRES, exclude: LONG, workers: 2, isolate: false },
  long: { include: LONG, workers: 2, isolate: false },
  pages: { include: ['test/browser/**/*.test.ts'], workers: 2, isolate: false },
  package: { include: ['test/package/**/*.test.ts'], workers: 1 },
  clients: { include: ['test/clients/*.test.ts'], workers: 1 },
  faults: { include: ['test/faults/**/*.test.ts'], workers: 1 },
  attack: {
    include: ['test/attack/**/*.test.ts'],
    workers: 1,
    globalSetup: 'test/attack/attack-table.ts',
  },
};

export default defineConfig({
  test: {
    pool: 'forks',
    // Groups and later runs take what is transformed already.
    experimental: { fsModuleCache: true },
    ...(isSharedOnly ? { testNamePattern: SHARED_MARK } : {}),
    env: { TEST_RUN_SEED: runSeed },
    setupFiles: ['test/support/print-seed.ts'],
    // What hangs is found all the same; a test that starts servers takes a minute on a machine that does much else.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // A test that expects nothing, for example because the list in its loop is empty, fails.
    expect: { requireAssertions: true, poll: { timeout: 60_000 } },
    projects: Object.entries(groups).map(
      ([name, { include, exclude = [], workers, isolate = true, globalSetup = [] }], index) => ({
        extends: true as const,
        test: {
          name,
          include: [...include],
          exclude: [...configDefaults.exclude, ...exclude, ...notChosenIn(name), ...leftToWorkflow],
          maxWorkers: workers,
          isolate,
          globalSetup,
          sequence: { groupOrder: index },
        },
      }),
    ),
  },
});
