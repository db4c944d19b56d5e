import { decodeEntityId, type EntityId } from '../../../values/entity-id.ts';
import { type DecodedItem, successOf } from '../../items/decoded-item.ts';
import { hashedFile } from '../../items/evm-hash.ts';
import { fileId } from '../../items/ledger-ids.ts';
import type { FilePiece } from '../../ledger/rows.ts';
import { SYSTEM_FILES } from '../../vocabulary/system-files.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { LedgerLookup } from './known-entities.ts';

/**
 * The piece of a system file that a successful transaction wrote; null when it wrote none.
 *
 * @see contracts/streams.md section 12
 */
export function systemFilePiece(item: DecodedItem): FilePiece | null {
  const piece = filePiece(item);
  if (piece === null || !SYSTEM_FILES.has(decodeEntityId(piece.file).num)) return null;
  // Not the whole record file is kept for it.
  return { ...piece, contents: Uint8Array.from(piece.contents) };
}

/** An update without contents changes keys or memo only. */
function filePiece({ type, body, record, consensusTimestamp }: DecodedItem): FilePiece | null {
  const [file, contents] =
    type === TYPE.FILECREATE
      ? [fileId(record.receipt?.fileID), body.fileCreate?.contents]
      : type === TYPE.FILEUPDATE
        ? [fileId(body.fileUpdate?.fileID), body.fileUpdate?.contents]
        : type === TYPE.FILEAPPEND
          ? [fileId(body.fileAppend?.fileID), body.fileAppend?.contents]
          : [null, undefined];
  if (file === null || contents === undefined) return null;
  if (contents.length === 0 && type !== TYPE.FILECREATE) return null;
  return {
    file,
    consensusTimestamp,
    transactionType: type,
    contents,
  };
}

/**
 * The items of a unit, each with the contents of the file that its hash depends on, as they were by then.
 *
 * @see contracts/mirror-contracts.md section 11.2, hash
 */
export async function withCallData(
  items: readonly DecodedItem[],
  lookup: LedgerLookup,
): Promise<readonly DecodedItem[]> {
  const files = items.map((item) => fileId(hashedFile(item)));
  if (files.every((file) => file === null)) return items;
  const isSuccessful = successOf(items);
  const begin = items[0]?.consensusTimestamp;
  const contents = new Map<EntityId, Uint8Array | null>();
  for (const file of new Set(files)) {
    if (file !== null && begin !== undefined) contents.set(file, await lookup.fileContents(file, begin));
  }
  return items.map((item, place) => {
    const piece = isSuccessful(item) ? filePiece(item) : null;
    if (piece !== null && contents.has(piece.file)) {
      const before = piece.transactionType === TYPE.FILEAPPEND ? contents.get(piece.file) : NOTHING;
      contents.set(piece.file, before == null ? null : Buffer.concat([before, piece.contents]));
    }
    const file = files[place] ?? null;
    return file === null ? item : { ...item, fileCallData: contents.get(file) ?? null };
  });
}

const NOTHING = new Uint8Array();
