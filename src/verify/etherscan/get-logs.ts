import { clientOf } from '../../http/client-address.ts';
import {
  compareLogs,
  type DescribedLog,
  type EvmLog,
  type LogQuery,
  type LogSource,
} from '../../values/evm-logs.ts';
import type { Hex } from '../../values/hex.ts';
import { isAddress } from '../address.ts';
import type { Chain } from '../chain/chain-registry.ts';
import { ChainUnavailableError } from '../chain/contract-code-source.ts';
import { invalidParameter, shorten } from '../errors.ts';
import { type EtherscanAnswer, type EtherscanCall, notOk, ok, TEXTS } from './etherscan-call.ts';

const MAX_OFFSET = 1000;
/** Of the original too: deeper pages are asked for by blocks. */
const MAX_WINDOW = 10_000;
const POSITIONS = [0, 1, 2, 3] as const;

/**
 * Answers `module=logs&action=getLogs`.
 *
 * @throws VerifyRequestError `invalid_parameter`
 * @see contracts/verification-api.md section 7.4
 */
export async function getLogs(
  { logs, logRequests, settings }: Chain,
  call: EtherscanCall,
  signal: AbortSignal,
): Promise<EtherscanAnswer> {
  const query = readQuery(call);
  if (logs === null) throw invalidParameter(`Chain ${settings.chainId} has no node that serves logs`);
  const read = (within: AbortSignal) => readPage(logs, query, within);
  try {
    const page = await (logRequests === null
      ? read(signal)
      : logRequests.run(clientOf(call.clientAddress), signal, read));
    if (page.length === 0) return { status: '0', message: TEXTS.noRecords, result: [] };
    return ok(page.map(viewLog));
  } catch (error) {
    if (!(error instanceof ChainUnavailableError)) throw error;
    const { advice } = error;
    const customCode = 'chain_unavailable';
    return notOk(`Error! ${advice ?? `No node of chain ${settings.chainId} has given the logs.`}`, {
      customCode,
    });
  }
}

async function readPage(
  logs: LogSource,
  { alternatives, limit, skip, ...query }: PageQuery,
  signal: AbortSignal,
): Promise<readonly DescribedLog[]> {
  const lists: (readonly EvmLog[])[] = [];
  for (const topics of alternatives)
    lists.push(await logs.find({ ...query, topics, limit: skip + limit }, signal));
  const page = merged(lists).slice(skip, skip + limit);
  return page.length === 0 ? [] : logs.describe(page, signal);
}

/** By block and index; what several lists have is there once. */
function merged([first = [], ...others]: readonly (readonly EvmLog[])[]): readonly EvmLog[] {
  if (others.length === 0) return first;
  const placeOf = ({ blockNumber, logIndex, transactionHash }: EvmLog) =>
    `${blockNumber}/${logIndex}/${transactionHash}`;
  const byPlace = new Map([first, ...others].flat().map((log) => [placeOf(log), log]));
  return [...byPlace.values()].sort(compareLogs);
}

interface PageQuery extends Omit<LogQuery, 'topics'> {
  /** A log meets the conditions of at least one. */
  readonly alternatives: readonly LogQuery['topics'][];
  readonly skip: number;
}

function readQuery(call: EtherscanCall): PageQuery {
  const address = call.text('address');
  if (address !== '' && !isAddress(address))
    throw invalidParameter('Invalid address format: address must be 0x and 40 hex digits');
  const topics = POSITIONS.map((position) => readTopic(call, `topic${position}`));
  if (address === '' && topics.every((topic) => topic === null))
    throw invalidParameter('Missing address: name an address or one of topic0 to topic3');
  const [fromBlock, toBlock] = [readBlock(call, 'fromBlock', 0n), readBlock(call, 'toBlock', null)];
  if (fromBlock !== null && toBlock !== null && fromBlock > toBlock)
    throw invalidParameter('fromBlock must not be after toBlock');
  const limit = readCount(call, 'offset', MAX_OFFSET, MAX_OFFSET);
  const page = readCount(call, 'page', 1, MAX_WINDOW);
  if (page * limit > MAX_WINDOW) {
    throw invalidParameter(
      `page times offset must not be above ${MAX_WINDOW}: request further logs with a later fromBlock`,
    );
  }
  return {
    address: address === '' ? null : (address.toLowerCase() as Hex),
    fromBlock,
    toBlock,
    alternatives: alternativesOf(call, topics),
    skip: (page - 1) * limit,
    limit,
  };
}

function readTopic(call: EtherscanCall, name: string): Hex | null {
  const text = call.text(name);
  if (text === '') return null;
  if (/^0x[0-9a-f]{64}$/i.test(text)) return text.toLowerCase() as Hex;
  throw invalidParameter(`${name} must be 0x and 64 hex digits, not "${shorten(text)}"`);
}

/** @param absent null is the newest block. */
function readBlock(call: EtherscanCall, name: string, absent: bigint | null): bigint | null {
  const text = call.text(name).trim().toLowerCase();
  if (text === '') return absent;
  if (text === 'latest' || text === 'pending') return null;
  if (text === 'earliest') return 0n;
  if (/^(?:\d{1,19}|0x[0-9a-f]{1,16})$/.test(text)) return BigInt(text);
  throw invalidParameter(
    `${name} must be a block number, decimal or 0x hex, or latest, earliest or pending, not "${shorten(text)}"`,
  );
}

function readCount(call: EtherscanCall, name: string, absent: number, max: number): number {
  const text = call.text(name).trim();
  if (text === '') return absent;
  if (/^\d{1,9}$/.test(text) && Number(text) >= 1 && Number(text) <= max) return Number(text);
  throw invalidParameter(`${name} must be a whole number from 1 to ${max}, not "${shorten(text)}"`);
}

/** Topics joined by `or` are one condition; all conditions have to be met. Nodes know no `or` between positions. */
function alternativesOf(call: EtherscanCall, topics: LogQuery['topics']): readonly LogQuery['topics'][] {
  const conditions: number[][] = POSITIONS.filter((each) => topics[each] !== null).map((each) => [each]);
  for (const one of POSITIONS) {
    for (const other of POSITIONS.slice(one + 1)) {
      if (!isOr(call, `topic${one}_${other}_opr`)) continue;
      const joined = conditions.filter((each) => each.includes(one) || each.includes(other));
      if (topics[one] === null || topics[other] === null)
        throw invalidParameter(`topic${one}_${other}_opr needs both topic${one} and topic${other}`);
      for (const each of joined) conditions.splice(conditions.indexOf(each), 1);
      conditions.push(joined.flat());
    }
  }
  return conditions.reduce<readonly LogQuery['topics'][]>(
    (alternatives, positions) =>
      alternatives.flatMap((chosen) =>
        positions.map((position) =>
          chosen.map((topic, index) => (index === position ? (topics[position] ?? null) : topic)),
        ),
      ),
    [[null, null, null, null]],
  );
}

function isOr(call: EtherscanCall, name: string): boolean {
  const text = call.text(name).trim().toLowerCase();
  if (text === 'or') return true;
  if (text === '' || text === 'and') return false;
  throw invalidParameter(`${name} must be and or or, not "${shorten(text)}"`);
}

function viewLog(log: DescribedLog) {
  return {
    address: log.address,
    topics: log.topics,
    data: log.data,
    blockNumber: viewNumber(log.blockNumber),
    blockHash: log.blockHash,
    timeStamp: viewNumber(log.timeStamp),
    gasPrice: viewNumber(log.gasPrice),
    gasUsed: viewNumber(log.gasUsed),
    logIndex: viewNumber(log.logIndex),
    transactionHash: log.transactionHash,
    transactionIndex: viewNumber(log.transactionIndex),
  };
}

function viewNumber(value: bigint | null): Hex | null {
  return value === null ? null : `0x${value.toString(16)}`;
}
