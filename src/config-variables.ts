import { isIP } from 'node:net';
import { MIRROR_SETTINGS } from './mirror/mirror-options.ts';
import {
  address,
  count,
  formed,
  list,
  oneOf,
  type Reading,
  type Settings,
  seconds,
  text,
} from './settings/setting.ts';
import { STATUS_SETTINGS } from './status/status-options.ts';
import {
  type DatabaseLocation,
  faultOfDatabaseUrl,
  IN_MEMORY,
  parseDatabaseUrl,
} from './store/database-url.ts';
import { VERIFY_SETTINGS } from './verify/verify-options.ts';

/** Where and how the server listens. */
export const HTTP_SETTINGS = {
  host: text('HOST', '127.0.0.1').describe('Address to listen on; the container image sets 0.0.0.0.'),
  ports: formed(
    'PORT',
    {
      default: '8080',
      pattern: '^\\d{1,5}(,\\d{1,5})*$',
      'x-form': 'a port such as 8080, or several separated by commas',
    },
    (given): readonly number[] => given.split(',').map(Number),
  ).describe(
    'Port, or several separated by commas (`8080,5551,8084`: ledger SDKs use fixed ports on localhost); 0: any free port, shown in the log and all links.',
  ),
  publicUrl: address('PUBLIC_URL').describe(
    'Address under which clients reach the server; empty: http://HOST:PORT.',
  ),
  trustProxy: formed('TRUST_PROXY', { default: 'off' }, readTrustProxy).describe(
    '`off`, the number of proxies in front, or their addresses or networks separated by commas.',
  ),
  requestsPerSecond: count('REQUESTS_PER_SECOND', 0, [0, 1_000_000]).describe(
    'Requests per second of one client (an IPv4 address, or an IPv6 network of 64 bits) after a burst of 40; further requests get 429. 0: no limit. Health checks are not counted.',
  ),
  keepAliveMs: seconds('KEEP_ALIVE_SECONDS', 75, [1, 3600]).describe(
    'Idle time of a connection; keep it above that of the load balancer (most use 60).',
  ),
  bodyMemoryMiB: count('BODY_MEMORY_MB', 128, [48, 65_536]).describe(
    'Memory for request bodies, in MiB; when it is used up, requests get 503. A quarter is reserved for bodies below 1 MiB.',
  ),
  drainMs: seconds('DRAIN_SECONDS', 0, [0, 300]).describe(
    'After a stop signal, how long readiness answers 503 while requests are still served; a server without a connection so far stops at once; the image sets 5.',
  ),
  shutdownMs: seconds('SHUTDOWN_SECONDS', 7, [1, 600]).describe(
    'After draining, how long running requests may take to finish before the process exits, within 2 s more (as process 1 of a container, when its runtime ends it).',
  ),
};

const TEST_APIS = ['off', 'on', 'on-any-address'] as const;
type TestApi = (typeof TEST_APIS)[number];

/** What the process does with its lines and data. */
export const PROCESS_SETTINGS = {
  logLevel: oneOf(
    'LOG_LEVEL',
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
  ).describe('Minimum level of log lines; requests are logged at debug.'),
  testApi: formed('LEDGERLENS_TEST_API', { default: 'off', enum: TEST_APIS }, readTestApi).describe(
    'Serves `POST /_test/fixtures`, `/_test/reset` and `/_test/clock`, with which tests load, reset and advance the server; requires `DATABASE_URL=sqlite::memory:`. `on` refuses to start unless HOST is loopback, `on-any-address` listens anywhere.',
  ),
  logFormat: oneOf('LOG_FORMAT', ['auto', 'json', 'pretty'], 'auto').describe(
    'Form of log lines: one JSON object each, or human-readable text; `auto` uses text on a terminal.',
  ),
  gitCommit: text('GIT_COMMIT', 'unknown').describe('Commit of the build, shown by `GET /version`.'),
  database: formed('DATABASE_URL', { default: 'sqlite:data/ledgerlens.sqlite' }, readDatabase).describe(
    '`sqlite:` and the path of the database file, `sqlite::memory:` for one that lasts as long as the process, or `postgres://user:password@host/database` for one that several servers share, with libpq parameters for TLS, such as `sslmode`.',
  ),
};

const ALL: readonly Settings[] = [
  HTTP_SETTINGS,
  PROCESS_SETTINGS,
  VERIFY_SETTINGS,
  STATUS_SETTINGS,
  MIRROR_SETTINGS,
];

/**
 * Every environment variable: type, bounds, default and one sentence each.
 *
 * `docs/configuration.md` is printed from this by `npm run openapi`.
 */
export const VARIABLES = Object.fromEntries(
  ALL.flatMap((settings) => Object.values(settings).map(({ name, form }) => [name, form])),
);

function readDatabase(url: string, { report }: Reading): DatabaseLocation {
  const fault = faultOfDatabaseUrl(url);
  if (fault === null) return parseDatabaseUrl(url);
  // Not repeated in the message: another kind of address may hold a password.
  report(fault);
  return IN_MEMORY;
}

/** `off`, a number of hops, or addresses and networks. */
function readTrustProxy(value: string, { report }: Reading): boolean | number | readonly string[] {
  if (value === 'off') return false;
  if (/^\d+$/.test(value)) return Number(value);
  const proxies = list(value);
  for (const proxy of proxies) {
    if (!isNetwork(proxy)) report(`"${proxy}" is not an address or network such as 10.0.0.0/8`);
  }
  return proxies;
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

/** Tests may empty no stored ledger, and other hosts may empty none unless that is configured. */
function readTestApi(api: string, { report, values }: Reading): TestApi {
  if (api === 'off') return 'off';
  if (values['DATABASE_URL'] !== IN_MEMORY.url) {
    report(`can erase the database, so it requires one in memory (DATABASE_URL=${IN_MEMORY.url})`);
  }
  const host = String(values['HOST']);
  if (api === 'on' && !isLoopback(host)) {
    report(
      `anyone who reaches ${host || 'the server'} could erase its data; listen on loopback ` +
        '(HOST=127.0.0.1), or confirm it (LEDGERLENS_TEST_API=on-any-address)',
    );
  }
  if (values['STATUS_PORT'] !== '') report('cannot be used together with STATUS_PORT');
  return api as TestApi;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
