import type { Clock } from '../../../values/clock.ts';
import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { decodeEntityId, encodeEntityId } from '../../../values/entity-id.ts';
import {
  FixtureFault,
  type FixtureHome,
  type FixtureObject,
  idIn,
  integer,
  object,
  objects,
  required,
  text,
  time,
} from '../../items/fixture-members.ts';
import type { FixtureRows } from '../../ledger/fixture-unit.ts';
import type {
  BalanceStatement,
  LedgerTransaction,
  StakeUpdate,
  TokenBalanceStatement,
} from '../../ledger/rows.ts';
import { messages } from '../../protobuf/messages.ts';
import { isSuccess } from '../../vocabulary/response-codes.ts';
import { ADDRESS_BOOK_FILES, SYSTEM_FILE } from '../../vocabulary/system-files.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { IngestError } from '../errors.ts';
import {
  type FixtureNode,
  fixtureBooks,
  readNode,
  readStake,
  withNodeStakes,
} from '../fixture/fixture-rows.ts';
import { beginsLedger, type Peer, type PeerBlock } from './peer.ts';
import { pagesOf } from './peer-lists.ts';

interface NetworkStateParts {
  readonly peer: Peer;
  readonly home: FixtureHome;
  readonly clock: Clock;
}

type Subject = 'nodes' | 'rates' | 'prices' | 'balances';

const NEVER = Number.POSITIVE_INFINITY;
/** Caches before public mirrors are a minute old. */
const REFRESH_MS = 60_000;
const NODE_TYPES: ReadonlySet<number> = new Set([
  TYPE.NODECREATE,
  TYPE.NODEUPDATE,
  TYPE.NODEDELETE,
  TYPE.NODESTAKEUPDATE,
]);
const SCHEDULES: ReadonlySet<bigint> = new Set([SYSTEM_FILE.FEE_SCHEDULE, SYSTEM_FILE.SIMPLE_FEE_SCHEDULE]);
const FILE_TYPES: ReadonlySet<number> = new Set([TYPE.FILECREATE, TYPE.FILEUPDATE, TYPE.FILEAPPEND]);

/**
 * Rows carry the times that the peer tells, so that it does not matter when they are read. Balances alone wait for the
 * block of their time, since the transfers after it move them. What cannot be read stops no transactions.
 */
export function createNetworkState({ clock, home, peer }: NetworkStateParts) {
  // A ledger that has begun knows balances by itself, and perhaps from a source that proved them.
  const askAtMs: Record<Subject, number> = { nodes: 0, rates: 0, prices: 0, balances: NEVER };
  const failures = new Map<Subject, string>();
  const told = new Map<Subject, string>();
  let start: ConsensusTimestamp | null = null;
  let statements: readonly (BalanceStatement | TokenBalanceStatement)[] = [];

  /** Empty when it is not due, could not be read, or is the same as before. */
  const ask = async (
    subject: Subject,
    isChanged: boolean,
    read: () => Promise<FixtureRows | null>,
  ): Promise<FixtureRows> => {
    if (!isChanged && clock.now() < askAtMs[subject]) return {};
    askAtMs[subject] = clock.now() + REFRESH_MS;
    try {
      const rows = (await read()) ?? {};
      failures.delete(subject);
      const text = JSON.stringify(rows, withoutAsking);
      if (told.get(subject) === text) return {};
      told.set(subject, text);
      return rows;
    } catch (error) {
      if (!(error instanceof IngestError || error instanceof FixtureFault)) throw error;
      failures.set(subject, `${subject} could not be read: ${error.message}`);
      return {};
    }
  };
  /** Those of the statements whose time the ledger reaches with this block. */
  const due = (to: ConsensusTimestamp): FixtureRows => {
    const reached = statements.filter(({ timestamp }) => timestamp <= to);
    if (reached.length > 0) statements = statements.filter(({ timestamp }) => timestamp > to);
    const tokenBalances = reached.filter((each) => 'token' in each);
    return { balances: reached.filter((each) => !('token' in each)), tokenBalances };
  };

  return {
    /** Rows to store with the block: read when its transactions changed the network, and now and then. */
    async rowsAt(
      block: PeerBlock,
      transactions: readonly LedgerTransaction[],
      signal: AbortSignal,
    ): Promise<FixtureRows> {
      const { from, to } = block;
      start ??= from;
      // Known from its first block on, every balance follows from the transfers.
      if (beginsLedger(block, transactions)) askAtMs.balances = NEVER;
      const since = start;
      const changes = changedBy(transactions);
      const stakedAt = changes.stakedAt;
      const nodes = await ask('nodes', changes.nodes, async () =>
        rowsOf(await readNodes(peer, home, signal), stakedAt, to),
      );
      const rates = await ask('rates', changes.rates, async () => readToldRates(peer, home, to, signal));
      const hasOthers = changes.prices || rates.filePieces !== undefined;
      const prices = await ask('prices', hasOthers, async () => readToldPrices(peer, to, signal));
      await ask('balances', false, async () => {
        const read = await readStatements(peer, home, signal);
        // Transfers between an older statement and the first block are unknown: a later one is asked for.
        if (read.every(({ timestamp }) => timestamp >= since)) {
          statements = read;
          askAtMs.balances = NEVER;
        }
        return null;
      });
      return { ...nodes, ...rates, ...prices, ...due(to) };
    },
    /** Balances are stated from now on: the ledger begins with what follows. */
    begin(): void {
      askAtMs.balances = 0;
      start = null;
    },
    /** Why something could not be read, for people. */
    get notes(): readonly string[] {
      return [...failures.values()];
    },
  };
}

/** The same answer at another time is no change. */
function withoutAsking(name: string, value: unknown): unknown {
  if (name === 'asOf') return undefined;
  return typeof value === 'bigint' ? `${value}` : value;
}

/**
 * A stake update has the time of its transaction where that is known, else that of the period it begins. What is of later
 * than the block comes with a later one: until then a better source may tell it.
 */
function rowsOf(
  { rows, stake }: ReadNodes,
  stakedAt: ConsensusTimestamp | null,
  to: ConsensusTimestamp,
): FixtureRows {
  const addressBooks = (rows.addressBooks ?? [])
    .filter(({ startTimestamp }) => startTimestamp <= to + 1n)
    .map((book) => ({ ...book, isTold: true }));
  if (stake === null) return { ...rows, addressBooks };
  const isOfTransaction = stakedAt !== null && stake.stakingPeriodEnd < stakedAt;
  const consensusTimestamp = isOfTransaction ? stakedAt : stake.consensusTimestamp;
  const stakeUpdates = consensusTimestamp > to ? [] : [{ ...stake, consensusTimestamp, isTold: true }];
  return { ...rows, addressBooks, stakeUpdates };
}

function changedBy(transactions: readonly LedgerTransaction[]): {
  readonly nodes: boolean;
  readonly rates: boolean;
  readonly prices: boolean;
  readonly stakedAt: ConsensusTimestamp | null;
} {
  let [nodes, rates, prices] = [false, false, false];
  let stakedAt: ConsensusTimestamp | null = null;
  for (const { consensusTimestamp, entityId, result, type } of transactions) {
    if (!isSuccess(result)) continue;
    if (NODE_TYPES.has(type)) nodes = true;
    if (type === TYPE.NODESTAKEUPDATE) stakedAt = consensusTimestamp;
    if (entityId === null || !FILE_TYPES.has(type)) continue;
    const { num } = decodeEntityId(entityId);
    if (ADDRESS_BOOK_FILES.has(num)) nodes = true;
    if (num === SYSTEM_FILE.EXCHANGE_RATES) rates = true;
    if (SCHEDULES.has(num)) prices = true;
  }
  return { nodes, rates, prices, stakedAt };
}

/** Nodes, their book and their stakes. */
interface ReadNodes {
  readonly rows: FixtureRows;
  /** Null when the peer knows none. */
  readonly stake: StakeUpdate | null;
}

/** A bound for answers that link on and on. */
const MAX_PAGES = 40;
/** The accounts with the lowest numbers: those that decide the supply, and all of a small network. */
const BALANCE_PAGES = 20;

/** Reads `network/nodes` and `network/stake`. @throws FixtureFault when they do not fit together. */
async function readNodes(peer: Peer, home: FixtureHome, signal: AbortSignal): Promise<ReadNodes> {
  const rows: FixtureObject[] = [];
  for await (const page of pagesOf(peer, '/api/v1/network/nodes?limit=25&order=asc', MAX_PAGES, signal)) {
    rows.push(...objects(page, 'nodes'));
  }
  const nodes = rows.map((row) => readNode(row, home));
  if (new Set(nodes.map(({ bookStart }) => bookStart)).size > 1) {
    throw new FixtureFault('the nodes come from two address books');
  }
  const stake = await readNetworkStake(peer, signal);
  const periods = new Set(rows.map((row) => periodStart(row)).filter((start) => start !== null));
  if (stake !== null && [...periods].some((start) => start !== stake.consensusTimestamp)) {
    throw new FixtureFault('the stakes of the nodes are from a different period than those of the network');
  }
  const { changes, ofNodes } = {
    changes: nodes.flatMap(({ change }) => change ?? []),
    ofNodes: stakesOf(stake, nodes),
  };
  return { rows: { addressBooks: fixtureBooks(nodes), nodeChanges: changes }, stake: ofNodes };
}

function stakesOf(stake: StakeUpdate | null, nodes: readonly FixtureNode[]): StakeUpdate | null {
  return withNodeStakes(stake === null ? [] : [stake], nodes)[0] ?? null;
}

/** Dated with the begin of its period: the answer does not tell the time of the update. */
async function readNetworkStake(peer: Peer, signal: AbortSignal): Promise<StakeUpdate | null> {
  const answer = await peer.get('/api/v1/network/stake', signal);
  const start = answer === null ? null : periodStart(answer);
  return start === null ? null : readStake({ ...answer, consensus_timestamp: printTimestamp(start) });
}

function periodStart(row: FixtureObject): ConsensusTimestamp | null {
  return time(object(row, 'staking_period') ?? {}, 'from');
}

/** Reads `network/exchangerate` as of a time, as the version of file 112 that tells it. */
async function readToldRates(
  peer: Peer,
  home: FixtureHome,
  at: ConsensusTimestamp,
  signal: AbortSignal,
): Promise<FixtureRows | null> {
  const answer = await peer.get(`/api/v1/network/exchangerate?timestamp=${printTimestamp(at)}`, signal);
  const file = encodeEntityId(home.shard, home.realm, SYSTEM_FILE.EXCHANGE_RATES);
  if (answer === null || file === null) return null;
  const contents = messages.ExchangeRateSet.encode({
    currentRate: rateOf(required(answer, 'current_rate', object)),
    nextRate: rateOf(required(answer, 'next_rate', object)),
  });
  const consensusTimestamp = required(answer, 'timestamp', time);
  return { filePieces: [{ file, consensusTimestamp, transactionType: TYPE.FILEUPDATE, contents }] };
}

/** Reads `network/fees` as of a time. */
async function readToldPrices(
  peer: Peer,
  at: ConsensusTimestamp,
  signal: AbortSignal,
): Promise<FixtureRows | null> {
  const answer = await peer.get(`/api/v1/network/fees?timestamp=${printTimestamp(at)}`, signal);
  if (answer === null) return null;
  const prices = objects(answer, 'fees').map((row) => ({
    kind: required(row, 'transaction_type', text),
    gas: required(row, 'gas', integer),
  }));
  return { gasPrices: [{ asOf: at, scheduleTimestamp: required(answer, 'timestamp', time), prices }] };
}

function rateOf(row: FixtureObject) {
  return {
    hbarEquiv: Number(required(row, 'hbar_equivalent', integer)),
    centEquiv: Number(required(row, 'cent_equivalent', integer)),
    expirationTime: { seconds: required(row, 'expiration_time', integer) },
  };
}

/** Reads the first pages of `balances`; each tells the time at which it holds. */
async function readStatements(
  peer: Peer,
  home: FixtureHome,
  signal: AbortSignal,
): Promise<readonly (BalanceStatement | TokenBalanceStatement)[]> {
  const id = idIn(home);
  const statements: (BalanceStatement | TokenBalanceStatement)[] = [];
  for await (const page of pagesOf(peer, '/api/v1/balances?limit=100&order=asc', BALANCE_PAGES, signal)) {
    const timestamp = time(page, 'timestamp');
    for (const row of timestamp === null ? [] : objects(page, 'balances')) {
      const account = required(row, 'account', id);
      const balance = integer(row, 'balance');
      if (timestamp === null || balance === null) continue;
      statements.push({ account, balance, timestamp });
      for (const each of objects(row, 'tokens')) {
        const token = required(each, 'token_id', id);
        statements.push({ account, token, balance: required(each, 'balance', integer), timestamp });
      }
    }
  }
  return statements;
}
