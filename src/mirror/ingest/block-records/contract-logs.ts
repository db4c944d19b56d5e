import { BLOOM_BYTES, bloomOf, orInto } from '../../evm/bloom.ts';
import { FieldWalk } from '../../protobuf/wire.ts';
import { WireWriter } from '../../protobuf/wire-writer.ts';
import { longZeroOf } from '../../vocabulary/long-zero-address.ts';
import { readEntity } from './entity-bytes.ts';
import { word } from './word.ts';

/** A log that a contract wrote. */
export interface ContractLog {
  /** Serialized `ContractID`. */
  readonly contract: Uint8Array;
  readonly data: Uint8Array;
  /** 32 bytes each. */
  readonly topics: readonly Uint8Array[];
}

/** In `EvmTransactionLog`. */
const LOG = { contract: 1, data: 2, topic: 3 };
/** In `ContractLoginfo`. */
const LOG_INFO = { contract: 1, bloom: 2, topic: 3, data: 4 };
const ADDRESS_LENGTH = 20;
const EMPTY = new Uint8Array();

/** Reads a serialized `EvmTransactionLog`, whose topics have no leading zeros. */
export function readLog(bytes: Uint8Array): ContractLog {
  let [contract, data]: Uint8Array[] = [EMPTY, EMPTY];
  const topics: Uint8Array[] = [];
  for (const walk = new FieldWalk(bytes); walk.next(); ) {
    if (walk.number === LOG.contract) contract = walk.bytes;
    else if (walk.number === LOG.data) data = walk.bytes;
    else if (walk.number === LOG.topic) topics.push(word(walk.bytes));
  }
  return { contract: contract ?? EMPTY, data: data ?? EMPTY, topics };
}

/** The serialized `ContractLoginfo` of a log, and its bloom filter. */
export function logInfo(
  log: ContractLog,
  address: Uint8Array,
): { readonly bytes: Uint8Array; readonly bloom: Uint8Array } {
  const bloom = bloomOf(address, log.topics);
  const writer = new WireWriter().delimited(LOG_INFO.contract, log.contract).delimited(LOG_INFO.bloom, bloom);
  for (const topic of log.topics) writer.delimited(LOG_INFO.topic, topic);
  return { bytes: writer.delimited(LOG_INFO.data, log.data.length === 0 ? null : log.data).finish(), bloom };
}

/** All bits of several filters; null without any. */
export function joinBlooms(blooms: readonly Uint8Array[]): Uint8Array | null {
  if (blooms.length === 0) return null;
  const joined = new Uint8Array(BLOOM_BYTES);
  for (const bloom of blooms) orInto(joined, bloom);
  return joined;
}

/** The address of a contract whose alias is not known. */
export function addressOfContract(contract: Uint8Array): Uint8Array {
  const { alias, number } = readEntity(contract);
  return alias?.length === ADDRESS_LENGTH ? alias : longZeroOf(number);
}
