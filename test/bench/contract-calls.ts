import {
  BUSY,
  BUSY_ACCOUNTS,
  callerNum,
  contractCounts,
  contractNum,
  drawn,
  isInternalCall,
  ordinary,
} from './contract-numbers.ts';
import { addressWord, eventTopic, poolWord } from './contract-topics.ts';

/** What a log of a call has. */
export interface DrawnLog {
  /** Index of the contract. */
  readonly contract: number;
  readonly topics: readonly Uint8Array[];
}

const REFUSED_EVERY = 33;
const FOUR_LOGS_EVERY = 10;
const EVENTS = 50;
const POOLS = 1000;

/** Refused before it ran: in no list. */
export function isRefusedCall(index: number): boolean {
  return index % REFUSED_EVERY === 5 && !isInternalCall(index);
}

/** Indexes of who calls and what is called. */
export function partiesOf(
  size: number,
  index: number,
): { readonly caller: number; readonly contract: number } {
  const { accounts, contracts } = contractCounts(size);
  const [share, who] = [drawn(index, 1, 100), drawn(index, 2, 100)];
  const contract =
    share < 30
      ? BUSY.router
      : share < 40
        ? BUSY.exchange
        : share < 60 && isInternalCall(index)
          ? BUSY.token
          : ordinary(index, 3, contracts);
  const isRelay = who >= 10 && who < 15 && contract !== BUSY.exchange;
  const caller = who < 10 ? BUSY_ACCOUNTS.bot : isRelay ? BUSY_ACCOUNTS.relay : ordinary(index, 4, accounts);
  return { caller, contract };
}

/**
 * Three logs, sometimes four: two transfers of tokens, an event of the contract itself, an NFT that moves. A refused
 * call has none.
 */
export function logsOf(size: number, index: number): readonly DrawnLog[] {
  if (isRefusedCall(index)) return [];
  const own: DrawnLog = {
    contract: partiesOf(size, index).contract,
    topics: [
      eventTopic(drawn(index, 20, 3) > 0 ? 0 : 1 + drawn(index, 21, EVENTS)),
      accountTopic(size, index, 22),
      accountTopic(size, index, 23),
      poolWord(drawn(index, 24, 3) > 0 ? 0 : drawn(index, 25, POOLS)),
    ],
  };
  const nft = {
    ...transferOf(size, index, 3),
    contract: ordinary(index, 26, contractCounts(size).contracts),
  };
  const logs = [transferOf(size, index, 1), transferOf(size, index, 2), own];
  return index % FOUR_LOGS_EVERY === 1
    ? [...logs, { ...nft, topics: [...nft.topics, poolWord(index)] }]
    : logs;
}

function transferOf(size: number, index: number, place: number): DrawnLog {
  const salt = 30 + 10 * place;
  const { accounts, contracts } = contractCounts(size);
  const share = drawn(index, salt, 100);
  const contract =
    share < 40 ? BUSY.token : share < 50 ? BUSY.exchange : ordinary(index, salt + 1, contracts);
  const from = partyIndex(index, salt + 2, accounts);
  const drawnTo = partyIndex(index, salt + 3, accounts);
  const isBetweenBusy = from < 2 && drawnTo < 2;
  const to = isBetweenBusy ? ordinary(index, salt + 4, accounts) : drawnTo;
  // The relay moves no exchange's tokens.
  const mover = from === BUSY_ACCOUNTS.relay && contract === BUSY.exchange ? BUSY_ACCOUNTS.bot : from;
  return {
    contract,
    topics: [eventTopic('transfer'), ...[mover, to].map((party) => addressWord(callerNum(party)))],
  };
}

function accountTopic(size: number, index: number, salt: number): Uint8Array {
  return addressWord(callerNum(partyIndex(index, salt, contractCounts(size).accounts)));
}

/** Each of the busy ones is one of ten. */
function partyIndex(index: number, salt: number, accounts: number): number {
  const share = drawn(index, salt, 10);
  return share === 0
    ? BUSY_ACCOUNTS.bot
    : share === 1
      ? BUSY_ACCOUNTS.relay
      : ordinary(index, salt + 100, accounts);
}

/** Number of the contract that a call called. */
export function calledNum(size: number, index: number): bigint {
  return contractNum(partiesOf(size, index).contract);
}
