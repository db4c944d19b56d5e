import type { Clock } from '../../../values/clock.ts';
import { FixtureFault, type FixtureObject } from '../../items/fixture-members.ts';
import { parseFixtureObject } from '../../items/fixture-object.ts';
import { IngestError } from '../errors.ts';
import type { Pause } from '../pause.ts';
import { describeNetworkFault, describeStatus } from './peer-faults.ts';
import { type Fetch, fetchBounded, type PeerAnswer, type RequestLimits } from './peer-request.ts';

export interface PeerParts {
  readonly fetch: Fetch;
  readonly clock: Clock;
  /** From 0 to below 1, so that many followers do not come back at the same moment. */
  readonly random: () => number;
  readonly pause: Pause;
}

/** Limits of one question; tests make them small. */
export interface PeerLimits extends RequestLimits {
  readonly attempts: number;
  /** Rest before the second attempt, doubled before each further one. */
  readonly backOffMs: number;
  /** The longest rest within one question; a peer that wants more is left alone until then. */
  readonly patienceMs: number;
}

export const PEER_LIMITS: PeerLimits = {
  attempts: 4,
  timeoutMs: 30_000,
  maxBytes: 64 * 1024 * 1024,
  backOffMs: 250,
  patienceMs: 5_000,
};

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
    try {
      answer = await fetchBounded(fetch, name + path, headers, limits, signal);
    } catch (cause) {
      if (signal.aborted) throw failed('source_unreachable', path, 'the request was cancelled', cause);
      if (cause instanceof IngestError) throw cause;
      return describeNetworkFault(cause, limits.timeoutMs);
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
