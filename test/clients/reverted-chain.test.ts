import { type Abi, createWalletClient, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { start, type TestServer } from '../../src/index.ts';
import { compileForTest } from '../kit/verify/compile-for-test.ts';
import { isLeftOut } from '../support/left-out.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';

/** First account of every anvil; a public test key. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const PATH = 'Step.sol';

const inputOf = (step: number) => ({
  language: 'Solidity',
  sources: {
    [PATH]: {
      content: `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Step { uint256 public at; function go() external { at += ${step}; } }`,
    },
  },
  settings: {},
});

/** Snapshots of a local chain put other code at an address that was verified. */
describe.skipIf(isLeftOut(anvilMissing))('a local EVM node that goes back', () => {
  let anvil: Anvil;
  let server: TestServer;
  beforeAll(async () => {
    anvil = await startAnvil();
    server = await start({ chains: { 31337: { rpc: [anvil.url] } } });
  });
  afterAll(async () => {
    await server?.stop();
    await anvil?.close();
  });

  const node = () =>
    createWalletClient({ account: ACCOUNT, chain: foundry, transport: http(anvil.url) }).extend(
      publicActions,
    );
  const ask = (method: string, params: readonly unknown[]) =>
    node().request({ method, params } as never) as Promise<unknown>;

  async function deploy(step: number): Promise<string> {
    const { abi, bytecode } = compileForTest(inputOf(step), PATH, 'Step');
    const hash = await node().deployContract({ abi: abi as Abi, bytecode });
    const { contractAddress } = await node().waitForTransactionReceipt({ hash });
    return contractAddress ?? '0x';
  }

  async function verify(address: string, step: number): Promise<string | undefined> {
    const submitted = await fetch(`${server.url}/v2/verify/31337/${address}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        stdJsonInput: inputOf(step),
        compilerVersion: '0.8.30+commit.73712a01',
        contractIdentifier: `${PATH}:Step`,
      }),
    });
    const { verificationId } = (await submitted.json()) as { verificationId: string };
    const job = await fetch(`${server.url}/v2/verify/${verificationId}?wait=60`);
    return ((await job.json()) as { contract: { match?: string } }).contract.match;
  }

  async function sourceOf(address: string): Promise<string | null> {
    const found = await fetch(`${server.url}/v2/contract/31337/${address}?fields=sources`);
    if (found.status === 404) return null;
    const { sources } = (await found.json()) as { sources: Record<string, { content: string }> };
    return sources[PATH]?.content ?? null;
  }

  test('other code at the same address is verified anew and replaces what was there; a reset forgets both', async () => {
    const snapshot = await ask('evm_snapshot', []);
    const address = await deploy(1);
    expect(await verify(address, 1)).toBe('exact_match');

    expect(await ask('evm_revert', [snapshot])).toBe(true);
    const next = await ask('evm_snapshot', []);
    expect(await deploy(2)).toBe(address);
    // As documented: looking up asks no chain.
    expect(await sourceOf(address)).toContain('at += 1');
    expect(await verify(address, 1)).not.toBe('exact_match');
    expect(await verify(address, 2)).toBe('exact_match');
    expect(await sourceOf(address)).toContain('at += 2');

    expect(await ask('evm_revert', [next])).toBe(true);
    await server.reset();
    expect(await sourceOf(address)).toBeNull();
    expect(await deploy(1)).toBe(address);
    expect(await verify(address, 1)).toBe('exact_match');
  });
});
