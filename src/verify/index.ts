import { Registry } from 'prom-client';
import type { Area } from '../http/area.ts';
import type { Clock } from '../values/clock.ts';
import type { ChainSettings } from './chain/chain-config.ts';
import { createChainRegistry } from './chain/chain-registry.ts';
import type { ContractCodeSource } from './chain/contract-code-source.ts';
import type { Fetch } from './chain/json-rpc-endpoint.ts';
import { createBundledCompilers, installedPackagesFolder } from './compile/bundled-compilers.ts';
import { CompilerPool } from './compile/compiler-pool.ts';
import { type CompilerSource, type CompilerStore, createCompilerStore } from './compile/compiler-store.ts';
import { createDirectoryCompilers } from './compile/directory-compilers.ts';
import { createSolidityCompiler } from './compile/solidity-compiler.ts';
import { createUnconfiguredCompiler } from './compile/unconfigured-compiler.ts';
import type { ContractRepository } from './contract-repository.ts';
import { createVerifyErrorMapper } from './error-mapper.ts';
import { JobCompletions } from './jobs/job-completions.ts';
import { JobDispatcher } from './jobs/job-dispatcher.ts';
import type { ClaimedJob, JobRepository } from './jobs/job-repository.ts';
import { runVerification } from './jobs/run-verification.ts';
import { createVerifyMetrics } from './metrics.ts';
import { type BuildInformation, createVerifyRoutes } from './routes.ts';
import { createVerifyService } from './verify-service.ts';

export { ChainConfigError, type ChainSettings, parseChains } from './chain/chain-config.ts';
export type { ContractCodeSource, ContractCreation } from './chain/contract-code-source.ts';
export type { CompilerStore, ListedCompiler } from './compile/compiler-store.ts';
export { createSqliteVerifyRepositories } from './sqlite-repositories.ts';

/** The stored state of the area, one implementation per database. */
export interface VerifyRepositories {
  readonly jobs: JobRepository;
  readonly contracts: ContractRepository;
}

/** The part of the logger that is used: fields first, then the text. */
export interface VerifyLogger {
  info(fields: object, text: string): void;
  warn(fields: object, text: string): void;
  error(fields: object, text: string): void;
}

/** What the area needs from outside. Members with a default may be left out. */
export interface VerifyAreaOptions {
  readonly repositories: VerifyRepositories;
  readonly clock: Clock;
  /** Gives a new UUID v4. */
  readonly newId: () => string;
  readonly fetch: Fetch;
  readonly logger: VerifyLogger;
  /** Chains that may be verified on, from `parseChains`. Default none. */
  readonly chains?: readonly ChainSettings[];
  /** Code of contracts from an imported ledger, for chains with `ledger: true`. Default none. */
  readonly ledgerSource?: (chainId: string) => ContractCodeSource | null;
  /** Where the figures are registered. Default a registry of its own. */
  readonly registry?: Registry;
  /** Folder with soljson files and their checksum list, path; asked after the bundled ones. Default null. */
  readonly compilerDir?: string | null;
  /** Threads that compile, each keeps one compiler warm (about 250 MiB). Count, default 2. */
  readonly workers?: number;
  /** Memory that one compiler may take. MiB, default 1536. */
  readonly compilerMemoryMiB?: number;
  /** All compilations of one job together. Milliseconds, default 100 000. */
  readonly compileTimeoutMs?: number;
  /** Reading or searching the creation transaction delays a job no longer than this. Milliseconds, default 10 000. */
  readonly creationTimeoutMs?: number;
  /** Time-out of an RPC call, unless the endpoint has its own. Milliseconds, default 10 000. */
  readonly rpcTimeoutMs?: number;
  /** Jobs that may wait; a further submission is refused with 503. Count, default 1000. */
  readonly maxWaitingJobs?: number;
  /** Jobs that run at the same time, most of them waiting for a chain. Count, default 8. */
  readonly runningJobs?: number;
  /** A job without a heartbeat for this long may be claimed again. Milliseconds, default 30 000. */
  readonly leaseMs?: number;
  /** The first status request of a running job is held open this long. Milliseconds, default 2000. */
  readonly firstPollMs?: number;
  /** Shown by `GET /version`. Default version `0.0.0`, commit `unknown`. */
  readonly build?: BuildInformation;
}

/** Area A with what commands and tests need beside the routes. */
export interface VerifyArea extends Area {
  readonly name: 'verify';
  /** Compilers that can be run, for the operator's commands. */
  readonly compilers: CompilerStore;
  readonly chains: readonly ChainSettings[];
  /** Resolves when no job runs. */
  idle(): Promise<void>;
}

/**
 * Builds area A: contract source verification.
 *
 * Nothing is loaded or fetched before the first job.
 *
 * @see contracts/verification-api.md
 */
export function createVerifyArea(options: VerifyAreaOptions): VerifyArea {
  const { repositories, clock, newId, logger, chains = [] } = options;
  const { compileTimeoutMs = 100_000, creationTimeoutMs = 10_000, compilerMemoryMiB = 1536 } = options;
  const metrics = createVerifyMetrics(options.registry ?? new Registry(), repositories.jobs);
  const registry = createChainRegistry(chains, {
    fetch: options.fetch,
    clock,
    rpcTimeoutMs: options.rpcTimeoutMs ?? 10_000,
    ledgerSource: options.ledgerSource ?? (() => null),
  });
  const pool = new CompilerPool({ workers: options.workers ?? 2, memoryLimitMiB: compilerMemoryMiB });
  const compilers = createCompilerStore(compilerSources(pool, options.compilerDir ?? null));
  const solidity = metrics.measured(
    createSolidityCompiler({
      store: compilers,
      pool,
      memoryLimitMiB: compilerMemoryMiB,
      jobTimeoutMs: compileTimeoutMs,
    }),
  );

  const run = (job: ClaimedJob) => {
    const chain = registry.get(job.chainId);
    if (chain === undefined) throw new Error(`Chain ${job.chainId} is not configured any more`);
    return runVerification(chain.source, job.address, job.submission, {
      compilers: {
        Solidity: solidity,
        Yul: solidity,
        Vyper: createUnconfiguredCompiler('vyper'),
        Fe: createUnconfiguredCompiler('fe'),
      },
      compileTimeoutMs,
      creationTimeoutMs,
      onCreationUnavailable: (err) => logger.warn({ err, ...subject(job) }, 'creation could not be read'),
    });
  };
  const completions = new JobCompletions();
  const dispatcher = new JobDispatcher({
    repository: repositories.jobs,
    completions,
    run,
    clock,
    newId,
    concurrency: options.runningJobs ?? 8,
    leaseMs: options.leaseMs ?? 30_000,
    observer: {
      finished: (job, outcome) => {
        metrics.jobFinished(outcome);
        logger.info({ outcome, ...subject(job) }, 'verification finished');
      },
      faulted: (job, err, errorId) =>
        logger.error({ err, errorId, ...(job === null ? {} : subject(job)) }, 'verification fault'),
    },
  });
  const service = createVerifyService({
    chains: registry,
    ...repositories,
    dispatcher,
    completions,
    clock,
    newId,
    maxWaitingJobs: options.maxWaitingJobs ?? 1000,
    firstPollMs: options.firstPollMs ?? 2000,
  });
  const build = options.build ?? { version: '0.0.0', gitCommit: 'unknown' };

  let isRunning = false;
  return {
    name: 'verify',
    compilers,
    chains,
    routes: createVerifyRoutes({ service, contracts: repositories.contracts, chains, build }),
    errors: createVerifyErrorMapper(newId),
    async start() {
      await dispatcher.start();
      isRunning = true;
    },
    async close() {
      isRunning = false;
      await dispatcher.close();
      completions.close();
      await pool.close();
      await dispatcher.idle();
    },
    idle: () => dispatcher.idle(),
    readiness: () => ({ ready: isRunning, members: { verify: { running: isRunning } } }),
  };
}

function compilerSources(pool: CompilerPool, compilerDir: string | null): readonly CompilerSource[] {
  const bundled = createBundledCompilers(installedPackagesFolder(), (path) => pool.version(path));
  return compilerDir === null ? [bundled] : [bundled, createDirectoryCompilers(compilerDir)];
}

function subject(job: ClaimedJob): object {
  return { jobId: job.id, chainId: job.chainId, address: job.address };
}
