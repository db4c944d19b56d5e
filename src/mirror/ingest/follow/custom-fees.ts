import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId } from '../../../values/entity-id.ts';
import { FixtureFault, type FixtureHome, objects } from '../../items/fixture-members.ts';
import type { LedgerTransaction } from '../../ledger/rows.ts';
import { printTransactionId } from '../../ledger/transaction-json.ts';
import { isSuccess, RESULT } from '../../vocabulary/response-codes.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { readTransaction } from '../fixture/fixture-transaction.ts';
import type { Peer } from './peer.ts';
import { inconsistent, type PeerBlock } from './peer-block.ts';

/** Questions at the same time. */
const PARALLEL = 4;
/** They move tokens without assessing the fees of a token. */
const WITHOUT_FEES: ReadonlySet<number> = new Set([
  TYPE.TOKENCREATION,
  TYPE.TOKENMINT,
  TYPE.TOKENBURN,
  TYPE.TOKENWIPE,
  TYPE.TOKENREJECT,
  TYPE.TOKENDISSOCIATE,
  TYPE.TOKENUPDATE,
]);
/** Accounts that collect the fees of the network. */
const NETWORK_FEES: ReadonlySet<bigint> = new Set([98n, 800n, 801n, 802n]);

/**
 * Whether custom fees may have been assessed: tokens moved, or hbar went to somebody who collects no fees of the network.
 *
 * A fee needs somebody who gets it, so that a mint or a message without further transfers is never asked for.
 */
export function mayHaveCustomFees(transaction: LedgerTransaction): boolean {
  const { nftTransfers, node, result, tokenTransfers, transfers, type } = transaction;
  if (!(isSuccess(result) || result === RESULT.FAIL_INVALID) || WITHOUT_FEES.has(type)) return false;
  if (tokenTransfers.length > 0) return true;
  if (nftTransfers.length === 0 && type !== TYPE.CONSENSUSSUBMITMESSAGE) return false;
  return transfers.some(
    ({ account, amount }) =>
      amount > 0n && account !== node && !NETWORK_FEES.has(decodeEntityId(account).num),
  );
}

/**
 * Completes the transactions of a block with the custom fees that lists do not tell.
 *
 * @throws IngestError when the peer does not know one of them, or what it throws.
 */
export async function withCustomFees(
  block: PeerBlock,
  transactions: readonly LedgerTransaction[],
  peer: Peer,
  home: FixtureHome,
  signal: AbortSignal,
): Promise<readonly LedgerTransaction[]> {
  const ids = [
    ...new Set(
      transactions.filter(mayHaveCustomFees).map((each) => printTransactionId(each.payer, each.validStart)),
    ),
  ];
  if (ids.length === 0) return transactions;
  const told = new Map<bigint, LedgerTransaction['assessedCustomFees']>();
  for (let at = 0; at < ids.length; at += PARALLEL) {
    const asked = ids.slice(at, at + PARALLEL).map((id) => readDetails(block, id, peer, home, signal));
    for (const details of await Promise.all(asked)) {
      for (const { assessedCustomFees, consensusTimestamp } of details)
        told.set(consensusTimestamp, assessedCustomFees);
    }
  }
  return transactions.map((each) => {
    if (!mayHaveCustomFees(each)) return each;
    const assessedCustomFees = told.get(each.consensusTimestamp);
    if (assessedCustomFees !== undefined) return { ...each, assessedCustomFees };
    const id = printTransactionId(each.payer, each.validStart);
    throw inconsistent(
      block,
      `${id} does not contain ${printTimestamp(each.consensusTimestamp)}, which the list has`,
    );
  });
}

async function readDetails(
  block: PeerBlock,
  id: string,
  peer: Peer,
  home: FixtureHome,
  signal: AbortSignal,
): Promise<readonly LedgerTransaction[]> {
  const answer = await peer.get(`/api/v1/transactions/${id}`, signal);
  if (answer === null) throw inconsistent(block, `${id} exists only in the list, not individually`);
  try {
    return objects(answer, 'transactions').map((row) => readTransaction(row, home));
  } catch (cause) {
    if (!(cause instanceof FixtureFault)) throw cause;
    throw inconsistent(block, `${id}: ${cause.message}`, cause);
  }
}
