import { createHash } from 'node:crypto';
import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import type { FoldState } from '../fold/fold-state.ts';
import { appendTable, column, stateTable } from '../fold/tables.ts';
import { decodeContracts } from './decode-contracts.ts';
import type { Facet } from './facet.ts';
import { readContractLine } from './read-contract-line.ts';

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

declare module '../rows.ts' {
  interface FacetRows {
    readonly contracts: readonly ContractChange[];
  }
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
export const contracts: Facet<'contracts'> = {
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
