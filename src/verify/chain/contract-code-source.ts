import type { Hex } from '../../values/hex.ts';
import { LedgerlensError } from '../../values/ledgerlens-error.ts';

/** The transaction that created a contract, as far as it is known. */
export interface ContractCreation {
  /** Creation code with constructor arguments. */
  readonly creationCode: Uint8Array;
  /** Null for code that an operator gave without a transaction. */
  readonly transactionHash: Hex | null;
  readonly blockNumber: bigint | null;
  readonly transactionIndex: number | null;
  /** Lower-case address of the sender. */
  readonly deployer: Hex | null;
  /**
   * Whether the code that lay at the address after this creation is the present one. `earlier`: the contract was
   * destroyed and made anew since. `unknown`: nobody remembers the state of that block.
   */
  readonly life: 'present' | 'earlier' | 'unknown';
}

/** A contract as it lies on chain now. */
export interface PresentContract {
  /** Lower case. */
  readonly address: Hex;
  readonly runtimeCode: Uint8Array;
}

/**
 * Where the code of deployed contracts comes from: a JSON-RPC node, code given by the operator, or a ledger
 * that another part of the product has imported.
 */
export interface ContractCodeSource {
  /**
   * Runtime code at a lower-case address; empty when there is none.
   *
   * @throws ChainUnavailableError when the source cannot tell; an AbortError when `signal` fires.
   */
  runtimeCode(address: Hex, signal?: AbortSignal): Promise<Uint8Array>;

  /**
   * Finds out how a contract was created.
   *
   * @param transactionHash the transaction to read; null to search for it.
   * @returns null when the transaction does not exist, created something else, or was not found. Only a named one
   * can be that of an earlier life.
   * @throws ChainUnavailableError when the source cannot tell; an AbortError when `signal` fires.
   */
  creation(
    contract: PresentContract,
    transactionHash: Hex | null,
    signal: AbortSignal,
  ): Promise<ContractCreation | null>;
}

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
