import { unsignedBytes, unsignedOf } from '../../evm/quantities.ts';
import { topicTail } from '../../ledger/facets/contract-logs.ts';
import { CONTRACT_POSITION } from '../../ledger/log-chunks/log-chunk.ts';
import type { LogPlace, LogSelection } from './contract-log-repository.ts';

/** What a search asks of logs in one position: one of these keys, by which an index finds them. */
export interface LogCondition {
  /** That of a topic, or of the contract. */
  readonly position: number;
  /** Tails of topics, or the contract; each once. */
  readonly keys: readonly bigint[];
}

/** The columns of a log that conditions are about, beside its place. */
export interface LogFacts extends LogPlace {
  readonly contract: bigint;
  readonly topic0: Uint8Array | null;
  readonly topic1: Uint8Array | null;
  readonly topic2: Uint8Array | null;
  readonly topic3: Uint8Array | null;
}

/** The conditions of a search, that of the contract first. */
export function conditionsOf({ contract, topics }: LogSelection): readonly LogCondition[] {
  const ofTopics = topics.flatMap((values, position) => {
    if (values === null) return [];
    return [{ position, keys: [...new Set([...values].map((value) => topicTail(unsignedBytes(value))))] }];
  });
  return contract === null ? ofTopics : [{ position: CONTRACT_POSITION, keys: [contract] }, ...ofTopics];
}

/** Whether a log meets all conditions: others have topics that end alike. */
export function isSelected(row: LogFacts, { contract, topics }: LogSelection): boolean {
  if (contract !== null && row.contract !== contract) return false;
  const own = [row.topic0, row.topic1, row.topic2, row.topic3];
  return topics.every((wanted, position) => {
    const topic = own[position] ?? null;
    return wanted === null || (topic !== null && wanted.has(unsignedOf(topic)));
  });
}

/** Below 0 when one place is before the other. */
export function comparePlaces(one: LogPlace, other: LogPlace): number {
  const difference = one.consensusTimestamp - other.consensusTimestamp || one.index - other.index;
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}
