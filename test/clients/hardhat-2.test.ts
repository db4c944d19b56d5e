import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';
import { type CompilerHost, startCompilerHost } from './compiler-host.ts';
import { COUNTER_SOURCE, DOUBLER_SOURCE } from './counter-contract.ts';
import { type Hardhat2Project, hardhat2Missing, openHardhat2Project } from './hardhat-2.ts';

const missing = hardhat2Missing ?? anvilMissing;

/** hardhat-verify refuses the ids of local nodes. */
const CHAIN_ID = 296;

/** Each deployment has a contract of its own, so that no test finds what another one verified. */
const DEPLOY = `module.exports = async ({ deployments, getNamedAccounts }) => {
  const { deployer } = await getNamedAccounts();
  const deploy = (name, contract, args, more = {}) => deployments.deploy(name, { contract, from: deployer, args, log: true, ...more });
  for (const [index, name] of ['Sourcify', 'Etherscan', 'Deploy'].entries())
    await deploy(name, 'Counter', [index, 'a label']);
  const library = await deploy('Library', 'Doubling', []);
  await deploy('Linked', 'Doubler', [7], { libraries: { Doubling: library.address } });
};
`;

/** @see docs/adr/0002-reference-apis-first.md */
describe.skipIf(isLeftOut(missing))('hardhat 2 and hardhat-deploy, unmodified', { timeout: 120_000 }, () => {
  let folder = '';
  let anvil: Anvil;
  let host: CompilerHost;
  let server: ServeProcess;
  let project: Hardhat2Project;
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-clients-'));
    [anvil, host] = await Promise.all([startAnvil(CHAIN_ID), startCompilerHost('0.8.30+commit.73712a01')]);
    server = await startServe(
      {
        DATABASE_URL: 'sqlite::memory:',
        DRAIN_SECONDS: '0',
        VERIFY_CHAINS: JSON.stringify({ [CHAIN_ID]: { rpc: [anvil.url] } }),
      },
      folder,
    );
    project = openHardhat2Project({
      chainId: CHAIN_ID,
      nodeUrl: anvil.url,
      serverUrl: server.url,
      proxyUrl: host.proxyUrl,
      files: {
        'contracts/Counter.sol': COUNTER_SOURCE,
        'contracts/Doubler.sol': DOUBLER_SOURCE,
        'deploy/all.js': DEPLOY,
      },
    });
    const { output, exitCode } = await project.run('deploy');
    for (const [, name = '', address = ''] of output.matchAll(/deploying "(\w+)".*?deployed at (0x\w{40})/gs))
      addresses.set(name, address);
    if (exitCode !== 0 || addresses.size !== 5) throw new Error(output);
  }, 120_000);
  afterAll(async () => {
    project?.remove();
    await server?.stop('SIGTERM');
    await Promise.all([host?.close(), anvil?.close()]);
    rmSync(folder, { recursive: true });
  });

  const gradeOf = async (name: string) => {
    const answer = await fetch(`${server.url}/v2/contract/${CHAIN_ID}/${addresses.get(name)}`);
    return ((await answer.json()) as { readonly match: unknown }).match;
  };

  test('hardhat-verify verifies by version 1 of the API, and finds it verified the next time', async () => {
    const way = ['--config', 'sourcify.config.js', 'verify'];
    const run = await project.run(...way, addresses.get('Sourcify') ?? '');
    expect(run.output).toContain('Successfully verified contract Counter on Sourcify.');
    expect(run.exitCode).toBe(0);
    const link = /(http:\/\/\S+full_match\S+)\//.exec(run.output)?.[1];
    expect((await fetch(`${link}/metadata.json`)).status).toBe(200);
    expect(await gradeOf('Sourcify')).toBe('exact_match');
    const again = await project.run(...way, addresses.get('Sourcify') ?? '');
    expect(again.output).toContain('has already been verified on Sourcify.');
    const linked = await project.run(...way, addresses.get('Linked') ?? '');
    expect(linked.output).toContain('Successfully verified contract Doubler on Sourcify.');
  });

  test('hardhat-verify verifies in Etherscan’s form, which is its default', async () => {
    const args = [addresses.get('Etherscan') ?? '', '1', 'a label'];
    const run = await project.run('verify', ...args);
    expect(run.output).toContain('Successfully verified contract Counter on the block explorer.');
    expect(await gradeOf('Etherscan')).toBe('exact_match');
    const again = await project.run('verify', ...args);
    expect(again.output).toContain('has already been verified on the block explorer.');
  });

  test('hardhat-deploy submits all deployments by version 1 and then knows them', async () => {
    const run = await project.run('sourcify', '--endpoint', server.url);
    expect(run.output.match(/is now verified/g), run.output).not.toBeNull();
    expect(run.output).toContain('already verified: Sourcify');
    expect(await gradeOf('Deploy')).toBe('exact_match');
    const again = await project.run('sourcify', '--endpoint', server.url);
    expect(again.output.match(/already verified: /g), again.output).toHaveLength(5);
  });

  test('hardhat-deploy finds them verified in Etherscan’s form too', async () => {
    const run = await project.run('etherscan-verify', '--api-key', 'any', '--api-url', server.url);
    expect(run.output.match(/already verified: /g), run.output).toHaveLength(5);
  });
});
