import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { type Work, waitFor } from '../../values/work.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import type { Nft, TokenNftSelection } from './nft-repository.ts';
import { byPair, nftColumns, nftOf, pairsOfAccount, type StoredNft } from './nft-rows.sql.ts';
import { nextStep } from './step-size.ts';

interface OwnedSerial {
  readonly serial_number: bigint;
  readonly account_id: bigint | null;
}

/** Serial numbers that are read next. */
interface Range {
  readonly lower: bigint;
  readonly upper: bigint;
  readonly count: number;
}

interface Step {
  readonly rows: readonly OwnedSerial[];
  readonly wanted: readonly StoredNft[];
}

/**
 * Finds the NFTs of a token by serial number.
 *
 * One account is a range of the index on accounts. A range of accounts has no index with serial numbers in order: it
 * is met by a walk along the serial numbers, in steps.
 */
export function createTokenNfts(sql: Sql): (selection: TokenNftSelection) => Promise<readonly Nft[]> {
  const { isListed, list } = sql.dialect;
  const columns = nftColumns(sql.dialect);
  const prepare = <Row>(columns: string, from: string, order: 'asc' | 'desc') =>
    sql.prepareExact<unknown[], Row>(
      `select ${columns} from ${from} and n.serial_number between ? and ?
       order by n.serial_number ${order} limit ?`,
    );
  const both = <Row>(columns: string, from: string) => ({
    asc: prepare<Row>(columns, from, 'asc'),
    desc: prepare<Row>(columns, from, 'desc'),
  });
  const tokenRows = 'nft n where n.token_id = ?';
  const ofToken = both<StoredNft>(columns, tokenRows);
  const holderRows = (order: 'asc' | 'desc') =>
    sql.prepareExact<[bigint, bigint, bigint, bigint, bigint, number], StoredNft>(
      pairsOfAccount(sql.dialect, { columns, index: 'nft_by_account', order }),
    );
  const ofHolder = { asc: holderRows('asc'), desc: holderRows('desc') };
  const owners = both<OwnedSerial>('n.serial_number, n.account_id', tokenRows);
  const ofList = sql.prepareExact<[bigint, SqlList], StoredNft>(
    `select ${columns} from nft n where n.token_id = ? and ${isListed('n.serial_number')}`,
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
    const found = yield* ofList.all(token, list(serials.map((row) => row.serial_number)));
    // Another writer may have given one away meanwhile.
    const wanted = found.filter((row) => isWanted(row, selection));
    return { rows, wanted: wanted.sort(byPair(order)) };
  }

  function* page(selection: TokenNftSelection): Work<readonly Nft[]> {
    const { limit, order, serials } = selection;
    const found: Nft[] = [];
    let { lower, upper } = serials;
    for (let count = limit; lower <= upper; count = nextStep(count)) {
      const { rows, wanted } = yield* read(selection, { lower, upper, count });
      found.push(...wanted.slice(0, limit - found.length).map(nftOf));
      const last = rows.at(-1);
      if (found.length === limit || last === undefined || rows.length < count) break;
      if (order === 'asc') lower = last.serial_number + 1n;
      else upper = last.serial_number - 1n;
      yield* waitFor(() => setImmediate());
    }
    return found;
  }

  return async (selection) => sql.read(() => page(selection));
}

function isWanted(
  { account_id: account, serial_number: serial }: OwnedSerial,
  asked: TokenNftSelection,
): boolean {
  const { accounts, serials } = asked;
  return (
    meetsAll(serials, serial) && (accounts === null || (account !== null && meetsAll(accounts, account)))
  );
}

/** The one value that is asked for; null when there may be others. */
function onlyOf(selection: AndedIntegers | null): bigint | null {
  return selection !== null && selection.lower === selection.upper ? selection.lower : null;
}
