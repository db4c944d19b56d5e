import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { type Abi, createWalletClient, getAddress, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JobAnswer } from '../kit/verify/await-job.ts';
import { compileForTest, openZeppelinSources } from '../kit/verify/compile-for-test.ts';
import { type ServedArea, serveArea } from '../kit/verify/serve-area.ts';
import { isLeftOut } from '../support/left-out.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';

/** First account of every anvil; a public test key. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const VERSION = '0.8.30+commit.73712a01';

const BOX_PATH = 'contracts/Box.sol';
const BOX = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
// Holds a number.
contract Box {
  uint256 public immutable first;
  string public label;
  constructor(uint256 start, string memory name) { first = start; label = name; }
  function twice() external view returns (uint256) { return first * 2; }
}
`;
const boxInput = (content: string) => ({
  language: 'Solidity',
  sources: { [BOX_PATH]: { content } },
  settings: {},
});

const TOKEN_PATH = 'contracts/Token.sol';
const TOKEN = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.20;
import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";
contract Token is ERC20 {
  constructor(string memory name, string memory symbol) ERC20(name, symbol) { _mint(msg.sender, 1000 ether); }
}
`;
const tokenInput = () => ({
  language: 'Solidity',
  sources: {
    [TOKEN_PATH]: { content: TOKEN },
    ...openZeppelinSources('@openzeppelin/contracts/token/ERC20/ERC20.sol'),
  },
  settings: { optimizer: { enabled: true, runs: 200 } },
});

describe.skipIf(isLeftOut(anvilMissing))('verification of contracts on a local EVM node', () => {
  let anvil: Anvil;
  let served: ServedArea;
  let base = '';

  beforeAll(async () => {
    anvil = await startAnvil();
    served = await serveArea({ chainsJson: chains(anvil.url) });
    base = await served.app.listen({ host: '127.0.0.1', port: 0 });
  });
  afterAll(async () => {
    await served?.close();
    await anvil?.close();
  });

  const chains = (url: string) => JSON.stringify({ '31337': { name: 'anvil', rpc: [url] } });

  async function deploy(input: object, path: string, name: string, args: readonly unknown[]) {
    const client = createWalletClient({ account: ACCOUNT, chain: foundry, transport: http(anvil.url) });
    const { abi, bytecode } = compileForTest(input, path, name);
    const hash = await client.deployContract({ abi: abi as Abi, bytecode, args });
    const receipt = await client.extend(publicActions).waitForTransactionReceipt({ hash });
    return { address: getAddress(receipt.contractAddress ?? '0x'), hash, blockNumber: receipt.blockNumber };
  }

  async function submit(path: string, input: object, contractIdentifier: string): Promise<Response> {
    return fetch(`${base}/v2/verify/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ stdJsonInput: input, compilerVersion: VERSION, contractIdentifier }),
    });
  }

  async function follow(id: string, origin = base): Promise<JobAnswer> {
    for (;;) {
      const job = (await (await fetch(`${origin}/v2/verify/${id}`)).json()) as JobAnswer;
      if (job.isJobCompleted) return job;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  async function verify(address: string, input: object, identifier: string): Promise<JobAnswer> {
    const response = await submit(`31337/${address}`, input, identifier);
    expect(response.status).toBe(202);
    const { verificationId } = (await response.json()) as { verificationId: string };
    expect(response.headers.get('location')).toBe(`/v2/verify/${verificationId}`);
    // The job is in the database before the answer is sent.
    expect(await served.area.repositories.jobs.find(verificationId)).not.toBeNull();
    return follow(verificationId);
  }

  test('a contract with constructor arguments matches exactly, without the client naming a transaction', async () => {
    const box = await deploy(boxInput(BOX), BOX_PATH, 'Box', [7n, 'seven']);
    const job = await verify(box.address, boxInput(BOX), `${BOX_PATH}:Box`);
    expect(job).not.toHaveProperty('error');
    expect(job.contract).toMatchObject({
      match: 'exact_match',
      creationMatch: 'exact_match',
      runtimeMatch: 'exact_match',
      chainId: '31337',
    });
    const lookup = await fetch(
      `${base}/v2/contract/31337/${box.address.toLowerCase()}?fields=deployment,creationBytecode`,
    );
    expect(lookup.status).toBe(200);
    const contract = await lookup.json();
    expect(contract).toMatchObject({
      match: 'exact_match',
      matchId: job.contract['matchId'],
      deployment: {
        transactionHash: box.hash,
        blockNumber: String(box.blockNumber),
        deployer: ACCOUNT.address,
      },
      creationBytecode: { transformations: [{ reason: 'constructorArguments', type: 'insert' }] },
    });
    const again = await submit(`31337/${box.address}`, boxInput(BOX), `${BOX_PATH}:Box`);
    expect(again.status).toBe(409);
    expect(await again.json()).toMatchObject({ customCode: 'already_verified' });
  });

  test('an optimised ERC-20 on a library of sources matches exactly', async () => {
    const token = await deploy(tokenInput(), TOKEN_PATH, 'Token', ['Gold', 'GLD']);
    const job = await verify(token.address, tokenInput(), `${TOKEN_PATH}:Token`);
    expect(job.contract).toMatchObject({ creationMatch: 'exact_match', runtimeMatch: 'exact_match' });
    const lookup = await fetch(`${base}/v2/contract/31337/${token.address}?fields=sources,signatures`);
    const contract = (await lookup.json()) as {
      sources: object;
      signatures: { function: { signature: string; signatureHash4: string }[] };
    };
    expect(Object.keys(contract.sources)).toContain('@openzeppelin/contracts/token/ERC20/ERC20.sol');
    expect(contract.signatures.function).toContainEqual(
      expect.objectContaining({ signature: 'transfer(address,uint256)', signatureHash4: '0xa9059cbb' }),
    );
  });

  test('a changed comment gives a match, which the true sources then replace', async () => {
    const { address } = await deploy(boxInput(BOX), BOX_PATH, 'Box', [1n, 'one']);
    const other = boxInput(BOX.replace('Holds a number', 'Contains a number'));
    const job = await verify(address, other, `${BOX_PATH}:Box`);
    expect(job.contract).toMatchObject({ match: 'match', creationMatch: 'match', runtimeMatch: 'match' });
    const worse = await verify(address, other, `${BOX_PATH}:Box`);
    expect(worse.error?.customCode).toBe('already_verified');
    const better = await verify(address, boxInput(BOX), `${BOX_PATH}:Box`);
    expect(better.contract).toMatchObject({ match: 'exact_match', matchId: job.contract['matchId'] });
  });

  test('changed code gives no_match with the codes of both sides', async () => {
    const { address } = await deploy(boxInput(BOX), BOX_PATH, 'Box', [2n, 'two']);
    const job = await verify(address, boxInput(BOX.replace('first * 2', 'first * 3')), `${BOX_PATH}:Box`);
    expect(job.error).toMatchObject({
      customCode: 'no_match',
      onchainRuntimeCode: expect.stringMatching(/^0x60/),
      recompiledRuntimeCode: expect.stringMatching(/^0x60/),
    });
    expect(job.contract['match']).toBeNull();
    const lookup = await fetch(`${base}/v2/contract/31337/${address}`);
    expect(lookup.status).toBe(404);
    expect(await lookup.json()).toEqual({
      match: null,
      creationMatch: null,
      runtimeMatch: null,
      chainId: '31337',
      address,
    });
  });

  test('an address without code ends with contract_not_deployed', async () => {
    const job = await verify('0x000000000000000000000000000000000000dEaD', boxInput(BOX), `${BOX_PATH}:Box`);
    expect(job.error?.customCode).toBe('contract_not_deployed');
  });

  test('a chain that is not configured is refused', async () => {
    const response = await submit(`777001/0x${'1'.repeat(40)}`, boxInput(BOX), `${BOX_PATH}:Box`);
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      customCode: 'unsupported_chain',
      message: 'Chain 777001 not found',
    });
  });

  test('a verification that was pending when the process was killed ends after the restart', async () => {
    const { address } = await deploy(boxInput(BOX), BOX_PATH, 'Box', [3n, 'three']);
    const folder = mkdtempSync(join(tmpdir(), 'ledgerlens-verify-'));
    const file = join(folder, 'ledgerlens.sqlite');
    // An endpoint that never answers keeps the job pending until the kill.
    const silent = createServer(() => {});
    const asked = once(silent, 'request');
    silent.listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const silentUrl = `http://127.0.0.1:${(silent.address() as AddressInfo).port}`;
    const script = fileURLToPath(new URL('../kit/verify/serve-area-process.ts', import.meta.url));
    const child = spawn(process.execPath, ['--import', 'tsx', script, file, chains(silentUrl)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let verificationId = '';
    try {
      const [port] = (await once(createInterface(child.stdout), 'line')) as [string];
      const response = await fetch(`http://127.0.0.1:${port}/v2/verify/31337/${address}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          stdJsonInput: boxInput(BOX),
          compilerVersion: VERSION,
          contractIdentifier: `${BOX_PATH}:Box`,
        }),
      });
      ({ verificationId } = (await response.json()) as { verificationId: string });
      await asked;
    } finally {
      child.kill('SIGKILL');
      await once(child, 'exit');
      silent.closeAllConnections();
      silent.close();
    }

    const restarted = await serveArea({ file, chainsJson: chains(anvil.url) });
    try {
      const origin = await restarted.app.listen({ host: '127.0.0.1', port: 0 });
      const job = await follow(verificationId, origin);
      expect(job.contract).toMatchObject({ match: 'exact_match', matchId: '1' });
      const matches = await (await fetch(`${origin}/v2/contracts/31337`)).json();
      expect(matches).toMatchObject({ results: [{ address }] });
    } finally {
      await restarted.close();
      rmSync(folder, { recursive: true });
    }
  });
});
