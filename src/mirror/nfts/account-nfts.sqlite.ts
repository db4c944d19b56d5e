import { setImmediate } from 'node:timers/promises';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { selects } from '../parameters/integer-range.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';
import type { AccountNftSelection, Nft } from './nft-repository.ts';
import { NFT_COLUMNS, nftOf, type StoredNft } from './nft-rows.sqlite.ts';
import { LONGEST_STEP, nextStep } from './step-size.ts';

type Pair = Pick<StoredNft, 'token_id' | 'serial_number'>;
type ApprovedPair = Pair & { readonly spender: bigint };
type Order = 'asc' | 'desc';
type PairRange = Exclude<PairScan, { kind: 'across' }>;
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
  const pairs = <Row>(columns: string, index: string, where: string, order: Order) =>
    database
      .prepare<[bigint, bigint, bigint, bigint, bigint, number], Row>(
        `select ${columns} from nft n indexed by ${index} where n.account_id = ? and ${where}
           and (n.token_id, n.serial_number) >= (?, ?) and (n.token_id, n.serial_number) <= (?, ?)
         order by n.token_id ${order}, n.serial_number ${order} limit ?`,
      )
      .safeIntegers(true);
  const both = <Row>(columns: string, index: string, where: string) => ({
    asc: pairs<Row>(columns, index, where, 'asc'),
    desc: pairs<Row>(columns, index, where, 'desc'),
  });
  const all = both<StoredNft>(NFT_COLUMNS, 'nft_by_account', 'true');
  const approved = both<ApprovedPair>(
    'n.token_id, n.serial_number, n.spender',
    'nft_by_approval',
    'n.spender is not null',
  );
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

  async function* walkPairs({ account, limit, order, spenders }: AccountNftSelection, scan: PairRange): Walk {
    let [from, to] = endsOf(scan);
    for (let count = limit; ; count = nextStep(count)) {
      const ends = [from.token_id, from.serial_number, to.token_id, to.serial_number] as const;
      let last: Pair | undefined;
      let length: number;
      if (spenders === null) {
        const rows = all[order].all(account, ...ends, count);
        yield* rows;
        [last, length] = [rows.at(-1), rows.length];
      } else {
        const rows = approved[order].all(account, ...ends, count);
        for (const row of rows) {
          if (selects(spenders, row.spender)) yield* one.all(row.token_id, row.serial_number, account);
        }
        [last, length] = [rows.at(-1), rows.length];
      }
      if (last === undefined || length < count) return;
      // After the greatest serial number comes the next token.
      if (order === 'desc') to = { ...last, serial_number: last.serial_number - 1n };
      else if (last.serial_number < MAX_INT64) from = { ...last, serial_number: last.serial_number + 1n };
      else if (last.token_id < to.token_id) from = { token_id: last.token_id + 1n, serial_number: MIN_INT64 };
      else return;
      await setImmediate();
    }
  }

  async function* walkTokens(
    { account, order, spenders }: AccountNftSelection,
    { primary, secondary: serial }: Extract<PairScan, { kind: 'across' }>,
  ): Walk {
    let { lower, upper } = primary;
    for (let looked = 1; lower <= upper; looked++) {
      const token = tokens[order].get(account, lower, upper);
      if (token === undefined) return;
      for (const row of one.all(token, serial, account)) {
        if (spenders === null || (row.spender !== null && selects(spenders, row.spender))) yield row;
      }
      if (order === 'asc') lower = token + 1n;
      else upper = token - 1n;
      if (looked % LONGEST_STEP === 0) await setImmediate();
    }
  }

  return async (selection) => {
    const { limit, scans } = selection;
    const found: Nft[] = [];
    for (const scan of scans) {
      const walk = scan.kind === 'across' ? walkTokens(selection, scan) : walkPairs(selection, scan);
      for await (const row of walk) {
        found.push(nftOf(row));
        if (found.length === limit) return found;
      }
    }
    return found;
  };
}

function endsOf(scan: PairRange): [from: Pair, to: Pair] {
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
