import { int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { createLedgerRepository } from './ledger-repository.sql.ts';

/** The write side of the ledger, used by ingestion alone. */
export type LedgerRepository = ReturnType<typeof createLedgerRepository>;

/** Completes a repository: one unit is stored as several are. */
export function withCommitUnit(repository: Omit<LedgerRepository, 'commitUnit'>): LedgerRepository {
  return {
    ...repository,
    async commitUnit(unit) {
      const [outcome = 'already-stored'] = await repository.commitUnits([unit]);
      return outcome;
    },
  };
}

/** The signers whose agreement a unit needs. */
export interface NodeKeys {
  readonly nodes: readonly NodeKey[];
}

export const NODE_KEY = rowTable({
  nodeId: int64('e.node_id'),
  nodeAccount: int64<bigint | null>('e.node_account'),
  /** Hex text of a DER SubjectPublicKeyInfo; null when the book has none. */
  publicKey: text<string | null>('e.public_key'),
  /** Tinybars; 0n when no stake update is known. */
  stake: int64('coalesce(s.stake, 0) as stake'),
});
export type NodeKey = RecordOf<typeof NODE_KEY>;
