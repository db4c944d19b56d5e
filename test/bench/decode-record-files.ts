import { readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { parseStreamFileName } from '../../src/mirror/ingest/units/stream-file-name.ts';
import { messages, messageType } from '../../src/mirror/protobuf/messages.ts';

/** Paths of a record file and its sidecars. */
interface Files {
  record: string;
  readonly sidecars: string[];
}

const RecordStreamFile = messageType<{
  readonly recordStreamItems: readonly { readonly transaction: unknown; readonly record: unknown }[];
}>('proto.RecordStreamFile');

/** Decodes the record files of a folder by name, with their sidecars, and nothing else. @returns how many transactions one has */
export function decodeRecordFiles(folder: string): (name: string) => number {
  const files = filesByInstant(folder);
  return (name) => {
    const { record, sidecars } = files.get(instantOf(name)) ?? { record: '', sidecars: [] };
    const items = RecordStreamFile.decode(gunzipSync(readFileSync(record)).subarray(4)).recordStreamItems;
    for (const { transaction } of items) {
      const { signedTransactionBytes } = transaction as { signedTransactionBytes: Uint8Array };
      messages.TransactionBody.decode(messages.SignedTransaction.decode(signedTransactionBytes).bodyBytes);
    }
    for (const sidecar of sidecars) messages.SidecarFile.decode(gunzipSync(readFileSync(sidecar)));
    return items.length;
  };
}

function filesByInstant(folder: string): ReadonlyMap<bigint, Files> {
  const found = new Map<bigint, Files>();
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    const name = parseStreamFileName(basename(path));
    if (name?.kind !== 'record' && name?.kind !== 'sidecar') continue;
    const files = found.get(name.instant) ?? { record: '', sidecars: [] };
    if (name.kind === 'record') files.record = join(folder, path);
    else files.sidecars.push(join(folder, path));
    found.set(name.instant, files);
  }
  return found;
}

function instantOf(name: string): bigint {
  const read = parseStreamFileName(name);
  return read?.kind === 'record' ? read.instant : -1n;
}
