import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { count, FixtureFault, type FixtureObject, hex, required, time } from '../../items/fixture-members.ts';
import { RESULT } from '../../vocabulary/response-codes.ts';
import { placeOfTransaction } from '../place-of-transaction.ts';
import type { LedgerTransaction } from '../rows.ts';
import type { FixtureContext } from './facet.ts';

const EVM_HASH_BYTES = 32;
const WORD_BYTES = 32;

/** The transaction that a line of a contract tells of, and what follows from it where the line is silent. */
interface TransactionOfLine {
  readonly transaction: LedgerTransaction;
  /** Null for one that no node would have taken twice. */
  readonly transactionIndex: number | null;
  /** 32 bytes. */
  readonly hash: Uint8Array;
}

/**
 * The transaction at the `timestamp` of a line: what contracts did goes with its transaction.
 *
 * @throws FixtureFault when there is none
 */
export function transactionOfLine(
  row: FixtureObject,
  hashMember: string,
  { transactions }: FixtureContext,
): TransactionOfLine {
  const at = required(row, 'timestamp', time);
  const index = placeOfTransaction(transactions, at);
  const transaction = transactions[index];
  if (transaction === undefined) {
    throw new FixtureFault(
      `"timestamp" must be the time of a transaction of this file, not ${printTimestamp(at)}: ` +
        'add a transaction line with that "consensus_timestamp"',
    );
  }
  const { hash } = transaction;
  return {
    transaction,
    transactionIndex: count(row, 'transaction_index') ?? (isRefused(transaction) ? null : index),
    hash:
      hex(row, hashMember, EVM_HASH_BYTES) ??
      hash?.subarray(0, EVM_HASH_BYTES) ??
      new Uint8Array(EVM_HASH_BYTES),
  };
}

/** Hex of at most 32 bytes. */
export function word(row: FixtureObject, name: string): Uint8Array | null {
  const bytes = hex(row, name);
  if (bytes !== null && bytes.length > WORD_BYTES) {
    throw new FixtureFault(`"${name}" must be hex of at most ${WORD_BYTES} bytes, not of ${bytes.length}`);
  }
  return bytes;
}

function isRefused({ result }: LedgerTransaction): boolean {
  return result === RESULT.WRONG_NONCE || result === RESULT.DUPLICATE_TRANSACTION;
}
