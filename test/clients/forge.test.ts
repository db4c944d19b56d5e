import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { type ServeProcess, startServe, until } from '../support/serve-process.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';
import { type CompilerHost, startCompilerHost } from './compiler-host.ts';
import {
  COUNTER_SOURCE,
  COUNTER_WITH_OTHER_COMMENT,
  DOUBLER_SOURCE,
  OTHER_COUNTER_SOURCE,
  PRIVATE_KEY,
} from './counter-contract.ts';
import { FOUNDRY_TOML, type ForgeProject, forgeMissing, openForgeProject } from './forge.ts';
import { type HeldChain, startHeldChain } from './held-chain.ts';
import type { ClientRun } from './run-client.ts';

const missing = forgeMissing ?? anvilMissing;

const VERSION = '0.8.30+commit.73712a01';

const DOUBLER = 'src/Doubler.sol';
const COUNTER = 'src/Counter.sol';

/** Of all contracts: those that are named forge gives paths of its own machine. */
const MODEL_CHECKER = `[profile.default.model_checker]
engine = "chc"
timeout = 1000
targets = ["assert"]
`;

/** With something to prove, for which the compiler starts a solver. */
const SUM = 'src/Sum.sol';
const SUM_SOURCE = `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Sum {
  uint256 public total;
  function add(uint256 more) external { total += more; assert(total >= more); }
}
`;

/** @see contracts/client-needs.md section 3, contracts/verification-api.md section 13 */
describe.skipIf(isLeftOut(missing))('forge, unmodified', { timeout: 120_000 }, () => {
  let folder = '';
  let anvil: Anvil;
  /** The server's way to the node. */
  let held: HeldChain;
  let host: CompilerHost;
  let server: ServeProcess;
  let project: ForgeProject;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-clients-'));
    [anvil, host] = await Promise.all([startAnvil(), startCompilerHost(VERSION)]);
    held = await startHeldChain(anvil.url);
    const chains = { '31337': { name: 'anvil', rpc: [held.url] } };
    server = await startServe(
      {
        DATABASE_URL: 'sqlite::memory:',
        DRAIN_SECONDS: '0',
        VERIFY_CHAINS: JSON.stringify(chains),
      },
      folder,
    );
    project = openForgeProject(host);
    project.write(DOUBLER, DOUBLER_SOURCE);
    project.write(COUNTER, COUNTER_SOURCE);
  });
  afterAll(async () => {
    project?.remove();
    await server?.stop('SIGTERM');
    await Promise.all([held?.close(), host?.close(), anvil?.close()]);
    rmSync(folder, { recursive: true });
  });

  async function create(...args: readonly string[]): Promise<ClientRun & { readonly address: string }> {
    const account = ['--rpc-url', anvil.url, '--private-key', PRIVATE_KEY, '--broadcast'];
    const run = await project.run('create', ...account, ...args);
    const address = /Deployed to: (0x[0-9a-fA-F]{40})/.exec(run.output)?.[1];
    if (address === undefined) throw new Error(`no contract was deployed:\n${run.output}`);
    return { ...run, address };
  }

  async function deploy(contract: string, ...args: readonly string[]): Promise<string> {
    return (await create(contract, ...args)).address;
  }

  const deployCounter = (start: number) =>
    deploy(`${COUNTER}:Counter`, '--constructor-args', String(start), 'a label');

  /** The options that a user names, the base with the slash that forge's own default has. */
  const verifier = (base = `${server.url}/`) => ['--verifier', 'sourcify', '--verifier-url', base];

  async function verify(address: string, ...options: readonly string[]): Promise<ClientRun> {
    const contract = [address, `${COUNTER}:Counter`, '--chain', '31337'];
    return project.run('verify-contract', ...contract, ...verifier(), ...options);
  }

  /** How often the state of a verification was asked for: forge does so 20 ms after the 202, and then after 15 s. */
  async function polls(): Promise<number> {
    const metrics = await (await fetch(`${server.url}/metrics`)).text();
    const counts = metrics.matchAll(
      /^ledgerlens_http_request_duration_seconds_count\{method="GET",route="\/v2\/verify\/:[^}]*\} (\d+)$/gm,
    );
    return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
  }

  async function lookUp(address: string): Promise<Record<string, unknown>> {
    return (await (await fetch(`${server.url}/v2/contract/31337/${address}`)).json()) as Record<
      string,
      unknown
    >;
  }

  test('verifies a contract with constructor arguments and a linked library at the first poll', async () => {
    const library = ['--libraries', `${DOUBLER}:Doubling:${await deploy(`${DOUBLER}:Doubling`)}`];
    const address = await deploy(`${DOUBLER}:Doubler`, ...library, '--constructor-args', '7');
    const contract = [address, `${DOUBLER}:Doubler`, '--chain', '31337', ...library];
    const before = await polls();
    const run = await project.run('verify-contract', ...contract, ...verifier(), '--watch');
    expect(run.output).toMatch(/Contract successfully verified:\s+Status: `exact_match`/);
    expect(run.exitCode).toBe(0);
    expect((await polls()) - before).toBe(1);
    expect(await lookUp(address)).toMatchObject({
      match: 'exact_match',
      creationMatch: 'exact_match',
      runtimeMatch: 'exact_match',
      chainId: '31337',
      address,
    });
    expect(new Set(host.asked)).toEqual(new Set(['binaries.soliditylang.org/bin/list.txt']));
  });

  test('verifies in a project with a model checker, which it sends along', async () => {
    project.write('foundry.toml', `${FOUNDRY_TOML}${MODEL_CHECKER}`);
    project.write(SUM, SUM_SOURCE);
    const address = await deploy(`${SUM}:Sum`);
    const contract = [address, `${SUM}:Sum`, '--chain', '31337'];
    const shown = await project.run('verify-contract', ...contract, '--show-standard-json-input');
    const run = await project.run('verify-contract', ...contract, ...verifier(), '--watch');
    project.write('foundry.toml', FOUNDRY_TOML);
    expect(shown.output).toContain('"modelChecker"');
    expect(run.output).toMatch(/Contract successfully verified:\s+Status: `exact_match`/);
    expect(run.exitCode).toBe(0);
    expect(await lookUp(address)).toMatchObject({ match: 'exact_match' });
  });

  test('deploys and verifies in one command', async () => {
    const run = await create(`${DOUBLER}:Doubling`, '--verify', ...verifier());
    expect(run.output).toMatch(/Contract successfully verified:\s+Status: `exact_match`/);
    expect(run.exitCode).toBe(0);
    expect(await lookUp(run.address)).toMatchObject({ match: 'exact_match' });
  });

  test('takes a creation transaction and a base address without a slash at its end', async () => {
    const created = await create(`${DOUBLER}:Doubling`);
    const transaction = /Transaction hash: (0x[0-9a-f]{64})/.exec(created.output)?.[1] ?? '';
    const contract = [created.address, `${DOUBLER}:Doubling`, '--chain', '31337'];
    const options = [...verifier(server.url), '--creation-transaction-hash', transaction, '--watch'];
    const run = await project.run('verify-contract', ...contract, ...options);
    expect(run.output).toContain('Contract successfully verified');
    expect(run.exitCode).toBe(0);
    const lookup = await fetch(`${server.url}/v2/contract/31337/${created.address}?fields=deployment`);
    expect(await lookup.json()).toMatchObject({ deployment: { transactionHash: transaction } });
  });

  test('skips a contract that is verified, and takes the refusal of a forced submission as success', async () => {
    const address = await deployCounter(1);
    await verify(address, '--watch');
    const again = await verify(address);
    expect(again.output).toContain(`"${address}" is already verified. Skipping verification.`);
    expect(again.exitCode).toBe(0);
    const forced = await verify(address, '--skip-is-verified-check');
    expect(forced.output).toContain('Contract source code already fully verified');
    expect(forced.exitCode).toBe(0);
  });

  test('submits again what matches only partly, and gets the better match', async () => {
    const address = await deployCounter(2);
    project.write(COUNTER, COUNTER_WITH_OTHER_COMMENT);
    const partly = await verify(address, '--watch');
    project.write(COUNTER, COUNTER_SOURCE);
    expect(partly.output).toMatch(/Contract successfully verified:\s+Status: `match`/);
    expect(partly.exitCode).toBe(0);
    const wholly = await verify(address, '--watch');
    expect(wholly.output).toContain('Status: `exact_match`');
    expect(wholly.exitCode).toBe(0);
  });

  test('reports other sources as a failure', async () => {
    const address = await deployCounter(3);
    project.write(COUNTER, OTHER_COUNTER_SOURCE);
    const run = await verify(address, '--watch');
    project.write(COUNTER, COUNTER_SOURCE);
    expect(run.output).toContain('Error Code: `no_match`');
    expect(run.output).toContain("The deployed and recompiled bytecode don't match.");
    expect(run.exitCode).toBe(1);
    expect(await lookUp(address)).toMatchObject({ match: null });
  });

  test('reports an address without code as a failure', async () => {
    const run = await verify('0x000000000000000000000000000000000000dEaD', '--watch');
    expect(run.output).toContain('Error Code: `contract_not_deployed`');
    expect(run.exitCode).toBe(1);
  });

  test('prints why a submission is refused', async () => {
    const contract = [await deployCounter(4), `${COUNTER}:Counter`, '--chain', '777'];
    const run = await project.run(
      'verify-contract',
      ...contract,
      ...verifier(),
      '--retries',
      '1',
      '--delay',
      '1',
    );
    expect(run.output).toContain('"customCode": "unsupported_chain"');
    expect(run.output).toContain('Chain 777 not found');
    expect(run.exitCode).toBe(1);
  });

  test('asks for the end of a verification that it did not wait for', async () => {
    const submitted = await verify(await deployCounter(5));
    expect(submitted.exitCode).toBe(0);
    const id = /Verification Job ID: `([0-9a-f-]{36})`/.exec(submitted.output)?.[1] ?? '';
    const options = ['--chain', '31337', ...verifier()];
    const before = await polls();
    const check = await project.run('verify-check', id, ...options);
    expect(check.output).toMatch(/Contract successfully verified:\s+Status: `exact_match`/);
    expect(check.exitCode).toBe(0);
    expect((await polls()) - before).toBeGreaterThan(0);
    const unknown = await project.run('verify-check', '5b0f9a3e-7a42-4c67-9b1a-0d3b1f6c2e11', ...options);
    expect(unknown.output).toContain('No verification job found for ID 5b0f9a3e');
    expect(unknown.exitCode).toBe(1);
  });

  test('tries again while another verification of the contract is running', async () => {
    const address = await deployCounter(6);
    const release = held.hold();
    const first = await verify(address);
    expect(first.exitCode).toBe(0);
    const second = verify(address, '--delay', '1');
    await until('the second submission was refused', async () =>
      /ledgerlens_http_request_duration_seconds_count\{[^}]*status="429"/.test(
        await (await fetch(`${server.url}/metrics`)).text(),
      ),
    );
    release();
    const { output, exitCode } = await second;
    expect(output).toContain('"customCode": "duplicate_verification_request"');
    expect(output).toContain('Contract source code already fully verified');
    expect(exitCode).toBe(0);
  });
});
