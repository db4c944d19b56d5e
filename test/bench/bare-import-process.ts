// Child process of the benchmarks: decodes the record files of a folder and inserts the rows that an import made
// of them, and nothing else: no hash, no signature, no JSON, no balance. Reading the rows is not timed.
// Run: node --import tsx bare-import-process.ts FOLDER IMPORTED_DATABASE DATABASE UNITS_PER_COMMIT
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { messages, messageType } from '../../src/mirror/protobuf/messages.ts';
import { insertImported } from './insert-imported.ts';

const RecordStreamFile = messageType<{
  readonly recordStreamItems: readonly { readonly transaction: unknown; readonly record: unknown }[];
}>('proto.RecordStreamFile');

const [folder = '', importedFile = '', file = '', unitsPerCommit = '1'] = process.argv.slice(2);
const paths = recordFiles(folder);
insertImported(importedFile, file, Number(unitsPerCommit), (name) =>
  decode(readFileSync(paths.get(name) ?? '')),
);

function decode(compressed: Uint8Array): number {
  const items = RecordStreamFile.decode(gunzipSync(compressed).subarray(4)).recordStreamItems;
  for (const { transaction } of items) {
    const { signedTransactionBytes } = transaction as { signedTransactionBytes: Uint8Array };
    messages.TransactionBody.decode(messages.SignedTransaction.decode(signedTransactionBytes).bodyBytes);
  }
  return items.length;
}

function recordFiles(path: string): ReadonlyMap<string, string> {
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return new Map(
    entries
      .filter((name) => /\.rcd(\.gz)?$/.test(name) && !name.includes('sidecar'))
      .map((name) => [name.split('/').at(-1) ?? '', join(path, name)]),
  );
}
