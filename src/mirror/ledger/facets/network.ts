import { appendTable } from '../../../values/stored-tables.ts';
import type { FoldState } from '../fold/fold-state.ts';
import { type AddressBook, BOOK_ENTRY, NETWORK_STAKE, NODE_STAKE, type StakeUpdate } from '../rows.ts';
import type { Facet } from './facet.ts';

const FILE_PIECE = appendTable('file_piece', 2, [
  'file_id',
  'consensus_ts',
  'tx_type',
  'contents',
  'is_told',
  'place',
  'seq',
]);
const ADDRESS_BOOK = appendTable('address_book', 2, ['file_id', 'start_ts', 'is_told']);
const ADDRESS_BOOK_ENTRY = appendTable('address_book_entry', 3, [
  'file_id',
  'start_ts',
  ...BOOK_ENTRY.columns,
]);

const NETWORK_STAKES = appendTable('network_stake', 1, NETWORK_STAKE.columns);
const NODE_STAKES = appendTable('node_stake', 2, ['consensus_ts', ...NODE_STAKE.columns, 'is_told']);

/** System files with their address books, and stakes. */
export const network: Facet<never> = {
  fold({ place, unit }, state) {
    for (const [seq, piece] of unit.filePieces.entries()) {
      const { consensusTimestamp: at, contents, file, isTold = false, transactionType } = piece;
      const pieceAt = unit.header.kind === 'fixture' ? at : place;
      state.append(FILE_PIECE, [file, at, transactionType, contents, Number(isTold), pieceAt, seq]);
    }
    for (const book of unit.addressBooks) addBook(book, state);
    for (const update of unit.stakeUpdates) addStakes(update, state);
  },

  // A start book has no transaction that it could be rebuilt from.
  rebuild: {
    added: ['file_piece', 'address_book', 'address_book_entry', 'network_stake', 'node_stake'],
  },
};

/** A book that is vouched for takes the place of one that was only told. */
function addBook({ entries, file, isTold = false, startTimestamp }: AddressBook, state: FoldState): void {
  if (!isTold) {
    state.change({ name: 'drop-told-entries', values: [file, startTimestamp] });
    state.change({ name: 'drop-told-book', values: [file, startTimestamp] });
  }
  state.append(ADDRESS_BOOK, [file, startTimestamp, Number(isTold)]);
  for (const entry of entries) {
    state.append(ADDRESS_BOOK_ENTRY, [file, startTimestamp, ...BOOK_ENTRY.values(entry)]);
  }
}

function addStakes(update: StakeUpdate, state: FoldState): void {
  const { consensusTimestamp: at, isTold = false, nodes, nodesOnly } = update;
  if (nodesOnly !== true) state.append(NETWORK_STAKES, NETWORK_STAKE.values(update));
  for (const node of nodes) state.append(NODE_STAKES, [at, ...NODE_STAKE.values(node), Number(isTold)]);
}
