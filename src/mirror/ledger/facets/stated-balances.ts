import type { FoldState } from '../fold/fold-state.ts';
import { appendTable } from '../fold/tables.ts';
import type { UnitHeader } from '../rows.ts';

/** A balance that a unit states; `token` 0 is hbar. */
interface StatedBalance {
  readonly account: bigint;
  readonly token: bigint;
  readonly isOpening: boolean;
  readonly timestamp: bigint;
  readonly balance: bigint | null;
}

export const HBAR = 0n;
const STATED_BALANCE = appendTable('stated_balance', 3, [
  'consensus_end',
  'account_id',
  'token_id',
  'is_opening',
  'consensus_ts',
  'balance',
]);

/** Keeps a statement that took effect, for rebuilds. The lines of fixtures are not rebuilt. */
export function keepStatement(
  { consensusEnd, kind }: UnitHeader,
  { account, balance, isOpening, timestamp, token }: StatedBalance,
  state: FoldState,
): void {
  if (kind === 'fixture') return;
  state.append(STATED_BALANCE, [consensusEnd, account, token, isOpening ? 1n : 0n, timestamp, balance]);
}
