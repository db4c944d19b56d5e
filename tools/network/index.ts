/**
 * A made-up network that writes what a real one publishes: signed record files with sidecars, or blocks. `generate`,
 * `demo` and the tests use it.
 *
 * What it promises: the same options give the same bytes; every file verifies; nothing succeeds that a network would
 * refuse. It executes no contracts: results, logs and traces agree with each other, not with any code.
 */
export type { WrittenCall, WrittenContract } from './contract-events.ts';
export { writeIntoFolder } from './folder-writer.ts';
export { LEDGER_MIXES, type LedgerMix } from './ledger-script.ts';
export { gasPriceFile } from './system-files.ts';
export { type BlockOptions, writeBlocks } from './write-blocks.ts';
export { type StreamOptions, type WrittenStream, writeStream } from './write-stream.ts';
