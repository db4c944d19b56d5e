import type { AccountWalk } from '../balances/account-walk.ts';

/** Finds accounts and contracts, deleted ones too. */
export interface AccountPages {
  /** Their ids in order. */
  page(walk: AccountWalk): Promise<readonly bigint[]>;
}
