import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** The configuration of the chains cannot be used. */
export class ChainConfigError extends LedgerlensError {
  constructor(where: string, problem: string) {
    super('invalid_chain_configuration', `VERIFY_CHAINS: ${where}: ${problem}`, { details: { where } });
  }
}
