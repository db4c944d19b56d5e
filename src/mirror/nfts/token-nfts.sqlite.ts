import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { Nft, TokenNftSelection } from './nft-repository.ts';
import { NFT_COLUMNS, nftOf, type StoredNft } from './nft-rows.sqlite.ts';

/** NFTs that are looked at before other requests get a turn. */
const LONGEST_STEP = 2000;

/**
 * Finds the NFTs of a token by serial number.
 *
 * One account is a range of the index on accounts. A range of accounts has no index with serial numbers in order: it
 * is met by a walk along the serial numbers, in steps.
 */
export function createTokenNfts(
  database: SqliteDatabase,
): (selection: TokenNftSelection) => Promise<readonly Nft[]> {
  const prepare = (where: string, order: 'asc' | 'desc') =>
    database
      .prepare<unknown[], StoredNft>(
        `select ${NFT_COLUMNS} from nft n where ${where} and n.serial_number between ? and ?
         order by n.serial_number ${order} limit ?`,
      )
      .safeIntegers(true);
  const both = (where: string) => ({ asc: prepare(where, 'asc'), desc: prepare(where, 'desc') });
  const ofToken = both('n.token_id = ?');
  const ofHolder = both('n.account_id = ? and n.token_id = ?');

  return async ({ accounts, limit, order, serials, token }) => {
    const holder = onlyOf(accounts);
    const isWanted = ({ account_id: account, serial_number: serial }: StoredNft): boolean =>
      meets(serials, serial) && (accounts === null || (account !== null && meets(accounts, account)));
    const step = (lower: bigint, upper: bigint, count: number): readonly StoredNft[] =>
      holder === null
        ? ofToken[order].all(token, lower, upper, count)
        : ofHolder[order].all(holder, token, lower, upper, count);
    const found: Nft[] = [];
    let { lower, upper } = serials;
    let count = limit;
    while (lower <= upper) {
      const rows = step(lower, upper, count);
      for (const row of rows) {
        if (isWanted(row)) found.push(nftOf(row));
        if (found.length === limit) return found;
      }
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return found;
      if (order === 'asc') lower = last.serial_number + 1n;
      else upper = last.serial_number - 1n;
      count = LONGEST_STEP;
      await setImmediate();
    }
    return found;
  };
}

/** The one value that is asked for; null when there may be others. */
function onlyOf(selection: AndedIntegers | null): bigint | null {
  return selection !== null && selection.lower === selection.upper ? selection.lower : null;
}

function meets({ excluded, lower, upper }: AndedIntegers, value: bigint): boolean {
  return value >= lower && value <= upper && !excluded.has(value);
}
