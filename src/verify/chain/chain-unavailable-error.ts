import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** No endpoint of a chain, or no other source of its code, gave a usable answer. */
export class ChainUnavailableError extends LedgerlensError {
  /** A sentence for the client that names no endpoint; null when there is none. */
  readonly advice: string | null;

  /** @param method of JSON-RPC, or the name of another source */
  constructor(method: string, reasons: readonly string[], options: { readonly advice?: string } = {}) {
    super('chain_unavailable', `${method} has no answer: ${reasons.join('; ')}`, {
      details: { method, reasons },
    });
    this.advice = options.advice ?? null;
  }
}
