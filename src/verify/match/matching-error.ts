import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** Recompiled code, artifacts or auxdata are not what the matching expects; the side counts as "no match". */
export class MatchingError extends LedgerlensError {
  constructor(message: string, details: Readonly<Record<string, unknown>> = {}) {
    super('matching_failed', message, { details });
  }
}
