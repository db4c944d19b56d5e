import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { type LedgerEvent, timestamp } from './ledger-item.ts';
import { type LedgerWorld, moved, type WorldScene, type WorldSchedule } from './ledger-world.ts';

const VALID_SECONDS = 1800n;
const [ED25519_LENGTH, PREFIX_LENGTH] = [64, 6];

/** A transfer that waits for signatures, with any of the settings. */
export const createSchedule: WorldScene = (world, at) => {
  const creator = world.citizen();
  const to = creator === null ? null : world.otherCitizen(creator.num);
  const other = world.citizen();
  if (creator === null || to === null || other === null) return [];
  const { context } = world;
  const { account } = context;
  const num = context.create('schedule');
  const payer = context.once(3) ? other.num : creator.num;
  const amount = context.amount(10_000);
  const body = {
    cryptoTransfer: {
      transfers: { accountAmounts: moved(context, [creator.num, -amount], [to.num, amount]) },
    },
  };
  const base = world.event(at, creator.num, {}, { signatures: signatures(world) });
  const scheduleID = context.schedule(num);
  const id = {
    accountID: account(creator.num),
    transactionValidStart: timestamp(base.validStart),
    scheduled: true,
  };
  const creation = {
    ...base,
    data: {
      scheduleCreate: {
        scheduledTransactionBody: { transactionFee: 100_000_000n, ...body },
        memo: context.once(2) ? `due ${num}` : '',
        ...(world.chance() ? { adminKey: world.key() } : {}),
        ...(payer === creator.num ? {} : { payerAccountID: account(payer) }),
        ...(context.once(2) ? { expirationTime: { seconds: at / 1_000_000_000n + VALID_SECONDS } } : {}),
        waitForExpiry: context.once(5),
      },
    },
    receipt: { scheduleID, scheduledTransactionID: id },
  };
  world.schedules.add({ num, creation, body, payer, to: to.num, amount, id });
  if (!context.once(5)) return [creation];
  // The same again is told its name, and makes nothing.
  const same = world.event(at + 1n, creator.num, creation.data, {
    status: RESULT.IDENTICAL_SCHEDULE_ALREADY_CREATED,
    receipt: { scheduleID, scheduledTransactionID: id },
  });
  return [creation, same];
};

export const signSchedule: WorldScene = (world, at) => {
  const schedule = world.schedules.draw(world.random);
  const signer = world.citizen();
  if (schedule === null || signer === null) return [];
  return [signing(world, at, schedule, signer.num)];
};

/** Executed with the last signature, as a record of its own; some fail. */
export const executeSchedule: WorldScene = (world, at) => {
  const schedule = world.schedules.draw(world.random);
  const signer = world.citizen();
  if (schedule === null || signer === null) return [];
  world.schedules.delete(schedule);
  const { amount, body, creation, to } = schedule;
  const isFailed = world.context.once(4);
  const executed: LedgerEvent = {
    consensus: (at + 1n) as LedgerEvent['consensus'],
    validStart: creation.validStart,
    payer: creation.payer,
    node: creation.node,
    fee: creation.fee,
    scheduled: true,
    status: isFailed ? RESULT.INSUFFICIENT_ACCOUNT_BALANCE : creation.status,
    data: body,
    transfers: isFailed
      ? []
      : [
          [creation.payer, -amount],
          [to, amount],
        ],
    record: { scheduleRef: world.context.schedule(schedule.num) },
  };
  return [signing(world, at, schedule, signer.num), executed];
};

export const deleteSchedule: WorldScene = (world, at) => {
  const hasKey = ({ creation: { data } }: WorldSchedule) =>
    (data['scheduleCreate'] as MessageObject)['adminKey'] !== undefined;
  const schedule = world.schedules.drawWhere(world.random, hasKey);
  if (schedule === null) return [];
  world.schedules.delete(schedule);
  const scheduleDelete = { scheduleID: world.context.schedule(schedule.num) };
  return [world.event(at, schedule.creation.payer, { scheduleDelete })];
};

function signing(world: LedgerWorld, at: bigint, schedule: WorldSchedule, signer: bigint): LedgerEvent {
  const scheduleSign = { scheduleID: world.context.schedule(schedule.num) };
  return world.event(
    at,
    signer,
    { scheduleSign },
    {
      signatures: signatures(world),
      receipt: { scheduledTransactionID: schedule.id },
    },
  );
}

/** One to three, of both kinds of keys. */
function signatures(world: LedgerWorld): readonly MessageObject[] {
  return Array.from({ length: 1 + world.random.below(3) }, () => {
    const bytes = world.random.bytes(ED25519_LENGTH);
    const pubKeyPrefix = world.random.bytes(PREFIX_LENGTH);
    return world.chance() ? { pubKeyPrefix, ed25519: bytes } : { pubKeyPrefix, ECDSASecp256k1: bytes };
  });
}
