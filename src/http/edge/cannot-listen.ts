import { LedgerlensError } from '../../values/ledgerlens-error.ts';

const REASONS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'it is in use by another process',
  EACCES: 'this user lacks the permission',
  EADDRNOTAVAIL: 'this machine does not have the address of HOST',
  ENOTFOUND: 'no machine has the name in HOST',
  EAI_AGAIN: 'HOST cannot be resolved',
};

/** Tells which port could not be listened to, and why. @throws LedgerlensError `cannot_listen`. */
export async function cannotListen<T>(port: number, listenOnPort: () => Promise<T>): Promise<T> {
  try {
    return await listenOnPort();
  } catch (cause) {
    const reason = REASONS[(cause as NodeJS.ErrnoException).code ?? ''];
    if (reason === undefined) throw cause;
    throw new LedgerlensError(
      'cannot_listen',
      `Cannot listen on port ${port}: ${reason}. Choose another (PORT or --port, STATUS_PORT, HOST or --host).`,
      {
        cause,
      },
    );
  }
}
