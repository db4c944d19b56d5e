import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls, type TLSSocket } from 'node:tls';

export interface Place {
  readonly host: string;
  readonly port: number;
}

/** What a TLS server showed. */
interface SeenCertificate {
  /** UTC milliseconds. */
  readonly validTo: number;
  /** Why it is not trusted, as a code such as `CERT_HAS_EXPIRED`; null when it is. */
  readonly fault: string | null;
}

/** Connections over the network. Both reject when there is none, or `signal` ends it. */
export interface Connect {
  tcp(place: Place, signal: AbortSignal): Promise<void>;
  tls(place: Place, signal: AbortSignal): Promise<SeenCertificate>;
}

/**
 * Connects by the operating system and hangs up at once.
 *
 * @param authorities certificates that are trusted, PEM. Default: those of the platform.
 */
export function createConnect(authorities?: string): Connect {
  return {
    tcp: (place, signal) => ended(connectTcp(place), 'connect', signal, () => undefined),
    tls: ({ host, port }, signal) => {
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

function seenCertificate(socket: TLSSocket): SeenCertificate {
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
