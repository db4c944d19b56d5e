import { evmAddress, type FixtureObject, hex, idIn, required, time } from '../../items/fixture-members.ts';
import { placeOfTransaction } from '../place-of-transaction.ts';
import type { EntityAlias } from '../rows.ts';
import type { ContractChange, ContractCreation } from './contracts.ts';
import type { FixtureContext, Told } from './facet.ts';

const EVM_HASH_BYTES = 32;

/**
 * Reads a contract. The transaction of the fixture at its creation time, if there is one, made it.
 *
 * @see contracts/streams.md section 10.1, kind contract
 */
export function readContractLine(
  row: FixtureObject,
  { home, transactions }: FixtureContext,
): Told<ContractChange> {
  const contract = required(row, 'contract_id', idIn(home));
  const created = time(row, 'created_timestamp');
  const creationCode = codeOrNull(row, 'bytecode');
  const index = created === null ? -1 : placeOfTransaction(transactions, created);
  const maker = transactions[index];
  const creation: ContractCreation | null =
    created === null && creationCode === null
      ? null
      : {
          consensusTimestamp: created,
          originTimestamp: created,
          transactionHash: maker?.hash?.subarray(0, EVM_HASH_BYTES) ?? null,
          transactionIndex: maker === undefined ? null : index,
          sender: maker?.payer ?? null,
          creationCode,
          file: null,
          constructorParameters: null,
        };
  const entity: EntityAlias = {
    entity: contract,
    type: 'CONTRACT',
    alias: null,
    evmAddress: evmAddress(row),
    createdTimestamp: created,
  };
  return {
    rows: [{ contract, creation, runtimeCode: codeOrNull(row, 'runtime_bytecode') }],
    entities: [entity],
  };
}

/** `0x` is no code. */
function codeOrNull(row: FixtureObject, name: string): Uint8Array | null {
  const code = hex(row, name);
  return code === null || code.length === 0 ? null : code;
}
