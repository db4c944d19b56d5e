import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../values/entity-id.ts';
import { toHex } from '../../values/hex.ts';
import type { EntityState } from '../ledger/entity-reader.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import { longZeroOf } from '../vocabulary/long-zero-address.ts';
import type { ContractCode } from './contract-codes.ts';

/** A contract as lists show it. @see contracts/mirror-contracts.md section 2 */
export function contractMembers(
  entity: EntityState,
  file: bigint | null,
): Readonly<Record<string, ExactJson>> {
  const adminKey = keyJson(entity.key);
  const since = entity.changedTimestamp ?? entity.createdTimestamp;
  return {
    admin_key: adminKey === null ? null : { ...adminKey },
    auto_renew_account: printIdOrNull(entity.autoRenewAccount),
    auto_renew_period: entity.autoRenewPeriod,
    contract_id: printEntityId(entity.id),
    created_timestamp: timeOrNull(entity.createdTimestamp),
    deleted: entity.isDeleted,
    evm_address: toHex(entity.evmAddress ?? longZeroOf(entity.id)),
    expiration_timestamp: timeOrNull(entity.expiryTimestamp),
    file_id: printIdOrNull(file),
    max_automatic_token_associations: entity.maxAutomaticAssociations,
    memo: entity.memo,
    nonce: entity.ethereumNonce,
    obtainer_id: printIdOrNull(entity.obtainer),
    permanent_removal: entity.isPermanentRemoval,
    proxy_account_id: printIdOrNull(entity.proxyAccount),
    timestamp: { from: timeOrNull(since), to: timeOrNull(entity.heldUntil) },
  };
}

/** The answer of `GET /api/v1/contracts/{id}`: code that the ledger does not tell is `0x`. @see contracts/mirror-contracts.md section 2.1 */
export function contractDocument(entity: EntityState, code: ContractCode): ExactJson {
  return {
    ...contractMembers(entity, code.file),
    bytecode: code.bytecode === null ? '0x' : toHex(code.bytecode),
    runtime_bytecode: code.runtimeCode === null ? '0x' : toHex(code.runtimeCode),
  };
}

function timeOrNull(time: bigint | null): string | null {
  return time === null ? null : printTimestamp(time);
}
