import type { Sql } from '../../storage/sql/sql.ts';
import { meetsKeys } from '../parameters/ordered-keys.ts';
import { type KeyWalk, keyRange, walkKeys } from '../parameters/ordered-range.ts';
import type { AllowanceRepository, Approval } from './allowance-repository.ts';

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
export function createApprovalPages(sql: Sql): AllowanceRepository['nfts'] {
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

  return async ({ account, conditions, limit, order, side }) => {
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
