import type { SourceStanding } from '../units/stream-source.ts';

/** What a folder says of record files that are no longer read. */
export interface LeftOutRecords {
  /** Called with how many there are, each time somebody looks. */
  take(count: number): void;
  standing(): SourceStanding;
}

/** @param warn called once, however often somebody looks */
export function createLeftOutRecords(path: string, warn: (message: string) => void): LeftOutRecords {
  let note: string | null = null;
  let isTold = false;
  return {
    take(count) {
      note =
        count === 0
          ? null
          : `${count} record files in ${path} are skipped: the ledger switched to native blocks before them`;
      if (note !== null && !isTold) warn(note);
      isTold ||= note !== null;
    },
    standing: () => ({ node: null, newest: null, notes: note === null ? [] : [note] }),
  };
}
