import { eachOnce } from '../../storage/each-once.sql.ts';
import { prepareRecords, prepareSelect, type Sql } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { int64, type RecordOf, type RowTable, rowTable, unlessNull } from '../../values/row-table.ts';
import type { Work } from '../../values/work.ts';
import { type AndedIntegers, meetsAll } from '../parameters/anded-integers.ts';
import { type KeyRange, rangeOf, type Step, walkSteps } from '../parameters/ordered-range.ts';
import { byNumber, type IntegerSelection, selects } from '../parameters/page-parameters.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';
import {
  type AccountNftSelection,
  byPair,
  NFT_TRANSACTION,
  type Nft,
  type NftTransaction,
  type NftTransactionSelection,
  type Pair,
  pairsOfAccount,
  storedNft,
  type TokenNftSelection,
} from './nft-rows.sql.ts';

/** The read side of NFTs. */
export type NftRepository = ReturnType<typeof createNftRepository>;

/** Reads NFTs and the times at which they changed. */
export function createNftRepository(sql: Sql) {
  const one = prepareSelect(
    sql,
    storedNft(sql.dialect),
    'from nft n where n.token_id = ? and n.serial_number = ?',
  );
  return {
    find: sql.reading<[token: bigint, serial: bigint], Nft | null>(one.find),
    ofToken: createTokenNfts(sql),
    ofAccount: createAccountNfts(sql),
    /** Those that are stored at the times of the NFT's changes and of its token's deletion. */
    transactions: createNftTransactions(sql),
  };
}

/** Finds the NFTs of an account by token and serial number. */
function createAccountNfts(sql: Sql): (selection: AccountNftSelection) => Promise<readonly Nft[]> {
  const walkPairs = createAccountPairs(sql);
  const walkTokens = createAccountSerials(sql);

  function* page(selection: AccountNftSelection): Work<readonly Nft[]> {
    const { limit, scans } = selection;
    const found: Nft[] = [];
    for (const scan of scans) {
      if (found.length === limit) break;
      const rest = { ...selection, limit: limit - found.length };
      found.push(...(yield* scan.kind === 'across' ? walkTokens(rest, scan) : walkPairs(rest, scan)));
    }
    return found;
  }

  return async (selection) => sql.read(() => page(selection));
}

/** An approved NFT: what it is like, if one of the spenders asked for may be its. */
const approvedRow = (nfts: ReturnType<typeof storedNft>) =>
  rowTable({
    token: int64('looked.token_id as looked_token'),
    serial: int64('looked.serial_number as looked_serial'),
    nft: unlessNull<Nft | null>('n.token_id', nfts.members),
  });
type Order = 'asc' | 'desc';
type PairRange = Exclude<PairScan, { kind: 'across' }>;

/**
 * Walks the NFTs of an account along token and serial number, and gives as many as the limit that are wanted.
 *
 * Of approved ones, which are few, there is an index for the filter on spenders.
 */
function createAccountPairs(
  sql: Sql,
): (selection: AccountNftSelection, scan: PairRange) => Work<readonly Nft[]> {
  const nfts = storedNft(sql.dialect);
  const all = (order: Order) =>
    prepareRecords(
      sql,
      nfts,
      pairsOfAccount(sql.dialect, { columns: nfts.select, index: 'nft_by_account', order }),
    );
  const approved = (order: Order) => {
    const looked = pairsOfAccount(sql.dialect, {
      columns: 'n.token_id, n.serial_number, n.spender',
      index: 'nft_by_approval',
      where: 'n.spender is not null and',
      order,
    });
    return prepareSelect(
      sql,
      approvedRow(nfts),
      `from (${looked}) as looked left join nft n on n.token_id = looked.token_id
         and n.serial_number = looked.serial_number and looked.spender between ? and ?`,
    );
  };
  const statements = {
    all: { asc: all('asc'), desc: all('desc') },
    approved: { asc: approved('asc'), desc: approved('desc') },
  };

  function* read(
    { account, order, spenders }: AccountNftSelection,
    { lower: from, upper: to }: KeyRange,
    count: number,
  ): Work<Step<Pair, Nft>> {
    const values = [account, ...from, ...to, count];
    if (spenders === null) {
      const rows = yield* statements.all[order].all(...values);
      return { rows, wanted: rows };
    }
    const { lower, upper } = endsOfSpenders(spenders);
    const rows = yield* statements.approved[order].all(...values, lower, upper);
    const wanted = rows.flatMap(({ nft }) =>
      nft !== null && nft.spender !== null && selects(spenders, nft.spender) ? [nft] : [],
    );
    return { rows: rows.toSorted(byPair(order)), wanted: wanted.sort(byPair(order)) };
  }

  return (selection, scan) =>
    walkSteps<Pair, Nft>(pairRange(scan), {
      ...selection,
      keyOf: ({ serial, token }) => [token, serial],
      nextCount: nextStep,
      read: (range, count) => read(selection, range, count),
    });
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

/** By token and serial number. */
function pairRange(scan: PairRange): KeyRange {
  if (scan.kind === 'group') {
    const { primary: token, secondary } = scan;
    return { lower: [token, secondary.lower], upper: [token, secondary.upper] };
  }
  return { lower: [scan.primary.lower, MIN_INT64], upper: [scan.primary.upper, MAX_INT64] };
}

/** A token of the account, with its NFT of the serial number if there is one. */
const lookedRow = (nfts: ReturnType<typeof storedNft>) =>
  rowTable({ looked: int64('looked.id as looked'), nft: unlessNull<Nft | null>('n.token_id', nfts.members) });

/**
 * Looks for one serial number in the tokens of which an account has NFTs, token by token, and gives as many as the
 * limit that are wanted.
 */
function createAccountSerials(
  sql: Sql,
): (selection: AccountNftSelection, scan: Extract<PairScan, { kind: 'across' }>) => Work<readonly Nft[]> {
  const { dialect } = sql;
  const table = lookedRow(storedNft(dialect));
  const inOrder = (order: 'asc' | 'desc') =>
    prepareRecords(
      sql,
      table,
      `${eachOnce('token_id', `nft ${dialect.indexedBy('nft_by_account')} where account_id = @account and`, order)}
       select ${table.select}
       from (select id from each where id is not null limit @count) as looked
       left join nft n on n.token_id = looked.id and n.serial_number = @serial`,
    );
  const tokens = { asc: inOrder('asc'), desc: inOrder('desc') };

  return ({ account, limit, order, spenders }, { primary, secondary: serial }) =>
    walkSteps<{ readonly looked: bigint }, Nft>(rangeOf(primary), {
      limit,
      order,
      keyOf: ({ looked }) => [looked],
      nextCount: nextStep,
      *read({ lower: [lower], upper: [upper] }, count) {
        // A join of PostgreSQL has no order.
        const rows = (yield* tokens[order].all({ account, serial, lower, upper, count })).toSorted(
          byNumber(order, ({ looked }) => looked),
        );
        const wanted = rows.flatMap(({ nft }) =>
          nft?.account === account &&
          (spenders === null || (nft.spender !== null && selects(spenders, nft.spender)))
            ? [nft]
            : [],
        );
        return { rows, wanted };
      },
    });
}

/**
 * Finds the transactions at the times at which an NFT changed, and the one that deleted its token.
 *
 * Times whose transaction is not stored do not count, so that no page ends for them.
 */
function createNftTransactions(
  sql: Sql,
): (selection: NftTransactionSelection) => Promise<readonly NftTransaction[]> {
  const { each, list } = sql.dialect;
  const prepare = (order: 'asc' | 'desc') =>
    prepareSelect(
      sql,
      NFT_TRANSACTION,
      `from nft_event e cross join tx t
       where t.consensus_ts = e.consensus_ts and e.token_id = ? and e.serial_number = ? and e.consensus_ts between ? and ?
         and e.consensus_ts not in (select value from ${each('excluded')})
       order by e.consensus_ts ${order} limit ?`,
    );
  const changes = { asc: prepare('asc'), desc: prepare('desc') };
  const deletion = prepareSelect(
    sql,
    NFT_TRANSACTION,
    `from entity_settings s cross join tx t
     where t.consensus_ts = s.changed_ts and s.id = ? and s.deleted = 1`,
  );

  function* read(selection: NftTransactionSelection): Work<readonly NftTransaction[]> {
    const { limit, order, serial, times, token } = selection;
    const { lower, upper } = times;
    const rows = yield* changes[order].all(token, serial, lower, upper, list(times.excluded), limit);
    const deleted = yield* deletion.find(token);
    const at = deleted?.consensusTimestamp ?? -1n;
    const isAsked = at >= lower && at <= upper && !times.excluded.has(at);
    if (deleted === null || !isAsked) return rows;
    const others = rows.filter((row) => row.consensusTimestamp !== at);
    return [...others, deleted]
      .sort(byNumber(order, ({ consensusTimestamp }): bigint => consensusTimestamp))
      .slice(0, limit);
  }

  return async (selection) => sql.readTogether(() => read(selection));
}

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
function createTokenNfts(sql: Sql): (selection: TokenNftSelection) => Promise<readonly Nft[]> {
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

/** Rows that are looked at before other requests get a turn. */
const MAX_STEP = 2000;

/** Matches are mostly near: each step looks further than the one before. */
function nextStep(count: number): number {
  return Math.min(4 * count, MAX_STEP);
}
