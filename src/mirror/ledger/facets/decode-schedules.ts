import type { EntityId } from '../../../values/entity-id.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import { accountId, type ResolveAlias, scheduleId, timestampOf } from '../../items/ledger-ids.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { DecodedUnit } from './facet.ts';
import type { CreatedSchedule, ScheduleChange } from './schedules.ts';

/** Field number of the scheduled body, which is kept as its original bytes. */
const SCHEDULED_BODY = 1;
const NO_BODY = new Uint8Array();

/**
 * The schedules that the items of a unit create, and those that they are the execution of.
 *
 * @see contracts/mirror-entities.md section 11.1, step 5, and section 11.7
 */
export function scheduleChanges({ isSuccessful, items, resolveAt }: DecodedUnit): readonly ScheduleChange[] {
  const changes: ScheduleChange[] = [];
  for (const item of items) {
    const { consensusTimestamp, record, type } = item;
    if (record.scheduleRef !== null) {
      const schedule = scheduleId(record.scheduleRef);
      if (schedule !== null) changes.push({ schedule, executedTimestamp: consensusTimestamp });
    }
    if (type !== TYPE.SCHEDULECREATE || !isSuccessful(item)) continue;
    const resolve = resolveAt(item);
    const created = createdSchedule(item, ethereumSender(item, items, resolve), resolve);
    if (created !== null) changes.push(created);
  }
  return changes;
}

function createdSchedule(
  { body, bodyBytes, consensusTimestamp, record, type }: DecodedItem,
  sender: EntityId | null,
  resolve: ResolveAlias,
): CreatedSchedule | null {
  const creation = body.scheduleCreate;
  const schedule = scheduleId(record.receipt?.scheduleID ?? null);
  const id = body.transactionID ?? record.transactionID;
  const creator = sender ?? accountId(id?.accountID ?? null, resolve);
  if (creation === null || schedule === null || creator === null) return null;
  const data = rawField(bodyBytes, type);
  return {
    schedule,
    consensusTimestamp,
    creator,
    payer: accountId(creation.payerAccountID, resolve) ?? creator,
    expirationTime: timestampOf(creation.expirationTime),
    waitsForExpiry: creation.waitForExpiry,
    body: (data === null ? null : rawField(data, SCHEDULED_BODY)) ?? NO_BODY,
    executedTimestamp: null,
  };
}

/** Who signed the Ethereum transaction that an item is a child of; null for others. */
function ethereumSender(
  { parentConsensusTimestamp: parentAt }: DecodedItem,
  items: readonly DecodedItem[],
  resolve: ResolveAlias,
): EntityId | null {
  if (parentAt === null) return null;
  const parent = items.find(({ consensusTimestamp }) => consensusTimestamp === parentAt);
  if (parent?.type !== TYPE.ETHEREUMTRANSACTION) return null;
  const { contractCallResult, contractCreateResult } = parent.record;
  return accountId((contractCreateResult ?? contractCallResult)?.senderId ?? null, resolve);
}
