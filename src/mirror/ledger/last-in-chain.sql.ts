/** SQL: where a book stands; without a piece of a file at its time. */
export const BOOK_PLACE = 'coalesce(p.place, b.start_ts - 1)';

/**
 * SQL: the start of that book of a file which stands last in the chain, whatever the times.
 *
 * @param where SQL of a condition on the book `b`
 * @see contracts/streams.md section 11, row Order of a network
 */
export function lastBook(file: string, where = 'true'): string {
  return `select b.start_ts from address_book b
    left join file_piece p on p.file_id = b.file_id and p.consensus_ts = b.start_ts - 1
    where b.file_id = ${file} and ${where}
    order by ${BOOK_PLACE} desc, coalesce(p.seq, 0) desc, b.start_ts desc limit 1`;
}

/** SQL: the time of that stake update in a table which stands last in the chain. */
export function lastStakes(table: 'network_stake' | 'node_stake'): string {
  // What lies further apart than times ever stepped back stands in the order of time.
  return `select s.at from (select distinct consensus_ts as at from ${table}
      where consensus_ts >= (select max(consensus_ts) from ${table})
        - coalesce((select step_back from ledger_state where only_row = 1), 0)) s
    ${joinPlace('s.at')} order by ${byPlace('s.at', 'desc')} limit 1`;
}

/** SQL: joins as `w` where the transaction of a time stands, if its unit is not in the order of time. */
export function joinPlace(time: string): string {
  return `left join tx_place w on w.consensus_ts = ${time}`;
}

/** SQL: the order of the chain, of rows with {@link joinPlace}: all other times are beyond the units before them. */
export function byPlace(time: string, order: 'asc' | 'desc'): string {
  return `coalesce(w.place, ${time}) ${order}, coalesce(w.seq, 0) ${order}, ${time} ${order}`;
}
