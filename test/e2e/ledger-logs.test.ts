import { expect, test } from 'vitest';
import { contractBlocks, randomContractLedger } from '../kit/mirror/contracts/random-contract-ledger.ts';
import * as fc from '../support/properties.ts';
import { startTestServer } from '../support/test-server.ts';

interface LedgerLog {
  readonly address: string;
  readonly topics: readonly string[];
  readonly block_number: number;
  readonly index: number;
  readonly timestamp: string;
}

/** @see contracts/verification-api.md section 7.4 */
test('getLogs of a chain with a ledger gives the logs that the mirror lists', async () => {
  const server = await startTestServer({ env: { VERIFY_CHAINS: '{"298":{"ledger":true}}' } });
  try {
    const drawn = fc.sample(
      randomContractLedger.filter((events) => events.some(({ logs }) => logs.length > 1)),
      { numRuns: 1, seed: 40 },
    )[0];
    for (const { unit } of contractBlocks(drawn ?? [])) await server.services.mirror.ledger.commitUnit(unit);
    const listed = await server.app.inject('/api/v1/contracts/results/logs?order=asc&limit=100');
    const { logs } = listed.json<{ readonly logs: readonly LedgerLog[] }>();
    const one =
      logs.find(({ topics }) => topics.length > 0) ?? expect.fail('the ledger has a log with a topic');
    const wanted = logs.filter(({ address }) => address === one.address);
    const query = `/api/298?module=logs&action=getLogs&address=${one.address}`;
    const answer = (await server.app.inject(query)).json();
    expect(answer).toMatchObject({ status: '1', message: 'OK' });
    const factsOf = (log: Readonly<Record<string, string | string[]>>) =>
      [
        Number(log['blockNumber']),
        Number(log['logIndex']),
        Number(log['timeStamp']),
        ...(log['topics'] ?? []),
      ].join();
    expect(answer.result.map(factsOf).sort()).toEqual(
      wanted
        .map((log) => [log.block_number, log.index, log.timestamp.split('.')[0], ...log.topics].join())
        .sort(),
    );
    const later = await server.app.inject(`${query}&fromBlock=1000000`);
    expect(later.json()).toEqual({ status: '0', message: 'No records found', result: [] });
  } finally {
    await server.close();
  }
});
