import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Abi, createWalletClient, getAddress, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { hederaTestnet } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut, LEFT_TO_WORKFLOW } from '../support/left-out.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';
import { type CompilerHost, startCompilerHost } from './compiler-host.ts';
import { COUNTER_SOURCE, DOUBLER_SOURCE, PRIVATE_KEY } from './counter-contract.ts';
import { type HardhatArtifact, type HardhatProject, hardhatMissing, openHardhatProject } from './hardhat.ts';

const missing = hardhatMissing ?? anvilMissing;

/** hardhat-verify refuses the ids of local nodes. */
const CHAIN_ID = 296;
const VERSION = '0.8.30+commit.73712a01';
const COUNTER = 'contracts/Counter.sol';
const DOUBLER = 'contracts/Doubler.sol';
/** Second account of every anvil, so that the two chains never give one address twice; a public test key. */
const KEY_ELSEWHERE = '0x59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d';

/** @see contracts/client-needs.md section 3, contracts/verification-api.md section 13 */
describe.skipIf(isLeftOut(missing))('hardhat-verify, unmodified', { timeout: 120_000 }, () => {
  let folder = '';
  let anvil: Anvil;
  /** Says that it is the same chain, but has other contracts. */
  let elsewhere: Anvil;
  let host: CompilerHost;
  let server: ServeProcess;
  let project: HardhatProject;
  /** Compiled with the default profile, while the plugin tries that for production first. */
  let plain: HardhatProject;
  let library = '';

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-clients-'));
    [anvil, elsewhere, host] = await Promise.all([
      startAnvil(CHAIN_ID),
      startAnvil(CHAIN_ID),
      startCompilerHost(VERSION),
    ]);
    server = await startServe(
      {
        DATABASE_URL: 'sqlite::memory:',
        DRAIN_SECONDS: '0',
        VERIFY_CHAINS: JSON.stringify({ [CHAIN_ID]: { rpc: [anvil.url] } }),
      },
      folder,
    );
    const networks = { ledger: anvil.url, elsewhere: elsewhere.url };
    project = openHardhatProject({ networks, apiUrl: server.url, chainId: CHAIN_ID, host });
    plain = openHardhatProject({ networks, apiUrl: server.url, chainId: CHAIN_ID, host });
    for (const each of [project, plain]) {
      each.write(DOUBLER, DOUBLER_SOURCE);
      each.write(COUNTER, COUNTER_SOURCE);
    }
    const runs = [await project.run('compile', '--build-profile', 'production'), await plain.run('compile')];
    for (const { exitCode, output } of runs) if (exitCode !== 0) throw new Error(output);
    library = (await deploy(DOUBLER, 'Doubling', [])).address;
  }, 120_000);
  afterAll(async () => {
    project?.remove();
    plain?.remove();
    await server?.stop('SIGTERM');
    await Promise.all([host?.close(), elsewhere?.close(), anvil?.close()]);
    rmSync(folder, { recursive: true });
  });

  /** A method of the local node that viem's wallet client does not have. */
  const request = (chain: Anvil, method: string, params: readonly unknown[]) =>
    fetch(chain.url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    });

  function link({ bytecode, linkReferences }: HardhatArtifact): `0x${string}` {
    let digits = bytecode.slice(2);
    const places = Object.values(linkReferences).flatMap((names) => Object.values(names).flat());
    for (const { start, length } of places) {
      digits = digits.slice(0, 2 * start) + library.slice(2) + digits.slice(2 * (start + length));
    }
    return `0x${digits}`;
  }

  async function deploy(path: string, name: string, args: readonly unknown[], chain = anvil, from = project) {
    const account = privateKeyToAccount(chain === anvil ? PRIVATE_KEY : KEY_ELSEWHERE);
    const client = createWalletClient({ account, chain: hederaTestnet, transport: http(chain.url) });
    const artifact = from.artifact(path, name);
    const abi = artifact.abi as Abi;
    const hash = await client.deployContract({ abi, bytecode: link(artifact), args });
    const receipt = await client.extend(publicActions).waitForTransactionReceipt({ hash });
    return { address: getAddress(receipt.contractAddress ?? '0x'), hash };
  }

  const deployCounter = (start: number, chain = anvil) =>
    deploy(COUNTER, 'Counter', [BigInt(start), 'a label'], chain);

  const verify = (network: string, address: string, ...args: readonly string[]) =>
    project.run('verify', 'sourcify', '--network', network, address, ...args);

  const lookUp = async (address: string) =>
    (await fetch(`${server.url}/v2/contract/${CHAIN_ID}/${address}`)).json();

  /** Opens the link that the plugin printed for people. */
  async function follow(output: string, link: RegExp): Promise<unknown> {
    const url = link.exec(output)?.[1];
    if (url === undefined) throw new Error(`no link was printed:\n${output}`);
    return (await fetch(url)).json();
  }

  const testInWorkflow = test.skipIf(isLeftOut(LEFT_TO_WORKFLOW));

  test('verifies a contract with constructor arguments', async () => {
    const { address } = await deployCounter(7);
    const run = await verify('ledger', address, '7', 'a label');
    expect(run.output).toContain('Contract verified successfully on Sourcify!');
    expect(run.exitCode).toBe(0);
    expect(await lookUp(address)).toMatchObject({
      match: 'exact_match',
      creationMatch: 'exact_match',
      runtimeMatch: 'exact_match',
    });
    expect(await follow(run.output, /Explorer: (\S+\w)/)).toMatchObject({ match: 'exact_match', address });
    expect(host.asked).toEqual([]);
  });

  test.each(['etherscan', 'blockscout'])(
    'verifies in the form of %s, and knows it afterwards',
    async (form) => {
      const start = form.length;
      const { address } = await deployCounter(start);
      const verifyThere = () =>
        project.run('verify', form, '--network', 'ledger', address, String(start), 'a label');
      const run = await verifyThere();
      expect(run.output).toContain('Contract verified successfully on Ledgerlens!');
      expect(run.exitCode).toBe(0);
      expect(await lookUp(address)).toMatchObject({ match: 'exact_match' });
      const again = await verifyThere();
      expect(again.output).toContain('has already been verified on Ledgerlens');
    },
  );

  test.each(['etherscan', 'blockscout'])(
    'verifies in the form of %s what the default profile made, with its second attempt',
    async (form) => {
      const start = 100 + form.length;
      const { address } = await deploy(COUNTER, 'Counter', [BigInt(start), 'a label'], anvil, plain);
      const run = await plain.run('verify', form, '--network', 'ledger', address, String(start), 'a label');
      expect(run.output).toContain('Trying again with the full solc input');
      expect(run.output).toContain('Contract verified successfully on Ledgerlens!');
      expect(run.exitCode).toBe(0);
      expect(await lookUp(address)).toMatchObject({ match: 'exact_match' });
    },
  );

  testInWorkflow('takes an address in lower case and a creation transaction', async () => {
    const { address, hash } = await deployCounter(1);
    const run = await verify('ledger', address.toLowerCase(), '--creation-tx-hash', hash, '1', 'a label');
    expect(run.output).toContain('Contract verified successfully on Sourcify!');
    expect(run.exitCode).toBe(0);
    expect(await lookUp(address)).toMatchObject({ match: 'exact_match' });
  });

  testInWorkflow('refuses with its own words to force what is fully verified', async () => {
    const { address } = await deployCounter(2);
    await verify('ledger', address, '2', 'a label');
    const forced = await verify('ledger', address, '2', 'a label', '--force');
    expect(forced.output).toContain(`at address "${address}" is already verified.`);
    expect(forced.output).not.toContain('Submitted source code');
    expect(forced.exitCode).toBe(1);
  });

  // The plugin sends the library's address in the settings, which the metadata at the end of the code then name.
  test('verifies a contract with a linked library partly, and again only when forced', async () => {
    const { address } = await deploy(DOUBLER, 'Doubler', [3n]);
    const run = await verify('ledger', address, '3');
    expect(run.output).toContain('Contract verified successfully on Sourcify!');
    expect(run.exitCode).toBe(0);
    expect(await lookUp(address)).toMatchObject({ match: 'match' });
    const again = await verify('ledger', address, '3');
    expect(again.output).toContain(`The contract at ${address} has already been verified on Sourcify.`);
    expect(again.exitCode).toBe(0);
    const forced = await verify('ledger', address, '3', '--force');
    expect(forced.output).toContain('Submitted source code');
    expect(forced.output).toContain(`at address "${address}" is already verified.`);
    expect(forced.exitCode).toBe(1);
  });

  test('submits a second time when other code is there, and prints why that failed too', async () => {
    const { address } = await deployCounter(4, elsewhere);
    const other = project.artifact(DOUBLER, 'Doubling').deployedBytecode;
    await request(anvil, 'anvil_setCode', [address, other]);
    const run = await verify('elsewhere', address, '4', 'a label');
    expect(run.output).toContain('Trying again with the full solc input');
    expect(run.output).toContain("The recompiled bytecode length doesn't match the onchain bytecode length.");
    expect(run.exitCode).toBe(1);
    expect(await follow(run.output, /More info at: (\S+\w)/)).toMatchObject({
      isJobCompleted: true,
      error: { customCode: 'bytecode_length_mismatch' },
    });
    expect(await lookUp(address)).toMatchObject({ match: null });
  });

  testInWorkflow('has its own text for an address where the server finds no code', async () => {
    const { address } = await deployCounter(5, elsewhere);
    const run = await verify('elsewhere', address, '5', 'a label');
    expect(run.output).toContain(`the address "${address}" does not have bytecode`);
    expect(run.exitCode).toBe(1);
  });

  testInWorkflow('prints that a chain is not known', async () => {
    const { address } = await deployCounter(6, elsewhere);
    await request(elsewhere, 'anvil_setChainId', [777]);
    const run = await verify('elsewhere', address, '6', 'a label');
    await request(elsewhere, 'anvil_setChainId', [CHAIN_ID]);
    expect(run.output).toContain('Chain 777 not found');
    expect(run.exitCode).toBe(1);
  });
});
