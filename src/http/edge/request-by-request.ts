import type { Socket } from 'node:net';
import { clientOf } from '../client-address.ts';
import { Shares } from '../client-shares.ts';
import { isOver, newestAnswerOf } from './newest-answer.ts';
import { takeOver } from './take-over.ts';

/** Behind a head without a body comes the next one. In a body it is nothing, and the pieces are only shorter. */
const HEAD_END = Buffer.from('\r\n\r\n');
/** While a body comes at least so much is parsed at once; behind its end that may be a dozen requests. */
const MIN_BODY_BYTES = 512;
/** Of a connection in one turn, where they bring no request that has to be answered first. */
const MAX_PIECES = 16;
/** What the event loop may still read of a connection that waits, counted once; it can be twice as much. */
const CHUNK_BYTES = 64 * 1024;
const MAX_HELD_BYTES = 1024 * CHUNK_BYTES;

/** Calls back once something has happened. */
type Until = (then: () => void) => void;
const NOTHING: Until = (then) => then();

/**
 * Has Node parse one request of a connection at a time: what was sent behind it waits, as bytes, until it is answered
 * and the connection has its turn. Node itself parses all that one reading brings, a millisecond for each hundred
 * requests, before anybody else is heard.
 *
 * Costs each request some microseconds, so it is for connections that send several at once, and those that come with them.
 */
export class RequestByRequest {
  readonly #awaitTurn: (socket: Socket, go: () => void) => void;
  readonly #maxHeldBytes: number;
  readonly #read = new WeakSet<Socket>();
  /** What is not parsed yet of those that wait. */
  readonly #held = new Map<Socket, { readonly bytes: Buffer; readonly client: string }>();
  #heldBytes = 0;
  readonly #shares: Shares<Socket>;

  /**
   * @param awaitTurn calls back when the next request of a connection may be parsed
   * @param maxHeldBytes of all connections. Beyond it the client with most gives way to those with less; connections for
   *   which no other client gives way are parsed as they come, and end when their client has more than half of it.
   */
  constructor(awaitTurn: (socket: Socket, go: () => void) => void, maxHeldBytes = MAX_HELD_BYTES) {
    this.#awaitTurn = awaitTurn;
    this.#maxHeldBytes = maxHeldBytes;
    this.#shares = new Shares(maxHeldBytes);
  }

  has(socket: Socket): boolean {
    return this.#read.has(socket);
  }

  /** From now on; not to be called while one of its requests is being parsed. */
  read(socket: Socket): void {
    if (this.#read.has(socket)) return;
    this.#read.add(socket);
    if (!isOver(socket)) this.#follow(socket);
  }

  /** To be called with each that is closed. */
  forget(socket: Socket): void {
    this.#take(socket);
  }

  #take(socket: Socket): Buffer | null {
    const held = this.#held.get(socket);
    if (held === undefined) return null;
    const { bytes, client } = held;
    const amount = bytes.length + CHUNK_BYTES;
    this.#heldBytes -= amount;
    this.#shares.delete(client, socket, amount);
    this.#held.delete(socket);
    return bytes;
  }

  /** @returns whether there is room, for which the client with most gives way. */
  #hold(socket: Socket, bytes: Buffer): boolean {
    const client = clientOf(socket.remoteAddress ?? '');
    const amount = bytes.length + CHUNK_BYTES;
    while (this.#heldBytes + amount > this.#maxHeldBytes) {
      const [given] = this.#shares.payerFor(this.#shares.of(client) + amount)?.items ?? [];
      if (given === undefined) return false;
      this.#take(given.destroy());
    }
    this.#heldBytes += amount;
    this.#shares.add(client, socket, amount);
    this.#held.set(socket, { bytes, client });
    return true;
  }

  /** Whether a connection that finds no room is of the client that has taken it. */
  #isGreedy(socket: Socket): boolean {
    return this.#shares.of(clientOf(socket.remoteAddress ?? '')) > this.#maxHeldBytes / 2;
  }

  #follow(socket: Socket): void {
    let isWaiting = false;
    const parseOn = (bytes: Buffer | null): void => {
      let rest = bytes;
      for (let left = MAX_PIECES; rest !== null && !isOver(socket); left--) {
        const until = whatIsFirst(socket) ?? (left <= 0 ? NOTHING : null);
        if (until !== null && this.#hold(socket, rest)) {
          isWaiting = true;
          socket.pause();
          until(() => this.#awaitTurn(socket, go));
          return;
        }
        if (isFull(socket) || (until !== null && this.#isGreedy(socket))) {
          // It does not take its answers, or its client sends more at once than there is room for.
          socket.destroy();
          return;
        }
        const [piece, behind] = firstPiece(rest, isReceiving(socket) ? MIN_BODY_BYTES : 0);
        rest = behind;
        parse(piece);
      }
    };
    const go = (): void => {
      isWaiting = false;
      parseOn(this.#take(socket));
      if (!isWaiting) socket.resume();
    };
    const parse = takeOver(socket, (bytes) => {
      if (!isWaiting) {
        parseOn(bytes);
        return;
      }
      // Node itself reads on when a request is whole: into the stream again, which stops reading once it is full.
      socket.pause();
      socket.unshift(bytes);
    });
  }
}

/** What has to happen before more of a connection is parsed; null: nothing. */
function whatIsFirst(socket: Socket): Until | null {
  if (isFull(socket)) return (then) => socket.once('drain', then);
  const answer = newestAnswerOf(socket);
  if (answer === undefined || answer.writableFinished || answer.destroyed) return null;
  // Node gives an answer its socket when those before it are sent; its request may need what comes next.
  if (answer.socket === null) return (then) => answer.once('socket', then);
  return isReceiving(socket) ? null : (then) => answer.once('close', then);
}

/**
 * Whether its answers have to flow off first. With a request that it parses meanwhile Node stops reading, and it ends the
 * process when something is parsed in spite of that.
 */
function isFull(socket: Socket & { readonly _paused?: boolean }): boolean {
  return socket.writableNeedDrain || socket._paused === true;
}

function isReceiving(socket: Socket): boolean {
  return newestAnswerOf(socket)?.req.complete === false;
}

/** Until the end of a head behind so many bytes, and the rest. */
function firstPiece(bytes: Buffer, from: number): readonly [Buffer, Buffer | null] {
  const at = bytes.indexOf(HEAD_END, from);
  const end = at < 0 ? bytes.length : at + HEAD_END.length;
  return end === bytes.length ? [bytes, null] : [bytes.subarray(0, end), bytes.subarray(end)];
}
