import type { Clock } from '../../values/clock.ts';
import type { LedgerRepository } from '../ledger/ledger-repository.ts';

/** The commit that units share while an import catches up. */
export interface CommitBatch {
  /** Called before a unit is stored. */
  open(): void;
  /**
   * Called after a unit; ends the commit when it has enough, or when the unit is of the last seconds.
   *
   * @returns whether the unit is durable now.
   */
  stored(consensusEnd: bigint): boolean;
  /** Ends the commit when one is open; what was stored until then stays. */
  end(): void;
}

/** @see contracts/streams.md section 11, row Crash */
const MAX_UNITS = 25;
/** Other processes wait for the write lock meanwhile. */
const MAX_MS = 200;
const LIVE_NANOS = 20_000_000_000n;

/**
 * Units written one after the other change the same pages: sharing a commit writes these once.
 *
 * Either all units of a commit are stored or none; an import that is killed begins again with the first of them.
 */
export function createCommitBatch(
  repository: Pick<LedgerRepository, 'beginCommit' | 'endCommit'>,
  clock: Clock,
): CommitBatch {
  let units = 0;
  let openedMs: number | null = null;
  const end = () => {
    if (openedMs === null) return;
    openedMs = null;
    units = 0;
    repository.endCommit();
  };
  return {
    open() {
      if (openedMs !== null) return;
      repository.beginCommit();
      openedMs = clock.now();
    },
    stored(consensusEnd) {
      units++;
      const isLive = consensusEnd > BigInt(clock.now()) * 1_000_000n - LIVE_NANOS;
      if (units < MAX_UNITS && !isLive && clock.now() - (openedMs ?? 0) < MAX_MS) return false;
      end();
      return true;
    },
    end,
  };
}

/** Every unit has a commit of its own: the write lock is held only while its rows are written. */
export const separateCommits: CommitBatch = { open() {}, stored: () => true, end() {} };
