import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { join } from 'node:path';
import { Ajv } from 'ajv';
import { VARIABLES, type Variables } from './config-variables.ts';
import { readLiveSources } from './live-sources.ts';
import type { LiveSource } from './mirror/ingest/units/live-source.ts';
import { nearName } from './near-name.ts';
import { publicNetwork } from './public-networks.ts';
import type { ServiceProbe } from './service-probe.ts';
import { readServiceProbes } from './service-probes.ts';
import { parseStatusTokens, type StatusToken } from './status/manage/tokens.ts';
import { parseThresholds, type Thresholds } from './status/monitor/thresholds.ts';
import { BUILT_IN_PARTS } from './status/rules/built-in-components.ts';
import { parseUpdateTexts, type UpdateTexts } from './status/rules/default-texts.ts';
import { faultOfTemplate } from './status/rules/name-template.ts';
import { isTimeZone } from './status/rules/zoned-time.ts';
import {
  type DatabaseLocation,
  faultOfDatabaseUrl,
  IN_MEMORY,
  parseDatabaseUrl,
} from './store/database-url.ts';
import type { ConsensusTimestamp } from './values/consensus-timestamp.ts';
import { LedgerlensError } from './values/ledgerlens-error.ts';
import { parseUtcInstant } from './values/utc-instant.ts';
import { problemsOfChains } from './verify/chain/chain-config.ts';

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
  readonly gitCommit: string;
  readonly testApi: Variables['LEDGERLENS_TEST_API'];
  readonly database: DatabaseLocation;
  readonly verify: {
    readonly chainsJson: string;
    readonly compilerDir: string | null;
    /** Null for a temporary one, when the database is in memory. */
    readonly compilerCacheDir: string | null;
    /** Null: jobs download from no release list. */
    readonly compilerListUrl: string | null;
    readonly compilerRegistry: boolean;
    /** Null means one per core less one, at least two. */
    readonly workers: number | null;
    readonly queueLimit: number;
    readonly queueMiB: number;
    /** Null keeps them for ever. */
    readonly keepBytecodesDays: number | null;
    readonly jobTimeoutMs: number;
    readonly firstPollMs: number;
    /** Without a trailing slash; null for no pages. */
    readonly jobPagesUrl: string | null;
    readonly contractPagesUrl: string | null;
    readonly servesVersion1: boolean;
    readonly compilerMemoryMiB: number;
    readonly preload: readonly string[];
    readonly outputCacheMiB: number;
    /** Null means beside the database. */
    readonly outputCacheDir: string | null;
    readonly creationSearchMs: number;
    readonly rpcTimeoutMs: number;
    readonly ipfsGateway: string | null;
  };
  readonly status: {
    readonly port: number | null;
    readonly url: string | null;
    readonly pageName: string;
    readonly timeZone: string;
    /** Null for a random one. */
    readonly pageId: string | null;
    readonly tokens: readonly StatusToken[];
    readonly tokenInQuery: boolean;
    readonly webhookPrivate: boolean;
    /** Null: no mail is sent. */
    readonly mail: { readonly url: string; readonly from: string } | null;
    /** Path of a picture; null for none. */
    readonly logoFile: string | null;
    /** `#rrggbb` */
    readonly accent: string | null;
    /** As a content policy writes them. */
    readonly frameAncestors: string;
    readonly updateTexts: Partial<UpdateTexts>;
    readonly builtinComponents: boolean;
    readonly autoIncidents: boolean;
    readonly recordDowntime: boolean;
    /** Template; null keeps the name. */
    readonly mirrorName: string | null;
    readonly network: string | null;
    readonly thresholds: Thresholds;
    /** Names of probes; `all` stands for every one. */
    readonly probesOff: readonly string[];
    /** Services of others; their headers may hold secrets. */
    readonly services: readonly ServiceProbe[];
  };
  readonly mirror: {
    readonly dialect: 'spec' | 'hiero';
    readonly shard: bigint;
    readonly realm: bigint;
    readonly importPaths: readonly string[];
    readonly isReadyAfterImport: boolean;
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
    readonly earliestValue: boolean;
    /** Null leaves lists open. */
    readonly maxTransactionRangeSeconds: number | null;
    readonly maxRepeatedParameters: number;
    readonly includesHostInLinks: boolean;
    readonly maxFileAttempts: number;
    /** Account numbers, from and to inclusive. */
    readonly unreleasedAccounts: readonly (readonly [first: number, last: number])[];
    readonly limitDefault: number;
    readonly limitMax: number;
    readonly tokensOfAccount: number;
    readonly tokensInLists: number;
    readonly currencyFormat: Variables['MIRROR_CURRENCY_FORMAT'];
    readonly feeScheduleFile: string | null;
    readonly feeBodyLimit: number;
  };
}

/** Names beginning so belong to this product; an unknown one is a spelling mistake. */
const PREFIXES = ['VERIFY_', 'STATUS_', 'MIRROR_'];
const FILE_SUFFIX = '_FILE';
const HIGHEST_PORT = 65_535;
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
      `The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'All variables are listed in docs/configuration.md.',
      { details: { problems } },
    );
  }
  return deepFreeze(toConfig(variables, services.probes));
}

/** Files that are read only later, or only by some commands: what is wrong is told at once. */
function unreadableFiles(variables: Variables, readFile: (path: string) => string): readonly string[] {
  return (['MIRROR_ADDRESS_BOOK', 'MIRROR_FEE_SCHEDULE_FILE', 'STATUS_LOGO_FILE'] as const).flatMap(
    (name) => {
      if (variables[name] === '') return [];
      try {
        readFile(variables[name]);
        return [];
      } catch {
        return [`${name}: the file ${variables[name]} cannot be read`];
      }
    },
  );
}

function knownVariables(
  environment: Readonly<Record<string, string | undefined>>,
  readFile: (path: string) => string,
  problems: string[],
): Record<string, string> {
  const given: Record<string, string> = {};
  for (const [name, value] of Object.entries(environment)) {
    if (value === undefined || value === '') continue;
    const base = name.endsWith(FILE_SUFFIX) ? name.slice(0, -FILE_SUFFIX.length) : '';
    if (name in VARIABLES.properties) {
      given[name] = value;
    } else if (base in VARIABLES.properties && PREFIXES.some((prefix) => base.startsWith(prefix))) {
      try {
        given[base] = readFile(value).trim();
      } catch {
        problems.push(`${name}: the file ${value} cannot be read`);
      }
    } else if (PREFIXES.some((prefix) => name.startsWith(prefix))) {
      problems.push(`${name}: unknown variable${suggestion(name)}`);
    }
  }
  return given;
}

function suggestion(name: string): string {
  const near = nearName(name, Object.keys(VARIABLES.properties));
  return near === null ? '' : `, did you mean ${near}?`;
}

/** Values of the wrong form are named and replaced by their defaults, so that the other checks can continue. */
function validated(
  given: Readonly<Record<string, string>>,
  problems: string[],
): { readonly variables: Variables; readonly isValid: boolean } {
  // Optimizing takes as long as compiling, for checks that run once.
  const ajv = new Ajv({
    allErrors: true,
    coerceTypes: true,
    useDefaults: true,
    strict: false,
    code: { optimize: false },
  });
  const check = ajv.compile<Variables>(VARIABLES);
  // It converts and fills the values in place.
  const read: Record<string, unknown> = { ...given };
  if (check(read)) return { variables: read, isValid: true };
  const malformed = new Set((check.errors ?? []).map(({ instancePath }) => instancePath.slice(1)));
  for (const name of malformed) problems.push(`${name}: ${shown(given[name])}${allowed(name)}`);
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !malformed.has(name)));
  if (!check(rest)) throw new Error(`the defaults are not valid: ${ajv.errorsText(check.errors)}`);
  return { variables: rest, isValid: false };
}

function allowed(name: string): string {
  const schema: Record<string, unknown> | undefined = (
    VARIABLES.properties as Record<string, Record<string, unknown>>
  )[name];
  if (schema?.['x-values'] !== undefined) {
    return `must be one of ${(schema['x-values'] as readonly string[]).join(', ')}`;
  }
  if (schema?.['type'] === 'integer') {
    return `must be an integer from ${schema['minimum']} to ${schema['maximum']}`;
  }
  return `is not ${schema?.['x-form']}`;
}

/** Before its `@` an address may have a password, which nobody wants in a log. */
function shown(value: string | undefined): string {
  return value?.includes('@') === true
    ? 'the value, which may hold a password, '
    : `${JSON.stringify(value)} `;
}

function crossChecks(variables: Variables): string[] {
  const problems: string[] = [];
  const ports = [...variables.PORT.split(','), variables.STATUS_PORT].filter((port) => port !== '');
  if (ports.some((port) => Number(port) > HIGHEST_PORT))
    problems.push('PORT, STATUS_PORT: the highest port is 65535');
  if ((variables.STATUS_SMTP_URL === '') !== (variables.STATUS_MAIL_FROM === ''))
    problems.push('STATUS_SMTP_URL, STATUS_MAIL_FROM: mail needs both, or neither');
  const fixed = ports.filter((port) => Number(port) !== 0);
  if (new Set(fixed).size !== fixed.length) problems.push('PORT, STATUS_PORT: a port is named twice');
  if (variables.MIRROR_LIMIT_DEFAULT > variables.MIRROR_LIMIT_MAX) {
    problems.push('MIRROR_LIMIT_DEFAULT: must not be above MIRROR_LIMIT_MAX');
  }
  const [start, end] = [variables.MIRROR_START, variables.MIRROR_END].map(parseUtcInstant);
  const isInstant = (text: string): boolean => text === '' || parseUtcInstant(text) !== null;
  if (!isInstant(variables.MIRROR_START) && !['genesis', 'now'].includes(variables.MIRROR_START)) {
    problems.push(
      `MIRROR_START: "${variables.MIRROR_START}" is not genesis, now or an instant such as 2024-01-31T00:00:00Z`,
    );
  }
  if (!isInstant(variables.MIRROR_END)) {
    problems.push(`MIRROR_END: "${variables.MIRROR_END}" is not an instant such as 2024-01-31T00:00:00Z`);
  }
  if (start != null && end != null && start > end)
    problems.push('MIRROR_START: must not be after MIRROR_END');
  problems.push(...readLiveSources(variables).problems);
  const { STATUS_MIRROR_NAME: mirrorName, STATUS_NETWORK: network } = variables;
  const fault = mirrorName === '' ? null : faultOfTemplate(mirrorName);
  if (fault !== null) problems.push(`STATUS_MIRROR_NAME: ${fault}`);
  if (network === '' && mirrorName.includes('{network}')) {
    problems.push('STATUS_MIRROR_NAME: asks for {network}, so STATUS_NETWORK has to be set');
  }
  if (!isTimeZone(variables.STATUS_TIME_ZONE)) {
    problems.push(`STATUS_TIME_ZONE: "${variables.STATUS_TIME_ZONE}" is not an IANA time zone`);
  }
  parseStatusTokens(variables.STATUS_TOKENS, (problem) => problems.push(`STATUS_TOKENS: ${problem}`));
  parseUpdateTexts(variables.STATUS_UPDATE_TEXTS, (problem) =>
    problems.push(`STATUS_UPDATE_TEXTS: ${problem}`),
  );
  const probes = [...BUILT_IN_PARTS.map(({ component }) => component.probe), 'all'];
  for (const name of list(variables.STATUS_PROBES_OFF)) {
    if (probes.includes(name) || /^chain:[0-9]+$/.test(name)) continue;
    problems.push(`STATUS_PROBES_OFF: "${name}" is not one of ${probes.join(', ')}, chain:ID`);
  }
  parseThresholds(variables.STATUS_THRESHOLDS, (problem) => problems.push(`STATUS_THRESHOLDS: ${problem}`));
  // Not repeated in the message: another kind of address may hold a password.
  const databaseFault = faultOfDatabaseUrl(variables.DATABASE_URL);
  if (databaseFault !== null) problems.push(`DATABASE_URL: ${databaseFault}`);
  problems.push(...testApiFaults(variables));
  const proxies = parseTrustProxy(variables.TRUST_PROXY);
  for (const proxy of Array.isArray(proxies) ? (proxies as readonly string[]) : []) {
    if (!isNetwork(proxy))
      problems.push(`TRUST_PROXY: "${proxy}" is not an address or network such as 10.0.0.0/8`);
  }
  const [numerator, denominator] = parseRatio(variables.MIRROR_CONSENSUS_RATIO);
  if (numerator > denominator) problems.push('MIRROR_CONSENSUS_RATIO: must not be above 1');
  for (const [first, last] of parseRanges(variables.MIRROR_UNRELEASED_ACCOUNTS)) {
    if (first > last) problems.push(`MIRROR_UNRELEASED_ACCOUNTS: ${first}-${last} ends before it begins`);
  }
  return problems;
}

/** Nobody's ledger may be emptied by a test, and nobody from elsewhere may do it unless that is meant. */
function testApiFaults({ DATABASE_URL, HOST, LEDGERLENS_TEST_API: api, STATUS_PORT }: Variables): string[] {
  if (api === 'off') return [];
  const problems: string[] = [];
  if (DATABASE_URL !== IN_MEMORY.url) {
    problems.push(
      `LEDGERLENS_TEST_API: can empty the database, so it needs one in memory (DATABASE_URL=${IN_MEMORY.url})`,
    );
  }
  if (api === 'on' && !isLoopback(HOST)) {
    problems.push(
      `LEDGERLENS_TEST_API: everybody who reaches ${HOST || 'the server'} could empty it; listen on loopback ` +
        '(HOST=127.0.0.1), or say that this is meant (LEDGERLENS_TEST_API=on-any-address)',
    );
  }
  if (STATUS_PORT !== '') problems.push('LEDGERLENS_TEST_API: cannot be used together with STATUS_PORT');
  return problems;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}

/** `2,44-71`; the pattern of the variable was checked. */
function parseRanges(text: string): readonly (readonly [first: number, last: number])[] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.split('-');
    return [Number(first), Number(last)];
  });
}

function toConfig(variables: Variables, services: readonly ServiceProbe[]): Config {
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
      feeScheduleFile: orNull(variables.MIRROR_FEE_SCHEDULE_FILE),
      feeBodyLimit: variables.MIRROR_FEE_BODY_LIMIT,
    },
  };
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

/** An address, a network in prefix notation, or one of the names that the framework knows. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix = '32', ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    /^\d{1,3}$/.test(prefix) &&
    Number(prefix) >= 1 &&
    Number(prefix) <= bits
  );
}

function parseTrustProxy(value: string): boolean | number | readonly string[] {
  if (value === 'off') return false;
  return /^\d+$/.test(value) ? Number(value) : list(value);
}

/** `1/3`, `0.4`, `.4`, `0` and `1`; the pattern of the variable admits nothing else. */
function parseRatio(value: string): readonly [bigint, bigint] {
  const [numerator = '0', denominator] = value.split('/');
  if (denominator !== undefined) return [BigInt(numerator), BigInt(denominator)];
  const [whole = '0', fraction = ''] = value.split('.');
  return [BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length)];
}

function list(value: string): readonly string[] {
  return value
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
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
