/**
 * The distinct values of a key after which others stand in an index, found by one step each instead of along all rows.
 *
 * @param from table with the conditions on the columns before, if any
 * @returns SQL of a table `each` with the column `id`, whose last row is null; parameters `@lower` and `@upper`. Rows are
 *   found as they are asked for, and in their order.
 * @example
 * eachOnce('account_id', 'balance_snapshot where', 'asc') + ' select id from each where id is not null limit 25'
 */
export function eachOnce(column: string, from: string, order: 'asc' | 'desc'): string {
  const [pick, next] =
    order === 'asc'
      ? [`min(${column})`, `${column} > each.id and ${column} <= @upper`]
      : [`max(${column})`, `${column} < each.id and ${column} >= @lower`];
  return `with recursive each (id) as (
      select ${pick} from ${from} ${column} between @lower and @upper
      union all
      select (select ${pick} from ${from} ${next}) from each where each.id is not null)`;
}
