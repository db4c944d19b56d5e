import type { Site } from '../pages/site/site-page.ts';

/** What operators choose of area A; the defaults are those of the variables. */
export interface VerifySettings {
  /** Chains that may be verified on, JSON text of `VERIFY_CHAINS`. */
  readonly chainsJson: string;
  /** Folder with compilers and their checksums, path; asked after the bundled ones; null: there is none. */
  readonly compilerDir: string | null;
  /** Folder for fetched and added compilers and for copies of executables, path; null: a temporary one. */
  readonly compilerCacheDir: string | null;
  /** Release list that jobs download missing compilers from, address; null: none. */
  readonly compilerListUrl: string | null;
  /** Whether jobs download missing compilers from the registry that npm is configured for. */
  readonly compilerRegistry: boolean;
  /** Threads that compile, each keeps one compiler warm (about 250 MiB). Count; null: one per core less one, at least two. */
  readonly workers: number | null;
  /** Memory that one compiler may take. MiB. */
  readonly compilerMemoryMiB: number;
  /** Versions of solc to load after the start; those beyond the number of workers are not. */
  readonly preload: readonly string[];
  /** Folder for outputs of compilers, path; null keeps up to 32 MiB of them in memory. */
  readonly outputCacheDir: string | null;
  /** Size of that folder. MiB; 0 keeps none. */
  readonly outputCacheMiB: number;
  /** Processor time of all compilations of one job together. Milliseconds. */
  readonly jobTimeoutMs: number;
  /** Searching the creation transaction delays a job no longer than this; 0 turns the search off. Milliseconds. */
  readonly creationSearchMs: number;
  /** Time-out of an RPC call, unless the endpoint has its own. Milliseconds. */
  readonly rpcTimeoutMs: number;
  /** Jobs that may wait; a further submission is refused with 503. Count. */
  readonly queueLimit: number;
  /** Stored input of the waiting jobs together; a further submission is refused with 503. MiB. */
  readonly queueMiB: number;
  /** Age at which the bytecodes of failed jobs are dropped; null keeps them for ever. Days. */
  readonly keepBytecodesDays: number | null;
  /** URL before the CID of sources that metadata name but nobody sent; null: nothing is fetched. */
  readonly ipfsGateway: string | null;
  /** The first status request of a running job is held open this long. Milliseconds. */
  readonly firstPollMs: number;
  /** Address of pages about jobs, without a trailing slash; null: links lead to the API. */
  readonly jobPagesUrl: string | null;
  /** Address of pages about contracts, likewise. */
  readonly contractPagesUrl: string | null;
  /** Whether version 1 of the API is served; otherwise it is refused with the cure. */
  readonly servesVersion1: boolean;
}

/** Those settings, and what other parts of the server offer. */
export interface VerifyOptions extends VerifySettings {
  /** Jobs that run at the same time, most of them waiting for a chain or a compiler. Count, default four for each worker. */
  readonly runningJobs?: number;
  /** A job without a heartbeat for this long may be claimed again. Milliseconds, default 30 000. */
  readonly leaseMs?: number;
  /** Where clients reach the server, and pages lie. Default: at the root. */
  readonly site?: Site;
}
