import type { Socket } from 'node:net';

/** How long a client that still sends is listened to, how long in silence, and how much it may send. */
const MAX_MS = 30_000;
const MAX_SILENCE_MS = 5_000;
const MAX_BYTES = 64 * 1024 * 1024;
const LOOK_EVERY_MS = 250;

const lingering = new WeakSet<Socket>();

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
  if (socket.isPaused()) {
    // Node's parser, which stopped reading it, is the one to begin again.
    socket.once('resume', () => ignoreRest(socket)).resume();
  } else ignoreRest(socket);
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

/** What follows is not even parsed: requests that nobody answers would pile up. */
function ignoreRest(socket: Socket): void {
  const ignore = (): void => {};
  // Node's parser reads below the stream until somebody else listens.
  socket.on('data', ignore);
  for (const each of socket.listeners('data')) {
    if (each !== ignore) socket.off('data', each as () => void);
  }
  socket.resume();
}
