import { Type } from '@sinclair/typebox';
import { encodeEntityId } from '../../../values/entity-id.ts';
import { parseHex } from '../../../values/hex.ts';
import { MAX_INT64 } from '../../../values/int64.ts';
import { invalidRequest } from '../../errors.ts';
import type { InPath } from '../../lists/list.ts';
import type { ContractResultRepository, FoundResult } from './contract-result-repository.sql.ts';

/** What a path names a transaction by. */
type TransactionInPath =
  | { readonly kind: 'hash'; readonly hash: Uint8Array }
  /** Payer and valid start; null when no payer can have the id. */
  | { readonly kind: 'id'; readonly payer: bigint | null; readonly validStart: bigint };

const HASH = /^(0x)?[\dA-Fa-f]{64}$/;
const ID = /^(\d+)\.(\d+)\.(\d+)-(\d{1,19})-(\d{1,9})$/;
const NANOS_PER_SECOND = 1_000_000_000n;
const WRONG_FORM =
  'Invalid Transaction id. Please use "shard.realm.num-sss-nnn" format where sss are seconds and nnn are nanoseconds';

/**
 * Reads the place of a transaction in the path of a result.
 *
 * @throws MirrorApiError 400 for another form.
 * @see contracts/mirror-contracts.md section 1.2
 */
function transactionInPath(text: string): TransactionInPath {
  if (HASH.test(text)) return { kind: 'hash', hash: parseHex(text) ?? new Uint8Array() };
  const [, shard, realm, num, seconds, nanos] = ID.exec(text) ?? [];
  if (shard === undefined || realm === undefined || num === undefined) throw invalidRequest([WRONG_FORM]);
  const validStart = BigInt(seconds ?? 0) * NANOS_PER_SECOND + BigInt(nanos ?? 0);
  return { kind: 'id', payer: encodeEntityId(BigInt(shard), BigInt(realm), BigInt(num)), validStart };
}

/** The transaction of a path. */
export const namedTransaction: InPath<TransactionInPath, unknown> = {
  params: Type.Object({
    transactionIdOrHash: Type.String({
      description: 'Transaction id `shard.realm.num-seconds-nanoseconds`, or hash of 64 digits.',
    }),
  }),
  read: ({ transactionIdOrHash = '' }) => transactionInPath(transactionIdOrHash),
};

/** Where it is; null when the ledger does not have it. @param nonce is ignored for a hash */
export async function findTransactionInPath(
  named: TransactionInPath,
  nonce: number,
  results: Pick<ContractResultRepository, 'findByHash' | 'findById'>,
): Promise<FoundResult | null> {
  if (named.kind === 'hash') return results.findByHash(named.hash);
  if (named.payer === null || named.validStart > MAX_INT64) return null;
  return results.findById(named.payer, named.validStart, nonce);
}
