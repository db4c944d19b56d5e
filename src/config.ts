import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { Ajv, type ErrorObject } from 'ajv';
import { envSchema } from 'env-schema';
import { isTimeZone } from './status/rules/zoned-time.ts';
import { LedgerlensError } from './values/ledgerlens-error.ts';

const text = (description: string, value = '') => Type.String({ default: value, description });
const onOff = (value: 'on' | 'off', description: string) => oneOf(['on', 'off'], value, description);
const oneOf = <T extends string[]>(values: [...T], value: T[number], description: string) =>
  Type.Union(
    values.map((each) => Type.Literal(each)),
    { default: value, description, 'x-values': values },
  ) as unknown as TSchema & { static: T[number] };
const count = (value: number, minimum: number, maximum: number, description: string) =>
  Type.Integer({ default: value, minimum, maximum, description });

/**
 * Every environment variable: type, bounds, default and one sentence each.
 *
 * The table in the README is printed from this (`npm run openapi` writes both).
 */
export const VARIABLES = Type.Object({
  HOST: text('Address to listen on; the container image sets 0.0.0.0.', '127.0.0.1'),
  PORT: Type.String({
    default: '8080',
    pattern: '^\\d{1,5}(,\\d{1,5})*$',
    description:
      'Port, or several separated by commas (`8080,5551,8084`: ledger SDKs use fixed ports on localhost).',
  }),
  PUBLIC_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    description: 'Address under which clients reach the server; empty: http://HOST:PORT.',
  }),
  TRUST_PROXY: text(
    '`off`, the number of proxies in front, or their addresses or networks separated by commas.',
    'off',
  ),
  KEEP_ALIVE_SECONDS: count(
    75,
    1,
    3600,
    'Idle time of a connection; keep it above that of the load balancer (most use 60).',
  ),
  DRAIN_SECONDS: count(
    0,
    0,
    300,
    'After a stop signal, how long readiness answers 503 while requests are still served; the image sets 5.',
  ),
  SHUTDOWN_SECONDS: count(
    30,
    1,
    600,
    'After draining, how long running requests and jobs may take to end before the process is ended.',
  ),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'Least important log line that is written; requests are logged at debug.',
  ),
  GIT_COMMIT: text('Commit of the build, shown by `GET /version`.', 'unknown'),
  DATABASE_URL: text('`sqlite:` and the path of the database file.', 'sqlite:data/ledgerlens.sqlite'),

  VERIFY_CHAINS: text(
    'JSON object of chains by decimal id, for example `{"31337":{"name":"anvil","rpc":["http://127.0.0.1:8545"]}}`; `VERIFY_CHAINS_FILE` names a file with the same.',
    '{}',
  ),
  VERIFY_COMPILER_DIR: text(
    'Folder with further `soljson-v*.js` compilers and their checksum list; empty: only the bundled ones.',
  ),
  VERIFY_WORKERS: count(0, 0, 64, 'Compiler workers; 0 means one per core less one, at least two.'),
  VERIFY_QUEUE_LIMIT: count(1000, 1, 1_000_000, 'Waiting jobs above which a submission answers 503.'),
  VERIFY_JOB_SECONDS: count(100, 1, 3600, 'Time that all compilations of one job may take together.'),
  VERIFY_FIRST_POLL_MS: count(
    2000,
    0,
    30_000,
    'How long the first status request of a running job is held open, so that quick jobs answer at once.',
  ),
  VERIFY_COMPILER_MEMORY_MB: count(
    1536,
    256,
    65_536,
    'Memory that one compiler may take before it is stopped, in MiB.',
  ),
  VERIFY_CREATION_SEARCH_SECONDS: count(
    10,
    0,
    600,
    'How long the search for a creation transaction that nobody named may delay a verification; 0: no search.',
  ),

  STATUS_PORT: Type.String({
    default: '',
    pattern: '^\\d{0,5}$',
    description: 'Port of a listener of its own for the status API; empty: only the shared one.',
  }),
  STATUS_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    description: 'Public address of the status page (`page.url`); empty: PUBLIC_URL and `/status`.',
  }),
  STATUS_PAGE_NAME: Type.String({
    default: 'Ledgerlens',
    minLength: 1,
    maxLength: 255,
    description: 'Name of the status page, set when the page is first created.',
  }),
  STATUS_TIME_ZONE: text('IANA zone of the status page, set when the page is first created.', 'Etc/UTC'),
  STATUS_BUILTIN_COMPONENTS: onOff(
    'on',
    'Whether the first start creates components for the parts of this server.',
  ),

  MIRROR_DIALECT: oneOf(
    ['spec', 'hiero'],
    'spec',
    'Form of some members of the mirror API: as specified, or as the public Hiero networks answer (web explorers want `hiero`).',
  ),
  MIRROR_SHARD: count(0, 0, 1023, 'Shard of the network, for ids given without one and for system files.'),
  MIRROR_REALM: count(0, 0, 65_535, 'Realm of the network, likewise.'),
  MIRROR_IMPORT: text(
    'Files and folders of ledger streams, separated by commas, that the server imports after it started.',
  ),
  MIRROR_ADDRESS_BOOK: text(
    'Address book file that the operator vouches for, used while the ledger has none.',
  ),
  MIRROR_VERIFY: oneOf(
    ['signatures', 'strict', 'chain', 'none'],
    'signatures',
    'What an imported stream must prove: node signatures, hashes and chain alone, or nothing.',
  ),
  MIRROR_CONSENSUS_RATIO: Type.String({
    default: '1/3',
    pattern: '^(0|1|0?\\.\\d{1,18}|\\d{1,6}/[1-9]\\d{0,5})$',
    description: 'Share of the nodes (by stake when known) that must have signed; 0: one signature.',
  }),
  MIRROR_TRANSACTION_BYTES: onOff('off', 'Whether imported transactions answer with `bytes`.'),
  MIRROR_EARLIEST_VALUE: onOff(
    'on',
    'Whether supply and exchange rate before the first known value answer with that value instead of 404.',
  ),
  MIRROR_LIMIT_DEFAULT: count(25, 1, 100, 'Page size of lists when `limit` is not given.'),
  MIRROR_LIMIT_MAX: count(100, 1, 100, 'Largest page size of lists.'),
  MIRROR_BIND_TIMESTAMP_RANGE: onOff(
    'off',
    'Whether a transaction list looks at no more than 60 days at a time, as the public networks do.',
  ),
  MIRROR_CURRENCY_FORMAT: oneOf(
    ['BOTH', 'HBARS', 'TINYBARS'],
    'BOTH',
    'Form of the plain-text supply answers.',
  ),
  MIRROR_FEE_SCHEDULE_FILE: text('Simple fee schedule (JSON or protobuf) to use instead of the bundled one.'),
  MIRROR_FEE_BODY_LIMIT: count(139_264, 1024, 16_777_216, 'Largest body of a fee estimate, in bytes.'),
});

type Variables = Static<typeof VARIABLES>;

/** The configuration of one process, read once at start. */
export interface Config {
  readonly http: {
    readonly host: string;
    readonly ports: readonly number[];
    /** Without a trailing slash; null when it is to be made from host and port. */
    readonly publicUrl: string | null;
    readonly trustProxy: boolean | number | readonly string[];
    readonly keepAliveMs: number;
    readonly drainMs: number;
    readonly shutdownMs: number;
  };
  readonly logLevel: Variables['LOG_LEVEL'];
  readonly gitCommit: string;
  readonly databaseUrl: string;
  readonly verify: {
    readonly chainsJson: string;
    readonly compilerDir: string | null;
    /** Null means one per core less one, at least two. */
    readonly workers: number | null;
    readonly queueLimit: number;
    readonly jobTimeoutMs: number;
    readonly firstPollMs: number;
    readonly compilerMemoryMiB: number;
    readonly creationSearchMs: number;
  };
  readonly status: {
    readonly port: number | null;
    readonly url: string | null;
    readonly pageName: string;
    readonly timeZone: string;
    readonly builtinComponents: boolean;
  };
  readonly mirror: {
    readonly dialect: 'spec' | 'hiero';
    readonly shard: bigint;
    readonly realm: bigint;
    readonly importPaths: readonly string[];
    readonly addressBook: string | null;
    readonly verify: Variables['MIRROR_VERIFY'];
    /** Numerator and denominator. */
    readonly consensusRatio: readonly [bigint, bigint];
    readonly transactionBytes: boolean;
    readonly earliestValue: boolean;
    readonly bindTimestampRange: boolean;
    readonly limitDefault: number;
    readonly limitMax: number;
    readonly currencyFormat: Variables['MIRROR_CURRENCY_FORMAT'];
    readonly feeScheduleFile: string | null;
    readonly feeBodyLimit: number;
  };
}

/** Names beginning so belong to this product; an unknown one is a spelling mistake. */
const PREFIXES = ['VERIFY_', 'STATUS_', 'MIRROR_'];
const FILE_SUFFIX = '_FILE';
const HIGHEST_PORT = 65_535;

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
  problems.push(...crossChecks(variables));
  if (!isValid || problems.length > 0) {
    throw new LedgerlensError(
      'invalid_configuration',
      `The configuration cannot be used:\n${problems.map((problem) => `  - ${problem}`).join('\n')}\n` +
        'All variables are listed in the README.',
      { details: { problems } },
    );
  }
  return deepFreeze(toConfig(variables));
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
  const near = Object.keys(VARIABLES.properties).find(
    (known) => known.startsWith(name) || name.startsWith(known) || sameLetters(known, name),
  );
  return near === undefined ? '' : `, did you mean ${near}?`;
}

/** Catches the usual slips: letters swapped, doubled or underscores left out. */
function sameLetters(left: string, right: string): boolean {
  const letters = (name: string) => [...new Set(name.replaceAll('_', ''))].sort().join('');
  return letters(left) === letters(right);
}

/** Values of the wrong form are named and replaced by their defaults, so that the other checks can go on. */
function validated(
  given: Readonly<Record<string, string>>,
  problems: string[],
): { readonly variables: Variables; readonly isValid: boolean } {
  const ajv = new Ajv({ allErrors: true, coerceTypes: true, useDefaults: true, strict: false });
  // env-schema marks the schema and fills the values that it is given, so it gets copies.
  const read = (data: object) =>
    envSchema<Variables>({
      schema: structuredClone(VARIABLES),
      data: { ...data },
      env: false,
      dotenv: false,
      ajv,
    });
  try {
    return { variables: read(given), isValid: true };
  } catch (error) {
    const errors = (error as { errors?: ErrorObject[] }).errors;
    if (errors === undefined) throw error;
    const names = new Set(errors.map(({ instancePath }) => instancePath.slice(1)));
    for (const name of names) problems.push(`${name}: ${JSON.stringify(given[name])} ${allowed(name)}`);
    const rest = Object.entries(given).filter(([name]) => !names.has(name));
    return { variables: read(Object.fromEntries(rest)), isValid: false };
  }
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
  return `is malformed. ${schema?.['description'] ?? ''}`;
}

function crossChecks(variables: Variables): string[] {
  const problems: string[] = [];
  const ports = [...variables.PORT.split(','), variables.STATUS_PORT].filter((port) => port !== '');
  if (ports.some((port) => Number(port) > HIGHEST_PORT))
    problems.push('PORT, STATUS_PORT: the highest port is 65535');
  const fixed = ports.filter((port) => Number(port) !== 0);
  if (new Set(fixed).size !== fixed.length) problems.push('PORT, STATUS_PORT: a port is named twice');
  if (variables.MIRROR_LIMIT_DEFAULT > variables.MIRROR_LIMIT_MAX) {
    problems.push('MIRROR_LIMIT_DEFAULT: must not be above MIRROR_LIMIT_MAX');
  }
  if (!isTimeZone(variables.STATUS_TIME_ZONE)) {
    problems.push(`STATUS_TIME_ZONE: "${variables.STATUS_TIME_ZONE}" is no IANA time zone`);
  }
  // Not repeated in the message: another kind of address may hold a password.
  if (!variables.DATABASE_URL.startsWith('sqlite:')) problems.push('DATABASE_URL: must begin with "sqlite:"');
  const proxies = parseTrustProxy(variables.TRUST_PROXY);
  for (const proxy of Array.isArray(proxies) ? (proxies as readonly string[]) : []) {
    if (!isNetwork(proxy))
      problems.push(`TRUST_PROXY: "${proxy}" is no address or network such as 10.0.0.0/8`);
  }
  const [numerator, denominator] = parseRatio(variables.MIRROR_CONSENSUS_RATIO);
  if (numerator > denominator) problems.push('MIRROR_CONSENSUS_RATIO: must not be above 1');
  return problems;
}

function toConfig(variables: Variables): Config {
  return {
    http: {
      host: variables.HOST,
      ports: variables.PORT.split(',').map(Number),
      publicUrl: orNull(variables.PUBLIC_URL.replace(/\/+$/, '')),
      trustProxy: parseTrustProxy(variables.TRUST_PROXY),
      keepAliveMs: variables.KEEP_ALIVE_SECONDS * 1000,
      drainMs: variables.DRAIN_SECONDS * 1000,
      shutdownMs: variables.SHUTDOWN_SECONDS * 1000,
    },
    logLevel: variables.LOG_LEVEL,
    gitCommit: variables.GIT_COMMIT,
    databaseUrl: variables.DATABASE_URL,
    verify: {
      chainsJson: variables.VERIFY_CHAINS,
      compilerDir: orNull(variables.VERIFY_COMPILER_DIR),
      workers: variables.VERIFY_WORKERS === 0 ? null : variables.VERIFY_WORKERS,
      queueLimit: variables.VERIFY_QUEUE_LIMIT,
      jobTimeoutMs: variables.VERIFY_JOB_SECONDS * 1000,
      firstPollMs: variables.VERIFY_FIRST_POLL_MS,
      compilerMemoryMiB: variables.VERIFY_COMPILER_MEMORY_MB,
      creationSearchMs: variables.VERIFY_CREATION_SEARCH_SECONDS * 1000,
    },
    status: {
      port: variables.STATUS_PORT === '' ? null : Number(variables.STATUS_PORT),
      url: orNull(variables.STATUS_URL.replace(/\/+$/, '')),
      pageName: variables.STATUS_PAGE_NAME,
      timeZone: variables.STATUS_TIME_ZONE,
      builtinComponents: variables.STATUS_BUILTIN_COMPONENTS === 'on',
    },
    mirror: {
      dialect: variables.MIRROR_DIALECT,
      shard: BigInt(variables.MIRROR_SHARD),
      realm: BigInt(variables.MIRROR_REALM),
      importPaths: list(variables.MIRROR_IMPORT),
      addressBook: orNull(variables.MIRROR_ADDRESS_BOOK),
      verify: variables.MIRROR_VERIFY,
      consensusRatio: parseRatio(variables.MIRROR_CONSENSUS_RATIO),
      transactionBytes: variables.MIRROR_TRANSACTION_BYTES === 'on',
      earliestValue: variables.MIRROR_EARLIEST_VALUE === 'on',
      bindTimestampRange: variables.MIRROR_BIND_TIMESTAMP_RANGE === 'on',
      limitDefault: variables.MIRROR_LIMIT_DEFAULT,
      limitMax: variables.MIRROR_LIMIT_MAX,
      currencyFormat: variables.MIRROR_CURRENCY_FORMAT,
      feeScheduleFile: orNull(variables.MIRROR_FEE_SCHEDULE_FILE),
      feeBodyLimit: variables.MIRROR_FEE_BODY_LIMIT,
    },
  };
}

/** An address, a network in prefix notation, or one of the names that the framework knows. */
function isNetwork(text: string): boolean {
  if (['loopback', 'linklocal', 'uniquelocal'].includes(text)) return true;
  const [address = '', prefix = '0', ...rest] = text.split('/');
  const bits = isIP(address) === 4 ? 32 : 128;
  return isIP(address) !== 0 && rest.length === 0 && /^\d{1,3}$/.test(prefix) && Number(prefix) <= bits;
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

function deepFreeze<T>(value: T): T {
  if (typeof value === 'object' && value !== null) {
    for (const member of Object.values(value)) deepFreeze(member);
    Object.freeze(value);
  }
  return value;
}
