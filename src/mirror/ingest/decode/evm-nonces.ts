import { decodeEthereumTransaction } from '../../evm/ethereum-transaction.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, contractId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { NetworkVersion } from '../../items/network-version.ts';
import { delegationNonce } from '../../items/own-members.ts';
import type { EntityChange } from '../../ledger/rows.ts';
import type { ContractFunctionResult } from '../../protobuf/message-types.ts';
import { toBigInt } from '../../protobuf/messages.ts';
import { isSuccess, RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { entityOfTransaction } from './entity-of-transaction.ts';

/** Results that are no success and count the nonce all the same. */
const COUNTED: ReadonlySet<number> = new Set([
  RESULT.CONTRACT_REVERT_EXECUTED,
  RESULT.MAX_CHILD_RECORDS_EXCEEDED,
]);

/**
 * Nonces that the EVM counted up, also in calls that failed, and those of accounts that got a delegation.
 *
 * @see contracts/mirror-entities.md section 11.3, ETHEREUMTRANSACTION
 */
export function evmNonces(
  item: DecodedItem,
  resolve: ResolveAlias,
  version: NetworkVersion,
): readonly EntityChange[] {
  const { record } = item;
  const result = record.contractCreateResult ?? record.contractCallResult;
  const changes = [...delegationNonces(item, resolve)];
  if (result === null) return changes;
  const ethereumNonce = signerNonce(item, result, version);
  const sender = ethereumNonce === null ? null : accountId(result.senderId, resolve);
  if (sender !== null && ethereumNonce !== null) changes.push({ entity: sender, ethereumNonce });
  for (const { contractId: id, nonce } of result.contractNonces) {
    const entity = contractId(id, resolve);
    if (entity !== null) changes.push({ entity, ethereumNonce: toBigInt(nonce) });
  }
  return changes;
}

function delegationNonces(item: DecodedItem, resolve: ResolveAlias): readonly EntityChange[] {
  const ethereumNonce = item.type === TYPE.CRYPTOUPDATEACCOUNT ? delegationNonce(item) : null;
  const entity = ethereumNonce === null ? null : entityOfTransaction(item, resolve);
  return entity === null || ethereumNonce === null ? [] : [{ entity, ethereumNonce }];
}

/** Records of early networks do not tell it: there it is the one that was used, and one more. */
function signerNonce(
  { body, result: status, type }: DecodedItem,
  result: ContractFunctionResult,
  version: NetworkVersion,
): bigint | null {
  if (result.signerNonce !== null) return toBigInt(result.signerNonce.value);
  if (type !== TYPE.ETHEREUMTRANSACTION || !version.isBefore(0, 47)) return null;
  if (!isSuccess(status) && !COUNTED.has(status)) return null;
  const sent = decodeEthereumTransaction(body.ethereumTransaction?.ethereumData ?? new Uint8Array());
  return sent === null ? null : BigInt.asIntN(64, sent.nonce + 1n);
}
