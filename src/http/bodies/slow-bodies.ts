import type { Shares } from '../client-shares.ts';

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
  /** What slow bodies could give to a client that looked in vain: it looks once in a turn of the event loop. */
  readonly #slowBytes = new Map<string, number>();
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
   * Ends bodies that have been arriving slowly for a while, the largest first, or, if those hold too little, bodies of
   * the client that gives way to this one with what it asks for, first the one of which most is announced and not sent;
   * it keeps the one of which most has arrived, whatever others announce.
   *
   * @returns false when neither makes the room that is missing: none was ended.
   */
  endForRoom(
    asking: ArrivingBody,
    shares: Shares<ArrivingBody>,
    askedBytes: number,
    missingBytes: number,
  ): boolean {
    const { client } = asking;
    const own = shares.of(client);
    if (missingBytes <= (this.#slowBytes.get(client) ?? Number.POSITIVE_INFINITY)) {
      const slow = this.#slowFor(asking, own, shares);
      const slowBytes = slow.reduce((sum, { heldBytes }) => sum + heldBytes, 0);
      const why = `less than ${this.#limits.roomBytesPerSecond} bytes per second while others wait`;
      if (slowBytes >= missingBytes) return endUntil(missingBytes, slow, ({ heldBytes }) => heldBytes, why);
      if (this.#slowBytes.size === 0) setImmediate(() => this.#slowBytes.clear());
      this.#slowBytes.set(client, slowBytes);
    }
    const payer = shares.payerFor(own + askedBytes);
    const [, ...others] = [...(payer?.items ?? [])].sort(
      (one, other) => other.receivedBytes - one.receivedBytes,
    );
    if (others.reduce((sum, { heldBytes }) => sum + heldBytes, 0) < missingBytes) return false;
    const unsent = ({ heldBytes, receivedBytes }: ArrivingBody) => heldBytes - receivedBytes;
    return endUntil(missingBytes, others, unsent, null);
  }

  #slowFor(asking: ArrivingBody, own: number, shares: Shares<ArrivingBody>): ArrivingBody[] {
    const { roomBytesPerSecond, roomSeconds } = this.#limits;
    const slow: ArrivingBody[] = [];
    for (const [client, { items }] of shares.ofClients) {
      if (shares.spares(client, own)) continue;
      for (const body of items) {
        const { seconds } = this.#watched.get(body) ?? { seconds: 0 };
        const isSlow = seconds >= roomSeconds && body.receivedBytes < seconds * roomBytesPerSecond;
        if (isSlow && body !== asking && !body.isHeldUp()) slow.push(body);
      }
    }
    return slow;
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

/** Ends bodies, those of the highest rank first, until so many bytes are free. */
function endUntil(
  missingBytes: number,
  bodies: ArrivingBody[],
  rankOf: (body: ArrivingBody) => number,
  why: string | null,
): true {
  let missing = missingBytes;
  for (const body of bodies.sort((one, other) => rankOf(other) - rankOf(one))) {
    if (missing <= 0) break;
    missing -= body.heldBytes;
    body.end(why);
  }
  return true;
}

export function systemEverySecond(tick: () => void): () => void {
  const timer = setInterval(tick, 1000).unref();
  return () => clearInterval(timer);
}
