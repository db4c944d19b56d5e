import type { PageServer } from './page-servers.ts';

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

/** Of each request the fastest of the rounds: on a shared machine others take the processor for tens of milliseconds. */
export function fastestTimes(rounds: readonly RequestRound[]): readonly number[] {
  const [first] = rounds;
  return (first?.times ?? []).map((_, index) =>
    Math.min(...rounds.map(({ times }) => times[index] ?? Number.POSITIVE_INFINITY)),
  );
}
