import type { Sql } from '../../storage/sql/sql.ts';
import type { SqlList } from '../../storage/sql/sql-dialect.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import { collectScans, type PairScan, pairScans } from '../parameters/two-part-scans.ts';
import type { Allowance, AllowanceRepository, HbarSelection } from './allowance-repository.ts';
import { createApprovalPages } from './approval-pages.sql.ts';

/** Each list is a range of an index of the approvals in force, so that revoked and used ones are not walked. */
export function createAllowanceRepository(sql: Sql): AllowanceRepository {
  const { indexedBy, isListed, list } = sql.dialect;
  const columns = `owner_id as "owner", spender_id as "spender", token_id as "token", amount,
    amount_granted as "granted", lower_ts as "since"`;
  const inForce = `allowance ${indexedBy('allowance_in_force')}`;
  const inOrders = (condition: string, key: readonly string[]) => {
    const prepare = (order: 'asc' | 'desc') => {
      const ordered = key.map((column) => `${column} ${order}`).join(', ');
      return sql.prepareExact<bigint[], Allowance>(
        `select ${columns} from ${inForce} where amount > 0 and owner_id = ? and ${condition}
         order by ${ordered} limit ?`,
      );
    };
    return { asc: prepare('asc'), desc: prepare('desc') };
  };
  const hbarRange = inOrders('kind = 0 and spender_id between ? and ?', ['spender_id']);
  const hbarSet = sql.prepareExact<[bigint, SqlList], Allowance>(
    `select ${columns} from ${inForce}
     where amount > 0 and kind = 0 and owner_id = ? and ${isListed('spender_id')}`,
  );
  const tokens = {
    group: inOrders('kind = 1 and spender_id = ? and token_id between ? and ?', ['token_id']),
    groups: inOrders('kind = 1 and spender_id between ? and ?', ['spender_id', 'token_id']),
    // An owner pays for each approval: what it approved of other tokens is not many.
    across: inOrders('kind = 1 and spender_id between ? and ? and token_id = ?', ['spender_id']),
  };

  function* hbar({ account, limit, order, spenders }: HbarSelection): Work<readonly Allowance[]> {
    if (spenders?.kind === 'set') {
      const rows = yield* hbarSet.all(account, list(spenders.ids));
      return [...rows]
        .sort((one, other) => (one.spender < other.spender === (order === 'asc') ? -1 : 1))
        .slice(0, limit);
    }
    const { lower, upper } = spenders ?? { lower: MIN_INT64, upper: MAX_INT64 };
    return yield* hbarRange[order].all(account, lower, upper, BigInt(limit));
  }

  return {
    hbar: async (selection) => sql.read(() => hbar(selection)),
    async tokens({ account, conditions, limit, order }) {
      const scans = pairScans(conditions, order);
      return sql.read(() =>
        collectScans(scans, limit, (scan, count) =>
          tokens[scan.kind][order].all(account, ...valuesOf(scan), BigInt(count)),
        ),
      );
    },
    nfts: createApprovalPages(sql),
  };
}

function valuesOf(scan: PairScan): readonly bigint[] {
  if (scan.kind === 'group') return [scan.primary, scan.secondary.lower, scan.secondary.upper];
  const { lower, upper } = scan.primary;
  return scan.kind === 'groups' ? [lower, upper] : [lower, upper, scan.secondary];
}
