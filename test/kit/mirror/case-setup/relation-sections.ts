import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import type { FreezeStatus, KycStatus } from '../../../../src/mirror/ledger/rows.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import {
  type CaseRow,
  type CaseSetup,
  id,
  integerOrNull,
  section,
  timeOrNull,
  timeRange,
} from './case-row.ts';

const FREEZE: readonly FreezeStatus[] = ['NOT_APPLICABLE', 'FROZEN', 'UNFROZEN'];
const KYC: readonly KycStatus[] = ['NOT_APPLICABLE', 'GRANTED', 'REVOKED'];
const BEGINNING = consensusTimestamp(0n);

/** Section `tokenaccounts`; nothing shows what a relation was before. */
export function relationSections(setup: CaseSetup): FixtureRows {
  return {
    statedRelations: section(setup, 'tokenaccounts')
      .filter((row) => timeRange(row, 0n).upper === null)
      .map((row) => ({
        account: id(row, 'account_id'),
        token: id(row, 'token_id'),
        isAssociated: row['associated'] !== false,
        isAutomatic: row['automatic_association'] === true,
        createdTimestamp:
          row['created_timestamp'] === undefined ? BEGINNING : timeOrNull(row, 'created_timestamp'),
        freezeStatus: status(row, 'freeze_status', FREEZE),
        kycStatus: status(row, 'kyc_status', KYC),
        balance: integerOrNull(row, 'balance', 0n),
        balanceTimestamp:
          row['balance_timestamp'] === undefined ? BEGINNING : timeOrNull(row, 'balance_timestamp'),
      })),
  };
}

function status<Status>(row: CaseRow, name: string, names: readonly Status[]): Status | null {
  const number = integerOrNull(row, name, null);
  return number === null ? null : (names[Number(number)] ?? null);
}
