import { createHash } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { streamInstant } from '../../src/mirror/ingest/units/stream-file-name.ts';
import type { ConsensusTimestamp } from '../../src/values/consensus-timestamp.ts';
import { writeSignatureFile } from './record-file-writer.ts';
import { type StreamOptions, writtenLedger } from './written-ledger.ts';

export type { StreamOptions } from './written-ledger.ts';

/** Where the files of a stream go; paths have `/` and are relative. */
export type WriteFile = (path: string, bytes: Uint8Array) => Promise<void>;

/** What was written. */
export interface WrittenStream {
  readonly files: number;
  readonly transactions: number;
  readonly first: ConsensusTimestamp;
  readonly last: ConsensusTimestamp;
  readonly addressBookSha256: string;
}

/**
 * Writes a signed stream of version 6 record files in the layout `recordstreams/record{account}/`, with its
 * address book at the top: what an importer with default settings takes.
 *
 * @see contracts/streams.md sections 2.3, 4 and 8
 */
export async function writeStream(write: WriteFile, options: StreamOptions = {}): Promise<WrittenStream> {
  const { book, ids, signers, start, units } = writtenLedger(options);
  await write('address_book.bin', book);
  let [files, transactions, last] = [0, 0, start];
  for (const { file, first, items, last: end, sidecar } of units) {
    const compressed = gzipSync(file.bytes);
    const name = streamInstant(first);
    for (const [position, signer] of signers.entries()) {
      const folder = `recordstreams/record${ids.shard}.${ids.realm}.${signer.accountNum}`;
      await write(`${folder}/${name}.rcd_sig`, writeSignatureFile(file, signer));
      if (position >= (options.copies ?? signers.length)) continue;
      await write(`${folder}/${name}.rcd.gz`, compressed);
      if (sidecar !== null) await write(`${folder}/sidecar/${name}_01.rcd.gz`, gzipSync(sidecar));
    }
    files++;
    transactions += items.length;
    last = end;
    options.progress?.(files, transactions);
  }
  const addressBookSha256 = createHash('sha256').update(book).digest('hex');
  return { files, transactions, first: start, last, addressBookSha256 };
}
