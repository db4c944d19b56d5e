import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isLeftOut } from '../support/left-out.ts';
import { type ServeProcess, startServe } from '../support/serve-process.ts';
import { putCompiler } from '../support/vector-compilers.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';
import { type CompilerHost, startCompilerHost } from './compiler-host.ts';
import { type Hardhat2Project, hardhat2Missing, hardhat2Solc, openHardhat2Project } from './hardhat-2.ts';

const missing = hardhat2Missing ?? anvilMissing;

/** hardhat-verify refuses the ids of local nodes. */
const CHAIN_ID = 296;
/** The one that compiled the proxies which the plugin brings and submits. */
const PROXY_COMPILER = '0.8.29+commit.ab55807c';

const sourceOf = (
  name: string,
  parents: string,
  imports: string,
  more: string,
) => `// SPDX-License-Identifier: MIT
pragma solidity ^0.8.22;
import "@openzeppelin/contracts-upgradeable/access/OwnableUpgradeable.sol";
${imports}
contract ${name} is OwnableUpgradeable${parents} {
  uint256 public stored;
  /// @custom:oz-upgrades-unsafe-allow constructor
  constructor() { _disableInitializers(); }
  function initialize(uint256 first) external initializer { __Ownable_init(msg.sender); stored = first; }
  ${more}
}
`;
const FILES = {
  'contracts/Plain.sol': sourceOf('Plain', '', '', ''),
  'contracts/Universal.sol': sourceOf(
    'Universal',
    ', UUPSUpgradeable',
    'import "@openzeppelin/contracts-upgradeable/proxy/utils/UUPSUpgradeable.sol";',
    'function _authorizeUpgrade(address) internal override onlyOwner {}',
  ),
  'scripts/deploy.js': `const { ethers, upgrades } = require('hardhat');
async function main() {
  for (const [name, kind] of [['Plain', 'transparent'], ['Universal', 'uups']]) {
    const proxy = await upgrades.deployProxy(await ethers.getContractFactory(name), [42], { kind });
    await proxy.waitForDeployment();
    const address = await proxy.getAddress();
    console.log(kind, 'proxy', address);
    console.log(kind, 'implementation', await upgrades.erc1967.getImplementationAddress(address));
    console.log(kind, 'admin', await upgrades.erc1967.getAdminAddress(address));
  }
}
main();
`,
};

/** @see contracts/client-needs.md section 3.1, contracts/verification-api.md section 7.4 */
describe.skipIf(isLeftOut(missing))("OpenZeppelin's upgrades, unmodified", { timeout: 120_000 }, () => {
  let folder = '';
  let anvil: Anvil;
  let host: CompilerHost;
  let server: ServeProcess;
  let project: Hardhat2Project;
  const addresses = new Map<string, string>();

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'ledgerlens-clients-'));
    putCompiler(folder, PROXY_COMPILER, hardhat2Solc('0.8.29'));
    [anvil, host] = await Promise.all([startAnvil(CHAIN_ID), startCompilerHost('0.8.30+commit.73712a01')]);
    server = await startServe(
      {
        DATABASE_URL: 'sqlite::memory:',
        DRAIN_SECONDS: '0',
        VERIFY_CHAINS: JSON.stringify({ [CHAIN_ID]: { rpc: [anvil.url] } }),
        VERIFY_COMPILER_DIR: folder,
      },
      folder,
    );
    project = openHardhat2Project({
      chainId: CHAIN_ID,
      nodeUrl: anvil.url,
      serverUrl: server.url,
      proxyUrl: host.proxyUrl,
      files: FILES,
      plugins: ['@nomicfoundation/hardhat-ethers', '@openzeppelin/hardhat-upgrades'],
    });
    const { output } = await project.run('run', 'scripts/deploy.js');
    for (const [, name = '', address = ''] of output.matchAll(/^(\w+ \w+) (0x\w{40})$/gm))
      addresses.set(name, address);
    if (addresses.size !== 6) throw new Error(output);
  }, 120_000);
  afterAll(async () => {
    project?.remove();
    await server?.stop('SIGTERM');
    await Promise.all([host?.close(), anvil?.close()]);
    rmSync(folder, { recursive: true });
  });

  const recordOf = async (name: string) => {
    const path = `/v2/contract/${CHAIN_ID}/${addresses.get(name)}?fields=compilation`;
    const { compilation, match } = (await (await fetch(server.url + path)).json()) as {
      readonly match: unknown;
      readonly compilation?: { readonly name: string };
    };
    return [match, compilation?.name];
  };
  const verify = (name: string) =>
    project.run('--config', 'etherscan.config.js', 'verify', addresses.get(name) ?? '');

  test('a transparent proxy with its implementation and its admin', async () => {
    const run = await verify('transparent proxy');
    expect(run.output).toContain('Successfully verified contract TransparentUpgradeableProxy');
    expect(run.output).toContain('Successfully linked proxy to implementation.');
    expect(run.output).toContain('Successfully verified contract ProxyAdmin');
    expect(run.output).toContain('Proxy fully verified.');
    expect(await recordOf('transparent implementation')).toEqual(['exact_match', 'Plain']);
    expect(await recordOf('transparent proxy')).toEqual(['exact_match', 'TransparentUpgradeableProxy']);
    expect(await recordOf('transparent admin')).toEqual(['exact_match', 'ProxyAdmin']);
  });

  test('a UUPS proxy with its implementation, and both once more', async () => {
    const run = await verify('uups proxy');
    expect(run.output).toContain('Successfully verified contract ERC1967Proxy');
    expect(run.output).toContain('Proxy fully verified.');
    expect(await recordOf('uups implementation')).toEqual(['exact_match', 'Universal']);
    expect(await recordOf('uups proxy')).toEqual(['exact_match', 'ERC1967Proxy']);
    const again = await verify('uups proxy');
    expect(again.output).toContain('already been verified');
    expect(again.output).toContain('Proxy fully verified.');
  });
});
