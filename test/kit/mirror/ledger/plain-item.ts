import { dataFieldNumber } from '../../../../src/mirror/items/body-data.ts';
import type { StreamItem } from '../../../../src/mirror/items/stream-item.ts';
import { type MessageObject, type MessageValue, messages } from '../../../../src/mirror/protobuf/messages.ts';
import { bodyOf, signedTransactionOf } from '../../../../src/mirror/protobuf/transaction-body.ts';

/** One transaction with its record as plain data, read apart from everything that imports use. */
export interface PlainItem {
  readonly at: bigint;
  readonly parent: bigint | null;
  readonly type: number;
  readonly status: number;
  readonly payer: bigint;
  /** The part of the body that belongs to its type. */
  readonly data: MessageObject;
  readonly record: MessageObject;
  readonly receipt: MessageObject;
  readonly signatures: readonly MessageObject[];
}

const NONE: MessageObject = {};

export function plainItem(item: StreamItem): PlainItem {
  const bodyBytes = bodyOf(item.transaction);
  const body = messages.TransactionBody.decodePlain(bodyBytes);
  const record = messages.TransactionRecord.decodePlain(item.record);
  const receipt = part(record, 'receipt');
  const signed = signedTransactionOf(item.transaction);
  const sigMap = signed === null ? NONE : part(messages.SignedTransaction.decodePlain(signed), 'sigMap');
  const type = dataFieldNumber(bodyBytes);
  const parent = record['parentConsensusTimestamp'];
  return {
    at: nanos(part(record, 'consensusTimestamp')),
    parent: parent == null ? null : nanos(parent as MessageObject),
    type,
    status: Number(receipt['status'] ?? 0),
    payer: id(part(body, 'transactionID')['accountID']) ?? 0n,
    data: part(body, DATA_MEMBERS.get(type) ?? ''),
    record,
    receipt,
    signatures: list(sigMap, 'sigPair'),
  };
}

/** A message inside another; empty when it is absent. */
export function part(message: MessageObject, member: string): MessageObject {
  return (message[member] as MessageObject | undefined | null) ?? NONE;
}

export function list(message: MessageObject, member: string): readonly MessageObject[] {
  return (message[member] as readonly MessageObject[] | undefined | null) ?? [];
}

/** Number of an account, token, topic or schedule in shard and realm 0; null when it is absent or 0. */
export function id(value: MessageValue | undefined): bigint | null {
  if (value == null) return null;
  const message = value as MessageObject;
  const number =
    message['accountNum'] ??
    message['contractNum'] ??
    message['tokenNum'] ??
    message['topicNum'] ??
    message['scheduleNum'] ??
    0n;
  return number === 0n ? null : (number as bigint);
}

export function int(message: MessageObject, member: string): bigint {
  return BigInt((message[member] as bigint | number | undefined | null) ?? 0n);
}

export function text(message: MessageObject, member: string): string {
  return (message[member] as string | undefined | null) ?? '';
}

/** Integers of a repeated member. */
export function ints(message: MessageObject, member: string): readonly bigint[] {
  return (message[member] as readonly bigint[] | undefined | null) ?? [];
}

export function hex(value: MessageValue | undefined): string {
  return Buffer.from((value as Uint8Array | undefined | null) ?? []).toString('hex');
}

export function nanos(time: MessageObject): bigint {
  return int(time, 'seconds') * 1_000_000_000n + int(time, 'nanos');
}

/** Members of `TransactionBody.data` that the replay reads, by their number. */
const DATA_MEMBERS: ReadonlyMap<number, string> = new Map([
  [8, 'contractCreateInstance'],
  [9, 'contractUpdateInstance'],
  [11, 'cryptoCreateAccount'],
  [12, 'cryptoDelete'],
  [14, 'cryptoTransfer'],
  [15, 'cryptoUpdateAccount'],
  [22, 'contractDeleteInstance'],
  [24, 'consensusCreateTopic'],
  [25, 'consensusUpdateTopic'],
  [27, 'consensusSubmitMessage'],
  [29, 'tokenCreation'],
  [31, 'tokenFreeze'],
  [32, 'tokenUnfreeze'],
  [33, 'tokenGrantKyc'],
  [34, 'tokenRevokeKyc'],
  [35, 'tokenDeletion'],
  [36, 'tokenUpdate'],
  [37, 'tokenMint'],
  [38, 'tokenBurn'],
  [39, 'tokenWipe'],
  [40, 'tokenAssociate'],
  [41, 'tokenDissociate'],
  [42, 'scheduleCreate'],
  [43, 'scheduleDelete'],
  [44, 'scheduleSign'],
  [45, 'tokenFeeScheduleUpdate'],
  [46, 'tokenPause'],
  [47, 'tokenUnpause'],
  [48, 'cryptoApproveAllowance'],
  [49, 'cryptoDeleteAllowance'],
  [51, 'nodeStakeUpdate'],
  [53, 'tokenUpdateNfts'],
  [58, 'tokenAirdrop'],
  [59, 'tokenCancelAirdrop'],
  [60, 'tokenClaimAirdrop'],
]);
