import type { StreamSource } from '../../../../src/mirror/ingest/units/stream-source.ts';
import { type BlockOptions, writeBlocks } from '../../../../tools/network/write-blocks.ts';
import { blockOf, blockParts, listing } from './listed-blocks.ts';

/** A source of the blocks of a written ledger, from a number on. */
export function writtenBlockSource(options: BlockOptions, from = 0): StreamSource {
  const { blocks, book } = writeBlocks({ keyBits: 1024, ...options });
  const parts = blockParts();
  const units = [...blocks]
    .filter(({ number }) => number >= BigInt(from))
    .map(({ bytes, number }) => blockOf(bytes, `${number}.blk`, parts));
  return {
    ...listing(units),
    addressBook: async () => ({ name: 'address_book.bin', bytes: book }),
  };
}
