import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { Registry } from 'prom-client';
import type { Config } from './config.ts';
import { registerPoolMetrics } from './database-metrics.ts';
import type { InternalRequest } from './health-probes/api-probe.ts';
import { createHealthProbes } from './health-probes/create-health-probes.ts';
import { type Connect, createConnect } from './health-probes/services/open-connection.ts';
import type { Area } from './http/area.ts';
import { createBodyIntake } from './http/bodies/body-intake.ts';
import { shareHeap } from './http/bodies/heap-room.ts';
import { publicUrlOf } from './http/public-url.ts';
import {
  createImports,
  createLedgerWork,
  type ImportSettings,
  type LedgerWork,
} from './imports/ledger-tasks.ts';
import { LedgerThread } from './imports/ledger-thread.ts';
import { createLedgerCodeSource } from './ledger-code-source.ts';
import { aTransfer } from './mirror/fees/sample-transfer.ts';
import { createMirrorArea, type MirrorArea } from './mirror/index.ts';
import { registerIngestMetrics } from './mirror/ingest/report/ingest-metrics.ts';
import { describeIngestState, firstImport } from './mirror/ingest/report/ingest-state.ts';
import type { Overview } from './pages/landing/overview.ts';
import type { Site } from './pages/site/site-page.ts';
import { registerServerMetrics } from './server-metrics.ts';
import { startArea } from './start-area.ts';
import { createStatusArea, type StatusOptions } from './status/index.ts';
import { openStore } from './store/open-store.ts';
import type { Store } from './store/store.ts';
import type { Clock } from './values/clock.ts';
import { NANOS_PER_MILLISECOND, printTimestamp } from './values/consensus-timestamp.ts';
import type { Hex } from './values/hex.ts';
import { LedgerlensError } from './values/ledgerlens-error.ts';
import { type Repeat, type StartTimer, systemRepeat, systemTimer } from './values/repetition.ts';
import { withoutEnding } from './values/without-ending.ts';
import { type CompilerPool, createVerifyArea, type VerifyArea } from './verify/index.ts';
import { VERSION } from './version.ts';

/** What the product takes from its surroundings, so that tests can pass their own. */
export interface SystemDependencies {
  /** Default: that of the store. */
  readonly clock?: Clock;
  readonly fetch: typeof fetch;
  /** Default: the network of the operating system. */
  readonly connect?: Connect;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly randomUuid: () => string;
  readonly log: Logger;
  /** Default: the timers of the operating system. */
  readonly repeat?: Repeat;
  readonly startTimer?: StartTimer;
  /** Where `${NAME}` in a header of the chain configuration is looked up. */
  readonly environment: Readonly<Record<string, string | undefined>>;
}

/** Everything one process is made of; `buildApp` takes it as it is. */
export type Services = ReturnType<typeof assemble>;

/** Randomness and network of the operating system. */
export function systemDependencies(log: Logger): SystemDependencies {
  return { fetch, randomBytes, randomUuid: randomUUID, log, environment: process.env };
}

const IMPORT_LOOK_MS = 20;

/** How the services are used. */
export interface ServicesOptions {
  /** An open store, closed with the services. Default: that of the configuration, for a command. */
  readonly store?: Store;
  /** Loaded compilers, which stay open when the services close. Default: their own. */
  readonly pool?: CompilerPool;
  /** Whether this process made services before, and looked for what killed servers left. */
  readonly isAgain?: boolean;
}

/**
 * Opens the store and puts the three areas together.
 *
 * This is the one place that knows all areas: what one offers to another is passed in here.
 */
export async function createServices(
  config: Config,
  system: SystemDependencies,
  { isAgain = false, pool, store: open }: ServicesOptions = {},
): Promise<Services> {
  const store = open ?? (await openStore(config, { log: system.log }));
  try {
    return assemble(config, system, store, { pool, isAgain });
  } catch (error) {
    await store.close();
    throw error;
  }
}

/** A wrong path would otherwise only show when the first job looks for its compiler. */
function requireFolder(variable: string, path: string | null): void {
  if (path === null || statSync(path, { throwIfNoEntry: false })?.isDirectory() === true) return;
  throw new LedgerlensError('invalid_configuration', `${variable}: ${path} is not a folder`);
}

function assemble(
  config: Config,
  system: SystemDependencies,
  store: Store,
  { isAgain, pool }: { readonly isAgain: boolean; readonly pool: CompilerPool | undefined },
) {
  requireFolder('VERIFY_COMPILER_DIR', config.verify.compilerDir);
  const { clock = store.clock, log, repeat = systemRepeat, startTimer = systemTimer } = system;
  const metrics = new Registry();
  registerPoolMetrics(metrics, store.maintenance);
  const publicUrl = publicUrlOf(config.http);
  const site: Site = { root: pathOf(publicUrl), version: VERSION, statusUrl: config.status.url };
  const bodies = createBodyIntake(config.http.bodyMemoryMiB);
  // The text of the chains and what is read from it.
  const heap = shareHeap(2 * config.verify.chainsJson.length);
  const mirror: MirrorArea = createMirrorArea({
    bodies,
    store: store.mirror,
    clock,
    log,
    announcements: store.announcements,
    ingest: () => ingestStates().map((state) => describeIngestState(state, clock.now())),
    importing: () => importing(),
    options: {
      ...config.mirror,
      linkBase: config.mirror.includesHostInLinks ? publicUrl : '',
      site,
      publicUrl: config.http.publicUrl,
      decode: async (requests) => {
        const chain = verify.chains.find(({ ledger }) => ledger)?.chainId;
        if (chain === undefined) return requests.map(() => null);
        return verify.decodeCalls.decodeAll(requests.map((request) => ({ ...request, chain })));
      },
      sourceStates: (evmAddress) =>
        Promise.all(
          verify.chains
            .filter(({ ledger }) => ledger)
            .map(async ({ chainId }) => {
              const verifiedAs = await verify.repositories.contracts.findName(chainId, evmAddress as Hex);
              return { chainId, verifiedAs };
            }),
        ),
    },
  });
  const verify = createVerifyArea({
    bodies,
    heap,
    store: store.verify,
    clock,
    randomUuid: system.randomUuid,
    fetch: system.fetch,
    log,
    metrics,
    version: VERSION,
    gitCommit: config.gitCommit,
    environment: system.environment,
    repeat,
    startTimer,
    announcements: store.announcements,
    // One server imports one network: every chain of the ledger is that network.
    ledgerSource: () => ({
      ...createLedgerCodeSource(mirror.contractCodes),
      logs: mirror.contractLogs,
    }),
    ...(pool === undefined ? {} : { pool }),
    sweeps: !isAgain,
    options: {
      ...config.verify,
      outputCacheDir: outputCacheFolder(config),
      site,
    },
  });
  const settings: ImportSettings = {
    addressBookPath: config.mirror.addressBook,
    options: {
      verify: config.mirror.verify,
      consensusRatio: config.mirror.consensusRatio,
      start: config.mirror.start,
      end: config.mirror.end,
      proofs: config.mirror.proofs,
      shard: config.mirror.shard,
      realm: config.mirror.realm,
    },
  };
  const imports = createImports(store.mirror, mirror.ledger, settings, { log });
  const { shared } = store.maintenance;
  const ledgerWork: LedgerWork =
    shared === null
      ? createLedgerWork(store.mirror, createImports(store.mirror, mirror.ledger, settings, { log }), log)
      : new LedgerThread(
          {
            store: shared,
            settings: { ...settings, options: { ...settings.options, sharesCommits: false } },
          },
          log,
        );
  const ingestStates = () => [...imports.states(), ...ledgerWork.states()];
  const importing = untilNull(() => firstImport(config.mirror.importPaths, ledgerWork.states()));
  registerIngestMetrics(metrics, ingestStates, clock, () => mirror.missingSidecars().sidecars);
  const closing = new AbortController();
  const inside: { request: InternalRequest | null } = { request: null };
  const status = createStatusArea({
    bodies,
    store: store.status,
    clock,
    randomness: system.randomBytes,
    log,
    probes: createHealthProbes({
      config,
      maintenance: store.maintenance,
      verify,
      networkVersion: () => mirror.networkVersion(),
      ingestStates,
      registry: metrics,
      clock,
      fetch: system.fetch,
      connect: system.connect ?? createConnect(),
      signal: closing.signal,
      feeSample: aTransfer(1),
      request: () => inside.request,
    }),
    metrics,
    repeat,
    startTimer,
    options: statusOptions(config, publicUrl),
  });
  registerServerMetrics(metrics, {
    version: VERSION,
    gitCommit: config.gitCommit,
    maintenance: store.maintenance,
    components: status.service,
  });
  const areas = [verify, status, mirror];
  const drain = { isDraining: false };
  let hasStarted = false;
  return {
    verify,
    status,
    mirror,
    storage: { readiness: () => storageReadiness(store.maintenance, hasStarted) },
    metrics,
    heap,
    log,
    imports,
    drain,
    site: {
      version: VERSION,
      dialect: config.mirror.dialect,
      publicUrl,
      statusUrl: config.status.url,
      sampleTransaction: aTransfer(1),
      overview: async () => ({
        status: await status.service.readOverallStatus(),
        ledger: await ledgerHead(store, mirror),
        chains: verify.chains.filter(({ supported }) => supported),
        verified: await newestVerified(verify),
        now: clock.now(),
      }),
    },
    /** Tells balancers to send no new requests and answers those that are held. */
    beginDraining(): void {
      drain.isDraining = true;
      // The application may close at any moment now; a probe of one that is closed would report a fault.
      inside.request = null;
      verify.endWaiting();
    },
    /** Begins the background work of all areas. @param app what clients reach: the status page asks it how it is. */
    async start(app: Pick<FastifyInstance, 'inject'>): Promise<void> {
      inside.request = async (request) => app.inject(request);
      for (const area of areas) await startArea(area, { log, signal: closing.signal });
      if (closing.signal.aborted) return;
      hasStarted = true;
      const { importPaths, keepDays, live, watchPaths, watchPeriodMs } = config.mirror;
      ledgerWork.begin({ importPaths, watchPaths, live, watchPeriodMs, keepDays });
    },
    /** Gives running verifications back to the queue ahead of `close`, which may come too late for them. */
    giveJobsBack: () => verify.giveJobsBack(),
    /** Resolves when the import is over that the server begins with. */
    async imported(): Promise<void> {
      while (importing() !== null) await pause(IMPORT_LOOK_MS);
    },
    /** Ends the background work and closes the store. May be called twice. */
    async close(): Promise<void> {
      closing.abort();
      await Promise.all([imports.close(), ledgerWork.close()]);
      for (const area of areas) await area.close();
      await store.close();
    },
  };
}

/** Not before the areas work, which needs the database. Reads work while writes fail; a server whose file is gone must get no requests, since its answers are history, nor must one whose file is damaged. */
function storageReadiness(
  maintenance: Store['maintenance'],
  hasStarted: boolean,
): ReturnType<Area['readiness']> {
  const { reason, writes } = maintenance.writes();
  const damage = maintenance.damage();
  const clock = maintenance.ownClock()?.warning ?? null;
  const told = Object.entries({ reason, damage, clock }).filter(([, text]) => text !== null);
  const database = { writes, ...Object.fromEntries(told) };
  return { ready: hasStarted && writes !== 'refused' && damage === null, members: { database } };
}

/** Settings of the status page; `publicUrl` is the address of the server. */
export function statusOptions(config: Config, publicUrl = publicUrlOf(config.http)): StatusOptions {
  const { logoFile, url } = config.status;
  return {
    ...config.status,
    logo: logoFile === null ? null : readFileSync(logoFile),
    pageUrl: url ?? `${publicUrl}/status`,
    apiUrl: publicUrl,
    publicPath: pathOf(publicUrl),
    ownPath: url === null ? '' : pathOf(url),
    version: VERSION,
  };
}

async function ledgerHead({ mirror: { reader } }: Store, mirror: MirrorArea): Promise<Overview['ledger']> {
  const end = await reader.newestConsensusEnd();
  if (end === null) return null;
  return {
    newestAt: Number(end / NANOS_PER_MILLISECOND),
    newestTimestamp: printTimestamp(end),
    networkVersion: mirror.networkVersion(),
  };
}

async function newestVerified({ chains, repositories }: VerifyArea): Promise<Overview['verified']> {
  const [newest] = await repositories.contracts.listRecent({ chainId: null, limit: 1, beforeMatchId: null });
  // A chain may have been taken out of the configuration since.
  return newest !== undefined && chains.some(({ chainId }) => chainId === newest.chainId) ? newest : null;
}

/** Null when the database is in memory and nobody named a folder: outputs are in memory as well then. */
function outputCacheFolder({ database: { folder }, verify: { outputCacheDir } }: Config): string | null {
  return outputCacheDir ?? (folder === null ? null : join(folder, 'compiler-outputs'));
}

/** What is over stays over: a later attempt after a fault is not the first one. */
function untilNull<T>(ask: () => T | null): () => T | null {
  let isOver = false;
  return () => {
    const answer = isOver ? null : ask();
    isOver = answer === null;
    return answer;
  };
}

/** Empty for the root, else without a trailing slash. */
function pathOf(url: string): string {
  return withoutEnding(new URL(url).pathname, '/');
}
