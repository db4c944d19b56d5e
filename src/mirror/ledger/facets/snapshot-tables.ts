import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { column, stateTable } from '../../../values/stored-tables.ts';

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

/** Tinybars of an account at the time of a snapshot; the row of the newest snapshot counts until the next. */
export const HBAR_SNAPSHOT = stateTable(
  'balance_snapshot',
  { account: 'account_id', at: 'consensus_ts' },
  { balance: column<bigint>('balance') },
);

/** The same of a token that an account holds. */
export const TOKEN_SNAPSHOT = stateTable(
  'token_balance_snapshot',
  { account: 'account_id', token: 'token_id', at: 'consensus_ts' },
  {
    /** Null once the account gave the token up. */
    balance: column<bigint | null>('balance'),
  },
);

/** The times that requests with a time find. */
export const SNAPSHOT_TIME = stateTable(
  'balance_snapshot_time',
  { at: 'consensus_ts' },
  {
    /** 1 when no row from before the window counts. */
    isWindowed: column<bigint>('is_windowed'),
    /** Rows before it are from before a gap and count no more. */
    knownFrom: column<bigint>('known_from'),
  },
);
