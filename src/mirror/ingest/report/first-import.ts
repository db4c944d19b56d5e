import type { IngestState } from './ingest-state.ts';

/** How far the import is that a server begins with. */
export interface FirstImport {
  /** Paths to import, and those of them that are done. */
  readonly paths: number;
  readonly done: number;
  /** The path at work. */
  readonly source: string;
  /** Units that it has given so far, and the newest of the ledger. */
  readonly units: number;
  readonly lastUnit: string | null;
}

/**
 * Null when nothing of it is left to be done: all paths are imported, or one could not be, behind which the others
 * do not begin.
 */
export function firstImport(paths: readonly string[], states: readonly IngestState[]): FirstImport | null {
  for (const [done, source] of paths.entries()) {
    // A folder that is watched as well comes again behind the imports.
    const {
      lastUnit = null,
      state = 'idle',
      units = 0,
    } = states.find((each) => each.source === source) ?? {};
    if (state === 'idle' || state === 'running')
      return { paths: paths.length, done, source, units, lastUnit };
    if (state !== 'finished') return null;
  }
  return null;
}
