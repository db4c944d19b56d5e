import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { FixtureRows } from '../../ledger/fixture-unit.ts';
import type { BalanceStatement } from '../../ledger/rows.ts';
import { type CaseRow, type CaseSetup, id, integer, section } from './case-row.ts';

/** Section `balances`. */
export function balanceSections(setup: CaseSetup): FixtureRows {
  return { balances: section(setup, 'balances').map(balanceSnapshot) };
}

function balanceSnapshot(row: CaseRow): BalanceStatement {
  return {
    account: id(row, 'id'),
    balance: integer(row, 'balance', 0n),
    timestamp: consensusTimestamp(integer(row, 'timestamp', 0n)),
  };
}
