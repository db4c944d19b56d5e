import { airdropKey, bytesKey, entityKey } from '../../src/mirror/ingest/block-records/entity-bytes.ts';
import { PENDING_AIRDROP, STATE } from '../../src/mirror/ingest/block-records/field-numbers.ts';
import { FieldWalk, rawField } from '../../src/mirror/protobuf/wire.ts';
import { WireWriter } from '../../src/mirror/protobuf/wire-writer.ts';
import { isSuccess } from '../../src/mirror/vocabulary/response-codes.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import type { RecordParts } from './record-parts.ts';
import type { SidecarParts, UsedStorage } from './sidecar-parts.ts';
import {
  accountChange,
  entityChange,
  mapDelete,
  mapUpdate,
  numberedChange,
  tokenRelationChange,
  tokenRelationEnd,
} from './state-change-writer.ts';

/** In `TransferList`, `AccountAmount`, `TokenTransferList` and `NftTransfer`. */
const AMOUNTS = 1;
const AMOUNT = { account: 1, amount: 2 };
const TOKEN_LIST = { token: 1, amount: 2, nft: 3 };
const NFT = { sender: 1, receiver: 2, serial: 3 };
/** Of a row that moves what a former treasury had. */
const ALL_SERIALS = -1n;
/** In the bodies of dissociations, claims and cancellations, in records, and in what is pending there. */
const DISSOCIATION = { account: 1, token: 2 };
const AIRDROPS = 1;
const NEW_AIRDROPS = 22;
const NEW_AIRDROP = { id: 1, value: 2 };
/** Members of `TransactionReceipt`. */
const RECEIPT = {
  account: 2,
  file: 3,
  contract: 4,
  topic: 6,
  topicSequenceNumber: 7,
  topicRunningHash: 8,
  token: 10,
  newTotalSupply: 11,
  schedule: 12,
  node: 15,
  registeredNode: 16,
};
/** Members of `Token`, `Topic` and `Bytecode`. */
const TOKEN_SUPPLY = 5;
const TOPIC = { sequenceNumber: 2, runningHash: 7 };
const CODE = 1;
/** In `SlotKey` and `SlotValue`. */
const SLOT_KEY = { contract: 1, key: 2 };
const SLOT_VALUE = 1;
/** In the bodies of mint, burn, wipe and submit message. */
const FIRST_MEMBER = 1;
const ALIAS = 18;
/** In `ContractFunctionResult`, and in the wrapper of it. */
const EVM_ADDRESS = 9;
const WRAPPED_VALUE = 1;
const EMPTY = new Uint8Array();

/**
 * The state of a ledger that begins with its first transaction, as far as blocks tell it: balances add up from the
 * transfer lists.
 */
export class WrittenState {
  readonly #balances = new Map<string, bigint>();
  readonly #tokens = new Map<string, bigint>();
  readonly #contracts = new Set<string>();
  /** Rows that the group of transactions changed; a later change replaces an earlier one. */
  #changed = new Map<string, () => Uint8Array>();

  /** @param told what the sidecar tells of it */
  apply(parts: RecordParts, { runtimeCode, storage }: SidecarParts): void {
    const { body, receipt, record, status, type } = parts;
    if (isSuccess(status)) this.#created(parts, runtimeCode);
    for (const used of storage) this.#written(used);
    this.#transfers(record.transferList);
    for (const list of record.tokenTransferLists) this.#tokenTransfers(list);
    if (!isSuccess(status)) return;
    const first = rawField(body.data, FIRST_MEMBER);
    if (first !== null && (type === TYPE.TOKENMINT || type === TYPE.TOKENBURN || type === TYPE.TOKENWIPE)) {
      this.#token(first, receipt);
    }
    if (type === TYPE.TOKENASSOCIATE) this.#associated(body.data);
    if (type === TYPE.TOKENDISSOCIATE) this.#dissociated(body.data);
    if (type === TYPE.TOKENAIRDROP) this.#pending(record.bytes);
    if (type === TYPE.TOKENCLAIMAIRDROP || type === TYPE.TOKENCANCELAIRDROP) this.#ended(body.data);
    const sequenceNumber = varint(receipt, RECEIPT.topicSequenceNumber);
    if (first !== null && type === TYPE.CONSENSUSSUBMITMESSAGE && sequenceNumber > 0n) {
      const runningHash = rawField(receipt, RECEIPT.topicRunningHash);
      this.#set(`topic ${entityKey(first)}`, () =>
        entityChange(STATE.topics, first, (writer) =>
          writer.varint(TOPIC.sequenceNumber, sequenceNumber).delimited(TOPIC.runningHash, runningHash),
        ),
      );
    }
  }

  /** What changed since the last call. */
  takeChanges(): readonly Uint8Array[] {
    const changes = [...this.#changed.values()].map((change) => change());
    this.#changed = new Map();
    return changes;
  }

  #created({ body, receipt, record, type }: RecordParts, code: Uint8Array | null): void {
    const created = (member: number) => rawField(receipt, member);
    const [account, contract, file] = [RECEIPT.account, RECEIPT.contract, RECEIPT.file].map(created);
    if (type === TYPE.CRYPTOCREATEACCOUNT && account != null)
      this.#account(account, rawField(body.data, ALIAS));
    if (type === TYPE.FILECREATE && file != null) this.#entity(STATE.files, file);
    const [topic, token] = [RECEIPT.topic, RECEIPT.token].map(created);
    if (type === TYPE.CONSENSUSCREATETOPIC && topic != null) this.#entity(STATE.topics, topic);
    if (type === TYPE.TOKENCREATION && token != null) this.#token(token, receipt);
    if (type === TYPE.NODECREATE) this.#number(STATE.nodes, varint(receipt, RECEIPT.node));
    if (type === TYPE.REGISTEREDNODECREATE) {
      this.#number(STATE.registeredNodes, varint(receipt, RECEIPT.registeredNode));
    }
    if (code === null || contract == null) return;
    this.#contracts.add(entityKey(contract));
    const address = rawField(record.contractCreateResult ?? EMPTY, EVM_ADDRESS);
    this.#account(contract, address === null ? null : rawField(address, WRAPPED_VALUE));
    this.#set(`code ${entityKey(contract)}`, () =>
      mapUpdate(STATE.bytecode, contract, new WireWriter().delimited(CODE, code).finish()),
    );
  }

  #written({ contract, slots }: UsedStorage): void {
    for (const { key, written } of slots) {
      if (written === null) continue;
      const slot = new WireWriter()
        .delimited(SLOT_KEY.contract, contract)
        .delimited(SLOT_KEY.key, key)
        .finish();
      this.#set(`slot ${entityKey(contract)}/${bytesKey(key)}`, () =>
        written.length === 0
          ? mapDelete(STATE.storage, slot)
          : mapUpdate(STATE.storage, slot, new WireWriter().delimited(SLOT_VALUE, written).finish()),
      );
    }
  }

  #transfers(list: Uint8Array | null): void {
    if (list === null) return;
    for (const walk = new FieldWalk(list); walk.next(); ) {
      if (walk.number !== AMOUNTS) continue;
      const account = rawField(walk.bytes, AMOUNT.account);
      if (account === null) continue;
      const key = entityKey(account);
      this.#balances.set(key, (this.#balances.get(key) ?? 0n) + zigzag(walk.bytes, AMOUNT.amount));
      this.#account(account, null);
    }
  }

  #tokenTransfers(list: Uint8Array): void {
    const token = rawField(list, TOKEN_LIST.token);
    if (token === null) return;
    for (const walk = new FieldWalk(list); walk.next(); ) {
      if (walk.number === TOKEN_LIST.amount) {
        this.#moveToken(rawField(walk.bytes, AMOUNT.account), token, zigzag(walk.bytes, AMOUNT.amount));
      } else if (walk.number === TOKEN_LIST.nft) {
        const [sender, receiver] = [NFT.sender, NFT.receiver].map((member) => rawField(walk.bytes, member));
        const isEverything = varint(walk.bytes, NFT.serial) === ALL_SERIALS;
        const count = isEverything ? (this.#tokens.get(relationKey(sender ?? EMPTY, token)) ?? 0n) : 1n;
        this.#moveToken(sender ?? null, token, -count);
        this.#moveToken(receiver ?? null, token, count);
      }
    }
  }

  #moveToken(account: Uint8Array | null, token: Uint8Array, amount: bigint): void {
    if (account === null) return;
    const key = relationKey(account, token);
    this.#tokens.set(key, (this.#tokens.get(key) ?? 0n) + amount);
    this.#set(`relation ${key}`, () => tokenRelationChange(account, token, this.#tokens.get(key) ?? 0n));
  }

  /** Matters where the relation ended before in the same block. */
  #associated(data: Uint8Array): void {
    const account = rawField(data, DISSOCIATION.account);
    for (const walk = new FieldWalk(data); walk.next(); ) {
      if (walk.number === DISSOCIATION.token) this.#moveToken(account, walk.bytes, 0n);
    }
  }

  #dissociated(body: Uint8Array): void {
    const account = rawField(body, DISSOCIATION.account);
    if (account === null) return;
    for (const walk = new FieldWalk(body); walk.next(); ) {
      if (walk.number !== DISSOCIATION.token) continue;
      const token = walk.bytes;
      const key = relationKey(account, token);
      this.#tokens.delete(key);
      this.#set(`relation ${key}`, () => tokenRelationEnd(account, token));
    }
  }

  #pending(record: Uint8Array): void {
    for (const walk = new FieldWalk(record); walk.next(); ) {
      if (walk.number !== NEW_AIRDROPS) continue;
      const [id, value] = [NEW_AIRDROP.id, NEW_AIRDROP.value].map((member) => rawField(walk.bytes, member));
      if (id == null) continue;
      const pending = new WireWriter().delimited(PENDING_AIRDROP.value, value ?? null).finish();
      this.#set(`airdrop ${airdropKey(id)}`, () => mapUpdate(STATE.pendingAirdrops, id, pending));
    }
  }

  #ended(body: Uint8Array): void {
    for (const walk = new FieldWalk(body); walk.next(); ) {
      if (walk.number !== AIRDROPS) continue;
      const id = walk.bytes;
      this.#set(`airdrop ${airdropKey(id)}`, () => mapDelete(STATE.pendingAirdrops, id));
    }
  }

  #account(id: Uint8Array, alias: Uint8Array | null): void {
    const key = entityKey(id);
    // An alias is told with the creation; a later transfer of the same group must not hide it.
    if (alias === null && this.#changed.has(`account ${key}`)) return;
    this.#set(`account ${key}`, () => {
      const balance = this.#balances.get(key) ?? 0n;
      return accountChange({ id, balance, alias, isContract: this.#contracts.has(key) });
    });
  }

  #token(token: Uint8Array, receipt: Uint8Array): void {
    const supply = varint(receipt, RECEIPT.newTotalSupply);
    this.#set(`token ${entityKey(token)}`, () =>
      entityChange(STATE.tokens, token, (writer) => writer.varint(TOKEN_SUPPLY, supply)),
    );
  }

  #entity(state: (typeof STATE)['files' | 'topics'], id: Uint8Array): void {
    this.#set(`${state.id} ${entityKey(id)}`, () => entityChange(state, id));
  }

  #number(state: (typeof STATE)['nodes' | 'registeredNodes'], number: bigint): void {
    this.#set(`${state.id} ${number}`, () => numberedChange(state, number));
  }

  #set(key: string, change: () => Uint8Array): void {
    this.#changed.set(key, change);
  }
}

function relationKey(account: Uint8Array, token: Uint8Array): string {
  return `${entityKey(account)}/${entityKey(token)}`;
}

function varint(bytes: Uint8Array, field: number): bigint {
  let value = 0n;
  for (const walk = new FieldWalk(bytes); walk.next(); ) if (walk.number === field) value = walk.int64;
  return value;
}

/** Amounts are `sint64`. */
function zigzag(bytes: Uint8Array, field: number): bigint {
  const value = BigInt.asUintN(64, varint(bytes, field));
  return BigInt.asIntN(64, (value >> 1n) ^ -(value & 1n));
}
