import { createHash } from 'node:crypto';
import { fixtureTransaction, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';

/** Time of the first transaction and distance of the next, in nanoseconds. */
export const FIRST_TIME = 1_700_000_000_000_000_000n;
export const STEP = 1_000_000n;

/** A payer like a thousand others, an account of one transaction in ten thousand, and one that is in all of them. */
export const LEDGER_ACCOUNTS = { normal: 1500n, rare: 5000n, everywhere: 98n } as const;

const UNIT_SIZE = 5000;
const PAYERS = 1000n;
const RARE_EVERY = 10_000n;
const FAILURE_EVERY = 20n;
const SUCCESS = 22;
const INSUFFICIENT_PAYER_BALANCE = 10;
/** Of each hundred transactions, by type number; the rest are CRYPTOTRANSFER. */
const TYPE_OF_HUNDRED: Readonly<Record<number, number>> = {
  3: 27,
  17: 27,
  31: 27,
  53: 27,
  61: 7,
  83: 11,
  97: 37,
};
const CRYPTO_TRANSFER = 14;

/**
 * Three rows in each transaction: a payer of a thousand, a receiver, and the account that collects from all.
 *
 * One in twenty fails, seven in a hundred are no transfers of currency.
 */
export function* syntheticLedger(count: number): Generator<LedgerUnit> {
  for (let start = 0; start < count; start += UNIT_SIZE) {
    const length = Math.min(UNIT_SIZE, count - start);
    const transactions = Array.from({ length }, (_, index) => aTransaction(BigInt(start + index)));
    yield fixtureUnit(`synthetic-${start}`, { transactions });
  }
}

function aTransaction(index: bigint) {
  const time = consensusTimestamp(FIRST_TIME + index * STEP);
  const payer = entityId(1000n + (index % PAYERS));
  const other = entityId(1000n + ((index * 7n + 1n) % PAYERS));
  const receiver = index % RARE_EVERY === 77n ? entityId(LEDGER_ACCOUNTS.rare) : other;
  return fixtureTransaction({
    consensusTimestamp: time,
    payer,
    node: entityId(3n),
    type: TYPE_OF_HUNDRED[Number(index % 100n)] ?? CRYPTO_TRANSFER,
    result: (index * 11n) % FAILURE_EVERY === 7n ? INSUFFICIENT_PAYER_BALANCE : SUCCESS,
    chargedFee: 100_000n,
    maxFee: 1_000_000n,
    validDurationSeconds: 120n,
    memo: new TextEncoder().encode(`transfer ${index}`),
    hash: createHash('sha384').update(String(index)).digest(),
    transfers: [
      { account: payer, amount: -200_000n, isApproval: false },
      { account: receiver, amount: 100_000n, isApproval: false },
      { account: entityId(LEDGER_ACCOUNTS.everywhere), amount: 100_000n, isApproval: false },
    ],
  });
}
