import {
  MAX_CONSENSUS_TIMESTAMP,
  NANOS_PER_SECOND,
  printTimestamp,
} from '../../values/consensus-timestamp.ts';
import { printEntityId, printIdOrNull } from '../../values/entity-id.ts';
import { type ExactJson, printExactJson } from '../ledger/exact-json.ts';
import { keyJson } from '../ledger/key-json.ts';
import type { ListedToken, TokenState } from './token-repository.ts';

/** One item of `GET /api/v1/tokens`. @see contracts/mirror-entities.md section 6.1 */
export function tokenItem(token: ListedToken): ExactJson {
  return {
    admin_key: keyOrNull(token.adminKey),
    decimals: token.decimals,
    metadata: base64(token.metadata),
    name: token.name,
    symbol: token.symbol,
    token_id: printEntityId(token.token),
    type: token.kind,
  };
}

/** The answer of `GET /api/v1/tokens/{tokenId}`. @see contracts/mirror-entities.md section 6.2 */
export function tokenJson(token: TokenState): string {
  const { entity } = token;
  const members = printExactJson({
    admin_key: keyOrNull(entity.adminKey),
    auto_renew_account: printIdOrNull(entity.autoRenewAccount),
    auto_renew_period: entity.autoRenewPeriod,
    created_timestamp: token.createdTimestamp === null ? null : printTimestamp(token.createdTimestamp),
    decimals: token.decimals.toString(),
    deleted: entity.isDeleted,
    expiry_timestamp: expiryOf(token),
    fee_schedule_key: keyOrNull(token.feeScheduleKey),
    freeze_default: token.freezeDefault,
    freeze_key: keyOrNull(token.freezeKey),
    initial_supply: token.initialSupply.toString(),
    kyc_key: keyOrNull(token.kycKey),
    max_supply: token.maxSupply.toString(),
    memo: entity.memo,
    metadata: base64(token.metadata),
    metadata_key: keyOrNull(token.metadataKey),
    modified_timestamp: printTimestamp(greater(token.changedTimestamp, entity.changedTimestamp)),
    name: token.name,
    pause_key: keyOrNull(token.pauseKey),
    pause_status: token.pauseStatus,
    supply_key: keyOrNull(token.supplyKey),
    supply_type: token.supplyType,
    symbol: token.symbol,
    token_id: printEntityId(token.token),
    total_supply: token.totalSupply.toString(),
    treasury_account_id: printIdOrNull(token.treasury),
    type: token.kind,
    wipe_key: keyOrNull(token.wipeKey),
  });
  // The lists are stored as they are sent.
  return `${members.slice(0, -1)},"custom_fees":${feesJson(token)}}`;
}

/** @see contracts/mirror-entities.md section 6.3 */
function feesJson({ fees, kind }: TokenState): string {
  if (fees === null) return 'null';
  const other =
    kind === 'FUNGIBLE_COMMON' ? `"fractional_fees":${fees.fractional}` : `"royalty_fees":${fees.royalty}`;
  return `{"created_timestamp":"${printTimestamp(fees.since)}","fixed_fees":${fees.fixed},${other}}`;
}

/** What no update set ends a renewal period after the creation. */
function expiryOf({ createdTimestamp, entity }: TokenState): bigint | null {
  const { autoRenewPeriod, expiryTimestamp } = entity;
  if (expiryTimestamp !== null || autoRenewPeriod === null || createdTimestamp === null)
    return expiryTimestamp;
  const end = createdTimestamp + autoRenewPeriod * NANOS_PER_SECOND;
  return end > MAX_CONSENSUS_TIMESTAMP ? MAX_CONSENSUS_TIMESTAMP : end;
}

function keyOrNull(key: Uint8Array | null): ExactJson {
  const shown = keyJson(key);
  return shown === null ? null : { ...shown };
}

function base64(bytes: Uint8Array | null): string {
  return Buffer.from(bytes ?? []).toString('base64');
}

function greater(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
