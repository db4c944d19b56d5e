/** Labels of one series. */
export interface RequestLabels {
  readonly method: string;
  /** Pattern of the route. */
  readonly route: string;
  readonly status: number;
}

interface Series {
  readonly labels: { readonly method: string; readonly route: string; readonly status: string };
  /** Observations by bucket, not summed up; the last one is above all bounds. */
  readonly counts: number[];
  sum: number;
}

interface Value {
  readonly metricName: string;
  readonly labels: Readonly<Record<string, string | number>>;
  readonly value: number;
}

/**
 * A histogram that a registry of prom-client reads as one of its own.
 *
 * The library's own puts the labels together anew at each observation, which takes a fifth of the time of a ready
 * answer; here whoever observes holds the series.
 */
export class RequestHistogram {
  readonly type = 'histogram';
  readonly aggregator = 'sum';
  readonly name: string;
  readonly help: string;
  /** Upper bounds, ascending. */
  readonly #bounds: readonly number[];
  readonly #series = new Map<string, Series>();

  constructor({
    bounds,
    help,
    name,
  }: { readonly bounds: readonly number[]; readonly help: string; readonly name: string }) {
    this.#bounds = bounds;
    this.help = help;
    this.name = name;
  }

  /** What counts into a series. To be held: finding it costs more than counting. */
  series({ method, route, status }: RequestLabels): (value: number) => void {
    const bounds = this.#bounds;
    const key = `${method} ${status} ${route}`;
    const series = this.#series.get(key) ?? {
      labels: { method, route, status: String(status) },
      counts: new Array<number>(bounds.length + 1).fill(0),
      sum: 0,
    };
    this.#series.set(key, series);
    return (value) => {
      let bucket = 0;
      while (bucket < bounds.length && value > (bounds[bucket] ?? 0)) bucket += 1;
      series.counts[bucket] = (series.counts[bucket] ?? 0) + 1;
      series.sum += value;
    };
  }

  /** What the registry prints: for each series its buckets, each with those below it, then sum and count. */
  async get() {
    const { aggregator, help, name, type } = this;
    return {
      name,
      help,
      type,
      aggregator,
      values: [...this.#series.values()].flatMap((each) => this.#valuesOf(each)),
    };
  }

  /** Called by `Registry.resetMetrics`. */
  reset(): void {
    for (const series of this.#series.values()) {
      series.counts.fill(0);
      series.sum = 0;
    }
  }

  #valuesOf({ counts, labels, sum }: Series): readonly Value[] {
    let total = 0;
    const buckets = counts.map((count, index): Value => {
      total += count;
      const le = this.#bounds[index] ?? '+Inf';
      return { metricName: `${this.name}_bucket`, labels: { le, ...labels }, value: total };
    });
    return [
      ...buckets,
      { metricName: `${this.name}_sum`, labels, value: sum },
      { metricName: `${this.name}_count`, labels, value: total },
    ];
  }
}
