// Child process of the benchmarks: decodes the record files of a folder and inserts the rows that an import made
// of them, and nothing else: no hash, no signature, no JSON, no balance. Reading the rows is not timed.
// Run: node --import tsx bare-import-process.ts FOLDER IMPORTED_DATABASE DATABASE UNITS_PER_COMMIT
import { decodeRecordFiles } from './decode-record-files.ts';
import { insertImported } from './insert-imported.ts';

const [folder = '', importedFile = '', file = '', unitsPerCommit = '1'] = process.argv.slice(2);
insertImported(importedFile, file, Number(unitsPerCommit), decodeRecordFiles(folder));
