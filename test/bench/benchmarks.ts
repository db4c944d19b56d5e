import { measureBlockLag } from './block-lag.ts';
import { measureBlockProofs } from './block-proofs.ts';
import { measureContracts, measurePostgresContracts } from './contracts.ts';
import { measureEntities } from './entities.ts';
import { compareFees } from './fees.ts';
import {
  compareBlockImport,
  compareContractImport,
  compareImport,
  comparePostgresImport,
  measureImportMemory,
} from './import.ts';
import { compareBucketImport } from './import-bucket.ts';
import {
  compareAccounts,
  compareGrowth,
  compareMix,
  compareNewest,
  comparePages,
  compareSmall,
  measureFilters,
} from './pages.ts';
import { comparePostgresPages } from './postgres-pages.ts';
import { measureSitePages } from './site-pages.ts';
import { compareSummary, compareUnchanged } from './status.ts';
import {
  compareCacheHit,
  compareFifty,
  comparePageLatency,
  compareVerification,
  measurePeakMemory,
} from './verification.ts';

export interface BenchmarkResult {
  readonly what: string;
  readonly ceiling: string;
  readonly product: string;
  readonly ratio: number;
  /** From design/architecture.md section 7. */
  readonly target: string;
  /** An absolute bar of the issue that asked for it, and whether it was kept in this run. */
  readonly bar?: string;
}

export interface Benchmark {
  readonly name: string;
  readonly what: string;
  run(): Promise<BenchmarkResult>;
}

export const BENCHMARKS: readonly Benchmark[] = [
  {
    name: 'page',
    what: 'list page of 25 at a random position of a million transactions, uncached',
    run: comparePages,
  },
  { name: 'page-newest', what: 'the newest list page', run: compareNewest },
  { name: 'page-account', what: 'newest list page of an account', run: compareAccounts },
  { name: 'small', what: 'small answers through the router', run: compareSmall },
  {
    name: 'page-postgres',
    what: 'the same on PostgreSQL, beside a bare client of the database',
    run: comparePostgresPages,
  },
  {
    name: 'mix',
    what: 'list pages as clients ask for them: newest, of an account, anywhere',
    run: compareMix,
  },
  {
    name: 'filters',
    what: 'every combination of filters on one account, a million transactions',
    run: measureFilters,
  },
  {
    name: 'growth',
    what: 'list pages of a million transactions beside those of ten thousand',
    run: compareGrowth,
  },
  {
    name: 'entities',
    what: 'lists and objects of accounts, tokens, NFTs, topics and schedules, beside a hundredth of the size',
    run: measureEntities,
  },
  {
    name: 'contracts',
    what: 'lists and objects of contracts, logs by address and topics, a million results',
    run: measureContracts,
  },
  {
    name: 'contracts-postgres',
    what: 'the same on PostgreSQL',
    run: measurePostgresContracts,
  },
  { name: 'summary', what: 'status summary', run: compareSummary },
  { name: 'summary-304', what: 'status summary that the client has already', run: compareUnchanged },
  { name: 'site', what: 'first byte of each kind of page', run: measureSitePages },
  {
    name: 'fees',
    what: 'fee estimate of a signed transfer',
    run: compareFees,
  },
  { name: 'import', what: 'import of signed record files, signatures verified', run: compareImport },
  {
    name: 'import-contracts',
    what: 'the same of a ledger that is mostly contract calls, with sidecars',
    run: compareContractImport,
  },
  {
    name: 'import-postgres',
    what: 'the same into PostgreSQL, beside a bare COPY of the same rows',
    run: comparePostgresImport,
  },
  {
    name: 'import-blocks',
    what: 'import of native blocks, their roots and chain checked',
    run: compareBlockImport,
  },
  { name: 'block-proofs', what: 'CPU time of the proof of a native block', run: measureBlockProofs },
  {
    name: 'import-bucket',
    what: 'catching up from a bucket with 50 ms latency beside a folder',
    run: compareBucketImport,
  },
  {
    name: 'block-lag',
    what: 'from a block that a node sends to the page that shows it',
    run: measureBlockLag,
  },
  {
    name: 'import-memory',
    what: 'memory and rate of an import of 10^6 transactions',
    run: measureImportMemory,
  },
  {
    name: 'verify',
    what: 'verification of a small contract, compiler warm',
    run: () => compareVerification('small'),
  },
  {
    name: 'verify-medium',
    what: 'verification of an ERC-20 with votes and permit, compiler warm',
    run: () => compareVerification('medium'),
  },
  {
    name: 'verify-heavy',
    what: 'verification of a governor with timelock through the IR pipeline, compiler warm',
    run: () => compareVerification('heavy'),
  },
  { name: 'verify-fifty', what: 'fifty different small contracts at once', run: compareFifty },
  {
    name: 'verify-kept',
    what: 'a medium input that was compiled before, at another address',
    run: compareCacheHit,
  },
  { name: 'verify-pages', what: 'pages of the other areas while compilers work', run: comparePageLatency },
  {
    name: 'verify-memory',
    what: 'peak memory of the process over all kinds of contracts',
    run: measurePeakMemory,
  },
];
