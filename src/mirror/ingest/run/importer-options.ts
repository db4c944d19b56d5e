import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { ProofOptions } from '../units/ledger-trust.ts';
import type { NamedBytes } from '../units/stream-source.ts';
import type { ConsensusRatio, VerifyMode } from '../units/stream-unit.ts';

export interface ImporterOptions {
  /** What the source must prove. Default `signatures`. */
  readonly verify?: VerifyMode;
  /** Share of all nodes, by stake when known, that must agree. Default 1/3; 0 needs one signature. */
  readonly consensusRatio?: ConsensusRatio;
  /** Reads the address book that the operator vouches for, used while the ledger has none. Default null: the source's. */
  readonly addressBook?: (() => Promise<NamedBytes>) | null;
  /**
   * Whether units far behind the present share a commit, which is faster but holds the write lock for some tenths of a
   * second. A server has other writers: they should wait for single commits alone. Default true.
   */
  readonly sharesCommits?: boolean;
  /**
   * Begin of the first unit to import, nanoseconds; a ledger that is further continues where it is. `now` is the time at
   * which an importer of a watched source is made, for an empty ledger; it means nothing elsewhere. Default: all.
   */
  readonly start?: ConsensusTimestamp | 'now' | null;
  /** Units that begin later are left; a source that has reached it is finished. Default: none. */
  readonly end?: ConsensusTimestamp | null;
  /** What the operator fixes about block proofs. Default: nothing is pinned, and generation 1 gives `chain`. */
  readonly proofs?: ProofOptions;
  /** Shard of the network's system files. Default 0n. */
  readonly shard?: bigint;
  /** Realm of the network's system files. Default 0n. */
  readonly realm?: bigint;
}
