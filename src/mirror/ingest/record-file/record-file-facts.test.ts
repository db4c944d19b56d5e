import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { recordSets, streamPath } from '../../../../test/kit/mirror/ingest/stream-facts.ts';
import { describeShared } from '../../../../test/support/shared-suites.ts';
import { printTimestamp } from '../../../values/consensus-timestamp.ts';
import { bareHex } from '../../../values/hex.ts';
import { decodeItem } from '../../items/decoded-item.ts';
import { messages } from '../../protobuf/messages.ts';
import { TYPE } from '../../vocabulary/transaction-types.ts';
import { sha384 } from '../sha384.ts';
import { decompress, parseRecordFile, recordFileHash } from './parse-record-file.ts';
import { runningHash } from './running-hash.ts';

const typeNames = new Map<number, string>(Object.entries(TYPE).map(([name, number]) => [number, name]));

describeShared('parseRecordFile on real files', () => {
  const files = recordSets().flatMap(({ files }) => files.map((facts) => [facts.file, facts] as const));
  test.each(files)('%s is what the facts say', (name, facts) => {
    const raw = readFileSync(streamPath(name));
    expect(createHash('sha256').update(raw).digest('hex')).toBe(facts.sha256);
    const bytes = decompress(raw, name);
    const file = parseRecordFile(bytes, name);
    expect(file.uncompressedSize).toBe(facts.uncompressed_size);
    expect(file.version).toBe(facts.version);
    expect(file.hapiVersion).toBe(file.version < 5 ? null : String(facts.hapi_version));
    expect(file.blockNumber?.toString() ?? null).toBe(facts.block_number);
    expect(file.items).toHaveLength(facts.count);
    expect(bareHex(file.previousHash)).toBe(facts.previous_hash);
    expect(bareHex(file.hash)).toBe(facts.hash);
    expect(bareHex(file.fileHash)).toBe(facts.file_hash);
    expect(bareHex(recordFileHash(bytes, name))).toBe(facts.file_hash);
    expect(file.metadataHash === null ? null : bareHex(file.metadataHash)).toBe(facts.metadata_hash);
    if (facts.running_hash_recomputed === true) {
      expect(bareHex(runningHash(file.previousHash, file.items))).toBe(facts.hash);
    }
  });

  test.each(files)('the items of %s decode to the counted types and results', (name, facts) => {
    const items = parseRecordFile(decompress(readFileSync(streamPath(name)), name), name).items.map(
      decodeItem,
    );
    expect(printTimestamp(items.at(0)?.consensusTimestamp ?? 0n)).toBe(facts.consensus_start);
    expect(printTimestamp(items.at(-1)?.consensusTimestamp ?? 0n)).toBe(facts.consensus_end);
    expect(count(items.map(({ type }) => typeNames.get(type) ?? `type ${type}`))).toEqual(facts.types);
    expect(items.filter(({ result }) => result === 22)).toHaveLength(facts.results['SUCCESS'] ?? 0);
    expect(items.filter(({ body }) => (body.transactionID?.nonce ?? 0) > 0)).toHaveLength(
      facts.child_records,
    );
    expect(items.filter(({ record }) => record.scheduleRef !== null)).toHaveLength(facts.scheduled_records);
    for (const { item, hash } of items) {
      const { signedTransactionBytes } = messages.Transaction.decode(item.transaction);
      expect(bareHex(hash)).toBe(
        bareHex(sha384(signedTransactionBytes.length > 0 ? signedTransactionBytes : item.transaction)),
      );
    }
  });

  const sidecars = files.flatMap(([name, { sidecars = [] }]) =>
    sidecars.map((sidecar) => [sidecar.file, name, sidecar] as const),
  );
  test.each(sidecars)(
    'the sidecar %s has the hash and the records that its record file names',
    (path, name, facts) => {
      const bytes = decompress(readFileSync(streamPath(path)), path);
      const file = parseRecordFile(decompress(readFileSync(streamPath(name)), name), name);
      const named = file.sidecars.find(({ id }) => id === facts.id);
      expect(bareHex(named?.hash ?? new Uint8Array())).toBe(facts.hash);
      expect(bareHex(sha384(bytes))).toBe(facts.hash);
      expect(messages.SidecarFile.decode(bytes).sidecarRecords).toHaveLength(facts.records);
    },
  );
});

function count(names: readonly string[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
