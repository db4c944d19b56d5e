import type { IngestLog } from '../report/ingest-log.ts';
import type { Rejections } from '../report/rejections.ts';
import type { Absence } from '../units/stream-unit.ts';

/** Units that nothing proves, or that are not there: nothing waits for them. */
export interface UnprovenUnits {
  /** Counts and tells it, once. */
  leaveOut(name: string, absence: Omit<Absence, 'error'>): void;
  has(name: string): boolean;
}

/** Remembers the names for as long as the process runs. */
export function createUnprovenUnits(rejections: Rejections, log: Pick<IngestLog, 'warn'>): UnprovenUnits {
  const leftOut = new Set<string>();
  return {
    leaveOut(name, { reason, rejections: found }) {
      if (leftOut.has(name)) return;
      leftOut.add(name);
      for (const { code, node } of found) rejections.add(node, code);
      log.warn({ name }, reason);
    },
    has: (name) => leftOut.has(name),
  };
}
