import { createHash } from 'node:crypto';
import { BLOOM_BYTES } from '../../src/mirror/evm/bloom.ts';
import type { ContractAction } from '../../src/mirror/ledger/facets/contract-actions.ts';
import type { ContractLog } from '../../src/mirror/ledger/facets/contract-logs.ts';
import type { ContractResult } from '../../src/mirror/ledger/facets/contract-results.ts';
import type { ContractStateChange } from '../../src/mirror/ledger/facets/contract-storage.ts';
import type { EthereumTransactionRow } from '../../src/mirror/ledger/facets/ethereum-transactions.ts';
import { fixtureTransaction, fixtureUnit } from '../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerTransaction, LedgerUnit } from '../../src/mirror/ledger/rows.ts';
import { longZeroOf } from '../../src/mirror/vocabulary/long-zero-address.ts';
import { RESULT } from '../../src/mirror/vocabulary/response-codes.ts';
import { TYPE } from '../../src/mirror/vocabulary/transaction-types.ts';
import { consensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { entityId } from '../../src/values/entity-id.ts';
import { aContractResult } from '../kit/mirror/ledger-rows.ts';
import { calledNum, isRefusedCall, logsOf, partiesOf } from './contract-calls.ts';
import {
  BUSY,
  CALLS_PER_BLOCK,
  callerNum,
  callTime,
  contractCounts,
  contractNum,
  drawn,
  isEthereumCall,
  isInternalCall,
  resultHash,
  transactionHash,
} from './contract-numbers.ts';
import { SECOND, STREAM_START } from './entity-numbers.ts';

const ENTITIES_PER_UNIT = 2000;
const DAY = 86_400n * SECOND;
const MICROSECOND = 1000n;
const ACTIONS_EVERY = 10;
const ACTIONS = 3;
const STATE_EVERY = 2;
const BLOOMS = 64;
const BLOOM_BITS = 15;
const GAS = 300_000n;
const WORD = Uint8Array.from({ length: 32 }, (_, index) => index + 1);
/** A selector with three words. */
const CALL_DATA = Uint8Array.from({ length: 100 }, (_, index) => (index * 7) % 256);
const CHAIN = Uint8Array.of(0x01, 0x28);
const PRICE = Uint8Array.of(0xa5, 0x4f, 0x4c, 0x3c, 0x00);
const EMPTY = new Uint8Array();

/**
 * A ledger of calls: `size` results in blocks of a hundred, three logs for each, storage of the contract that is called
 * most, a trace of one in ten.
 *
 * A few contracts, accounts and events are in most of them, the others in a few each.
 */
export function* contractLedger(size: number): Generator<LedgerUnit> {
  yield* contractEntities(size);
  const blooms = Array.from({ length: BLOOMS }, (_, index) => aBloom(index));
  for (let block = 0; block < contractCounts(size).blocks; block += 1) {
    const calls = Array.from({ length: CALLS_PER_BLOCK }, (_, place) => block * CALLS_PER_BLOCK + place);
    const unit = fixtureUnit(`block ${block}`, {
      transactions: calls.map((index) => aTransaction(size, index)),
      contractResults: calls.map((index) => aResult(size, index, blooms)),
      ethereumTransactions: calls.filter(isEthereumCall).map((index) => anEthereumTransaction(size, index)),
      contractLogs: calls.flatMap((index) => someLogs(size, index, blooms)),
      contractActions: calls
        .filter((index) => index % ACTIONS_EVERY === 0)
        .flatMap((index) => someActions(size, index)),
      contractStateChanges: calls.flatMap((index) => someChanges(size, index)),
    });
    const previousHash = blockHash(block - 1);
    yield {
      ...unit,
      header: {
        ...unit.header,
        ...{ kind: 'record', version: 6, blockNumber: BigInt(block), hash: blockHash(block), previousHash },
      },
    };
  }
}

export function blockHash(block: number): Uint8Array {
  return createHash('sha384').update(`block ${block}`).digest();
}

/** 20 bytes; every second contract has an address of its own. */
export function contractAddress(index: number): Uint8Array | null {
  return index % 2 === 0 ? null : createHash('sha256').update(`contract ${index}`).digest().subarray(0, 20);
}

function* contractEntities(size: number): Generator<LedgerUnit> {
  const { accounts, contracts } = contractCounts(size);
  let at = STREAM_START - DAY;
  const kinds = [
    { type: 'CONTRACT' as const, count: contracts, numOf: contractNum, addressOf: contractAddress },
    { type: 'ACCOUNT' as const, count: accounts, numOf: callerNum, addressOf: () => null },
  ];
  for (const { addressOf, count, numOf, type } of kinds) {
    for (let start = 0; start < count; start += ENTITIES_PER_UNIT) {
      const length = Math.min(ENTITIES_PER_UNIT, count - start);
      const made = Array.from({ length }, (_, place) => {
        at += MICROSECOND;
        return { index: start + place, at: consensusTimestamp(at) };
      });
      yield fixtureUnit(`${type} ${start}`, {
        entities: made.map((each) => ({
          entity: entityId(numOf(each.index)),
          type,
          alias: null,
          evmAddress: addressOf(each.index),
          createdTimestamp: each.at,
        })),
        entityChanges: made.map((each) => ({
          entity: entityId(numOf(each.index)),
          type,
          changedTimestamp: each.at,
          memo: '',
          isDeleted: false,
          autoRenewPeriod: 7_776_000n,
        })),
      });
    }
  }
}

function aTransaction(size: number, index: number): LedgerTransaction {
  const payer = entityId(callerNum(partiesOf(size, index).caller));
  const isInternal = isInternalCall(index);
  return fixtureTransaction({
    consensusTimestamp: consensusTimestamp(callTime(index)),
    validStart: consensusTimestamp(callTime(index) - SECOND),
    payer,
    nonce: isInternal ? 1 : 0,
    node: isInternal ? null : entityId(3n),
    type: isEthereumCall(index) ? TYPE.ETHEREUMTRANSACTION : TYPE.CONTRACTCALL,
    result: resultOf(index),
    entityId: entityId(calledNum(size, index)),
    chargedFee: 100_000n,
    hash: transactionHash(index),
    transfers: [
      { account: payer, amount: -100_000n, isApproval: false },
      { account: entityId(98n), amount: 100_000n, isApproval: false },
    ],
  });
}

function resultOf(index: number): number {
  return isRefusedCall(index) ? RESULT.WRONG_NONCE : RESULT.SUCCESS;
}

function aResult(size: number, index: number, blooms: readonly Uint8Array[]): ContractResult {
  const sender = entityId(callerNum(partiesOf(size, index).caller));
  const isRefused = isRefusedCall(index);
  return aContractResult(consensusTimestamp(callTime(index)), {
    payer: sender,
    nonce: isInternalCall(index) ? 1 : 0,
    result: resultOf(index),
    contract: entityId(calledNum(size, index)),
    sender,
    transactionIndex: index % CALLS_PER_BLOCK,
    hash: resultHash(index),
    gasLimit: GAS,
    gasUsed: isRefused ? null : GAS / 2n,
    bloom: bloomFor(index, blooms),
    callResult: isRefused ? EMPTY : WORD,
    functionParameters: CALL_DATA,
    hasRun: !isRefused,
  });
}

function anEthereumTransaction(size: number, index: number): EthereumTransactionRow {
  const { caller, contract } = partiesOf(size, index);
  return {
    consensusTimestamp: consensusTimestamp(callTime(index)),
    payer: entityId(callerNum(caller)),
    type: 2,
    nonce: BigInt(index),
    gasLimit: GAS,
    gasPrice: null,
    maxFeePerGas: PRICE,
    maxPriorityFeePerGas: EMPTY,
    value: EMPTY,
    chainId: CHAIN,
    toAddress: contractAddress(contract) ?? longZeroOf(contractNum(contract)),
    callData: CALL_DATA,
    callDataFile: null,
    accessList: [],
    authorizationList: [],
    recoveryId: index % 2,
    signatureV: null,
    signatureR: WORD,
    signatureS: WORD,
  };
}

function someLogs(size: number, index: number, blooms: readonly Uint8Array[]): readonly ContractLog[] {
  const { caller } = partiesOf(size, index);
  return logsOf(size, index).map(({ contract, topics }, place) => ({
    consensusTimestamp: consensusTimestamp(callTime(index)),
    index: place,
    contract: entityId(contractNum(contract)),
    rootContract: entityId(calledNum(size, index)),
    payer: entityId(callerNum(caller)),
    transactionIndex: index % CALLS_PER_BLOCK,
    hash: resultHash(index),
    bloom: bloomFor(index + place, blooms),
    data: WORD,
    topics,
    isSynthetic: false,
  }));
}

function someActions(size: number, index: number): readonly ContractAction[] {
  const caller = entityId(callerNum(partiesOf(size, index).caller));
  return Array.from({ length: ACTIONS }, (_, place) => ({
    consensusTimestamp: consensusTimestamp(callTime(index)),
    index: place,
    payer: caller,
    callDepth: place,
    callType: 1,
    operation: 1,
    caller,
    isCallerContract: false,
    gas: GAS,
    gasUsed: GAS / 2n,
    value: 0n,
    input: CALL_DATA,
    recipientAccount: null,
    recipientContract: entityId(calledNum(size, index)),
    targetedAddress: null,
    resultData: WORD,
    resultDataType: 11,
  }));
}

/** A counter and one of many slots. */
function someChanges(size: number, index: number): readonly ContractStateChange[] {
  const { contract } = partiesOf(size, index);
  if (contract !== BUSY.router || index % STATE_EVERY > 0) return [];
  return [0, 1 + drawn(index, 5, contractCounts(size).slots)].map((slot) => ({
    contract: entityId(contractNum(contract)),
    slot: slotOf(slot),
    consensusTimestamp: consensusTimestamp(callTime(index)),
    valueRead: EMPTY,
    valueWritten: WORD,
    isMigration: false,
    leavesState: true,
  }));
}

/** The slot with a number: they lie far apart, as those of mappings. */
export function slotOf(slot: number): Uint8Array {
  return createHash('sha256').update(`slot ${slot}`).digest();
}

function bloomFor(index: number, blooms: readonly Uint8Array[]): Uint8Array {
  return blooms[drawn(index, 6, BLOOMS)] ?? EMPTY;
}

function aBloom(index: number): Uint8Array {
  const bloom = new Uint8Array(BLOOM_BYTES);
  for (let bit = 0; bit < BLOOM_BITS; bit += 1) {
    const at = drawn(index, bit, BLOOM_BYTES * 8);
    bloom[at >> 3] = (bloom[at >> 3] ?? 0) | (1 << (at & 7));
  }
  return bloom;
}
