import { parse } from 'lossless-json';
import type { SqliteDatabase } from '../../storage/sqlite.ts';
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
  database: SqliteDatabase,
): (selection: NftTransactionSelection) => readonly NftTransaction[] {
  const columns = 't.consensus_ts, t.payer, t.valid_start, t.nonce, t.type, t.nft_transfers';
  const prepare = (order: 'asc' | 'desc') =>
    database
      .prepare<[bigint, bigint, bigint, bigint, string, number], TransactionRow>(
        `select ${columns} from nft_event e cross join tx t on t.consensus_ts = e.consensus_ts
         where e.token_id = ? and e.serial_number = ? and e.consensus_ts between ? and ?
           and e.consensus_ts not in (select value from json_each(?))
         order by e.consensus_ts ${order} limit ?`,
      )
      .safeIntegers(true);
  const changes = { asc: prepare('asc'), desc: prepare('desc') };
  const deletion = database
    .prepare<[bigint], TransactionRow>(
      `select ${columns} from entity_settings s cross join tx t on t.consensus_ts = s.changed_ts
       where s.id = ? and s.deleted = 1`,
    )
    .safeIntegers(true);

  return ({ limit, order, serial, times, token }) => {
    const { lower, upper } = times;
    const excluded = `[${[...times.excluded].join(',')}]`;
    const rows = changes[order].all(token, serial, lower, upper, excluded, limit);
    const deleted = deletion.get(token);
    const at = deleted?.consensus_ts ?? -1n;
    const isAsked = at >= lower && at <= upper && !times.excluded.has(at);
    if (deleted === undefined || !isAsked) return rows.map(transactionOf);
    const others = rows.filter((row) => row.consensus_ts !== at);
    const sign = order === 'asc' ? 1 : -1;
    return [...others, deleted]
      .sort((one, other) => (one.consensus_ts < other.consensus_ts ? -sign : sign))
      .slice(0, limit)
      .map(transactionOf);
  };
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
