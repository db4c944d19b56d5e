import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { SidecarRecord } from '../../items/sidecar-record.ts';
import type { StreamItem } from '../../items/stream-item.ts';
import type { ChainEnd } from '../../ledger/chain-end.ts';
import type { UnitProof } from '../../ledger/facets/block-proofs.ts';
import type { OpeningState } from '../../ledger/facets/opening-state.ts';
import type { NodeKeys } from '../../ledger/ledger-repository.ts';
import type {
  LedgerUnit,
  StatedBalances,
  UnitHeader,
  UnitSidecar,
  VerificationLevel,
} from '../../ledger/rows.ts';
import type { LedgerGaps } from '../../ledger/upkeep/ledger-gaps.sql.ts';
import type { IngestError } from '../errors.ts';
import type { LedgerTrust } from './ledger-trust.ts';

/** What a source must prove. @see contracts/streams.md section 5, modes */
export type VerifyMode = 'signatures' | 'strict' | 'chain' | 'none';

/** A share of all nodes as numerator and denominator. */
export type ConsensusRatio = readonly [numerator: bigint, denominator: bigint];

/** What a unit has to prove, and against what. */
export interface UnitDemands {
  readonly mode: VerifyMode;
  readonly consensusRatio: ConsensusRatio;
  /** Keys of the nodes at the unit's time; null when no address book is known. */
  readonly keys: NodeKeys | null;
  /** The last accepted record file or block; null before the first. */
  readonly previous: ChainEnd | null;
  /** What proofs of blocks are checked with. Default: nothing is known. */
  readonly trust?: LedgerTrust;
  /** Whether the unit may leave its proof to be checked before it is stored, or by that of a unit after it. Default no. */
  readonly mayProveLater?: boolean;
  /** Gaps over which the operator lets the chain go on. Default: none. */
  readonly gaps?: Pick<LedgerGaps, 'accepts'>;
  /** Called with what did not count: a signature, a copy. The node is empty where nobody knows it. */
  readonly onRejected?: (node: string, code: string) => void;
}

/**
 * One link of a ledger's stream, of whatever format: a record file with its signatures, a block with its proof.
 *
 * It reads of itself what it needs when it is asked to verify itself, so that a source may list units that nobody has
 * fetched yet.
 *
 * @see docs/adr/0019-imports.md
 */
export interface StreamUnit {
  /** Its begin; the units of a source are in the order of it. */
  readonly instant: ConsensusTimestamp;
  readonly name: string;
  /** Of a block, as it says itself; absent where it tells none before it is read. */
  readonly blockNumber?: bigint;
  /** False where only something beside it, such as a signature, says that there is such a unit. */
  readonly isThere: boolean;
  /**
   * Begins with what takes long, before its turn. What is demanded then may differ from what is now; nothing is decided,
   * nothing is thrown, and who never verifies it leaves nothing behind.
   *
   * A source gives units that have it ahead of their turn.
   */
  prepare?(demands: Pick<UnitDemands, 'mode' | 'trust'>): void;
  /**
   * Proves what is demanded and reads what the unit holds.
   *
   * @throws IngestError with a code of contracts/streams.md section 15; nothing of the unit may then be stored.
   */
  verify(demands: UnitDemands): Promise<VerifiedUnit>;
  /** For a unit that is not there: whether anything proves it. */
  absence(demands: UnitDemands): Promise<Absence>;
  /**
   * What it says it follows, unverified: for the operator who asks where an import would stop.
   *
   * @param previous the end of the chain: a unit that joins it in another way than by its hash, such as the first
   *   native block after a record file, tells that hash
   * @returns null when it begins a stream.
   * @throws IngestError when it cannot be read.
   */
  previousHash(previous: ChainEnd | null): Promise<Uint8Array | null>;
  /**
   * Where its intact copies say that it stands in the chain, unverified; absent where its number tells that. A copy is read
   * when it is asked for, and once: another look at the source gives another unit.
   */
  links?(): AsyncIterable<UnitLink>;
}

/** Where a record file says that it stands. */
export interface UnitLink {
  /** What the file after it names as previous. */
  readonly hash: Uint8Array;
  /** Null when it begins a stream. */
  readonly previousHash: Uint8Array | null;
  /** Null where the file does not tell it. */
  readonly blockNumber: bigint | null;
}

/** How far a block is proven. */
export interface ProvenLevel {
  readonly level: VerificationLevel;
  /** In words what the proof showed; null where the mode asks for none. */
  readonly note: string | null;
  /** For the proofs of later blocks; null where the mode asks for none. */
  readonly proof: UnitProof | null;
  /** Whether the ledger id is pinned and its proof cannot be checked: another copy of it may have one that can. */
  readonly isUncheckable?: boolean;
}

/** A unit that passed every check its mode asks for: the bytes that it holds, or the rows that it tells. */
export type VerifiedUnit = VerifiedItems | VerifiedRows;

interface VerifiedParts {
  /** What the unit tells of itself; source, times and count are added when it is stored. */
  readonly header: Omit<UnitHeader, 'source' | 'consensusStart' | 'consensusEnd' | 'count'>;
  readonly sidecars: readonly UnitSidecar[];
  /** The roots of all blocks before it; null when they are not all known. @see ChainEnd */
  readonly tree: Uint8Array | null;
  /** Of a block: the root that it names as that of the block before it. */
  readonly followedRoot?: Uint8Array;
  /** What the proof of a native block showed, for the proofs of later ones. */
  readonly proof?: UnitProof | null;
  /** @see ProvenLevel */
  readonly isUncheckable?: boolean;
  /**
   * Checks the proof that it left for later, which also binds the units before it; nothing of it is stored before.
   *
   * @throws IngestError what verifying it would have thrown.
   */
  readonly proveLater?: (() => Promise<ProvenLevel>) | undefined;
  /** Signature files that did not count although the unit is proven. */
  readonly rejectedSignatures: readonly RejectedSignature[];
}

/** A unit of bytes, which are decoded and kept: rows can be rebuilt of them. */
export interface VerifiedItems extends VerifiedParts {
  readonly items: readonly StreamItem[];
  /** What those sidecars tell that are there. */
  readonly sidecarRecords: readonly SidecarRecord[];
  /** What the first block of a network states beside the items. */
  readonly openingState?: readonly OpeningState[];
  /** What a block tells of balances beside the items. */
  readonly stated?: StatedBalances;
  /** What nobody has met so far, for the log: each is told once. */
  readonly notes?: readonly string[];
}

/** A unit of another mirror's answers: nobody has the bytes. */
export interface VerifiedRows extends VerifiedParts {
  /** Its first and last time, which a block tells although it may have no transactions. */
  readonly span: { readonly from: ConsensusTimestamp; readonly to: ConsensusTimestamp };
  readonly rows: Omit<LedgerUnit, 'header' | 'sidecars' | 'tree'>;
}

/** A signature that does not count. */
export interface RejectedSignature {
  readonly file: string;
  readonly code: string;
  readonly message: string;
}

/** What is known of a unit that is not there. */
export interface Absence {
  /** Why the stream cannot go on without it; null when nothing proves that there is such a unit. */
  readonly error: IngestError | null;
  /** Why it is left out when nothing proves it, for people. */
  readonly reason: string;
  readonly rejections: readonly { readonly node: string; readonly code: string }[];
}
