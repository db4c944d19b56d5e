import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { AreaName } from '../http/area.ts';
import { areasByPath } from '../http/area-paths.ts';
import type { IngestState } from '../mirror/ingest/report/ingest-state.ts';
import { MIRROR_PATHS } from '../mirror/paths.ts';
import {
  BUILT_IN_PARTS,
  everyMinute,
  fillTemplate,
  type HealthProbe,
  type ProbeSample,
  worstSample,
} from '../status/index.ts';
import { type Limits, levelAbove } from '../status/monitor/thresholds.ts';
import { STATUS_PATHS } from '../status/paths.ts';
import type { DatabaseHealth } from '../storage/database-health.ts';
import type { Maintenance } from '../store/store.ts';
import type { Clock } from '../values/clock.ts';
import { NANOS_PER_SECOND } from '../values/consensus-timestamp.ts';
import { isStorageError, StorageBusyError } from '../values/storage-errors.ts';
import { type ChainSettings, readChainId, type VerifyArea } from '../verify/index.ts';
import { VERIFY_PATHS } from '../verify/paths.ts';
import { createApiProbe, createFeeProbe, type InternalRequest, type ProbeTools } from './api-probe.ts';
import { createServiceProbes } from './services/check-service.ts';
import type { Connect } from './services/open-connection.ts';

interface HealthProbesDependencies {
  readonly config: Config;
  readonly maintenance: Pick<Maintenance, 'health' | 'freeShare'>;
  readonly verify: VerifyArea;
  /** Version that the network runs, as the newest ledger unit tells; null when it does not. */
  readonly networkVersion: () => string | null;
  readonly ingestStates: () => readonly IngestState[];
  readonly registry: Registry;
  readonly clock: Clock;
  readonly fetch: typeof fetch;
  readonly connect: Connect;
  /** Ends what is asked of other services. */
  readonly signal: AbortSignal;
  /** A serialized transaction for the fee estimate. */
  readonly feeSample: Buffer;
  /** Null before the application serves. */
  readonly request: () => InternalRequest | null;
}

/** Whose requests a route counts for. */
const AREAS = areasByPath([
  { name: 'status', paths: STATUS_PATHS },
  { name: 'mirror', paths: MIRROR_PATHS },
  { name: 'verify', paths: VERIFY_PATHS },
]);

/** A job that cannot exist: the answer is 404 after one look into the database. */
const UNKNOWN_JOB = '/v2/verify/00000000-0000-4000-8000-000000000000';

/**
 * The probes of this server's parts, in the order of their components; a part that is not used has none.
 *
 * @see contracts/status.md section 7
 */
export function createHealthProbes(dependencies: HealthProbesDependencies): readonly HealthProbe[] {
  const { config, verify, ingestStates, registry, clock, feeSample, request } = dependencies;
  const stopwatch = () => performance.now();
  const { live, watchPaths, verify: level } = config.mirror;
  const names = [...watchPaths, ...live.map(({ name }) => name)];
  const followed = () => ingestStates().filter(({ source }) => names.includes(source));
  const isFollowing = names.length > 0;
  // Who follows nothing but another mirror has chosen to believe it.
  const isBelieving = watchPaths.length === 0 && live.every(({ kind }) => kind === 'mirror');
  const required = isBelieving ? 'none' : level === 'strict' ? 'signatures' : level;
  const { probesOff, thresholds } = config.status;
  const isOf = (name: AreaName) => (route: string) => AREAS.of(route).name === name;
  const api = { request, registry, clock, stopwatch, thresholds };
  const probes = [
    createApiProbe({
      ...api,
      name: 'verification-api',
      isOwn: isOf('verify'),
      url: UNKNOWN_JOB,
      expected: 404,
    }),
    createQueueProbe(verify, clock, thresholds.queue),
    createCompilersProbe(verify, clock),
    {
      ...createApiProbe({
        ...api,
        name: 'mirror-api',
        isOwn: isOf('mirror'),
        url: '/api/v1/transactions?limit=1',
        expected: 200,
      }),
      displayName: mirrorName(config.status, dependencies.networkVersion),
    },
    ...(isFollowing
      ? [createFreshnessProbe({ states: followed, required, clock, limits: thresholds.lag })]
      : []),
    createFeeProbe({ ...api, sample: feeSample }),
    createDatabaseProbe({
      ...api,
      health: dependencies.maintenance.health,
      freeShare: () => dependencies.maintenance.freeShare(),
    }),
    ...(isFollowing ? [createSourceProbe({ states: followed })] : []),
    ...createChainProbes(verify.chains, dependencies.fetch, clock, stopwatch),
    ...createServiceProbes(config.status.services, {
      fetch: dependencies.fetch,
      connect: dependencies.connect,
      clock,
      stopwatch,
      signal: dependencies.signal,
    }),
  ];
  return probes.filter(({ name }) => !probesOff.includes(name) && !probesOff.includes('all'));
}

/** What the component of the mirror API is called by the configuration, as far as it is known; null: as it is. */
function mirrorName(
  { mirrorName: template, network }: { readonly mirrorName: string | null; readonly network: string | null },
  networkVersion: () => string | null,
): () => string | null {
  const part = BUILT_IN_PARTS.find(({ component }) => component.probe === 'mirror-api');
  if (template === null || part === undefined) return () => null;
  const { name } = part.component;
  return () => fillTemplate(template, { network, version: networkVersion(), name });
}

const TIMEOUT_MS = 5_000;

/**
 * One probe for each chain that has JSON-RPC endpoints: every minute they are asked for their chain number.
 *
 * Some that fail or serve another chain degrade it, all of them are an outage. Addresses are not logged: they
 * may hold keys. The response time is that of the first endpoint that works, which verifications ask too.
 */
export function createChainProbes(
  chains: readonly ChainSettings[],
  ask: typeof fetch,
  clock: Clock,
  stopwatch: () => number,
): readonly HealthProbe[] {
  return chains
    .filter(({ rpc }) => rpc.length > 0)
    .map((chain) => {
      const { chainId, name, title, rpc } = chain;
      const isTime = everyMinute(clock);
      return {
        name: `chain:${chainId}`,
        part: {
          group: 'Chains',
          component: { name: title ?? name, description: `JSON-RPC of chain ${chainId}` },
        },
        async check() {
          if (!isTime()) return null;
          const took = await Promise.all(
            rpc.map(async ({ url, headers = {} }): Promise<number | null> => {
              const begin = stopwatch();
              try {
                const told = await readChainId(ask, { url, headers, timeoutMs: TIMEOUT_MS, trace: null });
                return told === null || told === chainId ? stopwatch() - begin : null;
              } catch {
                return null;
              }
            }),
          );
          const times = took.filter((each) => each !== null);
          const [durationMs] = times;
          if (durationMs === undefined) {
            return { level: 'major_outage', detail: `0 of ${rpc.length} endpoints respond` };
          }
          if (times.length === rpc.length) return { level: 'operational', detail: null, durationMs };
          const detail = `${times.length} of ${rpc.length} endpoints respond`;
          return { level: 'degraded_performance', detail, durationMs };
        },
      };
    });
}

interface DatabaseProbeParts extends ProbeTools {
  readonly health: DatabaseHealth;
  /** Free share of the disk of the database, 0 to 1; null when it has none. */
  readonly freeShare: () => Promise<number | null>;
}

/** The database: one small write and read, and the disk under it. @see contracts/status.md section 7 */
export function createDatabaseProbe(parts: DatabaseProbeParts): HealthProbe {
  const { health, clock, stopwatch, freeShare, thresholds } = parts;
  let busySince: number | null = null;

  async function useRow(): Promise<ProbeSample> {
    const begin = stopwatch();
    try {
      await health.check(clock.now());
    } catch (error) {
      if (error instanceof StorageBusyError) {
        busySince ??= begin;
        // A commit of another thread takes seconds at most.
        const level = levelAbove((begin - busySince) / 1000, thresholds.lock);
        return { level, detail: error.reason };
      }
      // Whatever the driver says, the database does not work.
      return { level: 'major_outage', detail: reasonOf(error) };
    }
    busySince = null;
    const ms = stopwatch() - begin;
    const level = levelAbove(ms, thresholds.database);
    return { level, detail: `a row took ${Math.round(ms)} ms`, durationMs: ms };
  }

  return {
    name: 'database',
    async check() {
      const free = await freeShare();
      const used = free === null ? 0 : 100 * (1 - free);
      const disk: ProbeSample = {
        level: levelAbove(used, thresholds.disk),
        detail: `${Math.floor(100 - used)} % of the disk is free`,
      };
      const row = await useRow();
      return { ...worstSample([row, disk]), durationMs: row.durationMs };
    },
  };
}

function reasonOf(error: unknown): string {
  if (isStorageError(error)) return error.reason;
  return error instanceof Error ? error.message : String(error);
}

interface LedgerProbeParts {
  /** The sources that the server follows. */
  readonly states: () => readonly IngestState[];
  /** What a stored unit must have proved at least. */
  readonly required: 'signatures' | 'chain' | 'none';
  readonly clock: Clock;
  /** Of the seconds that the ledger may lie behind. */
  readonly limits: Limits;
}

const STRENGTH: Readonly<Record<LedgerProbeParts['required'], number>> = { none: 0, chain: 1, signatures: 2 };

/**
 * How far the imported ledger lies behind, whether it has a gap, and whether it proves what is asked of it.
 *
 * @see contracts/status.md section 7
 */
export function createFreshnessProbe({ states, required, clock, limits }: LedgerProbeParts): HealthProbe {
  return {
    name: 'mirror-freshness',
    async check() {
      const followed = states();
      const newest = followed.reduce(
        (latest, { lastConsensusTimestamp: last }) => (last !== null && last > latest ? last : latest),
        0n,
      );
      if (newest === 0n) return { level: 'major_outage', detail: 'the ledger is empty' };
      const lag = Math.max(0, clock.now() / 1000 - Number(newest / NANOS_PER_SECOND));
      const level = levelAbove(lag, limits);
      return worstSample([
        { level, detail: `the ledger is ${Math.round(lag)} s behind` },
        // One of several sources may stop where another goes on.
        ...(level === 'operational' && followed.some(goesOn) ? [] : followed.flatMap(gapOf)),
        ...followed.flatMap((state) => weaknessOf(state, required)),
      ]);
    },
  };
}

function goesOn({ gap, state }: IngestState): boolean {
  return gap === null && state !== 'failed';
}

function gapOf({ gap, state }: IngestState): readonly ProbeSample[] {
  if (gap === null) return [];
  const reason = state === 'fork' ? 'the source has a different ledger before' : 'the import stops before';
  return [{ level: 'partial_outage', detail: `${reason} ${gap.name}` }];
}

function weaknessOf(
  { verification }: IngestState,
  required: LedgerProbeParts['required'],
): readonly ProbeSample[] {
  if (verification === null || STRENGTH[verification] >= STRENGTH[required]) return [];
  return [
    { level: 'degraded_performance', detail: `the newest unit has only proof level "${verification}"` },
  ];
}

/** Whether the sources can be read. @see contracts/status.md section 7 */
export function createSourceProbe({ states }: Pick<LedgerProbeParts, 'states'>): HealthProbe {
  return {
    name: 'upstream-records',
    async check() {
      const all = states();
      const failed = all.filter(({ state }) => state === 'failed').length;
      if (failed === 0) return { level: 'operational', detail: null };
      const level = failed === all.length ? 'major_outage' : 'partial_outage';
      return { level, detail: `${failed} of ${all.length} sources cannot be imported from` };
    },
  };
}

type Queue = Pick<VerifyArea, 'readiness' | 'repositories'>;

/** The age of the job that waits longest, and whether anybody takes jobs. @see contracts/status.md section 7 */
export function createQueueProbe(verify: Queue, clock: Clock, limits: Limits): HealthProbe {
  return {
    name: 'verification-queue',
    async check() {
      if (!verify.readiness().ready) return { level: 'major_outage', detail: 'no job is being taken' };
      const oldest = await verify.repositories.jobs.oldestWaiting();
      const seconds = oldest === null ? 0 : Math.round((clock.now() - oldest) / 1000);
      const level = levelAbove(seconds, limits);
      return { level, detail: `the oldest job waits for ${seconds} s` };
    },
  };
}

const FAILURE_COUNTS_MS = 15 * 60_000;

/**
 * Compilers that can be run: none at all, some that must not be, or downloads that failed.
 *
 * Nothing is compiled for it: that would load a compiler into a server that may never need one.
 *
 * @see contracts/status.md section 7
 */
export function createCompilersProbe(
  verify: Pick<VerifyArea, 'compilers' | 'downloadFailedAt'>,
  clock: Clock,
): HealthProbe {
  // Reading the folders of compilers is no work for every round.
  const isTime = everyMinute(clock);
  return {
    name: 'compilers',
    async check() {
      if (!isTime()) return null;
      const { compilers, problems } = await verify.compilers.list();
      if (compilers.length === 0) return { level: 'major_outage', detail: 'no compiler is available' };
      const failed = verify.downloadFailedAt;
      const hasFailed = failed !== null && clock.now() - failed < FAILURE_COUNTS_MS;
      return worstSample([
        ...(hasFailed
          ? [{ level: 'degraded_performance', detail: 'a compiler could not be downloaded' } as const]
          : []),
        ...(problems.length > 0
          ? [
              {
                level: 'degraded_performance',
                detail: `${problems.length} compiler sources have problems`,
              } as const,
            ]
          : []),
      ]);
    },
  };
}
