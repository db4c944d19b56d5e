import type { Site } from '../pages/site/site-page.ts';
import {
  count,
  file,
  flag,
  formed,
  oneOf,
  orNull,
  plainAddress,
  type Reading,
  text,
  texts,
  unlessZero,
  type ValuesOf,
} from '../settings/setting.ts';
import type { ConsensusTimestamp } from '../values/consensus-timestamp.ts';
import { parseUtcInstant } from '../values/utc-instant.ts';
import type { DecodeRows } from './contracts/decode-rows.ts';
import type { NumRange } from './network/network-service.ts';
import { DEFAULT_FILE_ATTEMPTS } from './network/system-file.ts';
import type { SourceStates } from './pages/parts/source-state.ts';
import { type PublicNetwork, publicNetwork } from './public-networks.ts';

const SECONDS_PER_DAY = 86_400;
const DEFAULT_CHAIN_ID = 0x128n;

/** What operators choose of area C. @see contracts/mirror-transactions.md section 11 */
export const MIRROR_SETTINGS = {
  dialect: oneOf('MIRROR_DIALECT', ['spec', 'hiero'], 'spec').describe(
    'Form of some members of the mirror API: as specified, or as on the public Hiero networks (web explorers need `hiero`).',
  ),
  shard: count('MIRROR_SHARD', 0, [0, 1023], BigInt).describe(
    'Shard of the network, for ids given without one and for system files.',
  ),
  realm: count('MIRROR_REALM', 0, [0, 65_535], BigInt).describe('Realm of the network, likewise.'),
  importPaths: texts('MIRROR_IMPORT').describe(
    'Files and folders of ledger streams, and NDJSON fixtures, separated by commas, that the server imports after startup.',
  ),
  isReadyAfterImport: formed(
    'MIRROR_READY',
    { default: 'after-import', enum: ['after-import', 'at-once'] },
    (given) => given === 'after-import',
  ).describe(
    'When `/health/readiness` answers 200: after MIRROR_IMPORT was imported or rejected, or as soon as the server is up. Until then it returns 503 with the progress.',
  ),
  watchPaths: texts('MIRROR_WATCH').describe(
    'Folders into which a network or an uploader writes ledger streams, separated by commas: the server imports units as they arrive.',
  ),
  network: oneOf('MIRROR_NETWORK', ['none', 'mainnet', 'testnet', 'previewnet', 'demo'], 'none').describe(
    'Public network to follow: sets its buckets, its block nodes and the requirements for its block proofs; each can be overridden, or disabled with `off`.',
  ),
  bucket: text('MIRROR_BUCKET').describe(
    'Bucket of record files to follow, such as `s3://name`, `s3://name/prefix` or `gs://name`; empty: that of MIRROR_NETWORK, if any; `off`: none.',
  ),
  blockBucket: text('MIRROR_BLOCK_BUCKET').describe('Bucket of block files to follow, likewise.'),
  bucketEndpoint: plainAddress('MIRROR_BUCKET_ENDPOINT').describe(
    'Address of an S3-compatible store, such as `http://127.0.0.1:9000`; empty: that of the provider. Credentials come from the usual places (`AWS_ACCESS_KEY_ID`, profile, web identity, instance role).',
  ),
  bucketRegion: formed(
    'MIRROR_BUCKET_REGION',
    { pattern: '^[a-z0-9-]*$', 'x-form': 'a region such as us-east-1' },
    orNull,
  ).describe(
    'Region of the buckets; empty: `AWS_REGION`, else `us-east-1`, and from there the one that the bucket names.',
  ),
  bucketAccess: oneOf('MIRROR_BUCKET_ACCESS', ['auto', 'requester-pays', 'anonymous'], 'auto').describe(
    'How buckets are read: `requester-pays`, `anonymous` (without credentials), or `auto`: as the network requires, else with your credentials.',
  ),
  blockNodes: text('MIRROR_BLOCK_NODES').describe(
    'Block nodes to follow, separated by commas, in order of preference: `host`, `host:port`, `https://host:port`, or `40982@host:40980` where the status has a port of its own; empty: those of MIRROR_NETWORK, if any; `off`: none.',
  ),
  blockNodeDiscovery: oneOf('MIRROR_BLOCK_NODE_DISCOVERY', ['public', 'any', 'off'], 'public').describe(
    'Which block nodes registered on the ledger are used when none of MIRROR_BLOCK_NODES is available: those with public addresses, any, or none.',
  ),
  followed: plainAddress('MIRROR_FOLLOW').describe(
    'Another mirror to follow, such as `https://mirror.example.org`; its data is accepted without proof.',
  ),
  watchPeriodMs: count('MIRROR_WATCH_MS', 1000, [50, 3_600_000]).describe(
    'Polling interval in milliseconds for watched folders and other sources that do not push.',
  ),
  start: formed('MIRROR_START', {}, readStart).describe(
    'Where an empty ledger begins: `genesis`, `now`, or the start of the first unit, such as `2024-01-31T00:00:00Z`; empty: `now` with MIRROR_NETWORK, else `genesis`.',
  ),
  firstBlock: formed(
    'MIRROR_FIRST_BLOCK',
    { pattern: '^(-1|\\d{1,18})?$', 'x-form': 'a block number, or -1' },
    readFirstBlock,
  ).describe(
    'First block of an empty ledger that follows block nodes; -1: the first that the chosen node has; empty: by MIRROR_START.',
  ),
  end: formed('MIRROR_END', {}, readEnd).describe('Units that start later are skipped; empty: no limit.'),
  keepDays: count('MIRROR_KEEP_DAYS', 0, [0, 100_000], unlessZero).describe(
    'Days of transactions to keep, counted back from the newest unit; 0 keeps all.',
  ),
  addressBook: file('MIRROR_ADDRESS_BOOK').describe(
    'Trusted address book file, used while the ledger has none.',
  ),
  verify: oneOf('MIRROR_VERIFY', ['signatures', 'strict', 'chain', 'none'], 'signatures').describe(
    'Proof required of an imported stream: node signatures, hashes and chain only, or none.',
  ),
  consensusRatio: formed(
    'MIRROR_CONSENSUS_RATIO',
    {
      default: '1/3',
      pattern: '^(0|1|0?\\.\\d{1,18}|\\d{1,6}/[1-9]\\d{0,5})$',
      'x-form': 'a fraction such as 1/3 or 0.5, from 0 to 1',
    },
    readRatio,
  ).describe('Share of the nodes (by stake when known) that must have signed; 0: one signature.'),
  ledgerId: formed(
    'MIRROR_LEDGER_ID',
    { pattern: '^((0x)?([0-9a-fA-F]{64}|[0-9a-fA-F]{128}))?$', 'x-form': '64 or 128 hexadecimal digits' },
    (given) => orNull(given.replace(/^0x/, '').toLowerCase()),
  ).describe(
    'Ledger id that block proofs must lead to, 64 or 128 hexadecimal digits; empty: the one published in signed record files. Without either, blocks reach `chain` at most.',
  ),
  proofGeneration: count('MIRROR_PROOF_GENERATION', 2, [1, 2], readProofGeneration).describe(
    'Minimum generation of block proofs for the level `signatures`; generation 1 does not bind the weight of the signers.',
  ),
  proofEvery: count('MIRROR_PROOF_EVERY', 1, [1, 1000]).describe(
    'Number of blocks per checked proof while catching up; the hash chain covers the blocks in between.',
  ),
  transactionBytes: flag('MIRROR_TRANSACTION_BYTES', 'off').describe(
    'Whether imported transactions include `bytes`.',
  ),
  balanceSnapshots: oneOf('MIRROR_BALANCE_SNAPSHOTS', ['off', 'changed', 'full'], 'changed').describe(
    'Balances stored every 15 minutes for requests with a time: none (`off`; supply at a time is then unknown too), changed ones, plus all at the start of each half-year up to 100 000 accounts, or in any ledger (`full`).',
  ),
  earliestValue: flag('MIRROR_EARLIEST_VALUE', 'on').describe(
    'Whether supply, exchange rate and gas price before the first known value return that value instead of 404; without any, the gas price is that of the schedule for fee estimates.',
  ),
  limitDefault: count('MIRROR_LIMIT_DEFAULT', 25, [1, 100], readLimitDefault).describe(
    'Page size of lists when `limit` is not given.',
  ),
  limitMax: count('MIRROR_LIMIT_MAX', 100, [1, 100]).describe('Maximum page size of lists.'),
  tokensOfAccount: count('MIRROR_TOKENS_OF_ACCOUNT', 1000, [1, 10_000]).describe(
    'Maximum number of token balances in the response for one account.',
  ),
  tokensInLists: count('MIRROR_TOKENS_IN_LISTS', 50, [1, 1000]).describe(
    'Maximum number of token balances per account in lists of accounts and balances.',
  ),
  bindsTimestampRange: flag('MIRROR_BIND_TIMESTAMP_RANGE', 'off').describe(
    'Whether a transaction list covers a limited time range per request, as on the public networks.',
  ),
  maxTransactionRangeSeconds: count(
    'MIRROR_MAX_TRANSACTIONS_TIMESTAMP_RANGE_DAYS',
    60,
    [1, 36_500],
    (days, { values }) => (values['MIRROR_BIND_TIMESTAMP_RANGE'] === 'on' ? days * SECONDS_PER_DAY : null),
  ).describe('Length of that time range in days.'),
  maxRepeatedParameters: count('MIRROR_MAX_REPEATED_QUERY_PARAMETERS', 100, [1, 1000]).describe(
    'Maximum number of values of one query parameter.',
  ),
  includesHostInLinks: flag('MIRROR_INCLUDE_HOST_IN_LINK', 'off').describe(
    'Whether `links.next` begins with PUBLIC_URL; most clients expect only a path.',
  ),
  chainId: formed(
    'MIRROR_CHAIN_ID',
    { pattern: '^(0x[0-9A-Fa-f]{1,16}|[0-9]{1,19})?$', 'x-form': 'a number such as 296 or 0x128' },
    readChainId,
  ).describe(
    'EVM chain id of the ledger, reported in contract results; empty: that of MIRROR_NETWORK, else 0x128.',
  ),
  showsSyntheticResults: flag('MIRROR_SYNTHETIC_RESULTS', 'on').describe(
    'Whether token events without a contract call are listed as contract results too.',
  ),
  maxFileAttempts: count('MIRROR_MAX_FILE_ATTEMPTS', DEFAULT_FILE_ATTEMPTS, [1, 1000]).describe(
    'Versions of a broken system file to try before 404.',
  ),
  unreleasedAccounts: formed(
    'MIRROR_UNRELEASED_ACCOUNTS',
    {
      default: '2,42,44-71,73-87,99-100,200-349,400-750',
      pattern: '^\\d{1,10}(-\\d{1,10})?(,\\d{1,10}(-\\d{1,10})?)*$',
      'x-form': 'numbers and ranges such as 2,42,44-71',
    },
    readRanges,
  ).describe('Numbers of the accounts whose balances are not released supply: numbers and ranges.'),
  currencyFormat: oneOf('MIRROR_CURRENCY_FORMAT', ['BOTH', 'HBARS', 'TINYBARS'], 'BOTH').describe(
    'Form of the plain-text supply answers.',
  ),
  feeScheduleFile: file('MIRROR_FEE_SCHEDULE_FILE').describe(
    'Simple fee schedule (JSON or protobuf) used instead of the bundled one.',
  ),
  // 136 KiB, enough for a jumbo Ethereum transaction.
  feeBodyLimit: count('MIRROR_FEE_BODY_LIMIT', 139_264, [1024, 16_777_216]).describe(
    'Maximum body size of a fee estimate, in bytes.',
  ),
};

export type MirrorSettings = ValuesOf<typeof MIRROR_SETTINGS>;

/** Those settings, and what other parts of the server offer. */
export interface MirrorOptions extends MirrorSettings {
  /** What stands before the path of links, such as `https://mirror.example`. Default none. */
  readonly linkBase?: string;
  /** Where pages lie. Default: at the root. */
  readonly site?: Site;
  /** Address of the server in requests that pages show; null: the one that each client asks. Default null. */
  readonly publicUrl?: string | null;
  /** What is known of the source of a contract, for links on pages. Default: there is no chain for it. */
  readonly sourceStates?: SourceStates;
  /** What verified contracts tell of calls and logs. Default: nothing. */
  readonly decode?: DecodeRows;
}

function networkOf({ values }: Reading): PublicNetwork | null {
  return publicNetwork(String(values['MIRROR_NETWORK']));
}

/** Null for the beginning of the ledger. */
function readStart(given: string, reading: Reading): ConsensusTimestamp | 'now' | null {
  const chosen = given === '' ? networkOf(reading)?.start : given;
  if (chosen === 'now') return chosen;
  const start = parseUtcInstant(chosen ?? '');
  const end = parseUtcInstant(String(reading.values['MIRROR_END']));
  if (start === null && given !== '' && given !== 'genesis') {
    reading.report(`"${given}" is not genesis, now or an instant such as 2024-01-31T00:00:00Z`);
  }
  if (start !== null && end !== null && start > end) reading.report('must not be after MIRROR_END');
  return start;
}

/** Null: by where the ledger begins; -1: the first that the chosen node has. */
function readFirstBlock(given: string, { report, values }: Reading): bigint | null {
  if (given === '') return null;
  if (values['MIRROR_START'] !== '') {
    report('MIRROR_START also says where an empty ledger begins; unset one of them');
  }
  return BigInt(given);
}

function readEnd(given: string, { report }: Reading): ConsensusTimestamp | null {
  const end = parseUtcInstant(given);
  if (end === null && given !== '') report(`"${given}" is not an instant such as 2024-01-31T00:00:00Z`);
  return end;
}

/** Numerator and denominator of `1/3`, `0.4`, `.4`, `0` and `1`. */
function readRatio(value: string, { report }: Reading): readonly [bigint, bigint] {
  const [dividend = '0', divisor] = value.split('/');
  const [whole = '0', fraction = ''] = value.split('.');
  const [numerator, denominator] =
    divisor === undefined
      ? [BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length)]
      : [BigInt(dividend), BigInt(divisor)];
  if (numerator > denominator) report('must not be above 1');
  return [numerator, denominator];
}

/** Least generation of a proof that is not refused, and whether one of generation 1 gives the level `signatures`. */
function readProofGeneration(
  given: number,
  reading: Reading,
): { readonly leastGeneration: 1 | 2; readonly allowsGeneration1: boolean } {
  const allowsGeneration1 = given === 1;
  const ofNetwork = networkOf(reading)?.leastGeneration ?? 1;
  return { leastGeneration: allowsGeneration1 ? 1 : ofNetwork, allowsGeneration1 };
}

function readLimitDefault(limit: number, { report, values }: Reading): number {
  if (limit > Number(values['MIRROR_LIMIT_MAX'])) report('must not be above MIRROR_LIMIT_MAX');
  return limit;
}

function readChainId(given: string, reading: Reading): bigint {
  return given === '' ? (networkOf(reading)?.chainId ?? DEFAULT_CHAIN_ID) : BigInt(given);
}

/** `2,44-71`, ends inclusive. */
function readRanges(text: string, { report }: Reading): readonly NumRange[] {
  return text.split(',').map((range) => {
    const [first = '', last = first] = range.split('-');
    if (Number(first) > Number(last)) report(`${first}-${last} ends before it begins`);
    return [Number(first), Number(last)];
  });
}
