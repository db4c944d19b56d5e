import type { ContractAction } from '../../../../src/mirror/ledger/facets/contract-actions.ts';
import type { ContractLog } from '../../../../src/mirror/ledger/facets/contract-logs.ts';
import type { ContractResult } from '../../../../src/mirror/ledger/facets/contract-results.ts';
import type {
  ContractSlot,
  ContractStateChange,
} from '../../../../src/mirror/ledger/facets/contract-storage.ts';
import type { ContractChange } from '../../../../src/mirror/ledger/facets/contracts.ts';
import type { EthereumTransactionRow } from '../../../../src/mirror/ledger/facets/ethereum-transactions.ts';
import { type FixtureRows, fixtureTransaction } from '../../../../src/mirror/ledger/fixture-unit.ts';
import type { LedgerTransaction } from '../../../../src/mirror/ledger/rows.ts';
import { messages } from '../../../../src/mirror/protobuf/messages.ts';
import { consensusTimestamp } from '../../../../src/values/consensus-timestamp.ts';
import { type EntityId, encodeEntityId, entityId } from '../../../../src/values/entity-id.ts';
import type { Hex } from '../../../../src/values/hex.ts';
import { LedgerlensError } from '../../../../src/values/ledgerlens-error.ts';
import {
  type CaseRow,
  type CaseSetup,
  id,
  idOrNull,
  integer,
  integerOrNull,
  list,
  rows,
  section,
  text,
  toInteger,
} from './case-row.ts';

const ADDRESS_BYTES = 20;
const NONE = new Uint8Array();
const TIME = 1234510001n;
const ETHEREUM_TIME = 187654000123456n;
const MODIFIED_TIME = 1664365660048674966n;
const HASH = '0x000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f';
const TOPICS = [
  '0x97c1fc0a6ed5551bc831571325e9bdb365d06803100dc20648640ba24ce69750',
  '0x8c5be1e5ebec7d5bd14f71427d1e84f3dd0314c0f7b2291e5b200ac8c7c3b925',
  '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef',
  '0xe8d47b56e8cdfa95f871b19d4f50a857217c44a95502b0811a350fec1500dd67',
];

/** Sections of contracts: their code, what they did, logs, storage, actions, Ethereum transactions. */
export function contractSections(setup: CaseSetup): FixtureRows {
  return {
    contracts: section(setup, 'contracts').flatMap(code),
    contractResults: section(setup, 'contractresults').map(result),
    contractLogs: section(setup, 'contractlogs').map(log),
    contractStateChanges: section(setup, 'contractStateChanges').map(stateChange),
    contractSlots: section(setup, 'contractStates').map(slot),
    contractActions: section(setup, 'contractactions').map(action),
    transactions: section(setup, 'transactionhashes').map(hashedTransaction),
    ethereumTransactions: section(setup, 'ethereumtransactions').map(ethereumTransaction),
  };
}

/** The code row of a current contract; those with an end are history and have none. */
function code(row: CaseRow): readonly ContractChange[] {
  if (!(text(row, 'timestamp_range', '[0,)') ?? '').endsWith(',)')) return [];
  const contract = encodeEntityId(integer(row, 'shard', 0n), integer(row, 'realm', 0n), integer(row, 'num'));
  if (contract === null) throw new Error('A case row has a contract out of range');
  const created = integerOrNull(row, 'created_timestamp', null);
  return [
    {
      contract,
      creation: {
        consensusTimestamp: created === null ? null : consensusTimestamp(created),
        originTimestamp: null,
        transactionHash: null,
        transactionIndex: null,
        sender: null,
        creationCode: bytes(row, 'initcode'),
        file: idOrNull(row, 'file_id'),
        constructorParameters: null,
      },
      runtimeCode: bytes(row, 'runtime_bytecode'),
    },
  ];
}

/** A further row of the hash lookup: here each is of a transaction. */
function hashedTransaction(row: CaseRow): LedgerTransaction {
  return fixtureTransaction({
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp')),
    payer: id(row, 'payer_account_id'),
    hash: bytes(row, 'hash'),
  });
}

function result(row: CaseRow): ContractResult {
  const index = integerOrNull(row, 'transaction_index', 1n);
  const functionResult = bytes(row, 'function_result');
  return {
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp', TIME)),
    payer: id(row, 'payer_account_id', 102n),
    nonce: Number(integer(row, 'transaction_nonce', 0n)),
    result: Number(integer(row, 'transaction_result', 22n)),
    contract: idWith(row, 'contract_id', 0n) ?? entityId(0n),
    sender: idWith(row, 'sender_id', 101n),
    senderAlias: functionResult === null ? null : senderAliasOf(functionResult),
    transactionIndex: index === null ? null : Number(index),
    hash: bytes(row, 'transaction_hash', HASH) ?? new Uint8Array(),
    amount: integerOrNull(row, 'amount', 0n),
    gasLimit: integer(row, 'gas_limit', 1000n),
    gasUsed: integerOrNull(row, 'gas_used', null),
    gasConsumed: integerOrNull(row, 'gas_consumed', null),
    bloom: bytes(row, 'bloom'),
    callResult: bytes(row, 'call_result'),
    errorMessage: text(row, 'error_message', ''),
    functionParameters: bytes(row, 'function_parameters', '0x010102020303'),
    failedInitcode: bytes(row, 'failed_initcode'),
    createdContracts: list(row, 'created_contract_ids').map((each) => entityId(toInteger(each))),
    hasRun: functionResult !== null && functionResult.length > 0,
  };
}

/** The address in `sender_id` of a stored result; what a case made up is no result. */
function senderAliasOf(functionResult: Uint8Array): Uint8Array | null {
  try {
    const alias = messages.ContractFunctionResult.decode(functionResult).senderId?.alias ?? null;
    return alias !== null && alias.length === ADDRESS_BYTES ? Uint8Array.from(alias) : null;
  } catch (error) {
    if (error instanceof LedgerlensError && error.code === 'malformed') return null;
    throw error;
  }
}

function log(row: CaseRow): ContractLog {
  return {
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp', TIME)),
    index: Number(integer(row, 'index', 0n)),
    contract: id(row, 'contract_id', 1n),
    rootContract: idOrNull(row, 'root_contract_id'),
    payer: id(row, 'payer_account_id', 102n),
    transactionIndex: numberOrNull(row, 'transaction_index', 0n),
    hash: bytes(row, 'transaction_hash', HASH),
    bloom: bytes(row, 'bloom', '0x0123'),
    data: bytes(row, 'data', '0x0123'),
    topics: TOPICS.map((absent, position) => bytes(row, `topic${position}`, absent)),
    isSynthetic: row['synthetic'] === true,
  };
}

function stateChange(row: CaseRow): ContractStateChange {
  return {
    contract: id(row, 'contract_id', 1n),
    slot: bytes(row, 'slot', '0x01') ?? new Uint8Array(),
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp', TIME)),
    valueRead: bytes(row, 'value_read', '0x0101') ?? new Uint8Array(),
    valueWritten: bytes(row, 'value_written', '0xa1a1'),
    isMigration: row['migration'] === true,
    leavesState: false,
  };
}

function slot(row: CaseRow): ContractSlot {
  return {
    contract: id(row, 'contract_id'),
    slot: bytes(row, 'slot', `0x${'1'.padStart(64, '0')}`) ?? new Uint8Array(),
    value: bytes(row, 'value', '0x01') ?? new Uint8Array(),
    modifiedTimestamp: consensusTimestamp(integer(row, 'modified_timestamp', MODIFIED_TIME)),
  };
}

function action(row: CaseRow): ContractAction {
  return {
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp', TIME)),
    index: Number(integer(row, 'index', 1n)),
    payer: id(row, 'payer_account_id', 102n),
    callDepth: Number(integer(row, 'call_depth', 1n)),
    callType: Number(integer(row, 'call_type', 1n)),
    operation: Number(integer(row, 'call_operation_type', 1n)),
    caller: idWith(row, 'caller', 8001n),
    isCallerContract: text(row, 'caller_type', 'CONTRACT') === 'CONTRACT',
    gas: integer(row, 'gas', 10_000n),
    gasUsed: integer(row, 'gas_used', 5000n),
    value: integer(row, 'value', 100n),
    input: bytes(row, 'input'),
    recipientAccount: idOrNull(row, 'recipient_account'),
    recipientContract: idOrNull(row, 'recipient_contract'),
    targetedAddress: bytes(row, 'recipient_address'),
    resultData: bytes(row, 'result_data'),
    resultDataType: Number(integer(row, 'result_data_type', 11n)),
  };
}

function ethereumTransaction(row: CaseRow): EthereumTransactionRow {
  return {
    consensusTimestamp: consensusTimestamp(integer(row, 'consensus_timestamp', ETHEREUM_TIME)),
    payer: id(row, 'payer_account_id', 5001n),
    type: Number(integer(row, 'type', 2n)),
    nonce: integer(row, 'nonce', 1n),
    gasLimit: integer(row, 'gas_limit', 1_000_000n),
    gasPrice: bytes(row, 'gas_price', '0xad78ebc5ac620000'),
    maxFeePerGas: bytes(row, 'max_fee_per_gas'),
    maxPriorityFeePerGas: bytes(row, 'max_priority_fee_per_gas'),
    value: bytes(row, 'value', '0x00'),
    chainId: bytes(row, 'chain_id'),
    toAddress: bytes(row, 'to_address', '0x0000000000000000000000000000000000001389'),
    callData: bytes(row, 'call_data'),
    callDataFile: idOrNull(row, 'call_data_id'),
    accessList: rows(row, 'access_list').map((entry) => ({
      address: bytes(entry, 'address') ?? NONE,
      storageKeys: list(entry, 'storage_keys').map((key) => hexBytes(String(key))),
    })),
    authorizationList: rows(row, 'authorization_list').map((entry) => ({
      chainId: text(entry, 'chain_id', '0x0') as Hex,
      address: bytes(entry, 'address') ?? NONE,
      nonce: integer(entry, 'nonce', 0n),
      yParity: text(entry, 'y_parity', '0x0') as Hex,
      r: bytes(entry, 'r') ?? NONE,
      s: bytes(entry, 's') ?? NONE,
    })),
    recoveryId: numberOrNull(row, 'recovery_id', 1n),
    signatureV: bytes(row, 'signature_v', '0x1b'),
    signatureR: bytes(
      row,
      'signature_r',
      '0xd693b532a80fed6392b428604171fb32fdbf953728a3a7ecc7d4062b1652c042',
    ),
    signatureS: bytes(
      row,
      'signature_s',
      '0x24e9c602ac800b983b035700a14b23f78a253ab762deab5dc27e3555a750b354',
    ),
  };
}

function idWith(row: CaseRow, name: string, absent: bigint): EntityId | null {
  const value = integerOrNull(row, name, absent);
  return value === null ? null : entityId(value);
}

function numberOrNull(row: CaseRow, name: string, absent: bigint): number | null {
  const value = integerOrNull(row, name, absent);
  return value === null ? null : Number(value);
}

/** Hex with or without `0x`; null where null is written. */
function bytes(row: CaseRow, name: string, absent: string | null = null): Uint8Array | null {
  const value = text(row, name, absent);
  return value === null ? null : hexBytes(value);
}

function hexBytes(value: string): Uint8Array {
  const digits = value.replace(/^0x/, '');
  return Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, 'hex');
}
