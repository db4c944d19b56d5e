import type { Registry } from 'prom-client';
import type { Config } from '../config.ts';
import type { AreaName } from '../http/area.ts';
import { areasByPath } from '../http/area-paths.ts';
import type { IngestState } from '../mirror/ingest/report/ingest-state.ts';
import { MIRROR_PATHS } from '../mirror/paths.ts';
import { BUILT_IN_PARTS, fillTemplate, type HealthProbe } from '../status/index.ts';
import { STATUS_PATHS } from '../status/paths.ts';
import type { Maintenance } from '../store/store.ts';
import type { Clock } from '../values/clock.ts';
import type { VerifyArea } from '../verify/index.ts';
import { VERIFY_PATHS } from '../verify/paths.ts';
import { createApiProbe, type InternalRequest } from './api-probe.ts';
import { createChainProbes } from './chain-probes.ts';
import { createDatabaseProbe } from './database-probe.ts';
import { createFeeProbe } from './fee-probe.ts';
import { createFreshnessProbe, createSourceProbe } from './ledger-probes.ts';
import { createServiceProbes } from './services/create-service-probes.ts';
import type { Connect } from './services/open-connection.ts';
import { createCompilersProbe, createQueueProbe } from './verification-probes.ts';

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
    createFeeProbe({ sample: feeSample, request, clock, stopwatch, limits: thresholds.estimate }),
    createDatabaseProbe({
      health: dependencies.maintenance.health,
      clock,
      stopwatch,
      thresholds,
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
