import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bytes, flag, int64, number, type RecordOf, rowTable, text } from '../../../values/row-table.ts';
import { eventTable } from '../../../values/stored-tables.ts';
import { packBloom } from '../../evm/packed-bloom.ts';
import { hashPrefix } from '../hash-prefix.ts';
import { decodeContractResults } from './decode-contract-results.ts';
import { type Facet, rowsOfUnits } from './facet.ts';
import { readContractResultLine } from './read-contract-result-line.ts';

/** What the EVM made of a transaction. @see contracts/mirror-contracts.md section 11.1 */
const CONTRACT_RESULT = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  payer: int64<EntityId>('payer_id'),
  /** Of the transaction id: above 0 for what a call did by precompiles. */
  nonce: number('nonce'),
  /** Response code number. */
  result: number('result'),
  /** 0 where none is known. */
  contract: int64<EntityId>('contract_id'),
  sender: int64<EntityId | null>('sender_id'),
  /** Of a sender without an id: the 20-byte alias that the result tells. */
  senderAlias: bytes<Uint8Array | null>('sender_alias'),
  /** Among those of the block that the EVM ran, from 0; null where it ran nothing. */
  transactionIndex: number<number | null>('transaction_index'),
  /** 32 bytes: the Ethereum hash, else the first of the transaction hash. */
  hash: bytes('hash'),
  /** Tinybars. */
  amount: int64<bigint | null>('amount'),
  gasLimit: int64('gas_limit'),
  gasUsed: int64<bigint | null>('gas_used'),
  /** Null where no action tells it. */
  gasConsumed: int64<bigint | null>('gas_consumed'),
  /** Usually 256 bytes; none for a result that was stored with an empty one. */
  bloom: { column: 'bloom', toStored: (bloom: Uint8Array | null) => packBloom(bloom) },
  callResult: bytes<Uint8Array | null>('call_result'),
  /** Null or empty without one. */
  errorMessage: text<string | null>('error_message'),
  functionParameters: bytes<Uint8Array | null>('function_parameters'),
  failedInitcode: bytes<Uint8Array | null>('failed_initcode'),
  createdContracts: {
    column: 'created_contracts',
    toStored: (ids: readonly EntityId[]) => (ids.length === 0 ? null : ids.join(' ')),
  },
  /** Whether the record has a result that is not empty: the EVM ran. */
  hasRun: flag('has_run'),
});
export type ContractResult = RecordOf<typeof CONTRACT_RESULT>;

const CONTRACT_RESULT_HASH = eventTable('contract_result_hash', 2, ['prefix', 'consensus_ts']);

/** In which lists a result is: none, all, or those that ask for internal ones. */
export const LISTING = { none: 0, all: 1, internal: 2 } as const;

/** Results of contract calls and creations; they go with their transactions. Rows ascend by time. */
export const contractResults: Facet<'contractResults', ContractResult> = {
  name: 'contractResults',
  decodeUnit: decodeContractResults,
  fixture: {
    kind: 'contract_result',
    isReadLast: true,
    place: {
      members: ['timestamp'],
      of: ({ consensusTimestamp }) => [consensusTimestamp],
    },
    read: readContractResultLine,
  },

  unitTables: [
    rowsOfUnits(
      'contractResults',
      eventTable('contract_result', 1, [...CONTRACT_RESULT.columns, 'listing']),
      (row) => [...CONTRACT_RESULT.values(row), listingOf(row)],
    ),
    {
      table: CONTRACT_RESULT_HASH,
      addRows(unit, add) {
        for (const { consensusTimestamp, hash } of unit.contractResults) {
          const prefix = hashPrefix(hash);
          if (prefix !== null) add([prefix, consensusTimestamp]);
        }
      },
    },
  ],
};

/** @see contracts/mirror-contracts.md section 2.2 */
function listingOf({ nonce, transactionIndex }: ContractResult): number {
  if (transactionIndex === null) return LISTING.none;
  return nonce === 0 ? LISTING.all : LISTING.internal;
}
