import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** Connections over the network. Both reject when there is none, or `signal` ends it. */
export type Connect = ReturnType<typeof createConnect>;

/**
 * Connects by the operating system and hangs up at once.
 *
 * @param authorities certificates that are trusted, PEM. Default: those of the platform.
 */
export function createConnect(authorities?: string) {
  return {
    tcp: (place: Place, signal: AbortSignal): Promise<void> =>
      ended(connectTcp(place), 'connect', signal, () => undefined),
    tls: ({ host, port }: Place, signal: AbortSignal) => {
      const socket = connectTls({
        host,
        port,
        // A certificate is looked at even if it is not trusted; nothing is sent.
        rejectUnauthorized: false,
        ...(isIP(host) === 0 ? { servername: host } : {}),
        ...(authorities === undefined ? {} : { ca: authorities }),
      });
      return ended(socket, 'secureConnect', signal, seenCertificate);
    },
  };
}

/**
 * @returns `validTo` in UTC milliseconds; `fault` says why it is not trusted, as a code such as `CERT_HAS_EXPIRED`; null
 * when it is.
 */
function seenCertificate(socket: TLSSocket) {
  // Documented as an Error; it is a code.
  const fault = socket.authorized ? null : String(socket.authorizationError);
  return { validTo: Date.parse(socket.getPeerCertificate().valid_to), fault };
}

/** Waits for the event, then reads and closes. */
function ended<S extends Socket, T>(
  socket: S,
  event: string,
  signal: AbortSignal,
  read: (socket: S) => T,
): Promise<T> {
  return new Promise<T>((done, failed) => {
    const abort = () => failed(signal.reason);
    signal.addEventListener('abort', abort, { once: true });
    socket.once(event, () => done(read(socket)));
    // It stays: a connection may fail after it was ended.
    socket.on('error', failed);
    socket.once('close', () => failed(new Error('the connection was closed')));
    if (signal.aborted) abort();
  }).finally(() => socket.destroy());
}
