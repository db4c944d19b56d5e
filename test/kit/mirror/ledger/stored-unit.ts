import type { LedgerUnit } from '../../../../src/mirror/ledger/rows.ts';
import type { StoredUnit } from '../../../../src/mirror/ledger/upkeep/stored-units.ts';

/** The unit as the ledger has it when none before it ends as late. */
export function storedUnit(unit: LedgerUnit): StoredUnit {
  return { ...unit, header: { ...unit.header, place: unit.header.consensusEnd } };
}
