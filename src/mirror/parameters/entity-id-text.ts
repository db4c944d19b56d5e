import { type EntityId, encodeEntityId } from '../../values/entity-id.ts';
import { invalidRequest, messages } from '../errors.ts';
import { entityOfLongZero } from '../vocabulary/long-zero-address.ts';

/** What an entity parameter names. */
type EntityText =
  | { readonly kind: 'id'; readonly id: EntityId }
  /** 20 bytes, lower-case hex without `0x`; the ledger knows whose it is. */
  | { readonly kind: 'evm-address'; readonly hex: string }
  /** In the documented pattern but beyond the encodable range, or of another network: no account has it. */
  | { readonly kind: 'none' };

/** The shard and realm that shorter forms leave out. */
export interface EntityHome {
  readonly shard: bigint;
  readonly realm: bigint;
}

/** The pattern of the interface specification; what it allows is never refused. */
const DOCUMENTED = /^(?:(\d{1,10})\.(\d{1,10})\.)?(\d{1,10})$/;
const DOTTED = /^(?:(\d{1,4})\.)?(\d{1,5})\.(\d{1,12})$/;
const NUM = /^-?\d{1,19}$/;
const NUM_IN_RANGE = /^\d{1,12}$/;
const EVM_ADDRESS = /^(?:0x|(?:(?:(\d{1,4})\.)?(\d{1,5})\.)?)([A-Fa-f0-9]{40})$/;

/** The first check of an entity parameter; what passes may still be out of range. */
export function looksLikeEntity(text: string): boolean {
  return DOCUMENTED.test(text) || DOTTED.test(text) || NUM.test(text) || EVM_ADDRESS.test(text);
}

/**
 * Reads one of the entity forms.
 *
 * @throws MirrorApiError 400 `Invalid entity ID` for a number that cannot be encoded.
 * @see contracts/mirror-transactions.md section 3.2
 */
export function parseEntityText(text: string, home: EntityHome): EntityText {
  const documented = DOCUMENTED.exec(text);
  if (documented !== null) {
    const [, shard, realm, num = ''] = documented;
    const id = encodeEntityId(
      shard === undefined ? home.shard : BigInt(shard),
      realm === undefined ? home.realm : BigInt(realm),
      BigInt(num),
    );
    return id === null ? { kind: 'none' } : { kind: 'id', id };
  }
  const dotted = DOTTED.exec(text);
  if (dotted !== null) {
    const [, shard, realm = '', num = ''] = dotted;
    const id = encodeEntityId(shard === undefined ? home.shard : BigInt(shard), BigInt(realm), BigInt(num));
    if (id === null) throw invalidRequest([messages.invalidEntityId(text)]);
    return { kind: 'id', id };
  }
  const address = EVM_ADDRESS.exec(text);
  if (address !== null) {
    const [, shard, realm, hex = ''] = address;
    const isForeign =
      (shard !== undefined && BigInt(shard) !== home.shard) ||
      (realm !== undefined && BigInt(realm) !== home.realm);
    return isForeign ? { kind: 'none' } : fromAddress(hex.toLowerCase(), home);
  }
  const id = NUM_IN_RANGE.test(text) ? encodeEntityId(home.shard, home.realm, BigInt(text)) : null;
  if (id === null) throw invalidRequest([messages.invalidEntityId(`${home.shard}.${home.realm}.${text}`)]);
  return { kind: 'id', id };
}

/** A long-zero address is the number itself; the network's own shard and realm can stand before it. */
function fromAddress(hex: string, home: EntityHome): EntityText {
  const id = entityOfLongZero(Buffer.from(hex, 'hex'), home);
  return id === null ? { kind: 'evm-address', hex } : { kind: 'id', id };
}
