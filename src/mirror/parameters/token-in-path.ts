import { type EntityId, encodeEntityId } from '../../values/entity-id.ts';
import { invalidRequest, messages } from '../errors.ts';
import { entityOfLongZero } from '../vocabulary/long-zero-address.ts';
import type { EntityHome } from './entity-id-text.ts';

/** `shard.realm.num`, `realm.num` or `num`. */
const NUMBERS = /^(?:(?:(\d{1,10})\.)?(\d{1,10})\.)?(\d{1,12})$/;
/** Shard and realm stand before bare digits alone. */
const ADDRESS = /^(?:0x|(?:(?:(\d{1,10})\.)?(\d{1,10})\.)?)([\dA-Fa-f]{40})$/;

/**
 * The token that a path names by its number, also as the long-zero address of the number; it need not exist.
 *
 * @throws MirrorApiError 400 `Invalid parameter: tokenid` for another form, also for an EVM address that tells no number.
 * @see contracts/mirror-entities.md section 1, path ids
 */
export function tokenInPath(text: string, home: EntityHome): EntityId {
  const token = tokenOfText(text, home);
  if (token === null) throw invalidRequest([messages.invalidParameter('tokenid')]);
  return token;
}

/**
 * The topic or schedule that a path names by its number; it need not exist.
 *
 * @param parameter for the error, for example `topic.id`.
 * @throws MirrorApiError 400 for another form.
 */
export function numberInPath(text: string, parameter: string, home: EntityHome): EntityId {
  const entity = numberOfText(text, home);
  if (entity === null) throw invalidRequest([messages.invalidParameter(parameter)]);
  return entity;
}

/** A token as filters and paths write it; null for another form, and for a number beyond what can be encoded. */
export function tokenOfText(text: string, home: EntityHome): EntityId | null {
  const [, shard, realm, hex] = ADDRESS.exec(text) ?? [];
  if (hex === undefined) return numberOfText(text, home);
  const isForeign =
    (shard !== undefined && BigInt(shard) !== home.shard) ||
    (realm !== undefined && BigInt(realm) !== home.realm);
  return isForeign ? null : entityOfLongZero(Buffer.from(hex, 'hex'), home);
}

/** Null for another form, and for a number beyond what can be encoded. */
export function numberOfText(text: string, home: EntityHome): EntityId | null {
  const [, shard, realm, num] = NUMBERS.exec(text) ?? [];
  if (num === undefined) return null;
  return encodeEntityId(
    shard === undefined ? home.shard : BigInt(shard),
    realm === undefined ? home.realm : BigInt(realm),
    BigInt(num),
  );
}
