import type { HealthProbe, ProbeSample } from '../status/index.ts';
import type { DatabaseHealth } from '../storage/database-health.ts';
import type { Clock } from '../values/clock.ts';
import { levelAbove, worstSample } from './level-above.ts';

export interface DatabaseProbeParts {
  readonly health: DatabaseHealth;
  readonly clock: Clock;
  /** Milliseconds of a clock that never jumps. */
  readonly stopwatch: () => number;
  /** Free share of the disk of the database, 0 to 1; null when it has none. */
  readonly freeShare: () => Promise<number | null>;
}

/** A commit of another thread takes seconds at most; who holds the lock longer keeps everybody from writing. */
const BUSY_LIMITS = [
  [300_000, 'partial_outage'],
  [60_000, 'degraded_performance'],
] as const;

/** The database: one small write and read, and the disk under it. @see contracts/status.md section 7 */
export function createDatabaseProbe({
  health,
  clock,
  stopwatch,
  freeShare,
}: DatabaseProbeParts): HealthProbe {
  let busySince: number | null = null;

  function useRow(): ProbeSample {
    const begin = stopwatch();
    try {
      if (!health.check(clock.now())) {
        busySince ??= begin;
        const level = levelAbove(begin - busySince, BUSY_LIMITS);
        return { level, detail: 'another process holds the write lock' };
      }
    } catch (error) {
      // Whatever the driver says, the database does not work.
      return { level: 'major_outage', detail: error instanceof Error ? error.message : String(error) };
    }
    busySince = null;
    const ms = stopwatch() - begin;
    const level = levelAbove(ms, [
      [2000, 'partial_outage'],
      [250, 'degraded_performance'],
    ]);
    return { level, detail: `a row took ${Math.round(ms)} ms` };
  }

  return {
    name: 'database',
    async check() {
      const free = await freeShare();
      const used = free === null ? 0 : 1 - free;
      const disk: ProbeSample = {
        level: levelAbove(used, [
          [0.99, 'major_outage'],
          [0.95, 'partial_outage'],
          [0.85, 'degraded_performance'],
        ]),
        detail: `${Math.floor((1 - used) * 100)} % of the disk is free`,
      };
      return worstSample([useRow(), disk]);
    },
  };
}
