import type { Hex } from '../../../values/hex.ts';
import { flag, int64, type RecordOf, rowTable, text } from '../../../values/row-table.ts';
import { unpackBloom } from '../../evm/packed-bloom.ts';
import { wordOfHex } from '../../evm/quantities.ts';
import type { PageRequest } from '../../parameters/page-parameters.ts';

/**
 * A log of a contract, or one that stands for an event of a token; null is what is not known. What is only shown is hex
 * already.
 *
 * @param hexOf selects bytes as hex with `0x`
 */
export const storedLog = (hexOf: (column: string) => string) =>
  rowTable({
    consensusTimestamp: int64('consensus_ts'),
    /** Among the logs of its time. */
    index: int64('log_index'),
    contract: int64('contract_id'),
    rootContract: int64<bigint | null>('root_contract_id'),
    transactionIndex: int64<bigint | null>('transaction_index'),
    isSynthetic: flag('is_synthetic'),
    /** 32 bytes. */
    hash: text<Hex | null>(hexOf('hash')),
    bloom: { column: 'bloom', fromStored: unpackBloom },
    data: text<Hex | null>(hexOf('data')),
    /** Without leading zeros; null where there is none. */
    topic0: text<Hex | null>(hexOf('topic0')),
    topic1: text<Hex | null>(hexOf('topic1')),
    topic2: text<Hex | null>(hexOf('topic2')),
    topic3: text<Hex | null>(hexOf('topic3')),
  });
export type StoredLog = RecordOf<ReturnType<typeof storedLog>>;

/** The topics of a log, as words. */
export function topicsOf({ topic0, topic1, topic2, topic3 }: StoredLog): readonly Hex[] {
  return [topic0, topic1, topic2, topic3].flatMap((topic) => (topic === null ? [] : [wordOfHex(topic)]));
}

/** Shorter ones count as words. */
export function dataOf({ data }: StoredLog): Hex {
  return data === null || data === '0x' ? '0x' : wordOfHex(data);
}

/** Where a log stands. */
export interface LogPlace {
  readonly consensusTimestamp: bigint;
  readonly index: bigint;
}

/** Which logs a list shows. */
export interface LogSelection extends PageRequest {
  /** Null for those of all contracts. */
  readonly contract: bigint | null;
  /** The first and the last place, both included. */
  readonly from: LogPlace;
  readonly to: LogPlace;
  /** Of each position the topics that a log may have there; null for any, also none. */
  readonly topics: readonly (ReadonlySet<bigint> | null)[];
  /** A condition that fewer logs meet is searched by itself. Default 1000. */
  readonly fewRows?: number;
}
