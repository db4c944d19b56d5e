import { VerifyRequestError } from '../errors.ts';

/** The files are about several contracts, and the request does not say which one is meant. */
export class SeveralContractsError extends VerifyRequestError {
  override readonly more: Readonly<Record<string, unknown>>;

  /** @param contracts in the order in which `chosenContract` counts them. */
  constructor(contracts: readonly { readonly name: string; readonly path: string }[]) {
    super(
      'invalid_parameter',
      `Detected ${contracts.length} contracts (${contracts.map(({ name }) => name).join(', ')}), but can only ` +
        'verify 1 at a time. Name one by its number, from 0 on, as chosenContract.',
    );
    this.more = { contractsToChoose: contracts };
  }
}
