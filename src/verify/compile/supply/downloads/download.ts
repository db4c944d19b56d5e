import { type FileHandle, open } from 'node:fs/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { timeLimit } from '../../../../values/time-limit.ts';
import type { Fetch } from '../../../chain/json-rpc-endpoint.ts';
import { CompilerSourceError, type DownloadProgress } from '../../compiler-catalog.ts';

/** Limits of downloads; tests make them small. @see contracts/verification-engine.md section 2.2 */
export const DOWNLOAD_LIMITS = {
  /** One attempt each, milliseconds. */
  timeoutsMs: [10_000, 20_000, 40_000, 80_000, 160_000],
  /** Rest before the second attempt, doubled before each further one; milliseconds. */
  restMs: 250,
  /** A longer answer is refused, bytes. */
  maxBytes: 209_715_200,
};

/** One thing to download. */
interface DownloadRequest {
  readonly url: URL;
  readonly headers?: Readonly<Record<string, string>>;
  readonly onProgress?: ((progress: DownloadProgress) => void) | undefined;
}

/** Takes the bytes of an answer as they come. */
type Sink = (bytes: Uint8Array, total: number | null) => Promise<void>;

export type Downloader = ReturnType<typeof createDownloader>;

const MAX_REDIRECTS = 3;

/** A reason that another attempt will not change. */
class FinalReason extends Error {}

/**
 * Fetches files over HTTP with limits of time and size.
 *
 * Faults of the network, time-outs and answers from 500 up are tried again; redirects are followed only on the
 * same host, so that credentials and trust stay where they were given.
 *
 * @see contracts/verification-engine.md section 2.2
 */
export function createDownloader(fetch: Fetch, limits = DOWNLOAD_LIMITS) {
  const attempt = async (request: DownloadRequest, timeoutMs: number, sink: Sink): Promise<boolean> => {
    const { signal } = timeLimit(timeoutMs);
    const answer = await follow(fetch, request, signal);
    if (answer.status === 404) return false;
    if (!answer.ok) {
      const status = `the server returned ${answer.status}`;
      throw answer.status >= 500 || answer.status === 429 ? new Error(status) : new FinalReason(status);
    }
    const total = readLength(answer);
    const tooLarge = new FinalReason(`the response is longer than ${limits.maxBytes} bytes`);
    if (total !== null && total > limits.maxBytes) throw tooLarge;
    let done = 0;
    const { onProgress, url } = request;
    const name = decodeURIComponent(url.pathname.split('/').at(-1) ?? '');
    for await (const bytes of answer.body ?? []) {
      done += bytes.length;
      if (done > limits.maxBytes) throw tooLarge;
      await sink(bytes, total);
      onProgress?.({ done, total, name });
    }
    return true;
  };

  const untilDone = async (request: DownloadRequest, newSink: () => Promise<Sink>): Promise<boolean> => {
    let last: unknown;
    for (const [index, timeoutMs] of limits.timeoutsMs.entries()) {
      if (index > 0) await pause(limits.restMs * 2 ** (index - 1));
      const sink = await newSink();
      try {
        return await attempt(request, timeoutMs, sink);
      } catch (error) {
        if (error instanceof FinalReason) throw unreachable(request.url, error.message, error);
        // A full disk or the like is told as it is; everything else is a fault of the way to the server.
        if (isFileFault(error)) throw unreachable(request.url, (error as Error).message, error);
        last = error;
      }
    }
    const times = limits.timeoutsMs.length;
    throw unreachable(request.url, `${describeFault(last)}, tried ${times} times`, last);
  };

  return {
    /**
     * @returns the body as text, null when the server says that there is no such thing (404).
     * @throws CompilerSourceError naming the address and the reason.
     */
    async text(request: DownloadRequest): Promise<string | null> {
      let pieces: Uint8Array[] = [];
      const isThere = await untilDone(request, async () => {
        pieces = [];
        return async (bytes) => {
          pieces.push(bytes);
        };
      });
      return isThere ? Buffer.concat(pieces).toString('utf8') : null;
    },
    /**
     * Writes the body to a new file and feeds it to `digest`.
     *
     * @returns false when the server says that there is no such thing (404); the file is empty then.
     * @throws CompilerSourceError naming the address and the reason.
     */
    async file(
      request: DownloadRequest,
      path: string,
      startDigest: () => (bytes: Uint8Array) => void,
    ): Promise<boolean> {
      let file: FileHandle | null = null;
      try {
        return await untilDone(request, async () => {
          await file?.close();
          const fresh = await open(path, 'w', 0o600);
          file = fresh;
          const digest = startDigest();
          return async (bytes) => {
            await fresh.writeFile(bytes);
            digest(bytes);
          };
        });
      } finally {
        // Assigned in a callback, which the compiler does not see.
        await (file as FileHandle | null)?.close();
      }
    },
  };
}

async function follow(
  fetch: Fetch,
  { url, headers = {} }: DownloadRequest,
  signal: AbortSignal,
): Promise<Response> {
  let current = url;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects++) {
    // `fetch` refuses such an address with a message that repeats it.
    if (current.username !== '' || current.password !== '') {
      throw new FinalReason('the address contains credentials, which are not sent');
    }
    const answer = await fetch(current.href, { headers, redirect: 'manual', signal });
    const location = answer.headers.get('location');
    if (answer.status < 300 || answer.status >= 400 || location === null) return answer;
    await answer.body?.cancel();
    if (!URL.canParse(location, current.href))
      throw new FinalReason('it redirects to something that is not an address');
    current = new URL(location, current);
    if (current.origin !== url.origin) {
      throw new FinalReason(`it redirects to another host (${current.origin}), which is not followed`);
    }
  }
  throw new FinalReason(`it redirects more than ${MAX_REDIRECTS} times`);
}

function readLength({ headers }: Response): number | null {
  // Of a compressed body the header tells another length than what is counted.
  const length = headers.get('content-encoding') === null ? headers.get('content-length') : null;
  return length !== null && /^\d{1,15}$/.test(length) ? Number(length) : null;
}

function isFileFault(error: unknown): boolean {
  return (
    error instanceof Error && 'syscall' in error && (error.syscall === 'write' || error.syscall === 'open')
  );
}

/** `fetch` hides the reason in a chain of causes. */
function describeFault(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'it did not respond in time';
  const cause = error.cause instanceof Error ? error.cause : error;
  return 'code' in cause && typeof cause.code === 'string' ? `${cause.message || cause.code}` : cause.message;
}

/** The address is shown without query and credentials. */
function unreachable(url: URL, reason: string, cause: unknown): CompilerSourceError {
  return new CompilerSourceError(`${url.origin}${url.pathname} cannot be downloaded: ${reason}`, cause);
}
