import type { CreatedSchedule, ScheduleSignature } from '../../../../src/mirror/ledger/facets/schedules.ts';
import type { FixtureRows } from '../../../../src/mirror/ledger/fixture-unit.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { bytesOf, type CaseRow, type CaseSetup, id, integer, section, text, timeOrNull } from './case-row.ts';

const USUAL_ACCOUNT = 1024n;

/** Sections `schedules` and `transactionsignatures`. */
export function scheduleSections(setup: CaseSetup): FixtureRows {
  return {
    schedules: section(setup, 'schedules').map(schedule),
    scheduleSignatures: section(setup, 'transactionsignatures').map(signature),
  };
}

function schedule(row: CaseRow): CreatedSchedule {
  return {
    schedule: id(row, 'schedule_id'),
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp')),
    creator: id(row, 'creator_account_id', USUAL_ACCOUNT),
    payer: id(row, 'payer_account_id', USUAL_ACCOUNT),
    expirationTime: timeOrNull(row, 'expiration_time'),
    waitsForExpiry: row['wait_for_expiry'] === true,
    body: bytesOf(text(row, 'transaction_body', '010102020303') ?? ''),
    executedTimestamp: timeOrNull(row, 'executed_timestamp'),
  };
}

function signature(row: CaseRow): ScheduleSignature {
  return {
    schedule: id(row, 'entity_id'),
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp')),
    prefix: bytesOf(text(row, 'public_key_prefix', '') ?? ''),
    signature: bytesOf(text(row, 'signature', '') ?? ''),
    type: Number(integer(row, 'type')),
  };
}
