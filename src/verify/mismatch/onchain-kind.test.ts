import { describe, expect, test } from 'vitest';
import { compileForTest, openZeppelinSources } from '../../../test/kit/verify/compile-for-test.ts';
import { bareHex, type Hex, parseHex } from '../../values/hex.ts';
import { nameOnchainKind } from './onchain-kind.ts';

const bytes = (hex: string) => parseHex(`0x${hex}` as Hex) ?? new Uint8Array();
const TARGET = '7a'.repeat(20);
const PLAIN = bytes('6080604052600080fdfe');
const kindOf = (hex: string, recompiled: Uint8Array | null = PLAIN) =>
  nameOnchainKind(bytes(hex), recompiled)?.kind ?? null;

const EIP_1167 = `363d3d373d3d3d363d73${TARGET}5af43d82803e903d91602b57fd5bf3`;

describe('what code on chain is', () => {
  test.each([
    ['EIP-1167', EIP_1167],
    ['EIP-1167 with arguments after it', `${EIP_1167}${'11'.repeat(300)}`],
    ['EIP-1167 with a short address', `363d3d373d3d3d363d6f${TARGET.slice(8)}5af43d82803e903d91602757fd5bf3`],
    ['ERC-7511', `365f5f375f5f365f73${TARGET}5af43d5f5f3e5f3d91602a57fd5bf3`],
    ['an older clone', `3d3d3d3d363d3d37363d73${TARGET}5af43d3d93803e602a57fd5bf3`],
    ['a forwarder of Vyper', `366000600037611000600036600073${TARGET}5af4602c57600080fd5b6110006000f3`],
  ])('is a minimal proxy: %s', (_, code) => {
    expect(kindOf(code)).toBe('minimal_proxy');
  });

  test.each([
    ['delegated_account', `ef0100${TARGET}`],
    ['blueprint', `fe710060806040`],
    [null, `ef0100${TARGET}00`],
    [null, `ef0000${TARGET}`],
    [null, '6080604052600080fdfe'],
    [null, ''],
  ])('is named by its first bytes: %s', (kind, code) => {
    expect(kindOf(code)).toBe(kind);
  });

  test('is nothing to name when the sources give a minimal proxy too', () => {
    expect(kindOf(EIP_1167, bytes(EIP_1167.replaceAll('7a', '7b')))).toBeNull();
    expect(kindOf(`ef0100${TARGET}`, bytes(`ef0100${TARGET}`))).toBe('delegated_account');
  });

  test('is a proxy beside the code of its implementation, and nothing beside that of a proxy', () => {
    const sources = {
      ...openZeppelinSources('@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol'),
      ...openZeppelinSources('@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol'),
      'i.sol': {
        content: `import {UUPSUpgradeable} from "@openzeppelin/contracts/proxy/utils/UUPSUpgradeable.sol";
          import {ERC1967Proxy} from "@openzeppelin/contracts/proxy/ERC1967/ERC1967Proxy.sol";
          contract P is ERC1967Proxy { constructor(address a) ERC1967Proxy(a, "") {} }
          contract I is UUPSUpgradeable { function _authorizeUpgrade(address) internal override {} }
          contract Token { mapping(address => uint) public balances; }`,
      },
    };
    const input = { language: 'Solidity', sources, settings: { optimizer: { enabled: true } } };
    const [proxy, implementation, token] = ['P', 'I', 'Token'].map((name) =>
      bytes(bareHex(parseHex(compileForTest(input, 'i.sol', name).runtime as Hex) ?? new Uint8Array())),
    );
    for (const recompiled of [implementation, token]) {
      expect(nameOnchainKind(proxy ?? PLAIN, recompiled ?? null)?.words).toContain('EIP-1967');
    }
    expect(nameOnchainKind(proxy ?? PLAIN, proxy ?? null)).toBeNull();
  });
});
