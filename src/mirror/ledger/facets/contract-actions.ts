import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bytes, flag, int64, number, type RecordOf, rowTable } from '../../../values/row-table.ts';
import { eventTable } from '../fold/tables.ts';
import { decodeContractActions } from './decode-contract-actions.ts';
import { type Facet, rowsOfUnits } from './facet.ts';

/** One step of a contract's execution trace. @see contracts/mirror-contracts.md sections 8 and 11.5 */
export const CONTRACT_ACTION = rowTable({
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  /** Place in the trace of the transaction, from 0. */
  index: number('action_index'),
  payer: int64<EntityId>('payer_id'),
  callDepth: number('call_depth'),
  /** 0 to 4: NO_ACTION, CALL, CREATE, PRECOMPILE, SYSTEM. */
  callType: number('call_type'),
  /** 0 to 6: UNKNOWN, CALL, CALLCODE, DELEGATECALL, STATICCALL, CREATE, CREATE2. */
  operation: number('operation'),
  caller: int64<EntityId | null>('caller_id'),
  isCallerContract: flag('is_caller_contract'),
  gas: int64('gas'),
  gasUsed: int64('gas_used'),
  /** Tinybars. */
  value: int64('value'),
  input: bytes<Uint8Array | null>('input'),
  recipientAccount: int64<EntityId | null>('recipient_account_id'),
  recipientContract: int64<EntityId | null>('recipient_contract_id'),
  /** Address that was called, where no entity is known. */
  targetedAddress: bytes<Uint8Array | null>('targeted_address'),
  resultData: bytes<Uint8Array | null>('result_data'),
  /** 11 OUTPUT, 12 REVERT_REASON, 13 ERROR; 0 without result data. */
  resultDataType: number('result_data_type'),
});
export type ContractAction = RecordOf<typeof CONTRACT_ACTION>;

declare module '../rows.ts' {
  interface FacetRows {
    /** Ascending by time and index. */
    readonly contractActions: readonly ContractAction[];
  }
}

/** Actions of contract calls; they go with their transactions. */
export const contractActions: Facet<'contractActions'> = {
  name: 'contractActions',
  decodeUnit: decodeContractActions,

  unitTables: [
    rowsOfUnits(
      'contractActions',
      eventTable('contract_action', 2, CONTRACT_ACTION.columns),
      CONTRACT_ACTION.values,
    ),
  ],
};
