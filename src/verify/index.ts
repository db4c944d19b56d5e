import type { Registry } from 'prom-client';
import type { Area } from '../http/area.ts';
import { BodyBudget } from '../http/bodies/body-budget.ts';
import { type BodyIntake, createBodyIntake } from '../http/bodies/body-intake.ts';
import { type HeapShares, shareHeap } from '../http/bodies/heap-room.ts';
import { ROOT_SITE } from '../pages/site/site-page.ts';
import { type Announcements, NO_ANNOUNCEMENTS } from '../values/announcements.ts';
import type { Clock } from '../values/clock.ts';
import type { Log } from '../values/log.ts';
import { type Repeat, type StartTimer, systemRepeat } from '../values/repetition.ts';
import { BodyThread } from './body-thread/body-thread.ts';
import { parseChains, type StaticCode } from './chain/chain-config.ts';
import { createChainRegistry, giveCode, type LedgerSource } from './chain/chain-registry.ts';
import { hostOf } from './chain/json-rpc-client.ts';
import type { Fetch } from './chain/json-rpc-endpoint.ts';
import { assembleCompilers } from './compile/assemble-compilers.ts';
import { normaliseVersion } from './compile/compiler-version.ts';
import { createCompilers, createOutputCache } from './compile/create-compilers.ts';
import { createNativeRunner } from './compile/native/native-runner.ts';
import { createOutputReader } from './compile/output/output-reader.ts';
import { type CompilerPool, createCompilerPool, workersOf } from './compile/pool/compiler-pool.ts';
import { SourceColours } from './contract-pages/colour/source-colours.ts';
import { ResponseMemoryBudget } from './contracts/look-up-contract.ts';
import { ScanScheduler } from './contracts/scan-scheduler.ts';
import { createDecodeCalls } from './decoding/decode-calls.ts';
import { createVerifyErrorMapper } from './error-mapper.ts';
import { BytecodeRetention } from './jobs/queue/bytecode-retention.ts';
import { watchQueue } from './jobs/queue/full-queue.ts';
import { JobCompletions } from './jobs/queue/job-completions.ts';
import { concurrencyFor, JobDispatcher } from './jobs/queue/job-dispatcher.ts';
import type { ClaimedJob, JobSubject } from './jobs/queue/job-repository.ts';
import { type ProcessIdentity, systemProcess } from './jobs/queue/lease-owner.ts';
import { withSubmissions } from './jobs/queue/with-submissions.ts';
import { runVerification } from './jobs/run-verification.ts';
import { SearchThread } from './metadata/search-thread.ts';
import { createSourceGateway } from './metadata/source-gateway.ts';
import { createVerifyMetrics } from './metrics.ts';
import { createFindOriginalSettings } from './mismatch/metadata-settings.ts';
import type { JobProgress } from './model/job-progress.ts';
import { largeCharactersWithin, type StoredSubmission, unpackSubmission } from './model/submission.ts';
import { VERIFY_PATHS } from './paths.ts';
import { createProxyResolver } from './proxy/proxy-resolver.ts';
import { createVerifyRoutes } from './routes.ts';
import { MAX_BODY_BYTES } from './submissions/request-body.ts';
import type { VerifyOptions } from './verify-options.ts';
import { createVerifyService } from './verify-service.ts';
import type { VerifyRepositories, VerifyStore } from './verify-store.ts';

export type { ChainSettings, StaticCode } from './chain/chain-config.ts';

export {
  ChainUnavailableError,
  type ContractCodeSource,
  type ContractCreation,
} from './chain/contract-code-source.ts';
export { readChainId } from './chain/json-rpc-client.ts';
export { type CompilerKind, CompilerSourceError, type DownloadProgress } from './compile/compiler-catalog.ts';
export { type CompilerPool, createCompilerPool } from './compile/pool/compiler-pool.ts';
export type { CompilerManagement, DownloadName } from './compile/supply/compiler-management.ts';
export type { UnfinishedJob } from './jobs/queue/job-repository.ts';
export type { VerifyStore } from './verify-store.ts';

/** What the area needs from outside. */
export interface VerifyDependencies {
  /** Stays open when the area closes. */
  readonly store: VerifyStore;
  readonly clock: Clock;
  /** Gives a new UUID v4. */
  readonly randomUuid: () => string;
  readonly fetch: Fetch;
  readonly log: Log;
  /** Reads request bodies. Default: one of its own. */
  readonly bodies?: BodyIntake;
  /** Default: of a heap in which operators configured nothing. */
  readonly heap?: HeapShares;
  /** Where the figures are registered. */
  readonly metrics: Registry;
  /** Version of the product, shown by `GET /version`. */
  readonly version: string;
  /** Commit of the build, shown by `GET /version`. Default `unknown`. */
  readonly gitCommit?: string;
  /** Code and logs of contracts from an imported ledger, for chains with `ledger: true`. Default none. */
  readonly ledgerSource?: (chainId: string) => LedgerSource | null;
  /** Variables that `${NAME}` in RPC headers may name. Default none. */
  readonly environment?: Readonly<Record<string, string | undefined>>;
  /** Names the holder of leases. Default: this process. */
  readonly process?: ProcessIdentity;
  /** Default: the timers of the operating system. */
  readonly repeat?: Repeat;
  readonly startTimer?: StartTimer;
  /** What other servers on the database tell. Default: nothing. */
  readonly announcements?: Announcements;
  /** Stays open when the area closes. Default: one of its own. */
  readonly pool?: CompilerPool;
  /** Looks for what killed servers left. Default true; false when this process has looked already. */
  readonly sweeps?: boolean;
  readonly options: VerifyOptions;
}

/** Area A with what commands and tests need beside the routes. */
export type VerifyArea = ReturnType<typeof createVerifyArea>;

/** A job waits this long for a transaction that the client named. */
const CREATION_READ_MS = 10_000;
const BYTES_PER_MIB = 1_048_576;
/** A lookup is never delayed longer by the resolution of a proxy. */
const PROXY_TIMEOUT_MS = 3000;
const PROXY_KEEP_MS = 30_000;
const MAX_KEPT_PROXIES = 1000;
const DAY_MS = 86_400_000;

/**
 * Builds area A: contract source verification.
 *
 * Nothing is loaded or fetched before the first job, apart from compilers that `preload` names.
 *
 * @see contracts/verification-api.md
 */
export function createVerifyArea(dependencies: VerifyDependencies) {
  const { store: stored, clock, randomUuid: newId, log, options } = dependencies;
  const { announcements = NO_ANNOUNCEMENTS, heap = shareHeap(), repeat = systemRepeat } = dependencies;
  const { jobTimeoutMs, creationSearchMs, compilerMemoryMiB } = options;
  const chains = parseChains(options.chainsJson, dependencies.environment);
  const largeBodies = new BodyThread({ largeCharacters: largeCharactersWithin(heap.recentSubmissions) });
  const unpack = (submission: StoredSubmission) =>
    submission.packed === null ? unpackSubmission(submission) : largeBodies.unpack(submission);
  const { jobs, refusalOf } = watchQueue(withSubmissions(stored.jobs, unpack, heap.recentSubmissions), clock);
  const repositories: VerifyRepositories = { ...stored, jobs };
  const completions = new JobCompletions(dependencies.startTimer);
  const metrics = createVerifyMetrics(dependencies.metrics, repositories.jobs, completions);
  const registry = createChainRegistry(chains, {
    fetch: dependencies.fetch,
    clock,
    rpcTimeoutMs: options.rpcTimeoutMs,
    searchesCreation: creationSearchMs > 0,
    onRpcFailure: (chainId, reason) => metrics.rpcFailed(chainId, reason),
    onWrongChain: (chainId, { endpoint, actual }) =>
      log.error(
        { chainId, endpoint: hostOf(endpoint.url), actual },
        `the endpoint serves chain ${actual} and is not used for chain ${chainId}`,
      ),
    ledgerSource: dependencies.ledgerSource ?? (() => null),
  });
  const workers = workersOf(options);
  const { pool = createCompilerPool(options) } = dependencies;
  const { slots } = pool;
  let downloadFailedAt: number | null = null;
  const {
    catalog,
    management,
    stock: compilerStock,
    ...stock
  } = assembleCompilers({
    pool,
    fetch: dependencies.fetch,
    clock,
    environment: dependencies.environment ?? {},
    options,
    observer: {
      fetched: ({ version, path }, from) =>
        log.info({ compiler: version, path, from }, 'compiler downloaded'),
      failed: ({ version }, from, err) => {
        downloadFailedAt = clock.now();
        log.warn({ err, compiler: version, from }, 'compiler could not be downloaded');
      },
    },
  });
  const cache = createOutputCache(options, newId);
  const runner = createNativeRunner(slots, stock.folders, compilerMemoryMiB);
  const compilers = createCompilers({
    catalog,
    pool,
    runner,
    reader: createOutputReader(compilerMemoryMiB),
    cache,
    memoryLimitMiB: compilerMemoryMiB,
    jobTimeoutMs,
    measureRuns: metrics.measureRuns,
    onHit: () => metrics.compilationReused('kept'),
    onJoin: () => metrics.compilationReused('shared'),
    onFault: (err) => log.warn({ err }, 'compiler output could not be cached or read'),
  });

  const search = new SearchThread();
  const { ipfsGateway } = options;
  const gateway =
    ipfsGateway === null ? null : createSourceGateway({ ipfsUrl: ipfsGateway, fetch: dependencies.fetch });
  const run = (job: ClaimedJob, progress: JobProgress) => {
    const chain = registry.get(job.chainId);
    if (chain === undefined) throw new Error(`Chain ${job.chainId} is no longer configured`);
    const parts = {
      compilers,
      search,
      gateway,
      candidates: repositories.candidates,
      compileTimeoutMs: jobTimeoutMs,
      creationReadMs: CREATION_READ_MS,
      creationSearchMs: creationSearchMs > 0 ? creationSearchMs : CREATION_READ_MS,
      onCodeUnavailable: (err: unknown) => log.warn({ err, ...subject(job) }, 'code could not be read'),
      onCreationUnavailable: (err: unknown) =>
        log.warn({ err, ...subject(job) }, 'creation could not be read'),
    };
    return runVerification(chain.source, job.address, job.submission, parts, progress);
  };
  const dispatcher = new JobDispatcher({
    repository: repositories.jobs,
    completions,
    run,
    clock,
    newId,
    process: dependencies.process ?? systemProcess(repositories.jobs),
    concurrency: options.runningJobs ?? concurrencyFor(workers),
    maxRunningBytes: heap.runningJobs,
    isAlone: announcements === NO_ANNOUNCEMENTS,
    leaseMs: options.leaseMs ?? 30_000,
    repeat,
    observer: {
      finished: (job, outcome) => {
        metrics.jobFinished(outcome);
        log.info({ outcome, ...subject(job) }, 'verification finished');
      },
      faulted: (job, err, errorId) =>
        log.error({ err, errorId, ...(job === null ? {} : subject(job)) }, 'verification fault'),
    },
  });
  const { keepBytecodesDays: keepDays } = options;
  const retention = new BytecodeRetention({
    repository: repositories.jobs,
    clock,
    keepMs: keepDays === null ? null : keepDays * DAY_MS,
    repeat,
    onFault: (err) => log.warn({ err }, 'old bytecodes of failed verifications could not be deleted'),
  });
  const { site = ROOT_SITE } = options;
  const proxies = createProxyResolver({
    nameOf: (chainId, address) => repositories.contracts.findName(chainId, address),
    clock,
    newId,
    timeoutMs: PROXY_TIMEOUT_MS,
    keepMs: PROXY_KEEP_MS,
    maxKept: MAX_KEPT_PROXIES,
    onFault: (err, { chainId, address }, errorId) =>
      log.warn({ err, chainId, address, errorId }, 'proxy could not be resolved'),
  });
  const service = createVerifyService({
    chains: registry,
    ...repositories,
    dispatcher,
    completions,
    queueRefusalOf: refusalOf,
    clock,
    newId,
    queueLimits: { jobs: options.queueLimit, bytes: options.queueMiB * BYTES_PER_MIB },
    firstPollMs: options.firstPollMs,
    publicPath: site.root,
  });
  const errors = createVerifyErrorMapper(newId);
  const build = { version: dependencies.version, gitCommit: dependencies.gitCommit ?? 'unknown' };

  const colours = new SourceColours();

  const preload = async (versions: readonly string[]): Promise<void> => {
    for (const version of versions.slice(0, workers)) {
      const found = await catalog.find({
        language: 'solc',
        version: normaliseVersion(version),
        kind: 'wasm',
      });
      if (found.kind === 'found') await pool.preload(found.executable);
      else log.warn({ version, lookedIn: found.lookedIn }, 'a compiler to preload was not found');
    }
  };

  /** What cannot be swept costs space and time, and is no reason not to serve. */
  const sweep = async (): Promise<void> => {
    try {
      const swept = await stock.sweep();
      if (swept.processes + swept.folders > 0)
        log.warn(swept, 'leftovers of the executables of a killed server were removed');
    } catch (err) {
      log.warn({ err }, 'leftovers of the executables of a killed server could not be removed');
    }
  };

  /** Other servers tell of jobs that they accept and end; without it they are found a little later. */
  const hear = (announcements: Announcements): readonly (() => void)[] => [
    announcements.on('job-waits', (chainId) => dispatcher.wake(chainId)),
    announcements.on('job-ended', (jobId) => {
      if (jobId === null) return;
      completions.announce(jobId);
      dispatcher.endedElsewhere(jobId);
    }),
  ];

  let isRunning = false;
  let unsubscribe: readonly (() => void)[] = [];
  const area = {
    name: 'verify' as const,
    paths: VERIFY_PATHS,
    routes: createVerifyRoutes(
      {
        bodies: dependencies.bodies ?? createBodyIntake(),
        maxBodyBytes: Math.min(MAX_BODY_BYTES, heap.largestSubmission),
        largeBodies,
        parsedRoom: new BodyBudget(heap.parsedBodies),
        service,
        ...repositories,
        clock,
        proxies,
        lookUpRoom: new ResponseMemoryBudget(new BodyBudget(heap.lookUps)),
        scanTurns: new ScanScheduler(),
        chains,
        build,
        stock: compilerStock,
        findOriginalSettings: createFindOriginalSettings(gateway, clock),
        errors,
        site,
        options,
      },
      colours,
    ),
    errors,
    async start() {
      if (dependencies.sweeps !== false) await sweep();
      await dispatcher.start();
      unsubscribe = hear(announcements);
      retention.start();
      isRunning = true;
      preload(options.preload).catch((err) => log.warn({ err }, 'compilers could not be preloaded'));
    },
    async close() {
      isRunning = false;
      for (const end of unsubscribe) end();
      await dispatcher.close();
      await retention.close();
      completions.close();
      // Jobs that still wait for a chain were given back and touch nothing any more.
      const ownPool = dependencies.pool === undefined ? [pool.close()] : [];
      await Promise.all([...ownPool, runner.close(), search.close(), largeBodies.close(), colours.close()]);
      await cache?.settled();
      await stock.close();
    },
    readiness: () => ({ ready: isRunning, members: { verify: { running: isRunning } } }),
  } satisfies Area;
  return {
    ...area,
    /** Ends running jobs unsuspected, so that the next process begins them again; part of closing. */
    giveJobsBack: () => dispatcher.close(),
    /** Compilers that can be run, for the operator's commands. */
    compilers: catalog,
    /** When a compiler last could not be downloaded, milliseconds since the epoch; null when that never happened. */
    get downloadFailedAt() {
      return downloadFailedAt;
    },
    /** Threads that hold a loaded compiler. */
    get loadedCompilers() {
      return pool.size;
    },
    management,
    chains,
    /**
     * Replaces the given code of a contract from now on; null takes it away.
     *
     * @throws ChainConfigError when the chain takes no given code, or this is none.
     */
    giveCode: (chainId: string, address: string, code: StaticCode | null) =>
      giveCode(registry, chainId, address, code),
    repositories,
    /** What calls and logs of contracts mean, as far as verified ABIs tell. */
    decodeCalls: createDecodeCalls(repositories.decoding),
    /** Answers everyone who waits for a job, and lets nobody wait from now on: the server is about to stop. */
    endWaiting: () => completions.close(),
    /** Requests that wait for a job now. */
    waitingRequests: () => completions.waiters,
    /** Resolves when no job runs. */
    idle: () => dispatcher.idle(),
  };
}

function subject(job: JobSubject): object {
  return { jobId: job.id, chainId: job.chainId, address: job.address };
}
