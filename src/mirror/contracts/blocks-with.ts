import type { BlockHead, BlockRepository } from '../blocks/block-repository.ts';

/** The blocks that contain some times, by the time; those of no block are left out. */
export async function blocksWith(
  blocks: Pick<BlockRepository, 'endingAtOrAfter'>,
  times: readonly bigint[],
): Promise<ReadonlyMap<bigint, BlockHead>> {
  if (times.length === 0) return new Map();
  const following = await blocks.endingAtOrAfter(times);
  return new Map([...following].filter(([time, block]) => block.consensusStart <= time));
}
