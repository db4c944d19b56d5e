import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { lacksLedgerId } from '../../ledger/proof-note.ts';
import type { CommitOutcome, LedgerUnit, VerificationLevel } from '../../ledger/rows.ts';
import type { IngestState } from './ingest-state.ts';

/** How far a run is; called after every unit. */
export interface ImportProgress {
  readonly unitsDone: number;
  readonly unitsTotal: number;
  readonly transactions: number;
  /** Name of the last unit. */
  readonly name: string;
  /** Whether the source continues, so that nobody knows how many units come. */
  readonly isWatched: boolean;
  readonly state: IngestState;
}

/** A unit that was not taken. */
export interface RefusedUnit {
  readonly name: string;
  readonly code: string;
  readonly message: string;
}

/** Units that came too late: a ledger grows at its end alone. */
export interface LeftBehind {
  readonly units: number;
  /** Begin of the first and the last of them. */
  readonly first: ConsensusTimestamp;
  readonly last: ConsensusTimestamp;
}

/** What one run did. */
export interface ImportReport {
  readonly source: string;
  /** Units that were stored. */
  readonly units: number;
  /** Transactions of those units. */
  readonly transactions: number;
  /** Units that the ledger had already. */
  readonly skipped: number;
  /** The unit at which the run stopped; empty when it reached the end. */
  readonly refused: readonly RefusedUnit[];
  /** Signature files that did not count. */
  readonly rejectedSignatures: number;
  /** Sidecars that the stored record files name and the source does not have. */
  readonly missingSidecars: number;
  /** Stored blocks whose proofs count for less because no ledger id is pinned. */
  readonly lackingLedgerId: number;
  /** Units that begin before the end of the ledger and are not in it; null when there is none. */
  readonly leftBehind: LeftBehind | null;
  /** Level of the last stored unit of the ledger; null in an empty one. */
  readonly verification: VerificationLevel | null;
}

/** Counts what one run does. */
export class ImportTally {
  readonly counts = {
    units: 0,
    transactions: 0,
    skipped: 0,
    rejectedSignatures: 0,
    missingSidecars: 0,
    lackingLedgerId: 0,
  };

  /** @param skipped units that the ledger had before the run */
  constructor(skipped: number) {
    this.counts.skipped = skipped;
  }

  /** Called once the unit is durable. */
  commit(unit: LedgerUnit, outcome: CommitOutcome): void {
    const { counts } = this;
    if (outcome !== 'stored') {
      counts.skipped++;
      return;
    }
    counts.units++;
    counts.transactions += unit.transactions.length;
    counts.missingSidecars += unit.sidecars.filter(({ contents }) => contents === null).length;
    if (lacksLedgerId(unit.header.proof ?? null)) counts.lackingLedgerId++;
  }
}
