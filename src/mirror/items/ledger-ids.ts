import {
  type ConsensusTimestamp,
  consensusTimestamp,
  timestampFromParts,
} from '../../values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId } from '../../values/entity-id.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import type {
  AccountId,
  ContractId,
  FileId,
  ScheduleId,
  Timestamp,
  TokenId,
  TopicId,
} from '../protobuf/message-types.ts';
import { toBigInt } from '../protobuf/messages.ts';
import { entityOfLongZero } from '../vocabulary/long-zero-address.ts';

/** Finds the entity behind an alias or EVM address; null when it is unknown. */
export type ResolveAlias = (alias: Uint8Array) => EntityId | null;

type Long = TokenId['shardNum'];
type ShardRealm = Pick<TokenId, 'shardNum' | 'realmNum'>;

const NO_ALIASES: ResolveAlias = () => null;

/**
 * The id of an account in a body or record.
 *
 * @returns null for an absent account, 0.0.0, a number outside the ledger's range and an unknown alias.
 */
export function accountId(
  id: AccountId | null | undefined,
  resolve: ResolveAlias = NO_ALIASES,
): EntityId | null {
  if (id == null) return null;
  return id.account === 'alias' ? aliasId(id, id.alias, resolve) : numberId(id, id.accountNum);
}

/** As {@link accountId}, for contracts. */
export function contractId(
  id: ContractId | null | undefined,
  resolve: ResolveAlias = NO_ALIASES,
): EntityId | null {
  if (id == null) return null;
  return id.contract === 'evmAddress' ? aliasId(id, id.evmAddress, resolve) : numberId(id, id.contractNum);
}

export function fileId(id: FileId | null | undefined): EntityId | null {
  return id == null ? null : numberId(id, id.fileNum);
}

export function tokenId(id: TokenId | null | undefined): EntityId | null {
  return id == null ? null : numberId(id, id.tokenNum);
}

export function topicId(id: TopicId | null | undefined): EntityId | null {
  return id == null ? null : numberId(id, id.topicNum);
}

export function scheduleId(id: ScheduleId | null | undefined): EntityId | null {
  return id == null ? null : numberId(id, id.scheduleNum);
}

/** Null for an absent time. A user may send a valid start beyond int64 nanoseconds: it is stored as the nearest. */
export function timestampOf(timestamp: Timestamp | null): ConsensusTimestamp | null {
  if (timestamp === null) return null;
  const exact = timestampFromParts(toBigInt(timestamp.seconds), timestamp.nanos);
  if (exact > MAX_INT64) return consensusTimestamp(MAX_INT64);
  return exact < -MAX_INT64 ? consensusTimestamp(-MAX_INT64) : exact;
}

function numberId(id: ShardRealm, num: Long): EntityId | null {
  // The usual case; an import decodes millions of them.
  if (isZero(id.shardNum) && isZero(id.realmNum))
    return isZero(num) ? null : encodeEntityId(0n, 0n, toBigInt(num));
  const encoded = encodeEntityId(toBigInt(id.shardNum), toBigInt(id.realmNum), toBigInt(num));
  return encoded === 0n ? null : encoded;
}

function isZero(long: Long): boolean {
  return long.low === 0 && long.high === 0;
}

const ADDRESS_LENGTH = 20;

/** 20 bytes whose first 12 are shard, realm and zeros name an entity by its number. */
function aliasId(id: ShardRealm, alias: Uint8Array, resolve: ResolveAlias): EntityId | null {
  const home = { shard: toBigInt(id.shardNum), realm: toBigInt(id.realmNum) };
  return (alias.length === ADDRESS_LENGTH ? entityOfLongZero(alias, home) : null) ?? resolve(alias);
}
