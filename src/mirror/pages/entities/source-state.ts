/** What is known of the source of a contract on one of the chains that are this ledger. */
export interface SourceState {
  /** Decimal. */
  readonly chainId: string;
  /** Name of the verified contract; null when nobody has verified it. */
  readonly verifiedAs: string | null;
}

/** Asks for the sources of the contract at an EVM address, `0x` and 40 digits: one entry for each chain. */
export type SourceStates = (evmAddress: string) => Promise<readonly SourceState[]>;
