import type { Site } from '../pages/site/site-page.ts';

/** Settings of the operator; each may be left out. */
export interface VerifyOptions {
  /** Chains that may be verified on, JSON text of `VERIFY_CHAINS`. Default `{}`. */
  readonly chainsJson?: string;
  /** Folder with compilers and their checksums, path; asked after the bundled ones. Default null. */
  readonly compilerDir?: string | null;
  /** Folder for fetched and added compilers and for copies of executables, path. Default null: a temporary one. */
  readonly compilerCacheDir?: string | null;
  /** Release list that jobs download missing compilers from, address. Default null: none. */
  readonly compilerListUrl?: string | null;
  /** Whether jobs download missing compilers from the registry that npm is configured for. Default false. */
  readonly compilerRegistry?: boolean;
  /** Threads that compile, each keeps one compiler warm (about 250 MiB). Count; default null: one per core less one, at least two. */
  readonly workers?: number | null;
  /** Memory that one compiler may take. MiB, default 1536. */
  readonly compilerMemoryMiB?: number;
  /** Versions of solc to load after the start; those beyond the number of workers are not. Default none. */
  readonly preload?: readonly string[];
  /** Folder for outputs of compilers, path; null keeps up to 32 MiB of them in memory. Default null. */
  readonly outputCacheDir?: string | null;
  /** Size of that folder. MiB, default 256; 0 keeps none. */
  readonly outputCacheMiB?: number;
  /** Processor time of all compilations of one job together. Milliseconds, default 100 000. */
  readonly jobTimeoutMs?: number;
  /** Searching the creation transaction delays a job no longer than this; 0 turns the search off. Milliseconds, default 10 000. */
  readonly creationSearchMs?: number;
  /** Time-out of an RPC call, unless the endpoint has its own. Milliseconds, default 10 000. */
  readonly rpcTimeoutMs?: number;
  /** Jobs that may wait; a further submission is refused with 503. Count, default 1000. */
  readonly queueLimit?: number;
  /** Stored input of the waiting jobs together; a further submission is refused with 503. MiB, default 512. */
  readonly queueMiB?: number;
  /** Age at which the bytecodes of failed jobs are dropped; null keeps them for ever. Days, default 90. */
  readonly keepBytecodesDays?: number | null;
  /** Jobs that run at the same time, most of them waiting for a chain or a compiler. Count, default four for each worker. */
  readonly runningJobs?: number;
  /** A job without a heartbeat for this long may be claimed again. Milliseconds, default 30 000. */
  readonly leaseMs?: number;
  /** URL before the CID of sources that metadata name but nobody sent; null: nothing is fetched. Default null. */
  readonly ipfsGateway?: string | null;
  /** The first status request of a running job is held open this long. Milliseconds, default 10 000. */
  readonly firstPollMs?: number;
  /** Where clients reach the server, and pages lie. Default: at the root. */
  readonly site?: Site;
  /** Address of pages about jobs, without a trailing slash. Default null: links lead to the API. */
  readonly jobPagesUrl?: string | null;
  /** Address of pages about contracts, likewise. */
  readonly contractPagesUrl?: string | null;
  /** Whether version 1 of the API is served. Default true; otherwise it is refused with the cure. */
  readonly servesVersion1?: boolean;
}
