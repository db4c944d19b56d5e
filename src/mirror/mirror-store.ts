import type { createMirrorStore } from './mirror-store.sql.ts';

/** The stored ledger, whichever database keeps it. */
export type MirrorStore = ReturnType<typeof createMirrorStore>;

/** What deriving a ledger once more reads and writes. */
export type RebuildStore = ReturnType<MirrorStore['rebuild']>;
