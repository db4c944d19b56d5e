import { IngestError } from '../errors.ts';
import type { Pause } from '../pause.ts';
import { onePage, type SourceListing, type StreamSource } from '../units/stream-source.ts';

/** Above the time-outs of any source: what is still silent then has forgotten to end. */
export const LONGEST_SILENCE_MS = 120_000;

/**
 * A source of which every question is answered within a bounded time, even if it hangs.
 *
 * Its units are as they are: they are verified in turn, and a turn is bounded.
 */
export function createBoundedSource(source: StreamSource, pause: Pause): StreamSource {
  /** Null when the signal was given meanwhile. */
  const bounded = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> => {
    const answered = new AbortController();
    const either = AbortSignal.any([answered.signal, ...(signal === undefined ? [] : [signal])]);
    const silence = pause(LONGEST_SILENCE_MS, either).then(() => {
      if (either.aborted) return null;
      throw new IngestError(
        'source_unreachable',
        `${source.name} did not respond for ${LONGEST_SILENCE_MS / 1000} s`,
      );
    });
    // One of the two is always late.
    silence.catch(() => {});
    work.catch(() => {});
    try {
      return await Promise.race([work, silence]);
    } finally {
      answered.abort();
    }
  };
  async function* boundedPages(
    pages: SourceListing['pages'],
    signal: AbortSignal | undefined,
  ): SourceListing['pages'] {
    const walk = pages[Symbol.asyncIterator]();
    let isOver = false;
    try {
      while (!isOver) {
        const next = await bounded(walk.next(), signal);
        isOver = next?.done === true;
        if (next === null) return;
        if (next.done !== true) yield next.value;
      }
    } finally {
      // One that hangs never comes to its return, so nobody waits for it.
      if (!isOver) walk.return?.().catch(() => {});
    }
  }
  return {
    name: source.name,
    addressBook: () => bounded(source.addressBook(), undefined),
    async list(after, signal) {
      const listing = await bounded(source.list(after, signal), signal);
      return listing === null
        ? { older: [], pages: onePage([]) }
        : { older: listing.older, pages: boundedPages(listing.pages, signal) };
    },
    get changed() {
      return source.changed?.bind(source);
    },
    get standing() {
      return source.standing?.bind(source);
    },
    close: async () => source.close?.(),
  } as StreamSource;
}
