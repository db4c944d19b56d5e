import { timeLimit } from '../../../values/time-limit.ts';
import { IngestError } from '../errors.ts';

/** The part of `fetch` that is used; passed in, so that tests need no network. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

export interface RequestLimits {
  readonly timeoutMs: number;
  /** A longer answer is refused. */
  readonly maxBytes: number;
}

/** An answer, read whole. */
export interface PeerAnswer {
  readonly status: number;
  readonly body: string;
  readonly retryAfter: string | null;
}

const MAX_REDIRECTS = 3;
const REDIRECTS: ReadonlySet<number> = new Set([301, 302, 303, 307, 308]);

/**
 * Sends one request; redirects are followed on the same host alone, so that trust stays where it was given.
 *
 * @throws IngestError `source_refused` for another host or too long an answer; any other error is of the network.
 */
export async function fetchBounded(
  fetch: Fetch,
  url: string,
  headers: Readonly<Record<string, string>>,
  limits: RequestLimits,
  given: AbortSignal,
): Promise<PeerAnswer> {
  const signal = timeLimit(limits.timeoutMs, given);
  let at = new URL(url);
  for (let followed = 0; ; followed++) {
    const response = await fetch(at.href, { headers, redirect: 'manual', signal });
    const to = REDIRECTS.has(response.status) ? response.headers.get('location') : null;
    if (to === null) {
      const body = await readBounded(response, limits.maxBytes, url, signal);
      return { status: response.status, body, retryAfter: response.headers.get('retry-after') };
    }
    await response.body?.cancel();
    at = redirected(at, to, followed);
  }
}

function redirected(from: URL, to: string, followed: number): URL {
  const target = URL.canParse(to, from.href) ? new URL(to, from.href) : null;
  const isSameHost =
    target?.hostname === from.hostname && !(from.protocol === 'https:' && target.protocol === 'http:');
  if (target === null || !isSameHost || (target.port !== from.port && target.protocol === from.protocol)) {
    throw new IngestError(
      'source_refused',
      `${from.origin} redirects to ${target?.origin ?? 'nowhere'}: set MIRROR_FOLLOW to that address if you trust it`,
    );
  }
  if (followed >= MAX_REDIRECTS) {
    throw new IngestError(
      'source_refused',
      `${from.origin} redirects in a loop: check the path of MIRROR_FOLLOW`,
    );
  }
  return target;
}

async function readBounded(
  { body }: Response,
  maxBytes: number,
  url: string,
  signal: AbortSignal,
): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body ?? []) {
    signal.throwIfAborted();
    size += chunk.length;
    if (size > maxBytes) {
      throw new IngestError(
        'source_refused',
        `${new URL(url).origin}: the response is longer than ${maxBytes} bytes`,
      );
    }
    chunks.push(chunk);
  }
  return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks));
}
