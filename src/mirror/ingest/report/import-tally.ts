import type { CommitOutcome } from '../../ledger/ledger-repository.ts';
import { lacksLedgerId } from '../../ledger/proof-note.ts';
import type { LedgerUnit } from '../../ledger/rows.ts';
import type { ImportReport } from './import-report.ts';

/** Counts what one run does. */
export class ImportTally {
  #units = 0;
  #transactions = 0;
  #skipped: number;
  #rejectedSignatures = 0;
  #missingSidecars = 0;
  #lackingLedgerId = 0;

  /** @param skipped units that the ledger had before the run */
  constructor(skipped: number) {
    this.#skipped = skipped;
  }

  /** Transactions of the stored units. */
  get transactions(): number {
    return this.#transactions;
  }

  get missingSidecars(): number {
    return this.#missingSidecars;
  }

  skip(): void {
    this.#skipped++;
  }

  rejectSignatures(count: number): void {
    this.#rejectedSignatures += count;
  }

  /** Called once the unit is durable. */
  commit(unit: LedgerUnit, outcome: CommitOutcome): void {
    if (outcome !== 'stored') {
      this.#skipped++;
      return;
    }
    this.#units++;
    this.#transactions += unit.transactions.length;
    this.#missingSidecars += unit.sidecars.filter(({ contents }) => contents === null).length;
    if (lacksLedgerId(unit.header.proof ?? null)) this.#lackingLedgerId++;
  }

  counts(): Pick<
    ImportReport,
    'units' | 'transactions' | 'skipped' | 'rejectedSignatures' | 'missingSidecars' | 'lackingLedgerId'
  > {
    return {
      units: this.#units,
      transactions: this.#transactions,
      skipped: this.#skipped,
      rejectedSignatures: this.#rejectedSignatures,
      missingSidecars: this.#missingSidecars,
      lackingLedgerId: this.#lackingLedgerId,
    };
  }
}
