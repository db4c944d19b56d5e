import { keccak256 } from '../../../values/keccak256.ts';
import { rawField } from '../../protobuf/wire.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { contractResult } from './contract-result.ts';
import { readEntity } from './entity-bytes.ts';
import { readEvmTrace } from './evm-trace.ts';
import { EVM_RESULT } from './field-numbers.ts';
import type { BlockTransaction } from './read-transactions.ts';
import type { RecordMembers } from './record-members.ts';
import type { Outputs } from './transaction-outputs.ts';

type ContractMembers = Partial<
  Pick<
    RecordMembers,
    'contract' | 'contractCallResult' | 'contractCreateResult' | 'ethereumHash' | 'executedHook'
  >
>;

/** In `EthereumTransactionBody`. */
const ETHEREUM = { data: 1, callDataFile: 2 };

/** The contract that a run created; null when it created none, or failed. */
export function createdContractOf(
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
export function contractMembers(
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
