import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Abi, createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../kit/verify/await-job.ts';
import { compileForTest } from '../kit/verify/compile-for-test.ts';
import { type ServedArea, serveArea } from '../kit/verify/serve-area.ts';
import { isLeftOut } from '../support/left-out.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';

/** First account of every anvil; a public test key. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Child { uint256 public value; constructor(uint256 start) { value = start; } }
contract Nest { Child public child; constructor(uint256 start) { child = new Child(start); } }
contract Factory {
  Nest public nest;
  function make(uint256 start) external { nest = new Nest(start); }
}
`;
const input = { language: 'Solidity', sources: { 'f.sol': { content: SOURCE } }, settings: {} };
const body = {
  stdJsonInput: input,
  compilerVersion: '0.8.30+commit.73712a01',
  contractIdentifier: 'f.sol:Child',
};
const closing: (() => Promise<void> | void)[] = [];

afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

async function area(chains: object): Promise<ServedArea> {
  const served = await serveArea({ chainsJson: JSON.stringify(chains), creationSearchMs: 20_000 });
  closing.push(() => served.close());
  return served;
}

describe.skipIf(isLeftOut(anvilMissing))('contracts that contracts made, on a local EVM node', () => {
  let anvil: Anvil;
  let child = '';
  let hash = '';

  beforeAll(async () => {
    anvil = await startAnvil();
    const transport = http(anvil.url);
    const client = createWalletClient({ account: ACCOUNT, chain: foundry, transport }).extend(publicActions);
    const { abi, bytecode } = compileForTest(input, 'f.sol', 'Factory');
    const deployed = await client.waitForTransactionReceipt({
      hash: await client.deployContract({ abi: abi as Abi, bytecode }),
    });
    const address = deployed.contractAddress ?? '0x';
    const factory = { abi: abi as Abi, address };
    hash = await client.writeContract({ ...factory, functionName: 'make', args: [7n] });
    await client.waitForTransactionReceipt({ hash: hash as `0x${string}` });
    const nest = (await client.readContract({ ...factory, functionName: 'nest' })) as `0x${string}`;
    const nestAbi = compileForTest(input, 'f.sol', 'Nest').abi as Abi;
    child = (await client.readContract({ abi: nestAbi, address: nest, functionName: 'child' })) as string;
  });
  afterAll(() => anvil?.close());

  test.each(['trace_transaction', 'debug_traceTransaction'])(
    'match exactly when an endpoint has %s, though nobody named the transaction',
    async (trace) => {
      const { app } = await area({ '31337': { rpc: [{ url: anvil.url, trace }] } });
      const { job } = await verifyToEnd(app, `31337/${child}`, body);
      expect(job).not.toHaveProperty('error');
      expect(job.contract).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' });
      const lookup = await app.inject(`/v2/contract/31337/${child}?fields=deployment`);
      expect(lookup.json()).toMatchObject({
        deployment: { transactionHash: hash, deployer: ACCOUNT.address },
      });
    },
  );

  test('have no creation without traces', async () => {
    const { app } = await area({ '31337': { rpc: [anvil.url] } });
    const { job } = await verifyToEnd(app, `31337/${child}`, body);
    expect(job.contract).toMatchObject({ creationMatch: null, runtimeMatch: 'exact_match' });
  });

  test('cannot be fetched from a node of another chain, but from the next endpoint', async () => {
    const { app } = await area({
      '5': { rpc: [anvil.url] },
      '31337': { rpc: [await serve((_request, response) => response.writeHead(503).end()), anvil.url] },
    });
    const wrong = await verifyToEnd(app, `5/${child}`, body);
    expect(wrong.job.error?.customCode).toBe('cannot_fetch_bytecode');
    const right = await verifyToEnd(app, `31337/${child}`, body);
    expect(right.job.contract).toMatchObject({ runtimeMatch: 'exact_match' });
  });
});

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');

  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}
