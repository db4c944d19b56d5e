import type { createStatusStore } from './status-store.sql.ts';

/** The stored state of the area, whichever database keeps it. */
export type StatusStore = ReturnType<typeof createStatusStore>;
