import { type DecodedTransaction, decodeTransactions } from '../decode/decode-transaction.ts';
import type { TransactionIdFields } from '../decode/transaction-fields.ts';
import { addTinycents } from '../tinycents.ts';
import { type DetailedEstimate, type DetailedRequest, estimateInDetail } from './detailed-estimate.ts';
import { type Money, toMoney } from './fee-money.ts';

/** A member of a list with its price. */
export interface ListedEstimate extends DetailedEstimate {
  /** `0.0.1001-1700000000-000000000`; null when the transaction has none. */
  readonly transactionId: string | null;
}

/** Prices of all transactions in a body. */
export interface EstimatedList {
  readonly transactions: readonly ListedEstimate[];
  /**
   * What will be paid, tinycents: of members with the same id only one, the most expensive, since clients make one for
   * each node and submit one of them. Inner transactions are included when they were asked for.
   */
  readonly total: bigint;
  readonly money: Money | null;
}

const NANO_DIGITS = 9;

/**
 * Estimates one transaction or all members of a `TransactionList`.
 *
 * @throws UnpriceableTransactionError for the first that cannot be priced.
 * @see contracts/fees-estimate.md section 12, TransactionList input
 */
export async function estimateList(bytes: Uint8Array, request: DetailedRequest): Promise<EstimatedList> {
  const asked = new Set<string>();
  const transactions: ListedEstimate[] = [];
  const totals = new Map<string, bigint>();
  for (const [index, transaction] of decodeTransactions(bytes).entries()) {
    const detailed = await estimateInDetail(transaction, request, asked);
    const transactionId = printId(transaction);
    transactions.push({ ...detailed, transactionId });
    const key = transactionId ?? `member ${index}`;
    const total = detailed.inner?.totalWithOuter ?? detailed.estimate.total;
    totals.set(key, max(totals.get(key) ?? 0n, total));
  }
  const total = [...totals.values()].reduce(addTinycents, 0n);
  const rate = transactions.find(({ money }) => money !== null)?.money?.rate;
  return { transactions, total, money: rate === undefined ? null : toMoney(total, rate) };
}

function printId({ id }: DecodedTransaction): string | null {
  return id?.accountID === undefined ? null : printTransactionId(id);
}

function printTransactionId({ accountID = {}, transactionValidStart = {} }: TransactionIdFields): string {
  const { accountNum = 0n, realmNum = 0n, shardNum = 0n } = accountID;
  const { nanos = 0, seconds = 0n } = transactionValidStart;
  return `${shardNum}.${realmNum}.${accountNum}-${seconds}-${String(nanos).padStart(NANO_DIGITS, '0')}`;
}

function max(left: bigint, right: bigint): bigint {
  return left > right ? left : right;
}
