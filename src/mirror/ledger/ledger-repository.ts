import type { ConsensusTimestamp } from '../../values/consensus-timestamp.ts';
import { int64, type RecordOf, rowTable, text } from '../../values/row-table.ts';
import type { ChainEnd } from './chain-end.ts';
import type { FileVersion } from './files/file-repository.ts';
import type { KnownTrust } from './known-trust.ts';
import type { LedgerUnit, StoredUnitHeader } from './rows.ts';

/** What became of a unit. */
export type CommitOutcome = 'stored' | 'already-stored';

/**
 * The write side of the ledger, used by ingestion alone.
 *
 * @see contracts/mirror-storage.md section 5
 */
export interface LedgerRepository {
  /** The newest stored unit, from which an import continues; null in an empty ledger. */
  lastUnit(): Promise<StoredUnitHeader | null>;
  /** The newest record file or block, which the next one must follow; null before the first. */
  chainEnd(): Promise<ChainEnd | null>;
  /** Keeps the root of the block that a stored record file, known by its hash, is wrapped in, in place of one kept before. */
  keepRoot(hash: Uint8Array, root: Uint8Array): Promise<void>;
  /** What the stored units told of keys and ids that proofs of blocks are checked with. */
  knownTrust(): Promise<KnownTrust>;
  /**
   * Those of the times at which no stored unit of a stream begins.
   *
   * Times before what retention deleted are not told: nobody knows any more.
   */
  unknownStarts(times: readonly ConsensusTimestamp[]): Promise<readonly ConsensusTimestamp[]>;
  /** Those of the times at which a transaction is stored. */
  storedTimes(times: readonly ConsensusTimestamp[]): Promise<readonly ConsensusTimestamp[]>;
  /** The newest record files and blocks, the newest first. */
  recentUnits(count: number): Promise<readonly StoredUnitHeader[]>;
  /** Hash of the record file or block of a number; null where there is none. */
  hashOfBlock(blockNumber: bigint): Promise<Uint8Array | null>;
  /** Whether a record file or block with this hash is stored. */
  hasUnit(hash: Uint8Array): Promise<boolean>;
  /** Whether a unit was made of a file with this SHA-384. */
  hasFile(fileHash: Uint8Array): Promise<boolean>;
  /**
   * Stores units and everything derived from them in one commit: all or none.
   *
   * A unit that ends at or before the last stored one is left alone.
   *
   * @param units in the order of time
   * @returns what became of each
   * @throws LedgerlensError `duplicate_conflict` when a stored consensus timestamp has another hash, `balance_mismatch`
   * when the state of a block has another balance than the transfers.
   */
  commitUnits(units: readonly LedgerUnit[]): Promise<readonly CommitOutcome[]>;
  /** The same for one unit. */
  commitUnit(unit: LedgerUnit): Promise<CommitOutcome>;
  /**
   * What a unit that comes next and begins at `timestamp` is checked with: the book of file 102 that is valid then, with the
   * newest stake of each node (0n when none). What record files and blocks told is valid already, whatever its time, and
   * what is told later in the chain takes its place.
   *
   * @param isStored for a unit that was taken already and holds the time: what was told before it in the chain
   */
  nodeKeysAt(timestamp: ConsensusTimestamp, isStored?: boolean): Promise<NodeKeys | null>;
  /**
   * The pieces of a system file that belong to its newest version at or before `timestamp`, joined.
   *
   * @param before a place: as the units before it left the file to what a unit there does at `timestamp`, whatever
   * their times; `MAX_INT64` for a unit that comes next
   */
  fileContents(
    fileNum: bigint,
    timestamp: ConsensusTimestamp,
    before?: bigint,
  ): Promise<Pick<FileVersion, 'contents' | 'isTold'> | null>;
}

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
