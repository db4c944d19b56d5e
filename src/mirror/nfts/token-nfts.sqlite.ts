import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import type { Nft, TokenNftSelection } from './nft-repository.ts';
import { NFT_COLUMNS, nftOf, type StoredNft } from './nft-rows.sqlite.ts';
import { nextStep } from './step-size.ts';

interface OwnedSerial {
  readonly serial_number: bigint;
  readonly account_id: bigint | null;
}

/**
 * Finds the NFTs of a token by serial number.
 *
 * One account is a range of the index on accounts. A range of accounts has no index with serial numbers in order: it
 * is met by a walk along the serial numbers, in steps.
 */
export function createTokenNfts(
  database: SqliteDatabase,
): (selection: TokenNftSelection) => Promise<readonly Nft[]> {
  const prepare = <Row>(columns: string, from: string, order: 'asc' | 'desc') =>
    database
      .prepare<unknown[], Row>(
        `select ${columns} from ${from} and n.serial_number between ? and ?
         order by n.serial_number ${order} limit ?`,
      )
      .safeIntegers(true);
  const both = <Row>(columns: string, from: string) => ({
    asc: prepare<Row>(columns, from, 'asc'),
    desc: prepare<Row>(columns, from, 'desc'),
  });
  const tokenRows = 'nft n where n.token_id = ?';
  const ofToken = both<StoredNft>(NFT_COLUMNS, tokenRows);
  // The planner takes the key of the table, along which the NFTs of an account may lie far apart.
  const ofHolder = both<StoredNft>(
    NFT_COLUMNS,
    'nft n indexed by nft_by_account where n.account_id = ? and n.token_id = ?',
  );
  const owners = both<OwnedSerial>('n.serial_number, n.account_id', tokenRows);

  /** The wanted NFTs among the next ones, and how far they reach. */
  const read = (selection: TokenNftSelection, lower: bigint, upper: bigint, count: number) => {
    const { accounts, order, token } = selection;
    const holder = onlyOf(accounts);
    if (accounts !== null && holder === null) {
      const rows = owners[order].all(token, lower, upper, count);
      const wanted = rows.filter((row) => isWanted(row, selection));
      return {
        rows,
        wanted: wanted.flatMap((row) => ofToken[order].all(token, row.serial_number, row.serial_number, 1)),
      };
    }
    const rows =
      holder === null
        ? ofToken[order].all(token, lower, upper, count)
        : ofHolder[order].all(holder, token, lower, upper, count);
    return { rows, wanted: rows.filter((row) => isWanted(row, selection)) };
  };

  return async (selection) => {
    const { limit, order, serials } = selection;
    const found: Nft[] = [];
    let { lower, upper } = serials;
    for (let count = limit; lower <= upper; count = nextStep(count)) {
      const { rows, wanted } = read(selection, lower, upper, count);
      found.push(...wanted.slice(0, limit - found.length).map(nftOf));
      const last: OwnedSerial | undefined = rows.at(-1);
      if (found.length === limit || last === undefined || rows.length < count) break;
      if (order === 'asc') lower = last.serial_number + 1n;
      else upper = last.serial_number - 1n;
      await setImmediate();
    }
    return found;
  };
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
