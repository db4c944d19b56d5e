import type { PageServer } from './page-servers.ts';
import { median, percentile } from './statistics.ts';

const ROUNDS = 3;
const WARM_UP = 20;

/** What one server took for the same requests as the other rounds. */
export interface RequestRound {
  /** Milliseconds of each request. */
  readonly times: readonly number[];
  /** CPU time of the server for one. */
  readonly cpuMicros: number;
}

/** Asks one path after the other; an answer other than 200 is an error. */
export async function askInTurn(server: PageServer, paths: readonly string[]): Promise<RequestRound> {
  const times: number[] = [];
  const before = await server.cpuSeconds();
  for (const path of paths) {
    const start = performance.now();
    const answer = await fetch(server.url + path);
    const text = await answer.text();
    times.push(performance.now() - start);
    if (answer.status !== 200) throw new Error(`${path}: ${answer.status} ${text}`);
  }
  const cpuMicros = (((await server.cpuSeconds()) - before) * 1e6) / paths.length;
  return { times, cpuMicros };
}

/** What a server took for requests in rounds that alternate with those of another one. */
export interface ComparedRounds {
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** CPU time of the server for one request. */
  readonly cpuMicros: number;
  /** That, divided by the CPU time of the other server in the same round. */
  readonly times: number;
}

/** Asks two servers by turns, in a few rounds. */
export async function compareInTurns(
  server: PageServer,
  paths: readonly string[],
  other: PageServer,
  otherPaths: readonly string[],
): Promise<ComparedRounds> {
  await askInTurn(other, otherPaths.slice(0, WARM_UP));
  await askInTurn(server, paths.slice(0, WARM_UP));
  const rounds: { readonly round: RequestRound; readonly times: number }[] = [];
  for (let turn = 0; turn < ROUNDS; turn += 1) {
    const beside = await askInTurn(other, otherPaths);
    const round = await askInTurn(server, paths);
    rounds.push({ round, times: round.cpuMicros / beside.cpuMicros });
  }
  const best = fastestTimes(rounds.map(({ round }) => round));
  return {
    p50Ms: median(best),
    p99Ms: percentile(best, 0.99),
    cpuMicros: median(rounds.map(({ round }) => round.cpuMicros)),
    times: median(rounds.map(({ times }) => times)),
  };
}

/** Of each request the fastest of the rounds: on a shared machine others take the processor for tens of milliseconds. */
function fastestTimes(rounds: readonly RequestRound[]): readonly number[] {
  const [first] = rounds;
  return (first?.times ?? []).map((_, index) =>
    Math.min(...rounds.map(({ times }) => times[index] ?? Number.POSITIVE_INFINITY)),
  );
}
