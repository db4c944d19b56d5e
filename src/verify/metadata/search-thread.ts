import { startThread } from '../../threads/start-thread.ts';
import { TaskThread, TaskTimeout } from '../../threads/task-thread.ts';
import type { FileSearch, FoundFiles } from './find-files.ts';
import type { OriginalSearch, OriginalSources } from './find-original-sources.ts';

/** One message to the thread; it answers with the result of the function of that name. */
export type SearchTask =
  | { readonly kind: 'original'; readonly search: OriginalSearch }
  | { readonly kind: 'files'; readonly search: FileSearch };

const IDLE_MS = 30_000;
const MAX_HEAP_MIB = 1024;

/** Searches that hash much, done in a thread of its own, one at a time. Null when the time limit was reached. */
export class SearchThread {
  readonly #thread = new TaskThread<SearchTask, unknown>({
    start: () =>
      startThread('verify/metadata/search-worker', {
        resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MIB },
      }),
    name: 'search',
    idleMs: IDLE_MS,
  });

  /** @returns null also when no line ends fit. */
  findOriginal(search: OriginalSearch, limits: SearchLimits): Promise<OriginalSources | null> {
    return this.#search({ kind: 'original', search }, limits) as Promise<OriginalSources | null>;
  }

  findFiles(search: FileSearch, limits: SearchLimits): Promise<FoundFiles | null> {
    return this.#search({ kind: 'files', search }, limits) as Promise<FoundFiles | null>;
  }

  /** Ends the thread; a search that runs or waits rejects. */
  close(): Promise<void> {
    return this.#thread.close();
  }

  async #search(task: SearchTask, limits: SearchLimits): Promise<unknown> {
    try {
      return await this.#thread.run(task, limits);
    } catch (error) {
      if (error instanceof TaskTimeout) return null;
      throw error;
    }
  }
}

/** How long a search may take. */
interface SearchLimits {
  readonly timeoutMs: number;
  /** Ends the search; it then rejects with the reason of the signal. */
  readonly signal: AbortSignal;
}

/** The searches alone. */
export type SourceSearch = Pick<SearchThread, 'findOriginal' | 'findFiles'>;
