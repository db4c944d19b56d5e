/** What was deleted, so far or in the end. */
export interface PruneReport {
  readonly transactions: number;
  readonly units: number;
}

export interface PruneOptions {
  /** Called after every batch. */
  readonly progress?: (done: PruneReport) => void;
  /** Ends after the batch in hand. */
  readonly signal?: AbortSignal;
}

/** Deletes what is older than an operator wants to keep. */
export interface LedgerRetention {
  /**
   * Deletes the units that end more than `days` before the end of the newest one, in small batches.
   *
   * The newest unit always stays. Balances with their snapshots, address books, stakes, system files, accounts and
   * contracts stay, with the code that lay in deleted transactions. The next call goes on when one was interrupted.
   *
   * @see contracts/mirror-storage.md section 5 rule 5
   */
  prune(days: number, options?: PruneOptions): Promise<PruneReport>;
  /** Whether transactions were ever deleted. */
  hasPruned(): Promise<boolean>;
}
