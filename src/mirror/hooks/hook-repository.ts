/** A hook of an account or contract; null is what the imported ledger does not tell. */
export interface Hook {
  readonly owner: bigint;
  readonly hookId: bigint;
  /** Since when it is so. */
  readonly changedTimestamp: bigint;
  readonly createdTimestamp: bigint | null;
  readonly isDeleted: boolean;
  readonly contract: bigint | null;
  /** Serialized `Key`. */
  readonly adminKey: Uint8Array | null;
}

/** Bounds inclusive. */
export interface HookSelection {
  readonly owner: bigint;
  readonly lower: bigint;
  readonly upper: bigint;
  readonly equal: ReadonlySet<bigint> | null;
  readonly excluded: ReadonlySet<bigint>;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
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
export interface SlotSelection {
  readonly owner: bigint;
  readonly hookId: bigint;
  readonly lowerKey: Uint8Array;
  readonly upperKey: Uint8Array;
  /** Inclusive; null for the slots as they are. */
  readonly times: { readonly lower: bigint; readonly upper: bigint } | null;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
}

/** The read side of hooks. */
export interface HookRepository {
  /** In order of their ids, deleted ones too. */
  page(selection: HookSelection): Promise<readonly Hook[]>;
  exists(owner: bigint, hookId: bigint): Promise<boolean>;
  /** In order of their keys: what the slots hold, or were set to last within the times, without cleared ones. */
  slots(selection: SlotSelection): Promise<readonly HookSlot[]>;
}
