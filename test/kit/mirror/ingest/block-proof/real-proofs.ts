import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import {
  type LedgerPublication,
  readLedgerPublication,
} from '../../../../../src/mirror/items/ledger-publication.ts';
import { rawField, wireFields } from '../../../../../src/mirror/protobuf/wire.ts';
import { streamPath } from '../stream-facts.ts';

/** What the first block of a real network says about its ledger, and how it is signed. */
export interface RealProof extends LedgerPublication {
  /** 1,096 bytes. */
  readonly verificationKey: Uint8Array;
  /** 192 bytes: both sets have the Schnorr form. */
  readonly addressBookProof: Uint8Array;
}

const FIELD = { signedTransaction: 4, proof: 9, bodyBytes: 1, publication: 77, signedProof: 2, signature: 1 };
const KEY_LENGTH = 1096;
const THRESHOLD_END = 2728;

/** Block 0 of `blocks-0.73` or `blocks-0.78`. */
export function realProof(set: 'blocks-0.73' | 'blocks-0.78'): RealProof {
  const block = gunzipSync(readFileSync(streamPath(set, '0.blk.gz')));
  const items = wireFields(block).flatMap(({ bytes }) => wireFields(bytes));
  const published = items
    .filter(({ number }) => number === FIELD.signedTransaction)
    .map(({ bytes }) => rawField(member(bytes, FIELD.bodyBytes), FIELD.publication))
    .find((body) => body !== null);
  const publication = published === undefined ? null : readLedgerPublication(published);
  const proof = items.find(({ number }) => number === FIELD.proof);
  if (publication === null || proof === undefined) throw new Error(`${set} has no publication or no proof`);
  const signature = member(member(proof.bytes, FIELD.signedProof), FIELD.signature);
  return {
    ...publication,
    verificationKey: Uint8Array.from(signature.subarray(0, KEY_LENGTH)),
    addressBookProof: Uint8Array.from(signature.subarray(THRESHOLD_END)),
  };
}

function member(bytes: Uint8Array, number: number): Uint8Array {
  const found = rawField(bytes, number);
  if (found === null) throw new Error(`field ${number} is missing`);
  return found;
}
