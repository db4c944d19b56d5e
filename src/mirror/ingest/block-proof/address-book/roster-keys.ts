import type { RosterEntry } from '../../../items/ledger-publication.ts';
import { hashToField } from '../hash-to-field.ts';
import { demand } from './demand.ts';
import { readBelow } from './little-endian.ts';
import { ROSTER_KEY_LENGTH } from './roster.ts';
import { compressedBytes, GROUP_ORDER, RosterPoint, readRosterPoint } from './roster-curve.ts';

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
