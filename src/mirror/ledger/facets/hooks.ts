import type { ConsensusTimestamp } from '../../../values/consensus-timestamp.ts';
import type { EntityId } from '../../../values/entity-id.ts';
import { type ColumnValue, column, stateTable, type Table } from '../../../values/stored-tables.ts';
import { inPlaces } from '../fold/change-order.ts';
import { decodeHookRuns, decodeHooks, HOOK_TYPES } from './decode-hooks.ts';
import type { Facet } from './facet.ts';

/** What a transaction does to a hook of an account or contract. */
export interface HookChange {
  readonly owner: EntityId;
  readonly hookId: bigint;
  readonly consensusTimestamp: ConsensusTimestamp;
  readonly kind: 'created' | 'deleted' | 'stored';
  /** Of a created one. */
  readonly contract: EntityId | null;
  /** Serialized `Key`; of a created one. */
  readonly adminKey: Uint8Array | null;
  /** Slots that are set, each once: key of 32 bytes, value without leading zeros. */
  readonly slots: readonly { readonly key: Uint8Array; readonly value: Uint8Array }[];
}

const HOOK = stateTable(
  'hook',
  { owner: 'owner_id', hookId: 'hook_id' },
  {
    lower: column<bigint>('lower_ts'),
    createdAt: column<bigint | null>('created_ts'),
    isDeleted: column<ColumnValue>('deleted'),
    contract: column<bigint | null>('contract_id'),
    adminKey: column<Uint8Array | null>('admin_key'),
  },
);
/** The last change of a time holds. */
const HOOK_STORAGE: Table = {
  name: 'hook_storage',
  keyLength: 4,
  columns: ['owner_id', 'hook_id', 'key', 'consensus_ts', 'value'],
  onConflict: 'replace',
};

/** Slots as they are. */
const HOOK_SLOT: Table = {
  name: 'hook_slot',
  keyLength: 3,
  columns: ['owner_id', 'hook_id', 'key', 'value', 'modified_ts'],
  onConflict: 'replace',
};

/**
 * Hooks with what they store, and every change of it.
 *
 * Rows are what transactions tell themselves, in their order, and then what was stored by hooks that they ran.
 *
 * @see contracts/mirror-entities.md section 10; HIP-1195
 */
export const hooks: Facet<'hooks', HookChange> = {
  name: 'hooks',

  decode: { types: HOOK_TYPES, rows: decodeHooks },
  decodeUnit: decodeHookRuns,

  touch(unit, keys) {
    for (const { hookId, kind, owner } of unit.hooks) {
      if (kind !== 'stored') keys.add(HOOK, owner, hookId);
    }
  },

  fold({ unit }, state) {
    for (const change of inPlaces(unit, unit.hooks)) {
      const { adminKey, consensusTimestamp: at, contract, hookId, kind, owner, slots } = change;
      for (const { key, value } of slots) {
        state.append(HOOK_STORAGE, [owner, hookId, key, at, value]);
        state.put(HOOK_SLOT, [owner, hookId, key, value, at]);
      }
      if (kind === 'stored') continue;
      const rows = state.rows(HOOK);
      const stored = kind === 'created' ? null : rows.get(owner, hookId);
      rows.set({
        owner,
        hookId,
        lower: at,
        createdAt: kind === 'created' ? at : (stored?.createdAt ?? null),
        isDeleted: Number(kind === 'deleted'),
        contract: stored?.contract ?? contract,
        adminKey: stored?.adminKey ?? adminKey,
      });
    }
  },

  rebuild: { replaced: [HOOK.name, HOOK_STORAGE.name, HOOK_SLOT.name] },
};
