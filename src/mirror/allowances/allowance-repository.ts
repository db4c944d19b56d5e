import type { AccountFilter } from '../parameters/account-filter.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';
import type { PartConditions, TwoPartConditions } from '../parameters/two-part-key.ts';

/** An approval of all NFTs of a token that is in force. */
export interface Approval {
  readonly owner: bigint;
  readonly spender: bigint;
  readonly token: bigint;
  /** Nanoseconds. */
  readonly since: bigint;
}

/** An approved amount that is not used up. */
export interface Allowance extends Approval {
  /** 0 for hbar. */
  readonly token: bigint;
  /** What is left. */
  readonly amount: bigint;
  readonly granted: bigint;
}

interface Selection extends PageRequest {
  readonly account: bigint;
}

/** By spender. */
export interface HbarSelection extends Selection {
  /** Null for all. */
  readonly spenders: AccountFilter | null;
}

/** By spender and token. */
export interface TokenSelection extends Selection {
  readonly conditions: TwoPartConditions;
}

/** By the other account and token. */
export interface ApprovalSelection extends Selection {
  /** Whether the account owns or spends. */
  readonly side: 'owner' | 'spender';
  /** On the other account and the token. */
  readonly conditions: readonly PartConditions[];
}

/** Reads the approvals of an account that are in force. */
export interface AllowanceRepository {
  hbar(selection: HbarSelection): Promise<readonly Allowance[]>;
  tokens(selection: TokenSelection): Promise<readonly Allowance[]>;
  nfts(selection: ApprovalSelection): Promise<readonly Approval[]>;
}
