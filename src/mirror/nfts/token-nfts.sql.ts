import { prepareRecords, prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { int64, type RecordOf, type RowTable, rowTable } from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import { type KeyRange, rangeOf, type Step, walkSteps } from '../parameters/ordered-range.ts';
import type { Nft, TokenNftSelection } from './nft-repository.ts';
import { byPair, pairsOfAccount, storedNft } from './nft-rows.sql.ts';
import { nextStep } from './step-size.ts';

const OWNED_SERIAL = rowTable({
  serial: int64('n.serial_number'),
  account: int64<bigint | null>('n.account_id'),
});
type OwnedSerial = RecordOf<typeof OWNED_SERIAL>;

/**
 * Finds the NFTs of a token by serial number.
 *
 * One account is a range of the index on accounts. A range of accounts has no index with serial numbers in order: it
 * is met by a walk along the serial numbers, in steps.
 */
export function createTokenNfts(sql: Sql): (selection: TokenNftSelection) => Promise<readonly Nft[]> {
  const { isListed, list } = sql.dialect;
  const nfts = storedNft(sql.dialect);
  const both = <Row>(table: RowTable<Row>) => {
    const prepare = (order: 'asc' | 'desc') =>
      prepareSelect(
        sql,
        table,
        `from nft n where n.token_id = ? and n.serial_number between ? and ?
         order by n.serial_number ${order} limit ?`,
      );
    return { asc: prepare('asc'), desc: prepare('desc') };
  };
  const ofToken = both(nfts);
  const holderRows = (order: 'asc' | 'desc') =>
    prepareRecords(
      sql,
      nfts,
      pairsOfAccount(sql.dialect, { columns: nfts.select, index: 'nft_by_account', order }),
    );
  const ofHolder = { asc: holderRows('asc'), desc: holderRows('desc') };
  const owners = both(OWNED_SERIAL);
  const ofList = prepareSelect(
    sql,
    nfts,
    `from nft n where n.token_id = ? and ${isListed('n.serial_number')}`,
  );

  /** The wanted NFTs among the next ones, and how far they reach. */
  function* read(
    selection: TokenNftSelection,
    { lower, upper }: KeyRange,
    count: number,
  ): Work<Step<OwnedSerial, Nft>> {
    const { accounts, order, token } = selection;
    const holder = onlyOf(accounts);
    if (accounts === null || holder !== null) {
      const rows = yield* holder === null
        ? ofToken[order].all(token, ...lower, ...upper, count)
        : ofHolder[order].all(holder, token, ...lower, token, ...upper, count);
      return { rows, wanted: rows.filter((row) => isWanted(row, selection)) };
    }
    const rows = yield* owners[order].all(token, ...lower, ...upper, count);
    const serials = rows.filter((row) => isWanted(row, selection));
    if (serials.length === 0) return { rows, wanted: [] };
    const found = yield* ofList.all(token, list(serials.map((row) => row.serial)));
    // Another writer may have given one away meanwhile.
    const wanted = found.filter((row) => isWanted(row, selection));
    return { rows, wanted: wanted.toSorted(byPair(order)) };
  }

  return sql.reading((selection) =>
    walkSteps<OwnedSerial, Nft>(rangeOf(selection.serials), {
      ...selection,
      keyOf: ({ serial }) => [serial],
      nextCount: nextStep,
      read: (range, count) => read(selection, range, count),
    }),
  );
}

function isWanted({ account, serial }: OwnedSerial, asked: TokenNftSelection): boolean {
  const { accounts, serials } = asked;
  return (
    meetsAll(serials, serial) && (accounts === null || (account !== null && meetsAll(accounts, account)))
  );
}

/** The one value that is asked for; null when there may be others. */
function onlyOf(selection: AndedIntegers | null): bigint | null {
  return selection !== null && selection.lower === selection.upper ? selection.lower : null;
}
