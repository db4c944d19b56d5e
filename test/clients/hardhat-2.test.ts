import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { putCompiler } from '../support/vector-compilers.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';
import { type CompilerHost, startCompilerHost } from './compiler-host.ts';
import { COUNTER_SOURCE, DOUBLER_SOURCE } from './counter-contract.ts';
import { type Hardhat2Project, hardhat2Missing, hardhat2Solc, openHardhat2Project } from './hardhat-2.ts';

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

/** With this compiler the ids of the functions, and so the code, depend on the other files of the input. */
const SWITCH_COMPILER = {
  version: '0.8.6+commit.11564f7e',
  path: hardhat2Solc('0.8.6'),
  settings: { optimizer: { enabled: true, runs: 200 }, viaIR: true },
};
const SWITCH_FILES = {
  'contracts/Before.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Before { uint256 first; uint256 second; }
`,
  'contracts/Switch.sol': `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;
contract Switch {
  uint256 public seen;
  function(uint256) internal returns (uint256) chosen;
  function halve(uint256 number) internal pure returns (uint256) { return number / 2; }
  function square(uint256 number) internal pure returns (uint256) { return number * number; }
  function turn(bool on) external { chosen = on ? square : halve; }
  function see(uint256 number) external { seen = chosen(number); }
}
`,
  'deploy/all.js': `module.exports = async ({ deployments, getNamedAccounts }) => {
  const { deployer } = await getNamedAccounts();
  await deployments.deploy('Switch', { from: deployer, log: true });
};
`,
};

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
    putCompiler(folder, SWITCH_COMPILER.version, SWITCH_COMPILER.path);
    server = await startServe(
      {
        VERIFY_COMPILER_DIR: folder,
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

  test('hardhat-verify tries again with the full input, but only after the exact words of a failure', async () => {
    const { proxyUrl } = host;
    const other = openHardhat2Project({
      chainId: CHAIN_ID,
      nodeUrl: anvil.url,
      serverUrl: server.url,
      proxyUrl,
      files: SWITCH_FILES,
      compiler: SWITCH_COMPILER,
    });
    try {
      const deployed = await other.run('deploy');
      const address = /deployed at (0x\w{40})/.exec(deployed.output)?.[1] ?? '';
      addresses.set('Switch', address);
      const way = ['--config', 'etherscan.config.js', 'verify'];
      const run = await other.run(...way, address);
      expect(run.output).toContain(
        'We tried verifying your contract Switch without including any unrelated one, but it failed.',
      );
      expect(run.output).toContain('Successfully verified contract Switch');
      expect(run.exitCode).toBe(0);
      expect(await gradeOf('Switch')).toBe('exact_match');
    } finally {
      other.remove();
    }
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
