import { bytes, flag, int64, type RecordOf, rowTable } from '../../values/row-table.ts';
import type { IntegerRange, IntegerSelection } from '../parameters/integer-range.ts';
import type { PageRequest } from '../parameters/page-parameters.ts';

/** A hook of an account or contract; null is what the imported ledger does not tell. */
export const HOOK = rowTable({
  owner: int64('owner_id'),
  hookId: int64('hook_id'),
  /** Since when it is so. */
  changedTimestamp: int64('lower_ts'),
  createdTimestamp: int64<bigint | null>('created_ts'),
  isDeleted: flag('deleted'),
  contract: int64<bigint | null>('contract_id'),
  /** Serialized `Key`. */
  adminKey: bytes<Uint8Array | null>('admin_key'),
});
export type Hook = RecordOf<typeof HOOK>;

export interface HookSelection extends IntegerSelection, PageRequest {
  readonly owner: bigint;
}

/** A slot as it is, or was at the end of a time. */
export interface HookSlot {
  /** 32 bytes. */
  readonly key: Uint8Array;
  readonly consensusTimestamp: bigint;
  /** Without leading zeros. */
  readonly value: Uint8Array;
}

/** Bounds inclusive; keys have 32 bytes. */
export interface SlotSelection extends PageRequest {
  readonly owner: bigint;
  readonly hookId: bigint;
  readonly lowerKey: Uint8Array;
  readonly upperKey: Uint8Array;
  /** Inclusive; null for the slots as they are. */
  readonly times: IntegerRange | null;
}

/** The read side of hooks. */
export interface HookRepository {
  /** In order of their ids, deleted ones too. */
  page(selection: HookSelection): Promise<readonly Hook[]>;
  exists(owner: bigint, hookId: bigint): Promise<boolean>;
  /** In order of their keys: what the slots hold, or were set to last within the times, without cleared ones. */
  slots(selection: SlotSelection): Promise<readonly HookSlot[]>;
}
