/** Calls back once a second until the returned function is called. */
export type EverySecond = (tick: () => void) => () => void;

/** A body on its way. The one who reads it counts; the watch judges. */
export interface ArrivingBody {
  receivedBytes: number;
  /** What it takes of the budget. */
  readonly heldBytes: number;
  /** Who sends it, as its connection shows; behind a proxy all are one. */
  readonly client: string;
  /** True while the server itself does not take more. */
  isHeldUp(): boolean;
  /** Ends the body. @param why it is too slow, for the client; null: others need the room. */
  end(why: string | null): void;
}

interface Progress {
  seconds: number;
  idleSeconds: number;
  seenBytes: number;
}

/** When a body that arrives slowly is ended. */
const SLOW_BODY_LIMITS = {
  /** Without a byte for this long. */
  idleSeconds: 10,
  /** Until then any rate will do. */
  graceSeconds: 20,
  /** Afterwards, on average. */
  bytesPerSecond: 16_384,
  /** When others need its room, a body below `roomBytesPerSecond` may be ended after so long. */
  roomSeconds: 5,
  /** On average. */
  roomBytesPerSecond: 262_144,
};

/**
 * Ends bodies that make no progress or too little.
 *
 * It counts ticks, not the time of the clock: a server that was busy for seconds must not blame its clients.
 */
export class SlowBodies {
  readonly #limits: typeof SLOW_BODY_LIMITS;
  readonly #everySecond: EverySecond;
  readonly #watched = new Map<ArrivingBody, Progress>();
  #stop: (() => void) | null = null;

  constructor(limits = SLOW_BODY_LIMITS, everySecond: EverySecond = systemEverySecond) {
    this.#limits = limits;
    this.#everySecond = everySecond;
  }

  watch(body: ArrivingBody): void {
    this.#watched.set(body, { seconds: 0, idleSeconds: 0, seenBytes: 0 });
    this.#stop ??= this.#everySecond(() => this.#look());
  }

  forget(body: ArrivingBody): void {
    // The timer goes with its next tick: starting and stopping it for each body would cost more than the body.
    this.#watched.delete(body);
  }

  /**
   * Ends bodies that have been arriving slowly for a while, the largest first, else those of another client that holds
   * more than half of the room, first the one of which most is announced and not sent, if that can give enough.
   *
   * @returns false when none was ended.
   */
  endForRoom(client: string, missingBytes: number, capacityBytes: number): boolean {
    const { roomBytesPerSecond, roomSeconds } = this.#limits;
    const slow = [...this.#watched]
      .filter(
        ([body, { seconds }]) =>
          !body.isHeldUp() && seconds >= roomSeconds && body.receivedBytes < seconds * roomBytesPerSecond,
      )
      .map(([body]) => body)
      .sort((one, other) => other.heldBytes - one.heldBytes);
    const why = `less than ${roomBytesPerSecond} bytes per second while others wait`;
    const missing = this.#end(slow, missingBytes, why);
    const greedy = missing > 0 ? this.#ofGreedy(client, missing + capacityBytes / 2) : [];
    return this.#end(greedy, missing, null) < missingBytes;
  }

  /** Those of a client other than this one that holds at least so many bytes. */
  #ofGreedy(client: string, bytes: number): readonly ArrivingBody[] {
    const held = new Map<string, number>();
    for (const [body] of this.#watched) held.set(body.client, (held.get(body.client) ?? 0) + body.heldBytes);
    held.delete(client);
    const unsent = ({ heldBytes, receivedBytes }: ArrivingBody) => heldBytes - receivedBytes;
    return [...this.#watched.keys()]
      .filter((body) => (held.get(body.client) ?? 0) >= bytes)
      .sort((one, other) => unsent(other) - unsent(one));
  }

  /** Ends bodies in this order until so many bytes are free. @returns how many are still missing. */
  #end(bodies: readonly ArrivingBody[], missingBytes: number, why: string | null): number {
    let missing = missingBytes;
    for (const body of bodies) {
      if (missing <= 0) break;
      if (body.heldBytes === 0) continue;
      missing -= body.heldBytes;
      this.#watched.delete(body);
      body.end(why);
    }
    return missing;
  }

  #look(): void {
    if (this.#watched.size === 0) {
      this.#stop?.();
      this.#stop = null;
    }
    for (const [body, progress] of this.#watched) {
      if (body.isHeldUp()) continue;
      const why = this.#faultOf(body.receivedBytes, progress);
      if (why === null) continue;
      this.#watched.delete(body);
      body.end(why);
    }
  }

  #faultOf(receivedBytes: number, progress: Progress): string | null {
    const { bytesPerSecond, graceSeconds, idleSeconds } = this.#limits;
    progress.seconds += 1;
    progress.idleSeconds = receivedBytes === progress.seenBytes ? progress.idleSeconds + 1 : 0;
    progress.seenBytes = receivedBytes;
    if (progress.idleSeconds >= idleSeconds) return `nothing for ${idleSeconds} seconds`;
    const expected = (progress.seconds - graceSeconds) * bytesPerSecond;
    return receivedBytes < expected ? `less than ${bytesPerSecond} bytes per second` : null;
  }
}

export function systemEverySecond(tick: () => void): () => void {
  const timer = setInterval(tick, 1000).unref();
  return () => clearInterval(timer);
}
