import type { SqliteDatabase } from '../../storage/sqlite.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import { collectScans, type PairScan, pairScans } from '../parameters/two-part-scans.ts';
import type { Allowance, AllowanceRepository } from './allowance-repository.ts';
import { createApprovalPages } from './approval-pages.sqlite.ts';

const ROW = `select owner_id as "owner", spender_id as "spender", token_id as "token", amount,
  amount_granted as "granted", lower_ts as "since"
  from allowance indexed by allowance_in_force where amount > 0 and owner_id = ?`;

/** Each list is a range of an index of the approvals in force, so that revoked and used ones are not walked. */
export function createSqliteAllowanceRepository(database: SqliteDatabase): AllowanceRepository {
  const inOrders = (condition: string, key: readonly string[]) => {
    const prepare = (order: 'asc' | 'desc') => {
      const ordered = key.map((column) => `${column} ${order}`).join(', ');
      return database
        .prepare<bigint[], Allowance>(`${ROW} and ${condition} order by ${ordered} limit ?`)
        .safeIntegers(true);
    };
    return { asc: prepare('asc'), desc: prepare('desc') };
  };
  const hbar = inOrders('kind = 0 and spender_id between ? and ?', ['spender_id']);
  const tokens = {
    group: inOrders('kind = 1 and spender_id = ? and token_id between ? and ?', ['token_id']),
    groups: inOrders('kind = 1 and spender_id between ? and ?', ['spender_id', 'token_id']),
    // An owner pays for each approval: what it approved of other tokens is not many.
    across: inOrders('kind = 1 and spender_id between ? and ? and token_id = ?', ['spender_id']),
  };

  return {
    async hbar({ account, limit, order, spenders }) {
      const read = (lower: bigint, upper: bigint) => hbar[order].all(account, lower, upper, BigInt(limit));
      if (spenders === null) return read(MIN_INT64, MAX_INT64);
      if (spenders.kind === 'range') return read(spenders.lower, spenders.upper);
      const ids = [...spenders.ids].sort((a, b) => (a < b === (order === 'asc') ? -1 : 1));
      return ids.flatMap((id) => read(id, id)).slice(0, limit);
    },
    async tokens({ account, conditions, limit, order }) {
      return collectScans(pairScans(conditions, order), limit, (scan, count) =>
        tokens[scan.kind][order].all(account, ...valuesOf(scan), BigInt(count)),
      );
    },
    nfts: createApprovalPages(database),
  };
}

function valuesOf(scan: PairScan): readonly bigint[] {
  if (scan.kind === 'group') return [scan.primary, scan.secondary.lower, scan.secondary.upper];
  const { lower, upper } = scan.primary;
  return scan.kind === 'groups' ? [lower, upper] : [lower, upper, scan.secondary];
}
