import { createMirrorSource } from '../../../../src/mirror/ingest/follow/mirror-source.ts';
import { type Fetch, PEER_LIMITS, type PeerLimits } from '../../../../src/mirror/ingest/follow/peer.ts';
import type { StreamSource } from '../../../../src/mirror/ingest/units/stream-source.ts';
import type { FixtureHome } from '../../../../src/mirror/items/fixture-members.ts';
import type { LedgerRepository } from '../../../../src/mirror/ledger/ledger-repository.ts';
import { ManualClock } from '../../../../src/values/clock.ts';

/** What answers instead of the network; null lets the mirror answer. */
export type Fault = (path: string, init: RequestInit) => Response | null | Promise<Response | null>;

/** A mirror to follow, without a network, and what it was asked. */
export interface FollowedMirror {
  readonly source: StreamSource;
  readonly clock: ManualClock;
  /** Paths in the order in which they were asked for. */
  readonly asked: string[];
  /** Milliseconds that the follower rested. */
  readonly rests: number[];
  /** Replaces answers from now on. */
  answer(fault: Fault): void;
}

export interface FollowedMirrorOptions {
  readonly limits?: Partial<PeerLimits>;
  readonly home?: FixtureHome;
  /** Of the ledger that follows. Default: it has none. */
  readonly storedTimes?: LedgerRepository['storedTimes'];
  /** Default half. */
  readonly random?: () => number;
}

const ADDRESS = 'http://mirror.test';
const NO_FAULT: Fault = () => null;

/** @param inject answers a path as the followed mirror does */
export function followedMirror(
  inject: (path: string) => Promise<{ readonly statusCode: number; readonly body: string }>,
  {
    home = { shard: 0n, realm: 0n },
    limits = {},
    random = () => 0.5,
    storedTimes = async () => [],
  }: FollowedMirrorOptions = {},
): FollowedMirror {
  const clock = new ManualClock(Date.UTC(2023, 11, 15));
  const asked: string[] = [];
  const rests: number[] = [];
  let fault = NO_FAULT;
  const fetch: Fetch = async (url, init) => {
    const path = url.slice(ADDRESS.length);
    asked.push(path);
    const given = await fault(path, init);
    if (given !== null) return given;
    const { body, statusCode } = await inject(path);
    return new Response(body, { status: statusCode, headers: { 'content-type': 'application/json' } });
  };
  const source = createMirrorSource(
    { kind: 'mirror', name: ADDRESS, url: ADDRESS },
    {
      fetch,
      clock,
      random,
      home,
      storedTimes,
      limits: { ...PEER_LIMITS, ...limits },
      pause: async (milliseconds) => {
        rests.push(milliseconds);
        clock.advance(milliseconds);
      },
    },
  );
  return {
    source,
    clock,
    asked,
    rests,
    answer(given) {
      fault = given;
    },
  };
}
