import { createHash } from 'node:crypto';
import type { FoldState } from '../fold/fold-state.ts';
import type { StateFold } from '../fold/state-fold.ts';
import { appendTable, stateTable } from '../fold/tables.ts';

/** How a contract came to be and its code, by hash; null is what the ledger did not tell. */
interface ContractRow {
  readonly id: bigint;
  readonly createdAt: bigint | null;
  readonly originAt: bigint | null;
  readonly transactionHash: Uint8Array | null;
  readonly transactionIndex: bigint | number | null;
  readonly sender: bigint | null;
  readonly file: bigint | null;
  readonly constructorParameters: Uint8Array | null;
  readonly creationCode: Uint8Array | null;
  readonly runtimeCode: Uint8Array | null;
}

const CODE = appendTable('ledger_code', 1, ['hash', 'code']);
const CONTRACT = stateTable<ContractRow>(
  'ledger_contract',
  { id: 'id' },
  {
    createdAt: 'created_ts',
    originAt: 'origin_ts',
    transactionHash: 'transaction_hash',
    transactionIndex: 'transaction_index',
    sender: 'sender_id',
    file: 'file_id',
    constructorParameters: 'constructor_parameters',
    creationCode: 'creation_code',
    runtimeCode: 'runtime_code',
  },
);

/**
 * Contracts and their code: a creation is told once, a later code replaces an earlier one.
 *
 * A rebuild leaves them: ledgers of older versions have no sidecars.
 */
export const contracts: StateFold = {
  touch({ contracts: changes }, keys) {
    for (const { contract } of changes) keys.add(CONTRACT, contract);
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
