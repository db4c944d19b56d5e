import { accountId, contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import { memberBytes } from '../../protobuf/member-bytes.ts';
import type { ContractAction as ToldAction } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import type { ContractAction } from './contract-actions.ts';
import type { DecodedUnit, Told } from './facet.ts';

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
export function decodeContractActions({
  items,
  resolveAt,
  sidecars,
  transactions,
}: DecodedUnit): Told<ContractAction> {
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
