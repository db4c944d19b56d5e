import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { Hex } from '../../../values/hex.ts';
import type { PackedAccess, PackedAuthorization } from '../../ledger/facets/ethereum-transactions.ts';
import type { IntegerSelection } from '../../parameters/integer-range.ts';

/**
 * What the EVM made of a transaction, or what a synthetic log says instead; null is what is not known. What is only shown
 * is hex already.
 */
export interface StoredResult {
  readonly consensusTimestamp: ConsensusTimestamp;
  /** Whether a synthetic log stands for it. */
  readonly isSynthetic: boolean;
  readonly payer: bigint;
  readonly nonce: number;
  /** Response code number. */
  readonly result: number;
  /** 0 where none is known. */
  readonly contract: bigint;
  readonly sender: bigint | null;
  readonly senderAlias: Hex | null;
  readonly transactionIndex: bigint | null;
  /** 32 bytes. */
  readonly hash: Hex | null;
  /** Tinybars. */
  readonly amount: bigint | null;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint | null;
  readonly gasConsumed: bigint | null;
  readonly bloom: Uint8Array | null;
  readonly callResult: Hex | null;
  readonly errorMessage: string | null;
  readonly functionParameters: Hex | null;
  readonly failedInitcode: Hex | null;
  readonly createdContracts: readonly bigint[];
  readonly ethereum: StoredEthereumTransaction | null;
}

/** The Ethereum transaction of a result. Prices and value are weibars. */
export interface StoredEthereumTransaction {
  readonly type: number;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  readonly gasPrice: Uint8Array | null;
  readonly maxFeePerGas: Uint8Array | null;
  readonly maxPriorityFeePerGas: Uint8Array | null;
  readonly value: Uint8Array | null;
  readonly chainId: Uint8Array | null;
  readonly toAddress: Hex | null;
  readonly accessList: readonly PackedAccess[];
  readonly authorizationList: readonly PackedAuthorization[];
  readonly recoveryId: bigint | null;
  readonly signatureV: Uint8Array | null;
  readonly signatureR: Hex | null;
  readonly signatureS: Hex | null;
}

/** What an Ethereum transaction sent to its contract. */
export interface StoredCallData {
  readonly callData: Hex | null;
  /** The file that has them instead. */
  readonly file: bigint | null;
}

/** Which results a list shows; bounds inclusive. */
export interface ResultSelection {
  /** Null for those of all contracts. */
  readonly contract: bigint | null;
  readonly times: IntegerSelection;
  /** Null for all. */
  readonly senders: IntegerSelection | null;
  /** Null for all. */
  readonly transactionIndexes: ReadonlySet<bigint> | null;
  /** Whether those with a nonce above 0 are among them. */
  readonly isInternal: boolean;
  /** Whether synthetic logs stand for results. */
  readonly withSynthetic: boolean;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** Where a transaction is that a path names. */
export interface FoundResult {
  readonly consensusTimestamp: bigint;
  readonly payer: bigint;
  /** Of the row that a hash found; null for a transaction id. */
  readonly contract: bigint | null;
}

/** A slot that a transaction read or wrote. */
export interface ChangedSlot {
  readonly contract: bigint;
  readonly slot: Uint8Array;
  readonly valueRead: Uint8Array;
  readonly valueWritten: Uint8Array | null;
  readonly isMigration: boolean;
}

/** The read side of what contracts did. */
export interface ContractResultRepository {
  /** In order of time, with what synthetic logs stand for. */
  page(selection: ResultSelection): Promise<readonly StoredResult[]>;
  /** The real one of a time. */
  at(time: bigint): Promise<StoredResult | null>;
  /** What the lowest synthetic log of a time stands for: also a hidden one. @param contract root, else own; null for any */
  syntheticAt(time: bigint, contract: bigint | null): Promise<StoredResult | null>;
  /** @param hash 32 bytes @see contracts/mirror-contracts.md section 1.2 */
  findByHash(hash: Uint8Array): Promise<FoundResult | null>;
  findById(payer: bigint, validStart: bigint, nonce: number): Promise<FoundResult | null>;
  /** By contract and slot. */
  changedSlots(time: bigint): Promise<readonly ChangedSlot[]>;
  /** Null without an Ethereum transaction; lists do not show them, and they may be long. */
  callDataAt(time: bigint, payer: bigint): Promise<StoredCallData | null>;
  /** Whether a transaction is stored at a time with a payer. */
  hasTransaction(time: bigint, payer: bigint): Promise<boolean>;
}
