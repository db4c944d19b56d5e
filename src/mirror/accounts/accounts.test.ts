import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ALIAS, EVM_ADDRESS, explorerLedger, KEY, START } from '../../../test/kit/mirror/explorer-ledger.ts';
import { aTransaction, aTransfer } from '../../../test/kit/mirror/ledger-rows.ts';
import { buildMirrorApp, type MirrorApp } from '../../../test/kit/mirror/mirror-app.ts';
import { consensusTimestamp } from '../../values/consensus-timestamp.ts';
import { entityId } from '../../values/entity-id.ts';
import { fixtureUnit } from '../ledger/fixture-unit.ts';

let spec: MirrorApp;
let hiero: MirrorApp;
/** A ledger that was not imported from its beginning. */
let partial: MirrorApp;

beforeAll(async () => {
  spec = await buildMirrorApp();
  hiero = await buildMirrorApp({ dialect: 'hiero' });
  partial = await buildMirrorApp();
  for (const { area } of [spec, hiero]) {
    for (const unit of explorerLedger()) await area.ledger.commitUnit(unit);
  }
  const unit = fixtureUnit('a', { transactions: [aTransaction(START, { transfers: [aTransfer(7n, 5n)] })] });
  const header = { ...unit.header, kind: 'record', version: 6, blockNumber: 5n } as const;
  await partial.area.ledger.commitUnit({ ...unit, header });
  const changedTimestamp = consensusTimestamp(START + 1n);
  const later = fixtureUnit('b', {
    transactions: [aTransaction(changedTimestamp)],
    entityChanges: [{ entity: entityId(8n), changedTimestamp, memo: 'of 8', key: KEY }],
  });
  await partial.area.ledger.commitUnit({
    ...later,
    header: { ...later.header, kind: 'record', version: 6, blockNumber: 6n, previousHash: header.hash },
  });
});
afterAll(async () => {
  for (const mirror of [spec, hiero, partial]) await mirror.close();
});

const get = (path: string, mirror = spec) => mirror.app.inject(`/api/v1/accounts/${path}`);
const account = async (path: string, mirror = spec) => {
  const answer = await get(path, mirror);
  expect(answer.statusCode, answer.body).toBe(200);
  return answer.json() as {
    readonly transactions: readonly Readonly<Record<string, unknown>>[];
    readonly links: { readonly next: string | null };
  };
};
const times = async (path: string, mirror = spec) =>
  (await account(path, mirror)).transactions.map((row) => row['consensus_timestamp']);

describe('GET /api/v1/accounts/{idOrAliasOrEvmAddress}', () => {
  test('shows every setting at its newest state', async () => {
    const { transactions, ...members } = await account('0.0.1001');
    expect(members).toEqual({
      account: '0.0.1001',
      alias: ALIAS,
      auto_renew_period: 7_776_000,
      balance: {
        balance: 399,
        timestamp: '1700001000.000000000',
        tokens: [
          { token_id: '0.0.90', balance: 50 },
          { token_id: '0.0.91', balance: 0 },
        ],
      },
      created_timestamp: '1700000000.000000000',
      decline_reward: true,
      delegation_address: '0x',
      deleted: false,
      ethereum_nonce: 3,
      evm_address: `0x${EVM_ADDRESS}`,
      expiry_timestamp: '1707776000.000000000',
      key: { _type: 'ED25519', key: '07'.repeat(32) },
      max_automatic_token_associations: -1,
      memo: 'mine',
      pending_reward: 0,
      receiver_sig_required: true,
      staked_account_id: null,
      staked_node_id: 0,
      stake_period_start: '1699920000.000000000',
      links: { next: null },
    });
    expect(transactions).toHaveLength(3);
  });

  test.each([
    '1001',
    '0.1001',
    ALIAS,
    `0.0.${ALIAS}`,
    EVM_ADDRESS,
    `0x${EVM_ADDRESS}`,
    `0.0.${EVM_ADDRESS}`,
    `0x${'0'.repeat(37)}3e9`,
  ])('%s names the same account', async (path) => {
    expect(await account(path)).toMatchObject({ account: '0.0.1001' });
  });

  test('an account that is only in transfers exists, and nothing about it is invented', async () => {
    expect(await account('7', partial)).toEqual({
      account: '0.0.7',
      alias: null,
      auto_renew_period: null,
      balance: { balance: null, timestamp: null, tokens: [] },
      created_timestamp: null,
      decline_reward: false,
      delegation_address: '0x',
      deleted: null,
      ethereum_nonce: null,
      evm_address: `0x${'0'.repeat(39)}7`,
      expiry_timestamp: null,
      key: null,
      max_automatic_token_associations: null,
      memo: '',
      pending_reward: 0,
      receiver_sig_required: null,
      staked_account_id: null,
      staked_node_id: null,
      stake_period_start: null,
      transactions: [expect.objectContaining({ consensus_timestamp: '1700000000.000000000' })],
      links: { next: null },
    });
    expect(await account('0.0.1003')).toMatchObject({ deleted: true, key: null, memo: '' });
  });

  test.each([
    ['?limit=1', ['1700001000.000000000']],
    ['?order=asc&limit=2', ['1700000000.000000000', '1700000001.000000000']],
    ['?timestamp=lt:1700000001', ['1700000000.000000000']],
    ['?transactiontype=cryptocreateaccount', ['1700000000.000000000']],
    ['?timestamp=1700000000.000000001', []],
    ['?transactions=false', []],
    ['?transactions=TRUE&limit=1', ['1700001000.000000000']],
  ])('%s lists the transactions %j', async (query, expected) => {
    expect(await times(`1001${query}`)).toEqual(expected);
  });

  test('following the links visits every transaction once, in both dialects', async () => {
    for (const mirror of [spec, hiero]) {
      const seen: unknown[] = [];
      let next: string | null = '/api/v1/accounts/0.0.1001?limit=1&transactiontype=CRYPTOTRANSFER';
      while (next !== null) {
        const path: string = next.slice('/api/v1/accounts/'.length);
        seen.push(...(await times(path, mirror)));
        next = (await account(path, mirror)).links.next;
      }
      expect(seen).toEqual(['1700001000.000000000', '1700000001.000000000']);
    }
    expect((await get('1001?limit=2')).headers['link']).toBe(
      '</api/v1/accounts/1001?limit=2&timestamp=lt:1700000001.000000000>; rel="next"',
    );
  });

  test('transactions have the form of the dialect', async () => {
    const ours = await account('1001?limit=1');
    const theirs = await account('1001?limit=1', hiero);
    expect(ours.transactions[0]).not.toHaveProperty('batch_key');
    expect(theirs.transactions[0]).toHaveProperty('batch_key', null);
  });

  test.each([
    ['0.0.4', 404, 'Not found'],
    ['0', 404, 'Not found'],
    ['9999999999.9999999999.9999999999', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['A'.repeat(32), 404, 'No account with a matching alias found'],
    ['AA', 404, 'No account with a matching alias found'],
    ['ef'.repeat(20), 404, 'Not found'],
    ['abc', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['0.0.x', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['-5', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['274877906944', 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    [`0.0.0x${'ab'.repeat(20)}`, 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    [`0.1.${ALIAS}`, 400, 'Invalid parameter: idOrAliasOrEvmAddress'],
    ['1001?timestamp=5', 404, 'Not found'],
    ['1001?timestamp=gt:5&timestamp=lt:5', 404, 'Timestamp range is empty'],
    ['1001?limit=0', 400, 'Invalid parameter: limit'],
    ['1001?transactions=maybe', 400, 'Invalid parameter: transactions'],
    ['1001?transactions=ne:true', 400, 'Invalid parameter: transactions'],
    ['1001?account.id=5', 400, 'Unknown query parameter: account.id'],
    ['1001?result=success', 400, 'Unknown query parameter: result'],
  ])('%s is answered %d %s', async (path, status, message) => {
    const answer = await get(path);
    expect(answer.statusCode).toBe(status);
    expect(answer.json()).toEqual({ _status: { messages: [{ message }] } });
  });

  test.each([
    ['accounts', ['0.0.7', '0.0.8']],
    ['accounts?balance=false', ['0.0.7', '0.0.8']],
    ['accounts?account.id=7', ['0.0.7']],
    [`accounts?account.publickey=${'07'.repeat(32)}`, ['0.0.8']],
    ['accounts?account.balance=gte:0', []],
    ['balances?order=asc', ['0.0.7', '0.0.8']],
  ])('%s lists whom a ledger from the middle knows by transfers and updates', async (path, expected) => {
    const { accounts, balances = accounts } = (await partial.app.inject(`/api/v1/${path}`)).json();
    expect(balances.map((row: { readonly account: string }) => row.account)).toEqual(expected);
    expect(JSON.stringify(balances)).not.toContain('"balance":0');
  });

  test('answers HEAD, trailing slashes and a known tag', async () => {
    const first = await get('0.0.1001/');
    expect(first.headers).toMatchObject({
      'cache-control': 'public, max-age=2',
      vary: 'accept-encoding',
      'x-last-block-consensus-timestamp': '1700001000.000000000',
    });
    const head = await spec.app.inject({ method: 'HEAD', url: '/api/v1/accounts/0.0.1001' });
    expect([head.statusCode, head.body]).toEqual([200, '']);
    const again = await spec.app.inject({
      url: '/api/v1/accounts/0.0.1001',
      headers: { 'if-none-match': String(first.headers.etag) },
    });
    expect(again.statusCode).toBe(304);
  });
});
