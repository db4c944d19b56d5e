import { type ConsensusTimestamp, timestampFromParts } from '../../../../values/consensus-timestamp.ts';
import type { BlockNodeConnection } from './block-node-connection.ts';
import { BlockNodeError } from './block-node-error.ts';
import { headerTime, type NodeRange, setItems } from './block-node-messages.ts';

/**
 * Number of the first block that begins later than a time, found in some thirty headers; the one behind the last
 * when none does.
 *
 * @throws BlockNodeError
 */
export async function firstBlockAfter(
  time: ConsensusTimestamp,
  range: NodeRange,
  connection: Pick<BlockNodeConnection, 'subscribe'>,
  signal: AbortSignal,
): Promise<bigint> {
  let [low, high] = [range.first, range.last + 1n];
  while (low < high) {
    const middle = (low + high) / 2n;
    if ((await beginOf(middle, connection, signal)) > time) high = middle;
    else low = middle + 1n;
  }
  return low;
}

async function beginOf(
  number: bigint,
  connection: Pick<BlockNodeConnection, 'subscribe'>,
  signal: AbortSignal,
): Promise<ConsensusTimestamp> {
  for await (const message of connection.subscribe({ start: number, end: number }, signal)) {
    if (message.kind !== 'items') break;
    for (const { bytes } of setItems(message.set)) {
      const { nanos, seconds } = headerTime(bytes);
      return timestampFromParts(seconds, nanos);
    }
  }
  throw new BlockNodeError('refused', `sent nothing of block ${number}`);
}
