import { type EdwardsPoint, edwards } from '@noble/curves/abstract/edwards.js';
import { bn254 } from '@noble/curves/bn254.js';
import type { RosterEntry } from '../../../items/ledger-publication.ts';
import { demand } from '../failed-check.ts';
import { hashToField } from '../hash-to-field.ts';
import { readBelow, toBytes32 } from './little-endian.ts';

export type RosterPoint = EdwardsPoint;

/** Order of the field that the coordinates are from: the scalars of BN254. */
export const FIELD_ORDER = bn254.fields.Fr.ORDER;

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
export const SEATS = 128;

/** Bytes of a Schnorr key with its proof of possession: point 64, commitment 64, challenge 32, response 32. */
const ROSTER_KEY_LENGTH = 192;

const DOMAIN = { 1: '', 2: 'HieroTSSWrapsSchnorrKeyPoK' } as const;

/**
 * The keys of a roster, in its order.
 *
 * Every key has to prove that somebody has its secret: keys are added up, and one made to cancel others out would
 * sign in their name. The key of a vacant seat, which nobody can prove, is refused like any other.
 *
 * @throws FailedCheck `encoding` or `possession`.
 * @see contracts/streams.md section 18.6, possession
 */
export function provenKeys(roster: readonly RosterEntry[], generation: 1 | 2): readonly RosterPoint[] {
  return roster.map(({ key, nodeId }) => provenKey(key, generation, `the key of node ${nodeId}`));
}

/** The point of a key, without its proof. @throws FailedCheck `encoding` */
export function rosterPoint({ key, nodeId }: RosterEntry): RosterPoint {
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
