import type { SqlDialect } from '../../storage/sql/sql-dialect.ts';
import { type Nft, nftTable } from './nft-repository.ts';

/** What orders the NFTs of an account. */
export type Pair = Pick<Nft, 'token' | 'serial'>;

/** NFTs of rows `n`; the deletion of a token is told by its settings. */
export function storedNft({ greatest }: SqlDialect): ReturnType<typeof nftTable> {
  const ofToken = 'coalesce((select s.deleted from entity_settings s where s.id = n.token_id), 0)';
  return nftTable(greatest('n.deleted', ofToken));
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
    const isBefore = one.token === other.token ? one.serial < other.serial : one.token < other.token;
    return isBefore === (order === 'asc') ? -1 : 1;
  };
}
