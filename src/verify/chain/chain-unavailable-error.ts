import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** No endpoint of a chain gave a usable answer. */
export class ChainUnavailableError extends LedgerlensError {
  constructor(method: string, reasons: readonly string[], cause?: unknown) {
    super('chain_unavailable', `No endpoint answered ${method}: ${reasons.join('; ')}`, {
      details: { method, reasons },
      cause,
    });
  }
}
