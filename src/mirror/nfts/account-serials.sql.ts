import { setImmediate } from 'node:timers/promises';
import { eachOnce } from '../../storage/each-once.sql.ts';
import type { Sql } from '../../storage/sql/sql.ts';
import { type Work, waitFor } from '../../values/work.ts';
import { selects } from '../parameters/integer-range.ts';
import type { PairScan } from '../parameters/two-part-scans.ts';
import type { AccountNftSelection } from './nft-repository.ts';
import { byPair, nftColumns, type StoredNft } from './nft-rows.sql.ts';
import { nextStep } from './step-size.ts';

/** A token of the account, with its NFT of the serial number if there is one. */
type LookedRow = { readonly looked: bigint } & (StoredNft | { readonly token_id: null });

/**
 * Looks for one serial number in the tokens of which an account has NFTs, token by token, and gives as many as the
 * limit that are wanted.
 */
export function createAccountSerials(
  sql: Sql,
): (
  selection: AccountNftSelection,
  scan: Extract<PairScan, { kind: 'across' }>,
) => Work<readonly StoredNft[]> {
  const { dialect } = sql;
  const inOrder = (order: 'asc' | 'desc') =>
    sql.prepareExact<[object], LookedRow>(
      `${eachOnce('token_id', `nft ${dialect.indexedBy('nft_by_account')} where account_id = @account and`, order)}
       select looked.id as looked, ${nftColumns(dialect)}
       from (select id from each where id is not null limit @count) as looked
       left join nft n on n.token_id = looked.id and n.serial_number = @serial`,
    );
  const tokens = { asc: inOrder('asc'), desc: inOrder('desc') };

  return function* ({ account, limit, order, spenders }, { primary, secondary: serial }) {
    const found: StoredNft[] = [];
    let { lower, upper } = primary;
    for (let count = limit; lower <= upper; count = nextStep(count)) {
      const rows = yield* tokens[order].all({ account, serial, lower, upper, count });
      const nfts = rows.filter((row) => row.token_id !== null) as readonly StoredNft[];
      const wanted = nfts.filter(
        ({ account_id, spender }) =>
          account_id === account && (spenders === null || (spender !== null && selects(spenders, spender))),
      );
      found.push(...wanted.sort(byPair(order)));
      if (found.length >= limit || rows.length < count) break;
      const looked = rows.map((row) => row.looked);
      if (order === 'asc') lower = looked.reduce((one, other) => (one > other ? one : other)) + 1n;
      else upper = looked.reduce((one, other) => (one < other ? one : other)) - 1n;
      yield* waitFor(() => setImmediate());
    }
    return found.slice(0, limit);
  };
}
