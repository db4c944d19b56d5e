import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { bareHex } from '../../src/values/hex.ts';
import type { LedgerEvent, NetworkIds } from './ledger-item.ts';
import type { WrittenLog } from './written-logs.ts';

/** A contract whose creation a written stream tells. */
export interface WrittenContract {
  /**
   * How it is created: code in the transaction, in a file, in a signed Ethereum transaction (its bytes and hash),
   * or by another contract in a call.
   */
  readonly by:
    | 'body'
    | 'file'
    | 'contract'
    | { readonly ethereumData: Uint8Array; readonly ethereumHash: Uint8Array };
  readonly creationCode: Uint8Array;
  /** Follows the creation code; with `file` in a member of its own. Default none. */
  readonly constructorParameters?: Uint8Array;
  readonly runtimeCode: Uint8Array;
  /** Codes that the sidecar has; `none` leaves the contract out of it. Default `both`. */
  readonly sidecar?: 'both' | 'runtime' | 'none';
  /** Whether the constructor of one from a file reverts, so that there is no contract. Default no. */
  readonly fails?: boolean;
  /** 20 bytes. Default none: only the address made of the number. */
  readonly evmAddress?: Uint8Array;
  /** Calls of it, each by a user, in the file that creates it. Default none. */
  readonly calls?: readonly WrittenCall[];
}

/** What a call of a contract did, by the word of who gives it. */
export interface WrittenCall {
  readonly input: Uint8Array;
  /** Its logs. @param sender 20 bytes */
  readonly logs: (sender: Uint8Array) => readonly Pick<WrittenLog, 'topics' | 'data'>[];
  /** Words of storage that it read and wrote. */
  readonly storage: readonly Readonly<Record<'slot' | 'before' | 'after', Uint8Array>>[];
}

/** One transaction of a contract's creation, without what the script decides. */
export interface ContractStep {
  readonly data: MessageObject;
  /** A child of the transaction before it. */
  readonly isChild: boolean;
  readonly more: Pick<LedgerEvent, 'receipt' | 'record' | 'bytecode'> & Partial<Pick<LedgerEvent, 'status'>>;
}

const FIRST_CONTRACT = 4001n;
const FIRST_FILE = 5001n;
const FACTORY = 2004n;
const GAS_USED = 100_000n;
const AUTO_RENEW_SECONDS = 7_776_000n;
/** Bytes of one file transaction; the hex text of most contracts needs several. */
const FILE_PART_LENGTH = 2048;

/** Number of a contract, by its place among those that are created. */
export function contractNumber(index: number): bigint {
  return FIRST_CONTRACT + BigInt(index);
}

/** The transactions that create the contracts, in order. */
export function contractSteps(
  contracts: readonly WrittenContract[],
  ids: NetworkIds,
): readonly ContractStep[] {
  return contracts.flatMap((contract, index) => stepsOf(contract, index, ids));
}

/** A record that belongs to the transaction before it: one nanosecond later, without a fee or a node. */
export function childOf(parent: LedgerEvent, { data, more }: ContractStep): LedgerEvent {
  return {
    consensus: consensusTimestamp(parent.consensus + 1n),
    parent: parent.consensus,
    validStart: parent.validStart,
    payer: parent.payer,
    nonce: 1,
    node: null,
    fee: 0n,
    status: parent.status,
    data,
    ...more,
  };
}

function stepsOf(contract: WrittenContract, index: number, ids: NetworkIds): readonly ContractStep[] {
  const { by, runtimeCode, sidecar = 'both', constructorParameters = new Uint8Array() } = contract;
  const shardRealm = { shardNum: ids.shard, realmNum: ids.realm };
  const contractID = { ...shardRealm, contractNum: contractNumber(index) };
  const initcode = Buffer.concat([contract.creationCode, constructorParameters]);
  const evmAddress = contract.evmAddress === undefined ? {} : { evmAddress: { value: contract.evmAddress } };
  const more: ContractStep['more'] = {
    receipt: { contractID },
    record: { contractCreateResult: { contractID, gasUsed: GAS_USED, ...evmAddress } },
    ...(sidecar === 'none'
      ? {}
      : {
          bytecode: {
            contractId: contractID,
            runtimeBytecode: runtimeCode,
            ...(sidecar === 'both' ? { initcode } : {}),
          },
        }),
  };
  if (by === 'body') {
    return [{ isChild: false, data: { contractCreateInstance: { initcode, gas: 100_000n } }, more }];
  }
  if (by === 'file') {
    const fileID = { ...shardRealm, fileNum: FIRST_FILE + BigInt(index) };
    const create = { contractCreateInstance: { fileID, constructorParameters, gas: 100_000n } };
    const made = contract.fails === true ? refusedCreation(initcode) : more;
    return [...fileSteps(contract.creationCode, fileID), { isChild: false, data: create, more: made }];
  }
  if (by === 'contract') {
    const factory = { ...shardRealm, contractNum: FACTORY };
    const call: ContractStep = {
      isChild: false,
      data: { contractCall: { contractID: factory, gas: 200_000n } },
      more: {
        receipt: { contractID: factory },
        record: { contractCallResult: { contractID: factory, gasUsed: GAS_USED } },
      },
    };
    return [call, { isChild: true, data: { contractCreateInstance: {} }, more }];
  }
  const ethereumTransaction = { ethereumData: by.ethereumData, maxGasAllowance: 0n };
  const record = { ...more.record, ethereumHash: by.ethereumHash };
  // Networks tell what a creation of the EVM made of the contract in a record of its own.
  const child = { adminKey: { contractID }, autoRenewPeriod: { seconds: AUTO_RENEW_SECONDS } };
  return [
    { isChild: false, data: { ethereumTransaction }, more: { ...more, record } },
    {
      isChild: true,
      data: { contractCreateInstance: child },
      more: { receipt: { contractID }, record: { contractCreateResult: { contractID, ...evmAddress } } },
    },
  ];
}

function refusedCreation(initcode: Uint8Array): ContractStep['more'] {
  return {
    status: RESULT.CONTRACT_REVERT_EXECUTED,
    record: { contractCreateResult: { gasUsed: GAS_USED, errorMessage: '0x' } },
    bytecode: { initcode },
  };
}

function fileSteps(code: Uint8Array, fileID: MessageObject): readonly ContractStep[] {
  const text = Buffer.from(bareHex(code));
  const steps: ContractStep[] = [];
  for (let offset = 0; offset < text.length; offset += FILE_PART_LENGTH) {
    const contents = text.subarray(offset, offset + FILE_PART_LENGTH);
    steps.push(
      offset === 0
        ? { isChild: false, data: { fileCreate: { contents } }, more: { receipt: { fileID } } }
        : { isChild: false, data: { fileAppend: { fileID, contents } }, more: {} },
    );
  }
  return steps;
}
