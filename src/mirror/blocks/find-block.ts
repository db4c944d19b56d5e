import { parseHex } from '../../values/hex.ts';
import { invalidRequest, messages, notFoundError } from '../errors.ts';
import { printExactJson } from '../ledger/exact-json.ts';
import { readBlockNumber } from '../parameters/block-number.ts';
import { checkParameters } from '../parameters/check-parameters.ts';
import { readQuery } from '../parameters/query-text.ts';
import { blockDocument } from './block-document.ts';
import type { Block, BlockRepository } from './block-repository.ts';

/** All 48 bytes, or the 32 that EVM tools use. */
const HASH = /^(?:0x)?(?:[\dA-Fa-f]{96}|[\dA-Fa-f]{64})$/;

/**
 * Answers `GET /api/v1/blocks/{number or hash}`.
 *
 * @throws MirrorApiError 400 for another form or any parameter, 404 when there is no such block.
 * @see contracts/mirror-roadmap.md, blocks
 */
export async function findBlock(
  hashOrNumber: string,
  target: string,
  { blocks, maxRepeated }: { readonly blocks: BlockRepository; readonly maxRepeated: number },
): Promise<string> {
  checkParameters(readQuery(target), {}, maxRepeated);
  const block = await lookUp(hashOrNumber, blocks);
  if (block === null) throw notFoundError();
  return printExactJson(blockDocument(block));
}

function lookUp(text: string, blocks: BlockRepository): Promise<Block | null> {
  if (HASH.test(text)) return blocks.byHash(parseHex(text) ?? new Uint8Array());
  const number = readBlockNumber(text);
  if (number === null) throw invalidRequest([messages.invalidParameter('hashOrNumber')]);
  return blocks.byNumber(number);
}
