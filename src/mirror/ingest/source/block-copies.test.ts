import { expect, test } from 'vitest';
import type { BlockUnit } from '../block/block-unit.ts';
import { IngestError } from '../errors.ts';
import type { UnitDemands, VerifiedUnit } from '../units/stream-unit.ts';
import { type BlockCopy, blockOfCopies } from './block-pages.ts';

type Found = 'signatures' | 'chain' | 'bad_block_proof';

/** A copy with bytes, hash and outcome of its own. */
function copy(id: number, found: Found): BlockCopy {
  const verify = async (demands: UnitDemands) => {
    if (found === 'bad_block_proof') throw new IngestError(found, `copy ${id}`);
    // What may wait tells nothing yet.
    const verification = demands.mayProveLater === true ? 'chain' : found;
    return { header: { hash: Uint8Array.of(id), name: String(id), verification } } as VerifiedUnit;
  };
  return { node: `0.0.${id}`, unit: { blockNumber: 9n, bytes: Uint8Array.of(id), verify } as BlockUnit };
}

async function taken(...copies: [BlockCopy, ...BlockCopy[]]): Promise<string> {
  const demands: UnitDemands = {
    mode: 'signatures',
    consensusRatio: [1n, 3n],
    keys: null,
    previous: null,
    mayProveLater: true,
  };
  try {
    return (await blockOfCopies(copies).verify(demands)).header.name;
  } catch (error) {
    return (error as IngestError).code;
  }
}

test.each([
  ['a proven copy is taken, whatever lies before it', [copy(1, 'chain'), copy(2, 'signatures')], '2'],
  ['a proven copy is taken, whatever lies behind it', [copy(1, 'signatures'), copy(2, 'chain')], '1'],
  ['two different proven copies are a fork', [copy(1, 'signatures'), copy(2, 'signatures')], 'fork'],
  ['two different unproven copies are a fork', [copy(1, 'chain'), copy(2, 'chain')], 'fork'],
  [
    'two different unproven copies do not stop a proven one',
    [copy(1, 'chain'), copy(2, 'chain'), copy(3, 'signatures')],
    '3',
  ],
  ['a refused copy is passed over', [copy(1, 'bad_block_proof'), copy(2, 'signatures')], '2'],
  [
    'without any that holds, the refusal is reported',
    [copy(1, 'bad_block_proof'), copy(2, 'bad_block_proof')],
    'bad_block_proof',
  ],
] as const)('%s', async (_what, copies, expected) => {
  expect(await taken(...(copies as unknown as [BlockCopy, ...BlockCopy[]]))).toBe(expected);
});
