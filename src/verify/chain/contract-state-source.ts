import type { Hex } from '../../values/hex.ts';

/** Where the present state of contracts is read. Not every chain has one: a ledger's code comes without it. */
export interface ContractStateSource {
  /**
   * One storage slot of a contract, 32 bytes.
   *
   * @param slot 32 bytes as hex with 0x.
   * @throws ChainUnavailableError when the source cannot tell; an AbortError when `signal` fires.
   */
  storageAt(address: Hex, slot: Hex, signal: AbortSignal): Promise<Uint8Array>;
  /**
   * Calls a contract without a transaction.
   *
   * @returns null when the call failed in the contract.
   * @throws ChainUnavailableError when the source cannot tell; an AbortError when `signal` fires.
   */
  call(address: Hex, data: Hex, signal: AbortSignal): Promise<Uint8Array | null>;
}
