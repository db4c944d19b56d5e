import type { Clock } from '../../values/clock.ts';
import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { type MaybePromise, mapMaybe } from '../../values/map-maybe.ts';
import type { LedgerReader } from './ledger-reader.sql.ts';

export const WATERMARK_HEADER = 'x-last-block-consensus-timestamp';

/** How long facts of the ledger may be behind, so that pages need not ask for them each time. */
const RECENT_MS = 500;

/** The printed end of the newest unit, at most half a second old; null in an empty ledger. */
export type Watermark = Recent<string | null>;

/** Differs between ledgers and after stored rows were changed; at most half a second old. */
export type Edition = Recent<string>;

/** A fact of the ledger that is asked again after a while, or when it was forgotten. */
interface Recent<T> {
  (): MaybePromise<T>;
  /** The ledger has just changed. */
  forget(): void;
}

/** @see contracts/mirror-transactions.md section 7, x-last-block-consensus-timestamp */
export function createWatermark(ledger: Pick<LedgerReader, 'newestConsensusEnd'>, clock: Clock): Watermark {
  return recently(
    () => mapMaybe(ledger.newestConsensusEnd(), (end) => (end === null ? null : printTimestamp(end))),
    clock,
  );
}

/** What the tags of lists need beside their rows. */
export function createEdition(ledger: Pick<LedgerReader, 'edition'>, clock: Clock): Edition {
  return recently(() => ledger.edition(), clock);
}

/** Asks once, however many want to know meanwhile; an answer that failed is no answer. */
function recently<T>(read: () => MaybePromise<T>, clock: Clock): Recent<T> {
  let known: { readonly value: MaybePromise<T>; readonly at: number } | null = null;
  const recent = () => {
    const now = clock.now();
    if (known !== null && Math.abs(now - known.at) < RECENT_MS) return known.value;
    const value = read();
    known = { value, at: now };
    if (value instanceof Promise) {
      value.then(
        (arrived) => {
          if (known?.value === value) known = { value: arrived, at: now };
        },
        () => {
          if (known?.value === value) known = null;
        },
      );
    }
    return value;
  };
  return Object.assign(recent, {
    forget() {
      known = null;
    },
  });
}
