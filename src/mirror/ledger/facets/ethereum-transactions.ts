import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bytes, int64, number, type RecordOf, rowTable } from '../../../values/row-table.ts';
import type { AccessListEntry, Authorization } from '../../evm/ethereum-lists.ts';
import { decodeEthereumTransaction } from '../../evm/ethereum-transaction.ts';
import { paddedHex, word } from '../../evm/quantities.ts';
import { fileId } from '../../items/ledger-ids.ts';
import { type DecodedUnit, eventsOfUnits, type Facet, type FacetOutput } from './facet.ts';

const lists = <Value, Packed>(column: string, pack: (value: Value) => Packed) => ({
  column,
  toStored: (list: readonly Value[]) => (list.length === 0 ? null : JSON.stringify(list.map(pack))),
});

/** What an Ethereum transaction says, as it was signed. @see contracts/mirror-contracts.md section 11.2 */
const ETHEREUM_TRANSACTION = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  payer: int64<EntityId>('payer_id'),
  /** 0, 1, 2 or 4. */
  type: number('type'),
  nonce: int64('nonce'),
  gasLimit: int64('gas_limit'),
  /** Weibars, big-endian, as all prices here; null where the type has none. */
  gasPrice: bytes<Uint8Array | null>('gas_price'),
  maxFeePerGas: bytes<Uint8Array | null>('max_fee_per_gas'),
  maxPriorityFeePerGas: bytes<Uint8Array | null>('max_priority_fee_per_gas'),
  /** Weibars. */
  value: bytes<Uint8Array | null>('value'),
  chainId: bytes<Uint8Array | null>('chain_id'),
  /** Empty or null for a creation. */
  toAddress: bytes<Uint8Array | null>('to_address'),
  callData: bytes<Uint8Array | null>('call_data'),
  /** File that holds the call data. */
  callDataFile: int64<EntityId | null>('call_data_file_id'),
  accessList: lists('access_list', packAccess),
  authorizationList: lists('authorization_list', packAuthorization),
  recoveryId: number<number | null>('recovery_id'),
  signatureV: bytes<Uint8Array | null>('signature_v'),
  signatureR: bytes<Uint8Array | null>('signature_r'),
  signatureS: bytes<Uint8Array | null>('signature_s'),
});
export type EthereumTransactionRow = RecordOf<typeof ETHEREUM_TRANSACTION>;

/** Ethereum transactions beside their contract results; they go with their transactions. Rows ascend by time. */
export const ethereumTransactions: Facet<'ethereumTransactions', EthereumTransactionRow> = {
  name: 'ethereumTransactions',
  decodeUnit: decodeEthereumTransactions,

  unitTables: [eventsOfUnits('ethereumTransactions', 'ethereum_transaction', 1, ETHEREUM_TRANSACTION)],
};

/** As answers show them. @see contracts/mirror-contracts.md section 4.1 */
export type PackedAccess = ReturnType<typeof packAccess>;
export type PackedAuthorization = ReturnType<typeof packAuthorization>;

const ADDRESS_DIGITS = 40;

function packAccess({ address, storageKeys }: AccessListEntry) {
  return { address: paddedHex(address, ADDRESS_DIGITS), storage_keys: storageKeys.map(word) };
}

/** The nonce is a text, since it has 64 bits. */
function packAuthorization({ address, chainId, nonce, r, s, yParity }: Authorization) {
  return {
    address: paddedHex(address, ADDRESS_DIGITS),
    chain_id: chainId,
    nonce: `${nonce}`,
    r: word(r),
    s: word(s),
    y_parity: yParity,
  };
}

/**
 * Makes a row of every Ethereum transaction whose bytes are readable, also of those that failed.
 *
 * @see contracts/mirror-contracts.md section 11.2
 */
function decodeEthereumTransactions({
  items,
  transactions,
}: DecodedUnit): FacetOutput<EthereumTransactionRow> {
  const rows: EthereumTransactionRow[] = [];
  for (const [index, { body, consensusTimestamp }] of items.entries()) {
    const { ethereumTransaction: sent } = body;
    const transaction = transactions[index];
    if (sent === null || transaction === undefined) continue;
    const read = decodeEthereumTransaction(sent.ethereumData);
    if (read === null) continue;
    const told = { consensusTimestamp, payer: transaction.payer, callDataFile: fileId(sent.callData) };
    // A spread of so many members takes ten times as long.
    rows.push(Object.assign(told, read));
  }
  return { rows };
}
