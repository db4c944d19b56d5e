import type { Log } from '../../../values/log.ts';

/** Where ingestion tells people what it does. */
export type IngestLog = Pick<Log, 'info' | 'warn'>;

/** Tells nobody. */
export const silentLog: IngestLog = { info: () => {}, warn: () => {} };
