import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { messages, messageType } from '../../src/mirror/protobuf/messages.ts';

const RecordStreamFile = messageType<{
  readonly recordStreamItems: readonly { readonly transaction: unknown; readonly record: unknown }[];
}>('proto.RecordStreamFile');

/** Decodes the record files of a folder by name, and nothing else. @returns how many transactions one has */
export function decodeRecordFiles(folder: string): (name: string) => number {
  const paths = recordFiles(folder);
  return (name) => {
    const compressed = readFileSync(paths.get(name) ?? '');
    const items = RecordStreamFile.decode(gunzipSync(compressed).subarray(4)).recordStreamItems;
    for (const { transaction } of items) {
      const { signedTransactionBytes } = transaction as { signedTransactionBytes: Uint8Array };
      messages.TransactionBody.decode(messages.SignedTransaction.decode(signedTransactionBytes).bodyBytes);
    }
    return items.length;
  };
}

function recordFiles(path: string): ReadonlyMap<string, string> {
  const entries = readdirSync(path, { recursive: true, encoding: 'utf8' });
  return new Map(
    entries
      .filter((name) => /\.rcd(\.gz)?$/.test(name) && !name.includes('sidecar'))
      .map((name) => [name.split('/').at(-1) ?? '', join(path, name)]),
  );
}
