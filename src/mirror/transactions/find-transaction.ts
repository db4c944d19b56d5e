import type { Clock } from '../../values/clock.ts';
import { NANOS_PER_SECOND } from '../../values/consensus-timestamp.ts';
import { encodeEntityId } from '../../values/entity-id.ts';
import { parseHex } from '../../values/hex.ts';
import { MAX_INT64 } from '../../values/int64.ts';
import { invalidRequest, messages, notFoundError } from '../errors.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { parseFilter } from '../parameters/filter-operator.ts';
import { type QueryPair, readQuery } from '../parameters/query-text.ts';
import { TYPE } from '../vocabulary/transaction-types.ts';
import type { FoundTransaction, TransactionRepository } from './transaction-repository.sql.ts';

export interface FindDependencies {
  readonly transactions: TransactionRepository;
  readonly clock: Clock;
  readonly maxRepeated: number;
}

interface FoundAnswer {
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
const MAX_SCHEDULE_NANOS = 89_285n * 60n * 1_000_000_000n;

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
  const youngest = nowMs * NANOS_PER_MILLISECOND - MAX_SCHEDULE_NANOS;
  return hits.some(
    (hit) => hit.type === TYPE.SCHEDULECREATE && hit.isSuccessful && hit.consensusTimestamp >= youngest,
  );
}

/** What the path names. */
type TransactionKey =
  | { readonly kind: 'hash'; readonly hash: Uint8Array }
  | { readonly kind: 'id'; readonly payer: bigint; readonly validStart: bigint };

const HEX_HASH = /^(?:0x)?[\dA-Fa-f]{96}$/;
const BASE64_HASH = /^[\dA-Za-z+\-/_]{64}$/;
/** The second form is how the SDKs print an id. */
const ID = /^(\d+)\.(\d+)\.(\d+)(?:-(\d{1,19})-|@(\d{1,19})\.)(\d{1,9})$/;

const INVALID_ID =
  'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds';

/**
 * Reads a hash (base64, base64url or hex) or an id. Nanoseconds need no padding.
 *
 * @throws MirrorApiError 400 for any other text.
 * @see contracts/mirror-transactions.md section 6
 */
function parseTransactionKey(text: string): TransactionKey {
  const hash = HEX_HASH.test(text)
    ? parseHex(text)
    : BASE64_HASH.test(text)
      ? Buffer.from(text, 'base64')
      : null;
  if (hash !== null) return { kind: 'hash', hash };
  const match = ID.exec(text);
  if (match === null) throw invalidRequest([INVALID_ID]);
  const [, shard = '', realm = '', num = '', dashed, dotted, nanos = ''] = match;
  const seconds = BigInt(dashed ?? dotted ?? '0');
  if (seconds > MAX_INT64) throw invalidRequest([INVALID_ID]);
  const payer = encodeEntityId(BigInt(shard), BigInt(realm), BigInt(num));
  if (payer === null) throw invalidRequest([messages.invalidEntityId(`${shard}.${realm}.${num}`)]);
  return { kind: 'id', payer, validStart: seconds * NANOS_PER_SECOND + BigInt(nanos) };
}
