import { MAX_INT64 } from '../../../values/int64.ts';
import type { LedgerUnit } from '../rows.ts';
import type { FoldedUnit } from './state-fold.ts';

type ChangedUnit = Pick<FoldedUnit, 'retold' | 'unit'>;

/**
 * Since when a change holds that follows another; null when it changes nothing.
 *
 * Times are data: what stands later in the ledger holds, but not since before what it replaces, so that no range ends
 * before it begins.
 *
 * @param stored since when holds what is changed; null when that is not known
 * @see contracts/streams.md section 11
 */
export function changeSince(at: bigint, stored: bigint | null, folded: ChangedUnit): bigint | null {
  if (stored === null || at >= stored) return at;
  return stored > changedUntil(at, folded) ? null : stored;
}

/** The time that is stored with a change that counts in any case, such as a transfer. */
export function changeTime(at: bigint, stored: bigint | null, folded: ChangedUnit): bigint {
  return changeSince(at, stored, folded) ?? at;
}

/**
 * Until when rows may have changed that a change replaces.
 *
 * Fixtures are facts in any order, of which the newest hold. What is told of a transaction that was stored before may
 * be older than what followed that.
 */
export function changedUntil(at: bigint, { retold, unit }: ChangedUnit): bigint {
  return unit.header.kind === 'fixture' || retold.has(at) ? at : MAX_INT64;
}

/** Where a time of a unit stands in it: in a fixture by itself, elsewhere as its transaction does. */
export function placesIn({ header, transactions }: LedgerUnit): (time: bigint) => bigint {
  if (header.kind === 'fixture') return (time) => time;
  let places: Map<bigint, bigint> | null = null;
  return (time) => {
    // Hardly any unit needs them.
    places ??= new Map(transactions.map(({ consensusTimestamp: at }, place) => [at, BigInt(place)]));
    return places.get(time) ?? BigInt(transactions.length);
  };
}
