import { afterEach, expect, test } from 'vitest';
import { sharedPath } from '../shared-data.ts';
import { describeShared } from '../support/shared-suites.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

let server: TestServer | null = null;
afterEach(async () => {
  await server?.close();
  server = null;
});

/** Serves one real stream. */
async function serve(stream: string) {
  const started = await startTestServer({ env: { MIRROR_DIALECT: 'hiero' } });
  server = started;
  const [report] = await started.services.imports.run([sharedPath('data', 'streams', stream)]);
  expect(report).toMatchObject({ refused: [], verification: 'signatures' });
  return async (path: string) => {
    const answer = await fetch(`${started.url}/api/v1/${path}`);
    expect(answer.status, path).toBe(200);
    return answer.text();
  };
}

describeShared('explorer pages of real streams', () => {
  test('a block of the main network has its number, gas and filter, and receipts tell its rates', async () => {
    const get = await serve('mainnet-v6');
    const block = JSON.parse(await get('blocks/82297471'));
    expect(block).toMatchObject({
      count: 47,
      gas_used: 2_000_000,
      hapi_version: '0.63.9',
      logs_bloom: expect.stringMatching(/^0x[0-9a-f]{512}$/),
      name: '2025-07-23T20_37_42.076472454Z.rcd',
      size: 32_665,
      timestamp: { from: '1753303062.076472454', to: '1753303063.721549000' },
    });
    expect(JSON.parse(await get(`blocks/${block.hash.slice(0, 66)}`))).toEqual(block);
    expect(JSON.parse(await get('network/exchangerate'))).toEqual({
      current_rate: { cent_equivalent: 750_372, expiration_time: 1_753_304_400, hbar_equivalent: 30_000 },
      next_rate: { cent_equivalent: 744_706, expiration_time: 1_753_308_000, hbar_equivalent: 30_000 },
      timestamp: '1753303062.076472454',
    });
    // The import began in the middle of the history: the accounts are known, no balance is.
    const { balances } = JSON.parse(await get('balances')) as { readonly balances: readonly object[] };
    expect(balances.length).toBeGreaterThan(1);
    for (const row of balances) expect(row).toMatchObject({ balance: null, tokens: [] });
  });

  test('files before version 6 count up to the first number that is told', async () => {
    const get = await serve('chain-v5v6');
    const numbers = [...(await get('blocks')).matchAll(/"number":(-?\d+)/g)].map(([, digits]) => digits);
    expect(numbers).toEqual(['-9223372036854775797', '-9223372036854775798']);
    expect(await get('blocks/-9223372036854775797')).toContain('"number":-9223372036854775797');
  });

  test('a contract has its settings, and its code from the sidecar', async () => {
    const get = await serve('chain-v6-sidecar');
    expect(JSON.parse(await get('contracts/0.0.1003'))).toMatchObject({
      auto_renew_period: 7_776_000,
      bytecode: expect.stringMatching(/^0x[0-9a-f]+$/),
      created_timestamp: '1657701971.304284004',
      expiration_timestamp: '1665477971.304284004',
      max_automatic_token_associations: 10,
      memo: 'cellar door',
      runtime_bytecode: expect.stringMatching(/^0x[0-9a-f]+$/),
    });
    expect(JSON.parse(await get('balances?account.id=0.0.1003'))).toMatchObject({
      balances: [{ account: '0.0.1003', balance: 0, tokens: [] }],
    });
  });
});
