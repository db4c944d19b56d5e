import type { Sql, SqlList } from '../../storage/sql/sql.ts';
import { MAX_INT64, MIN_INT64 } from '../../values/int64.ts';
import type { Work } from '../../values/work.ts';
import type { AccountFilter } from '../parameters/account-filter.ts';
import { meetsKeys, type PartConditions, type TwoPartConditions } from '../parameters/ordered-keys.ts';
import { type KeyWalk, keyRange, walkKeys } from '../parameters/ordered-range.ts';
import { byNumber, type PageRequest } from '../parameters/page-parameters.ts';
import { collectScans, type PairScan, pairScans } from '../parameters/two-part-scans.ts';

/** An approval of all NFTs of a token that is in force. */
export interface Approval {
  readonly owner: bigint;
  readonly spender: bigint;
  readonly token: bigint;
  /** Nanoseconds. */
  readonly since: bigint;
}

/** An approved amount that is not used up. */
export interface Allowance extends Approval {
  /** 0 for hbar. */
  readonly token: bigint;
  /** What is left. */
  readonly amount: bigint;
  readonly granted: bigint;
}

interface Selection extends PageRequest {
  readonly account: bigint;
}

/** By spender. */
interface HbarSelection extends Selection {
  /** Null for all. */
  readonly spenders: AccountFilter | null;
}

/** By spender and token. */
interface TokenSelection extends Selection {
  readonly conditions: TwoPartConditions;
}

/** By the other account and token. */
interface ApprovalSelection extends Selection {
  /** Whether the account owns or spends. */
  readonly side: 'owner' | 'spender';
  /** On the other account and the token. */
  readonly conditions: readonly PartConditions[];
}

/** Reads the approvals of an account that are in force. */
export type AllowanceRepository = ReturnType<typeof createAllowanceRepository>;

/** Each list is a range of an index of the approvals in force, so that revoked and used ones are not walked. */
export function createAllowanceRepository(sql: Sql) {
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
      return rows.toSorted(byNumber(order, ({ spender }) => spender)).slice(0, limit);
    }
    const { lower, upper } = spenders ?? { lower: MIN_INT64, upper: MAX_INT64 };
    return yield* hbarRange[order].all(account, lower, upper, BigInt(limit));
  }

  return {
    hbar: async (selection: HbarSelection) => sql.read(() => hbar(selection)),
    async tokens({ account, conditions, limit, order }: TokenSelection) {
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

/** Where approvals of all NFTs are found: the columns of an index after the account of the list. */
const WAYS = {
  ofOwner: { index: 'allowance_in_force', account: 'owner_id', key: ['spender_id', 'token_id'] },
  ofSpender: { index: 'nft_approval_of_spender', account: 'spender_id', key: ['owner_id', 'token_id'] },
  ofSpenderByToken: {
    index: 'nft_approval_of_spender_by_token',
    account: 'spender_id',
    key: ['token_id', 'owner_id'],
  },
} as const;
const OTHER = { owner: 'spender', spender: 'owner' } as const;

/** The approvals of all NFTs that an owner gave, or that a spender got. */
function createApprovalPages(sql: Sql) {
  const { indexedBy } = sql.dialect;
  const inOrders = (way: keyof typeof WAYS) => {
    const { account, index, key } = WAYS[way];
    const columns = key.join(', ');
    const prepare = (order: 'asc' | 'desc') =>
      sql.prepareExact<bigint[], Approval>(
        `select owner_id as "owner", spender_id as "spender", token_id as "token", lower_ts as "since"
         from allowance ${indexedBy(index)}
         where kind = 2 and amount > 0 and ${account} = ? and (${columns}) >= (?, ?) and (${columns}) <= (?, ?)
         order by ${key.map((column) => `${column} ${order}`).join(', ')} limit ?`,
      );
    return { asc: prepare('asc'), desc: prepare('desc') };
  };
  const statements = {
    ofOwner: inOrders('ofOwner'),
    ofSpender: inOrders('ofSpender'),
    ofSpenderByToken: inOrders('ofSpenderByToken'),
  };

  return async ({ account, conditions, limit, order, side }: ApprovalSelection) => {
    const [other, token] = conditions;
    if (other === undefined || token === undefined) return [];
    // An account decides what it approves, but not how many approve it.
    const isByToken = side === 'spender' && token.equal !== null && other.equal === null;
    const way = side === 'owner' ? 'ofOwner' : isByToken ? 'ofSpenderByToken' : 'ofSpender';
    const inIndex = <Part>(first: Part, second: Part): readonly [Part, Part] =>
      isByToken ? [second, first] : [first, second];
    const walk: KeyWalk<Approval> = {
      order,
      limit,
      keyOf: (row) => inIndex(row[OTHER[side]], row.token),
      isWanted: (row) => meetsKeys(conditions, [row[OTHER[side]], row.token]),
      read: ({ lower, upper }, count) =>
        statements[way][order].all(account, ...lower, ...upper, BigInt(count)),
    };
    return sql.read(() => walkKeys(keyRange(inIndex(other, token)), walk));
  };
}
