import type { EntityId } from '../../../values/entity-id.ts';
import { decodeEthereumTransaction } from '../../evm/ethereum-transaction.ts';
import { contractsBeside, contractsToldIn, createdContract } from '../../items/created-contract.ts';
import { type DecodedItem, placesOf } from '../../items/decoded-item.ts';
import { evmHash } from '../../items/evm-hash.ts';
import { accountId, contractId, fileId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { EntityAlias } from '../rows.ts';
import type { ContractChange, ContractCreation } from './contracts.ts';
import type { DecodedUnit, Told } from './facet.ts';

/**
 * Collects the contracts that the successful transactions of a unit created and the codes beside them.
 *
 * @returns with the contracts that have no record of their own, as ledgers had them before child records
 * @see contracts/streams.md sections 2.5 and 12
 */
export function decodeContracts({
  evm,
  isSuccessful,
  items,
  resolve,
  sidecars,
}: DecodedUnit): Told<ContractChange> {
  const placeAt = placesOf(items);
  const contractToldBy = contractsToldIn(items);
  const creations = new Map<EntityId, ContractCreation>();
  const entities: EntityAlias[] = [];
  const successful = items.filter(isSuccessful);
  /** The child that tells a contract of an Ethereum transaction has no code: its parent brought it. */
  const codeOf = (item: DecodedItem, contract: EntityId): CreationCode => {
    const own = creationCode(item);
    if (own.creationCode !== null || own.file !== null) return own;
    const parent = items[placeAt(item.parentConsensusTimestamp) ?? -1];
    return parent !== undefined && createdContract(parent) === contract ? creationCode(parent) : own;
  };
  const creationBy = (item: DecodedItem, code: CreationCode): ContractCreation | null => {
    // A parent outside the unit leaves the child as the best that is known.
    const index = placeAt(item.parentConsensusTimestamp) ?? items.indexOf(item);
    const sent = items[index] ?? item;
    const sender = senderOf(sent, resolve);
    if (sender === null) return null;
    return {
      ...code,
      consensusTimestamp: item.consensusTimestamp,
      originTimestamp: sent.consensusTimestamp,
      transactionHash: evmHash(sent),
      transactionIndex: evm.indexes[index] ?? null,
      sender,
    };
  };

  for (const item of successful) {
    const contract = contractToldBy(item);
    const creation = contract === null ? null : creationBy(item, codeOf(item, contract));
    if (contract !== null && creation !== null) creations.set(contract, creation);
  }
  for (const item of successful) {
    for (const contract of contractsBeside(item)) {
      const creation = creations.has(contract) ? null : creationBy(item, UNKNOWN_CODE);
      if (creation === null) continue;
      creations.set(contract, creation);
      entities.push({
        entity: contract,
        type: 'CONTRACT',
        alias: null,
        evmAddress: null,
        createdTimestamp: item.consensusTimestamp,
      });
    }
  }
  const contracts = new Map<EntityId, ContractChange>();
  for (const [contract, creation] of creations) {
    contracts.set(contract, { contract, creation, runtimeCode: null });
  }
  for (const { code: told, consensusTimestamp } of [...sidecars.values()].flat()) {
    if (told === null) continue;
    const { creationCode: code, runtimeCode } = told;
    const record = items[placeAt(consensusTimestamp) ?? -1];
    const contract = contractId(told.contractId, resolve);
    // A failed creation has a sidecar too, but made no contract.
    if (contract === null || (record !== undefined && !isSuccessful(record))) continue;
    const known = contracts.get(contract) ?? { contract, creation: null, runtimeCode: null };
    const creation =
      known.creation === null || code === null
        ? known.creation
        : { ...known.creation, creationCode: code, constructorParameters: null };
    if (creation === null && runtimeCode === null) continue;
    contracts.set(contract, { contract, creation, runtimeCode: runtimeCode ?? known.runtimeCode });
  }
  return { rows: [...contracts.values()], entities };
}

type CreationCode = Pick<ContractCreation, 'creationCode' | 'file' | 'constructorParameters'>;

const UNKNOWN_CODE: CreationCode = { creationCode: null, file: null, constructorParameters: null };

/** Networks use constructor parameters with a file only: code in the body is complete. */
function creationCode({ body }: DecodedItem): CreationCode {
  const { contractCreateInstance: create, ethereumTransaction: ethereum } = body;
  if (create !== null) {
    if (create.initcode.length > 0) {
      return { ...UNKNOWN_CODE, creationCode: Uint8Array.from(create.initcode) };
    }
    const parameters = create.constructorParameters;
    return {
      creationCode: null,
      file: fileId(create.fileID),
      constructorParameters: parameters.length === 0 ? null : Uint8Array.from(parameters),
    };
  }
  if (ethereum === null) return UNKNOWN_CODE;
  return {
    creationCode: ethereumCreationCode(ethereum.ethereumData),
    file: fileId(ethereum.callData),
    constructorParameters: null,
  };
}

/** Null when it creates nothing, has its call data in a file, or is not readable. */
function ethereumCreationCode(bytes: Uint8Array): Uint8Array | null {
  const { callData, toAddress } = decodeEthereumTransaction(bytes) ?? {};
  return toAddress?.length !== 0 || callData === undefined || callData.length === 0
    ? null
    : Uint8Array.from(callData);
}

function senderOf({ body, record }: DecodedItem, resolve: ResolveAlias): EntityId | null {
  const result = record.contractCreateResult ?? record.contractCallResult;
  return (
    accountId(result?.senderId ?? null, resolve) ??
    accountId(body.transactionID?.accountID ?? record.transactionID?.accountID ?? null, resolve)
  );
}
