import { bareHex } from '../../values/hex.ts';

/** A protobuf `Key` as the answers show it. */
interface KeyJson {
  readonly _type: 'ED25519' | 'ECDSA_SECP256K1' | 'ProtobufEncoded';
  /** Lower-case hex without `0x`. */
  readonly key: string;
}

/** The empty key list, which the ledger uses for "no key". */
const NO_KEY = '3200';
const ED25519 = /^(?:1220|32240a221220|2a28080112240a221220)([0-9a-f]{64})$/;
const ECDSA_SECP256K1 = /^(?:3a21|32250a233a21|2a29080112250a233a21)([0-9a-f]{66})$/;

/**
 * Shows a stored key; simple keys also when they are wrapped in a list or threshold of one.
 *
 * @see contracts/mirror-transactions.md section 2, Key rule
 */
export function keyJson(key: Uint8Array | null): KeyJson | null {
  if (key === null) return null;
  const hex = bareHex(key);
  if (hex === NO_KEY) return null;
  const ed25519 = ED25519.exec(hex)?.[1];
  if (ed25519 !== undefined) return { _type: 'ED25519', key: ed25519 };
  const ecdsa = ECDSA_SECP256K1.exec(hex)?.[1];
  if (ecdsa !== undefined) return { _type: 'ECDSA_SECP256K1', key: ecdsa };
  return { _type: 'ProtobufEncoded', key: hex };
}
