import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { selects } from '../parameters/integer-range.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';
import type { AccountNftSelection, Nft } from './nft-repository.ts';
import { NFT_COLUMNS, nftOf, type StoredNft } from './nft-rows.sqlite.ts';

/** NFTs or tokens that are looked at before other requests get a turn. */
const LONGEST_STEP = 2000;

type Pair = Pick<StoredNft, 'token_id' | 'serial_number'>;
type Order = 'asc' | 'desc';
/** Gives the NFTs that are wanted; looks at few rows at a time. */
type Walk = AsyncGenerator<StoredNft>;

/**
 * Finds the NFTs of an account by token and serial number.
 *
 * Of approved ones, which are few, there is an index for the filter on spenders. One serial number in many tokens is
 * looked up token by token.
 */
export function createAccountNfts(
  database: SqliteDatabase,
): (selection: AccountNftSelection) => Promise<readonly Nft[]> {
  const pairs = (index: string, where: string, order: Order) =>
    database
      .prepare<[bigint, bigint, bigint, bigint, bigint, number], StoredNft>(
        `select ${NFT_COLUMNS} from nft n indexed by ${index} where n.account_id = ? and ${where}
           and (n.token_id, n.serial_number) >= (?, ?) and (n.token_id, n.serial_number) <= (?, ?)
         order by n.token_id ${order}, n.serial_number ${order} limit ?`,
      )
      .safeIntegers(true);
  const both = (index: string, where: string) => ({
    asc: pairs(index, where, 'asc'),
    desc: pairs(index, where, 'desc'),
  });
  const all = both('nft_by_account', 'true');
  const approved = both('nft_by_approval', 'n.spender is not null');
  const nextToken = (order: Order) =>
    database
      .prepare<[bigint, bigint, bigint], bigint>(
        `select token_id from nft indexed by nft_by_account where account_id = ? and token_id between ? and ?
         order by token_id ${order} limit 1`,
      )
      .safeIntegers(true)
      .pluck();
  const tokens = { asc: nextToken('asc'), desc: nextToken('desc') };
  const one = database
    .prepare<[bigint, bigint, bigint], StoredNft>(
      `select ${NFT_COLUMNS} from nft n where n.token_id = ? and n.serial_number = ? and n.account_id = ?`,
    )
    .safeIntegers(true);

  async function* walkPairs(
    { account, limit, order, spenders }: AccountNftSelection,
    scan: Exclude<PairScan, { kind: 'across' }>,
  ): Walk {
    let [from, to] = endsOf(scan);
    let count = limit;
    for (;;) {
      const rows = (spenders === null ? all : approved)[order].all(
        account,
        from.token_id,
        from.serial_number,
        to.token_id,
        to.serial_number,
        count,
      );
      yield* rows;
      const last = rows.at(-1);
      if (last === undefined || rows.length < count) return;
      if (order === 'asc') from = { ...last, serial_number: last.serial_number + 1n };
      else to = { ...last, serial_number: last.serial_number - 1n };
      count = LONGEST_STEP;
      await setImmediate();
    }
  }

  async function* walkTokens(
    { account, order }: AccountNftSelection,
    { primary, secondary: serial }: Extract<PairScan, { kind: 'across' }>,
  ): Walk {
    let { lower, upper } = primary;
    for (let looked = 1; lower <= upper; looked++) {
      const token = tokens[order].get(account, lower, upper);
      if (token === undefined) return;
      const row = one.get(token, serial, account);
      if (row !== undefined) yield row;
      if (order === 'asc') lower = token + 1n;
      else upper = token - 1n;
      if (looked % LONGEST_STEP === 0) await setImmediate();
    }
  }

  return async (selection) => {
    const { limit, scans, spenders } = selection;
    const found: Nft[] = [];
    for (const scan of scans) {
      const walk = scan.kind === 'across' ? walkTokens(selection, scan) : walkPairs(selection, scan);
      for await (const row of walk) {
        const isWanted = spenders === null || (row.spender !== null && selects(spenders, row.spender));
        if (isWanted) found.push(nftOf(row));
        if (found.length === limit) return found;
      }
    }
    return found;
  };
}

function endsOf(scan: Exclude<PairScan, { kind: 'across' }>): [from: Pair, to: Pair] {
  if (scan.kind === 'group') {
    const { primary: token_id, secondary } = scan;
    return [
      { token_id, serial_number: secondary.lower },
      { token_id, serial_number: secondary.upper },
    ];
  }
  return [
    { token_id: scan.primary.lower, serial_number: MIN_INT64 },
    { token_id: scan.primary.upper, serial_number: MAX_INT64 },
  ];
}
