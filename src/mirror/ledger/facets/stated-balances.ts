import { appendTable } from '../../../values/stored-tables.ts';
import type { FoldedUnit, FoldState } from '../fold/fold-state.ts';

/** A balance that a unit states; `token` 0 is hbar. */
interface StatedBalance {
  readonly account: bigint;
  readonly token: bigint;
  readonly timestamp: bigint;
  readonly balance: bigint | null;
}

export const HBAR = 0n;
const STATED_BALANCE = appendTable('stated_balance', 3, [
  'place',
  'account_id',
  'token_id',
  'consensus_ts',
  'balance',
]);

/** Keeps a statement that took effect, for rebuilds. The lines of fixtures are not rebuilt. */
export function keepStatement(
  { place, unit }: Pick<FoldedUnit, 'place' | 'unit'>,
  { account, balance, timestamp, token }: StatedBalance,
  state: FoldState,
): void {
  if (unit.header.kind === 'fixture') return;
  state.append(STATED_BALANCE, [place, account, token, timestamp, balance]);
}
