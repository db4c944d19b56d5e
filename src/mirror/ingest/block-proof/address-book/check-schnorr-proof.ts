import { blake2s } from '@noble/hashes/blake2.js';
import type { RosterEntry } from '../../../items/ledger-publication.ts';
import { sameBytes } from '../../sha384.ts';
import { demand } from '../failed-check.ts';
import { readBelow, toBytes32 } from './little-endian.ts';
import {
  affineBytes,
  FIELD_ORDER,
  GROUP_ORDER,
  provenKeys,
  RosterPoint,
  rosterPoint,
  SEATS,
} from './roster-keys.ts';
import { poseidonHash, verificationKeyHash } from './verification-key-hash.ts';

export const SCHNORR_PROOF_LENGTH = 192;

export interface SchnorrQuestion {
  /** A byte for each of 128 seats, s 32, e 32. */
  readonly proof: Uint8Array;
  /** The threshold key that the address book is said to have signed. */
  readonly verificationKey: Uint8Array;
  readonly ledgerId: Uint8Array;
  /** The address book that the ledger began with. */
  readonly roster: readonly RosterEntry[];
  readonly generation: 1 | 2;
}

/**
 * Whether more than half of the weight of a ledger's first address book signed the threshold key.
 *
 * @throws FailedCheck
 * @see contracts/streams.md section 18.6
 */
export function demandSchnorrProof(question: SchnorrQuestion): void {
  const { generation, ledgerId, proof, roster, verificationKey } = question;
  demand(proof.length === SCHNORR_PROOF_LENGTH, 'encoding', `the proof has ${proof.length} bytes`);
  const response = readBelow(proof.subarray(128, 160), GROUP_ORDER, 's');
  const challenge = readBelow(proof.subarray(160, 192), GROUP_ORDER, 'e');
  const seats = takenSeats(proof.subarray(0, SEATS), roster.length);
  demandWeight(roster, seats);

  demand(sameBytes(ledgerIdOf(roster), ledgerId), 'ledger_id', 'the roster is not that of the ledger id');
  const keys = provenKeys(roster, generation);
  const signers = keys.filter((_, seat) => seats.has(seat)).reduce((sum, key) => sum.add(key));
  demand(!signers.is0(), 'schnorr', 'the keys cancel each other out');

  const commitment = RosterPoint.BASE.multiplyUnsafe(response).add(signers.multiplyUnsafe(challenge));
  const message = Buffer.concat([ledgerId, verificationKeyHash(verificationKey, generation)]);
  const expected = challengeOf(signers, commitment, message);
  demand(sameBytes(expected, proof.subarray(160, 192)), 'schnorr', 'the signature of the roster is invalid');
}

function takenSeats(bytes: Uint8Array, nodes: number): ReadonlySet<number> {
  const seats = new Set<number>();
  for (const [seat, byte] of bytes.entries()) {
    demand(byte === 0 || (byte === 1 && seat < nodes), 'seats', `seat ${seat} of ${nodes} says ${byte}`);
    if (byte === 1) seats.add(seat);
  }
  return seats;
}

/** More than half: two halves could sign two different things. */
function demandWeight(roster: readonly RosterEntry[], seats: ReadonlySet<number>): void {
  let total = 0n;
  let signed = 0n;
  for (const [seat, { weight }] of roster.entries()) {
    total += weight;
    if (seats.has(seat)) signed += weight;
  }
  demand(2n * signed > total, 'weight', `weight ${signed} of ${total} signed`);
}

function challengeOf(signers: RosterPoint, commitment: RosterPoint, message: Uint8Array): Uint8Array {
  const hash = blake2s(Buffer.concat([affineBytes(signers), affineBytes(commitment), message]));
  const challenge = new Uint8Array(32);
  challenge.set(hash.subarray(0, 31));
  return challenge;
}

const VACANT = {
  x: 12242143994000228932794072931472805933014698661472621875120544547182037447307n,
  y: 18632581597336484007639911068407412014942769995951822776505801470647807372989n,
  weight: 0n,
  nodeId: FIELD_ORDER - 1n,
};

/**
 * The id of the ledger that began with this address book, 32 bytes.
 *
 * @throws FailedCheck `encoding` when a key is not a point of the group, `seats` when there are too many nodes.
 * @see contracts/streams.md section 18.6, ledger id check
 */
export function ledgerIdOf(roster: readonly RosterEntry[]): Uint8Array {
  demand(roster.length > 0 && roster.length <= SEATS, 'seats', `the roster has ${roster.length} nodes`);
  const seats = roster.map((entry) => ({ ...rosterPoint(entry).toAffine(), ...entry }));
  const filled = Array.from({ length: SEATS }, (_, index) => seats[index] ?? VACANT);
  return toBytes32(
    poseidonHash([
      ...filled.map(({ x }) => x),
      ...filled.map(({ y }) => y),
      ...filled.map(({ weight }) => weight),
      ...filled.map(({ nodeId }) => nodeId),
    ]),
  );
}
