/** The EVM addresses under which contracts are shown. */
export interface ContractAddresses {
  /**
   * Of each id the EVM address of its entity, deleted ones too, else the long-zero one; null for id 0.
   *
   * @see contracts/mirror-contracts.md section 1, `address` of a row
   */
  addressesOf(ids: Iterable<bigint>): Promise<ReadonlyMap<bigint, string | null>>;
}
