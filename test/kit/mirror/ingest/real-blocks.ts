import { readFileSync } from 'node:fs';
import { type ParsedBlock, parseBlock } from '../../../../src/mirror/ingest/block/parse-block.ts';
import { unpackBlock } from '../../../../src/mirror/ingest/block/unpack-block.ts';
import { type BlockFacts, type BlockSetFacts, blockSets, streamPath } from './stream-facts.ts';

/** A native block of the shared data with what is known of it. */
export interface RealBlock {
  readonly set: string;
  readonly facts: BlockFacts;
  readonly block: ParsedBlock;
}

/** The native blocks of a set in order, or of all sets; empty when the shared folder is absent. */
export function nativeBlocks(set?: string): readonly RealBlock[] {
  return blockSets()
    .filter((each) => set === undefined || each.set === set)
    .flatMap((each: BlockSetFacts) =>
      each.files
        .filter(({ wrapped }) => wrapped === undefined)
        .map((facts) => {
          const raw = readFileSync(streamPath(facts.file));
          return { set: each.set, facts, block: parseBlock(unpackBlock(raw, facts.file), facts.file) };
        }),
    );
}
