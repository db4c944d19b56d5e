import { printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { bareHex, toHex } from '../../src/values/hex.ts';
import { partiesOf } from './contract-calls.ts';
import { blockHash, contractAddress, slotOf } from './contract-ledger.ts';
import {
  BUSY,
  BUSY_ACCOUNTS,
  callerNum,
  callTime,
  contractCounts,
  contractNum,
  FIRST_ORDINARY,
  isEthereumCall,
  resultHash,
} from './contract-numbers.ts';
import { addressWord, eventTopic, poolWord, topicText } from './contract-topics.ts';
import { SECOND } from './entity-numbers.ts';
import type { PlacedRequest, Places } from './placed-requests.ts';

const [ROUTER, EXCHANGE, TOKEN] = [BUSY.router, BUSY.exchange, BUSY.token].map(contractNum);
const BOT = callerNum(BUSY_ACCOUNTS.bot);
const RELAY = callerNum(BUSY_ACCOUNTS.relay);
const NOBODY = 9_999_999;
const TRANSFER = `topic0=${topicText(eventTopic('transfer'))}`;
const COMMON = `topic0=${topicText(eventTopic(0))}`;
const NO_EVENT = `topic0=${topicText(eventTopic(1_000_000))}`;
const COMMON_POOL = `topic3=${topicText(poolWord(0))}`;
const [FROM_BOT, FROM_RELAY] = [BOT, RELAY].map((num) => `topic1=${topicText(addressWord(num))}`);
const [TO_BOT, TO_RELAY] = [BOT, RELAY].map((num) => `topic2=${topicText(addressWord(num))}`);

const anyCall = ({ below, size }: Places) => below(size);
const anyTime = (at: Places) => printTimestamp(callTime(anyCall(at)));
const anyBlock = ({ below, size }: Places) => below(contractCounts(size).blocks);
const anyContract = ({ below, size }: Places) =>
  contractNum(FIRST_ORDINARY + below(contractCounts(size).contracts - FIRST_ORDINARY));
const anyCaller = ({ below, size }: Places) =>
  callerNum(FIRST_ORDINARY + below(contractCounts(size).accounts - FIRST_ORDINARY));
const anySlot = ({ below, size }: Places) => bareHex(slotOf(1 + below(contractCounts(size).slots)));
/** A minute that begins anywhere. */
const anyMinute = (at: Places) => {
  const start = callTime(anyCall(at));
  return `timestamp=gte:${printTimestamp(start)}&timestamp=lt:${printTimestamp(start + 60n * SECOND)}`;
};
const never = ({ size }: Places) => printTimestamp(callTime(size) + SECOND);
/** All of the ledger, as searches for topics need both ends. */
const always = (at: Places) => `timestamp=gte:${printTimestamp(callTime(0))}&timestamp=lt:${never(at)}`;
const untilAny = (at: Places) => `timestamp=gte:${printTimestamp(callTime(0))}&timestamp=lte:${anyTime(at)}`;
const party = (name: string, at: Places) => `${name}=${topicText(addressWord(anyCaller(at)))}`;

/** An Ethereum transaction, or one of another kind. */
const callOf = (at: Places, isEthereum: boolean) => {
  const index = anyCall(at);
  return isEthereumCall(index) === isEthereum ? index : index - (index % 10) + (isEthereum ? 0 : 8);
};
const transactionId = (index: number, size: number) => {
  const start = callTime(index) - SECOND;
  const [seconds, nanos] = printTimestamp(start).split('.');
  return `0.0.${callerNum(partiesOf(size, index).caller)}-${seconds}-${nanos}`;
};
/** One that a client sent. */
const sentCall = (at: Places) => anyCall(at) & ~3;
const tracedCall = (at: Places) => {
  const index = anyCall(at);
  return index - (index % 20);
};

const results = (query: string | PlacedRequest): PlacedRequest => below('/contracts/results', query);
const logs = (query: string | PlacedRequest): PlacedRequest => below('/contracts/results/logs', query);
const resultsOf = (contract: bigint | undefined, query: string | PlacedRequest): PlacedRequest =>
  below(`/contracts/${contract}/results`, query);
const logsOf = (contract: bigint | undefined, query: string | PlacedRequest): PlacedRequest =>
  below(`/contracts/${contract}/results/logs`, query);
const stateOf = (query: string | PlacedRequest): PlacedRequest => below(`/contracts/${ROUTER}/state`, query);

function below(path: string, query: string | PlacedRequest): PlacedRequest {
  return (at) => `${path}?${typeof query === 'string' ? query : query(at)}`;
}

/** Every list and object of contracts, for what is busy, ordinary and absent; all are answered 200. */
export const CONTRACT_REQUESTS: Readonly<Record<string, PlacedRequest>> = {
  '/contracts': () => '/contracts',
  '/contracts contract.id=lt': (at) => `/contracts?contract.id=lt:${anyContract(at)}&limit=100`,
  '/contracts/{id}': (at) => `/contracts/${anyContract(at)}`,
  '/contracts/{address}': (at) =>
    `/contracts/${toHex(contractAddress(1 + 2 * at.below(contractCounts(at.size).contracts / 2)) ?? new Uint8Array())}`,
  '/contracts/{id} timestamp': (at) => `/contracts/${anyContract(at)}?timestamp=${anyTime(at)}`,

  '/contracts/results': results(''),
  '/contracts/results limit=100': results('limit=100'),
  '/contracts/results deep': results((at) => `timestamp=lt:${anyTime(at)}`),
  '/contracts/results deep, asc': results((at) => `timestamp=gt:${anyTime(at)}&order=asc`),
  '/contracts/results a minute': results((at) => `${anyMinute(at)}&limit=100`),
  '/contracts/results two times': results((at) => `timestamp=${anyTime(at)}&timestamp=${anyTime(at)}`),
  '/contracts/results internal, deep': results((at) => `internal=true&timestamp=lt:${anyTime(at)}`),
  '/contracts/results block.number': results((at) => `block.number=${anyBlock(at)}&limit=100`),
  '/contracts/results block.number, internal': results(
    (at) => `block.number=${anyBlock(at)}&internal=true&limit=100`,
  ),
  '/contracts/results block.number, transaction.index': results(
    (at) => `block.number=${anyBlock(at)}&transaction.index=${4 * at.below(25)}`,
  ),
  '/contracts/results block.hash': results((at) => `block.hash=${bareHex(blockHash(anyBlock(at)))}`),
  '/contracts/results from of one': results((at) => `from=0.0.${anyCaller(at)}`),
  '/contracts/results from of many': results(`from=0.0.${BOT}`),
  '/contracts/results from of many, deep': results((at) => `from=0.0.${BOT}&timestamp=lt:${anyTime(at)}`),
  '/contracts/results from of none': results(`from=0.0.${NOBODY}`),
  '/contracts/results from=gt of none': results(`from=gt:0.0.${NOBODY}`),
  '/contracts/results from=gt of few': results(
    (at) => `from=gt:0.0.${callerNum(contractCounts(at.size).accounts - 5)}`,
  ),
  '/contracts/results from=gt of most': results(
    (at) => `from=gt:0.0.${anyCaller(at)}&timestamp=lt:${anyTime(at)}`,
  ),
  '/contracts/results from, block.number': results(
    (at) => `from=0.0.${anyCaller(at)}&block.number=${anyBlock(at)}`,
  ),

  '/contracts/{id}/results': (at) => `/contracts/${anyContract(at)}/results`,
  '/contracts/{id}/results internal': (at) => `/contracts/${anyContract(at)}/results?internal=true`,
  '/contracts/{id}/results of many': resultsOf(ROUTER, 'limit=100'),
  '/contracts/{id}/results of many, deep': resultsOf(ROUTER, (at) => `timestamp=lt:${anyTime(at)}`),
  '/contracts/{id}/results of many, internal': resultsOf(
    ROUTER,
    (at) => `internal=true&timestamp=lt:${anyTime(at)}`,
  ),
  '/contracts/{id}/results of many, a minute': resultsOf(ROUTER, anyMinute),
  '/contracts/{id}/results of many, two times': resultsOf(
    ROUTER,
    (at) => `timestamp=${anyTime(at)}&timestamp=${anyTime(at)}`,
  ),
  '/contracts/{id}/results of many, block.number': resultsOf(ROUTER, (at) => `block.number=${anyBlock(at)}`),
  '/contracts/{id}/results of many, from of one': resultsOf(ROUTER, (at) => `from=0.0.${anyCaller(at)}`),
  '/contracts/{id}/results of many, from of many': resultsOf(
    ROUTER,
    (at) => `from=0.0.${BOT}&timestamp=lt:${anyTime(at)}`,
  ),
  '/contracts/{id}/results of many, from of many others': resultsOf(EXCHANGE, `from=0.0.${RELAY}`),
  '/contracts/{id}/results of many, from=gt of none': resultsOf(ROUTER, `from=gt:0.0.${NOBODY}`),
  '/contracts/{id}/results only internal': resultsOf(TOKEN, ''),
  '/contracts/{id}/results only internal, internal': resultsOf(
    TOKEN,
    (at) => `internal=true&timestamp=lt:${anyTime(at)}`,
  ),

  '/contracts/results/{hash} Ethereum': (at) => `/contracts/results/${toHex(resultHash(callOf(at, true)))}`,
  '/contracts/results/{hash}': (at) => `/contracts/results/${toHex(resultHash(callOf(at, false)))}`,
  '/contracts/results/{id}': (at) => `/contracts/results/${transactionId(sentCall(at), at.size)}`,
  '/contracts/{id}/results/{timestamp}': (at) => {
    const index = anyCall(at);
    const contract = contractNum(partiesOf(at.size, index).contract);
    return `/contracts/${contract}/results/${printTimestamp(callTime(index))}`;
  },
  '/contracts/results/{hash}/actions': (at) =>
    `/contracts/results/${toHex(resultHash(tracedCall(at)))}/actions`,
  '/contracts/results/{id}/actions': (at) =>
    `/contracts/results/${transactionId(tracedCall(at), at.size)}/actions?index=gte:1`,

  '/contracts/results/logs': logs(''),
  '/contracts/results/logs limit=100': logs('limit=100'),
  '/contracts/results/logs deep': logs((at) => `timestamp=lt:${anyTime(at)}`),
  '/contracts/results/logs a minute': logs((at) => `${anyMinute(at)}&limit=100`),
  '/contracts/results/logs timestamp, index': logs(
    (at) => `timestamp=lte:${anyTime(at)}&index=lte:1&timestamp=gte:${printTimestamp(callTime(0))}`,
  ),
  '/contracts/results/logs transaction.hash': logs(
    (at) => `transaction.hash=${toHex(resultHash(anyCall(at)))}`,
  ),
  '/contracts/results/logs topic of most': logs((at) => `${TRANSFER}&${untilAny(at)}`),
  '/contracts/results/logs topic of none': logs((at) => `${NO_EVENT}&${always(at)}`),
  '/contracts/results/logs topic of few': logs(
    (at) => `topic0=${topicText(eventTopic(1 + at.below(50)))}&${untilAny(at)}`,
  ),
  '/contracts/results/logs topic3 of one': logs(
    (at) => `topic3=${topicText(poolWord(1001 + 10 * at.below(at.size / 10 - 200)))}&${always(at)}`,
  ),
  '/contracts/results/logs 2 topics, one of few': logs(
    (at) => `${TRANSFER}&${party('topic1', at)}&${always(at)}`,
  ),
  '/contracts/results/logs 2 topics of many': logs((at) => `${TRANSFER}&${FROM_BOT}&${untilAny(at)}`),
  '/contracts/results/logs 2 topics of many, never together': logs(
    (at) => `${TRANSFER}&${COMMON_POOL}&${always(at)}`,
  ),
  '/contracts/results/logs 3 topics, one of few': logs(
    (at) => `${TRANSFER}&${FROM_BOT}&${party('topic2', at)}&${always(at)}`,
  ),
  '/contracts/results/logs 3 topics of many, seldom together': logs(
    (at) => `${COMMON}&${FROM_RELAY}&${TO_BOT}&${untilAny(at)}`,
  ),
  '/contracts/results/logs 3 topics of many, never together': logs(
    (at) => `${TRANSFER}&${FROM_RELAY}&${TO_BOT}&${always(at)}`,
  ),
  '/contracts/results/logs 4 topics of many': logs(
    (at) => `${COMMON}&${FROM_BOT}&${TO_RELAY}&${COMMON_POOL}&${untilAny(at)}`,
  ),
  '/contracts/results/logs 4 topics of many, never together': logs(
    (at) => `${TRANSFER}&${FROM_BOT}&${TO_RELAY}&${COMMON_POOL}&${always(at)}`,
  ),
  '/contracts/results/logs topics that are alternatives': logs(
    (at) =>
      `${TRANSFER}&${COMMON}&${Array.from({ length: 10 }, () => party('topic1', at)).join('&')}&${always(at)}`,
  ),
  '/contracts/results/logs topics that are alternatives of many': logs(
    (at) => `${TRANSFER}&${COMMON}&${FROM_BOT}&${FROM_RELAY}&${untilAny(at)}`,
  ),

  '/contracts/{id}/results/logs': (at) => `/contracts/${anyContract(at)}/results/logs`,
  '/contracts/{id}/results/logs of many': logsOf(TOKEN, 'limit=100'),
  '/contracts/{id}/results/logs of many, deep': logsOf(TOKEN, (at) => `timestamp=lt:${anyTime(at)}`),
  '/contracts/{id}/results/logs of many, a minute': logsOf(TOKEN, anyMinute),
  '/contracts/{id}/results/logs topic of most': (at) =>
    `/contracts/${anyContract(at)}/results/logs?${TRANSFER}&${always(at)}`,
  '/contracts/{id}/results/logs of many, topic of most': logsOf(TOKEN, (at) => `${TRANSFER}&${untilAny(at)}`),
  '/contracts/{id}/results/logs of many, topic of few': logsOf(
    TOKEN,
    (at) => `${party('topic1', at)}&${always(at)}`,
  ),
  '/contracts/{id}/results/logs of many, 3 topics of many': logsOf(
    ROUTER,
    (at) => `${COMMON}&${FROM_BOT}&${TO_RELAY}&${untilAny(at)}`,
  ),
  '/contracts/{id}/results/logs of many, topic of many, never together': logsOf(
    TOKEN,
    (at) => `${COMMON_POOL}&${always(at)}`,
  ),
  '/contracts/{id}/results/logs of many, 2 topics of many, never together': logsOf(
    EXCHANGE,
    (at) => `${TRANSFER}&${FROM_RELAY}&${always(at)}`,
  ),

  '/contracts/{id}/state': stateOf('limit=100'),
  '/contracts/{id}/state slot': stateOf((at) => `slot=${anySlot(at)}`),
  '/contracts/{id}/state deep': stateOf((at) => `slot=gt:${anySlot(at)}`),
  '/contracts/{id}/state timestamp': stateOf((at) => `timestamp=${anyTime(at)}`),
  '/contracts/{id}/state timestamp, deep': stateOf((at) => `timestamp=${anyTime(at)}&slot=gt:${anySlot(at)}`),
  '/contracts/{id}/state timestamp, slot': stateOf((at) => `timestamp=${anyTime(at)}&slot=${anySlot(at)}`),
  '/contracts/{id}/state a minute': stateOf(anyMinute),
  '/contracts/{id}/state early': stateOf((at) => `timestamp=lte:${printTimestamp(callTime(at.below(100)))}`),
  '/contracts/{id}/state before': stateOf(`timestamp=lt:${printTimestamp(callTime(0))}`),
};
