/**
 * The front door of ingestion: a source, an importer that carries it into the ledger, and a writer of streams.
 */
export type { LedgerLookup } from './decode/known-entities.ts';
export { IngestError, type IngestErrorCode } from './errors.ts';
export type { ImportProgress, ImportReport, RefusedUnit } from './report/import-report.ts';
export type { IngestLog } from './report/ingest-log.ts';
export { describeIngestState, type IngestState } from './report/ingest-state.ts';
export { createImporter, type Importer, type ImporterDependencies } from './run/importer.ts';
export type { ImporterOptions } from './run/importer-options.ts';
export { createDirectorySource, readAddressBookFile } from './source/directory-source.ts';
export { type FileTree, systemFileTree } from './source/file-tree.ts';
export type { WrittenContract } from './stream-writer/contract-events.ts';
export { writeIntoFolder } from './stream-writer/folder-writer.ts';
export { LEDGER_MIXES, type LedgerMix } from './stream-writer/ledger-script.ts';
export type { SystemFile } from './stream-writer/network-events.ts';
export { gasPriceFile } from './stream-writer/system-files.ts';
export { type BlockOptions, type LedgerBlock, writeBlocks } from './stream-writer/write-blocks.ts';
export {
  type StreamOptions,
  type WriteFile,
  type WrittenStream,
  writeStream,
} from './stream-writer/write-stream.ts';
export type { NamedBytes, StreamSource } from './units/stream-source.ts';
export type { VerifyMode } from './units/stream-unit.ts';
