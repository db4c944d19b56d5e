import type { StoredUnit } from './stored-units.ts';

/** Builds the state of a ledger anew beside the one that is served, and puts it in its place at the end. */
export interface StateRebuild {
  /** Called with every unit, in order. */
  add(unit: StoredUnit): Promise<void>;
  /**
   * The tables in which the state of the ledger is not what was built of all its units; null when units were stored behind the
   * last one that was added. Only reads.
   */
  differences(): Promise<readonly string[] | null>;
  /** Replaces the state of the ledger in one commit, unless units were stored behind the last one that was added. */
  replace(): Promise<'replaced' | 'ledger-went-on'>;
  /** Forgets what was built. May be called twice. */
  close(): Promise<void>;
}
