import type { Clock } from '../../values/clock.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import type { LedgerReader } from './ledger-reader.ts';

export const WATERMARK_HEADER = 'x-last-block-consensus-timestamp';

/** How long it may be behind, so that pages need not ask for it each time. */
const WATERMARK_MS = 500;

/** The printed end of the newest unit, at most half a second old; null in an empty ledger. */
export type Watermark = () => string | null;

/** @see contracts/mirror-transactions.md section 7, x-last-block-consensus-timestamp */
export function createWatermark(ledger: LedgerReader, clock: Clock): Watermark {
  let value: string | null = null;
  let readAt: number | null = null;
  return () => {
    const now = clock.now();
    if (readAt === null || Math.abs(now - readAt) >= WATERMARK_MS) {
      const end = ledger.newestConsensusEnd();
      value = end === null ? null : printTimestamp(end);
      readAt = now;
    }
    return value;
  };
}
