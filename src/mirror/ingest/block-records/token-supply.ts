import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { RESULT_FIELD } from './field-numbers.ts';
import type { TransactionResult } from './transaction-result.ts';

/** How a body changes the supply of a token: members of its own part. */
interface SupplyFields {
  readonly sign: 1n | -1n;
  readonly amount: number;
  /** Metadata of new NFTs, one each; 0 without. */
  readonly metadata: number;
  /** Serial numbers of NFTs that end; 0 without. */
  readonly serials: number;
}

const FIELDS: ReadonlyMap<number, SupplyFields> = new Map([
  [TYPE.TOKENMINT as number, { sign: 1n, amount: 2, metadata: 3, serials: 0 }],
  [TYPE.TOKENBURN, { sign: -1n, amount: 2, metadata: 0, serials: 3 }],
  [TYPE.TOKENWIPE, { sign: -1n, amount: 3, metadata: 0, serials: 4 }],
]);
const TOKEN = 1;
const NFT_TRANSFERS = 3;
const SERIAL_NUMBER = 3;
const DELIMITED = 2;

/** The token whose supply a body changes, and by how much; null for other types. */
export function supplyChange(
  type: number,
  data: Uint8Array,
): { readonly token: Uint8Array; readonly change: bigint } | null {
  const fields = FIELDS.get(type);
  const token = fields === undefined ? null : rawField(data, TOKEN);
  if (fields === undefined || token === null) return null;
  let units = 0n;
  for (const walk = new FieldWalk(data); walk.next(); ) {
    if (walk.number === fields.amount) units += walk.int64;
    else if (walk.number === fields.metadata) units += 1n;
    else if (walk.number === fields.serials) {
      units += walk.wireType === DELIMITED ? varintsIn(walk.bytes) : 1n;
    }
  }
  return { token, change: fields.sign * units };
}

/** Serial numbers of the NFTs that a result moves, ascending. */
export function movedSerials({ bytes, repeated }: TransactionResult): readonly bigint[] {
  if (!repeated.has(RESULT_FIELD.tokenTransferLists)) return [];
  const serials: bigint[] = [];
  for (const list = new FieldWalk(bytes); list.next(); ) {
    if (list.number !== RESULT_FIELD.tokenTransferLists) continue;
    for (const walk = new FieldWalk(bytes, list.start, list.end); walk.next(); ) {
      if (walk.number !== NFT_TRANSFERS) continue;
      for (const nft = new FieldWalk(bytes, walk.start, walk.end); nft.next(); ) {
        if (nft.number === SERIAL_NUMBER) serials.push(nft.int64);
      }
    }
  }
  return serials.sort((left, right) => (left < right ? -1 : 1));
}

/** How many varints a packed list has. */
function varintsIn(packed: Uint8Array): bigint {
  let count = 0n;
  for (const byte of packed) if (byte < 0x80) count++;
  return count;
}
