/** Facts about the whole ledger that answers need. */
export interface LedgerReader {
  /** The end of the newest stored unit, nanoseconds; null in an empty ledger. */
  newestConsensusEnd(): bigint | null;
  /** Names the ledger and the number of times that its stored rows were changed. */
  edition(): string;
  /** Differs after every change of what the newest pages show. */
  stamp(): string;
  /**
   * The encoded id of the entity with this EVM address (40 hex digits, lower case); null when nobody has it, or only a deleted
   * one.
   */
  entityByEvmAddress(hex: string): Promise<bigint | null>;
  /** The same, but also a deleted one. */
  contractByEvmAddress(hex: string): Promise<bigint | null>;
}
