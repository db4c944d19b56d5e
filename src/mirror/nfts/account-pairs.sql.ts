import { setImmediate } from 'node:timers/promises';
import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { type Work, waitFor } from '../../values/work.ts';
import { selects } from '../parameters/integer-range.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';
import type { AccountNftSelection } from './nft-repository.ts';
import { byPair, nftColumns, type Pair, type StoredNft } from './nft-rows.sql.ts';
import { nextStep } from './step-size.ts';

type ApprovedPair = Pair & { readonly spender: bigint };
type Order = 'asc' | 'desc';
/** Token and serial number from and to, both included. */
type Ends = readonly [from: Pair, to: Pair];
type PairRange = Exclude<PairScan, { kind: 'across' }>;

/** The NFTs that were looked at, and those of them that are wanted. */
interface Step {
  readonly rows: readonly Pair[];
  readonly wanted: readonly StoredNft[];
}

/**
 * Walks the NFTs of an account along token and serial number, and gives as many as the limit that are wanted.
 *
 * Of approved ones, which are few, there is an index for the filter on spenders.
 */
export function createAccountPairs(
  sql: Sql,
): (selection: AccountNftSelection, scan: PairRange) => Work<readonly StoredNft[]> {
  const { boundLimit, each, indexedBy, list } = sql.dialect;
  const columns = nftColumns(sql.dialect);
  const pairs = <Row>(columns: string, index: string, where: string, order: Order) =>
    sql
      .prepare<[bigint, bigint, bigint, bigint, bigint, number], Row>(
        `select ${columns} from nft n ${indexedBy(index)} where n.account_id = ? and ${where}
           and (n.token_id, n.serial_number) >= (?, ?) and (n.token_id, n.serial_number) <= (?, ?)
         order by n.token_id ${order}, n.serial_number ${order} limit ${boundLimit}`,
      )
      .safeIntegers(true);
  const both = <Row>(columns: string, index: string, where: string) => ({
    asc: pairs<Row>(columns, index, where, 'asc'),
    desc: pairs<Row>(columns, index, where, 'desc'),
  });
  const all = both<StoredNft>(columns, 'nft_by_account', 'true');
  const approved = both<ApprovedPair>(
    'n.token_id, n.serial_number, n.spender',
    'nft_by_approval',
    'n.spender is not null',
  );
  const ofToken = sql
    .prepare<[SqlList, bigint, bigint], StoredNft>(
      `select ${columns} from ${each('wanted')} cross join nft n
       where n.serial_number = wanted.value and n.token_id = ? and n.account_id = ?`,
    )
    .safeIntegers(true);

  function* read(selection: AccountNftSelection, [from, to]: Ends, count: number): Work<Step> {
    const { account, limit, order, spenders } = selection;
    const ends = [from.token_id, from.serial_number, to.token_id, to.serial_number] as const;
    if (spenders === null) {
      const rows = yield* all[order].all(account, ...ends, count);
      return { rows, wanted: rows };
    }
    const isWanted = ({ spender }: StoredNft | ApprovedPair) =>
      spender !== null && selects(spenders, spender);
    const rows = yield* approved[order].all(account, ...ends, count);
    const wanted: StoredNft[] = [];
    for (const [token, serials] of serialsByToken(rows.filter(isWanted))) {
      if (wanted.length >= limit) break;
      const nfts = yield* ofToken.all(list(serials), token, account);
      // Another writer may have ended an approval meanwhile.
      wanted.push(...nfts.filter(isWanted).sort(byPair(order)));
    }
    return { rows, wanted };
  }

  return function* (selection, scan) {
    const { limit, order } = selection;
    const found: StoredNft[] = [];
    let ends: Ends | null = endsOf(scan);
    for (let count = limit; ends !== null; count = nextStep(count)) {
      const { rows, wanted } = yield* read(selection, ends, count);
      found.push(...wanted);
      const last = rows.at(-1);
      if (found.length >= limit || last === undefined || rows.length < count) break;
      ends = beyond(ends, last, order);
      yield* waitFor(() => setImmediate());
    }
    return found.slice(0, limit);
  };
}

/** In the order of the pairs. */
function serialsByToken(pairs: readonly Pair[]): ReadonlyMap<bigint, readonly bigint[]> {
  const tokens = new Map<bigint, bigint[]>();
  for (const { serial_number, token_id } of pairs) {
    tokens.set(token_id, [...(tokens.get(token_id) ?? []), serial_number]);
  }
  return tokens;
}

function endsOf(scan: PairRange): Ends {
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

/** What lies after a pair; null when nothing can. */
function beyond([from, to]: Ends, last: Pair, order: Order): Ends | null {
  if (order === 'desc') return [from, { ...last, serial_number: last.serial_number - 1n }];
  if (last.serial_number < MAX_INT64) return [{ ...last, serial_number: last.serial_number + 1n }, to];
  // After the greatest serial number comes the next token.
  return last.token_id < to.token_id
    ? [{ token_id: last.token_id + 1n, serial_number: MIN_INT64 }, to]
    : null;
}
