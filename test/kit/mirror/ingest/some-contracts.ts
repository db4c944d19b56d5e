import { keccak_256 } from '@noble/hashes/sha3.js';
import type { WrittenContract } from '../../../../tools/network/contract-events.ts';

/** A contract of each way in which one comes to be. */
export function someContracts(): readonly WrittenContract[] {
  const codes = (salt: number) => ({
    creationCode: Uint8Array.of(0x60, salt, 0xf3, ...new Array<number>(40).fill(salt)),
    runtimeCode: Uint8Array.of(0x60, salt),
  });
  const ethereumData = Uint8Array.of(0xf8, 0x01, 0x02, 0x03);
  return [
    { by: 'body', ...codes(1) },
    { by: 'file', ...codes(2), constructorParameters: Uint8Array.of(7) },
    { by: 'contract', ...codes(3), evmAddress: new Uint8Array(20).fill(9) },
    { by: { ethereumData, ethereumHash: keccak_256(ethereumData) }, ...codes(4) },
  ];
}
