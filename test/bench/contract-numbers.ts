import { createHash } from 'node:crypto';
import { SECOND, STREAM_START } from './entity-numbers.ts';

export const CALLS_PER_BLOCK = 100;
const MILLISECOND = 1_000_000n;
const BLOCK_TIME = 2n * SECOND;
const CALL_TIME = 10n * MILLISECOND;

/** How many there are of each kind in a ledger of `size` contract results. */
export function contractCounts(size: number) {
  return {
    contracts: size / 100,
    accounts: size / 10,
    blocks: size / CALLS_PER_BLOCK,
    /** Of the contract that is called most. */
    slots: size / 10,
  };
}

/** Contracts that differ from the many others. */
export const BUSY = {
  /** Called by three of ten transactions. */
  router: 0,
  /** Called by one of ten, never by the relay. */
  exchange: 1,
  /** A token that is only called by other contracts, and logs four of ten transfers. */
  token: 2,
} as const;
/** Accounts that differ from the many others; they never move anything to each other. */
export const BUSY_ACCOUNTS = { bot: 0, relay: 1 } as const;
/** The others begin here. */
export const FIRST_ORDINARY = 3;

export function contractNum(index: number): bigint {
  return 5_000_000n + BigInt(index);
}

export function callerNum(index: number): bigint {
  return 1_000_000n + BigInt(index);
}

/** Consensus time of the call with this index. */
export function callTime(index: number): bigint {
  const block = Math.floor(index / CALLS_PER_BLOCK);
  return STREAM_START + BigInt(block) * BLOCK_TIME + BigInt(index % CALLS_PER_BLOCK) * CALL_TIME;
}

/** One in four is what a call did by other contracts. */
export function isInternalCall(index: number): boolean {
  return index % 4 === 3;
}

/** Seven in ten were relayed from the EVM's own wire format. */
export function isEthereumCall(index: number): boolean {
  return index % 10 < 7;
}

export function transactionHash(index: number): Uint8Array {
  return createHash('sha384').update(`transaction ${index}`).digest();
}

/** By which a result is found: 32 bytes. */
export function resultHash(index: number): Uint8Array {
  return isEthereumCall(index)
    ? createHash('sha256').update(`ethereum ${index}`).digest()
    : transactionHash(index).subarray(0, 32);
}

/** A number below a limit, the same for the same index and salt. */
export function drawn(index: number, salt: number, limit: number): number {
  let mixed = Math.imul(index + 1, 0x9e37_79b1) ^ Math.imul(salt + 1, 0x85eb_ca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 16), 0x21f0_aaad);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 0x735a_2d97);
  return ((mixed ^ (mixed >>> 15)) >>> 0) % limit;
}

/** One of `count`, the ordinary ones equally often. */
export function ordinary(index: number, salt: number, count: number): number {
  return FIRST_ORDINARY + drawn(index, salt, count - FIRST_ORDINARY);
}
