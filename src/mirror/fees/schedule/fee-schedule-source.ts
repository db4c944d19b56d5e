import type { Clock } from '../../../values/clock.ts';
import { type EntityId, entityId } from '../../../values/entity-id.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import type { FileRepository, FileVersion } from '../../ledger/files/file-repository.ts';
import { SYSTEM_FILE } from '../../vocabulary/system-files.ts';
import { InvalidFeeScheduleError } from '../fee-errors.ts';
import { decodeFeeSchedule, type FeeSchedule } from './fee-schedule.ts';

/** Where a schedule comes from: the product, the operator's file, or the ledger at a consensus time. */
export type ScheduleOrigin = 'bundled' | 'file' | bigint;

interface CurrentSchedule {
  readonly schedule: FeeSchedule;
  readonly origin: ScheduleOrigin;
}

/** Gives the schedule that estimates use. */
export type FeeScheduleSource = ReturnType<typeof createFeeScheduleSource>;

interface FeeScheduleSourceOptions {
  /** In use until the ledger's own schedule was imported; null for none. */
  readonly initial: CurrentSchedule | null;
  readonly files: Pick<FileRepository, 'newestVersion'>;
  readonly clock: Clock;
  /** Encoded id of the schedule's file. Default 0.0.113. */
  readonly file?: EntityId;
  /** Milliseconds between looks at the ledger's file. Default 1000; 0 looks at every call. */
  readonly recheckMs?: number;
  /** Told of a version that is not used, and of a store that cannot be read while an older schedule stays. */
  readonly reportFault?: (error: unknown) => void;
}

/** @see contracts/fees-estimate.md section 9.1 */
const FEE_SCHEDULE_FILE = entityId(SYSTEM_FILE.SIMPLE_FEE_SCHEDULE);

const DEFAULT_RECHECK_MS = 1000;

/**
 * Follows the ledger's fee schedule: the newest version of its file that decodes and is valid.
 *
 * A large schedule arrives as an update and several appends, each its own transaction; until the last one the file
 * is no schedule, and the version before stays in use.
 *
 * @see contracts/fees-estimate.md section 9.1
 */
export function createFeeScheduleSource(options: FeeScheduleSourceOptions) {
  const { files, clock, file = FEE_SCHEDULE_FILE, recheckMs = DEFAULT_RECHECK_MS } = options;
  let current = options.initial;
  let newestSeen: bigint | null = null;
  let checkedAt: number | null = null;
  let running: Promise<void> | null = null;

  async function followLedger(): Promise<void> {
    let version = await files.newestVersion(file, 0n, MAX_INT64);
    const newest = version?.lastTimestamp ?? null;
    while (newest !== newestSeen && version !== null) {
      const schedule = tryDecode(version, options.reportFault);
      if (schedule !== null) {
        current = { schedule, origin: version.lastTimestamp };
        break;
      }
      // Without its last piece, or without the whole version: the newest state before it.
      version = await files.newestVersion(file, 0n, version.lastTimestamp - 1n);
      if (version !== null && version.lastTimestamp === newestSeen) break;
    }
    newestSeen = newest;
    checkedAt = clock.now();
  }

  function look(): Promise<void> {
    running ??= followLedger().finally(() => {
      running = null;
    });
    return running;
  }

  return {
    /** Looks at the ledger's file now, for example after an import. */
    async refresh() {
      // A look that began before the import may not see it.
      await running?.catch(() => {});
      await look();
    },
    /**
     * The newest valid schedule; null when there is none.
     *
     * Looks at the ledger's file at most once per `recheckMs`, and only then there is something to wait for. When the
     * ledger cannot be read, the last good schedule stays in use.
     *
     * @throws whatever the store threw when the ledger could not be read even once: which prices hold is then unknown.
     */
    current(): CurrentSchedule | null | Promise<CurrentSchedule | null> {
      const now = clock.now();
      if (checkedAt === null) return look().then(() => current);
      if (now - checkedAt < recheckMs && now >= checkedAt) return current;
      return look()
        .catch((error: unknown) => {
          checkedAt = now;
          options.reportFault?.(error);
        })
        .then(() => current);
    },
  };
}

function tryDecode(version: FileVersion, reportFault?: (error: unknown) => void): FeeSchedule | null {
  try {
    return decodeFeeSchedule(version.contents);
  } catch (error) {
    if (!(error instanceof InvalidFeeScheduleError)) throw error;
    reportFault?.(error);
    return null;
  }
}
