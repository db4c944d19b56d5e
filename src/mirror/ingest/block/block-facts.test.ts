import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { type BlockFacts, blockSets, streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { bareHex } from '../../../values/hex.ts';
import { ITEM } from '../block-records/field-numbers.ts';
import { rootOfEdge, treeBefore } from './chain-links.ts';
import { blockRoots } from './native-block.ts';
import { type ParsedBlock, parseBlock, parseBlockBegin } from './parse-block.ts';
import { unpackBlock } from './unpack-block.ts';

const NAMES: Readonly<Record<string, number>> = {
  block_header: ITEM.header,
  event_header: ITEM.eventHeader,
  round_header: ITEM.roundHeader,
  signed_transaction: ITEM.signedTransaction,
  transaction_result: ITEM.transactionResult,
  transaction_output: ITEM.transactionOutput,
  state_changes: ITEM.stateChanges,
  block_proof: ITEM.proof,
  record_file: ITEM.recordFile,
  trace_data: ITEM.traceData,
  block_footer: ITEM.footer,
};

function read({ file }: BlockFacts): ParsedBlock {
  return parseBlock(unpackBlock(readFileSync(streamPath(file)), file), file);
}

function rootOf(facts: BlockFacts): Uint8Array {
  const roots = blockRoots(read(facts));
  const root = facts.root_algorithm === '16-leaf' ? roots[16] : roots[8];
  if (root === null) throw new Error('no root');
  return root;
}

describeShared('parseBlock on real files', () => {
  const sets = blockSets();
  const files = sets.flatMap((set) => set.files.map((facts) => [facts.file, facts] as const));
  test.each(files)('%s is what the facts say', (name, facts) => {
    const raw = readFileSync(streamPath(name));
    expect(createHash('sha256').update(raw).digest('hex')).toBe(facts.sha256);
    const bytes = unpackBlock(raw, name);
    expect([raw.length, bytes.length]).toEqual([facts.size, facts.uncompressed_size]);
    const block = parseBlock(bytes, name);
    expect(parseBlockBegin(bytes, name)).toEqual({
      header: block.header,
      isWrapped: facts.wrapped !== undefined,
    });
    expect(block.header.number).toBe(BigInt(facts.block_number));
    const { major, minor, patch } = block.header.hapiVersion;
    expect(`${major}.${minor}.${patch}`).toBe(facts.hapi_version);
    const counts = Object.keys(facts.items).map((item) => {
      const found = block.items.filter(({ field }) => field === NAMES[item]).length;
      return [item, item === 'block_footer' ? 1 : item === 'block_proof' ? block.proofs.length : found];
    });
    expect(Object.fromEntries(counts)).toEqual(facts.items);
    expect(bareHex(rootOf(facts))).toBe(facts.root_hash);
    expect(bareHex(block.footer.previousRoot)).toBe(facts.previous_root_hash);
    expect(bareHex(block.footer.allBlocksRoot)).toBe(facts.all_blocks_root);
  });

  test.each(sets.filter(({ set }) => set !== 'blocks-wrapped-mainnet'))(
    '$set links as the facts say',
    (set) => {
      const blocks = set.files.map(read);
      const roots = set.files.map(rootOf);
      const links = blocks
        .slice(1)
        .map(
          ({ footer }, index) => bareHex(footer.previousRoot) === bareHex(roots[index] ?? new Uint8Array()),
        );
      expect(links).toEqual(set.links_ok);
      let edge: Uint8Array | null = null;
      const trees = blocks.map(({ footer, header }, index) => {
        const root = roots[index - 1] ?? null;
        edge = treeBefore(index === 0 ? null : { tree: edge, root, blockNumber: header.number - 1n });
        return edge !== null && bareHex(rootOfEdge(edge)) === bareHex(footer.allBlocksRoot);
      });
      expect(trees).toEqual(set.all_blocks_root_ok);
    },
  );
});
