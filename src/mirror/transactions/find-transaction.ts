import type { Clock } from '../../values/clock.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { notFoundError } from '../errors.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type QueryPair, readQuery } from '../parameters/query-text.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import { parseTransactionKey } from './transaction-id-text.ts';
import type { FoundTransaction, TransactionRepository } from './transaction-repository.sql.ts';

export interface FindDependencies {
  readonly transactions: TransactionRepository;
  readonly clock: Clock;
  readonly maxRepeated: number;
}

export interface FoundAnswer {
  readonly json: string;
  /** Seconds; short while a scheduled execution may still come. */
  readonly maxAgeSeconds: number;
}

/** Null leaves a member open. */
interface Selection {
  readonly nonce: number | null;
  readonly isScheduled: boolean | null;
}

const MAX_NONCE = 2_147_483_647;
const HASH_HITS = 25;
const SETTLED_SECONDS = 600;
const PENDING_SECONDS = 5;
const NANOS_PER_MILLISECOND = 1_000_000n;
/** 89 285 minutes: the longest a schedule can wait. */
const LONGEST_SCHEDULE_NANOS = 89_285n * 60n * 1_000_000_000n;

/**
 * Answers `GET /api/v1/transactions/{id or hash}`.
 *
 * @throws MirrorApiError 400 for a bad id or parameter, 404 when nothing is found.
 * @see contracts/mirror-transactions.md section 6
 */
export async function findTransaction(
  idOrHash: string,
  target: string,
  { clock, maxRepeated, transactions }: FindDependencies,
): Promise<FoundAnswer> {
  const selection = parseSelection(readQuery(target), maxRepeated);
  const key = parseTransactionKey(idOrHash);
  const lookUp = async (payer: bigint, validStart: bigint) =>
    validStart > MAX_INT64 ? [] : select(await transactions.findById(payer, validStart), selection);

  const hits =
    key.kind === 'hash'
      ? select(await transactions.findByHash(key.hash, HASH_HITS), selection)
      : await lookUp(key.payer, key.validStart);
  if (hits.length === 0) throw notFoundError();
  const inner: FoundTransaction[] = [];
  if (key.kind === 'id') {
    for (const [payer, validStart] of hits.flatMap((hit) => hit.inner)) {
      inner.push(...(await lookUp(payer, validStart)));
    }
  }
  const isPending =
    key.kind === 'id' && selection.isScheduled === null && awaitsExecution(hits, BigInt(clock.now()));
  return {
    json: `{"transactions":[${[...hits, ...inner].map(({ json }) => json).join(',')}]}`,
    maxAgeSeconds: isPending ? PENDING_SECONDS : SETTLED_SECONDS,
  };
}

function parseSelection(pairs: readonly QueryPair[], maxRepeated: number): Selection {
  const values = checkParameters(
    pairs,
    { nonce: (text) => parseNonce(text) !== null, scheduled: (text) => parseFlag(text) !== null },
    maxRepeated,
  );
  const nonce = values.get('nonce')?.at(-1);
  const scheduled = values.get('scheduled')?.at(-1);
  return {
    nonce: nonce === undefined ? null : parseNonce(nonce),
    isScheduled: scheduled === undefined ? null : parseFlag(scheduled),
  };
}

function parseNonce(text: string): number | null {
  const value = equalOperand(text);
  if (value === null || !/^\d{1,10}$/.test(value)) return null;
  return Number(value) <= MAX_NONCE ? Number(value) : null;
}

function parseFlag(text: string): boolean | null {
  const value = equalOperand(text)?.toLowerCase();
  return value === 'true' ? true : value === 'false' ? false : null;
}

function equalOperand(text: string): string | null {
  const filter = parseFilter(text);
  return filter?.operator === 'eq' ? filter.value : null;
}

function select(
  rows: readonly FoundTransaction[],
  { isScheduled, nonce }: Selection,
): readonly FoundTransaction[] {
  return rows.filter(
    (row) =>
      (nonce === null || row.nonce === nonce) && (isScheduled === null || row.isScheduled === isScheduled),
  );
}

/** A schedule was created, is young enough to execute, and has not yet. */
function awaitsExecution(hits: readonly FoundTransaction[], nowMs: bigint): boolean {
  if (hits.some((hit) => hit.isScheduled)) return false;
  const youngest = nowMs * NANOS_PER_MILLISECOND - LONGEST_SCHEDULE_NANOS;
  return hits.some(
    (hit) => hit.type === TYPE.SCHEDULECREATE && hit.isSuccessful && hit.consensusTimestamp >= youngest,
  );
}
