import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { packBloom } from '../../evm/packed-bloom.ts';
import { eventTable } from '../fold/tables.ts';
import { hashPrefix } from '../hash-prefix.ts';
import { decodeContractResults } from './decode-contract-results.ts';
import type { Facet } from './facet.ts';
import { readContractResultLine } from './read-contract-result-line.ts';

/** What the EVM made of a transaction. @see contracts/mirror-contracts.md section 11.1 */
export interface ContractResult {
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly payer: EntityId;
  /** Of the transaction id: above 0 for what a call did by precompiles. */
  readonly nonce: number;
  /** Response code number. */
  readonly result: number;
  /** 0 where none is known. */
  readonly contract: EntityId;
  readonly sender: EntityId | null;
  /** Of a sender without an id: the 20-byte alias that the result tells. */
  readonly senderAlias: Uint8Array | null;
  /** Among those of the block that the EVM ran, from 0; null where it ran nothing. */
  readonly transactionIndex: number | null;
  /** 32 bytes: the Ethereum hash, else the first of the transaction hash. */
  readonly hash: Uint8Array;
  /** Tinybars. */
  readonly amount: bigint | null;
  readonly gasLimit: bigint;
  readonly gasUsed: bigint | null;
  /** Null where no action tells it. */
  readonly gasConsumed: bigint | null;
  /** Usually 256 bytes; none for a result that was stored with an empty one. */
  readonly bloom: Uint8Array | null;
  readonly callResult: Uint8Array | null;
  /** Null or empty without one. */
  readonly errorMessage: string | null;
  readonly functionParameters: Uint8Array | null;
  readonly failedInitcode: Uint8Array | null;
  readonly createdContracts: readonly EntityId[];
  /** Whether the record has a result that is not empty: the EVM ran. */
  readonly hasRun: boolean;
}

declare module '../rows.ts' {
  interface FacetRows {
    /** Ascending by time. */
    readonly contractResults: readonly ContractResult[];
  }
}

const CONTRACT_RESULT = eventTable('contract_result', 1, [
  'consensus_ts',
  'payer_id',
  'nonce',
  'result',
  'listing',
  'contract_id',
  'sender_id',
  'sender_alias',
  'transaction_index',
  'hash',
  'amount',
  'gas_limit',
  'gas_used',
  'gas_consumed',
  'bloom',
  'call_result',
  'error_message',
  'function_parameters',
  'failed_initcode',
  'created_contracts',
  'has_run',
]);
const CONTRACT_RESULT_HASH = eventTable('contract_result_hash', 2, ['prefix', 'consensus_ts']);

/** In which lists a result is: none, all, or those that ask for internal ones. */
export const LISTING = { none: 0, all: 1, internal: 2 } as const;

/** Results of contract calls and creations; they go with their transactions. */
export const contractResults: Facet<'contractResults'> = {
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
    {
      table: CONTRACT_RESULT,
      addRows(unit, add) {
        for (const row of unit.contractResults) {
          add([
            row.consensusTimestamp,
            row.payer,
            row.nonce,
            row.result,
            listingOf(row),
            row.contract,
            row.sender,
            row.senderAlias,
            row.transactionIndex,
            row.hash,
            row.amount,
            row.gasLimit,
            row.gasUsed,
            row.gasConsumed,
            packBloom(row.bloom),
            row.callResult,
            row.errorMessage,
            row.functionParameters,
            row.failedInitcode,
            row.createdContracts.length === 0 ? null : row.createdContracts.join(' '),
            row.hasRun ? 1 : 0,
          ]);
        }
      },
    },
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
