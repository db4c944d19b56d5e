import autocannon from 'autocannon';

export interface Target {
  readonly url: string;
  readonly method?: 'GET' | 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Buffer;
  /** Paths to ask in turn instead of the one of `url`. */
  readonly paths?: readonly string[];
  /** The status of every answer. Default: any success. */
  readonly status?: 304;
  /** CPU time of the server so far; with it rates are compared by what a request costs, not by the clock. */
  cpuSeconds?(): Promise<number>;
}

export interface Rate {
  readonly answers: number;
  readonly requestsPerSecond: number;
  readonly p99Ms: number;
  /** CPU time of the server for one request; null when the target does not tell. */
  readonly cpuMicros: number | null;
}

const CONNECTIONS = 20;
/**
 * Until the engine has compiled what they run, which takes the product up to 24,000 requests: by time a slow target would
 * be measured colder than its ceiling.
 */
const WARM_UP_REQUESTS = 30_000;
/** As axios, `fetch` and browsers send them. */
const CLIENT_HEADERS = {
  accept: 'application/json, text/plain, */*',
  'accept-encoding': 'gzip, deflate, br',
  'user-agent':
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36',
};

/** How long a target is loaded. */
export type Load = { readonly duration: number } | { readonly amount: number };

/** Loads a target from this process and counts its answers; any that was not asked for is an error. */
export async function measure(target: Target, load: Load): Promise<Rate> {
  const before = await target.cpuSeconds?.();
  const result = await autocannon({
    url: target.url,
    connections: CONNECTIONS,
    ...load,
    method: target.method ?? 'GET',
    headers: { ...CLIENT_HEADERS, ...target.headers },
    ...(target.body === undefined ? {} : { body: target.body }),
    ...(target.paths === undefined ? {} : { requests: target.paths.map((path) => ({ path })) }),
  });
  const wanted = target.status === 304 ? result['3xx'] : result['2xx'];
  const others = result.requests.total - wanted;
  if (others > 0 || result.errors > 0) {
    throw new Error(`${target.url}: ${others} answers had another status, ${result.errors} failed`);
  }
  const after = await target.cpuSeconds?.();
  const cpuMicros =
    before === undefined || after === undefined ? null : ((after - before) * 1e6) / result.requests.total;
  return {
    answers: wanted,
    requestsPerSecond: result.requests.average,
    p99Ms: result.latency.p99,
    cpuMicros,
  };
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
  return medianOf(await compareRounds(ceiling, product, options));
}

/** The rounds of {@link compareRates}, for comparisons over several pairs of processes. */
export async function compareRounds(
  ceiling: Target,
  product: Target,
  options: { readonly rounds?: number; readonly seconds?: number } = {},
): Promise<readonly Comparison[]> {
  const seconds = options.seconds ?? 2;
  for (const each of [ceiling, product]) await measure(each, { amount: WARM_UP_REQUESTS });
  const rounds: Comparison[] = [];
  for (let round = 0; round < (options.rounds ?? 3); round += 1) {
    const top = await measure(ceiling, { duration: seconds });
    const ours = await measure(product, { duration: seconds });
    rounds.push({ ceiling: top, product: ours, ratio: ratioOf(top, ours) });
  }
  return rounds;
}

/** The round with the median ratio. */
export function medianOf(rounds: readonly Comparison[]): Comparison {
  const sorted = [...rounds].sort((left, right) => left.ratio - right.ratio);
  const median = sorted[Math.floor(sorted.length / 2)];
  if (median === undefined) throw new Error('no round was measured');
  return median;
}

/** By CPU time where both tell it: on a shared machine the clock counts what others do. */
function ratioOf(ceiling: Rate, product: Rate): number {
  return ceiling.cpuMicros === null || product.cpuMicros === null
    ? product.requestsPerSecond / ceiling.requestsPerSecond
    : ceiling.cpuMicros / product.cpuMicros;
}
