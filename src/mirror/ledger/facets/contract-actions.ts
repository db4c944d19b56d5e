import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bytes, flag, int64, number, type RecordOf, rowTable } from '../../../values/row-table.ts';
import { accountId, contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { ContractAction as ToldAction } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { memberBytes } from '../../protobuf/wire.ts';
import { type DecodedUnit, eventsOfUnits, type Facet, type FacetOutput } from './facet.ts';

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

/** Actions of contract calls; they go with their transactions. Rows ascend by time and index. */
export const contractActions: Facet<'contractActions', ContractAction> = {
  name: 'contractActions',
  decodeUnit: decodeContractActions,

  unitTables: [eventsOfUnits('contractActions', 'contract_action', 2, CONTRACT_ACTION)],
};

/** Numbers of the members of `ContractAction` that hold what came of it. */
const RESULT_DATA = { output: 11, revertReason: 12, error: 13 } as const;
const NO_RESULT_DATA = 0;

type Parties = Pick<
  ContractAction,
  'caller' | 'isCallerContract' | 'recipientAccount' | 'recipientContract' | 'targetedAddress'
>;

/**
 * Makes a row of each call in the execution traces of a unit's transactions.
 *
 * @see contracts/mirror-contracts.md sections 8 and 11.5
 */
function decodeContractActions({
  items,
  resolveAt,
  sidecars,
  transactions,
}: DecodedUnit): FacetOutput<ContractAction> {
  const rows: ContractAction[] = [];
  if (sidecars.size === 0) return { rows };
  for (const [place, item] of items.entries()) {
    const { consensusTimestamp } = item;
    const actions = sidecars.get(consensusTimestamp)?.flatMap((record) => record.actions) ?? [];
    const transaction = transactions[place];
    if (transaction === undefined || actions.length === 0) continue;
    const resolve = resolveAt(item);
    for (const [index, action] of actions.entries()) {
      const told = {
        consensusTimestamp,
        index,
        payer: transaction.payer,
        callDepth: action.callDepth,
        callType: action.callType,
        operation: action.callOperationType,
        gas: toBigInt(action.gas),
        gasUsed: toBigInt(action.gasUsed),
        value: toBigInt(action.value),
        input: memberBytes(action.input),
        resultData: action.resultData === undefined ? null : memberBytes(action[action.resultData]),
        resultDataType: action.resultData === undefined ? NO_RESULT_DATA : RESULT_DATA[action.resultData],
      };
      // A spread of so many members takes ten times as long.
      rows.push(Object.assign(told, partiesOf(action, resolve)));
    }
  }
  return { rows };
}

function partiesOf(action: ToldAction, resolve: ResolveAlias): Parties {
  const isCallerContract = action.caller === 'callingContract';
  return {
    caller: isCallerContract
      ? contractId(action.callingContract, resolve)
      : accountId(action.callingAccount, resolve),
    isCallerContract,
    recipientAccount: accountId(action.recipientAccount, resolve),
    recipientContract: contractId(action.recipientContract, resolve),
    targetedAddress: action.recipient === 'targetedAddress' ? memberBytes(action.targetedAddress) : null,
  };
}
