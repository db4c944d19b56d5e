import { type Html, html } from '../../../pages/html.ts';

/** Whether the source of a contract is verified on one of the chains that are this ledger. */
export interface SourceState {
  /** Decimal. */
  readonly chainId: string;
  /** Name of the verified contract; null when it is not verified. */
  readonly verifiedAs: string | null;
}

/** The states of the contract at an EVM address, `0x` and 40 digits: one entry for each chain. */
export type SourceStates = (evmAddress: string) => Promise<readonly SourceState[]>;

/** A link for each chain to the verified source, or to the form that verifies it; null without a chain. */
export function sourceLinks(
  states: readonly SourceState[],
  evmAddress: string,
  root: string,
): readonly Html[] | null {
  if (states.length === 0) return null;
  return states.map(({ chainId, verifiedAs }) =>
    verifiedAs === null
      ? html`Not verified on chain ${chainId}. <a href="${root}/verify-ui?chainId=${chainId}&amp;address=${evmAddress}">Verify source</a> `
      : html`<a href="${root}/repo-ui/${chainId}/${evmAddress}"><bdi>${verifiedAs}</bdi> on chain ${chainId}</a> `,
  );
}
