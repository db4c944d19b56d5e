import { setImmediate } from 'node:timers/promises';
import { eachOnce } from '../../storage/each-once.sql.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { type Work, waitFor } from '../../values/work.ts';
import { type IntegerSelection, selects } from '../parameters/integer-range.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';
import type { AccountNftSelection, Nft, NftRepository } from './nft-repository.ts';
import { byPair, nftColumns, nftOf, type Pair, pairsOfAccount, type StoredNft } from './nft-rows.sql.ts';
import { createNftTransactions } from './nft-transactions.sql.ts';
import { nextStep } from './step-size.ts';
import { createTokenNfts } from './token-nfts.sql.ts';

/** Reads NFTs and the times at which they changed. */
export function createNftRepository(sql: Sql): NftRepository {
  const one = sql.prepareExact<[bigint, bigint], StoredNft>(
    `select ${nftColumns(sql.dialect)} from nft n where n.token_id = ? and n.serial_number = ?`,
  );
  return {
    async find(token, serial) {
      const row = await sql.read(() => one.get(token, serial));
      return row === undefined ? null : nftOf(row);
    },
    ofToken: createTokenNfts(sql),
    ofAccount: createAccountNfts(sql),
    transactions: createNftTransactions(sql),
  };
}

/** Finds the NFTs of an account by token and serial number. */
function createAccountNfts(sql: Sql): (selection: AccountNftSelection) => Promise<readonly Nft[]> {
  const walkPairs = createAccountPairs(sql);
  const walkTokens = createAccountSerials(sql);

  function* page(selection: AccountNftSelection): Work<readonly StoredNft[]> {
    const { limit, scans } = selection;
    const found: StoredNft[] = [];
    for (const scan of scans) {
      if (found.length === limit) break;
      const rest = { ...selection, limit: limit - found.length };
      found.push(...(yield* scan.kind === 'across' ? walkTokens(rest, scan) : walkPairs(rest, scan)));
    }
    return found;
  }

  return async (selection) => (await sql.read(() => page(selection))).map(nftOf);
}

/** An approved NFT: what it is like, if one of the spenders asked for may be its. */
type ApprovedRow = { readonly looked_token: bigint; readonly looked_serial: bigint } & (
  | StoredNft
  | { readonly token_id: null }
);
type Order = 'asc' | 'desc';
/** Token and serial number from and to, both included. */
type Ends = readonly [from: Pair, to: Pair];
/** The account, the ends, and how many. */
type PairValues = readonly [bigint, bigint, bigint, bigint, bigint, number];
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
function createAccountPairs(
  sql: Sql,
): (selection: AccountNftSelection, scan: PairRange) => Work<readonly StoredNft[]> {
  const columns = nftColumns(sql.dialect);
  const all = (order: Order) =>
    sql.prepareExact<PairValues, StoredNft>(
      pairsOfAccount(sql.dialect, { columns, index: 'nft_by_account', order }),
    );
  const approved = (order: Order) => {
    const looked = pairsOfAccount(sql.dialect, {
      columns: 'n.token_id, n.serial_number, n.spender',
      index: 'nft_by_approval',
      where: 'n.spender is not null and',
      order,
    });
    return sql.prepareExact<[...PairValues, bigint, bigint], ApprovedRow>(
      `select looked.token_id as looked_token, looked.serial_number as looked_serial, ${columns}
       from (${looked}) as looked left join nft n on n.token_id = looked.token_id
         and n.serial_number = looked.serial_number and looked.spender between ? and ?`,
    );
  };
  const statements = {
    all: { asc: all('asc'), desc: all('desc') },
    approved: { asc: approved('asc'), desc: approved('desc') },
  };

  function* read(selection: AccountNftSelection, [from, to]: Ends, count: number): Work<Step> {
    const { account, order, spenders } = selection;
    const values = [
      account,
      from.token_id,
      from.serial_number,
      to.token_id,
      to.serial_number,
      count,
    ] as const;
    if (spenders === null) {
      const rows = yield* statements.all[order].all(...values);
      return { rows, wanted: rows };
    }
    const { lower, upper } = endsOfSpenders(spenders);
    const looked = yield* statements.approved[order].all(...values, lower, upper);
    const rows = looked.map((row) => ({ token_id: row.looked_token, serial_number: row.looked_serial }));
    const nfts = looked.filter((row) => row.token_id !== null) as readonly StoredNft[];
    const wanted = nfts.filter(({ spender }) => spender !== null && selects(spenders, spender));
    return { rows: rows.sort(byPair(order)), wanted: wanted.sort(byPair(order)) };
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

/** Between which all spenders are that are asked for. */
function endsOfSpenders({
  equal,
  lower,
  upper,
}: IntegerSelection): Pick<IntegerSelection, 'lower' | 'upper'> {
  if (equal === null) return { lower, upper };
  const inBounds = [...equal].filter((spender) => spender >= lower && spender <= upper);
  const sorted = inBounds.sort((one, other) => (one < other ? -1 : 1));
  return { lower: sorted[0] ?? 1n, upper: sorted.at(-1) ?? 0n };
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

/** A token of the account, with its NFT of the serial number if there is one. */
type LookedRow = { readonly looked: bigint } & (StoredNft | { readonly token_id: null });

/**
 * Looks for one serial number in the tokens of which an account has NFTs, token by token, and gives as many as the
 * limit that are wanted.
 */
function createAccountSerials(
  sql: Sql,
): (
  selection: AccountNftSelection,
  scan: Extract<PairScan, { kind: 'across' }>,
) => Work<readonly StoredNft[]> {
  const { dialect } = sql;
  const inOrder = (order: 'asc' | 'desc') =>
    sql.prepareExact<[object], LookedRow>(
      `${eachOnce('token_id', `nft ${dialect.indexedBy('nft_by_account')} where account_id = @account and`, order)}
       select looked.id as looked, ${nftColumns(dialect)}
       from (select id from each where id is not null limit @count) as looked
       left join nft n on n.token_id = looked.id and n.serial_number = @serial`,
    );
  const tokens = { asc: inOrder('asc'), desc: inOrder('desc') };

  return function* ({ account, limit, order, spenders }, { primary, secondary: serial }) {
    const found: StoredNft[] = [];
    let { lower, upper } = primary;
    for (let count = limit; lower <= upper; count = nextStep(count)) {
      const rows = yield* tokens[order].all({ account, serial, lower, upper, count });
      const nfts = rows.filter((row) => row.token_id !== null) as readonly StoredNft[];
      const wanted = nfts.filter(
        ({ account_id, spender }) =>
          account_id === account && (spenders === null || (spender !== null && selects(spenders, spender))),
      );
      found.push(...wanted.sort(byPair(order)));
      if (found.length >= limit || rows.length < count) break;
      const looked = rows.map((row) => row.looked);
      if (order === 'asc') lower = looked.reduce((one, other) => (one > other ? one : other)) + 1n;
      else upper = looked.reduce((one, other) => (one < other ? one : other)) - 1n;
      yield* waitFor(() => setImmediate());
    }
    return found.slice(0, limit);
  };
}
