import { LedgerlensError } from '../../../values/ledgerlens-error.ts';

/** A block whose items do not make transactions. */
export function malformed(reason: string): LedgerlensError {
  return new LedgerlensError('malformed', reason);
}
