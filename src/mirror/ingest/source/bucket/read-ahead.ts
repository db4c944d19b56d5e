/** How far downloads may run ahead of what is read. */
export interface ReadAheadLimits {
  /** Downloads at a time. */
  readonly parallel: number;
  /** Bytes that are held or under way, as far as sizes were told. */
  readonly bytes: number;
}

/** A download that may begin before it is asked for. */
export interface Download {
  /** Order in which they are wanted; what belongs to an earlier turn is dropped once a later one is read. */
  readonly turn: number;
  /** Bytes that it will take. */
  readonly size: number;
  readonly fetch: (signal: AbortSignal) => Promise<Uint8Array>;
}

interface Entry {
  readonly download: Download;
  readonly abort: AbortController;
  readonly bytes: Promise<Uint8Array>;
  isRead: boolean;
}

/** @see docs/adr/0020-sources.md */
export function createReadAhead({ bytes: maxBytes, parallel }: ReadAheadLimits) {
  const waiting: Download[] = [];
  /** Begun and not yet read. */
  const held = new Map<Download, Entry>();
  let isClosed = false;
  let bytes = 0;
  let running = 0;

  const begin = (download: Download): Entry => {
    const abort = new AbortController();
    running++;
    bytes += download.size;
    const fetched = download.fetch(abort.signal).finally(() => {
      running--;
      pump();
    });
    const entry = { download, abort, bytes: fetched, isRead: false };
    // Whoever reads it learns of a fault; until then it is no unhandled one.
    fetched.catch(() => {});
    held.set(download, entry);
    return entry;
  };
  const release = (entry: Entry): void => {
    if (!held.delete(entry.download)) return;
    bytes -= entry.download.size;
    pump();
  };
  const hasRoom = ({ size }: Download): boolean =>
    running < parallel && (bytes + size <= maxBytes || held.size === 0);
  function pump(): void {
    for (let next = waiting[0]; next !== undefined && hasRoom(next); next = waiting[0]) {
      waiting.shift();
      begin(next);
    }
  }
  const drop = (isDropped: (download: Download) => boolean): void => {
    for (const entry of [...held.values()]) {
      if (entry.isRead || !isDropped(entry.download)) continue;
      entry.abort.abort();
      release(entry);
    }
  };
  const dropBefore = (turn: number): void => {
    drop((download) => download.turn < turn);
    while ((waiting[0]?.turn ?? turn) < turn) waiting.shift();
  };
  const read = async (download: Download): Promise<Uint8Array> => {
    dropBefore(download.turn);
    const at = waiting.indexOf(download);
    if (at >= 0) waiting.splice(at, 1);
    const entry = held.get(download) ?? begin(download);
    entry.isRead = true;
    try {
      return await entry.bytes;
    } finally {
      release(entry);
    }
  };

  return {
    /**
     * Lets it begin when there is room.
     *
     * @returns reads it: waits for what runs, begins at once what does not. A second reading downloads again.
     */
    add(download: Download): () => Promise<Uint8Array> {
      if (!isClosed) waiting.push(download);
      pump();
      return () => read(download);
    },
    /** Reads without running ahead. */
    onDemand:
      (download: Download): (() => Promise<Uint8Array>) =>
      () =>
        read(download),
    /** Bytes held and under way. */
    get bytes(): number {
      return bytes;
    },
    /** Nothing runs ahead any more: ends what nobody reads. What is being read, or is read afterwards, comes. */
    close(): void {
      isClosed = true;
      waiting.length = 0;
      drop(() => true);
    },
  };
}

/** Downloads that run ahead in order, within bounds. */
export type ReadAhead = ReturnType<typeof createReadAhead>;

/**
 * Walks one step ahead: while a step is used the next one is made.
 *
 * A fault of the next step shows when it is asked for.
 */
export async function* oneAhead<T>(steps: AsyncGenerator<T>): AsyncGenerator<T> {
  const begin = (): Promise<IteratorResult<T>> => {
    const next = steps.next();
    next.catch(() => {});
    return next;
  };
  let coming = begin();
  try {
    for (;;) {
      const step = await coming;
      if (step.done === true) return;
      coming = begin();
      yield step.value;
    }
  } finally {
    // Waits for nothing: what is under way has a signal of its own.
    void steps.return(undefined).catch(() => {});
  }
}
