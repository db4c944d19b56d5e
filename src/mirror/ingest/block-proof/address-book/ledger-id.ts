import type { RosterEntry } from '../../../items/ledger-publication.ts';
import { demand } from './demand.ts';
import { toBytes32 } from './little-endian.ts';
import { poseidonHash } from './poseidon.ts';
import { SEATS } from './roster.ts';
import { FIELD_ORDER } from './roster-curve.ts';
import { rosterPoint } from './roster-keys.ts';

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
