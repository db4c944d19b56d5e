import { encodeErrorResult, encodeEventTopics, encodeFunctionData, encodeFunctionResult } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContractLog } from '../../src/mirror/ledger/facets/contract-logs.ts';
import type { ContractResult } from '../../src/mirror/ledger/facets/contract-results.ts';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { aContractResult, aTransaction } from '../../src/mirror/testing/ledger-rows.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { parseHex } from '../../src/values/hex.ts';
import { aCompilation, aMatch } from '../../src/verify/testing/a-verification.ts';
import { storeMatch } from '../../src/verify/testing/store-match.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';

const VERIFIED = 2001n;
const UNKNOWN = 2002n;
const ADDRESS = `0x${'cd'.repeat(20)}` as const;
const TO = `0x${'11'.repeat(20)}` as const;
const AMOUNT = 2n ** 70n;
const ABI = [
  {
    type: 'function',
    name: 'transfer',
    stateMutability: 'nonpayable',
    inputs: [
      { name: 'to', type: 'address' },
      { name: 'amount', type: 'uint256' },
    ],
    outputs: [{ name: 'ok', type: 'bool' }],
  },
  {
    type: 'event',
    name: 'Moved',
    inputs: [
      { name: 'to', type: 'address', indexed: true },
      { name: 'amount', type: 'uint256', indexed: false },
    ],
  },
  { type: 'error', name: 'Refused', inputs: [{ name: 'needed', type: 'uint256' }] },
] as const;
const bytes = (hex: string) => parseHex(hex) ?? expect.fail(`${hex} is hex`);
const at = (second: number) =>
  consensusTimestamp(1_700_000_000_000_000_000n + BigInt(second) * 1_000_000_000n);
const CALL = bytes(encodeFunctionData({ abi: ABI, functionName: 'transfer', args: [TO, AMOUNT] }));
const RETURNED = bytes(encodeFunctionResult({ abi: ABI, functionName: 'transfer', result: true }));
const REVERT = encodeErrorResult({ abi: ABI, errorName: 'Refused', args: [5n] });

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer({ env: { VERIFY_CHAINS: '{"298":{"ledger":true}}' } });
  await storeMatch(
    server.store.verify,
    { address: ADDRESS, chainId: '298' },
    aMatch({ compilation: { ...aCompilation({}), abi: ABI }, runtime: 'match', creation: null }),
  );
  const times = [1, 2, 3, 4];
  await server.services.mirror.ledger.commitUnit(
    fixtureUnit('calls', {
      transactions: times.map((time) => aTransaction(at(time))),
      entities: [VERIFIED, UNKNOWN].map((id) => ({
        entity: entityId(id),
        type: 'CONTRACT' as const,
        alias: null,
        evmAddress: id === VERIFIED ? bytes(ADDRESS) : null,
        createdTimestamp: at(0),
      })),
      contractResults: [
        aResult(1, VERIFIED, { functionParameters: CALL, callResult: RETURNED }),
        aResult(2, VERIFIED, {
          functionParameters: CALL,
          result: RESULT.CONTRACT_REVERT_EXECUTED,
          errorMessage: REVERT,
        }),
        aResult(3, UNKNOWN, { functionParameters: CALL }),
        aResult(4, VERIFIED, { functionParameters: CALL, createdContracts: [entityId(VERIFIED)] }),
      ],
      contractLogs: [
        aLog(1, [...encodeEventTopics({ abi: ABI, eventName: 'Moved', args: { to: TO } })]),
        aLog(2, [`0x${'ab'.repeat(32)}`]),
      ],
    }),
  );
});
afterAll(() => server?.close());

function aResult(time: number, contract: bigint, more: Partial<ContractResult>): ContractResult {
  const hash = new Uint8Array(32).fill(time);
  return aContractResult(at(time), { contract: entityId(contract), transactionIndex: time, hash, ...more });
}

function aLog(time: number, topics: readonly unknown[]): ContractLog {
  return {
    consensusTimestamp: at(time),
    index: 0,
    contract: entityId(VERIFIED),
    rootContract: null,
    payer: entityId(1001n),
    transactionIndex: time,
    hash: null,
    bloom: null,
    data: bytes(`0x${AMOUNT.toString(16).padStart(64, '0')}`),
    topics: topics.map((topic) => bytes(String(topic))),
    isSynthetic: false,
  };
}

const rows = async (path: string, list: string) =>
  (await server.app.inject(`/api/v1/contracts/${path}`)).json()[list] as readonly Record<string, unknown>[];
const TRANSFER = {
  name: 'transfer',
  signature: 'transfer(address,uint256)',
  arguments: [
    { name: 'to', type: 'address', value: TO },
    { name: 'amount', type: 'uint256', value: String(AMOUNT) },
  ],
};

describe('decode=true', () => {
  test('tells what was called, what it returned, and why it was reverted', async () => {
    const found = await rows('2001/results?decode=true&order=asc', 'results');
    expect(found.map(({ decoded, decoded_error }) => ({ decoded, decoded_error }))).toEqual([
      {
        decoded: { ...TRANSFER, returned: [{ name: 'ok', type: 'bool', value: true }], source: 'contract' },
        decoded_error: null,
      },
      {
        decoded: { ...TRANSFER, source: 'contract' },
        decoded_error: {
          name: 'Refused',
          signature: 'Refused(uint256)',
          arguments: [{ name: 'needed', type: 'uint256', value: '5' }],
          source: 'contract',
        },
      },
      // A creation has code in front of its arguments.
      { decoded: null, decoded_error: null },
    ]);
  });

  test('tells what another verified contract has a signature of, and that it says so', async () => {
    const [only] = await rows('2002/results?decode=true', 'results');
    expect(only?.['decoded']).toMatchObject({ name: 'transfer', source: 'signature' });
  });

  test.each(['results/logs', '2001/results/logs'])(
    'tells events of %s, and nothing where nobody knows',
    async (path) => {
      const found = await rows(`${path}?decode=true&order=asc`, 'logs');
      expect(found.map(({ decoded }) => decoded)).toEqual([
        {
          name: 'Moved',
          signature: 'Moved(address,uint256)',
          arguments: [
            { name: 'to', type: 'address', value: TO, indexed: true },
            { name: 'amount', type: 'uint256', value: String(AMOUNT), indexed: false },
          ],
          source: 'contract',
        },
        null,
      ]);
    },
  );

  test('is asked for: other answers have no such members', async () => {
    for (const row of await rows('2001/results', 'results')) expect(row).not.toHaveProperty('decoded');
    for (const row of await rows('results/logs?decode=false', 'logs'))
      expect(row).not.toHaveProperty('decoded');
  });

  test('is true or false', async () => {
    expect((await server.app.inject('/api/v1/contracts/2001/results?decode=1')).statusCode).toBe(400);
    expect((await server.app.inject('/api/v1/contracts/results?decode=true')).statusCode).toBe(400);
  });
});
