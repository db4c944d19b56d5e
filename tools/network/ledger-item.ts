import { sha384 } from '../../src/mirror/ingest/sha384.ts';
import type { StreamItem } from '../../src/mirror/items/stream-item.ts';
import { type MessageObject, messages } from '../../src/mirror/protobuf/messages.ts';
import { SYSTEM_ACCOUNT } from '../../src/mirror/vocabulary/system-accounts.ts';
import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import type { WrittenTrace } from './written-traces.ts';

/** Shard and realm of a network. */
export interface NetworkIds {
  readonly shard: bigint;
  readonly realm: bigint;
}

/** What one written transaction is; ids are numbers in the network's shard and realm. */
export interface LedgerEvent {
  readonly consensus: ConsensusTimestamp;
  readonly validStart: ConsensusTimestamp;
  readonly payer: bigint;
  /** Member of the oneof `data` with its contents. */
  readonly data: MessageObject;
  readonly status: number;
  /** Tinybars that the payer is charged, split between the node and account 98. */
  readonly fee: bigint;
  /** Account of the node that submitted it; null for children and system transactions. */
  readonly node: bigint | null;
  /** Transfers besides the fee, by account number. */
  readonly transfers?: readonly (readonly [account: bigint, amount: bigint])[];
  readonly memo?: string;
  readonly nonce?: number;
  readonly parent?: ConsensusTimestamp;
  readonly scheduled?: boolean;
  /** 64 bytes of the payer's Ed25519 key; nobody checks them. Default: not signed. */
  readonly signature?: Uint8Array;
  /** Further pairs of the signature map. */
  readonly signatures?: readonly MessageObject[];
  /** Further members of the receipt and the record. */
  readonly receipt?: MessageObject;
  readonly record?: MessageObject;
  /** A `ContractBytecode` that goes into the sidecar of the record file. */
  readonly bytecode?: MessageObject;
  /** What else goes there; null or absent for nothing. */
  readonly trace?: WrittenTrace | null;
}

const MAX_FEE = 200_000_000n;
const VALID_SECONDS = 120n;
const KEY_PREFIX_LENGTH = 6;

/** Serializes the transaction and its record as a node would. */
export function ledgerItem(event: LedgerEvent, ids: NetworkIds): StreamItem {
  const account = (num: bigint) => accountOf(num, ids);
  const transactionID = transactionIdOf(event, account);
  const signedTransactionBytes = signedTransactionOf(event, account);
  return {
    transaction: messages.Transaction.encode({ signedTransactionBytes }),
    record: messages.TransactionRecord.encode({
      receipt: { status: event.status, ...event.receipt },
      transactionHash: sha384(signedTransactionBytes),
      consensusTimestamp: timestamp(event.consensus),
      transactionID,
      memo: event.memo ?? '',
      transactionFee: event.fee,
      transferList: { accountAmounts: transferList(event, account) },
      ...(event.parent === undefined ? {} : { parentConsensusTimestamp: timestamp(event.parent) }),
      ...event.record,
    }),
  };
}

/** The serialized `SignedTransaction` of an event. */
export function signedTransactionOf(event: LedgerEvent, account: (num: bigint) => MessageObject): Uint8Array {
  const isChild = event.node === null;
  const bodyBytes = messages.TransactionBody.encode({
    transactionID: transactionIdOf(event, account),
    memo: event.memo ?? '',
    ...(isChild
      ? {}
      : {
          nodeAccountID: account(event.node ?? 0n),
          transactionFee: MAX_FEE,
          transactionValidDuration: { seconds: VALID_SECONDS },
        }),
    ...event.data,
  });
  const sigPair =
    event.signature === undefined
      ? []
      : [{ pubKeyPrefix: event.signature.slice(0, KEY_PREFIX_LENGTH), ed25519: event.signature }];
  return messages.SignedTransaction.encode({
    bodyBytes,
    sigMap: { sigPair: [...sigPair, ...(event.signatures ?? [])] },
  });
}

/** The message of an account in a network. */
export function accountOf(accountNum: bigint, { shard, realm }: NetworkIds): MessageObject {
  return { shardNum: shard, realmNum: realm, accountNum };
}

/** The protobuf form of a consensus time. */
export function timestamp(at: ConsensusTimestamp): MessageObject {
  return { seconds: at / 1_000_000_000n, nanos: Number(at % 1_000_000_000n) };
}

function transactionIdOf(event: LedgerEvent, account: (num: bigint) => MessageObject): MessageObject {
  return {
    transactionValidStart: timestamp(event.validStart),
    accountID: account(event.payer),
    nonce: event.nonce ?? 0,
    scheduled: event.scheduled ?? false,
  };
}

/** Sums per account; they add up to zero. */
function transferList(event: LedgerEvent, account: (num: bigint) => MessageObject): readonly MessageObject[] {
  const sums = new Map<bigint, bigint>();
  const add = (num: bigint, amount: bigint) => sums.set(num, (sums.get(num) ?? 0n) + amount);
  for (const [num, amount] of event.transfers ?? []) add(num, amount);
  const nodeShare = event.node === null ? 0n : event.fee / 10n;
  add(event.payer, -event.fee);
  if (event.node !== null) add(event.node, nodeShare);
  add(SYSTEM_ACCOUNT.FEE_COLLECTION, event.fee - nodeShare);
  return [...sums]
    .filter(([, amount]) => amount !== 0n)
    .map(([num, amount]) => ({ accountID: account(num), amount }));
}
