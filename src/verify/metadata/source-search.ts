import type { FileSearch, FoundFiles } from './find-files.ts';
import type { OriginalSearch, OriginalSources } from './find-original-sources.ts';

/** How long a search may take. */
export interface SearchLimits {
  readonly timeoutMs: number;
  /** Ends the search; it then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** Searches that hash much, done away from the main thread. Null when the time limit was reached. */
export interface SourceSearch {
  /** @returns null also when no line ends fit. */
  findOriginal(search: OriginalSearch, limits: SearchLimits): Promise<OriginalSources | null>;
  findFiles(search: FileSearch, limits: SearchLimits): Promise<FoundFiles | null>;
}
