import { OWN_MEMBER } from '../../items/own-members.ts';
import { messages } from '../../protobuf/messages.ts';
import type { WireWriter } from '../../protobuf/wire-writer.ts';
import { RESULT_FIELD } from './field-numbers.ts';
import { type BlockTransaction, copyRepeated } from './read-transactions.ts';

type Bytes = Uint8Array | null;

/**
 * What a receipt and a record have beside the members that are copied from the result, of a transaction whose result tells
 * everything: messages as their bytes, null where they are absent.
 */
export const NO_MEMBERS = {
  account: null as Bytes,
  file: null as Bytes,
  contract: null as Bytes,
  topic: null as Bytes,
  topicSequenceNumber: null as bigint | null,
  topicRunningHash: null as Bytes,
  token: null as Bytes,
  newTotalSupply: null as bigint | null,
  schedule: null as Bytes,
  scheduledTransaction: null as Bytes,
  /** Ascending. */
  serialNumbers: [] as readonly bigint[],
  node: null as bigint | null,
  registeredNode: null as bigint | null,
  contractCallResult: null as Bytes,
  contractCreateResult: null as Bytes,
  ethereumHash: null as Bytes,
  random: null as { readonly bytes: Uint8Array } | { readonly number: number } | null,
  evmAddress: null as Bytes,
  /** Serialized `PendingAirdropRecord`. */
  pendingAirdrops: [] as readonly Uint8Array[],
  /** Of the account that got a delegation. */
  delegationNonce: null as bigint | null,
  /** Serialized `HookId` of the hook that ran as the contract. */
  executedHook: null as Bytes,
} as const;

export type RecordMembers = typeof NO_MEMBERS;

const RECEIPT = messages.TransactionReceipt.fields;
const RECORD = messages.TransactionRecord.fields;
const RUNNING_HASH_VERSION = 3;

/**
 * Serializes the `TransactionRecord` that a record file would have of a transaction. What the block has as a message
 * keeps its bytes.
 *
 * @see contracts/streams.md section 9.4
 */
export function writeRecord(
  { result, signed }: BlockTransaction,
  hash: Uint8Array,
  members: RecordMembers,
  writer: WireWriter,
): Uint8Array {
  const receipt = writeReceipt(result.status, members, writer);
  writer
    .delimited(RECORD.receipt, receipt)
    .delimited(RECORD.transactionHash, hash)
    .delimited(RECORD.consensusTimestamp, result.consensusBytes)
    .delimited(RECORD.transactionID, signed.transactionId)
    .delimited(RECORD.memo, signed.memo)
    .rawVarint(RECORD.transactionFee, result.fee)
    .delimited(RECORD.contractCallResult, members.contractCallResult)
    .delimited(RECORD.contractCreateResult, members.contractCreateResult)
    .delimited(RECORD.transferList, result.transferList);
  copyRepeated(result, RESULT_FIELD.tokenTransferLists, writer, RECORD.tokenTransferLists);
  writer.delimited(RECORD.scheduleRef, result.scheduleRef);
  copyRepeated(result, RESULT_FIELD.assessedCustomFees, writer, RECORD.assessedCustomFees);
  copyRepeated(result, RESULT_FIELD.automaticTokenAssociations, writer, RECORD.automaticTokenAssociations);
  writer
    .delimited(RECORD.parentConsensusTimestamp, result.parentBytes)
    .delimited(RECORD.ethereumHash, members.ethereumHash);
  copyRepeated(result, RESULT_FIELD.paidStakingRewards, writer, RECORD.paidStakingRewards);
  if (members.random !== null) {
    if ('bytes' in members.random) writer.delimited(RECORD.prngBytes, members.random.bytes);
    else writer.setVarint(RECORD.prngNumber, members.random.number);
  }
  writer.delimited(RECORD.evmAddress, members.evmAddress);
  for (const airdrop of members.pendingAirdrops) writer.delimited(RECORD.newPendingAirdrops, airdrop);
  writer.rawVarint(RECORD.highVolumePricingMultiplier, result.highVolumeMultiplier);
  if (members.delegationNonce !== null) writer.setVarint(OWN_MEMBER.delegationNonce, members.delegationNonce);
  return writer.delimited(OWN_MEMBER.executedHook, members.executedHook).finish();
}

function writeReceipt(status: number, members: RecordMembers, writer: WireWriter): Uint8Array {
  writer
    .varint(RECEIPT.status, status)
    .delimited(RECEIPT.accountID, members.account)
    .delimited(RECEIPT.fileID, members.file)
    .delimited(RECEIPT.contractID, members.contract)
    .delimited(RECEIPT.topicID, members.topic)
    .varint(RECEIPT.topicSequenceNumber, members.topicSequenceNumber)
    .delimited(RECEIPT.topicRunningHash, members.topicRunningHash)
    .varint(
      RECEIPT.topicRunningHashVersion,
      members.topicSequenceNumber === null ? null : RUNNING_HASH_VERSION,
    )
    .delimited(RECEIPT.tokenID, members.token)
    .varint(RECEIPT.newTotalSupply, members.newTotalSupply)
    .delimited(RECEIPT.scheduleID, members.schedule)
    .delimited(RECEIPT.scheduledTransactionID, members.scheduledTransaction);
  for (const serial of members.serialNumbers) writer.setVarint(RECEIPT.serialNumbers, serial);
  return writer
    .varint(RECEIPT.nodeId, members.node)
    .varint(RECEIPT.registeredNodeId, members.registeredNode)
    .finish();
}
