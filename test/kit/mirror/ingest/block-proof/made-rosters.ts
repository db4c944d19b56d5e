import { blake2s } from '@noble/hashes/blake2.js';
import {
  affineBytes,
  compressedBytes,
  GROUP_ORDER,
  ledgerIdOf,
  RosterPoint,
} from '../../../../../src/mirror/ingest/block-proof/address-book/check-schnorr-proof.ts';
import { toBytes32 } from '../../../../../src/mirror/ingest/block-proof/address-book/little-endian.ts';
import { verificationKeyHash } from '../../../../../src/mirror/ingest/block-proof/address-book/verification-key-hash.ts';
import { hashToField } from '../../../../../src/mirror/ingest/block-proof/hash-to-field.ts';
import type { RosterEntry } from '../../../../../src/mirror/items/ledger-publication.ts';

/** A node whose secret is known; the commitment of its proof is made of another secret number. */
export function aRosterEntry(nodeId: bigint, weight: bigint, secret: bigint, domain: string): RosterEntry {
  const nonce = secret * 7n + 1n;
  const [key, commitment] = [RosterPoint.BASE.multiply(secret), RosterPoint.BASE.multiply(nonce)];
  const transcript = Buffer.concat([RosterPoint.BASE, key, commitment].map(compressedBytes));
  const challenge = hashToField(GROUP_ORDER, domain, transcript);
  const response = (nonce + challenge * secret) % GROUP_ORDER;
  const parts = [affineBytes(key), affineBytes(commitment), toBytes32(challenge), toBytes32(response)];
  return { nodeId, weight, key: new Uint8Array(Buffer.concat(parts)) };
}

/** What the nodes with these secrets sign, as they do together. */
export function aSchnorrProof(signing: {
  readonly roster: readonly RosterEntry[];
  readonly secrets: ReadonlyMap<number, bigint>;
  readonly verificationKey: Uint8Array;
  readonly generation: 1 | 2;
}): Uint8Array {
  const { generation, roster, secrets, verificationKey } = signing;
  const secret = [...secrets.values()].reduce((sum, one) => sum + one, 0n) % GROUP_ORDER;
  const nonce = 123_456_789_123_456_789n;
  const message = Buffer.concat([ledgerIdOf(roster), verificationKeyHash(verificationKey, generation)]);
  const points = [RosterPoint.BASE.multiply(secret), RosterPoint.BASE.multiply(nonce)].map(affineBytes);
  const e = Buffer.from(blake2s(Buffer.concat([...points, message])));
  e[31] = 0;
  const challenge = BigInt(`0x${Buffer.from(e).reverse().toString('hex')}`);
  const response = (nonce + (GROUP_ORDER - challenge) * secret) % GROUP_ORDER;
  const seats = Uint8Array.from({ length: 128 }, (_, seat) => (secrets.has(seat) ? 1 : 0));
  return new Uint8Array(Buffer.concat([seats, toBytes32(response), e]));
}
