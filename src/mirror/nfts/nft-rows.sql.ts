import type { SqlDialect } from '../../storage/sql/sql-dialect.ts';
import type { Nft } from './nft-repository.ts';

/** An NFT as it is stored. */
export interface StoredNft {
  readonly token_id: bigint;
  readonly serial_number: bigint;
  readonly account_id: bigint | null;
  readonly spender: bigint | null;
  readonly delegating_spender: bigint | null;
  readonly created_ts: bigint | null;
  readonly changed_ts: bigint;
  readonly deleted: bigint;
  readonly metadata: Buffer | null;
}

/** What orders the NFTs of an account. */
export type Pair = Pick<StoredNft, 'token_id' | 'serial_number'>;

/** The columns of {@link StoredNft} of a row `n`; the deletion of the token is told by its settings. */
export function nftColumns({ greatest }: SqlDialect): string {
  const ofToken = 'coalesce((select s.deleted from entity_settings s where s.id = n.token_id), 0)';
  return `n.token_id, n.serial_number, n.account_id, n.spender, n.delegating_spender, n.created_ts,
    n.changed_ts, n.metadata, ${greatest('n.deleted', ofToken)} as deleted`;
}

/**
 * A statement of the NFTs of an account between two pairs, both included, in order: parameters are the account, the
 * pairs, and how many.
 *
 * Pairs are compared as a whole also where the token is one: only an index that begins with the account serves them
 * well, as the planners of both engines would else take the key of the table, along which they may lie far apart.
 */
export function pairsOfAccount(
  { indexedBy }: SqlDialect,
  {
    columns,
    index,
    order,
    where = '',
  }: {
    readonly columns: string;
    readonly index: string;
    readonly order: 'asc' | 'desc';
    readonly where?: string;
  },
): string {
  return `select ${columns} from nft n ${indexedBy(index)} where n.account_id = ? and ${where}
       (n.token_id, n.serial_number) >= (?, ?) and (n.token_id, n.serial_number) <= (?, ?)
     order by n.token_id ${order}, n.serial_number ${order} limit ?`;
}

/** Compares by token, then serial number. */
export function byPair(order: 'asc' | 'desc'): (one: Pair, other: Pair) => number {
  return (one, other) => {
    const isBefore =
      one.token_id === other.token_id
        ? one.serial_number < other.serial_number
        : one.token_id < other.token_id;
    return isBefore === (order === 'asc') ? -1 : 1;
  };
}

export function nftOf(row: StoredNft): Nft {
  return {
    token: row.token_id,
    serial: row.serial_number,
    account: row.account_id,
    spender: row.spender,
    delegatingSpender: row.delegating_spender,
    created: row.created_ts,
    changed: row.changed_ts,
    isDeleted: row.deleted === 1n,
    metadata: row.metadata,
  };
}
