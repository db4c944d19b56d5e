import { encodeErrorResult, encodeEventTopics, encodeFunctionData, encodeFunctionResult } from 'viem';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { ContractAction } from '../../src/mirror/ledger/facets/contract-actions.ts';
import type { ContractLog } from '../../src/mirror/ledger/facets/contract-logs.ts';
import type { ContractResult } from '../../src/mirror/ledger/facets/contract-results.ts';
import { fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import { consensusTimestamp, printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { parseHex } from '../../src/values/hex.ts';
import { aContractResult, aTransaction } from '../kit/mirror/ledger-rows.ts';
import { aCompilation, aMatch } from '../kit/verify/a-verification.ts';
import { storeMatch } from '../kit/verify/store-match.ts';
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
  server = await startTestServer({ env: { VERIFY_CHAINS: '{"298":{"ledger":true}}' }, background: false });
  await storeMatch(
    server.store.verify,
    { address: ADDRESS, chainId: '298' },
    aMatch({ compilation: { ...aCompilation({}), abi: ABI }, runtime: 'match', creation: null }),
  );
  const times = [1, 2, 3, 4];
  await server.services.mirror.ledger.commitUnit(
    fixtureUnit('calls', {
      transactions: times.map((time) => aTransaction(at(time), { type: TYPE.CONTRACTCALL })),
      contractActions: [0, 1].map((index) => anAction(index)),
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

/** Steps of the second transaction: a call, and what it called. */
function anAction(index: number): ContractAction {
  return {
    consensusTimestamp: at(2),
    index,
    payer: entityId(1001n),
    callDepth: index,
    callType: 1,
    operation: index === 0 ? 1 : 3,
    caller: entityId(index === 0 ? 1001n : VERIFIED),
    isCallerContract: index > 0,
    gas: 1000n,
    gasUsed: 700n,
    value: 0n,
    input: CALL,
    recipientAccount: null,
    recipientContract: entityId(index === 0 ? VERIFIED : UNKNOWN),
    targetedAddress: null,
    resultData: bytes(REVERT),
    resultDataType: 12,
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

describe('pages of calls', () => {
  const page = async (path: string) => {
    const { body, statusCode } = await server.app.inject({ url: path, headers: { accept: 'text/html' } });
    expect(statusCode).toBe(200);
    const text = body.replace(/<[^>]*>/g, ' ').replace(/\s+/g, ' ');
    return { body, text };
  };

  test('a transaction shows the decoded call, what it returned, its gas and logs, and leads to the source', async () => {
    const { body, text } = await page(`/ledger/transactions/${printTimestamp(at(1))}`);
    expect(text).toContain('Function transfer(address,uint256)');
    expect(text).toContain(`to address ${TO} amount uint256 ${AMOUNT}`);
    expect(text).toContain('Returned values Name Type Value ok bool true');
    expect(text).toContain('Gas used 1 of 1');
    expect(text).toContain(`Moved(address,uint256) to: ${TO} amount: ${AMOUNT}`);
    expect(body).toContain(`href="/repo-ui/298/${ADDRESS}"`);
    expect(body).toContain('href="/ledger/accounts/0.0.2001"');
    expect(text).not.toContain('Trace');
  });

  test('a reverted one shows its decoded error and its trace', async () => {
    const { text } = await page(`/ledger/transactions/${printTimestamp(at(2))}`);
    expect(text).toContain('Outcome Failed : Refused(needed: 5)');
    expect(text).toContain(`not decoded topic 0: 0x${'ab'.repeat(32)}`);
    expect(text).toMatch(
      /Trace .* CALL 0\.0\.1001 0\.0\.2001 .* Reverted .* ↳ DELEGATECALL 0\.0\.2001 0\.0\.2002/,
    );
  });

  test('a contract that is not verified offers to be, and its function is named by its signature', async () => {
    const { body, text } = await page(`/ledger/transactions/${printTimestamp(at(3))}`);
    expect(text).toContain('transfer(address,uint256) by a signature of other verified contracts');
    expect(body).toContain(
      'href="/verify-ui?chainId=298&amp;address=0x00000000000000000000000000000000000007d2"',
    );
  });

  test('a contract shows its calls, the newest first', async () => {
    const { body, text } = await page('/ledger/accounts/0.0.2001');
    const calls = [...body.matchAll(/<h2>Newest calls[\s\S]*?<\/table>/g)].join('');
    expect([...calls.matchAll(/ledger\/transactions\/([\d.]+)/g)].map(([, time]) => time)).toEqual(
      [4, 2, 1].map((time) => printTimestamp(at(time))),
    );
    expect(text).toContain(`transfer(address,uint256) to: ${TO}, amount: ${AMOUNT}`);
    expect(text).toContain('Failed : Refused(needed: 5)');
  });
});
