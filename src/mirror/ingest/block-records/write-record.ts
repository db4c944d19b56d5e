import { OWN_MEMBER } from '../../items/own-members.ts';
import type { WireWriter } from '../../protobuf/wire-writer.ts';
import { RESULT_FIELD } from './field-numbers.ts';
import type { BlockTransaction } from './read-transactions.ts';
import type { RecordMembers } from './record-members.ts';
import { copyRepeated } from './transaction-result.ts';

/** In `TransactionReceipt`. */
const RECEIPT = {
  status: 1,
  account: 2,
  file: 3,
  contract: 4,
  topic: 6,
  topicSequenceNumber: 7,
  topicRunningHash: 8,
  topicRunningHashVersion: 9,
  token: 10,
  newTotalSupply: 11,
  schedule: 12,
  scheduledTransaction: 13,
  serialNumber: 14,
  node: 15,
  registeredNode: 16,
};
/** In `TransactionRecord`. */
const RECORD = {
  receipt: 1,
  hash: 2,
  consensusTimestamp: 3,
  transactionId: 4,
  memo: 5,
  fee: 6,
  contractCallResult: 7,
  contractCreateResult: 8,
  transferList: 10,
  tokenTransferList: 11,
  scheduleRef: 12,
  assessedCustomFee: 13,
  automaticTokenAssociation: 14,
  parentConsensusTimestamp: 15,
  ethereumHash: 17,
  paidStakingReward: 18,
  randomBytes: 19,
  randomNumber: 20,
  evmAddress: 21,
  pendingAirdrop: 22,
  highVolumeMultiplier: 23,
};
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
    .delimited(RECORD.hash, hash)
    .delimited(RECORD.consensusTimestamp, result.consensusBytes)
    .delimited(RECORD.transactionId, signed.transactionId)
    .delimited(RECORD.memo, signed.memo)
    .rawVarint(RECORD.fee, result.fee)
    .delimited(RECORD.contractCallResult, members.contractCallResult)
    .delimited(RECORD.contractCreateResult, members.contractCreateResult)
    .delimited(RECORD.transferList, result.transferList);
  copyRepeated(result, RESULT_FIELD.tokenTransferLists, writer, RECORD.tokenTransferList);
  writer.delimited(RECORD.scheduleRef, result.scheduleRef);
  copyRepeated(result, RESULT_FIELD.assessedCustomFees, writer, RECORD.assessedCustomFee);
  copyRepeated(result, RESULT_FIELD.automaticTokenAssociations, writer, RECORD.automaticTokenAssociation);
  writer
    .delimited(RECORD.parentConsensusTimestamp, result.parentBytes)
    .delimited(RECORD.ethereumHash, members.ethereumHash);
  copyRepeated(result, RESULT_FIELD.paidStakingRewards, writer, RECORD.paidStakingReward);
  if (members.random !== null) {
    if ('bytes' in members.random) writer.delimited(RECORD.randomBytes, members.random.bytes);
    else writer.setVarint(RECORD.randomNumber, members.random.number);
  }
  writer.delimited(RECORD.evmAddress, members.evmAddress);
  for (const airdrop of members.pendingAirdrops) writer.delimited(RECORD.pendingAirdrop, airdrop);
  writer.rawVarint(RECORD.highVolumeMultiplier, result.highVolumeMultiplier);
  if (members.delegationNonce !== null) writer.setVarint(OWN_MEMBER.delegationNonce, members.delegationNonce);
  return writer.delimited(OWN_MEMBER.executedHook, members.executedHook).finish();
}

function writeReceipt(status: number, members: RecordMembers, writer: WireWriter): Uint8Array {
  writer
    .varint(RECEIPT.status, status)
    .delimited(RECEIPT.account, members.account)
    .delimited(RECEIPT.file, members.file)
    .delimited(RECEIPT.contract, members.contract)
    .delimited(RECEIPT.topic, members.topic)
    .varint(RECEIPT.topicSequenceNumber, members.topicSequenceNumber)
    .delimited(RECEIPT.topicRunningHash, members.topicRunningHash)
    .varint(
      RECEIPT.topicRunningHashVersion,
      members.topicSequenceNumber === null ? null : RUNNING_HASH_VERSION,
    )
    .delimited(RECEIPT.token, members.token)
    .varint(RECEIPT.newTotalSupply, members.newTotalSupply)
    .delimited(RECEIPT.schedule, members.schedule)
    .delimited(RECEIPT.scheduledTransaction, members.scheduledTransaction);
  for (const serial of members.serialNumbers) writer.setVarint(RECEIPT.serialNumber, serial);
  return writer
    .varint(RECEIPT.node, members.node)
    .varint(RECEIPT.registeredNode, members.registeredNode)
    .finish();
}
