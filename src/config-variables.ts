import { type Static, type TSchema, Type } from '@sinclair/typebox';
import { DEFAULT_FILE_ATTEMPTS } from './mirror/network/system-file.ts';

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
 * `docs/configuration.md` is printed from this by `npm run openapi`.
 */
export const VARIABLES = Type.Object({
  HOST: text('Address to listen on; the container image sets 0.0.0.0.', '127.0.0.1'),
  PORT: Type.String({
    default: '8080',
    pattern: '^\\d{1,5}(,\\d{1,5})*$',
    'x-form': 'a port such as 8080, or several separated by commas',
    description:
      'Port, or several separated by commas (`8080,5551,8084`: ledger SDKs use fixed ports on localhost); 0: any free port, shown in the log and all links.',
  }),
  PUBLIC_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ? and #',
    description: 'Address under which clients reach the server; empty: http://HOST:PORT.',
  }),
  TRUST_PROXY: text(
    '`off`, the number of proxies in front, or their addresses or networks separated by commas.',
    'off',
  ),
  REQUESTS_PER_SECOND: count(
    0,
    0,
    1_000_000,
    'Requests per second of one client (an IPv4 address, or an IPv6 network of 64 bits) after a burst of 40; further requests get 429. 0: no limit. Health checks are not counted.',
  ),
  KEEP_ALIVE_SECONDS: count(
    75,
    1,
    3600,
    'Idle time of a connection; keep it above that of the load balancer (most use 60).',
  ),
  BODY_MEMORY_MB: count(
    128,
    48,
    65_536,
    'Memory for request bodies, in MiB; when it is used up, requests get 503. A quarter is reserved for bodies below 1 MiB.',
  ),
  DRAIN_SECONDS: count(
    0,
    0,
    300,
    'After a stop signal, how long readiness answers 503 while requests are still served; a server without a connection so far stops at once; the image sets 5.',
  ),
  SHUTDOWN_SECONDS: count(
    30,
    1,
    600,
    'After draining, how long running requests and jobs may take to finish before the process exits.',
  ),
  LOG_LEVEL: oneOf(
    ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'],
    'info',
    'Minimum level of log lines; requests are logged at debug.',
  ),
  LEDGERLENS_TEST_API: oneOf(
    ['off', 'on', 'on-any-address'],
    'off',
    'Serves `POST /_test/fixtures`, `/_test/reset` and `/_test/clock`, with which tests load, reset and advance the server; requires `DATABASE_URL=sqlite::memory:`. `on` refuses to start unless HOST is loopback, `on-any-address` listens anywhere.',
  ),
  LOG_FORMAT: oneOf(
    ['auto', 'json', 'pretty'],
    'auto',
    'Form of log lines: one JSON object each, or human-readable text; `auto` uses text on a terminal.',
  ),
  GIT_COMMIT: text('Commit of the build, shown by `GET /version`.', 'unknown'),
  DATABASE_URL: text(
    '`sqlite:` and the path of the database file, `sqlite::memory:` for one that lasts as long as the process, or `postgres://user:password@host/database` for one that several servers share, with libpq parameters for TLS, such as `sslmode`.',
    'sqlite:data/ledgerlens.sqlite',
  ),

  VERIFY_CHAINS: text(
    'JSON object of chains by decimal id, for example `{"31337":{"name":"anvil","rpc":["http://127.0.0.1:8545"]}}`; `VERIFY_CHAINS_FILE` names a file with the same content.',
    '{}',
  ),
  VERIFY_COMPILER_DIR: text(
    'Read-only folder with more compilers under their release names and a checksum list.',
  ),
  VERIFY_COMPILER_CACHE_DIR: text(
    'Folder for fetched and added compilers and for private copies of executables; empty: `compilers` beside the database.',
  ),
  VERIFY_COMPILER_LIST_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#@]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ?, # and credentials',
    description:
      'Release list from which jobs download missing compilers, for example `https://binaries.soliditylang.org`; empty: none.',
  }),
  VERIFY_COMPILER_REGISTRY: onOff(
    'off',
    'Whether jobs download missing compilers from the registry configured for the npm client.',
  ),
  VERIFY_WORKERS: count(
    0,
    0,
    64,
    'Number of compiler workers; 0: one less than the number of cores, at least two. For each worker a server takes up to four verifications from the queue, up to three of them for the same chain.',
  ),
  // Clients give up after minutes, and each poll of a waiting job counts those before it.
  VERIFY_QUEUE_LIMIT: count(1000, 1, 10_000, 'Maximum number of waiting jobs; further submissions get 503.'),
  VERIFY_QUEUE_MB: count(
    512,
    32,
    1_048_576,
    'Maximum total input of waiting jobs, in MiB; further submissions get 503.',
  ),
  VERIFY_KEEP_BYTECODES_DAYS: count(
    90,
    0,
    36_500,
    'How long bytecodes of failed jobs are kept; 0: forever. Job records are never deleted.',
  ),
  VERIFY_JOB_SECONDS: count(
    100,
    1,
    3600,
    'CPU time that all compilations of one job may use in total; the wall-clock limit of each is five times as long.',
  ),
  VERIFY_FIRST_POLL_MS: count(
    10_000,
    0,
    30_000,
    'How long the first status request of a running job is held open, so that quick jobs return their result at once.',
  ),
  VERIFY_UI_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ? and #',
    description:
      'Where `/verify-ui/…` redirects to, with the rest of the path appended; empty: browsers get the pages of this server, programs the job.',
  }),
  VERIFY_REPO_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ? and #',
    description:
      'Where `/repo-ui/…` redirects to, with the rest of the path appended; empty: browsers get the pages of this server, programs the record.',
  }),
  VERIFY_VERSION_1: onOff(
    'on',
    'Whether version 1 of the verification API is served, which Hardhat 2, hardhat-deploy and Remix use; otherwise its endpoints return 410.',
  ),
  VERIFY_COMPILER_MEMORY_MB: count(
    1536,
    256,
    65_536,
    'Memory limit of one compiler, in MiB; a compiler that exceeds it is stopped.',
  ),
  VERIFY_PRELOAD: text(
    'Versions of solc to load at startup and keep loaded, separated by commas, for example `0.8.30`; at most as many as workers.',
  ),
  VERIFY_OUTPUT_CACHE_MB: count(
    256,
    0,
    1_048_576,
    'Disk space for cached compiler outputs, in MiB, so that the same input is not compiled again; 0: no cache.',
  ),
  VERIFY_OUTPUT_CACHE_DIR: text(
    'Folder of this cache, which may be deleted at any time; empty: `compiler-outputs` beside the database file, or up to 32 MiB in memory when that is in memory.',
  ),
  VERIFY_CREATION_SEARCH_SECONDS: count(
    10,
    0,
    600,
    'How long a verification may be delayed by the search for a creation transaction that was not specified; 0: no search.',
  ),
  VERIFY_IPFS_GATEWAY: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#@]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ?, # and credentials',
    description:
      'URL before the CID, such as `https://gateway.example/ipfs/`, used to fetch sources that the metadata names but the submission lacks (files on GitHub come from its raw host), and the settings to compare a mismatch with; empty: nothing is fetched.',
  }),
  VERIFY_RPC_TIMEOUT_SECONDS: count(
    10,
    1,
    600,
    'Timeout of one call to a chain, unless its endpoint sets `timeoutMs`.',
  ),

  STATUS_PORT: Type.String({
    default: '',
    pattern: '^\\d{0,5}$',
    'x-form': 'a port such as 8001',
    description: 'Separate port for the status page and its API; empty: only the shared one.',
  }),
  STATUS_URL: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ? and #',
    description: 'Public address of the status page (`page.url`); empty: PUBLIC_URL and `/status`.',
  }),
  STATUS_PAGE_NAME: Type.String({
    default: 'Ledgerlens',
    minLength: 1,
    maxLength: 255,
    'x-form': 'a name of up to 255 characters',
    description: 'Name of the status page, set when the page is first created.',
  }),
  STATUS_TIME_ZONE: text('IANA zone of the status page, set when the page is first created.', 'Etc/UTC'),
  STATUS_PAGE_ID: Type.String({
    default: '',
    pattern: '^([0-9b-df-hj-np-tv-z]{12})?$',
    'x-form': 'twelve digits or lower-case consonants',
    description: 'Id of the status page, set when the page is first created; empty: random.',
  }),
  STATUS_TOKENS: text(
    'Who may use the management API: `name:scope:hash` with scope `read` or `write`, separated by commas or line breaks, as `ledgerlens status token` prints them; `STATUS_TOKENS_FILE` names a file with the same content. Empty: no one.',
  ),
  STATUS_TOKEN_IN_QUERY: onOff(
    'on',
    'Whether the management API also accepts a token as `?api_key=`; the server never logs it, but proxies may.',
  ),
  STATUS_WEBHOOK_PRIVATE: onOff(
    'off',
    'Whether subscribers of the status page may have loopback, private and link-local addresses: for tests and private networks.',
  ),
  STATUS_LOGO_FILE: text(
    'An SVG, PNG or WebP image of at most 512 KiB shown before the name of the status page; empty: none.',
  ),
  STATUS_ACCENT: Type.String({
    default: '',
    pattern: '^(#[0-9a-fA-F]{6})?$',
    'x-form': 'a colour such as #7b2cbf',
    description:
      'Colour of links and focus on the status page, such as `#7b2cbf`; adjusted where contrast would be too low; empty: the default blue.',
  }),
  STATUS_FRAME_ANCESTORS: Type.String({
    default: '',
    pattern: '^(\\*|https?://[a-z0-9.*-]+(:\\d{1,5})?([ ,]+https?://[a-z0-9.*-]+(:\\d{1,5})?)*)?$',
    'x-form': '* or origins such as https://www.example.org, separated by commas',
    description:
      'Origins whose pages may show `/status/embed` in a frame, separated by commas, such as `https://www.example.org`; `*`: all; empty: none.',
  }),
  STATUS_SMTP_URL: Type.String({
    default: '',
    pattern: '^(smtps?://\\S+)?$',
    'x-form': 'an address such as smtp://mail.example.org:587',
    description:
      'Mail server for subscribers of mode `email`, such as `smtp://user:password@mail.example.org:587`; empty: no mail. Needs the optional package nodemailer and STATUS_MAIL_FROM.',
  }),
  STATUS_MAIL_FROM: Type.String({
    default: '',
    pattern: '^([^\\r\\n<>@]*<[^\\s<>@]+@[^\\s<>@]+>|[^\\s<>@]+@[^\\s<>@]+)?$',
    'x-form': 'a sender such as Status <status@example.org>',
    description: 'Sender of mails, such as `Status <status@example.org>`.',
  }),
  STATUS_UPDATE_TEXTS: text(
    'JSON object of default texts for updates without one, by status (and `reminder`), for example `{"resolved":"This incident has been resolved."}`; the others keep their defaults.',
    '{}',
  ),
  STATUS_PROBES_OFF: Type.String({
    default: '',
    pattern: '^([a-z0-9:-]+(,[a-z0-9:-]+)*)?$',
    'x-form': 'names of parts, separated by commas, such as database,chain:1',
    description:
      'Parts of the server that the status page does not measure, separated by commas: `verification-api`, `verification-queue`, `compilers`, `mirror-api`, `mirror-freshness`, `upstream-records`, `fee-estimation`, `database`, `chain:ID`, or `all`.',
  }),
  STATUS_PROBES: text(
    'JSON object of external services that the status page monitors, by component name, for example `{"Docs":{"http":{"url":"https://docs.example.org"}}}`; members: docs/status-page.md. `STATUS_PROBES_FILE` names a file with the same content.',
    '{}',
  ),
  STATUS_THRESHOLDS: text(
    'JSON object of limits for what the status page measures, for example `{"disk":{"degraded_performance":95}}`; names, units and defaults: `src/status/monitor/thresholds.ts`.',
    '{}',
  ),
  STATUS_AUTO_INCIDENT: oneOf(
    ['off', 'on', '0', '1'],
    'off',
    'Whether a monitored component that is down for two minutes gets an incident, resolved after five minutes of operation; incidents edited by hand are not resolved automatically.',
  ),
  STATUS_MIRROR_NAME: Type.String({
    default: '',
    maxLength: 200,
    'x-form': 'a text of up to 200 characters',
    description:
      'Name of the component of the mirror API, with `{network}` (STATUS_NETWORK), `{version}` (of the newest ledger unit) and `{name}` (the usual one), for example `Hedera {network} (v{version}) | Network Uptime`; empty: the name stored in the page.',
  }),
  STATUS_NETWORK: Type.String({
    default: '',
    maxLength: 50,
    'x-form': 'a text of up to 50 characters',
    description: 'Name of the network for STATUS_MIRROR_NAME, for example `Testnet`.',
  }),
  STATUS_RECORD_DOWNTIME: onOff(
    'on',
    'Whether the time since a server last ran, if over a minute, is recorded at startup as an outage of the monitored components.',
  ),
  STATUS_BUILTIN_COMPONENTS: onOff(
    'on',
    'Whether parts of this server get a component when a version that supports them first starts.',
  ),

  MIRROR_DIALECT: oneOf(
    ['spec', 'hiero'],
    'spec',
    'Form of some members of the mirror API: as specified, or as on the public Hiero networks (web explorers need `hiero`).',
  ),
  MIRROR_SHARD: count(0, 0, 1023, 'Shard of the network, for ids given without one and for system files.'),
  MIRROR_REALM: count(0, 0, 65_535, 'Realm of the network, likewise.'),
  MIRROR_IMPORT: text(
    'Files and folders of ledger streams, and NDJSON fixtures, separated by commas, that the server imports after startup.',
  ),
  MIRROR_READY: oneOf(
    ['after-import', 'at-once'],
    'after-import',
    'When `/health/readiness` answers 200: after MIRROR_IMPORT was imported or rejected, or as soon as the server is up. Until then it returns 503 with the progress.',
  ),
  MIRROR_WATCH: text(
    'Folders into which a network or an uploader writes ledger streams, separated by commas: the server imports units as they arrive.',
  ),
  MIRROR_NETWORK: oneOf(
    ['none', 'mainnet', 'testnet', 'previewnet', 'demo'],
    'none',
    'Public network to follow: sets its buckets, its block nodes and the requirements for its block proofs; each can be overridden, or disabled with `off`.',
  ),
  MIRROR_BUCKET: text(
    'Bucket of record files to follow, such as `s3://name`, `s3://name/prefix` or `gs://name`; empty: that of MIRROR_NETWORK, if any; `off`: none.',
  ),
  MIRROR_BLOCK_BUCKET: text('Bucket of block files to follow, likewise.'),
  MIRROR_BUCKET_ENDPOINT: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#@]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ?, # and credentials',
    description:
      'Address of an S3-compatible store, such as `http://127.0.0.1:9000`; empty: that of the provider. Credentials come from the usual places (`AWS_ACCESS_KEY_ID`, profile, web identity, instance role).',
  }),
  MIRROR_BUCKET_REGION: Type.String({
    default: '',
    pattern: '^[a-z0-9-]*$',
    'x-form': 'a region such as us-east-1',
    description:
      'Region of the buckets; empty: `AWS_REGION`, else `us-east-1`, and from there the one that the bucket names.',
  }),
  MIRROR_BUCKET_ACCESS: oneOf(
    ['auto', 'requester-pays', 'anonymous'],
    'auto',
    'How buckets are read: `requester-pays`, `anonymous` (without credentials), or `auto`: as the network requires, else with your credentials.',
  ),
  MIRROR_BLOCK_NODES: text(
    'Block nodes to follow, separated by commas, in order of preference: `host`, `host:port`, `https://host:port`, or `40982@host:40980` where the status has a port of its own; empty: those of MIRROR_NETWORK, if any; `off`: none.',
  ),
  MIRROR_BLOCK_NODE_DISCOVERY: oneOf(
    ['public', 'any', 'off'],
    'public',
    'Which block nodes registered on the ledger are used when none of MIRROR_BLOCK_NODES is available: those with public addresses, any, or none.',
  ),
  MIRROR_FOLLOW: Type.String({
    default: '',
    pattern: '^(https?://[^\\s?#@]+)?$',
    'x-form': 'an address that begins with http:// or https://, without ?, # and credentials',
    description:
      'Another mirror to follow, such as `https://mirror.example.org`; its data is accepted without proof.',
  }),
  MIRROR_WATCH_MS: count(
    1000,
    50,
    3_600_000,
    'Polling interval in milliseconds for watched folders and other sources that do not push.',
  ),
  MIRROR_START: text(
    'Where an empty ledger begins: `genesis`, `now`, or the start of the first unit, such as `2024-01-31T00:00:00Z`; empty: `now` with MIRROR_NETWORK, else `genesis`.',
  ),
  MIRROR_FIRST_BLOCK: Type.String({
    default: '',
    pattern: '^(-1|\\d{1,18})?$',
    'x-form': 'a block number, or -1',
    description:
      'First block of an empty ledger that follows block nodes; -1: the first that the chosen node has; empty: by MIRROR_START.',
  }),
  MIRROR_END: text('Units that start later are skipped; empty: no limit.'),
  MIRROR_KEEP_DAYS: count(
    0,
    0,
    100_000,
    'Days of transactions to keep, counted back from the newest unit; 0 keeps all.',
  ),
  MIRROR_ADDRESS_BOOK: text('Trusted address book file, used while the ledger has none.'),
  MIRROR_VERIFY: oneOf(
    ['signatures', 'strict', 'chain', 'none'],
    'signatures',
    'Proof required of an imported stream: node signatures, hashes and chain only, or none.',
  ),
  MIRROR_CONSENSUS_RATIO: Type.String({
    default: '1/3',
    pattern: '^(0|1|0?\\.\\d{1,18}|\\d{1,6}/[1-9]\\d{0,5})$',
    'x-form': 'a fraction such as 1/3 or 0.5, from 0 to 1',
    description: 'Share of the nodes (by stake when known) that must have signed; 0: one signature.',
  }),
  MIRROR_LEDGER_ID: Type.String({
    default: '',
    pattern: '^((0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{128}))?$',
    'x-form': '64 or 128 hexadecimal digits',
    description:
      'Ledger id that block proofs must lead to, 64 or 128 hexadecimal digits; empty: the one published in signed record files. Without either, blocks reach `chain` at most.',
  }),
  MIRROR_PROOF_GENERATION: count(
    2,
    1,
    2,
    'Minimum generation of block proofs for the level `signatures`; generation 1 does not bind the weight of the signers.',
  ),
  MIRROR_PROOF_EVERY: count(
    1,
    1,
    1000,
    'Number of blocks per checked proof while catching up; the hash chain covers the blocks in between.',
  ),
  MIRROR_TRANSACTION_BYTES: onOff('off', 'Whether imported transactions include `bytes`.'),
  MIRROR_BALANCE_SNAPSHOTS: oneOf(
    ['off', 'changed', 'full'],
    'changed',
    'Balances stored every 15 minutes for requests with a time: none (`off`; supply at a time is then unknown too), changed ones, plus all at the start of each half-year up to 100 000 accounts, or in any ledger (`full`).',
  ),
  MIRROR_EARLIEST_VALUE: onOff(
    'on',
    'Whether supply, exchange rate and gas price before the first known value return that value instead of 404; without any, the gas price is that of the schedule for fee estimates.',
  ),
  MIRROR_LIMIT_DEFAULT: count(25, 1, 100, 'Page size of lists when `limit` is not given.'),
  MIRROR_LIMIT_MAX: count(100, 1, 100, 'Maximum page size of lists.'),
  MIRROR_TOKENS_OF_ACCOUNT: count(
    1000,
    1,
    10_000,
    'Maximum number of token balances in the response for one account.',
  ),
  MIRROR_TOKENS_IN_LISTS: count(
    50,
    1,
    1000,
    'Maximum number of token balances per account in lists of accounts and balances.',
  ),
  MIRROR_BIND_TIMESTAMP_RANGE: onOff(
    'off',
    'Whether a transaction list covers a limited time range per request, as on the public networks.',
  ),
  MIRROR_MAX_TRANSACTIONS_TIMESTAMP_RANGE_DAYS: count(60, 1, 36_500, 'Length of that time range in days.'),
  MIRROR_MAX_REPEATED_QUERY_PARAMETERS: count(
    100,
    1,
    1000,
    'Maximum number of values of one query parameter.',
  ),
  MIRROR_INCLUDE_HOST_IN_LINK: onOff(
    'off',
    'Whether `links.next` begins with PUBLIC_URL; most clients expect only a path.',
  ),
  MIRROR_CHAIN_ID: Type.String({
    default: '',
    pattern: '^(0x[0-9A-Fa-f]{1,16}|[0-9]{1,19})?$',
    'x-form': 'a number such as 296 or 0x128',
    description:
      'EVM chain id of the ledger, reported in contract results; empty: that of MIRROR_NETWORK, else 0x128.',
  }),
  MIRROR_SYNTHETIC_RESULTS: onOff(
    'on',
    'Whether token events without a contract call are listed as contract results too.',
  ),
  MIRROR_MAX_FILE_ATTEMPTS: count(
    DEFAULT_FILE_ATTEMPTS,
    1,
    1000,
    'Versions of a broken system file to try before 404.',
  ),
  MIRROR_UNRELEASED_ACCOUNTS: Type.String({
    default: '2,42,44-71,73-87,99-100,200-349,400-750',
    pattern: '^\\d{1,10}(-\\d{1,10})?(,\\d{1,10}(-\\d{1,10})?)*$',
    'x-form': 'numbers and ranges such as 2,42,44-71',
    description: 'Numbers of the accounts whose balances are not released supply: numbers and ranges.',
  }),
  MIRROR_CURRENCY_FORMAT: oneOf(
    ['BOTH', 'HBARS', 'TINYBARS'],
    'BOTH',
    'Form of the plain-text supply answers.',
  ),
  MIRROR_FEE_SCHEDULE_FILE: text('Simple fee schedule (JSON or protobuf) used instead of the bundled one.'),
  // 136 KiB, enough for a jumbo Ethereum transaction.
  MIRROR_FEE_BODY_LIMIT: count(139_264, 1024, 16_777_216, 'Maximum body size of a fee estimate, in bytes.'),
});

/** The values of all variables, as the table describes them. */
export type Variables = Static<typeof VARIABLES>;
