import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { stateTable } from '../fold/tables.ts';

/** What a snapshot tells of one account. */
export interface StatedSnapshot {
  readonly account: EntityId;
  /** Tinybars; null when only tokens are told. */
  readonly balance: bigint | null;
  readonly timestamp: ConsensusTimestamp;
  readonly tokens: readonly { readonly token: EntityId; readonly balance: bigint }[];
  /** Whether requests find the time: that of a snapshot in which the account only is need not be one. */
  readonly isTime: boolean;
}

interface HbarSnapshot {
  readonly account: bigint;
  readonly at: bigint;
  readonly balance: bigint;
}

interface TokenSnapshot {
  readonly account: bigint;
  readonly token: bigint;
  readonly at: bigint;
  /** Null once the account gave the token up. */
  readonly balance: bigint | null;
}

interface SnapshotTime {
  readonly at: bigint;
  /** 1 when no row from before the window counts. */
  readonly isWindowed: bigint;
  /** Rows before it are from before a gap and count no more. */
  readonly knownFrom: bigint;
}

/** Tinybars of an account at the time of a snapshot; the row of the newest snapshot counts until the next. */
export const HBAR_SNAPSHOT = stateTable<HbarSnapshot>(
  'balance_snapshot',
  { account: 'account_id', at: 'consensus_ts' },
  { balance: 'balance' },
);

/** The same of a token that an account holds. */
export const TOKEN_SNAPSHOT = stateTable<TokenSnapshot>(
  'token_balance_snapshot',
  { account: 'account_id', token: 'token_id', at: 'consensus_ts' },
  { balance: 'balance' },
);

/** The times that requests with a time find. */
export const SNAPSHOT_TIME = stateTable<SnapshotTime>(
  'balance_snapshot_time',
  { at: 'consensus_ts' },
  { isWindowed: 'is_windowed', knownFrom: 'known_from' },
);
