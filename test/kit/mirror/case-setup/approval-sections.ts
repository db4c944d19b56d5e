import type { AirdropChange } from '../../../../src/mirror/ledger/facets/airdrops.ts';
import type { AllowanceGrant } from '../../../../src/mirror/ledger/facets/allowances.ts';
import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import {
  type CaseRow,
  type CaseSetup,
  id,
  integer,
  integerOrNull,
  section,
  text,
  timeRange,
} from './case-row.ts';

/** Sections `cryptoAllowances`, `tokenAllowances`, `nftAllowances` and `tokenAirdrops`: rows of now. */
export function approvalSections(setup: CaseSetup): FixtureRows {
  const current = (name: string) => section(setup, name).filter((row) => timeRange(row, 0n).upper === null);
  return {
    allowances: [
      ...current('cryptoAllowances').map((row) => allowance(row, 'hbar')),
      ...current('tokenAllowances').map((row) => allowance(row, 'token')),
      ...current('nftAllowances').map((row) => allowance(row, 'nft')),
    ],
    airdrops: current('tokenAirdrops').map(airdrop),
  };
}

function allowance(row: CaseRow, kind: AllowanceGrant['kind']): AllowanceGrant {
  const isForAll = row['approved_for_all'] === false ? 0n : 1n;
  return {
    is: 'grant',
    kind,
    owner: id(row, 'owner', 1000n),
    spender: id(row, 'spender', 2000n),
    token: kind === 'hbar' ? null : id(row, 'token_id', 3000n),
    amount: kind === 'nft' ? isForAll : integer(row, 'amount', 0n),
    granted: kind === 'nft' ? isForAll : integer(row, 'amount_granted', 0n),
    timestamp: consensusTimestamp(timeRange(row, 0n).lower),
  };
}

function airdrop(row: CaseRow): AirdropChange {
  const state = (text(row, 'state', 'PENDING') ?? 'PENDING').toLowerCase();
  return {
    sender: id(row, 'sender_account_id'),
    receiver: id(row, 'receiver_account_id'),
    token: id(row, 'token_id'),
    serial: integer(row, 'serial_number', 0n),
    amount: integerOrNull(row, 'amount', null),
    state: state === 'claimed' || state === 'cancelled' ? state : 'pending',
    timestamp: consensusTimestamp(timeRange(row, 0n).lower),
  };
}
