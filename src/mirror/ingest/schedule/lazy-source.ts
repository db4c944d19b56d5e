import { IngestError } from '../errors.ts';
import { type Pause, within } from '../pause.ts';
import { onePage, type SourceListing, type StreamSource } from '../units/stream-source.ts';

/** Above the time-outs of any source: what is still silent then has forgotten to end. */
const MAX_SILENCE_MS = 120_000;

/**
 * A source that is made when it is first asked for something, so that its code is loaded only where it is used, and of which
 * every question is answered within a bounded time, even if it hangs.
 *
 * A failure to make it is a failure of the question, and the next question tries again. Its units are as they are: they are
 * verified in turn, and a turn is bounded.
 */
export function createLazySource(
  name: string,
  make: () => Promise<StreamSource>,
  pause: Pause,
): StreamSource {
  let making: Promise<StreamSource> | null = null;
  let made: StreamSource | null = null;
  const source = async (): Promise<StreamSource> => {
    making ??= make();
    try {
      made = await making;
      return made;
    } catch (error) {
      making = null;
      throw error;
    }
  };
  /** Null when the signal was given meanwhile. */
  const bounded = async <T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T | null> => {
    work.catch(() => {});
    const answer = await within(work, MAX_SILENCE_MS, pause, signal);
    if (answer !== 'late') return answer.value;
    if (signal?.aborted === true) return null;
    throw new IngestError('source_unreachable', `${name} did not respond for ${MAX_SILENCE_MS / 1000} s`);
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
    name,
    addressBook: () =>
      bounded(
        source().then((each) => each.addressBook()),
        undefined,
      ),
    async list(after, signal) {
      const asking = source().then((each) => each.list(after, signal));
      const listing = await bounded(asking, signal);
      return listing === null
        ? { older: [], pages: onePage([]) }
        : { older: listing.older, pages: boundedPages(listing.pages, signal) };
    },
    get changed() {
      return made?.changed?.bind(made);
    },
    get standing() {
      return made?.standing?.bind(made);
    },
    async close() {
      await making?.catch(() => {});
      await made?.close?.();
    },
  } as StreamSource;
}
