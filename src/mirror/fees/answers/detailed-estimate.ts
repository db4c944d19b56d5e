import type { DecodedTransaction } from '../decode/decode-transaction.ts';
import { innerTransactions, naming } from '../decode/inner-transactions.ts';
import type { TransferFields } from '../decode/transaction-fields.ts';
import { estimateFee, type FeeEstimate, type FeeEstimateRequest } from '../pricing/estimate-fee.ts';
import { noteOfSignatures, withExpectedSignatures } from '../pricing/expected-signatures.ts';
import { addTinycents } from '../tinycents.ts';
import { TOKEN_BASE_MISSING } from './explain-extra.ts';
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
  const inner = carried === null ? null : await estimateInner(carried, estimate, common);
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

async function estimateInner(
  carried: readonly DecodedTransaction[],
  outer: FeeEstimate,
  common: Omit<FeeEstimateRequest, 'transaction'>,
): Promise<InnerEstimates> {
  const estimates: MemberEstimate[] = [];
  let total = 0n;
  for (const [index, transaction] of carried.entries()) {
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
