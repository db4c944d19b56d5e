import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId } from '../../../values/entity-id.ts';
import type { StatedSnapshot } from '../../ledger/facets/snapshot-tables.ts';
import type { FixtureRows } from '../../ledger/fixture-unit.ts';
import { SYSTEM_ACCOUNT } from '../../vocabulary/system-accounts.ts';
import { type CaseRow, type CaseSetup, id, integer, numberedId, rows, section } from './case-row.ts';

/** Sections `balances` and `tokenBalance`: snapshots. */
export function balanceSections(setup: CaseSetup): FixtureRows {
  return {
    statedSnapshots: [
      ...section(setup, 'balances').map(balanceSnapshot),
      ...section(setup, 'tokenBalance').map(tokenSnapshot),
    ],
  };
}

/** As in the reference, the times of snapshots are those of account 2. */
function balanceSnapshot(row: CaseRow): StatedSnapshot {
  const account = numberedId(row, 'id', 'realm_num');
  return {
    account,
    balance: integer(row, 'balance', 0n),
    timestamp: consensusTimestamp(integer(row, 'timestamp', 0n)),
    tokens: rows(row, 'tokens').map((token) => ({
      token: numberedId(token, 'token_num', 'token_realm'),
      balance: integer(token, 'balance'),
    })),
    isTime: decodeEntityId(account).num === SYSTEM_ACCOUNT.TREASURY,
  };
}

function tokenSnapshot(row: CaseRow): StatedSnapshot {
  return {
    account: id(row, 'account_id'),
    balance: null,
    timestamp: consensusTimestamp(integer(row, 'consensus_timestamp', 0n)),
    tokens: [{ token: id(row, 'token_id'), balance: integer(row, 'balance', 0n) }],
    isTime: false,
  };
}
