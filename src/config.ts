import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { crossChecks } from './config-checks.ts';
import { list, parseRanges, parseRatio, parseTrustProxy } from './config-texts.ts';
import type { Variables } from './config-variables.ts';
import { knownVariables, unreadableFiles, validated } from './given-variables.ts';
import { readLiveSources } from './live-sources.ts';
import type { LiveSource } from './mirror/ingest/units/live-source.ts';
import type { MirrorSettings } from './mirror/mirror-options.ts';
import { publicNetwork } from './public-networks.ts';
import type { ServiceProbe } from './service-probe.ts';
import { readServiceProbes } from './service-probes.ts';
import { parseStatusTokens } from './status/manage/tokens.ts';
import { parseThresholds, type Thresholds } from './status/monitor/thresholds.ts';
import { parseUpdateTexts } from './status/rules/default-texts.ts';
import type { StatusSettings } from './status/status-options.ts';
import { type DatabaseLocation, parseDatabaseUrl } from './store/database-url.ts';
import type { ConsensusTimestamp } from './values/consensus-timestamp.ts';
import { LedgerlensError } from './values/ledgerlens-error.ts';
import { type Environment, namesInHeaders } from './values/request-headers.ts';
import { secretsIn } from './values/secrets.ts';
import { parseUtcInstant } from './values/utc-instant.ts';
import { problemsOfChains } from './verify/chain/chain-config.ts';
import type { VerifySettings } from './verify/verify-options.ts';

/** The configuration of one process, read once at start. */
export interface Config {
  readonly http: {
    readonly host: string;
    readonly ports: readonly number[];
    /** Without a trailing slash; null when it is to be made from host and port. */
    readonly publicUrl: string | null;
    readonly trustProxy: boolean | number | readonly string[];
    readonly keepAliveMs: number;
    /** Of one client; 0: no limit. */
    readonly requestsPerSecond: number;
    readonly bodyMemoryMiB: number;
    readonly drainMs: number;
    readonly shutdownMs: number;
  };
  readonly logLevel: Variables['LOG_LEVEL'];
  readonly logFormat: Variables['LOG_FORMAT'];
  /** What no log line may have. */
  readonly secrets: readonly string[];
  readonly gitCommit: string;
  readonly testApi: Variables['LEDGERLENS_TEST_API'];
  readonly database: DatabaseLocation;
  readonly verify: VerifySettings;
  readonly status: StatusSettings & {
    readonly port: number | null;
    readonly url: string | null;
    /** Path of a picture; null for none. */
    readonly logoFile: string | null;
    /** Template; null keeps the name. */
    readonly mirrorName: string | null;
    readonly network: string | null;
    readonly thresholds: Thresholds;
    /** Names of probes; `all` stands for every one. */
    readonly probesOff: readonly string[];
    /** Services of others; their headers may hold secrets. */
    readonly services: readonly ServiceProbe[];
  };
  readonly mirror: MirrorSettings & {
    readonly importPaths: readonly string[];
    readonly watchPaths: readonly string[];
    /** Sources over a network, in order of trust. */
    readonly live: readonly LiveSource[];
    readonly watchPeriodMs: number;
    /** Null for the beginning of the ledger. */
    readonly start: ConsensusTimestamp | 'now' | null;
    readonly end: ConsensusTimestamp | null;
    /** Null keeps all. */
    readonly keepDays: number | null;
    readonly addressBook: string | null;
    readonly verify: Variables['MIRROR_VERIFY'];
    /** Numerator and denominator. */
    readonly consensusRatio: readonly [bigint, bigint];
    readonly proofs: {
      /** Hexadecimal, without prefix; null: the one that verified units told. */
      readonly ledgerId: string | null;
      /** Least generation of a proof that is not refused. */
      readonly leastGeneration: 1 | 2;
      /** Whether a proof of generation 1 gives the level `signatures`. */
      readonly allowsGeneration1: boolean;
      readonly every: number;
    };
    readonly transactionBytes: boolean;
    readonly balanceSnapshots: 'changed' | 'full' | 'off';
    readonly includesHostInLinks: boolean;
  };
}

const SECONDS_PER_DAY = 86_400;

/**
 * Reads the configuration from environment variables; an empty variable counts as not given.
 *
 * A value may live in a file that `NAME_FILE` names (chains, secrets).
 *
 * @throws LedgerlensError `invalid_configuration`, listing every wrong or unknown variable.
 */
export function readConfig(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string = (path) => readFileSync(path, 'utf8'),
): Config {
  const problems: string[] = [];
  const given = knownVariables(environment, readFile, problems);
  const { variables, isValid } = validated(given, problems);
  const services = readServiceProbes(variables.STATUS_PROBES, environment);
  problems.push(
    ...crossChecks(variables),
    ...problemsOfChains(variables.VERIFY_CHAINS, environment),
    ...services.problems,
    ...unreadableFiles(variables, readFile),
  );
  if (!isValid || problems.length > 0) {
    throw new LedgerlensError(
      'invalid_configuration',
      `Invalid configuration:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'All variables are listed in docs/configuration.md.',
      { details: { problems } },
    );
  }
  return deepFreeze(toConfig(variables, services.probes, secretsOf(variables, environment)));
}

/** Addresses that everybody may see. */
const PUBLIC = new Set([
  'PUBLIC_URL',
  'STATUS_URL',
  'VERIFY_COMPILER_LIST_URL',
  'VERIFY_REPO_URL',
  'VERIFY_UI_URL',
]);
/** Variables of the libraries that call buckets and databases. */
const SECRETS_OF_OTHERS = ['AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN', 'PGPASSWORD'];

function secretsOf(variables: Variables, environment: Environment): readonly string[] {
  const texts = Object.entries(variables).flatMap(([name, value]) =>
    typeof value === 'string' && !PUBLIC.has(name) ? [value] : [],
  );
  const named = [...SECRETS_OF_OTHERS, ...texts.flatMap(namesInHeaders)];
  return [
    ...texts.flatMap((text) => secretsIn(asJson(text) ?? text)),
    ...named.flatMap((name) => environment[name] ?? []).filter((each) => each !== environment['PGUSER']),
  ];
}

function asJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // Most variables are plain text.
    return null;
  }
}

function toConfig(
  variables: Variables,
  services: readonly ServiceProbe[],
  secrets: readonly string[],
): Config {
  const database = parseDatabaseUrl(variables.DATABASE_URL);
  return {
    http: {
      host: variables.HOST,
      ports: variables.PORT.split(',').map(Number),
      publicUrl: orNull(variables.PUBLIC_URL.replace(/\/+$/, '')),
      trustProxy: parseTrustProxy(variables.TRUST_PROXY),
      keepAliveMs: variables.KEEP_ALIVE_SECONDS * 1000,
      requestsPerSecond: variables.REQUESTS_PER_SECOND,
      bodyMemoryMiB: variables.BODY_MEMORY_MB,
      drainMs: variables.DRAIN_SECONDS * 1000,
      shutdownMs: variables.SHUTDOWN_SECONDS * 1000,
    },
    logLevel: variables.LOG_LEVEL,
    logFormat: variables.LOG_FORMAT,
    secrets,
    gitCommit: variables.GIT_COMMIT,
    testApi: variables.LEDGERLENS_TEST_API,
    database,
    verify: {
      chainsJson: variables.VERIFY_CHAINS,
      compilerDir: orNull(variables.VERIFY_COMPILER_DIR),
      compilerCacheDir: orNull(variables.VERIFY_COMPILER_CACHE_DIR) ?? besideDatabase(database),
      compilerListUrl: orNull(variables.VERIFY_COMPILER_LIST_URL.replace(/\/+$/, '')),
      compilerRegistry: variables.VERIFY_COMPILER_REGISTRY === 'on',
      workers: variables.VERIFY_WORKERS === 0 ? null : variables.VERIFY_WORKERS,
      queueLimit: variables.VERIFY_QUEUE_LIMIT,
      queueMiB: variables.VERIFY_QUEUE_MB,
      keepBytecodesDays:
        variables.VERIFY_KEEP_BYTECODES_DAYS === 0 ? null : variables.VERIFY_KEEP_BYTECODES_DAYS,
      jobTimeoutMs: variables.VERIFY_JOB_SECONDS * 1000,
      firstPollMs: variables.VERIFY_FIRST_POLL_MS,
      jobPagesUrl: orNull(variables.VERIFY_UI_URL.replace(/\/+$/, '')),
      contractPagesUrl: orNull(variables.VERIFY_REPO_URL.replace(/\/+$/, '')),
      servesVersion1: variables.VERIFY_VERSION_1 === 'on',
      compilerMemoryMiB: variables.VERIFY_COMPILER_MEMORY_MB,
      preload: list(variables.VERIFY_PRELOAD),
      outputCacheMiB: variables.VERIFY_OUTPUT_CACHE_MB,
      outputCacheDir: orNull(variables.VERIFY_OUTPUT_CACHE_DIR),
      creationSearchMs: variables.VERIFY_CREATION_SEARCH_SECONDS * 1000,
      rpcTimeoutMs: variables.VERIFY_RPC_TIMEOUT_SECONDS * 1000,
      ipfsGateway: withSlash(orNull(variables.VERIFY_IPFS_GATEWAY)),
    },
    status: {
      port: variables.STATUS_PORT === '' ? null : Number(variables.STATUS_PORT),
      url: orNull(variables.STATUS_URL.replace(/\/+$/, '')),
      pageName: variables.STATUS_PAGE_NAME,
      timeZone: variables.STATUS_TIME_ZONE,
      pageId: orNull(variables.STATUS_PAGE_ID),
      tokens: parseStatusTokens(variables.STATUS_TOKENS, () => undefined),
      tokenInQuery: variables.STATUS_TOKEN_IN_QUERY === 'on',
      webhookPrivate: variables.STATUS_WEBHOOK_PRIVATE === 'on',
      mail:
        variables.STATUS_SMTP_URL === ''
          ? null
          : { url: variables.STATUS_SMTP_URL, from: variables.STATUS_MAIL_FROM },
      logoFile: orNull(variables.STATUS_LOGO_FILE),
      accent: orNull(variables.STATUS_ACCENT),
      frameAncestors: list(variables.STATUS_FRAME_ANCESTORS.replaceAll(' ', ',')).join(' ') || "'none'",
      updateTexts: parseUpdateTexts(variables.STATUS_UPDATE_TEXTS, () => undefined),
      builtinComponents: variables.STATUS_BUILTIN_COMPONENTS === 'on',
      autoIncidents: ['on', '1'].includes(variables.STATUS_AUTO_INCIDENT),
      recordDowntime: variables.STATUS_RECORD_DOWNTIME === 'on',
      mirrorName: orNull(variables.STATUS_MIRROR_NAME),
      network: orNull(variables.STATUS_NETWORK),
      thresholds: parseThresholds(variables.STATUS_THRESHOLDS, () => undefined),
      probesOff: list(variables.STATUS_PROBES_OFF),
      services,
    },
    mirror: {
      dialect: variables.MIRROR_DIALECT,
      shard: BigInt(variables.MIRROR_SHARD),
      realm: BigInt(variables.MIRROR_REALM),
      importPaths: list(variables.MIRROR_IMPORT),
      isReadyAfterImport: variables.MIRROR_READY === 'after-import',
      watchPaths: list(variables.MIRROR_WATCH),
      watchPeriodMs: variables.MIRROR_WATCH_MS,
      live: readLiveSources(variables).sources,
      start: startOf(variables),
      end: parseUtcInstant(variables.MIRROR_END),
      keepDays: variables.MIRROR_KEEP_DAYS === 0 ? null : variables.MIRROR_KEEP_DAYS,
      addressBook: orNull(variables.MIRROR_ADDRESS_BOOK),
      verify: variables.MIRROR_VERIFY,
      consensusRatio: parseRatio(variables.MIRROR_CONSENSUS_RATIO),
      proofs: proofsOf(variables),
      transactionBytes: variables.MIRROR_TRANSACTION_BYTES === 'on',
      balanceSnapshots: variables.MIRROR_BALANCE_SNAPSHOTS,
      earliestValue: variables.MIRROR_EARLIEST_VALUE === 'on',
      maxTransactionRangeSeconds:
        variables.MIRROR_BIND_TIMESTAMP_RANGE === 'on'
          ? variables.MIRROR_MAX_TRANSACTIONS_TIMESTAMP_RANGE_DAYS * SECONDS_PER_DAY
          : null,
      maxRepeatedParameters: variables.MIRROR_MAX_REPEATED_QUERY_PARAMETERS,
      includesHostInLinks: variables.MIRROR_INCLUDE_HOST_IN_LINK === 'on',
      maxFileAttempts: variables.MIRROR_MAX_FILE_ATTEMPTS,
      unreleasedAccounts: parseRanges(variables.MIRROR_UNRELEASED_ACCOUNTS),
      limitDefault: variables.MIRROR_LIMIT_DEFAULT,
      limitMax: variables.MIRROR_LIMIT_MAX,
      tokensOfAccount: variables.MIRROR_TOKENS_OF_ACCOUNT,
      tokensInLists: variables.MIRROR_TOKENS_IN_LISTS,
      currencyFormat: variables.MIRROR_CURRENCY_FORMAT,
      chainId: chainIdOf(variables),
      showsSyntheticResults: variables.MIRROR_SYNTHETIC_RESULTS === 'on',
      feeScheduleFile: orNull(variables.MIRROR_FEE_SCHEDULE_FILE),
      feeBodyLimit: variables.MIRROR_FEE_BODY_LIMIT,
    },
  };
}

const DEFAULT_CHAIN_ID = 0x128n;

function chainIdOf({ MIRROR_CHAIN_ID: chainId, MIRROR_NETWORK: network }: Variables): bigint {
  return chainId === '' ? (publicNetwork(network)?.chainId ?? DEFAULT_CHAIN_ID) : BigInt(chainId);
}

function startOf({ MIRROR_NETWORK: network, MIRROR_START: start }: Variables): Config['mirror']['start'] {
  const chosen = start === '' ? publicNetwork(network)?.start : start;
  return chosen === 'now' ? chosen : parseUtcInstant(chosen ?? '');
}

function proofsOf(variables: Variables): Config['mirror']['proofs'] {
  const ofNetwork = publicNetwork(variables.MIRROR_NETWORK)?.leastGeneration ?? 1;
  const allowsGeneration1 = variables.MIRROR_PROOF_GENERATION === 1;
  return {
    ledgerId: orNull(variables.MIRROR_LEDGER_ID.replace(/^0x/, '').toLowerCase()),
    leastGeneration: allowsGeneration1 ? 1 : ofNetwork,
    allowsGeneration1,
    every: variables.MIRROR_PROOF_EVERY,
  };
}

function besideDatabase({ folder }: DatabaseLocation): string | null {
  return folder === null ? null : join(folder, 'compilers');
}

function orNull(value: string): string | null {
  return value === '' ? null : value;
}

function withSlash(url: string | null): string | null {
  return url === null || url.endsWith('/') ? url : `${url}/`;
}

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
