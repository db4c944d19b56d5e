// Child process of the benchmarks: the importer with its defaults on a database file, and nothing else.
// Run: node --import tsx import-process.ts FOLDER DATABASE [LEVEL]
import { createDirectorySource } from '../../src/mirror/ingest/source/directory-source.ts';
import { systemFileTree } from '../../src/mirror/ingest/source/file-tree.ts';
import { printTimedImport } from './timed-import.ts';

const [folder = '', file = '', level = 'signatures'] = process.argv.slice(2);
await printTimedImport({
  file,
  level,
  sampleEvery: 100_000,
  source: () => createDirectorySource(folder, systemFileTree),
});
