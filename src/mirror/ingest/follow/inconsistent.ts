import { IngestError } from '../errors.ts';
import type { PeerBlock } from './peer-block.ts';

/**
 * Another mirror contradicts itself, or is still storing what it tells of: nothing of the block is taken.
 *
 * @param block null when it is not known which
 */
export function inconsistent(
  block: Pick<PeerBlock, 'number' | 'name'> | null,
  what: string,
  cause?: unknown,
): IngestError {
  const where = block === null ? '' : `Block ${block.number} (${block.name}): `;
  return new IngestError('inconsistent_source', `${where}${what}`, { cause });
}
