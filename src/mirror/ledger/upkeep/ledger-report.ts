import { bytes, flag, int64, number, type RecordOf, rowTable, text } from '../../../values/row-table.ts';
import type { UnitHeader, VerificationLevel } from '../rows.ts';

/** A unit as the report tells of it. Texts of closed sets were written by the ledger repository alone. */
export const REPORTED_UNIT = rowTable({
  source: text('source'),
  kind: text<UnitHeader['kind']>('kind'),
  /** Version of the record files; 0 where there is none. */
  version: number('version'),
  verification: text<VerificationLevel>('verification'),
  /** In words what the proofs of blocks showed; null for units without one. */
  proof: text<string | null>('proof'),
  units: number('1 as units'),
  transactions: number('transaction_count'),
  /** Sidecars that the record files name and that are not there. */
  missingSidecars: number(
    '(select count(*) from sidecar s where s.place = u.place and s.contents is null) as missing_sidecars',
  ),
  /** Nanoseconds. */
  first: int64('consensus_start'),
  /** Nanoseconds. */
  last: int64('consensus_end'),
  firstName: text('name'),
});

/** Units that follow each other and are alike in where they come from and how far they were verified. */
export interface UnitRun extends RecordOf<typeof REPORTED_UNIT> {
  readonly lastName: string;
}

/** A ledger id that the imported part holds. */
export const PUBLISHED_ID = rowTable({
  ledgerId: bytes('p.ledger_id'),
  /** Whether signatures proved a unit that holds it. */
  isSigned: flag('p.is_signed'),
});
export type PublishedId = RecordOf<typeof PUBLISHED_ID>;

/** What is stored of the ledger, and where its chain of hashes breaks. */
export interface LedgerContinuity {
  readonly units: number;
  /** Nanoseconds; null in an empty ledger. */
  readonly firstConsensus: bigint | null;
  readonly lastConsensus: bigint | null;
  /** Names of record files that do not name the hash of the unit before them. */
  readonly breaks: readonly string[];
  /** Names of blocks that name another root than that of the wrapped record file before them: those were wrapped anew. */
  readonly unlinked: readonly string[];
}

/**
 * `current`; `older`: what an earlier version imported lacks the kinds of rows that came later; `older-for-good`: the same,
 * and bytes that a rebuild needs were deleted, or never came (fixtures).
 */
export type LedgerDerivation = 'current' | 'older' | 'older-for-good';

/** In words for operators; null when nothing is to be told. */
export function describeDerivation(derivation: LedgerDerivation): string | null {
  if (derivation === 'current') return null;
  const lack =
    'an earlier version imported the older part of the ledger: accounts, tokens, NFTs, approvals, airdrops, topics, schedules, stakes and the storage of contracts lack what it did not derive';
  return derivation === 'older'
    ? `${lack}; "ledgerlens ledger rebuild" derives it`
    : `${lack}; a rebuild cannot derive it without the bytes of deleted transactions and of fixtures, only an import into a new database can`;
}

/** Bytes of a table of the ledger with its indexes. */
export interface TableSize {
  readonly table: string;
  readonly tableBytes: number;
  readonly indexBytes: number;
}

/** What a ledger takes on disk. */
export interface LedgerSize {
  readonly transactions: number;
  /** The largest first. */
  readonly tables: readonly TableSize[];
  /** Bytes of the whole database, with what the other areas keep in it. */
  readonly databaseBytes: number;
  /** Of these, bytes that deleted rows have left and new rows will use. */
  readonly freeBytes: number;
}

/** Tables of the ledger, by name and by the beginnings of their names. */
export const LEDGER_TABLES = new RegExp(
  `^(${[
    'account_tx|address_book.*|airdrop|allowance|assessed_fee|balance_.*|block_tree|contract_(?!deployment).*|custom_fee',
    'entity|entity_.*|ethereum_transaction|file_piece|hook|hook_.*|ledger_.*|network_stake|nft|nft_event|opening_state',
    'node|node_.*|proof_state|rate_.*|registered_node.*|schedule|schedule_signature|sidecar|stake_.*|staking_reward',
    'stated_balance|token|token_.*|told_gas_price|topic_.*|transfer|tx|tx_.*',
  ].join('|')})$`,
);
