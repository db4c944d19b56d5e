import type { Sql } from '../../storage/sql/sql.ts';
import { meetsKeys, type PartConditions } from '../parameters/ordered-keys.ts';
import { type KeyWalk, keyRange, walkKeys } from '../parameters/ordered-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A token that waits for its receiver. */
export interface PendingAirdrop {
  readonly sender: bigint;
  readonly receiver: bigint;
  readonly token: bigint;
  /** 0 for a fungible token. */
  readonly serial: bigint;
  /** Null for an NFT. */
  readonly amount: bigint | null;
  /** Since the last change, nanoseconds. */
  readonly since: bigint;
}

/** The airdrops of one account, by the other account, token and serial number. */
interface AirdropSelection extends PageRequest {
  /** Whether the account sends or receives. */
  readonly side: 'sender' | 'receiver';
  readonly account: bigint;
  /** On the other account, the token and the serial number. */
  readonly conditions: readonly PartConditions[];
}

const COLUMN = { sender: 'sender_id', receiver: 'receiver_id' } as const;
const INDEX = { sender: 'airdrop_outstanding', receiver: 'airdrop_pending' } as const;
const OTHER = { sender: 'receiver', receiver: 'sender' } as const;

/** Reads the airdrops that wait. */
export type AirdropRepository = ReturnType<typeof createAirdropRepository>;

/** Each list is a range of an index of the airdrops that wait; one token of all accounts has an index of its own. */
export function createAirdropRepository(sql: Sql) {
  const { indexedBy } = sql.dialect;
  const prepare = (side: AirdropSelection['side'], isByToken: boolean, order: 'asc' | 'desc') => {
    const other = COLUMN[OTHER[side]];
    const columns = isByToken ? ['token_id', other, 'serial_number'] : [other, 'token_id', 'serial_number'];
    const key = columns.join(', ');
    return sql.prepareExact<bigint[], PendingAirdrop>(
      `select sender_id as "sender", receiver_id as "receiver", token_id as "token", serial_number as "serial",
         amount, lower_ts as "since"
       from airdrop ${indexedBy(INDEX[side] + (isByToken ? '_by_token' : ''))}
       where state = 0 and ${COLUMN[side]} = ? and (${key}) >= (?, ?, ?) and (${key}) <= (?, ?, ?)
       order by ${columns.map((column) => `${column} ${order}`).join(', ')} limit ?`,
    );
  };
  const inOrders = (side: AirdropSelection['side'], isByToken: boolean) => ({
    asc: prepare(side, isByToken, 'asc'),
    desc: prepare(side, isByToken, 'desc'),
  });
  const both = (side: AirdropSelection['side']) => ({
    byAccount: inOrders(side, false),
    byToken: inOrders(side, true),
  });
  const statements = { sender: both('sender'), receiver: both('receiver') };

  return {
    async page({ account, conditions, limit, order, side }: AirdropSelection) {
      const [other, token, serial] = conditions;
      if (other === undefined || token === undefined || serial === undefined) return [];
      const isByToken = token.equal !== null && other.equal === null;
      const statement = statements[side][isByToken ? 'byToken' : 'byAccount'][order];
      const inIndex = <Part>(first: Part, second: Part, third: Part): readonly [Part, Part, Part] =>
        isByToken ? [second, first, third] : [first, second, third];
      const walk: KeyWalk<PendingAirdrop> = {
        order,
        limit,
        keyOf: (row) => inIndex(row[OTHER[side]], row.token, row.serial),
        isWanted: (row) => meetsKeys(conditions, [row[OTHER[side]], row.token, row.serial]),
        read: ({ lower, upper }, count) => statement.all(account, ...lower, ...upper, BigInt(count)),
      };
      return sql.read(() => walkKeys(keyRange(inIndex(other, token, serial)), walk));
    },
  };
}
