import { setImmediate } from 'node:timers/promises';
import { prepareRecords, prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { int64, type RecordOf, type RowTable, rowTable } from '../../values/row-table.ts';
import { type Work, waitFor } from '../../values/work.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import type { Nft, TokenNftSelection } from './nft-repository.ts';
import { byPair, pairsOfAccount, storedNft } from './nft-rows.sql.ts';
import { nextStep } from './step-size.ts';

const OWNED_SERIAL = rowTable({
  serial: int64('n.serial_number'),
  account: int64<bigint | null>('n.account_id'),
});
type OwnedSerial = RecordOf<typeof OWNED_SERIAL>;

/** Serial numbers that are read next. */
interface Range {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly count: number;
}

interface Step {
  readonly rows: readonly OwnedSerial[];
  readonly wanted: readonly Nft[];
}

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
  function* read(selection: TokenNftSelection, range: Range): Work<Step> {
    const { accounts, order, token } = selection;
    const { count, lower, upper } = range;
    const holder = onlyOf(accounts);
    if (accounts === null || holder !== null) {
      const rows = yield* holder === null
        ? ofToken[order].all(token, lower, upper, count)
        : ofHolder[order].all(holder, token, lower, token, upper, count);
      return { rows, wanted: rows.filter((row) => isWanted(row, selection)) };
    }
    const rows = yield* owners[order].all(token, lower, upper, count);
    const serials = rows.filter((row) => isWanted(row, selection));
    if (serials.length === 0) return { rows, wanted: [] };
    const found = yield* ofList.all(token, list(serials.map((row) => row.serial)));
    // Another writer may have given one away meanwhile.
    const wanted = found.filter((row) => isWanted(row, selection));
    return { rows, wanted: wanted.toSorted(byPair(order)) };
  }

  function* page(selection: TokenNftSelection): Work<readonly Nft[]> {
    const { limit, order, serials } = selection;
    const found: Nft[] = [];
    let { lower, upper } = serials;
    for (let count = limit; lower <= upper; count = nextStep(count)) {
      const { rows, wanted } = yield* read(selection, { lower, upper, count });
      found.push(...wanted.slice(0, limit - found.length));
      const last = rows.at(-1);
      if (found.length === limit || last === undefined || rows.length < count) break;
      if (order === 'asc') lower = last.serial + 1n;
      else upper = last.serial - 1n;
      yield* waitFor(() => setImmediate());
    }
    return found;
  }

  return async (selection) => sql.read(() => page(selection));
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
