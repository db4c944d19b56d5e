import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import type { Hex } from '../../../values/hex.ts';
import type { AccessListEntry, Authorization } from '../../evm/ethereum-lists.ts';
import { paddedHex, word } from '../../evm/quantities.ts';
import { eventTable } from '../fold/tables.ts';
import { decodeEthereumTransactions } from './decode-ethereum-transactions.ts';
import type { Facet } from './facet.ts';

/** What an Ethereum transaction says, as it was signed. @see contracts/mirror-contracts.md section 11.2 */
export interface EthereumTransactionRow {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly payer: EntityId;
  /** 0, 1, 2 or 4. */
  readonly type: number;
  readonly nonce: bigint;
  readonly gasLimit: bigint;
  /** Weibars, big-endian, as all prices here; null where the type has none. */
  readonly gasPrice: Uint8Array | null;
  readonly maxFeePerGas: Uint8Array | null;
  readonly maxPriorityFeePerGas: Uint8Array | null;
  /** Weibars. */
  readonly value: Uint8Array | null;
  readonly chainId: Uint8Array | null;
  /** Empty or null for a creation. */
  readonly toAddress: Uint8Array | null;
  readonly callData: Uint8Array | null;
  /** File that holds the call data. */
  readonly callDataFile: EntityId | null;
  readonly accessList: readonly AccessListEntry[];
  readonly authorizationList: readonly Authorization[];
  readonly recoveryId: number | null;
  readonly signatureV: Uint8Array | null;
  readonly signatureR: Uint8Array | null;
  readonly signatureS: Uint8Array | null;
}

declare module '../rows.ts' {
  interface FacetRows {
    /** Ascending by time. */
    readonly ethereumTransactions: readonly EthereumTransactionRow[];
  }
}

const ETHEREUM_TRANSACTION = eventTable('ethereum_transaction', 1, [
  'consensus_ts',
  'payer_id',
  'type',
  'nonce',
  'gas_limit',
  'gas_price',
  'max_fee_per_gas',
  'max_priority_fee_per_gas',
  'value',
  'chain_id',
  'to_address',
  'call_data',
  'call_data_file_id',
  'access_list',
  'authorization_list',
  'recovery_id',
  'signature_v',
  'signature_r',
  'signature_s',
]);

/** Ethereum transactions beside their contract results; they go with their transactions. */
export const ethereumTransactions: Facet<'ethereumTransactions'> = {
  name: 'ethereumTransactions',
  decodeUnit: decodeEthereumTransactions,

  unitTables: [
    {
      table: ETHEREUM_TRANSACTION,
      addRows(unit, add) {
        for (const row of unit.ethereumTransactions) {
          add([
            row.consensusTimestamp,
            row.payer,
            row.type,
            row.nonce,
            row.gasLimit,
            row.gasPrice,
            row.maxFeePerGas,
            row.maxPriorityFeePerGas,
            row.value,
            row.chainId,
            row.toAddress,
            row.callData,
            row.callDataFile,
            row.accessList.length === 0 ? null : JSON.stringify(row.accessList.map(packAccess)),
            row.authorizationList.length === 0
              ? null
              : JSON.stringify(row.authorizationList.map(packAuthorization)),
            row.recoveryId,
            row.signatureV,
            row.signatureR,
            row.signatureS,
          ]);
        }
      },
    },
  ],
};

/** As answers show it. @see contracts/mirror-contracts.md section 4.1 */
export interface PackedAccess {
  readonly address: Hex;
  readonly storage_keys: readonly Hex[];
}

/** As answers show it; the nonce is a text, since it has 64 bits. */
export interface PackedAuthorization {
  readonly address: Hex;
  readonly chain_id: Hex;
  readonly nonce: string;
  readonly r: Hex;
  readonly s: Hex;
  readonly y_parity: Hex;
}

const ADDRESS_DIGITS = 40;

function packAccess({ address, storageKeys }: AccessListEntry): PackedAccess {
  return { address: paddedHex(address, ADDRESS_DIGITS), storage_keys: storageKeys.map(word) };
}

function packAuthorization({ address, chainId, nonce, r, s, yParity }: Authorization): PackedAuthorization {
  return {
    address: paddedHex(address, ADDRESS_DIGITS),
    chain_id: chainId,
    nonce: `${nonce}`,
    r: word(r),
    s: word(s),
    y_parity: yParity,
  };
}
