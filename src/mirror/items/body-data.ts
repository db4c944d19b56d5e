import { FieldWalk } from '../protobuf/wire.ts';
import { isKnownType } from '../vocabulary/transaction-types.ts';

/** Members of `TransactionBody` that lie outside the oneof `data`. */
const COMMON_FIELDS: ReadonlySet<number> = new Set([1, 2, 3, 4, 5, 6, 73, 1001, 1002]);
const LENGTH_DELIMITED = 2;

/**
 * The field number of the oneof `data` in a `TransactionBody`, also of types this build does not know.
 *
 * @returns 0 when no member of the oneof is set.
 * @see contracts/streams.md section 6, row Type
 */
export function dataFieldNumber(body: Uint8Array): number {
  let data = 0;
  for (const walk = new FieldWalk(body); walk.next(); ) if (isData(walk, data)) data = walk.number;
  return data;
}

/**
 * Whether a field of a body is its data rather than the one found before it: the last of those this build knows, since
 * another may be a common field of the future, else the last message.
 *
 * @param found 0 for none
 */
export function isData({ number, wireType }: FieldWalk, found: number): boolean {
  if (COMMON_FIELDS.has(number)) return false;
  return isKnownType(number) || (wireType === LENGTH_DELIMITED && !isKnownType(found));
}
