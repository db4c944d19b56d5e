import { printTimestamp } from '../../src/values/consensus-timestamp.ts';
import { nftAt } from './entity-ledger.ts';
import {
  accountNum,
  entityCounts,
  publicKeyOf,
  SECOND,
  STREAM_START,
  scheduleNum,
  tokenNum,
  topicNum,
} from './entity-numbers.ts';
import type { PlacedRequest, Places } from './placed-requests.ts';

const WHALE = accountNum(0);
const COLLECTION = tokenNum(1);
const WIDESPREAD = tokenNum(0);

const anyAccount = ({ below, size }: Places) => accountNum(below(entityCounts(size).accounts));
const anyToken = ({ below, size }: Places) => tokenNum(below(entityCounts(size).tokens));
const anySerial = ({ below, size }: Places) => 1 + below(entityCounts(size).serials);
const anyTopic = ({ below, size }: Places) => topicNum(below(entityCounts(size).topics));
const anySchedule = ({ below, size }: Places) => scheduleNum(below(entityCounts(size).schedules));
const anyTime = ({ below, size }: Places, after = 0) =>
  printTimestamp(STREAM_START + BigInt(below(size) + after) * SECOND);
const half = ({ size }: Places) => entityCounts(size).large / 2;

/** Every list and object, with the parameters that are usual and those that select few rows; all are answered 200. */
export const ENTITY_REQUESTS: Readonly<Record<string, PlacedRequest>> = {
  '/accounts': () => '/accounts',
  '/accounts account.id=gt': (at) => `/accounts?account.id=gt:${anyAccount(at)}`,
  '/accounts account.id=lt, desc': (at) => `/accounts?account.id=lt:${anyAccount(at)}&order=desc`,
  '/accounts balance=false': (at) => `/accounts?balance=false&account.id=gt:${anyAccount(at)}`,
  '/accounts publickey of one': (at) => `/accounts?account.publickey=${publicKeyOf(at.below(at.size / 10))}`,
  '/accounts publickey of many': (at) =>
    `/accounts?account.publickey=${publicKeyOf(0)}&account.id=gt:${anyAccount(at)}`,
  '/accounts balance of none': () => '/accounts?account.balance=gt:4000000000000000',
  '/accounts balance of few': (at) =>
    `/accounts?account.balance=gte:${1_000_000_000 + (at.size / 10 - 5) * 1e6}`,
  '/accounts balance=lt': (at) =>
    `/accounts?account.balance=lt:${1_000_000_000 + at.below(at.size / 10) * 1e6}`,
  '/accounts/{id}': (at) => `/accounts/${anyAccount(at)}`,
  '/accounts/{id} without transactions': (at) => `/accounts/${anyAccount(at)}?transactions=false`,
  '/accounts/{id} of most': () => `/accounts/${WHALE}`,
  '/accounts/{address}': (at) =>
    `/accounts/0x${'ab'.repeat(16)}${at
      .below(at.size / 10)
      .toString(16)
      .padStart(8, '0')}`,
  '/accounts/{id} timestamp': (at) => `/accounts/${anyAccount(at)}?timestamp=${anyTime(at)}`,
  '/accounts/{id} of most, timestamp=lt': (at) => `/accounts/${WHALE}?timestamp=lt:${anyTime(at, 1)}`,
  '/accounts/{id} of most, transactiontype': (at) =>
    `/accounts/${WHALE}?transactiontype=TOKENMINT&timestamp=lt:${anyTime(at, 1)}`,
  '/balances': () => '/balances',
  '/balances account.id=lt': (at) => `/balances?account.id=lt:${anyAccount(at)}`,
  '/balances account.id': (at) => `/balances?account.id=${anyAccount(at)}`,
  '/balances publickey': (at) => `/balances?account.publickey=${publicKeyOf(at.below(at.size / 10))}`,
  '/balances balance of none': () => '/balances?account.balance=gt:4000000000000000',
  '/balances balance of few': (at) =>
    `/balances?account.balance=gte:${1_000_000_000 + (at.size / 10 - 5) * 1e6}`,
  '/balances timestamp': (at) => `/balances?timestamp=${anyTime(at, at.size / 10)}`,
  '/balances timestamp, account.id=lt': (at) =>
    `/balances?timestamp=${anyTime(at, at.size / 10)}&account.id=lt:${anyAccount(at)}`,
  '/balances timestamp, balance of none': (at) =>
    `/balances?timestamp=${anyTime(at, at.size / 10)}&account.balance=gt:4000000000000000`,
  '/accounts/{id}/tokens': (at) => `/accounts/${anyAccount(at)}/tokens`,
  '/accounts/{id}/tokens of most': (at) => `/accounts/${WHALE}/tokens?token.id=gt:${anyToken(at)}`,
  '/accounts/{id}/nfts': (at) => `/accounts/${anyAccount(at)}/nfts`,
  '/accounts/{id}/nfts of most': (at) => `/accounts/${WHALE}/nfts?token.id=lte:${anyToken(at)}`,
  '/accounts/{id}/nfts of most, token.id, serialnumber': (at) =>
    `/accounts/${WHALE}/nfts?token.id=${COLLECTION}&serialnumber=gt:${anySerial(at)}&order=asc`,
  '/accounts/{id}/nfts of most, spender.id': (at) =>
    `/accounts/${WHALE}/nfts?spender.id=${accountNum(at.below(1000))}`,
  '/accounts/{id}/nfts of most, spender.id of none': (at) =>
    `/accounts/${WHALE}/nfts?spender.id=${accountNum(1000 + at.below(1000))}`,
  '/accounts/{id}/nfts of most, spender.id=gte': (at) =>
    `/accounts/${WHALE}/nfts?spender.id=gte:${accountNum(at.below(1000))}`,
  '/accounts/{id}/allowances/crypto': (at) => `/accounts/${anyAccount(at)}/allowances/crypto`,
  '/accounts/{id}/allowances/crypto of most': (at) =>
    `/accounts/${WHALE}/allowances/crypto?spender.id=gt:${accountNum(at.below(half(at)))}`,
  '/accounts/{id}/allowances/tokens of most': (at) =>
    `/accounts/${WHALE}/allowances/tokens?spender.id=gte:${accountNum(at.below(half(at)))}`,
  '/accounts/{id}/allowances/tokens of most, token.id': (at) =>
    `/accounts/${WHALE}/allowances/tokens?spender.id=gte:${accountNum(at.below(half(at)))}&token.id=${anyToken(at)}`,
  '/accounts/{id}/allowances/nfts of most': (at) =>
    `/accounts/${WHALE}/allowances/nfts?account.id=gte:${accountNum(at.below(half(at)))}`,
  '/accounts/{id}/allowances/nfts to most': (at) =>
    `/accounts/${WHALE}/allowances/nfts?owner=false&account.id=gte:${accountNum(at.below(half(at)))}`,
  '/accounts/{id}/allowances/nfts of most, token.id': (at) =>
    `/accounts/${WHALE}/allowances/nfts?account.id=gte:${accountNum(1)}&token.id=${tokenNum(2 * at.below(half(at)) + 1)}`,
  '/accounts/{id}/allowances/nfts to most, token.id': (at) =>
    `/accounts/${WHALE}/allowances/nfts?owner=false&account.id=gte:${accountNum(1)}&token.id=${tokenNum(2 * at.below(half(at)) + 1)}`,
  '/accounts/{id}/airdrops/outstanding': (at) => `/accounts/${anyAccount(at)}/airdrops/outstanding`,
  '/accounts/{id}/airdrops/outstanding of most': (at) =>
    `/accounts/${WHALE}/airdrops/outstanding?receiver.id=gte:${accountNum(at.below(half(at)))}`,
  '/accounts/{id}/airdrops/outstanding of most, token.id': (at) =>
    `/accounts/${WHALE}/airdrops/outstanding?token.id=${anyToken(at)}`,
  '/accounts/{id}/airdrops/outstanding of most, serialnumber': (at) =>
    `/accounts/${WHALE}/airdrops/outstanding?serialnumber=${1 + 2 * at.below(half(at))}`,
  '/accounts/{id}/airdrops/pending of most': (at) =>
    `/accounts/${WHALE}/airdrops/pending?sender.id=gte:${accountNum(at.below(half(at)))}`,
  '/accounts/{id}/airdrops/pending of most, token.id': (at) =>
    `/accounts/${WHALE}/airdrops/pending?token.id=${anyToken(at)}`,
  '/accounts/{id}/airdrops/pending of most, serialnumber': (at) =>
    `/accounts/${WHALE}/airdrops/pending?serialnumber=${1 + 2 * at.below(half(at))}`,
  '/accounts/{id}/rewards': (at) => `/accounts/${anyAccount(at)}/rewards`,
  '/accounts/{id}/rewards of most': (at) => `/accounts/${WHALE}/rewards?timestamp=lt:${anyTime(at, 1)}`,
  '/tokens': () => '/tokens',
  '/tokens token.id=gt': (at) => `/tokens?token.id=gt:${anyToken(at)}`,
  '/tokens type': (at) => `/tokens?type=NON_FUNGIBLE_UNIQUE&token.id=gt:${anyToken(at)}`,
  '/tokens account.id': (at) => `/tokens?account.id=${anyAccount(at)}`,
  '/tokens account.id of most': (at) => `/tokens?account.id=${WHALE}&token.id=gt:${anyToken(at)}`,
  '/tokens account.id of most, type': (at) =>
    `/tokens?account.id=${WHALE}&type=NON_FUNGIBLE_UNIQUE&token.id=gt:${anyToken(at)}`,
  '/tokens publickey': (at) => `/tokens?publickey=${publicKeyOf(at.below(at.size / 100))}`,
  '/tokens publickey of many': (at) => `/tokens?publickey=${publicKeyOf(0)}&token.id=gt:${anyToken(at)}`,
  '/tokens publickey, account.id of most': (at) =>
    `/tokens?publickey=${publicKeyOf(at.below(at.size / 100))}&account.id=${WHALE}`,
  '/tokens name of one': (at) => `/tokens?name=number%20${at.below(at.size / 100)}%20`,
  '/tokens name of many': () => '/tokens?name=TOKEN%20number',
  '/tokens name of none': () => '/tokens?name=nothing%20has%20this',
  '/tokens/{id}': (at) => `/tokens/${anyToken(at)}`,
  '/tokens/{id} timestamp': (at) => `/tokens/${WIDESPREAD}?timestamp=${anyTime(at)}`,
  '/tokens/{id}/balances': () => `/tokens/${WIDESPREAD}/balances`,
  '/tokens/{id}/balances any': (at) => `/tokens/${anyToken(at)}/balances`,
  '/tokens/{id}/balances account.id=lt': (at) =>
    `/tokens/${WIDESPREAD}/balances?account.id=lt:${anyAccount(at)}`,
  '/tokens/{id}/balances account.id': (at) => `/tokens/${WIDESPREAD}/balances?account.id=${anyAccount(at)}`,
  '/tokens/{id}/balances balance of none': () => `/tokens/${WIDESPREAD}/balances?account.balance=gt:40000000`,
  '/tokens/{id}/balances balance of few': () => `/tokens/${WIDESPREAD}/balances?account.balance=gt:999990`,
  '/tokens/{id}/balances publickey': (at) =>
    `/tokens/${WIDESPREAD}/balances?account.publickey=${publicKeyOf(at.below(at.size / 10))}`,
  '/tokens/{id}/balances publickey of many': (at) =>
    `/tokens/${WIDESPREAD}/balances?account.publickey=${publicKeyOf(0)}&account.id=lt:${anyAccount(at)}`,
  '/tokens/{id}/balances timestamp': (at) =>
    `/tokens/${WIDESPREAD}/balances?timestamp=${anyTime(at, at.size / 10)}&account.id=lt:${anyAccount(at)}`,
  '/tokens/{id}/nfts': () => `/tokens/${COLLECTION}/nfts`,
  '/tokens/{id}/nfts any': (at) => `/tokens/${anyToken(at)}/nfts`,
  '/tokens/{id}/nfts serialnumber=lt': (at) => `/tokens/${COLLECTION}/nfts?serialnumber=lt:${anySerial(at)}`,
  '/tokens/{id}/nfts serialnumber range': (at) => {
    const serial = anySerial(at);
    return `/tokens/${COLLECTION}/nfts?serialnumber=gte:${serial}&serialnumber=lt:${serial + 10}&order=asc`;
  },
  '/tokens/{id}/nfts account.id': (at) =>
    `/tokens/${COLLECTION}/nfts?account.id=${nftAt(at.size, 2 * at.below(at.size / 2)).owner}`,
  '/tokens/{id}/nfts account.id of most': (at) =>
    `/tokens/${COLLECTION}/nfts?account.id=${WHALE}&serialnumber=lt:${anySerial(at)}`,
  '/tokens/{id}/nfts account.id of none': () => `/tokens/${COLLECTION}/nfts?account.id=9999999`,
  '/tokens/{id}/nfts account.id=gt of none': () => `/tokens/${COLLECTION}/nfts?account.id=gt:9999999`,
  '/tokens/{id}/nfts account.id=gt': (at) => `/tokens/${COLLECTION}/nfts?account.id=gt:${anyAccount(at)}`,
  '/tokens/{id}/nfts account.id=gt of few': (at) =>
    `/tokens/${COLLECTION}/nfts?account.id=gt:${accountNum(at.size / 10 - 3)}`,
  '/tokens/{id}/nfts/{serial}': (at) => `/tokens/${COLLECTION}/nfts/${anySerial(at)}`,
  '/tokens/{id}/nfts/{serial}/transactions': (at) =>
    `/tokens/${COLLECTION}/nfts/${anySerial(at)}/transactions`,
  '/tokens/{id}/nfts/{serial}/transactions of most': (at) =>
    `/tokens/${COLLECTION}/nfts/1/transactions?timestamp=lt:${anyTime(at, 10)}`,
  '/topics/{id}': (at) => `/topics/${anyTopic(at)}`,
  '/topics/{id}/messages': () => `/topics/${topicNum(0)}/messages`,
  '/topics/{id}/messages desc': () => `/topics/${topicNum(0)}/messages?order=desc`,
  '/topics/{id}/messages any': (at) => `/topics/${anyTopic(at)}/messages`,
  '/topics/{id}/messages sequencenumber': (at) =>
    `/topics/${topicNum(0)}/messages?sequencenumber=gt:${1 + at.below(at.size / 2)}`,
  '/topics/{id}/messages sequencenumber=lt, desc': (at) =>
    `/topics/${topicNum(0)}/messages?sequencenumber=lt:${50 + at.below(at.size / 2)}&order=desc`,
  '/topics/{id}/messages timestamp': (at) =>
    `/topics/${topicNum(0)}/messages?timestamp=gte:${anyTime(at)}&encoding=utf-8`,
  '/topics/{id}/messages timestamp, any': (at) =>
    `/topics/${anyTopic(at)}/messages?timestamp=gte:${anyTime(at)}`,
  '/topics/{id}/messages sequencenumber, timestamp': (at) =>
    `/topics/${topicNum(0)}/messages?sequencenumber=lt:20&timestamp=gt:${anyTime(at, at.size / 10)}`,
  '/topics/{id}/messages sequencenumber, timestamp, late': (at) =>
    `/topics/${topicNum(0)}/messages?sequencenumber=gt:${at.size / 2}&timestamp=lt:${anyTime({ ...at, below: () => at.below(at.size / 2) })}`,
  '/topics/{id}/messages/{seq}': (at) => `/topics/${topicNum(0)}/messages/${1 + at.below(at.size / 2)}`,
  '/topics/messages/{timestamp}': (at) =>
    `/topics/messages/${printTimestamp(STREAM_START + BigInt(60 * at.below(at.size / 60) + 1) * SECOND)}`,
  '/schedules': () => '/schedules',
  '/schedules schedule.id=gt': (at) => `/schedules?schedule.id=gt:${anySchedule(at)}`,
  '/schedules account.id of most': (at) => `/schedules?account.id=${WHALE}&schedule.id=gt:${anySchedule(at)}`,
  '/schedules account.id of one': (at) =>
    `/schedules?account.id=${accountNum(1 + 2 * at.below(at.size / 200))}`,
  '/schedules account.id=gt of none': () => '/schedules?account.id=gt:9999999',
  '/schedules account.id=gt of few': (at) => `/schedules?account.id=gt:${accountNum(at.size / 100 - 5)}`,
  '/schedules/{id}': (at) => `/schedules/${anySchedule(at)}`,
  '/accounts/{id}/hooks of most': (at) => `/accounts/${WHALE}/hooks?hook.id=gt:${at.below(at.size / 2000)}`,
  '/accounts/{id}/hooks/{hook}/storage': (at) =>
    `/accounts/${WHALE}/hooks/0/storage?key=gt:${at.below(half(at)).toString(16)}`,
  '/accounts/{id}/hooks/{hook}/storage timestamp': (at) =>
    `/accounts/${WHALE}/hooks/0/storage?key=gt:${at.below(half(at)).toString(16)}&timestamp=lt:${anyTime(at)}`,
  '/network/registered-nodes': () => '/network/registered-nodes',
};
