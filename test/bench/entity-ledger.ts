import { fixtureTransaction, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { EntityChange, LedgerTransaction, LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import {
  accountNum,
  entityCounts,
  keyOf,
  SECOND,
  STREAM_START,
  tokenNum,
  topicNum,
} from './entity-numbers.ts';
import { entityState } from './entity-state.ts';

const UNIT_SIZE = 6000;
/** Of six transactions one mints, the others are messages. */
const CYCLE = 6;
const MINTED_AT_ONCE = 5;
const METADATA = new TextEncoder().encode(
  'ipfs://bafkreigh2akiscaildcqabsyg3dfr6chu3fgpregiymsck7e7aqa4s52zy',
);
const MESSAGE = new TextEncoder().encode(
  'a message of an ordinary length, as applications write them to topics of theirs',
);
const RUNNING_HASH = new Uint8Array(48).fill(7);

/**
 * A ledger of every kind of row: `size` NFTs and messages, a tenth as many accounts, a hundredth as many tokens.
 *
 * The first account holds, approves, sends and creates more than all others, the first NFT of the large collection
 * changes its owner again and again, the first topic takes four of five messages.
 */
export function* entityLedger(size: number): Generator<LedgerUnit> {
  yield* entityState(size);
  const transactions = (size * CYCLE) / MINTED_AT_ONCE;
  const sequences = new Map<bigint, bigint>();
  for (let start = 0; start < transactions; start += UNIT_SIZE) {
    const length = Math.min(UNIT_SIZE, transactions - start);
    const numbers = Array.from({ length }, (_, index) => start + index);
    yield fixtureUnit(`stream-${start}`, {
      transactions: numbers.map((index) => aTransaction(size, index)),
      nfts: numbers.filter(isMint).flatMap((index) => told(size, index)),
      topicMessages: numbers
        .filter((index) => !isMint(index))
        .map((index) => aMessage(size, index, sequences)),
      entityChanges: numbers.filter((index) => index % 50 === 2).map((index) => aChange(size, index)),
    });
  }
}

/** Token, serial number and owner of the NFT with this index: half of all belong to one collection. */
export function nftAt(size: number, index: number): { token: bigint; serial: bigint; owner: bigint } {
  const { accounts, collections, large } = entityCounts(size);
  const owner = index % 10 === 3 ? accountNum(0) : accountNum((index * 7919) % accounts);
  if (index % 2 === 0) return { token: tokenNum(1), serial: BigInt(index / 2 + 1), owner };
  const place = (index - 1) / 2;
  return {
    token: tokenNum(3 + 2 * (place % collections)),
    serial: BigInt(Math.floor(place / collections) + 1),
    owner: place < large ? owner : accountNum(place % accounts),
  };
}

function isMint(index: number): boolean {
  return index % CYCLE === 0;
}

function timeAt(index: number) {
  return consensusTimestamp(STREAM_START + BigInt(index) * SECOND);
}

function minted(size: number, index: number) {
  const first = (index / CYCLE) * MINTED_AT_ONCE;
  return Array.from({ length: MINTED_AT_ONCE }, (_, place) => nftAt(size, first + place));
}

function aTransaction(size: number, index: number): LedgerTransaction {
  const { accounts } = entityCounts(size);
  const payer = entityId(accountNum((index * 31) % accounts));
  const receiver = entityId(accountNum((index * 17 + 5) % accounts));
  const rewarded = index % 100 === 13 ? accountNum(0) : accountNum((index * 3) % accounts);
  const moves = isMint(index)
    ? minted(size, index).map(({ owner, serial, token }) => ({
        token: entityId(token),
        sender: null,
        receiver: entityId(owner),
        serial,
        isApproval: false,
      }))
    : [];
  const isTransfer = index % 60 === 7;
  const again = {
    token: entityId(tokenNum(1)),
    sender: entityId(accountNum(0)),
    receiver: entityId(accountNum(0)),
    serial: 1n,
    isApproval: false,
  };
  return fixtureTransaction({
    consensusTimestamp: timeAt(index),
    payer,
    node: entityId(3n),
    type: isMint(index) ? TYPE.TOKENMINT : isTransfer ? TYPE.CRYPTOTRANSFER : TYPE.CONSENSUSSUBMITMESSAGE,
    entityId: isMint(index) ? entityId(tokenNum(1)) : null,
    chargedFee: 100_000n,
    transfers: [
      { account: payer, amount: -100_000n, isApproval: false },
      { account: receiver, amount: 100_000n, isApproval: false },
    ],
    nftTransfers: isTransfer ? [again] : moves,
    stakingRewards: index % 10 === 3 ? [{ account: entityId(rewarded), amount: 12_345n }] : [],
  });
}

/** Metadata when they are minted, and the approval of one in ten in the next transaction. */
function told(size: number, index: number) {
  const { accounts } = entityCounts(size);
  return minted(size, index).flatMap(({ owner, serial, token }, place) => {
    const nft = { kind: 'change' as const, token: entityId(token), serial };
    const made = { ...nft, consensusTimestamp: timeAt(index), isCreated: true, metadata: METADATA };
    const spender = entityId(accountNum((index / CYCLE) % Math.min(accounts, 1000)));
    const approved = { ...nft, consensusTimestamp: timeAt(index + 1), account: entityId(owner), spender };
    return (index / CYCLE + place) % 10 === 3 ? [made, approved] : [made];
  });
}

function aMessage(size: number, index: number, sequences: Map<bigint, bigint>) {
  const { topics } = entityCounts(size);
  const topic = index % 5 === 0 ? topicNum((index * 13) % topics) : topicNum(0);
  const sequenceNumber = (sequences.get(topic) ?? 0n) + 1n;
  sequences.set(topic, sequenceNumber);
  return {
    consensusTimestamp: timeAt(index),
    topic: entityId(topic),
    sequenceNumber,
    payer: entityId(accountNum(index % 1000)),
    chunk: null,
    runningHash: RUNNING_HASH,
    runningHashVersion: 3n,
    message: MESSAGE,
  };
}

function aChange(size: number, index: number): EntityChange {
  const { accounts } = entityCounts(size);
  const turn = (index - 2) / 50;
  const entity = turn % 10 === 0 ? accountNum(0) : accountNum((turn * 11) % accounts);
  return {
    entity: entityId(entity),
    type: 'ACCOUNT',
    changedTimestamp: timeAt(index),
    memo: `changed ${index}`,
    key: keyOf(index),
  };
}
