import { setImmediate } from 'node:timers/promises';
import { apiVersionOf } from '../../items/network-version.ts';
import type { LedgerRepository } from '../../ledger/ledger-repository.ts';
import type { AddressBook, StoredUnitHeader } from '../../ledger/rows.ts';
import type { StateRebuild } from '../../ledger/upkeep/state-rebuild.ts';
import type { StoredUnits } from '../../ledger/upkeep/stored-units.sql.ts';
import type { StoredUnit } from '../../ledger/upkeep/stored-units.ts';
import { assembleAddressBooks } from '../decode/assemble-address-books.ts';
import { decodeUnit } from '../decode/decode-unit.ts';
import type { LedgerLookup } from '../decode/known-entities.ts';
import { withOpening } from '../decode/opening-rows.ts';
import { recordsInSidecars } from '../sidecar/verified-sidecars.ts';

export interface RebuildDependencies {
  readonly units: StoredUnits;
  /** What the ledger knew before a time; rows of later units must not help an earlier one. */
  readonly lookupBefore: (time: bigint) => LedgerLookup;
  readonly fileContents: LedgerRepository['fileContents'];
  /** Null when the state cannot be made of the stored transactions alone. */
  readonly state: StateRebuild | null;
  readonly progress?: (progress: RebuildProgress) => void;
}

/** How far a rebuild is. */
export interface RebuildProgress {
  readonly unitsDone: number;
  readonly unitsTotal: number;
  readonly transactions: number;
  readonly name: string;
}

/** What was done. */
interface RebuildReport {
  readonly units: number;
  readonly transactions: number;
  /** Units without the bytes of their transactions, left as they were. */
  readonly left: number;
  readonly isStateRebuilt: boolean;
}

/**
 * Derives the rows and prepared answers of every stored unit once more from the bytes that came.
 *
 * Each unit is rewritten in one commit, so that readers see it before or after and an interrupted run leaves a
 * ledger that is right. State is put in place at the end, together.
 *
 * @throws IngestError `malformed` when stored bytes cannot be decoded.
 * @see contracts/mirror-storage.md section 5 rule 3
 */
export async function rebuildLedger(dependencies: RebuildDependencies): Promise<RebuildReport> {
  const { state, units } = dependencies;
  return deriveLedger(dependencies, {
    unit: (unit) => units.rewrite(unit),
    unreadable: (_name, error) => {
      if (error !== null) throw error;
    },
    end: async () => (await state?.replace()) !== 'ledger-went-on',
  });
}

/** Where stored rows are not what the stored bytes give. */
interface RowDifference {
  /** Null: the state of the ledger, which is derived of all units. */
  readonly unit: string | null;
  readonly tables: readonly string[];
}

/** What was compared. */
interface RowComparison extends Omit<RebuildReport, 'isStateRebuilt'> {
  /** Whether the state was compared too; not where bytes are missing, or a server goes on importing meanwhile. */
  readonly isOfState: boolean;
  /** The first ones. */
  readonly differences: readonly RowDifference[];
}

/** Further ones are not reported. */
const MAX_DIFFERENCES = 20;
/** How often the state is compared with a ledger that goes on. */
const MAX_TRIES = 3;

/**
 * Derives the rows of every stored unit and the state of the ledger from the bytes that came, and compares them with what is
 * stored. Nothing is changed.
 */
export async function compareLedger(dependencies: RebuildDependencies): Promise<RowComparison> {
  const { state, units } = dependencies;
  const differences: RowDifference[] = [];
  const note = (unit: string | null, tables: readonly string[]): void => {
    if (tables.length > 0 && differences.length < MAX_DIFFERENCES) differences.push({ unit, tables });
  };
  let [isOfState, tries] = [false, 0];
  const { isStateRebuilt: _, ...report } = await deriveLedger(dependencies, {
    unit: async (unit) => note(unit.header.name, await units.differences(unit)),
    unreadable: (name) => note(name, ['tx_source']),
    end: async () => {
      const found = (await state?.differences()) ?? null;
      tries += 1;
      if (found === null) return tries === MAX_TRIES;
      isOfState = true;
      note(null, found);
      return true;
    },
  });
  return { ...report, isOfState, differences };
}

/** What is done with what was derived. */
interface DerivedUse {
  unit(unit: StoredUnit): Promise<void>;
  /** The stored bytes of a unit cannot be decoded, or, with null for the error, some of them are gone. */
  unreadable(name: string, error: unknown): void;
  /** Once all units and the state are derived. @returns false when there are more units by now. */
  end(): Promise<boolean>;
}

async function deriveLedger(dependencies: RebuildDependencies, use: DerivedUse): Promise<RebuildReport> {
  const { progress, state, units } = dependencies;
  let [done, transactions, left] = [0, 0, 0];
  let unitsTotal = await units.count();
  let isStateRebuilt = false;
  for (let last: StoredUnitHeader | null = null; ; ) {
    const header: StoredUnitHeader | null = await units.next(last?.place ?? null);
    if (header === null) {
      // A server may have imported more in the meantime.
      isStateRebuilt = state !== null && left === 0 && (await use.end());
      if (isStateRebuilt || state === null || left > 0) break;
      unitsTotal = await units.count();
      continue;
    }
    // What the ledger knew: the transactions of a unit may be earlier than the end of the one before.
    const knownTo = last === null ? header.consensusStart : last.place + 1n;
    last = header;
    const unit = await decodeStored(header, knownTo, dependencies).catch((error: unknown) => {
      use.unreadable(header.name, error);
      return 'undecodable' as const;
    });
    if (unit === null && header.kind !== 'fixture') use.unreadable(header.name, null);
    if (unit === null || unit === 'undecodable') left++;
    else {
      await use.unit(unit);
      await state?.add(unit);
      transactions += unit.transactions.length;
    }
    done++;
    progress?.({ unitsDone: done, unitsTotal, transactions, name: header.name });
    await setImmediate();
  }
  return { units: done - left, transactions, left, isStateRebuilt };
}

/** Null when bytes are missing. */
async function decodeStored(
  header: StoredUnitHeader,
  knownTo: bigint,
  { fileContents, lookupBefore, units }: RebuildDependencies,
): Promise<StoredUnit | null> {
  const items = await units.items(header);
  if (items === null) return null;
  const decoded = await decodeUnit(
    items,
    header.name,
    lookupBefore(knownTo),
    recordsInSidecars(await units.sidecars(header), header.name),
    apiVersionOf(header),
  );
  const rows = withOpening(decoded, await units.openingState(header), header);
  const addressBooks: readonly AddressBook[] = await assembleAddressBooks(rows.filePieces, (num, at) =>
    fileContents(num, at, header.place),
  );
  const stated = await units.statedBalances(header);
  return { ...rows, ...stated, header, addressBooks, sidecars: [], tree: null };
}
