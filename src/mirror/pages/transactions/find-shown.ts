import { isTimestamp } from '../../../values/consensus-timestamp.ts';
import { notFoundError } from '../../errors.ts';
import type { TransactionDocument } from '../ask/documents.ts';
import type { LedgerQuestions } from '../ask/ledger-questions.ts';

/** A transaction with those that share its id: children, what was scheduled, duplicates. */
export interface ShownTransaction {
  readonly transaction: TransactionDocument;
  readonly related: readonly TransactionDocument[];
  /** Requests that give it. */
  readonly targets: readonly string[];
}

/** How SDKs print an id: what follows it names a child or what a schedule executed. */
const SUFFIX = /^([^?/]+(?:-|@)[^?/]+?)(?:\?scheduled)?(?:\/(\d{1,10}))?$/;

/**
 * Finds the transaction that an id, a hash or a consensus time names. Of several with one id it is the one that was submitted
 * and took effect, unless the text says otherwise.
 *
 * @throws MirrorApiError 400 for another form, 404 when the ledger does not know it.
 */
export async function findShown(text: string, questions: LedgerQuestions): Promise<ShownTransaction> {
  if (isTimestamp(text)) return findAt(text, questions);
  const [, id = text, nonce] = SUFFIX.exec(text) ?? [];
  const isScheduled = text.includes('?scheduled');
  const query = [
    ...(nonce === undefined ? [] : [`nonce=${nonce}`]),
    ...(isScheduled ? ['scheduled=true'] : []),
  ].join('&');
  const asked = query === '' ? '' : `?${query}`;
  const { document, target } = await questions.transaction(id, asked);
  const [first] = [...document.transactions].sort(byRank);
  if (first === undefined) throw notFoundError();
  const all = asked === '' ? document.transactions : await sharing(first, questions);
  return { transaction: first, related: others(all, first), targets: [target] };
}

async function findAt(time: string, questions: LedgerQuestions): Promise<ShownTransaction> {
  const listed = await questions.transactions(`?timestamp=${time}&limit=1`);
  const [row] = listed.document.transactions;
  if (row === undefined) throw notFoundError(`No transaction has the consensus timestamp ${time}`);
  const all = await sharing(row, questions);
  // The single transaction tells its custom fees too.
  const single = all.find(({ consensus_timestamp }) => consensus_timestamp === row.consensus_timestamp);
  const query = `?nonce=${row.nonce}&scheduled=${row.scheduled}`;
  return {
    transaction: single ?? row,
    related: others(all, row),
    targets: [`/api/v1/transactions/${row.transaction_id}${query}`],
  };
}

async function sharing({ transaction_id }: TransactionDocument, questions: LedgerQuestions) {
  return (await questions.transaction(transaction_id)).document.transactions;
}

function others(all: readonly TransactionDocument[], { consensus_timestamp }: TransactionDocument) {
  return all.filter((each) => each.consensus_timestamp !== consensus_timestamp);
}

/** Submitted ones before children, and those that were handled before their duplicates. */
function byRank(left: TransactionDocument, right: TransactionDocument): number {
  return rank(left) - rank(right);
}

function rank({ nonce, result, scheduled }: TransactionDocument): number {
  return (nonce === 0n ? 0 : 4) + (scheduled ? 2 : 0) + (result === 'DUPLICATE_TRANSACTION' ? 1 : 0);
}
