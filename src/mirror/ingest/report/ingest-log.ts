/** Where ingestion tells people what it does. */
export interface IngestLog {
  info(fields: Readonly<Record<string, unknown>>, message: string): void;
  warn(fields: Readonly<Record<string, unknown>>, message: string): void;
}

/** Tells nobody. */
export const silentLog: IngestLog = { info: () => {}, warn: () => {} };
