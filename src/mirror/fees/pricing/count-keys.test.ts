import { describe, expect, test } from 'vitest';
import type { KeyFields } from '../decode/transaction-fields.ts';
import { countKeys } from './count-transfers.ts';

const ed25519: KeyFields = { ed25519: new Uint8Array(32) };
const list = (...keys: readonly KeyFields[]): KeyFields => ({ keyList: { keys } });
const threshold = (...keys: readonly KeyFields[]): KeyFields => ({ thresholdKey: { keys: { keys } } });

describe('countKeys', () => {
  test.each<[string, readonly (KeyFields | undefined)[], number]>([
    ['no key', [undefined], 0],
    ['ed25519', [ed25519], 1],
    ['an empty ed25519 key', [{ ed25519: new Uint8Array(0) }], 1],
    ['secp256k1', [{ ECDSASecp256k1: new Uint8Array(33) }], 1],
    ['ECDSA 384', [{ ECDSA_384: new Uint8Array(1) }], 1],
    ['RSA, contract ids and keys without a kind', [{}], 0],
    ['an empty list', [list()], 0],
    ['a list without its list', [{ keyList: {} }], 0],
    ['a threshold key without keys', [{ thresholdKey: {} }], 0],
    ['a list of three', [list(ed25519, ed25519, ed25519)], 3],
    ['lists in threshold keys in lists', [list(threshold(ed25519, list(ed25519, ed25519)), ed25519)], 4],
    ['several members', [ed25519, undefined, list(ed25519, ed25519)], 3],
  ])('%s', (_name, keys, expected) => {
    expect(countKeys(...keys)).toBe(expected);
  });
});
