import { createHash } from 'node:crypto';
import { EVENT } from '../../src/mirror/evm/log-topics.ts';
import { longZeroOf } from '../../src/mirror/vocabulary/long-zero-address.ts';
import { bareHex } from '../../src/values/hex.ts';

const WORD = 32;
const events = new Map<number, Uint8Array>();

/** The first topic of transfers, or of an event with a number; 0 is the most common one of contracts themselves. */
export function eventTopic(event: 'transfer' | number): Uint8Array {
  if (event === 'transfer') return EVENT.transfer;
  const known = events.get(event) ?? createHash('sha256').update(`event ${event}`).digest();
  events.set(event, known);
  return known;
}

/** An account as a topic. */
export function addressWord(num: bigint): Uint8Array {
  const word = new Uint8Array(WORD);
  word.set(longZeroOf(num), WORD - 20);
  return word;
}

/** A number as a topic. */
export function poolWord(num: number): Uint8Array {
  const word = new Uint8Array(WORD);
  new DataView(word.buffer).setUint32(WORD - 4, num);
  return word;
}

export function topicText(topic: Uint8Array): string {
  return `0x${bareHex(topic)}`;
}
