import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId } from '../../../values/entity-id.ts';
import { LedgerlensError } from '../../../values/ledgerlens-error.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { AddressBook, AddressBookEntry, FilePiece } from '../../ledger/rows.ts';
import { ADDRESS_BOOK_FILES } from '../../vocabulary/system-files.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { isValidNode, parseAddressBook } from './address-book.ts';

/** The stored contents of a system file, by its number, to which a piece of the unit is appended at a time. */
type FileContents = (
  fileNum: bigint,
  timestamp: ConsensusTimestamp,
) => ReturnType<LedgerRepository['fileContents']>;

/**
 * The address books that the pieces of a unit complete.
 *
 * Contents that cannot be read yet are a book in several parts: the old one stays until the last arrived. It also stays
 * when none of the nodes is valid. What is appended to contents that nothing vouches for is not vouched for either.
 *
 * @see contracts/streams.md section 12, file 102
 */
export async function assembleAddressBooks(
  pieces: readonly FilePiece[],
  storedContents: FileContents,
): Promise<readonly AddressBook[]> {
  const versions = new Map<bigint, { readonly contents: Uint8Array; readonly isTold?: boolean }>();
  const books: AddressBook[] = [];
  for (const piece of pieces) {
    const { num } = decodeEntityId(piece.file);
    if (!ADDRESS_BOOK_FILES.has(num)) continue;
    const before =
      piece.transactionType === TYPE.FILEAPPEND
        ? (versions.get(piece.file) ??
          (await storedContents(num, consensusTimestamp(piece.consensusTimestamp - 1n))))
        : null;
    const { file } = piece;
    const contents = Buffer.concat([before?.contents ?? new Uint8Array(), piece.contents]);
    const isTold = piece.isTold === true || before?.isTold === true;
    versions.set(file, { contents, isTold });
    const entries = completeBook(contents);
    const startTimestamp = consensusTimestamp(piece.consensusTimestamp + 1n);
    if (entries !== null) books.push({ file, startTimestamp, entries, isTold });
  }
  return books;
}

function completeBook(contents: Uint8Array): readonly AddressBookEntry[] | null {
  try {
    const entries = parseAddressBook(contents);
    return entries.some(isValidNode) ? entries : null;
  } catch (error) {
    if (error instanceof LedgerlensError && error.code === 'malformed') return null;
    throw error;
  }
}
