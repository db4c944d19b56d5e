import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { eventTable } from '../fold/tables.ts';
import { decodeContractActions } from './decode-contract-actions.ts';
import type { Facet } from './facet.ts';

/** One step of a contract's execution trace. @see contracts/mirror-contracts.md sections 8 and 11.5 */
export interface ContractAction {
  readonly consensusTimestamp: ConsensusTimestamp;
  /** Place in the trace of the transaction, from 0. */
  readonly index: number;
  readonly payer: EntityId;
  readonly callDepth: number;
  /** 0 to 4: NO_ACTION, CALL, CREATE, PRECOMPILE, SYSTEM. */
  readonly callType: number;
  /** 0 to 6: UNKNOWN, CALL, CALLCODE, DELEGATECALL, STATICCALL, CREATE, CREATE2. */
  readonly operation: number;
  readonly caller: EntityId | null;
  readonly isCallerContract: boolean;
  readonly gas: bigint;
  readonly gasUsed: bigint;
  /** Tinybars. */
  readonly value: bigint;
  readonly input: Uint8Array | null;
  readonly recipientAccount: EntityId | null;
  readonly recipientContract: EntityId | null;
  /** Address that was called, where no entity is known. */
  readonly targetedAddress: Uint8Array | null;
  readonly resultData: Uint8Array | null;
  /** 11 OUTPUT, 12 REVERT_REASON, 13 ERROR; 0 without result data. */
  readonly resultDataType: number;
}

declare module '../rows.ts' {
  interface FacetRows {
    /** Ascending by time and index. */
    readonly contractActions: readonly ContractAction[];
  }
}

const CONTRACT_ACTION = eventTable('contract_action', 2, [
  'consensus_ts',
  'action_index',
  'payer_id',
  'call_depth',
  'call_type',
  'operation',
  'caller_id',
  'is_caller_contract',
  'gas',
  'gas_used',
  'value',
  'input',
  'recipient_account_id',
  'recipient_contract_id',
  'targeted_address',
  'result_data',
  'result_data_type',
]);

/** Actions of contract calls; they go with their transactions. */
export const contractActions: Facet<'contractActions'> = {
  name: 'contractActions',
  decodeUnit: decodeContractActions,

  unitTables: [
    {
      table: CONTRACT_ACTION,
      addRows(unit, add) {
        for (const row of unit.contractActions) {
          add([
            row.consensusTimestamp,
            row.index,
            row.payer,
            row.callDepth,
            row.callType,
            row.operation,
            row.caller,
            row.isCallerContract ? 1 : 0,
            row.gas,
            row.gasUsed,
            row.value,
            row.input,
            row.recipientAccount,
            row.recipientContract,
            row.targetedAddress,
            row.resultData,
            row.resultDataType,
          ]);
        }
      },
    },
  ],
};
