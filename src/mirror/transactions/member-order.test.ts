import { afterEach, describe, expect, test } from 'vitest';
import { aTransaction } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';

import { fixtureUnit } from '../ledger/fixture-unit.ts';

const AT = consensusTimestamp(1_700_000_000_000_000_000n);
const ACCOUNT = entityId(800n);
const KEY = Uint8Array.from([0x12, 0x20, ...new Uint8Array(32).fill(7)]);
const TRANSACTIONS = [
  aTransaction(AT, { maxFee: 33n, validDurationSeconds: 120n }),
  aTransaction(AT + 1n, {
    batchKey: KEY,
    maxFee: null,
    validDurationSeconds: null,
    stakingRewards: [{ account: ACCOUNT, amount: 5n }],
    transfers: [{ account: ACCOUNT, amount: 5n, isApproval: false }],
    assessedCustomFees: [{ amount: 1n, collector: ACCOUNT, effectivePayers: [ACCOUNT], token: null }],
  }),
];

let mirror: MirrorApp;
afterEach(() => mirror.close());

describe.each(['spec', 'hiero'] as const)('the members of a transaction, dialect %s', (dialect) => {
  test('are in alphabetical order, in lists and alone', async () => {
    mirror = await buildMirrorApp({ dialect });
    await mirror.area.ledger.commitUnit(fixtureUnit('a', { transactions: TRANSACTIONS }));
    const rowsOf = async (path: string) => {
      const answer = await mirror.app.inject(`/api/v1/transactions${path}`);
      return (answer.json() as { readonly transactions: readonly Record<string, unknown>[] }).transactions;
    };
    const listed = await rowsOf('?order=asc');
    const alone = await Promise.all(
      listed.map(async ({ transaction_id: id }) => (await rowsOf(`/${id}`))[0] ?? {}),
    );
    for (const row of [...listed, ...alone]) expect(Object.keys(row)).toEqual(Object.keys(row).sort());
    const isHiero = dialect === 'hiero';
    expect(listed).toMatchObject([
      {
        max_fee: isHiero ? '33' : 33,
        staking_reward_transfers: [],
        valid_duration_seconds: isHiero ? '120' : 120,
      },
      {
        batch_key: { _type: 'ED25519' },
        max_fee: null,
        staking_reward_transfers: [{ account: isHiero ? '0.0.800' : 800, amount: 5 }],
        valid_duration_seconds: null,
      },
    ]);
    expect('batch_key' in (listed[0] ?? {})).toBe(isHiero);
    expect(alone[1]).toHaveProperty('assessed_custom_fees');
  });
});
