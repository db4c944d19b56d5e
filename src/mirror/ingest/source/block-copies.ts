import type { BlockUnit } from '../block/block-unit.ts';
import { IngestError } from '../errors.ts';
import { sameBytes } from '../sha384.ts';
import type { StreamUnit, UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';

/** One copy of a block, and who made it. */
export interface BlockCopy {
  readonly unit: BlockUnit;
  /** Empty where nobody knows it. */
  readonly node: string;
}

/**
 * A block of which several copies are there: the first that holds is taken, one that is proven before one that is not.
 * Copies with other bytes are tried too, as two blocks of one number that are proven alike are a fork.
 */
export function blockOfCopies(copies: readonly [BlockCopy, ...BlockCopy[]]): StreamUnit {
  const [{ unit }] = copies;
  const different = copies.filter(
    (copy, index) => copies.findIndex((other) => sameBytes(other.unit.bytes, copy.unit.bytes)) === index,
  );
  if (different.length === 1) return unit;
  return { ...unit, verify: (demands) => verifyCopies(different, { ...demands, mayProveLater: false }) };
}

async function verifyCopies(copies: readonly BlockCopy[], demands: UnitDemands): Promise<VerifiedUnit> {
  const held: VerifiedUnit[] = [];
  let failure: unknown = null;
  for (const { node, unit } of copies) {
    const verified = await unit.verify(demands).catch((error: unknown) => {
      if (!(error instanceof IngestError)) throw error;
      demands.onRejected?.(node, error.code);
      // A copy that fails the chain check alone is intact.
      if (failure === null || error.code === 'chain_mismatch') failure = error;
      return null;
    });
    if (verified !== null) held.push(verified);
  }
  // What only says that it is newer does not stand beside what is proven.
  const proven = held.filter(isProven);
  const [found, ...others] = proven.length > 0 ? proven : held;
  if (found === undefined) throw failure;
  if (others.some(({ header }) => !sameBytes(header.hash, found.header.hash))) {
    throw new IngestError(
      'fork',
      `There are two valid blocks ${copies[0]?.unit.blockNumber} (${found.header.name} and others): the network has forked, or one copy is forged`,
    );
  }
  return found;
}

function isProven({ header }: VerifiedUnit): boolean {
  return header.verification === 'signatures';
}

/**
 * A record file that is there as a wrapped block too. The block is taken, whose root native blocks after it name, and of the
 * record file the sidecars that the block does not have; the record file alone when the block does not hold.
 */
export function blockWithRecord(block: StreamUnit, record: StreamUnit): StreamUnit {
  if (!record.isThere) return block;
  return {
    ...block,
    // That of a block that cannot be read is a guess.
    instant: record.instant,
    async verify(demands) {
      let verified: VerifiedUnit;
      try {
        verified = await block.verify(demands);
      } catch (error) {
        if (!(error instanceof IngestError) || error.code === 'fork') throw error;
        demands.onRejected?.('', error.code);
        return record.verify(demands).catch(() => {
          throw error;
        });
      }
      if ('rows' in verified || verified.sidecars.every(({ contents }) => contents !== null)) return verified;
      const other = await record.verify(demands).catch(() => null);
      if (other === null || 'rows' in other) return verified;
      return { ...verified, sidecars: other.sidecars, sidecarRecords: other.sidecarRecords };
    },
  };
}
