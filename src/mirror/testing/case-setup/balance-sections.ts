import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { FixtureRows } from '../../ledger/fixture-unit.ts';
import type { BalanceStatement } from '../../ledger/rows.ts';
import { type CaseRow, type CaseSetup, id, integer, integerOrNull, section } from './case-row.ts';

/** Section `balances`, and the balances of the sections `accounts` and `entities`. */
export function balanceSections(setup: CaseSetup): FixtureRows {
  return {
    balances: [
      ...[...section(setup, 'accounts'), ...section(setup, 'entities')].flatMap(accountBalance),
      ...section(setup, 'balances').map(balanceSnapshot),
    ],
  };
}

function accountBalance(row: CaseRow): readonly BalanceStatement[] {
  const balance = integerOrNull(row, 'balance', null);
  if (balance === null) return [];
  const timestamp = integerOrNull(row, 'balance_timestamp', null) ?? 0n;
  const account = row['num'] === undefined ? id(row, 'id') : id(row, 'num');
  return [{ account, balance, timestamp: consensusTimestamp(timestamp) }];
}

function balanceSnapshot(row: CaseRow): BalanceStatement {
  return {
    account: id(row, 'id'),
    balance: integer(row, 'balance', 0n),
    timestamp: consensusTimestamp(integer(row, 'timestamp', 0n)),
  };
}
