/** The part of autocannon that benchmarks and tests use; the package ships no types. */
declare module 'autocannon' {
  interface Options {
    readonly url: string;
    readonly connections: number;
    readonly duration?: number;
    /** Requests after which it ends; without it the duration counts. */
    readonly amount?: number;
    /** Requests per second of all connections together. Default: as many as are answered. */
    readonly overallRate?: number;
    readonly method?: string;
    readonly headers?: Record<string, string>;
    readonly body?: Buffer;
    readonly requests?: readonly { readonly path: string }[];
  }
  interface Result {
    readonly requests: { readonly average: number; readonly total: number };
    readonly latency: { readonly p50: number; readonly p99: number };
    readonly '2xx': number;
    readonly '3xx': number;
    readonly errors: number;
  }
  export default function autocannon(options: Options): Promise<Result>;
}
