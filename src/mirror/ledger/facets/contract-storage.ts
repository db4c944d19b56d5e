import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { toHex } from '../../../values/hex.ts';
import { bytes, flag, int64, type RecordOf, rowTable } from '../../../values/row-table.ts';
import type { Table } from '../../../values/stored-tables.ts';
import { trimmed, wordOf } from '../../evm/bytes.ts';
import { type FixtureObject, idIn, required } from '../../items/fixture-members.ts';
import { contractId } from '../../items/ledger-ids.ts';
import { memberBytes } from '../../protobuf/wire.ts';
import { isHookContract } from './decode-hooks.ts';
import {
  type DecodedUnit,
  eventsOfUnits,
  type Facet,
  type FacetOutput,
  type FixtureContext,
} from './facet.ts';
import { transactionOfLine, word } from './transaction-of-line.ts';

/** What a transaction read and wrote in a slot of a contract. @see contracts/mirror-contracts.md section 11.5 */
const STATE_CHANGE = rowTable({
  contract: int64<EntityId>('contract_id'),
  /** Up to 32 bytes. */
  slot: { column: 'slot', toStored: (slot: Uint8Array) => wordOf(slot) },
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  /** Whether it tells what was there when sidecars began. */
  isMigration: flag('is_migration'),
  valueRead: bytes('value_read'),
  /** Null when it was only read, empty when zero was written. */
  valueWritten: bytes<Uint8Array | null>('value_written'),
});
export interface ContractStateChange extends RecordOf<typeof STATE_CHANGE> {
  /** False where the slot is not the contract's, and for a change that a fixture states beside the slots as they are. */
  readonly leavesState: boolean;
}

/** The value of a slot as it is, from a fixture. */
export interface ContractSlot {
  readonly contract: EntityId;
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
  readonly modifiedTimestamp: ConsensusTimestamp;
}

/** The last change of a slot holds. */
const STATE: Table = {
  name: 'contract_state',
  keyLength: 2,
  columns: ['contract_id', 'slot', 'value', 'modified_ts'],
  onConflict: 'replace',
};

/**
 * Changes of slots; they go with their transactions. What they leave is in {@link contractSlots}. Rows ascend by time.
 */
export const contractStateChanges: Facet<'contractStateChanges', ContractStateChange> = {
  name: 'contractStateChanges',
  decodeUnit: decodeStateChanges,
  fixture: {
    kind: 'contract_state',
    isReadLast: true,
    place: {
      members: ['timestamp', 'contract_id', 'slot'],
      of: ({ consensusTimestamp, contract, slot }) => [consensusTimestamp, contract, slotNumber(slot)],
    },
    read: readContractStateLine,
  },

  unitTables: [eventsOfUnits('contractStateChanges', 'contract_state_change', 4, STATE_CHANGE)],
};

/** Slots of contracts as they are. */
export const contractSlots: Facet<'contractSlots', ContractSlot> = {
  name: 'contractSlots',
  rebuild: { replaced: [STATE.name] },

  fold({ unit }, state) {
    for (const change of unit.contractStateChanges) {
      if (!change.leavesState) continue;
      const value = change.valueWritten ?? (change.isMigration ? change.valueRead : null);
      if (value !== null) {
        state.put(STATE, [change.contract, wordOf(change.slot), value, change.consensusTimestamp]);
      }
    }
    for (const { contract, modifiedTimestamp, slot, value } of unit.contractSlots) {
      state.put(STATE, [contract, wordOf(slot), value, modifiedTimestamp]);
    }
  },
};

function slotNumber(slot: Uint8Array): bigint {
  return BigInt(toHex(wordOf(slot)));
}

/**
 * Makes a row of each slot that a unit's transactions read or wrote.
 *
 * @see contracts/mirror-contracts.md section 11.5
 */
function decodeStateChanges({ items, resolveAt, sidecars }: DecodedUnit): FacetOutput<ContractStateChange> {
  const rows: ContractStateChange[] = [];
  if (sidecars.size === 0) return { rows };
  for (const item of items) {
    const { consensusTimestamp } = item;
    for (const { isMigration, stateChanges } of sidecars.get(consensusTimestamp) ?? []) {
      for (const { contractId: id, storageChanges } of stateChanges) {
        const contract = contractId(id, resolveAt(item));
        if (contract === null) continue;
        // What hooks store is theirs, not that of the contract that they run as.
        const leavesState = !isHookContract(contract);
        for (const { slot, valueRead, valueWritten } of storageChanges) {
          rows.push({
            contract,
            slot: memberBytes(slot),
            consensusTimestamp,
            valueRead: value(valueRead),
            valueWritten: valueWritten === null ? null : value(valueWritten.value),
            isMigration,
            leavesState,
          });
        }
      }
    }
  }
  return { rows };
}

/** Files have values with and without zeros in front. */
function value(given: ArrayLike<number>): Uint8Array {
  return trimmed(memberBytes(given));
}

/**
 * Reads what a transaction wrote in a slot: the object of the state of a contract, with `value_read` for what was
 * there before (by default zero).
 *
 * @see contracts/mirror-contracts.md section 7
 */
function readContractStateLine(
  row: FixtureObject,
  context: FixtureContext,
): FacetOutput<ContractStateChange> {
  const { transaction } = transactionOfLine(row, 'transaction_hash', context);
  const change: ContractStateChange = {
    contract: required(row, 'contract_id', idIn(context.home)),
    slot: required(row, 'slot', word),
    consensusTimestamp: transaction.consensusTimestamp,
    valueRead: trimmed(word(row, 'value_read') ?? new Uint8Array()),
    valueWritten: trimmed(required(row, 'value', word)),
    isMigration: false,
    leavesState: true,
  };
  return { rows: [change] };
}
