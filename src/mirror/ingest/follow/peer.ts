import type { Clock } from '../../../values/clock.ts';
import { timeLimit } from '../../../values/time-limit.ts';
import type { BlockGas } from '../../evm/block-gas.ts';
import {
  count,
  FixtureFault,
  type FixtureObject,
  hex,
  integer,
  object,
  parseFixtureObject,
  required,
  text,
  time,
} from '../../items/fixture-members.ts';
import type { LedgerTransaction } from '../../ledger/rows.ts';
import { IngestError } from '../errors.ts';
import type { Pause } from '../pause.ts';
import { sameBytes, ZERO_HASH } from '../sha384.ts';

export interface PeerParts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** From 0 to below 1, so that many followers do not come back at the same moment. */
  readonly random: () => number;
  readonly pause: Pause;
}

/** Limits of one request; tests make them small. */
export const PEER_LIMITS = {
  attempts: 4,
  timeoutMs: 30_000,
  /** A longer answer is refused. */
  maxBytes: 64 * 1024 * 1024,
  /** Rest before the second attempt, doubled before each further one. */
  backOffMs: 250,
  /** The longest rest within one request; a peer that wants more is left alone until then. */
  patienceMs: 5_000,
};
export type PeerLimits = typeof PEER_LIMITS;

/** Another mirror, asked over HTTP. */
export interface Peer {
  /**
   * Asks for a path such as `/api/v1/blocks?limit=1`.
   *
   * @returns null when the peer says that there is no such thing (404).
   * @throws IngestError `source_unreachable` when attempts did not help or the peer wants to be left alone,
   *   `source_refused` for what another attempt will not change.
   */
  get(path: string, signal: AbortSignal): Promise<FixtureObject | null>;
  /** How long it wants to be left alone; 0 when it may be asked. */
  quietMs(): number;
}

const OK = 200;
const NOT_FOUND = 404;
const TOO_MANY_REQUESTS = 429;
const MS_PER_SECOND = 1000;

/**
 * Makes the questions of a follower patient and bounded: time-outs, sizes, `Retry-After`, back-off with jitter.
 *
 * @param name its address, without a slash at the end
 */
export function createPeer(name: string, parts: PeerParts, limits: PeerLimits = PEER_LIMITS): Peer {
  const { clock, fetch, pause, random } = parts;
  const headers = { accept: 'application/json' };
  let quietUntilMs = 0;

  const failed = (
    code: 'source_unreachable' | 'source_refused',
    path: string,
    why: string,
    cause?: unknown,
  ) => new IngestError(code, `${name}${shortPath(path)}: ${why}`, { cause });

  /** A text says why another attempt may help. */
  const attempt = async (path: string, signal: AbortSignal): Promise<FixtureObject | null | string> => {
    let answer: PeerAnswer;
    const limit = timeLimit(limits.timeoutMs, signal);
    try {
      answer = await fetchBounded(fetch, name + path, headers, limits, limit.signal);
    } catch (cause) {
      if (signal.aborted) throw failed('source_unreachable', path, 'the request was cancelled', cause);
      if (cause instanceof IngestError) throw cause;
      return describeNetworkFault(cause, limits.timeoutMs);
    } finally {
      limit.end();
    }
    if (answer.status === NOT_FOUND) return null;
    if (answer.status !== OK) {
      const why = describeStatus(answer);
      if (answer.status < 500 && answer.status !== TOO_MANY_REQUESTS) {
        throw failed('source_refused', path, why);
      }
      const restMs = retryAfterMs(answer.retryAfter, clock);
      if (restMs !== null) quietUntilMs = clock.now() + restMs;
      return why;
    }
    try {
      return parseFixtureObject(answer.body);
    } catch (cause) {
      if (!(cause instanceof FixtureFault)) throw cause;
      return `the response is invalid: ${cause.message.slice(0, 120)}`;
    }
  };

  return {
    quietMs: () => Math.max(0, quietUntilMs - clock.now()),
    async get(path, signal) {
      let why = '';
      for (let tried = 0; ; tried++) {
        const jittered = tried === 0 ? 0 : limits.backOffMs * 2 ** (tried - 1) * (0.5 + random());
        const restMs = Math.max(jittered, quietUntilMs - clock.now());
        if (restMs > limits.patienceMs) {
          const until = new Date(quietUntilMs).toISOString();
          throw failed(
            'source_unreachable',
            path,
            `${why === '' ? '' : `${why}; `}not contacted until ${until}, as it requested`,
          );
        }
        if (restMs > 0) await pause(restMs, signal);
        const answer = await attempt(path, signal);
        if (typeof answer !== 'string') return answer;
        why = answer;
        if (tried + 1 >= limits.attempts) {
          throw failed('source_unreachable', path, `${why}; tried ${tried + 1} times`);
        }
      }
    },
  };
}

/** Seconds, or a date; null when it is neither. */
function retryAfterMs(given: string | null, clock: Clock): number | null {
  if (given === null) return null;
  if (/^\d{1,9}$/.test(given.trim())) return Number(given) * MS_PER_SECOND;
  const at = Date.parse(given);
  return Number.isNaN(at) ? null : Math.max(0, at - clock.now());
}

function shortPath(path: string): string {
  return path.length > 160 ? `${path.slice(0, 160)}…` : path;
}

const NO_TLS = 'it does not speak TLS: try http:// in MIRROR_FOLLOW';
/** What the codes of Node say, with the remedy. */
const REMEDIES: Readonly<Record<string, string>> = {
  ENOTFOUND: 'the host does not exist: check MIRROR_FOLLOW and the name server',
  EAI_AGAIN: 'the name server does not respond',
  ECONNREFUSED: 'nothing is listening there: check host and port of MIRROR_FOLLOW',
  ECONNRESET: 'the connection was closed',
  UND_ERR_SOCKET: 'the connection was closed',
  ETIMEDOUT: 'the connection timed out: check firewall and proxy',
  UND_ERR_CONNECT_TIMEOUT: 'the connection timed out: check firewall and proxy',
  EHOSTUNREACH: 'no route to the host: check the network of this machine',
  ENETUNREACH: 'no route to the host: check the network of this machine',
  CERT_HAS_EXPIRED: 'its certificate has expired, or the clock of this machine is wrong',
  CERT_NOT_YET_VALID: 'its certificate is not valid yet, or the clock of this machine is wrong',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host: check MIRROR_FOLLOW',
  DEPTH_ZERO_SELF_SIGNED_CERT:
    'its certificate is self-signed: add it with NODE_EXTRA_CA_CERTS if you trust it',
  SELF_SIGNED_CERT_IN_CHAIN:
    'its certificate comes from an unknown authority: add that with NODE_EXTRA_CA_CERTS if you trust it',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'its certificate comes from an unknown authority: add that with NODE_EXTRA_CA_CERTS if you trust it',
  EPROTO: NO_TLS,
};
const HINTS: Readonly<Record<number, string>> = {
  400: 'it has no such endpoint: is it a mirror, and of a version that has /api/v1/blocks?',
  401: 'it requires credentials, which a follower does not have',
  403: 'it refuses this machine',
  429: 'it received too many requests',
};

/** A fault on the way to the peer, in words. */
function describeNetworkFault(fault: unknown, timeoutMs: number): string {
  if (!(fault instanceof Error)) return String(fault);
  if (fault.name === 'TimeoutError') return `no response within ${timeoutMs} ms`;
  const cause = fault.cause instanceof Error ? fault.cause : fault;
  const code = 'code' in cause ? String(cause.code) : '';
  if (code.startsWith('ERR_SSL_')) return NO_TLS;
  return REMEDIES[code] ?? (cause.message || fault.message);
}

/** A status that is no success, with what the peer says about it. */
function describeStatus({ body, status }: Pick<PeerAnswer, 'status' | 'body'>): string {
  const said = /"message":\s*"([^"\\]{1,120})"/.exec(body)?.[1];
  const hint = HINTS[status];
  return `it returned ${status}${said === undefined ? '' : ` (${said})`}${hint === undefined ? '' : `: ${hint}`}`;
}

/** The part of `fetch` that is used; passed in, so that tests need no network. */
export type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** An answer, read whole. */
interface PeerAnswer {
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
async function fetchBounded(
  fetch: Fetch,
  url: string,
  headers: Readonly<Record<string, string>>,
  limits: PeerLimits,
  signal: AbortSignal,
): Promise<PeerAnswer> {
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

const HASH_BYTES = 48;
const RECEIPTS_ROOT_BYTES = 32;

/** @throws FixtureFault when a member is missing or wrong. */
export function readPeerBlock(row: FixtureObject) {
  const times = required(row, 'timestamp', object);
  const block = {
    number: required(row, 'number', integer),
    name: required(row, 'name', text),
    hash: required(row, 'hash', hash),
    previousHash: required(row, 'previous_hash', hash),
    /** Consensus times of its first and last transaction. */
    from: required(times, 'from', time),
    to: required(times, 'to', time),
    /** Transactions. */
    count: required(row, 'count', count),
    /** Bytes; 0 when it is not stated. */
    size: count(row, 'size') ?? 0,
    hapiVersion: text(row, 'hapi_version'),
    gas: gasOf(row),
  };
  if (block.to < block.from) throw new FixtureFault('"timestamp" ends before it begins');
  return block;
}

/** A block as another mirror reports it. @see contracts/mirror-roadmap.md, blocks */
export type PeerBlock = Readonly<ReturnType<typeof readPeerBlock>>;

/**
 * Whether a network began with it and its transfers bring the supply into being, so that every balance follows from
 * transfers. The first block of the main network does not: its accounts were there before.
 */
export function beginsLedger(
  { number, previousHash }: Pick<PeerBlock, 'number' | 'previousHash'>,
  transactions: readonly Pick<LedgerTransaction, 'transfers'>[],
): boolean {
  if (number !== 0n || !sameBytes(previousHash, ZERO_HASH)) return false;
  let supply = 0n;
  for (const { transfers } of transactions) for (const { amount } of transfers) supply += amount;
  return supply > 0n;
}

/** True for the name of a record file; others are of blocks. @see contracts/streams.md section 3 */
export function isRecordFile({ name }: Pick<PeerBlock, 'name'>): boolean {
  return /\.rcd(\.gz)?$/.test(name);
}

function hash(row: FixtureObject, name: string): Uint8Array | null {
  return hex(row, name, HASH_BYTES);
}

function gasOf(row: FixtureObject): BlockGas | null {
  const used = integer(row, 'gas_used');
  const bloom = hex(row, 'logs_bloom');
  const receiptsRoot = hex(row, 'receipts_root', RECEIPTS_ROOT_BYTES);
  return used === null ? null : { used, receiptsRoot, bloom: bloom?.length === 0 ? null : bloom };
}

/**
 * Another mirror contradicts itself, or is still storing what it tells of: nothing of the block is taken.
 *
 * @param block null when it is not known which
 */
export function inconsistent(
  block: Pick<PeerBlock, 'number' | 'name'> | null,
  what: string,
  cause?: unknown,
): IngestError {
  const where = block === null ? '' : `Block ${block.number} (${block.name}): `;
  return new IngestError('inconsistent_source', `${where}${what}`, { cause });
}
