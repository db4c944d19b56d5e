import { parse } from 'lossless-json';
import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import type { Work } from '../../values/work.ts';
import type { NftMove, NftTransaction, NftTransactionSelection } from './nft-repository.ts';

interface TransactionRow {
  readonly consensus_ts: bigint;
  readonly payer: bigint;
  readonly valid_start: bigint;
  readonly nonce: bigint;
  readonly type: bigint;
  readonly nft_transfers: string | null;
}

type MoveRow = readonly [bigint, bigint | null, bigint | null, bigint, bigint];

/**
 * Finds the transactions at the times at which an NFT changed, and the one that deleted its token.
 *
 * Times whose transaction is not stored do not count, so that no page ends for them.
 */
export function createNftTransactions(
  sql: Sql,
): (selection: NftTransactionSelection) => Promise<readonly NftTransaction[]> {
  const { each, list } = sql.dialect;
  const columns = 't.consensus_ts, t.payer, t.valid_start, t.nonce, t.type, t.nft_transfers';
  const prepare = (order: 'asc' | 'desc') =>
    sql.prepareExact<[bigint, bigint, bigint, bigint, SqlList, number], TransactionRow>(
      `select ${columns} from nft_event e cross join tx t
       where t.consensus_ts = e.consensus_ts and e.token_id = ? and e.serial_number = ? and e.consensus_ts between ? and ?
         and e.consensus_ts not in (select value from ${each('excluded')})
       order by e.consensus_ts ${order} limit ?`,
    );
  const changes = { asc: prepare('asc'), desc: prepare('desc') };
  const deletion = sql.prepareExact<[bigint], TransactionRow>(
    `select ${columns} from entity_settings s cross join tx t
     where t.consensus_ts = s.changed_ts and s.id = ? and s.deleted = 1`,
  );

  function* read(selection: NftTransactionSelection): Work<readonly TransactionRow[]> {
    const { limit, order, serial, times, token } = selection;
    const { lower, upper } = times;
    const rows = yield* changes[order].all(token, serial, lower, upper, list(times.excluded), limit);
    const deleted = yield* deletion.get(token);
    const at = deleted?.consensus_ts ?? -1n;
    const isAsked = at >= lower && at <= upper && !times.excluded.has(at);
    if (deleted === undefined || !isAsked) return rows;
    const others = rows.filter((row) => row.consensus_ts !== at);
    const sign = order === 'asc' ? 1 : -1;
    return [...others, deleted]
      .sort((one, other) => (one.consensus_ts < other.consensus_ts ? -sign : sign))
      .slice(0, limit);
  }

  return async (selection) => (await sql.readTogether(() => read(selection))).map(transactionOf);
}

function transactionOf(row: TransactionRow): NftTransaction {
  return {
    consensusTimestamp: row.consensus_ts,
    payer: row.payer,
    validStart: row.valid_start,
    nonce: row.nonce,
    type: Number(row.type),
    transfers: row.nft_transfers === null ? [] : movesOf(row.nft_transfers),
  };
}

function movesOf(json: string): readonly NftMove[] {
  // Written when the transaction was stored.
  const rows = parse(json, undefined, BigInt) as readonly MoveRow[];
  return rows.map(([token, sender, receiver, serial, approval]) => ({
    token,
    sender,
    receiver,
    serial,
    isApproval: approval === 1n,
  }));
}
