import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** There while a copy into the database is not complete. */
export const COPY_PROGRESS = 'copy_progress';

/** Half of a ledger would be served as the whole, and grow beyond what the copy continues after. */
export function incompleteCopy(url: string): LedgerlensError {
  return new LedgerlensError(
    'incomplete_copy',
    `${url} is an incomplete copy: run the same "ledgerlens copy" again`,
  );
}
