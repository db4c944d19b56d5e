import type { HealthProbe, ProbeSample } from '../status/index.ts';
import { levelAbove, type Thresholds } from '../status/monitor/thresholds.ts';
import type { DatabaseHealth } from '../storage/database-health.ts';
import type { Clock } from '../values/clock.ts';
import { isStorageError, StorageBusyError } from '../values/storage-errors.ts';
import { worstSample } from './worst-sample.ts';

interface DatabaseProbeParts {
  readonly health: DatabaseHealth;
  readonly clock: Clock;
  /** Milliseconds of a clock that never jumps. */
  readonly stopwatch: () => number;
  readonly thresholds: Thresholds;
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
