import { everyMinute, type HealthProbe, worstSample } from '../status/index.ts';
import { type Limits, levelAbove } from '../status/monitor/thresholds.ts';
import type { Clock } from '../values/clock.ts';
import type { VerifyArea } from '../verify/index.ts';

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
