import { prepareSelect } from '../../storage/sql/row-table.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import type { Work } from '../../values/work.ts';
import { NFT_TRANSACTION, type NftTransaction, type NftTransactionSelection } from './nft-repository.ts';

/**
 * Finds the transactions at the times at which an NFT changed, and the one that deleted its token.
 *
 * Times whose transaction is not stored do not count, so that no page ends for them.
 */
export function createNftTransactions(
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
    const sign = order === 'asc' ? 1 : -1;
    return [...others, deleted]
      .sort((one, other) => (one.consensusTimestamp < other.consensusTimestamp ? -sign : sign))
      .slice(0, limit);
  }

  return async (selection) => sql.readTogether(() => read(selection));
}
