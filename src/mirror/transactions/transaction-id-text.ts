import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import { encodeEntityId } from '../../values/entity-id.ts';
import { parseHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest, messages } from '../errors.ts';

/** What the path names. */
export type TransactionKey =
  | { readonly kind: 'hash'; readonly hash: Uint8Array }
  | { readonly kind: 'id'; readonly payer: bigint; readonly validStart: bigint };

const HEX_HASH = /^(?:0x)?[\dA-Fa-f]{96}$/;
const BASE64_HASH = /^[\dA-Za-z+\-/_]{64}$/;
/** The second form is how the SDKs print an id. */
const ID = /^(\d+)\.(\d+)\.(\d+)(?:-(\d{1,19})-|@(\d{1,19})\.)(\d{1,9})$/;

const INVALID_ID =
  'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds';

/**
 * Reads a hash (base64, base64url or hex) or an id. Nanoseconds need no padding.
 *
 * @throws MirrorApiError 400 for any other text.
 * @see contracts/mirror-transactions.md section 6
 */
export function parseTransactionKey(text: string): TransactionKey {
  const hash = HEX_HASH.test(text)
    ? parseHex(text)
    : BASE64_HASH.test(text)
      ? Buffer.from(text, 'base64')
      : null;
  if (hash !== null) return { kind: 'hash', hash };
  const match = ID.exec(text);
  if (match === null) throw invalidRequest([INVALID_ID]);
  const [, shard = '', realm = '', num = '', dashed, dotted, nanos = ''] = match;
  const seconds = BigInt(dashed ?? dotted ?? '0');
  if (seconds > MAX_INT64) throw invalidRequest([INVALID_ID]);
  const payer = encodeEntityId(BigInt(shard), BigInt(realm), BigInt(num));
  if (payer === null) throw invalidRequest([messages.invalidEntityId(`${shard}.${realm}.${num}`)]);
  return { kind: 'id', payer, validStart: seconds * NANOS_PER_SECOND + BigInt(nanos) };
}
