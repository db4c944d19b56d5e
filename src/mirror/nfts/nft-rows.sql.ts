import { parse } from 'lossless-json';
import type { SqlDialect } from '../../storage/sql/sql.ts';
import { bytes, flag, int64, number, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { AndedIntegers } from '../parameters/anded-integers.ts';
import type { IntegerSelection, PageRequest } from '../parameters/page-parameters.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';

/** NFTs of rows `n` as they are now; the deletion of a token is told by its settings. */
export const storedNft = ({ greatest }: SqlDialect) => {
  const ofToken = 'coalesce((select s.deleted from entity_settings s where s.id = n.token_id), 0)';
  return rowTable({
    token: int64('n.token_id'),
    serial: int64('n.serial_number'),
    /** Null once burned or wiped. */
    account: int64<bigint | null>('n.account_id'),
    spender: int64<bigint | null>('n.spender'),
    delegatingSpender: int64<bigint | null>('n.delegating_spender'),
    /** Null when the imported part does not tell. */
    created: int64<bigint | null>('n.created_ts'),
    /** Time of the last change. */
    changed: int64('n.changed_ts'),
    isDeleted: flag(`${greatest('n.deleted', ofToken)} as deleted`),
    /** Null when the imported part does not tell. */
    metadata: bytes<Uint8Array | null>('n.metadata'),
  });
};
export type Nft = RecordOf<ReturnType<typeof storedNft>>;

/** Which NFTs of a token a page asks for, by serial number; all conditions hold for the same NFT. */
export interface TokenNftSelection extends PageRequest {
  readonly token: bigint;
  readonly serials: AndedIntegers;
  /** Null for all, also for those that nobody has. */
  readonly accounts: AndedIntegers | null;
}

/** Which NFTs of an account a page asks for, by token, then serial number. */
export interface AccountNftSelection extends PageRequest {
  readonly account: bigint;
  /** Ranges of token and serial number, in the order of the page. */
  readonly scans: readonly PairScan[];
  /** Null for all, also for those without a spender. */
  readonly spenders: IntegerSelection | null;
}

/** Which transactions of an NFT a page asks for. */
export interface NftTransactionSelection extends PageRequest {
  readonly token: bigint;
  readonly serial: bigint;
  readonly times: AndedIntegers;
}

/** A transaction that changed an NFT. */
export const NFT_TRANSACTION = rowTable({
  consensusTimestamp: int64('t.consensus_ts'),
  payer: int64('t.payer'),
  validStart: int64('t.valid_start'),
  nonce: int64('t.nonce'),
  type: number('t.type'),
  transfers: { column: 't.nft_transfers', fromStored: movesOf },
});
export type NftTransaction = RecordOf<typeof NFT_TRANSACTION>;

/** A transfer of any NFT, in the order of the record. */
export type NftMove = Readonly<ReturnType<typeof movesOf>[number]>;

type MoveRow = readonly [bigint, bigint | null, bigint | null, bigint, bigint];

/** Written when the transaction was stored. */
function movesOf(stored: string | null) {
  if (stored === null) return [];
  const rows = parse(stored, undefined, BigInt) as readonly MoveRow[];
  return rows.map(([token, sender, receiver, serial, approval]) => ({
    token,
    sender,
    receiver,
    serial,
    isApproval: approval === 1n,
  }));
}

/** What orders the NFTs of an account. */
export type Pair = Pick<Nft, 'token' | 'serial'>;

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
