import type { Socket } from 'node:net';
import { BodyPace } from '../bodies/body-pace.ts';
import { takeOver } from './take-over.ts';

/** How long a client that still sends is listened to, how long in silence, and how much it may send. */
const MAX_MS = 30_000;
const MAX_SILENCE_MS = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
const LOOK_EVERY_MS = 250;

const lingering = new WeakSet<Socket>();
/** Of all servers of the process, which share an event loop. */
const pace = new BodyPace();

/**
 * Ends a connection so that its client sees the last answer: what it still sends is read and thrown away until it
 * closes as well, falls silent or has sent too much. Closing at once would reset the connection if anything of that were
 * unread, and with it what the client has not taken yet of this answer and of those before it.
 *
 * @see RFC 9112 section 9.6
 */
export function closeAfterReading(socket: Socket): void {
  if (lingering.has(socket)) return;
  lingering.add(socket);
  socket.end();
  // What follows is not even parsed: requests without an answer would pile up.
  takeOver(socket, ({ length }) => pace.hasRead(socket, length));
  socket.resume();
  const begun = performance.now();
  const first = socket.bytesRead;
  let [heard, heardAt] = [first, begun];
  const look = (): void => {
    const now = performance.now();
    if (socket.bytesRead !== heard) [heard, heardAt] = [socket.bytesRead, now];
    const isEnough = now - begun > MAX_MS || now - heardAt > MAX_SILENCE_MS || heard - first > MAX_BYTES;
    if (isEnough) socket.destroy();
  };
  const timer = setInterval(look, LOOK_EVERY_MS).unref();
  socket.once('close', () => clearInterval(timer));
}
