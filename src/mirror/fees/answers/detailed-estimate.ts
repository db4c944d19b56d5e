import { Turns } from '../../../threads/turns.ts';
import { once } from '../../../values/once.ts';
import { canonicalLength } from '../decode/canonical-length.ts';
import {
  type DecodedTransaction,
  decodeSignedTransaction,
  decodeTransactions,
  demandFew,
} from '../decode/decode-transaction.ts';
import { shapes } from '../decode/message-shape.ts';
import type { DecodedMessage } from '../decode/strict-decoder.ts';
import type { PricedBodies, TransactionIdFields, TransferFields } from '../decode/transaction-fields.ts';
import { UnpriceableTransactionError } from '../fee-errors.ts';
import { estimateFee, type FeeEstimate, type FeeEstimateRequest } from '../pricing/estimate-fee.ts';
import { addTinycents } from '../tinycents.ts';
import { type Money, toMoney, type UsedRate } from './fee-money.ts';
import type { FeeQuery } from './fee-request.ts';

/** The transactions that a batch or schedule carries, each with its own price. */
export interface InnerEstimates {
  readonly estimates: readonly MemberEstimate[];
  /** Sum of their totals, tinycents. */
  readonly total: bigint;
  /** That and the total of the transaction around them. */
  readonly totalWithOuter: bigint;
}

/** An estimate with the name of the type in `TransactionBody.data`. */
export interface MemberEstimate {
  readonly member: string;
  readonly estimate: FeeEstimate;
}

/** An estimate with everything that was asked for beside it. */
export interface DetailedEstimate extends MemberEstimate {
  readonly isExplained: boolean;
  /** Null when it was not asked for, or the type carries none. */
  readonly inner: InnerEstimates | null;
  /** Null when it was not asked for, or no rate is known. */
  readonly money: Money | null;
}

/** What a request needs beside the transaction. */
export interface DetailedRequest
  extends Omit<FeeEstimateRequest, 'transaction' | 'mode' | 'highVolumeThrottle' | 'asked'> {
  readonly query: FeeQuery;
  /** The exchange rate of now; null while none is known. */
  readonly rateNow: () => Promise<UsedRate | null>;
}

/** What an estimate of token transfers from the bytes alone leaves out. */
const TOKEN_BASE_MISSING =
  'The base price of token transfers depends on the tokens and is not in an INTRINSIC estimate: use mode=state';
/** Said when money was asked for and there is no rate. */
const RATE_MISSING = 'No exchange rate is known: the amount in hbar is omitted';

/**
 * Estimates a transaction and adds the details that the query asks for.
 *
 * @throws UnpriceableTransactionError also for an inner transaction, which it names.
 * @see contracts/fees-estimate.md section 12
 */
export async function estimateInDetail(
  given: DecodedTransaction,
  { query, rateNow, ...request }: DetailedRequest,
  asked: Set<string> = new Set(),
  turns = new Turns(),
): Promise<DetailedEstimate> {
  const { details, highVolumeThrottle, mode, signatures } = query;
  const transaction = signatures === null ? given : withExpectedSignatures(given, signatures);
  const common = { ...request, mode, highVolumeThrottle, asked };
  const estimate = await estimateFee({ ...common, transaction });
  const notes = [...estimate.notes];
  if (signatures !== null) notes.push(noteOfSignatures(signatures, given.signatureCount));
  if (details.has('explanation') && mode === 'INTRINSIC' && movesTokens(given))
    notes.push(TOKEN_BASE_MISSING);
  const carried = details.has('inner') ? innerTransactions(given) : null;
  const inner = carried === null ? null : await estimateInner(carried, estimate, common, turns);
  const rate = details.has('money') ? await rateNow() : null;
  if (details.has('money') && rate === null) notes.push(RATE_MISSING);
  return {
    member: given.member ?? '',
    estimate: { ...estimate, notes },
    isExplained: details.has('explanation'),
    inner,
    money: rate === null ? null : toMoney(inner?.totalWithOuter ?? estimate.total, rate),
  };
}

/** About so long one takes. */
const ESTIMATE_MICROS = 100;

async function estimateInner(
  carried: readonly DecodedTransaction[],
  outer: FeeEstimate,
  common: Omit<FeeEstimateRequest, 'transaction'>,
  turns: Turns,
): Promise<InnerEstimates> {
  const estimates: MemberEstimate[] = [];
  let total = 0n;
  for (const [index, transaction] of carried.entries()) {
    await turns.spend(ESTIMATE_MICROS);
    const estimate = await naming(index, () => estimateFee({ ...common, transaction }));
    estimates.push({ member: transaction.member ?? '', estimate });
    total = addTinycents(total, estimate.total);
  }
  return { estimates, total, totalWithOuter: addTinycents(outer.total, total) };
}

function movesTokens({ body, member }: DecodedTransaction): boolean {
  if (member !== 'cryptoTransfer' && member !== 'tokenAirdrop') return false;
  return ((body as TransferFields).tokenTransfers ?? []).length > 0;
}

/**
 * The transactions that a batch or schedule carries; null for every other type.
 *
 * A scheduled body is taken as a transaction of that size with one signature.
 *
 * @throws UnpriceableTransactionError naming the member of a batch that cannot be decoded.
 * @see contracts/fees-estimate.md section 12, batch and schedule
 */
function innerTransactions({ body, member }: DecodedTransaction): readonly DecodedTransaction[] | null {
  if (member === 'atomicBatch') {
    const { transactions = [] } = body as PricedBodies['atomicBatch'];
    return transactions.map((bytes, index) => naming(index, () => decodeSignedTransaction(bytes)));
  }
  if (member !== 'scheduleCreate') return null;
  const scheduled = (body as DecodedMessage)['scheduledTransactionBody'] as DecodedMessage | undefined;
  const type = scheduled?.['data'] as string | undefined;
  if (scheduled === undefined || type === undefined) return [];
  return [
    {
      member: type,
      body: scheduled[type],
      signatureCount: 1,
      byteLength: canonicalLength(shapes.SchedulableTransactionBody, scheduled),
      highVolume: false,
      id: undefined,
      memo: undefined,
      offeredFee: undefined,
    },
  ];
}

/**
 * Runs what concerns one inner transaction.
 *
 * @throws UnpriceableTransactionError with the place of the inner transaction, counted from 1.
 */
function naming<T>(index: number, run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (!(error instanceof UnpriceableTransactionError)) throw error;
    const text = `Inner transaction ${index + 1}: ${error.message}`;
    throw new UnpriceableTransactionError('inner_transaction', text, error);
  }
}

/** A pair with a 32-byte ed25519 prefix. */
const BYTES_PER_SIGNATURE = 102;

/**
 * The transaction as it will be when so many signed it: clients ask about transactions before they sign them.
 *
 * Bytes are added for missing signatures, and none taken away for surplus ones.
 *
 * @see contracts/fees-estimate.md section 12, expected number of signatures
 */
function withExpectedSignatures(transaction: DecodedTransaction, expected: number): DecodedTransaction {
  const missing = Math.max(0, expected - transaction.signatureCount);
  return {
    ...transaction,
    signatureCount: expected,
    byteLength: transaction.byteLength + missing * BYTES_PER_SIGNATURE,
  };
}

/** What the answer then says. */
function noteOfSignatures(expected: number, found: number): string {
  return `Estimated for ${expected} signatures; the transaction has ${found}`;
}

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
  const common = { ...request, rateNow: once(request.rateNow) };
  const turns = new Turns();
  let count = 0;
  for (const transaction of decodeTransactions(bytes)) {
    await turns.spend(ESTIMATE_MICROS);
    const detailed = await estimateInDetail(transaction, common, asked, turns);
    count += 1 + (detailed.inner?.estimates.length ?? 0);
    demandFew(count);
    const transactionId = printId(transaction);
    transactions.push({ ...detailed, transactionId });
    const key = transactionId ?? `member ${transactions.length}`;
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
