import { BLOOM_BYTES, bloomOf, orInto } from '../../src/mirror/evm/bloom.ts';
import { padded } from '../../src/mirror/evm/bytes.ts';
import { EVENT } from '../../src/mirror/evm/log-topics.ts';
import type { MessageObject } from '../../src/mirror/protobuf/messages.ts';
import { longZeroOf } from '../../src/mirror/vocabulary/long-zero-address.ts';

/** A log of a contract, before it has a filter. */
export interface WrittenLog {
  /** Number of the contract. */
  readonly contract: bigint;
  /** Up to 32 bytes each. */
  readonly topics: readonly Uint8Array[];
  readonly data: Uint8Array;
}

/**
 * The members of a `ContractFunctionResult` that its logs make.
 *
 * @param contractOf the message of a contract's id
 */
export function logMembers(
  logs: readonly WrittenLog[],
  contractOf: (num: bigint) => MessageObject,
): MessageObject {
  if (logs.length === 0) return {};
  const joined = new Uint8Array(BLOOM_BYTES);
  const logInfo = logs.map(({ contract, data, topics }) => {
    const bloom = bloomOf(longZeroOf(contract), topics);
    orInto(joined, bloom);
    return { contractID: contractOf(contract), bloom, topic: topics.map((each) => padded(each, 32)), data };
  });
  return { bloom: joined, logInfo };
}

/** What a token's contract logs of a transfer. */
export function transferLog(token: bigint, from: bigint, to: bigint, amount: bigint): WrittenLog {
  const data = new Uint8Array(32);
  new DataView(data.buffer).setBigInt64(24, amount);
  return { contract: token, topics: [EVENT.transfer, longZeroOf(from), longZeroOf(to)], data };
}
