import { type Abi, createWalletClient, encodeFunctionData, getAddress, http, publicActions } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { foundry } from 'viem/chains';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { verifyToEnd } from '../kit/verify/await-job.ts';
import { compileForTest, openZeppelinSources } from '../kit/verify/compile-for-test.ts';
import { type ServedArea, serveArea } from '../kit/verify/serve-area.ts';
import { isLeftOut } from '../support/left-out.ts';
import { type Anvil, anvilMissing, startAnvil } from './anvil.ts';

/** First account of every anvil; a public test key. */
const ACCOUNT = privateKeyToAccount('0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80');
const LIBRARY = '@openzeppelin/contracts/proxy';

const OWN_PATH = 'own.sol';
const OWN = `pragma solidity ^0.8.0;
contract Logic { uint256 public value; function set(uint256 v) external { value = v; } }
contract Other { function other() external pure returns (uint256) { return 2; } }
contract Diamond {
  address[] facets;
  constructor(address[] memory f) { facets = f; }
  function facetAddresses() external view returns (address[] memory) { return facets; }
  fallback() external payable { (bool ok,) = facets[0].delegatecall(msg.data); require(ok); }
}
contract Closed {
  address logic;
  constructor(address l) { logic = l; }
  function facetAddresses() external pure returns (address[] memory) { revert("closed"); }
  fallback() external payable { (bool ok,) = logic.delegatecall(msg.data); require(ok); }
}
`;
const own = { language: 'Solidity', sources: { [OWN_PATH]: { content: OWN } }, settings: {} };
const fromLibrary = (path: string) => ({
  language: 'Solidity',
  sources: openZeppelinSources(path),
  settings: {},
});

describe.skipIf(isLeftOut(anvilMissing))('proxies on a local EVM node', () => {
  let anvil: Anvil;
  let served: ServedArea;
  let logic: string;
  let other: string;

  beforeAll(async () => {
    anvil = await startAnvil();
    served = await serveArea({
      chainsJson: JSON.stringify({ '31337': { name: 'anvil', rpc: [anvil.url] } }),
    });
    logic = await deployAndVerify(own, OWN_PATH, 'Logic', []);
    other = await deploy(own, OWN_PATH, 'Other', []);
  });
  afterAll(async () => {
    await served?.close();
    await anvil?.close();
  });

  async function deploy(input: object, path: string, name: string, args: readonly unknown[]) {
    const client = createWalletClient({ account: ACCOUNT, chain: foundry, transport: http(anvil.url) });
    const { abi, bytecode } = compileForTest(input, path, name);
    const hash = await client.deployContract({ abi: abi as Abi, bytecode, args });
    const { contractAddress } = await client.extend(publicActions).waitForTransactionReceipt({ hash });
    return getAddress(contractAddress ?? '0x');
  }

  async function deployAndVerify(input: object, path: string, name: string, args: readonly unknown[]) {
    const address = await deploy(input, path, name, args);
    const { job } = await verifyToEnd(served.app, `31337/${address}`, {
      stdJsonInput: input,
      compilerVersion: '0.8.30',
      contractIdentifier: `${path}:${name}`,
    });
    expect(job.contract, JSON.stringify(job.error)).toMatchObject({ match: 'exact_match' });
    return address;
  }

  async function resolution(address: string): Promise<unknown> {
    const url = `/v2/contract/31337/${address}?fields=proxyResolution`;
    return (await served.app.inject(url)).json().proxyResolution;
  }

  /** The library refuses proxies that nobody initialises. */
  function initialCall(): string {
    const { abi } = compileForTest(own, OWN_PATH, 'Logic');
    return encodeFunctionData({ abi: abi as Abi, functionName: 'set', args: [7n] });
  }

  const behind = (proxyType: string) => ({
    isProxy: true,
    proxyType,
    implementations: [{ address: logic, name: 'Logic' }],
  });

  test('a proxy with the standard slot', async () => {
    const path = `${LIBRARY}/ERC1967/ERC1967Proxy.sol`;
    const proxy = await deployAndVerify(fromLibrary(path), path, 'ERC1967Proxy', [logic, initialCall()]);
    expect(await resolution(proxy)).toEqual(behind('EIP1967Proxy'));
  });

  test('a transparent proxy, whose constructor creates its admin', async () => {
    const path = `${LIBRARY}/transparent/TransparentUpgradeableProxy.sol`;
    const args = [logic, ACCOUNT.address, initialCall()];
    const proxy = await deployAndVerify(fromLibrary(path), path, 'TransparentUpgradeableProxy', args);
    expect(await resolution(proxy)).toEqual(behind('EIP1967Proxy'));
  });

  test('a proxy that asks a beacon', async () => {
    const beaconPath = `${LIBRARY}/beacon/UpgradeableBeacon.sol`;
    const beacon = await deploy(fromLibrary(beaconPath), beaconPath, 'UpgradeableBeacon', [
      logic,
      ACCOUNT.address,
    ]);
    const path = `${LIBRARY}/beacon/BeaconProxy.sol`;
    const proxy = await deployAndVerify(fromLibrary(path), path, 'BeaconProxy', [beacon, initialCall()]);
    expect(await resolution(proxy)).toEqual(behind('EIP1967Proxy'));
  });

  test('a diamond with a verified and another facet, and one that tells nobody', {
    timeout: 60_000,
  }, async () => {
    const diamond = await deployAndVerify(own, OWN_PATH, 'Diamond', [[logic, other]]);
    expect(await resolution(diamond)).toEqual({
      isProxy: true,
      proxyType: 'DiamondProxy',
      implementations: [{ address: logic, name: 'Logic' }, { address: other }],
    });
    const closed = await deployAndVerify(own, OWN_PATH, 'Closed', [logic]);
    expect(await resolution(closed)).toEqual({ isProxy: false, proxyType: null, implementations: [] });
  });

  test('a contract behind proxies is none', async () => {
    expect(await resolution(logic)).toEqual({ isProxy: false, proxyType: null, implementations: [] });
  });
});
