import { printTimestamp } from '../../values/consensus-timestamp.ts';
import { toHex } from '../../values/hex.ts';
import { word } from '../evm/quantities.ts';
import type { ExactJson } from '../ledger/exact-json.ts';
import type { Block } from './block-repository.ts';

/** As the reference stores it. */
const UNKNOWN_GAS = -1n;

/** One item of `GET /api/v1/blocks`. @see contracts/mirror-roadmap.md, blocks */
export function blockDocument(block: Block): ExactJson {
  return {
    count: block.count,
    gas_used: block.gasUsed === UNKNOWN_GAS ? null : block.gasUsed,
    hapi_version: block.hapiVersion,
    hash: toHex(block.hash),
    logs_bloom: block.logsBloom === null ? null : toHex(block.logsBloom),
    name: block.name,
    number: block.number,
    previous_hash: toHex(block.previousHash),
    receipts_root: block.receiptsRoot === null ? null : word(block.receiptsRoot),
    size: block.size,
    timestamp: { from: printTimestamp(block.consensusStart), to: printTimestamp(block.consensusEnd) },
  };
}
