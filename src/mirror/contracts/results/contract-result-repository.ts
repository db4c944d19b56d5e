import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { Hex } from '../../../values/hex.ts';
import {
  bytes,
  flag,
  int64,
  json,
  number,
  type RecordOf,
  rowTable,
  text,
  unlessNull,
} from '../../../values/row-table.ts';
import { unpackBloom } from '../../evm/packed-bloom.ts';
import type { PackedAccess, PackedAuthorization } from '../../ledger/facets/ethereum-transactions.ts';
import type { IntegerSelection } from '../../parameters/integer-range.ts';
import type { PageRequest } from '../../parameters/page-parameters.ts';

/** Selects bytes as hex with `0x`. */
type HexOf = (column: string) => string;

/** The Ethereum transaction of a result. Prices and value are weibars. */
const ethereumTransaction = (hexOf: HexOf) =>
  rowTable({
    type: number('e.type'),
    nonce: int64('e.nonce'),
    gasLimit: int64('e.gas_limit'),
    gasPrice: bytes<Uint8Array | null>('e.gas_price'),
    maxFeePerGas: bytes<Uint8Array | null>('e.max_fee_per_gas'),
    maxPriorityFeePerGas: bytes<Uint8Array | null>('e.max_priority_fee_per_gas'),
    value: bytes<Uint8Array | null>('e.value'),
    chainId: bytes<Uint8Array | null>('e.chain_id'),
    toAddress: text<Hex | null>(hexOf('e.to_address')),
    accessList: json<readonly PackedAccess[]>('e.access_list', []),
    authorizationList: json<readonly PackedAuthorization[]>('e.authorization_list', []),
    recoveryId: int64<bigint | null>('e.recovery_id'),
    signatureV: bytes<Uint8Array | null>('e.signature_v'),
    signatureR: text<Hex | null>(hexOf('e.signature_r')),
    signatureS: text<Hex | null>(hexOf('e.signature_s')),
  });
export type StoredEthereumTransaction = RecordOf<ReturnType<typeof ethereumTransaction>>;

/**
 * What the EVM made of a transaction, or what a synthetic log says instead; null is what is not known. What is only shown
 * is hex already.
 */
export const storedResult = (hexOf: HexOf) =>
  rowTable({
    consensusTimestamp: int64<ConsensusTimestamp>('r.consensus_ts'),
    /** Whether a synthetic log stands for it. */
    isSynthetic: flag('0 AS is_synthetic'),
    payer: int64('r.payer_id'),
    nonce: number('r.nonce'),
    /** Response code number. */
    result: number('r.result'),
    /** 0 where none is known. */
    contract: int64('r.contract_id'),
    sender: int64<bigint | null>('r.sender_id'),
    senderAlias: text<Hex | null>(hexOf('r.sender_alias')),
    transactionIndex: int64<bigint | null>('r.transaction_index'),
    /** 32 bytes. */
    hash: text<Hex | null>(hexOf('r.hash')),
    /** Tinybars. */
    amount: int64<bigint | null>('r.amount'),
    gasLimit: int64('r.gas_limit'),
    gasUsed: int64<bigint | null>('r.gas_used'),
    gasConsumed: int64<bigint | null>('r.gas_consumed'),
    bloom: { column: 'r.bloom', fromStored: unpackBloom },
    callResult: text<Hex | null>(hexOf('r.call_result')),
    errorMessage: text<string | null>('r.error_message'),
    functionParameters: text<Hex | null>(hexOf('r.function_parameters')),
    failedInitcode: text<Hex | null>(hexOf('r.failed_initcode')),
    createdContracts: {
      column: 'r.created_contracts',
      fromStored: (ids: string | null): readonly bigint[] => ids?.split(' ').map(BigInt) ?? [],
    },
    ethereum: unlessNull<StoredEthereumTransaction | null>('e.type', ethereumTransaction(hexOf).members),
  });
export type StoredResult = RecordOf<ReturnType<typeof storedResult>>;

/** What an Ethereum transaction sent to its contract. */
export interface StoredCallData {
  readonly callData: Hex | null;
  /** The file that has them instead. */
  readonly file: bigint | null;
}

/** Which results a list shows; bounds inclusive. */
export interface ResultSelection extends PageRequest {
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
}

/** Where a transaction is that a path names. */
export interface FoundResult {
  readonly consensusTimestamp: bigint;
  readonly payer: bigint;
  /** Of the row that a hash found; null for a transaction id. */
  readonly contract: bigint | null;
}

/** A slot that a transaction read or wrote. */
export const CHANGED_SLOT = rowTable({
  contract: int64('contract_id'),
  slot: bytes('slot'),
  valueRead: bytes('value_read'),
  valueWritten: bytes<Uint8Array | null>('value_written'),
  isMigration: flag('is_migration'),
});
export type ChangedSlot = RecordOf<typeof CHANGED_SLOT>;
