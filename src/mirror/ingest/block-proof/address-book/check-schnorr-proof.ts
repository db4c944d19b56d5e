import { type EdwardsPoint, edwards } from '@noble/curves/abstract/edwards.js';
import { blake2s } from '@noble/hashes/blake2.js';
import type { RosterEntry } from '../../../items/ledger-publication.ts';
import { sameBytes } from '../../sha384.ts';
import { demand } from '../failed-check.ts';
import { hashToField } from '../hash-to-field.ts';
import { readBelow, toBytes32 } from './little-endian.ts';
import { FIELD_ORDER, poseidonHash, verificationKeyHash } from './verification-key-hash.ts';

export type RosterPoint = EdwardsPoint;

/** Order of the group that keys and signatures are from. */
export const GROUP_ORDER = 2736030358979909402780800718157159386076813972158567259200215660948447373041n;

/**
 * The curve of the keys in rosters.
 *
 * @see contracts/streams.md section 18.6
 */
export const RosterPoint = edwards({
  p: FIELD_ORDER,
  n: GROUP_ORDER,
  h: 8n,
  a: 1n,
  d: 9706598848417545097372247223557719406784115219466060233080913168975159366771n,
  Gx: 19698561148652590122159747500897617769866003486955115824547446575314762165298n,
  Gy: 19298250018296453272277890825869354524455968081175474282777126169995084727839n,
});

/**
 * Reads x and y, 32 bytes each.
 *
 * @throws FailedCheck `encoding` unless it is a canonical point of the group and not its identity.
 */
function readRosterPoint(bytes: Uint8Array, what: string): RosterPoint {
  const x = readBelow(bytes.subarray(0, 32), FIELD_ORDER, `x of ${what}`);
  const y = readBelow(bytes.subarray(32, 64), FIELD_ORDER, `y of ${what}`);
  const point = RosterPoint.fromAffine({ x, y });
  demand(isOnCurve(point) && point.isTorsionFree(), 'encoding', `${what} is not a point of the group`);
  return point;
}

/** x and y, 32 bytes each. */
export function affineBytes(point: RosterPoint): Uint8Array {
  const { x, y } = point.toAffine();
  return Buffer.concat([toBytes32(x), toBytes32(y)]);
}

/** y, with the highest bit set when x is the larger one of the two that have it. */
export function compressedBytes(point: RosterPoint): Uint8Array {
  const { x, y } = point.toAffine();
  const bytes = toBytes32(y);
  if (x > FIELD_ORDER - x) bytes[31] = (bytes[31] ?? 0) | 0x80;
  return bytes;
}

function isOnCurve(point: RosterPoint): boolean {
  try {
    point.assertValidity();
    return true;
  } catch {
    return false;
  }
}

/** Seats of an address book; those that no node has are filled up. */
const SEATS = 128;

/** Bytes of a Schnorr key with its proof of possession: point 64, commitment 64, challenge 32, response 32. */
const ROSTER_KEY_LENGTH = 192;

const DOMAIN = { 1: '', 2: 'HieroTSSWrapsSchnorrKeyPoK' } as const;

/**
 * The keys of a roster, in its order.
 *
 * Every key has to prove that its secret is held: keys are added up, and one made to cancel others out would
 * sign in their name. The key of a vacant seat, which cannot be proven, is refused like any other.
 *
 * @throws FailedCheck `encoding` or `possession`.
 * @see contracts/streams.md section 18.6, possession
 */
function provenKeys(roster: readonly RosterEntry[], generation: 1 | 2): readonly RosterPoint[] {
  return roster.map(({ key, nodeId }) => provenKey(key, generation, `the key of node ${nodeId}`));
}

/** The point of a key, without its proof. @throws FailedCheck `encoding` */
function rosterPoint({ key, nodeId }: RosterEntry): RosterPoint {
  demand(key.length === ROSTER_KEY_LENGTH, 'encoding', `the key of node ${nodeId} has ${key.length} bytes`);
  return readRosterPoint(key.subarray(0, 64), `the key of node ${nodeId}`);
}

function provenKey(bytes: Uint8Array, generation: 1 | 2, what: string): RosterPoint {
  demand(bytes.length === ROSTER_KEY_LENGTH, 'encoding', `${what} has ${bytes.length} bytes`);
  const key = readRosterPoint(bytes.subarray(0, 64), what);
  const commitment = readRosterPoint(bytes.subarray(64, 128), `the commitment of ${what}`);
  const challenge = readBelow(bytes.subarray(128, 160), GROUP_ORDER, `the challenge of ${what}`);
  const response = readBelow(bytes.subarray(160, 192), GROUP_ORDER, `the response of ${what}`);
  const transcript = Buffer.concat([RosterPoint.BASE, key, commitment].map(compressedBytes));
  const isAsked = hashToField(GROUP_ORDER, DOMAIN[generation], transcript) === challenge;
  const answer = RosterPoint.BASE.multiplyUnsafe(response);
  const isAnswered = answer.equals(commitment.add(key.multiplyUnsafe(challenge)));
  demand(isAsked && isAnswered, 'possession', `${what} does not prove its possession`);
  return key;
}

const SCHNORR_PROOF_LENGTH = 192;

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
