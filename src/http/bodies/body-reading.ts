import type { IncomingMessage } from 'node:http';
import type { Readable } from 'node:stream';
import { createGunzip, type Gunzip } from 'node:zlib';
import { clientOf } from '../client-address.ts';
import { type BodyBudget, SMALL_BODY_BYTES } from './body-budget.ts';
import { BodyError, bodyBudgetSpent, bodyTooLarge } from './body-errors.ts';
import type { BodyPace } from './body-pace.ts';
import type { ArrivingBody, SlowBodies } from './slow-bodies.ts';

/** What is known of a body before it is read. */
interface ExpectedBody {
  /** Bytes that it may have, after unpacking too. */
  readonly limitBytes: number;
  /** `Content-Length`; undefined when there is none. */
  readonly contentLength: string | undefined;
  /** Whether it is to be unpacked. */
  readonly isGzip: boolean;
}

/** A body that was read. It counts as held until {@link ReadBody.release} is called. */
export interface ReadBody {
  readonly bytes: number;
  /** In order. Those of a body above 64 KiB own their memory and may be moved to a thread. */
  readonly parts: readonly Buffer[];
  /**
   * To be called once the body was handed on or refused; further calls change nothing.
   *
   * @param keptBytes what is still held in its place. Default 0.
   */
  release(keptBytes?: number): void;
}

export type BodyRead = (error: Error | null, body?: ReadBody) => void;

/** What all bodies of a server share. */
interface BodyReadingParts {
  readonly budget: BodyBudget;
  readonly slow: SlowBodies;
  readonly pace: BodyPace;
}

/** One body on its way from its stream into memory. */
export class BodyReading implements ArrivingBody {
  receivedBytes = 0;
  readonly client: string;
  readonly #budget: BodyBudget;
  readonly #slow: SlowBodies;
  readonly #pace: BodyPace;
  readonly #payload: Readable;
  readonly #expected: ExpectedBody;
  /** Null once it was called: a connection that is kept has its last request until the next, and what that leads to. */
  #done: BodyRead | null;
  readonly #parts = new BodyParts();
  #heldBytes = 0;
  #gunzip: Gunzip | null = null;

  constructor(
    { budget, pace, slow }: BodyReadingParts,
    payload: Readable,
    expected: ExpectedBody,
    done: BodyRead,
  ) {
    this.#budget = budget;
    this.#slow = slow;
    this.#pace = pace;
    this.#payload = payload;
    this.#expected = expected;
    this.#done = done;
    this.client = clientOf((payload as Partial<IncomingMessage>).socket?.remoteAddress ?? '');
  }

  get heldBytes(): number {
    return this.#heldBytes;
  }

  begin(): void {
    const payload = this.#payload;
    payload.on('error', (cause: Error) => {
      this.#refuse(new BodyError('body_broken_off', 'The body was cut off', { cause }));
    });
    payload.on('data', ({ length }: Buffer) => this.#pace.hasRead(payload, length));
    const refusal = this.#refusalAtOnce();
    if (refusal !== null) {
      this.#refuse(refusal);
      return;
    }
    this.#slow.watch(this);
    if (this.#expected.isGzip) {
      this.#gunzip = unpackWhileArriving(payload, {
        arrived: (bytes) => {
          this.receivedBytes += bytes;
          const { limitBytes } = this.#expected;
          if (this.receivedBytes > this.#maxReceived())
            this.#refuse(bodyTooLarge(this.receivedBytes, limitBytes));
        },
        isDone: () => this.#done === null,
        unpacked: (piece) => this.#keep(piece),
        ended: () => this.#finish(),
        failed: (error) => this.#refuse(error),
      });
      return;
    }
    payload.on('data', (piece: Buffer) => {
      if (this.#done === null) return;
      this.receivedBytes += piece.length;
      this.#keep(piece);
    });
    payload.on('end', () => this.#finish());
  }

  isHeldUp(): boolean {
    return this.#gunzip?.writableNeedDrain === true;
  }

  end(why: string | null): void {
    const tooSlow = () => new BodyError('body_too_slow', `The body arrives too slowly: ${why}`);
    this.#refuse(why === null ? bodyBudgetSpent() : tooSlow());
  }

  #refusalAtOnce(): BodyError | null {
    const { contentLength, isGzip, limitBytes } = this.#expected;
    const bytes = Number(contentLength ?? 0);
    if (bytes > this.#maxReceived()) return bodyTooLarge(bytes, limitBytes);
    // What unpacking takes counts as small: it is the same for all.
    if (isGzip) return this.#hold(UNPACKING_BYTES, 0) ? null : bodyBudgetSpent();
    if (contentLength === undefined) return null;
    return this.#hold(bytes, bytes) ? null : bodyBudgetSpent();
  }

  /** What does not get smaller by packing gets a little larger. */
  #maxReceived(): number {
    const { isGzip, limitBytes } = this.#expected;
    return isGzip ? limitBytes + PACKING_BYTES : limitBytes;
  }

  #keep(piece: Buffer): void {
    const bytes = this.#parts.bytes + piece.length;
    const { isGzip, limitBytes } = this.#expected;
    const missing = bytes - (isGzip ? this.#heldBytes - UNPACKING_BYTES : this.#heldBytes);
    if (bytes > limitBytes) this.#refuse(bodyTooLarge(bytes, limitBytes));
    else if (missing > 0 && !this.#hold(missing, bytes)) this.#refuse(bodyBudgetSpent());
    else this.#parts.add(piece);
  }

  #hold(bytes: number, bodyBytes: number): boolean {
    while (!this.#budget.take(bytes, bodyBytes)) {
      if (!this.#budget.couldTake(bytes, bodyBytes)) return false;
      const missing = this.#budget.missingFor(bytes, bodyBytes);
      if (!this.#slow.endForRoom(this, this.#budget.shares, bytes, missing)) return false;
      // It may have been this one.
      if (this.#done === null) return false;
    }
    this.#heldBytes += bytes;
    this.#budget.shares.add(this.client, this, bytes);
    return true;
  }

  #release(bytes = this.#heldBytes): void {
    this.#budget.give(bytes);
    this.#heldBytes -= bytes;
  }

  #finish(): void {
    const done = this.#settle();
    if (done === null) return;
    const { bytes } = this.#parts;
    if (this.#gunzip !== null) this.#release(UNPACKING_BYTES);
    const release = (keptBytes = 0) => this.#release(Math.max(0, this.#heldBytes - keptBytes));
    done(null, { bytes, parts: this.#parts.take(), release });
  }

  #refuse(error: Error): void {
    const done = this.#settle();
    if (done === null) return;
    this.#parts.clear();
    this.#release();
    this.#gunzip?.destroy();
    // Taking the listeners away again would cost more than letting the rest pass by.
    this.#payload.resume();
    done(error);
  }

  /** @returns whom to tell of the end; null when it has ended already. */
  #settle(): BodyRead | null {
    const done = this.#done;
    this.#done = null;
    if (done !== null) {
      this.#slow.forget(this);
      this.#budget.shares.delete(this.client, this, this.#heldBytes);
    }
    return done;
  }
}

/** Up to here unpacked bodies may be as repetitive as they like. */
const RATIO_FLOOR_BYTES = 2_097_152;
/** Sources written by programs reach a tenth of this; an empty file has ten times as much. */
const LARGEST_RATIO = 100;
const UNPACKED_PIECE_BYTES = 65_536;
/** More than heads and ends of a gzip file and of its blocks take, in the largest body. */
const PACKING_BYTES = 65_536;
/** What unpacking takes while it lasts, whatever it gives. */
const UNPACKING_BYTES = 131_072;

/** Told what becomes of a packed body. */
interface UnpackingListener {
  arrived(bytes: number): void;
  unpacked(piece: Buffer): void;
  ended(): void;
  failed(error: BodyError): void;
  /** True when nobody wants more. */
  isDone(): boolean;
}

/** Unpacks gzip while it arrives; the work is done in the thread pool. */
function unpackWhileArriving(payload: Readable, listener: UnpackingListener): Gunzip {
  const gunzip = createGunzip({ chunkSize: UNPACKED_PIECE_BYTES });
  let unpackedBytes = 0;
  gunzip.on('data', (piece: Buffer) => {
    if (listener.isDone()) return;
    unpackedBytes += piece.length;
    // Counted are the bytes that were unpacked: what lies after the packed data changes nothing.
    if (unpackedBytes > RATIO_FLOOR_BYTES && unpackedBytes > LARGEST_RATIO * gunzip.bytesWritten) {
      const text = `The body unpacks to more than ${LARGEST_RATIO} times its size. Send it without Content-Encoding.`;
      listener.failed(new BodyError('body_ratio', text));
    } else listener.unpacked(piece);
  });
  gunzip.on('end', () => listener.ended());
  gunzip.on('error', (cause) =>
    listener.failed(new BodyError('body_not_gzip', 'The body is not valid gzip', { cause })),
  );
  gunzip.on('drain', () => payload.resume());
  payload.on('data', (piece: Buffer) => {
    if (listener.isDone()) return;
    listener.arrived(piece.length);
    if (!listener.isDone() && !gunzip.write(piece)) payload.pause();
  });
  payload.on('end', () => {
    if (!listener.isDone()) gunzip.end();
  });
  return gunzip;
}

/** Of a body, and of a small one. */
const [PART_BYTES, SMALL_PART_BYTES] = [1_048_576, 4096];
/** More are copied: beside its own bytes, of which there may be one, each takes hundreds that are not counted. */
const MAX_PIECES = 16;

/**
 * Collects the pieces of a body.
 *
 * A small body keeps a few pieces as they came. Any other is copied into parts of its own while it arrives: memory
 * grows with what has arrived, nothing is copied at the end, and the parts can be moved to a thread.
 */
class BodyParts {
  readonly #pieces: Buffer[] = [];
  readonly #parts: Buffer[] = [];
  /** Free bytes at the end of the last part. */
  #free = 0;
  #bytes = 0;

  get bytes(): number {
    return this.#bytes;
  }

  add(piece: Buffer): void {
    this.#bytes += piece.length;
    this.#pieces.push(piece);
    const isCopied = this.#parts.length > 0 || this.#pieces.length > MAX_PIECES;
    if (this.#bytes <= SMALL_BODY_BYTES && !isCopied) return;
    for (const each of this.#pieces.splice(0)) this.#copy(each);
  }

  /** @returns what was collected, in order; nothing is kept. */
  take(): readonly Buffer[] {
    const last = this.#parts.pop();
    if (last === undefined) return this.#pieces.splice(0);
    return [...this.#parts.splice(0), last.subarray(0, last.length - this.#free)];
  }

  clear(): void {
    this.#pieces.length = 0;
    this.#parts.length = 0;
  }

  #copy(piece: Buffer): void {
    let done = 0;
    while (done < piece.length) {
      if (this.#free === 0) {
        this.#free = this.#bytes <= SMALL_BODY_BYTES ? SMALL_PART_BYTES : PART_BYTES;
        // Not from the pool, which others share.
        this.#parts.push(Buffer.allocUnsafeSlow(this.#free));
      }
      const part = this.#parts.at(-1) as Buffer;
      const copied = piece.copy(part, part.length - this.#free, done);
      this.#free -= copied;
      done += copied;
    }
  }
}
