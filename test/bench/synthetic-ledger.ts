import { createHash } from 'node:crypto';
import { fixtureTransaction, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';

/** Time of the first transaction and distance of the next, in nanoseconds. */
export const FIRST_TIME = 1_700_000_000_000_000_000n;
export const STEP = 1_000_000n;

const UNIT_SIZE = 5000;
const ACCOUNTS = 1000n;

/** Plain transfers with three rows each, payers and receivers spread over a thousand accounts. */
export function* syntheticLedger(count: number): Generator<LedgerUnit> {
  for (let start = 0; start < count; start += UNIT_SIZE) {
    const length = Math.min(UNIT_SIZE, count - start);
    const transactions = Array.from({ length }, (_, index) => aTransfer(BigInt(start + index)));
    yield fixtureUnit(`synthetic-${start}`, { transactions });
  }
}

function aTransfer(index: bigint) {
  const time = consensusTimestamp(FIRST_TIME + index * STEP);
  const payer = entityId(1000n + (index % ACCOUNTS));
  const receiver = entityId(1000n + ((index * 7n + 1n) % ACCOUNTS));
  return fixtureTransaction({
    consensusTimestamp: time,
    payer,
    node: entityId(3n),
    chargedFee: 100_000n,
    maxFee: 1_000_000n,
    validDurationSeconds: 120n,
    memo: new TextEncoder().encode(`transfer ${index}`),
    hash: createHash('sha384').update(String(index)).digest(),
    transfers: [
      { account: payer, amount: -200_000n, isApproval: false },
      { account: receiver, amount: 100_000n, isApproval: false },
      { account: entityId(98n), amount: 100_000n, isApproval: false },
    ],
  });
}
