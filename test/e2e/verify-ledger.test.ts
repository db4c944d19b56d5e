import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { keccak256, serializeTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseHex, toHex } from '../../src/values/hex.ts';
import { type WrittenContract, writeIntoFolder, writeStream } from '../../tools/network/index.ts';
import { type JobAnswer, verifyToEnd } from '../kit/verify/await-job.ts';
import { compileForTest } from '../kit/verify/compile-for-test.ts';
import { runCommand } from '../support/serve-process.ts';
import { startTestServer, type TestServer } from '../support/test-server.ts';
import { databaseUrlOf } from '../support/tested-backend.ts';

const BOX = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Box {
  uint256 public value;
  constructor(uint256 start) { value = start; }
}
`;
const input = (content = BOX) => ({
  language: 'Solidity',
  sources: { 'Box.sol': { content } },
  settings: {},
});
const body = (content?: string) => ({
  stdJsonInput: input(content),
  compilerVersion: '0.8.30+commit.73712a01',
  contractIdentifier: 'Box.sol:Box',
});

const bytes = (hex: string) => parseHex(hex) ?? new Uint8Array();
const longZero = (num: number) => `0x${num.toString(16).padStart(40, '0')}`;
const alias = (digit: string) => `0x${digit.repeat(40)}`;
const SEVEN = `0x${'7'.padStart(64, '0')}`;

let folder = '';
let server: TestServer;
let ethereumHash = '';

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'ledgerlens-ledger-chain-'));
  const { bytecode, runtime } = compileForTest(input(), 'Box.sol', 'Box');
  const signer = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
  const ethereumData = await signer.signTransaction({
    chainId: 298,
    gas: 1_000_000n,
    maxFeePerGas: 1n,
    data: `${bytecode}${SEVEN.slice(2)}`,
  });
  ethereumHash = keccak256(ethereumData);
  const legacyData = serializeTransaction(
    { type: 'legacy', gas: 1_000_000n, gasPrice: 1n, data: `${bytecode}${SEVEN.slice(2)}` },
    { r: SEVEN as `0x${string}`, s: SEVEN as `0x${string}`, v: 27n },
  );
  const box = (
    more: Partial<WrittenContract> & Pick<WrittenContract, 'by'>,
    evmAddress?: string,
  ): WrittenContract => ({
    creationCode: bytes(bytecode),
    constructorParameters: bytes(SEVEN),
    runtimeCode: bytes(runtime),
    ...(evmAddress === undefined ? {} : { evmAddress: bytes(evmAddress) }),
    ...more,
  });
  await writeStream(writeIntoFolder(folder), {
    seed: 'contracts',
    files: 2,
    keyBits: 1024,
    contracts: [
      box({ by: 'body' }),
      box({ by: 'file', sidecar: 'runtime' }, alias('a')),
      box({ by: 'contract' }, alias('b')),
      box({
        by: { ethereumData: bytes(ethereumData), ethereumHash: bytes(ethereumHash) },
        sidecar: 'runtime',
      }),
      box({
        by: { ethereumData: bytes(legacyData), ethereumHash: bytes(keccak256(legacyData)) },
        sidecar: 'runtime',
      }),
      box({ by: 'body', sidecar: 'none' }),
    ],
  });
  server = await startTestServer({
    env: { VERIFY_CHAINS: JSON.stringify({ '298': { ledger: true } }) },
    fetch: async () => Promise.reject(new Error('no chain may be asked')),
  });
  const [report] = await server.services.imports.run([folder]);
  expect(report).toMatchObject({ units: 2, refused: [], verification: 'signatures' });
});

afterAll(async () => {
  await server?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function verify(address: string, content?: string, more: object = {}): Promise<JobAnswer> {
  return (await verifyToEnd(server.app, `298/${address}`, { ...body(content), ...more })).job;
}

async function deploymentOf(address: string): Promise<Record<string, unknown>> {
  const lookup = await server.app.inject(`/v2/contract/298/${address}?fields=deployment`);
  return lookup.json().deployment;
}

const EXACT = { match: 'exact_match', creationMatch: 'exact_match', runtimeMatch: 'exact_match' };

describe('contracts of an imported ledger', () => {
  test.each([
    ['created with code in the transaction', longZero(4001)],
    ['created from a file of several parts and parameters, by its own address', alias('a')],
    ['made by another contract, which a child record tells', alias('b')],
    ['created by a relayed Ethereum transaction', longZero(4004)],
    ['created by an Ethereum transaction of the oldest form', longZero(4005)],
  ])('one %s matches exactly, without a node', async (_, address) => {
    const job = await verify(address);
    expect(job).not.toHaveProperty('error');
    expect(job.contract).toMatchObject({ ...EXACT, chainId: '298' });
    const deployment = await deploymentOf(address);
    expect(deployment).toMatchObject({
      transactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
      blockNumber: '0',
      deployer: expect.stringMatching(/^0x0{36}/),
    });
    // As a relay tells it.
    const result = await server.app.inject(`/api/v1/contracts/results/${deployment['transactionHash']}`);
    expect(deployment['transactionIndex']).toBe(`${result.json().transaction_index}`);
  });

  test('an Ethereum transaction is known by its own hash', async () => {
    expect(await deploymentOf(longZero(4004))).toMatchObject({ transactionHash: ethereumHash });
  });

  test('a contract made by another has the transaction that a client sent', async () => {
    const hashes = await readContract(alias('b'));
    const { transactionHash } = await deploymentOf(alias('b'));
    expect(hashes).toHaveLength(2);
    expect(hashes[0]?.slice(0, 66)).toBe(transactionHash);
    expect(hashes[1]).not.toBe(hashes[0]);
  });

  test('one is also found by the number in its address, and other code does not match', async () => {
    const job = await verify(longZero(4002), BOX.replaceAll('value', 'other'));
    expect(job.error).toMatchObject({
      customCode: 'no_match',
      onchainRuntimeCode: expect.stringMatching(/^0x60/),
      creationTransactionHash: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    });
  });

  test('a transaction that did not create it leaves the creation open', async () => {
    const job = await verify(longZero(4002), undefined, { creationTransactionHash: `0x${'9'.repeat(64)}` });
    expect(job.contract).toMatchObject({ creationMatch: null, runtimeMatch: 'exact_match' });
    expect(job.warnings).toContainEqual(expect.stringContaining('did not create this contract'));
    expect(await deploymentOf(longZero(4002))).toMatchObject({ transactionHash: null });
  });

  test('one whose code no sidecar told cannot be fetched, an account and an unknown address have none', async () => {
    const untold = await verify(longZero(4006));
    expect(untold.error?.customCode).toBe('cannot_fetch_bytecode');
    expect(untold.warnings).toEqual([
      'The imported ledger has the contract 0.0.4006 but not its code, ' +
        'which comes from the sidecar files of the stream.',
    ]);
    // The script of the stream creates it without a sidecar.
    expect((await verify(longZero(2004))).error?.customCode).toBe('cannot_fetch_bytecode');
    expect((await verify(longZero(1_000_000))).error?.customCode).toBe('contract_not_deployed');
    expect((await verify(`0x${'e'.repeat(40)}`)).error?.customCode).toBe('contract_not_deployed');
  });

  test('the chain is listed like any other', async () => {
    const chains = (await server.app.inject('/chains')).json();
    expect(chains).toEqual([
      {
        name: 'Hedera Localnet',
        chainId: 298,
        rpc: [],
        traceSupportedRPCs: [],
        supported: true,
        etherscanAPI: false,
      },
    ]);
  });
});

test('check tells how many contracts can be verified', async () => {
  const environment = {
    DATABASE_URL: await databaseUrlOf(join(folder, 'checked.sqlite')),
    VERIFY_CHAINS: '{"298":{"ledger":true}}',
  };
  expect(runCommand(['import', folder], environment, folder).exitCode).toBe(0);
  const { exitCode, output } = runCommand(['check'], environment, folder);
  expect(output).toMatch(/contracts\s+ok\s+7 in the ledger, 5 with known code/);
  expect(output).toMatch(/chain 298\s+ok\s+reads the imported ledger/);
  expect(exitCode).toBe(0);
});

test('a ledger that begins later than its network tells nothing of unknown addresses', async () => {
  const later = await startTestServer({ env: { VERIFY_CHAINS: '{"298":{"ledger":true}}' } });
  try {
    const { job } = await verifyToEnd(later.app, `298/${longZero(4001)}`, body());
    expect(job.error?.customCode).toBe('cannot_fetch_bytecode');
  } finally {
    await later.close();
  }
});

/** Hashes of the records of the call that made a contract: of the call, then of the creation. */
async function readContract(address: string): Promise<readonly string[]> {
  const get = async (path: string) => (await server.app.inject(`/api/v1/${path}`)).json();
  const at = async (time: string) => (await get(`transactions?timestamp=${time}`)).transactions[0];
  const creation = await at((await get(`contracts/${address}`)).created_timestamp);
  const call = await at(creation.parent_consensus_timestamp);
  return [call, creation].map(({ transaction_hash: hash }) => toHex(Buffer.from(hash, 'base64')));
}
