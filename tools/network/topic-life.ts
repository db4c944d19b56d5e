import { createHash } from 'node:crypto';
import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { type LedgerEvent, timestamp } from './ledger-item.ts';
import type { LedgerWorld, WorldScene, WorldTopic } from './ledger-world.ts';

const HASH_LENGTH = 48;
const HASH_VERSION = 3n;
const MAX_CHUNKS = 4;
const AUTO_RENEW = { seconds: 7_776_000n };
const KEPT_TOPICS = 3;

/** With keys, fees and accounts that are exempt of them, each now and then. */
export const openTopic: WorldScene = (world, at) => {
  const creator = world.citizen();
  if (creator === null) return [];
  const { context } = world;
  const { account } = context;
  const num = context.create('topic');
  const amount = context.amount(500);
  const fee = context.once(3) ? { amount, collector: creator.num } : null;
  world.topics.add({ num, sequence: 0n, runningHash: new Uint8Array(HASH_LENGTH), fee });
  const consensusCreateTopic = {
    memo: context.once(2) ? `topic ${num}` : '',
    adminKey: world.key(),
    autoRenewAccount: account(creator.num),
    autoRenewPeriod: AUTO_RENEW,
    ...(context.once(3) ? { submitKey: world.key() } : {}),
    ...(world.chance() ? { feeScheduleKey: world.key(), feeExemptKeyList: exempt(world) } : {}),
    ...(fee === null ? {} : { customFees: [feeMessage(world, fee)] }),
  };
  return [
    world.event(at, creator.num, { consensusCreateTopic }, { receipt: { topicID: context.topic(num) } }),
  ];
};

/** What is not given stays; empty lists clear. */
export const changeTopic: WorldScene = (world, at) => {
  const topic = world.topics.draw(world.random);
  const payer = world.citizen();
  if (topic === null || payer === null) return [];
  const { context } = world;
  const changesFees = context.once(3);
  if (changesFees) topic.fee = world.chance() ? { amount: 9n, collector: payer.num } : null;
  const consensusUpdateTopic = {
    topicID: context.topic(topic.num),
    ...(world.chance() ? { memo: { value: `changed ${world.random.below(100)}` } } : {}),
    ...(context.once(3) ? { submitKey: world.chance() ? world.key() : { keyList: {} } } : {}),
    ...(context.once(3) ? { feeExemptKeyList: { keys: world.chance() ? exempt(world) : [] } } : {}),
    ...(changesFees
      ? { customFees: { fees: topic.fee === null ? [] : [feeMessage(world, topic.fee)] } }
      : {}),
  };
  return [world.event(at, payer.num, { consensusUpdateTopic })];
};

export const closeTopic: WorldScene = (world, at) => {
  if (world.topics.size <= KEPT_TOPICS) return [];
  const topic = world.topics.draw(world.random);
  const payer = world.citizen();
  if (topic === null || payer === null) return [];
  world.topics.delete(topic);
  const consensusDeleteTopic = { topicID: world.context.topic(topic.num) };
  return [world.event(at, payer.num, { consensusDeleteTopic })];
};

/** One message, or one that comes in several chunks. */
export const submitMessage: WorldScene = (world, at) => {
  const topic = world.topics.draw(world.random);
  const payer = world.citizen();
  if (topic === null || payer === null) return [];
  const total = world.context.once(4) ? 2 + world.random.below(MAX_CHUNKS - 1) : 1;
  const events: LedgerEvent[] = [];
  for (let number = 1; number <= total; number++) {
    const first = events[0];
    events.push(chunk(world, topic, at + BigInt(number - 1), payer.num, { first, number, total }));
  }
  return events;
};

function chunk(
  world: LedgerWorld,
  topic: WorldTopic,
  at: bigint,
  payer: bigint,
  {
    first,
    number,
    total,
  }: { readonly first: LedgerEvent | undefined; readonly number: number; readonly total: number },
): LedgerEvent {
  const { context, random } = world;
  const { account } = context;
  const topicID = context.topic(topic.num);
  const message = random.bytes(1 + random.below(60));
  const base = world.event(at, payer, {});
  const { validStart } = first ?? base;
  const initialTransactionID = { accountID: account(payer), transactionValidStart: timestamp(validStart) };
  const chunkInfo =
    total > 1 || context.once(6) ? { chunkInfo: { initialTransactionID, number, total } } : {};
  topic.sequence += 1n;
  // Not the layout of a network, which nothing here checks, but each follows from the one before it.
  topic.runningHash = createHash('sha384')
    .update(topic.runningHash)
    .update(`${topic.num}:${topic.sequence}:${at}`)
    .update(message)
    .digest();
  const { fee } = topic;
  const isCharged = fee !== null && fee.collector !== payer;
  return {
    ...base,
    data: { consensusSubmitMessage: { topicID, message, ...chunkInfo } },
    receipt: {
      topicSequenceNumber: topic.sequence,
      topicRunningHash: topic.runningHash,
      topicRunningHashVersion: HASH_VERSION,
    },
    ...(isCharged
      ? {
          transfers: [
            [payer, -fee.amount],
            [fee.collector, fee.amount],
          ],
          record: {
            assessedCustomFees: [
              {
                amount: fee.amount,
                feeCollectorAccountId: account(fee.collector),
                effectivePayerAccountId: [account(payer)],
              },
            ],
          },
        }
      : {}),
  };
}

function exempt(world: LedgerWorld): readonly MessageObject[] {
  return Array.from({ length: 1 + world.random.below(2) }, () => world.key());
}

function feeMessage(
  { context }: LedgerWorld,
  { amount, collector }: NonNullable<WorldTopic['fee']>,
): MessageObject {
  return { fixedFee: { amount }, feeCollectorAccountId: context.account(collector) };
}
