import { decodeEntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { fileId } from '../../items/ledger-ids.ts';
import type { FilePiece } from '../../ledger/rows.ts';
import { SYSTEM_FILES } from '../../vocabulary/system-files.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';

/**
 * The piece of a system file that a successful transaction wrote; null when it wrote none.
 *
 * An update without contents changes keys or memo only.
 *
 * @see contracts/streams.md section 12
 */
export function filePiece({ type, body, record, consensusTimestamp }: DecodedItem): FilePiece | null {
  const [file, contents] =
    type === TYPE.FILECREATE
      ? [fileId(record.receipt?.fileID ?? null), body.fileCreate?.contents]
      : type === TYPE.FILEUPDATE
        ? [fileId(body.fileUpdate?.fileID ?? null), body.fileUpdate?.contents]
        : type === TYPE.FILEAPPEND
          ? [fileId(body.fileAppend?.fileID ?? null), body.fileAppend?.contents]
          : [null, undefined];
  if (file === null || contents === undefined || !SYSTEM_FILES.has(decodeEntityId(file).num)) return null;
  if (contents.length === 0 && type !== TYPE.FILECREATE) return null;
  return {
    file,
    consensusTimestamp,
    transactionType: type as FilePiece['transactionType'],
    contents: Uint8Array.from(contents),
  };
}
