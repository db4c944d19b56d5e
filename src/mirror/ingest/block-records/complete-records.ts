import { keccak256 } from '../../../values/keccak256.ts';
import { FieldWalk, rawField } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { contractResult } from './contract-result.ts';
import { ContractTraces, readEvmTrace, readSubmittedMessage } from './contract-traces.ts';
import { airdropKeyOf, entityKey, int64Field, readEntity } from './entity-bytes.ts';
import { EVM_RESULT, PENDING_AIRDROP } from './field-numbers.ts';
import type { BlockTransaction, ReadTransactions } from './read-transactions.ts';
import { movedSerials, RunningValues, supplyChange } from './running-values.ts';
import { type Outputs, readOutputs } from './transaction-outputs.ts';
import { NO_MEMBERS, type RecordMembers } from './write-record.ts';

/** What transactions have beside their results, and what traces tell of contracts. */
interface CompletedRecords {
  readonly membersOf: (transaction: BlockTransaction) => RecordMembers;
  readonly contracts: ContractTraces;
  /** What no real block has shown so far, for people. */
  readonly notes: readonly string[];
}

type Members = Partial<RecordMembers>;

/** Members of the types' own parts of bodies. */
const ACCOUNT_ALIAS = 18;
const UPDATED_ACCOUNT = 2;
const UPDATED_DELEGATION = 21;
const CONTRACT = 1;
const TOPIC = 1;
const EVM_ADDRESS_LENGTH = 20;
/** Types that need more than their result. Any type may have an output. */
const NEED_MORE: ReadonlySet<number> = new Set([
  TYPE.CRYPTOCREATEACCOUNT,
  TYPE.CRYPTOUPDATEACCOUNT,
  TYPE.CONTRACTUPDATEINSTANCE,
  TYPE.CONTRACTDELETEINSTANCE,
  TYPE.ETHEREUMTRANSACTION,
  TYPE.FILECREATE,
  TYPE.CONSENSUSCREATETOPIC,
  TYPE.CONSENSUSSUBMITMESSAGE,
  TYPE.TOKENCREATION,
  TYPE.TOKENMINT,
  TYPE.TOKENBURN,
  TYPE.TOKENWIPE,
  TYPE.TOKENAIRDROP,
  TYPE.SCHEDULECREATE,
  TYPE.NODECREATE,
  TYPE.REGISTEREDNODECREATE,
]);

/**
 * Finds what the results of a block do not tell: ids of what was created, supplies, numbers of messages, results of
 * contracts. The block is worked off from its end, since state changes tell how it was afterwards.
 *
 * @see contracts/streams.md sections 9.4 and 9.7
 */
export function completeRecords({ stateChanges, transactions }: ReadTransactions): CompletedRecords {
  const notes = new Set<string>();
  const found = new Map<BlockTransaction, RecordMembers>();
  const running = new RunningValues(stateChanges.map(({ bytes }) => bytes));
  const contracts = new ContractTraces();
  for (const transaction of transactions.toReversed()) {
    const { outputs, signed, traces } = transaction;
    if (outputs.length + traces.length === 0 && !NEED_MORE.has(signed.type)) continue;
    const told = readOutputs(outputs, signed.type, (text) => notes.add(text));
    const created = told.evm === null ? null : createdContractOf(transaction, told.evm);
    const { random, schedule, scheduledTransaction } = told;
    // A spread of so many members takes ten times as long.
    const members = Object.assign(
      { ...NO_MEMBERS },
      { random, schedule, scheduledTransaction },
      contractMembers(transaction, told, created),
      transaction.isSuccessful ? successMembers(transaction, told, running) : null,
    );
    found.set(transaction, members);
    contracts.add(transaction, told, created);
  }
  contracts.finish(transactions);
  return { membersOf: (transaction) => found.get(transaction) ?? NO_MEMBERS, contracts, notes: [...notes] };
}

function successMembers(transaction: BlockTransaction, told: Outputs, running: RunningValues): Members {
  const { data, type } = transaction.signed;
  const { group } = transaction;
  switch (type) {
    case TYPE.CRYPTOCREATEACCOUNT:
      return createdAccount(transaction, told);
    case TYPE.CRYPTOUPDATEACCOUNT:
      return updatedAccount(transaction);
    case TYPE.CONTRACTUPDATEINSTANCE:
    case TYPE.CONTRACTDELETEINSTANCE:
      return { contract: numbered(rawField(data, CONTRACT), transaction) };
    case TYPE.FILECREATE:
      return { file: group.state.files.takeLargest()?.bytes ?? null };
    case TYPE.CONSENSUSCREATETOPIC:
      return { topic: group.state.topics.takeLargest()?.bytes ?? null };
    case TYPE.CONSENSUSSUBMITMESSAGE:
      return submittedMessage(transaction, running);
    case TYPE.TOKENCREATION:
      return createdToken(transaction, running);
    case TYPE.TOKENMINT:
    case TYPE.TOKENBURN:
    case TYPE.TOKENWIPE:
      return changedSupply(transaction, running);
    case TYPE.TOKENAIRDROP:
      return { pendingAirdrops: pendingAirdrops(transaction) };
    case TYPE.SCHEDULECREATE:
      return told.schedule === null ? { schedule: group.state.schedules.takeLargest()?.bytes ?? null } : {};
    case TYPE.NODECREATE:
      return { node: group.state.nodes.takeLargest()?.number ?? null };
    case TYPE.REGISTEREDNODECREATE:
      return { registeredNode: group.state.registeredNodes.takeLargest()?.number ?? null };
    default:
      return {};
  }
}

function createdAccount({ group, signed }: BlockTransaction, { account }: Outputs): Members {
  const alias = rawField(signed.data, ACCOUNT_ALIAS);
  const hasAlias = alias !== null && alias.length > 0;
  return {
    account: account ?? (hasAlias ? group.state.accountWithAlias(alias) : null),
    evmAddress: alias?.length === EVM_ADDRESS_LENGTH ? alias : null,
  };
}

/** Who set the delegation counted its nonce, of which no record tells. @see contracts/mirror-contracts.md section 11.3 */
function updatedAccount(transaction: BlockTransaction): Members {
  const { group, parent, signed } = transaction;
  const account = numbered(rawField(signed.data, UPDATED_ACCOUNT), transaction);
  const isDelegation = parent !== null && (rawField(signed.data, UPDATED_DELEGATION) ?? []).length > 0;
  if (account === null || !isDelegation) return { account };
  return { account, delegationNonce: group.state.accounts.get(entityKey(account))?.nonce ?? null };
}

/** The id with its number: one that a body names by an alias is found in the state. */
function numbered(id: Uint8Array | null, { group }: BlockTransaction): Uint8Array | null {
  if (id === null) return null;
  const { alias } = readEntity(id);
  return alias === null ? id : group.state.accountWithAlias(alias);
}

function createdToken(transaction: BlockTransaction, running: RunningValues): Members {
  const token = transaction.group.state.tokens.takeLargest()?.bytes ?? null;
  return { token, newTotalSupply: token === null ? null : running.supplyAfter(transaction, token, 0n) };
}

function changedSupply(transaction: BlockTransaction, running: RunningValues): Members {
  const { result, signed } = transaction;
  const changed = supplyChange(signed.type, signed.data);
  return {
    newTotalSupply: changed === null ? null : running.supplyAfter(transaction, changed.token, changed.change),
    ...(signed.type === TYPE.TOKENMINT ? { serialNumbers: movedSerials(result) } : {}),
  };
}

function submittedMessage(transaction: BlockTransaction, running: RunningValues): Members {
  const topic = rawField(transaction.signed.data, TOPIC);
  const counted = topic === null ? null : running.lastMessage(transaction, topic);
  const message = readSubmittedMessage(transaction.traces) ?? counted;
  return {
    topicSequenceNumber: message?.sequenceNumber ?? null,
    topicRunningHash: message?.runningHash ?? null,
  };
}

type ContractMembers = Partial<
  Pick<
    RecordMembers,
    'contract' | 'contractCallResult' | 'contractCreateResult' | 'ethereumHash' | 'executedHook'
  >
>;

/** In `EthereumTransactionBody`. */
const ETHEREUM = { data: 1, callDataFile: 2 };

/** The contract that a run created; null when it created none, or failed. */
function createdContractOf(
  { group, isSuccessful }: BlockTransaction,
  evm: NonNullable<Outputs['evm']>,
): Uint8Array | null {
  if (!evm.isCreation || !isSuccessful) return null;
  const told = rawField(evm.result, EVM_RESULT.contract);
  if (told === null) return group.state.contracts.takeLargest()?.bytes ?? null;
  group.state.contracts.claim(readEntity(told).number);
  return told;
}

/** What a run of a contract tells a record. */
function contractMembers(
  transaction: BlockTransaction,
  { evm }: Outputs,
  created: Uint8Array | null,
): ContractMembers {
  const { group, parent, signed, traces } = transaction;
  const ethereumHash = signed.type === TYPE.ETHEREUMTRANSACTION ? hashOfEthereum(signed.data) : null;
  if (evm === null) return { ethereumHash };
  const { logs } = readEvmTrace(traces);
  const { data, type } = signed;
  const run = { result: evm.result, type, data, logs, created, isOutermost: parent === null };
  const result = contractResult(run, group.state);
  return {
    ethereumHash,
    contract: rawField(evm.result, EVM_RESULT.contract) ?? created,
    executedHook: rawField(evm.result, EVM_RESULT.executedHook),
    ...(evm.isCreation ? { contractCreateResult: result } : { contractCallResult: result }),
  };
}

/** Null when the call data lie in a file: then the hash is over more than the body has. */
function hashOfEthereum(body: Uint8Array): Uint8Array | null {
  const data = rawField(body, ETHEREUM.data);
  return data === null || data.length === 0 || rawField(body, ETHEREUM.callDataFile) !== null
    ? null
    : keccak256(data);
}

/** In `TokenAirdropTransactionBody`, `TokenTransferList`, `AccountAmount` and `NftTransfer`. */
const LISTS = 1;
const LIST = { token: 1, transfers: 2, nftTransfers: 3 };
const TRANSFER = { account: 1, amount: 2 };
const NFT = { sender: 1, receiver: 2, serial: 3 };
/** In `PendingAirdropRecord`. */
const RECORD = { id: 1, value: 2 };

/** What a body asks for: who gives what to whom, and how many units; null for an NFT. */
type Asked = ReadonlyMap<string, bigint | null>;

/**
 * The serialized `PendingAirdropRecord`s of an airdrop: rows of the state that it set, since what was delivered at once
 * has none. Each tells how much is pending in all.
 *
 * Rows of other airdrops change with it too, because those of an account are a chain, so only what the body asks for
 * counts. Called from the last transaction of a block to the first.
 *
 * @see contracts/streams.md section 9.2
 */
function pendingAirdrops({ group, signed }: BlockTransaction): readonly Uint8Array[] {
  const { airdrops } = group.state;
  if (airdrops.size === 0) return [];
  const asked = askedBy(signed.data);
  const records: Uint8Array[] = [];
  for (const [key, { amount, id }] of airdrops) {
    const units = asked.get(key);
    if (units === undefined || (amount !== null && amount <= 0n)) continue;
    const value = amount === null ? null : new WireWriter().varint(PENDING_AIRDROP.amount, amount).finish();
    records.push(new WireWriter().delimited(RECORD.id, id).delimited(RECORD.value, value).finish());
    // An airdrop of the same group before this one left so much less.
    if (amount === null || units === null) airdrops.delete(key);
    else airdrops.set(key, { id, amount: amount - units });
  }
  return records;
}

function askedBy(body: Uint8Array): Asked {
  const asked = new Map<string, bigint | null>();
  for (const lists = new FieldWalk(body); lists.next(); ) {
    if (lists.number !== LISTS) continue;
    const token = rawField(lists.bytes, LIST.token);
    const amounts: (readonly [account: Uint8Array | null, amount: bigint])[] = [];
    for (const walk = new FieldWalk(lists.bytes); walk.next(); ) {
      const { bytes, number } = walk;
      if (number === LIST.transfers) {
        amounts.push([rawField(bytes, TRANSFER.account), zigzag(int64Field(bytes, TRANSFER.amount))]);
      } else if (number === LIST.nftTransfers) {
        const [sender, receiver] = [rawField(bytes, NFT.sender), rawField(bytes, NFT.receiver)];
        asked.set(airdropKeyOf(sender, receiver, token, int64Field(bytes, NFT.serial)), null);
      }
    }
    for (const [sender, debit] of amounts) {
      if (debit >= 0n) continue;
      for (const [receiver, units] of amounts) {
        if (units > 0n) asked.set(airdropKeyOf(sender, receiver, token, 0n), units);
      }
    }
  }
  return asked;
}

/** Amounts are `sint64`. */
function zigzag(value: bigint): bigint {
  const bits = BigInt.asUintN(64, value);
  return BigInt.asIntN(64, (bits >> 1n) ^ -(bits & 1n));
}
