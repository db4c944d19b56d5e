import { topicTail } from '../facets/contract-logs.ts';
import { packPlaces } from './place-bits.ts';

/** What a log is searched for by. */
interface LogKey {
  /** That of a topic, or {@link CONTRACT_POSITION}. */
  readonly position: number;
  /** The tail of the topic, or the number of the contract. */
  readonly key: bigint;
}

/** A log as far as it is searched. */
interface SearchedLog {
  readonly consensusTimestamp: bigint;
  readonly index: bigint;
  readonly contract: bigint;
  /** Null where there is none. */
  readonly topics: readonly (Uint8Array | null)[];
}

/** Logs that follow each other, and which of them have a key. */
interface LogChunk {
  /** Time of the last one. */
  readonly lastTimestamp: bigint;
  readonly size: number;
  /** Time and index of each, 8 bytes each. */
  readonly places: Uint8Array;
  /** The keys that many logs have. */
  readonly keys: readonly (LogKey & { readonly places: Uint8Array })[];
}

/** How logs are cut into chunks; of each number, beside the rest of the logs of the last time. */
export interface ChunkScale {
  /** Logs of an early chunk, made as soon as there are so many behind the others. */
  readonly size: number;
  /** Logs of a full chunk, which takes the place of early ones. */
  readonly fullSize: number;
  /** Logs of a chunk that have a key which is told; the rows of a rarer one are found by their index. */
  readonly fewestOfKey: number;
}

/** The contract stands behind the topics. */
export const CONTRACT_POSITION = 4;
/** The bits of a full chunk and their key fit into 2000 bytes: longer ones get a page of their own, in both databases. */
export const CHUNK_SCALE: ChunkScale = { size: 4096, fullSize: 15_360, fewestOfKey: 16 };

const NUMBER_BYTES = 8;
/** Of the place of a log in a chunk. */
export const PLACE_BYTES = 2 * NUMBER_BYTES;

/** @param logs in the order of time and index, at least one */
export function makeLogChunk(logs: readonly SearchedLog[], fewestOfKey: number): LogChunk {
  const size = logs.length;
  const places = Buffer.alloc(size * PLACE_BYTES);
  const numbersOf = Array.from({ length: CONTRACT_POSITION + 1 }, () => new Map<bigint, number[]>());
  for (const [number, { consensusTimestamp, contract, index, topics }] of logs.entries()) {
    places.writeBigInt64BE(consensusTimestamp, number * PLACE_BYTES);
    places.writeBigInt64BE(index, number * PLACE_BYTES + NUMBER_BYTES);
    const keys = topics.map((topic) => (topic === null ? null : topicTail(topic)));
    keys[CONTRACT_POSITION] = contract;
    for (const [position, key] of keys.entries()) {
      const numbers = numbersOf[position];
      if (key == null || numbers === undefined) continue;
      const known = numbers.get(key);
      if (known === undefined) numbers.set(key, [number]);
      else known.push(number);
    }
  }
  return {
    lastTimestamp: logs.at(-1)?.consensusTimestamp ?? 0n,
    size,
    places,
    keys: numbersOf.flatMap((numbers, position) =>
      [...numbers].flatMap(([key, of]) =>
        of.length < fewestOfKey ? [] : [{ position, key, places: packPlaces(of, size) }],
      ),
    ),
  };
}

/**
 * Where a log stands.
 *
 * @param places of logs that follow each other in a chunk
 * @param number of the log among these, from 0
 */
export function placeIn(
  places: Uint8Array,
  number: number,
): { readonly consensusTimestamp: bigint; readonly index: bigint } {
  const view = Buffer.from(places.buffer, places.byteOffset, places.byteLength);
  return {
    consensusTimestamp: view.readBigInt64BE(number * PLACE_BYTES),
    index: view.readBigInt64BE(number * PLACE_BYTES + NUMBER_BYTES),
  };
}
