import autocannon from 'autocannon';

export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Paths to ask in turn instead of the one of `url`. */
  readonly paths?: readonly string[];
}

export interface Rate {
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
}

const CONNECTIONS = 20;

/** Loads a target from this process and counts its answers; any answer other than 2xx is an error. */
export async function measure(target: Target, seconds: number): Promise<Rate> {
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    duration: seconds,
    method: target.method ?? 'GET',
    ...(target.headers === undefined ? {} : { headers: { ...target.headers } }),
    ...(target.body === undefined ? {} : { body: target.body }),
    ...(target.paths === undefined ? {} : { requests: target.paths.map((path) => ({ path })) }),
  });
  if (result.non2xx > 0 || result.errors > 0) {
    throw new Error(`${target.url}: ${result.non2xx} answers were no success, ${result.errors} failed`);
  }
  return { requestsPerSecond: result.requests.average, p99Ms: result.latency.p99 };
}

export interface Comparison {
  readonly ceiling: Rate;
  readonly product: Rate;
  readonly ratio: number;
}

/**
 * Measures ceiling and product in alternating rounds and takes the round with the median ratio: the machine
 * is shared, only what was measured side by side compares.
 */
export async function compareRates(
  ceiling: Target,
  product: Target,
  options: { readonly rounds?: number; readonly seconds?: number } = {},
): Promise<Comparison> {
  const seconds = options.seconds ?? 2;
  await measure(ceiling, 1);
  await measure(product, 1);
  const rounds: Comparison[] = [];
  for (let round = 0; round < (options.rounds ?? 3); round += 1) {
    const top = await measure(ceiling, seconds);
    const ours = await measure(product, seconds);
    rounds.push({ ceiling: top, product: ours, ratio: ours.requestsPerSecond / top.requestsPerSecond });
  }
  rounds.sort((left, right) => left.ratio - right.ratio);
  const median = rounds[Math.floor(rounds.length / 2)];
  if (median === undefined) throw new Error('no round was measured');
  return median;
}
