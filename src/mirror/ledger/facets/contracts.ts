import { createHash } from 'node:crypto';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { appendTable, column, stateTable } from '../../../values/stored-tables.ts';
import { decodeEthereumTransaction } from '../../evm/ethereum-transaction.ts';
import { contractsBeside, contractsToldIn, createdContract } from '../../items/created-contract.ts';
import { type DecodedItem, placesOf } from '../../items/decoded-item.ts';
import { evmHash } from '../../items/evm-hash.ts';
import { evmAddress, type FixtureObject, hex, idIn, required, time } from '../../items/fixture-members.ts';
import { accountId, contractId, fileId, type ResolveAlias } from '../../items/ledger-ids.ts';
import type { FoldState } from '../fold/fold-state.ts';
import { placeOfTransaction } from '../place-of-transaction.ts';
import type { EntityAlias } from '../rows.ts';
import type { DecodedUnit, Facet, FacetOutput, FixtureContext } from './facet.ts';

/** What a unit tells of a contract's code; null members leave what is stored. */
export interface ContractChange {
  readonly contract: EntityId;
  /** Null when the contract was there before the unit, and only its code is told. */
  readonly creation: ContractCreation | null;
  /** Code that lies at the contract, from a sidecar; never empty. */
  readonly runtimeCode: Uint8Array | null;
}

/** How a contract came to be; null members are what a fixture does not tell. */
export interface ContractCreation {
  /** Time of the record that names the contract: the child's when another contract made it. */
  readonly consensusTimestamp: ConsensusTimestamp | null;
  /** Time of the transaction that a client sent. */
  readonly originTimestamp: ConsensusTimestamp | null;
  /**
   * 32 bytes by which EVM tools know that transaction: its Ethereum hash, else the first 32 bytes of its hash.
   */
  readonly transactionHash: Uint8Array | null;
  /** Place of that transaction among those of its block that the EVM ran, from 0; null for none. */
  readonly transactionIndex: number | null;
  /** The sender that the EVM saw; it differs from the payer when an Ethereum transaction was relayed. */
  readonly sender: EntityId | null;
  /** Creation code with constructor parameters; null when it is in `file` or unknown. Never empty. */
  readonly creationCode: Uint8Array | null;
  /** File with the hex text of the creation code; null when there was none. */
  readonly file: EntityId | null;
  /** What follows the contents of the file; null when nothing does or the code is known. */
  readonly constructorParameters: Uint8Array | null;
}

const CODE = appendTable('ledger_code', 1, ['hash', 'code']);
/** How a contract came to be and its code, by hash; null is what the ledger did not tell. */
const CONTRACT = stateTable(
  'ledger_contract',
  { id: 'id' },
  {
    createdAt: column<bigint | null>('created_ts'),
    originAt: column<bigint | null>('origin_ts'),
    transactionHash: column<Uint8Array | null>('transaction_hash'),
    transactionIndex: column<bigint | number | null>('transaction_index'),
    sender: column<bigint | null>('sender_id'),
    file: column<bigint | null>('file_id'),
    constructorParameters: column<Uint8Array | null>('constructor_parameters'),
    creationCode: column<Uint8Array | null>('creation_code'),
    runtimeCode: column<Uint8Array | null>('runtime_code'),
  },
);

/**
 * Contracts and their code: a creation is told once, a later code replaces an earlier one.
 *
 * A rebuild leaves them: ledgers of older versions have no sidecars.
 */
export const contracts: Facet<'contracts', ContractChange> = {
  name: 'contracts',

  decodeUnit: decodeContracts,

  fixture: { kind: 'contract', isReadLast: true, read: readContractLine },

  touch(unit, keys) {
    for (const { contract } of unit.contracts) keys.add(CONTRACT, contract);
  },

  fold({ unit }, state) {
    const rows = state.rows(CONTRACT);
    for (const { contract: id, creation, runtimeCode } of unit.contracts) {
      const stored = rows.get(id);
      const creationHash = keepCode(creation?.creationCode ?? null, state);
      rows.set({
        id,
        createdAt: stored?.createdAt ?? creation?.consensusTimestamp ?? null,
        originAt: stored?.originAt ?? creation?.originTimestamp ?? null,
        transactionHash: stored?.transactionHash ?? creation?.transactionHash ?? null,
        transactionIndex: stored?.transactionIndex ?? creation?.transactionIndex ?? null,
        sender: stored?.sender ?? creation?.sender ?? null,
        file: stored?.file ?? creation?.file ?? null,
        constructorParameters: stored?.constructorParameters ?? creation?.constructorParameters ?? null,
        creationCode: stored?.creationCode ?? creationHash,
        runtimeCode: keepCode(runtimeCode, state) ?? stored?.runtimeCode ?? null,
      });
    }
  },
};

/** Clones of a contract share one row. @returns the SHA-256 under which the code is found */
function keepCode(code: Uint8Array | null, state: FoldState): Uint8Array | null {
  if (code === null) return null;
  const hash = createHash('sha256').update(code).digest();
  state.append(CODE, [hash, code]);
  return hash;
}

const EVM_HASH_BYTES = 32;

/**
 * Reads a contract. The transaction of the fixture at its creation time, if there is one, made it.
 *
 * @see contracts/streams.md section 10.1, kind contract
 */
function readContractLine(
  row: FixtureObject,
  { home, transactions }: FixtureContext,
): FacetOutput<ContractChange> {
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

/**
 * Collects the contracts that the successful transactions of a unit created and the codes beside them.
 *
 * @returns with the contracts that have no record of their own, as ledgers had them before child records
 * @see contracts/streams.md sections 2.5 and 12
 */
function decodeContracts({
  evm,
  isSuccessful,
  items,
  resolve,
  sidecars,
}: DecodedUnit): FacetOutput<ContractChange> {
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
