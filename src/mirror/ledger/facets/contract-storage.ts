import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { toHex } from '../../../values/hex.ts';
import { bytes, flag, int64, type RecordOf, rowTable } from '../../../values/row-table.ts';
import { eventTable, type Table } from '../fold/tables.ts';
import { decodeStateChanges } from './decode-state-changes.ts';
import { type Facet, rowsOfUnits } from './facet.ts';
import { readContractStateLine } from './read-contract-state-line.ts';

/** What a transaction read and wrote in a slot of a contract. @see contracts/mirror-contracts.md section 11.5 */
const STATE_CHANGE = rowTable({
  contract: int64<EntityId>('contract_id'),
  /** Up to 32 bytes. */
  slot: { column: 'slot', toStored: (slot: Uint8Array) => slotWord(slot) },
  consensusTimestamp: int64<ConsensusTimestamp>('consensus_ts'),
  /** Whether it tells what was there when sidecars began. */
  isMigration: flag('is_migration'),
  valueRead: bytes('value_read'),
  /** Null when it was only read, empty when zero was written. */
  valueWritten: bytes<Uint8Array | null>('value_written'),
});
export interface ContractStateChange extends RecordOf<typeof STATE_CHANGE> {
  /** False for a change that a fixture states beside the slots as they are. Default true. */
  readonly leavesState?: boolean;
}

/** The value of a slot as it is, from a fixture. */
export interface ContractSlot {
  readonly contract: EntityId;
  readonly slot: Uint8Array;
  readonly value: Uint8Array;
  readonly modifiedTimestamp: ConsensusTimestamp;
}

declare module '../rows.ts' {
  interface FacetRows {
    /** Ascending by time. */
    readonly contractStateChanges: readonly ContractStateChange[];
    readonly contractSlots: readonly ContractSlot[];
  }
}

/** The last change of a slot holds. */
const STATE: Table = {
  name: 'contract_state',
  keyLength: 2,
  columns: ['contract_id', 'slot', 'value', 'modified_ts'],
  onConflict: 'replace',
};
const WORD = 32;

/** Changes of slots; they go with their transactions. What they leave is in {@link contractSlots}. */
export const contractStateChanges: Facet<'contractStateChanges'> = {
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

  unitTables: [
    rowsOfUnits(
      'contractStateChanges',
      eventTable('contract_state_change', 4, STATE_CHANGE.columns),
      STATE_CHANGE.values,
    ),
  ],
};

/** Slots of contracts as they are. */
export const contractSlots: Facet<'contractSlots'> = {
  name: 'contractSlots',
  rebuild: { replaced: [STATE.name] },

  fold({ unit }, state) {
    for (const change of unit.contractStateChanges) {
      if (change.leavesState === false) continue;
      const value = change.valueWritten ?? (change.isMigration ? change.valueRead : null);
      if (value !== null) {
        state.put(STATE, [change.contract, slotWord(change.slot), value, change.consensusTimestamp]);
      }
    }
    for (const { contract, modifiedTimestamp, slot, value } of unit.contractSlots) {
      state.put(STATE, [contract, slotWord(slot), value, modifiedTimestamp]);
    }
  },
};

/** A slot as 32 bytes, so that slots are ordered as numbers. */
export function slotWord(slot: Uint8Array): Uint8Array {
  if (slot.length === WORD) return slot;
  const word = new Uint8Array(WORD);
  const given = slot.subarray(Math.max(0, slot.length - WORD));
  word.set(given, WORD - given.length);
  return word;
}

function slotNumber(slot: Uint8Array): bigint {
  return BigInt(toHex(slotWord(slot)));
}
