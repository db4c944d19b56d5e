import { fixtureTransaction } from '../../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerTransaction } from '../../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../../src/values/consensus-timestamp.ts';
import { type EntityId, entityId } from '../../../src/values/entity-id.ts';
import * as fc from '../../support/properties.ts';

/** Few values of each kind, so that random filters meet random rows. */
export const ACCOUNTS: readonly bigint[] = [3n, 98n, 800n, 1001n, 1002n, 1003n];
export const TYPES: readonly number[] = [11, 14, 37, 42];
const RESULTS = [22, 22, 104, 10, 9999];

const account = fc.constantFrom(...ACCOUNTS).map(entityId);
const amount = fc.bigInt({ min: -3n, max: 3n });
const transfer = fc.record({ account, amount, isApproval: fc.boolean() });
const party = fc.option(account);

const transactionBody = fc.record({
  payer: account,
  type: fc.constantFrom(...TYPES),
  result: fc.constantFrom(...RESULTS),
  nonce: fc.constantFrom(0, 0, 1),
  hasParent: fc.boolean(),
  transfers: fc.array(transfer, { maxLength: 4 }),
  tokenTransfers: fc.array(
    fc.record({ account, amount, isApproval: fc.boolean(), token: fc.constant<EntityId>(entityId(5000n)) }),
    { maxLength: 2 },
  ),
  nftTransfers: fc.array(
    fc.record({
      token: fc.constant<EntityId>(entityId(6000n)),
      sender: party,
      receiver: party,
      serial: fc.constant(1n),
      isApproval: fc.constant(false),
    }),
    { maxLength: 1 },
  ),
  gap: fc.bigInt({ min: 1n, max: 3n }),
});

/** Ledgers of up to 30 transactions whose times lie 1 to 3 ns apart. */
export const randomLedger: fc.Arbitrary<readonly LedgerTransaction[]> = fc
  .array(transactionBody, { maxLength: 30 })
  .map((bodies) => {
    let at = 1_700_000_000_000_000_000n;
    return bodies.map(({ gap, hasParent, ...body }) => {
      at += gap;
      return fixtureTransaction({
        ...body,
        consensusTimestamp: consensusTimestamp(at),
        parentConsensusTimestamp: hasParent && body.nonce > 0 ? consensusTimestamp(at - 1n) : null,
      });
    });
  });
