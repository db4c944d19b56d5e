import type { Fixture, StaticContract } from './test-server.ts';

/** How `start` makes a server. Every member may be left out. */
export interface StartOptions {
  /** What the ledger has at the start and after every reset. Default: an empty ledger. */
  readonly fixture?: Fixture;
  /** Chains whose contracts can be verified, by decimal chain id. Default: none. */
  readonly chains?: Readonly<Record<string | number, ChainOptions>>;
  /**
   * `real` passes as everywhere and jumps by `advance`. An instant stands still there and moves by `advance` alone: a
   * date, UTC milliseconds or an ISO 8601 text with its zone. Default `real`.
   */
  readonly clock?: 'real' | Date | number | string;
  /** Port on loopback; 0 takes a free one. Default 0. */
  readonly port?: number;
  /** Address to listen on. Default 127.0.0.1. */
  readonly host?: string;
  /**
   * Further settings under the names of the environment variables, such as `{ MIRROR_DIALECT: 'hiero' }`; also what
   * `${NAME}` in headers of chains stands for. The environment of the process is not read.
   */
  readonly env?: Readonly<Record<string, string>>;
  /** Least important log line that is written to standard error. Default `silent`. */
  readonly log?: 'fatal' | 'error' | 'warn' | 'info' | 'debug' | 'trace' | 'silent';
  /** Whether `POST /_test/…` is served too, for a test that is not in this process. Default false. */
  readonly testApi?: boolean;
  /** How chains are reached, for tests that answer for them. Default: `fetch` of the process. */
  readonly fetch?: typeof fetch;
}

/** A chain as in `VERIFY_CHAINS`. It needs `rpc`, `static` or `ledger`. */
export interface ChainOptions {
  readonly name?: string;
  readonly title?: string;
  /** Nodes to ask, in order. */
  readonly rpc?: readonly (string | RpcEndpoint)[];
  /** Code without a node, by address; `setCode` changes it, also where it is empty at first. */
  readonly static?: Readonly<Record<string, StaticContract>>;
  /** Whether code comes from the ledger of the fixture. */
  readonly ledger?: true;
  /** False: lookups only. Default true. */
  readonly supported?: boolean;
  readonly showRpc?: boolean;
}

/** A JSON-RPC node. */
export interface RpcEndpoint {
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly trace?: 'trace_transaction' | 'debug_traceTransaction';
  readonly timeoutMs?: number;
}
