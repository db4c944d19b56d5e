import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { bareHex } from '../../../values/hex.ts';
import { appendTable, type ColumnValue, column, stateTable } from '../../../values/stored-tables.ts';
import type { DecodedItem } from '../../items/decoded-item.ts';
import {
  base64,
  FixtureFault,
  type FixtureObject,
  flag,
  idIn,
  key,
  objects,
  required,
  text,
  time,
  withoutNulls,
} from '../../items/fixture-members.ts';
import { accountId, type ResolveAlias, scheduleId, timestampOf } from '../../items/ledger-ids.ts';
import { type SignaturePair, signaturePairs } from '../../protobuf/transaction-body.ts';
import { rawField } from '../../protobuf/wire.ts';
import { signatureKind } from '../../vocabulary/signature-kinds.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import type { DecodedUnit, Facet, FixtureContext, FixtureRow } from './facet.ts';

/** A transaction that waits for signatures, as it was created. */
export interface CreatedSchedule {
  readonly schedule: EntityId;
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly creator: EntityId;
  readonly payer: EntityId;
  readonly expirationTime: ConsensusTimestamp | null;
  readonly waitsForExpiry: boolean;
  /** Serialized `SchedulableTransactionBody`. */
  readonly body: Uint8Array;
  /** Null in a stream, where the execution is a transaction of its own. */
  readonly executedTimestamp: ConsensusTimestamp | null;
}

/** The execution of a schedule, also one that failed. */
interface ExecutedSchedule {
  readonly schedule: EntityId;
  readonly executedTimestamp: ConsensusTimestamp;
}

export type ScheduleChange = CreatedSchedule | ExecutedSchedule;

const SCHEDULE = stateTable(
  'schedule',
  { schedule: 'schedule_id' },
  {
    creator: column<bigint>('creator'),
    payer: column<bigint>('payer'),
    at: column<bigint>('consensus_ts'),
    executedAt: column<bigint | null>('executed_ts'),
    expiresAt: column<bigint | null>('expiration_ts'),
    waitsForExpiry: column<ColumnValue>('wait_for_expiry'),
    body: column<Uint8Array>('body'),
  },
);

/**
 * Schedules and when they were executed; memo, key and deletion are settings of their entities.
 * Rows are in the order of the transactions.
 *
 * A schedule that was created before the imported part has no row.
 *
 * @see contracts/mirror-entities.md sections 11.1 and 11.7
 */
export const schedules: Facet<'schedules', ScheduleChange> = {
  name: 'schedules',

  decodeUnit: (unit) => ({ rows: scheduleChanges(unit) }),

  fixture: { kind: 'schedule', read: readScheduleLine },

  touch(unit, keys) {
    for (const { schedule } of unit.schedules) keys.add(SCHEDULE, schedule);
  },

  fold({ unit }, state) {
    if (unit.schedules.length === 0) return;
    const rows = state.rows(SCHEDULE);
    for (const change of unit.schedules) {
      const { executedTimestamp: executedAt, schedule } = change;
      const stored = rows.get(schedule);
      if ('creator' in change) {
        rows.set({
          schedule,
          creator: change.creator,
          payer: change.payer,
          at: change.consensusTimestamp,
          executedAt: executedAt ?? stored?.executedAt ?? null,
          expiresAt: change.expirationTime,
          waitsForExpiry: Number(change.waitsForExpiry),
          body: change.body,
        });
      } else if (stored !== null) rows.set({ ...stored, executedAt });
    }
  },

  rebuild: { replaced: ['schedule'] },
};

/** Field number of the scheduled body, which is kept as its original bytes. */
const SCHEDULED_BODY = 1;
const NO_BODY = new Uint8Array();

/**
 * The schedules that the items of a unit create, and those that they are the execution of.
 *
 * @see contracts/mirror-entities.md section 11.1, step 5, and section 11.7
 */
function scheduleChanges({ isSuccessful, items, resolveAt }: DecodedUnit): readonly ScheduleChange[] {
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

/**
 * Reads the object of `schedules/{scheduleId}`.
 *
 * @see contracts/mirror-entities.md section 9.2
 */
function readScheduleLine(line: FixtureObject, { home }: FixtureContext): FixtureRow<ScheduleChange> {
  const id = idIn(home);
  const schedule = required(line, 'schedule_id', id);
  const creator = required(line, 'creator_account_id', id);
  const created: CreatedSchedule = {
    schedule,
    consensusTimestamp: required(line, 'consensus_timestamp', time),
    creator,
    payer: id(line, 'payer_account_id') ?? creator,
    expirationTime: time(line, 'expiration_time'),
    waitsForExpiry: flag(line, 'wait_for_expiry') ?? false,
    body: base64(line, 'transaction_body') ?? NO_BODY,
    executedTimestamp: time(line, 'executed_timestamp'),
  };
  const told = withoutNulls({
    key: key(line, 'admin_key'),
    isDeleted: flag(line, 'deleted'),
    memo: text(line, 'memo'),
  });
  const entity = { entity: schedule, type: 'SCHEDULE' as const };
  // Nothing is told of an entity that nobody knows: all three are null then.
  const isEntityTold = Object.keys(told).length > 0;
  return {
    rows: [created],
    ...(isEntityTold
      ? {
          entities: [
            { ...entity, alias: null, evmAddress: null, createdTimestamp: created.consensusTimestamp },
          ],
          entityChanges: [
            {
              ...entity,
              ...told,
            },
          ],
        }
      : {}),
    others: {
      scheduleSignatures: objects(line, 'signatures').map((each) => readSignature(each, schedule)),
    },
  };
}

function readSignature(row: FixtureObject, schedule: EntityId): ScheduleSignature {
  const name = required(row, 'type', text);
  const type = signatureKind(name);
  if (type === null) {
    throw new FixtureFault(
      `"type" must be CONTRACT, ED25519, RSA_3072, ECDSA_384, ECDSA_SECP256K1 or UNKNOWN, not "${name.slice(0, 80)}"`,
    );
  }
  return {
    schedule,
    consensusTimestamp: required(row, 'consensus_timestamp', time),
    prefix: required(row, 'public_key_prefix', base64),
    signature: required(row, 'signature', base64),
    type,
  };
}

/** A signature that a schedule got with its creation or later. */
export interface ScheduleSignature extends SignaturePair {
  readonly schedule: EntityId;
  readonly consensusTimestamp: ConsensusTimestamp;
}

const SCHEDULE_SIGNATURE = appendTable('schedule_signature', 2, [
  'consensus_ts',
  'seq',
  'schedule_id',
  'type',
  'public_key_prefix',
  'signature',
]);

/**
 * Signatures of schedules; they go with their transactions. Rows are in the order of these.
 *
 * @see contracts/mirror-entities.md section 11.7
 */
export const scheduleSignatures: Facet<'scheduleSignatures', ScheduleSignature> = {
  name: 'scheduleSignatures',

  decode: { types: [TYPE.SCHEDULECREATE, TYPE.SCHEDULESIGN], rows: signaturesOf },

  unitTables: [
    {
      table: SCHEDULE_SIGNATURE,
      addRows(unit, add) {
        const counts = new Map<bigint, number>();
        for (const { consensusTimestamp: at, prefix, schedule, signature, type } of unit.scheduleSignatures) {
          const seq = counts.get(at) ?? 0;
          counts.set(at, seq + 1);
          add([at, seq, schedule, type, prefix, signature]);
        }
      },
    },
  ],
};

/** Of several with one prefix the first one counts. */
function signaturesOf({ body, consensusTimestamp, item, record }: DecodedItem): readonly ScheduleSignature[] {
  const schedule = scheduleId(
    body.scheduleSign === null ? (record.receipt?.scheduleID ?? null) : body.scheduleSign.scheduleID,
  );
  if (schedule === null) return [];
  const firsts = new Map<string, SignaturePair>();
  for (const pair of signaturePairs(item.transaction)) {
    const prefix = bareHex(pair.prefix);
    if (!firsts.has(prefix)) firsts.set(prefix, pair);
  }
  return [...firsts.values()].map((pair) => ({ ...pair, schedule, consensusTimestamp }));
}
