import { type ConsensusTimestamp, printTimestamp } from '../../../values/consensus-timestamp.ts';
import { encodeEntityId } from '../../../values/entity-id.ts';
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
import type { BalanceStatement, StakeUpdate, TokenBalanceStatement } from '../../ledger/rows.ts';
import { messages } from '../../protobuf/messages.ts';
import { SYSTEM_FILE } from '../../vocabulary/system-files.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import {
  type FixtureNode,
  fixtureBooks,
  readNode,
  readStake,
  withNodeStakes,
} from '../fixture/fixture-network.ts';
import type { Peer } from './peer.ts';
import { pagesOf } from './peer-lists.ts';

/** Nodes, their book and their stakes. */
export interface ReadNodes {
  readonly rows: FixtureRows;
  /** Null when the peer knows none. */
  readonly stake: StakeUpdate | null;
}

/** A bound for answers that link on and on. */
const MAX_PAGES = 40;
/** The accounts with the lowest numbers: those that decide the supply, and all of a small network. */
const BALANCE_PAGES = 20;

/** Reads `network/nodes` and `network/stake`. @throws FixtureFault when they do not fit together. */
export async function readNodes(peer: Peer, home: FixtureHome, signal: AbortSignal): Promise<ReadNodes> {
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
export async function readToldRates(
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
export async function readToldPrices(
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
export async function readStatements(
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
