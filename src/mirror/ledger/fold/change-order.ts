import type { LedgerUnit } from '../rows.ts';
import type { FoldedUnit } from './fold-state.ts';

type ChangedUnit = Pick<FoldedUnit, 'retold' | 'streamsUntil' | 'unit'>;

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
 * Fixtures are facts in any order, of which the newest hold, also over record files that come after them. What is told of
 * a transaction that was stored before may be older than what followed that.
 */
export function changedUntil(at: bigint, { retold, streamsUntil, unit }: ChangedUnit): bigint {
  return unit.header.kind === 'fixture' || retold.has(at) ? at : streamsUntil;
}

/**
 * The time that is stored with a move of a balance: one that steps behind the last copy of balances holds since right
 * after it, so that the next copy has it.
 */
export function moveTime(
  at: bigint,
  stored: bigint | null,
  folded: ChangedUnit & Pick<FoldedUnit, 'clock'>,
): bigint {
  const time = changeTime(at, stored, folded);
  const { lastSnapshot } = folded.clock;
  const isCopied = lastSnapshot !== null && time <= lastSnapshot;
  return isCopied && changedUntil(at, folded) !== at ? lastSnapshot + 1n : time;
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

/** Rows of a unit in the order of their transactions; those of one transaction keep theirs. */
export function inPlaces<Row extends { readonly consensusTimestamp: bigint }>(
  unit: LedgerUnit,
  rows: readonly Row[],
): readonly Row[] {
  if (rows.length < 2) return rows;
  const placeOf = placesIn(unit);
  return rows.toSorted((one, other) =>
    Number(placeOf(one.consensusTimestamp) - placeOf(other.consensusTimestamp)),
  );
}
