import { expect, test } from 'vitest';
import { messages } from '../../protobuf/messages.ts';
import { addressOfKey } from './entity-effects.ts';

/** The public key of the private key 1, and the address that every EVM gives it. */
const POINT = '0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798';
const ADDRESS = '7e5f4552091a69125d5dfcb7b8c2659029395bdf';
const ecdsa = (hex: string) => messages.Key.encode({ ECDSASecp256k1: Buffer.from(hex, 'hex') });

test('an ECDSA key has the address of the last 20 bytes of its hash', () => {
  expect(Buffer.from(addressOfKey(ecdsa(POINT)) ?? []).toString('hex')).toBe(ADDRESS);
});

test.each([
  ['an Ed25519 key', messages.Key.encode({ ed25519: new Uint8Array(32).fill(7) })],
  ['a point that is not on the curve', ecdsa(`02${'ff'.repeat(32)}`)],
  ['too few bytes', ecdsa('0279')],
  ['bytes that are no message', Uint8Array.of(0xff, 0xff)],
  ['an address', Buffer.from(ADDRESS, 'hex')],
])('%s has none', (_what, key) => {
  expect(addressOfKey(key)).toBeNull();
});
