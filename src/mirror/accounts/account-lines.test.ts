import { describe, expect, test } from 'vitest';
import { buildMirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { readFixture } from '../ingest/fixture/read-fixture.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

const HOME = { shard: 0n, realm: 0n };
const WHOLE = {
  account: '0.0.1001',
  alias: 'CIQAOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBYHA4DQOBY',
  auto_renew_period: 7_776_000,
  balance: {
    balance: 5,
    timestamp: '1700000009.000000000',
    tokens: [{ token_id: '0.0.90', balance: 50 }],
  },
  created_timestamp: '1700000000.000000000',
  decline_reward: false,
  delegation_address: `0x${'0d'.repeat(20)}`,
  deleted: false,
  ethereum_nonce: 3,
  evm_address: `0x${'ab'.repeat(20)}`,
  expiry_timestamp: '1707776000.000000000',
  key: { _type: 'ED25519', key: '07'.repeat(32) },
  max_automatic_token_associations: -1,
  memo: 'mine',
  pending_reward: 0,
  receiver_sig_required: true,
  staked_account_id: null,
  staked_node_id: 0,
  stake_period_start: '1699920000.000000000',
};

async function answerOf(line: object, path: string): Promise<object> {
  const mirror = await buildMirrorApp({ dialect: 'hiero' });
  const rows = readFixture(Buffer.from(JSON.stringify({ kind: 'account', ...line })), 'a.ndjson', HOME);
  await mirror.area.ledger.commitUnit(fixtureUnit('a', rows));
  const answer = await mirror.app.inject(`/api/v1/accounts/${path}?transactions=false`);
  await mirror.close();
  expect(answer.statusCode, answer.body).toBe(200);
  const { links: _, transactions: __, ...account } = answer.json() as Record<string, unknown>;
  return account;
}

describe('a line of kind account', () => {
  test('gives the answer that it was', async () => {
    expect(await answerOf(WHOLE, '1001')).toEqual(WHOLE);
    const deleted = {
      ...WHOLE,
      alias: null,
      deleted: true,
      delegation_address: '0x',
      evm_address: `0x${'0'.repeat(37)}3e9`,
      staked_account_id: '0.0.7',
      staked_node_id: null,
      stake_period_start: null,
      receiver_sig_required: null,
    };
    expect(await answerOf(deleted, '1001')).toEqual(deleted);
  });

  test('that leaves members out is found by its address and alias', async () => {
    const { account, alias, evm_address: address } = WHOLE;
    for (const path of [address, alias]) {
      expect(await answerOf({ account, alias, evm_address: address }, path)).toMatchObject({
        account,
        deleted: false,
        memo: '',
      });
    }
  });
});
