import type { Site } from '../pages/site/site-page.ts';
import {
  address,
  count,
  flag,
  optionalText,
  orNull,
  plainAddress,
  seconds,
  text,
  texts,
  unlessZero,
  type ValuesOf,
} from '../settings/setting.ts';

/** What operators choose of area A. */
export const VERIFY_SETTINGS = {
  chainsJson: text('VERIFY_CHAINS', '{}').describe(
    'JSON object of chains by decimal id, for example `{"31337":{"name":"anvil","rpc":["http://127.0.0.1:8545"]}}`; `VERIFY_CHAINS_FILE` names a file with the same content.',
  ),
  compilerDir: optionalText('VERIFY_COMPILER_DIR').describe(
    'Read-only folder with more compilers under their release names and a checksum list.',
  ),
  compilerCacheDir: optionalText('VERIFY_COMPILER_CACHE_DIR').describe(
    'Folder for fetched and added compilers and for private copies of executables; empty: `compilers` beside the database.',
  ),
  compilerListUrl: plainAddress('VERIFY_COMPILER_LIST_URL').describe(
    'Release list from which jobs download missing compilers, for example `https://binaries.soliditylang.org`; empty: none.',
  ),
  compilerRegistry: flag('VERIFY_COMPILER_REGISTRY', 'off').describe(
    'Whether jobs download missing compilers from the registry configured for the npm client.',
  ),
  workers: count('VERIFY_WORKERS', 0, [0, 64], unlessZero).describe(
    'Number of compiler workers; 0: one less than the number of cores, at least two. For each worker a server takes up to four verifications from the queue, up to three of them for the same chain.',
  ),
  // Clients give up after minutes, and each poll of a waiting job counts those before it.
  queueLimit: count('VERIFY_QUEUE_LIMIT', 1000, [1, 10_000]).describe(
    'Maximum number of waiting jobs; further submissions get 503.',
  ),
  queueMiB: count('VERIFY_QUEUE_MB', 512, [32, 1_048_576]).describe(
    'Maximum total input of waiting jobs, in MiB; further submissions get 503.',
  ),
  keepBytecodesDays: count('VERIFY_KEEP_BYTECODES_DAYS', 90, [0, 36_500], unlessZero).describe(
    'How long bytecodes of failed jobs are kept; 0: forever. Job records are never deleted.',
  ),
  jobTimeoutMs: seconds('VERIFY_JOB_SECONDS', 100, [1, 3600]).describe(
    'CPU time that all compilations of one job may use in total; the wall-clock limit of each is five times as long.',
  ),
  firstPollMs: count('VERIFY_FIRST_POLL_MS', 10_000, [0, 30_000]).describe(
    'How long the first status request of a running job is held open, so that quick jobs return their result at once.',
  ),
  jobPagesUrl: address('VERIFY_UI_URL').describe(
    'Where `/verify-ui/…` redirects to, with the rest of the path appended; empty: browsers get the pages of this server, programs the job.',
  ),
  contractPagesUrl: address('VERIFY_REPO_URL').describe(
    'Where `/repo-ui/…` redirects to, with the rest of the path appended; empty: browsers get the pages of this server, programs the record.',
  ),
  servesVersion1: flag('VERIFY_VERSION_1', 'on').describe(
    'Whether version 1 of the verification API is served, which Hardhat 2, hardhat-deploy and Remix use; otherwise its endpoints return 410.',
  ),
  compilerMemoryMiB: count('VERIFY_COMPILER_MEMORY_MB', 1536, [256, 65_536]).describe(
    'Memory limit of one compiler, in MiB; a compiler that exceeds it is stopped.',
  ),
  preload: texts('VERIFY_PRELOAD').describe(
    'Versions of solc to load at startup and keep loaded, separated by commas, for example `0.8.30`; at most as many as workers.',
  ),
  outputCacheMiB: count('VERIFY_OUTPUT_CACHE_MB', 256, [0, 1_048_576]).describe(
    'Disk space for cached compiler outputs, in MiB, so that the same input is not compiled again; 0: no cache.',
  ),
  outputCacheDir: optionalText('VERIFY_OUTPUT_CACHE_DIR').describe(
    'Folder of this cache, which may be deleted at any time; empty: `compiler-outputs` beside the database file, or up to 32 MiB in memory when that is in memory.',
  ),
  creationSearchMs: seconds('VERIFY_CREATION_SEARCH_SECONDS', 10, [0, 600]).describe(
    'How long a verification may be delayed by the search for a creation transaction that was not specified; 0: no search.',
  ),
  ipfsGateway: plainAddress('VERIFY_IPFS_GATEWAY', (url) =>
    orNull(url === '' || url.endsWith('/') ? url : `${url}/`),
  ).describe(
    'URL before the CID, such as `https://gateway.example/ipfs/`, used to fetch sources that the metadata names but the submission lacks (files on GitHub come from its raw host), and the settings to compare a mismatch with; empty: nothing is fetched.',
  ),
  rpcTimeoutMs: seconds('VERIFY_RPC_TIMEOUT_SECONDS', 10, [1, 600]).describe(
    'Timeout of one call to a chain, unless its endpoint sets `timeoutMs`.',
  ),
};

export type VerifySettings = ValuesOf<typeof VERIFY_SETTINGS>;

/** Those settings, and what other parts of the server offer. */
export interface VerifyOptions extends VerifySettings {
  /** Jobs that run at the same time, most of them waiting for a chain or a compiler. Count, default four for each worker. */
  readonly runningJobs?: number;
  /** A job without a heartbeat for this long may be claimed again. Milliseconds, default 30 000. */
  readonly leaseMs?: number;
  /** Where clients reach the server, and pages lie. Default: at the root. */
  readonly site?: Site;
}
