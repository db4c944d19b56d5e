import type { IngestLog } from '../report/ingest-log.ts';
import { nodeText, type Rejections } from '../report/rejections.ts';
import type { StreamUnit } from '../source/stream-source.ts';

/** Units without a record file of which neither signatures nor content prove that they exist: nothing waits for them. */
export interface UnprovenUnits {
  /** Counts and tells it, once. */
  leaveOut(unit: StreamUnit): void;
  has(name: string): boolean;
}

/** Remembers the names for as long as the process runs. */
export function createUnprovenUnits(rejections: Rejections, log: Pick<IngestLog, 'warn'>): UnprovenUnits {
  const leftOut = new Set<string>();
  return {
    leaveOut({ emptyRecords, name }) {
      if (leftOut.has(name)) return;
      leftOut.add(name);
      for (const { node } of emptyRecords) rejections.add(nodeText(node), 'empty_file');
      if (emptyRecords.length === 0) rejections.add('', 'record_file_missing');
      const what = emptyRecords.length > 0 ? 'has no content' : 'is missing';
      log.warn({ name }, `the record file ${name} ${what} and its signatures prove nothing: it is left out`);
    },
    has: (name) => leftOut.has(name),
  };
}
