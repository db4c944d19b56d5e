import { LedgerlensError } from '../../values/ledgerlens-error.ts';
import { wireFields } from '../protobuf/wire.ts';

/** Field numbers of `Key`. */
const PRIMITIVE: ReadonlySet<number> = new Set([2, 3, 4, 7]);
const [THRESHOLD_KEY, KEY_LIST] = [5, 6];
/** Field numbers of `ThresholdKey` and `KeyList`. */
const [KEYS_OF_THRESHOLD, KEYS_OF_LIST] = [2, 1];
/** Far more than real ones have; an entry of PostgreSQL's index has room for 2704. */
const MAX_BYTES = 2048;

/**
 * What a key is searched by: the bytes of one primitive key, also as the only member of a list or threshold.
 *
 * @returns null for larger or deeper keys and for bytes that are no key; empty for no bytes.
 * @see contracts/mirror-entities.md section 11.2
 */
export function publicKeyOf(key: Uint8Array): Uint8Array | null {
  if (key.length === 0) return key;
  try {
    const found = primitive(key) ?? onlyMember(key);
    return found === null || found.length > MAX_BYTES ? null : found;
  } catch (error) {
    if (error instanceof LedgerlensError) return null;
    throw error;
  }
}

function primitive(key: Uint8Array): Uint8Array | null {
  const [field, another] = wireFields(key);
  return field !== undefined && another === undefined && PRIMITIVE.has(field.number) ? field.bytes : null;
}

function onlyMember(key: Uint8Array): Uint8Array | null {
  const [field, another] = wireFields(key);
  if (field === undefined || another !== undefined) return null;
  const list =
    field.number === KEY_LIST
      ? field.bytes
      : field.number === THRESHOLD_KEY
        ? wireFields(field.bytes).find(({ number }) => number === KEYS_OF_THRESHOLD)?.bytes
        : undefined;
  const members = list === undefined ? [] : wireFields(list).filter(({ number }) => number === KEYS_OF_LIST);
  const [member, other] = members;
  return member === undefined || other !== undefined ? null : primitive(member.bytes);
}
