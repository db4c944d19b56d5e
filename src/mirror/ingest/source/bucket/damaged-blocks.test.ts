import { describe, expect, test } from 'vitest';
import { blockParts } from '../../../../../test/kit/mirror/ingest/listed-blocks.ts';
import { memoryLedger } from '../../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { memoryObjectStore } from '../../../../../test/kit/mirror/ingest/memory-object-store.ts';
import { writeBlocks } from '../../../../../tools/network/write-blocks.ts';
import { ManualClock } from '../../../../values/clock.ts';
import { createBlockUnit } from '../../block/block-unit.ts';
import { blockKey, createBlockBucket } from './block-bucket.ts';

const BASE = 'blocks/';
const DAMAGED = 3;
const { blocks } = writeBlocks({ files: 6, transactionsPerFile: 2, keyBits: 1024 });
const PACKED = [...blocks].map(({ bytes, number }) => ({ number, bytes: zstd(bytes) }));

/** A frame that states its size, of blocks that are not compressed; four bytes of checksum, which fits nothing. */
function zstd(bytes: Uint8Array, stated = bytes.length, flags = 0xa0): Buffer {
  const size = Buffer.alloc(4);
  size.writeUInt32LE(stated);
  const chunks: Uint8Array[] = [Uint8Array.from([0x28, 0xb5, 0x2f, 0xfd, flags]), size];
  for (let at = 0; at < bytes.length; at += 65_536) {
    const part = bytes.subarray(at, at + 65_536);
    const head = (part.length << 3) | (at + part.length === bytes.length ? 1 : 0);
    chunks.push(Uint8Array.from([head & 0xff, (head >> 8) & 0xff, head >> 16]), part);
  }
  return Buffer.concat(chunks);
}

function changed(bytes: Uint8Array, at: number, value: number): Buffer {
  const copy = Buffer.from(bytes);
  copy[at] = value;
  return copy;
}

const whole = PACKED[DAMAGED]?.bytes ?? Buffer.alloc(0);
const SKIPPABLE = Uint8Array.from([0x50, 0x2a, 0x4d, 0x18, 0xff, 0xff, 0xff, 0xff]);

describe('a damaged block of zstd in a bucket is refused by name, nothing behind it is stored, and a whole one continues', () => {
  test.each<[string, Uint8Array]>([
    ['empty', new Uint8Array()],
    ['its magic bytes alone', whole.subarray(0, 4)],
    ['cut in the header', whole.subarray(0, 7)],
    ['cut in a block', whole.subarray(0, whole.length >> 1)],
    ['without its last byte', whole.subarray(0, -1)],
    ['with bytes behind it', Buffer.concat([whole, Buffer.from('rest')])],
    ['twice', Buffer.concat([whole, whole])],
    ['of another magic', changed(whole, 0, 0x29)],
    ['with a reserved type of block', changed(whole, 9, 0x07)],
    ['with a dictionary that nobody has', changed(whole, 4, 0xa3)],
    ['that states four gigabytes', zstd(Buffer.from('abc'), 0xffff_ffff)],
    ['that states less than it has', zstd(whole.subarray(12), 3)],
    ['with a checksum that is cut off', changed(whole, 4, 0xa4)],
    ['with a changed byte of its content', changed(whole, 20, (whole[20] ?? 0) ^ 0x55)],
    ['that skips beyond its end', Buffer.concat([SKIPPABLE, whole])],
    ['of zeros', Buffer.alloc(whole.length)],
  ])('%s', async (_, bytes) => {
    const store = memoryObjectStore();
    for (const { number, bytes: good } of PACKED) store.objects.set(blockKey(BASE, number, 'blk.zstd'), good);
    const key = blockKey(BASE, BigInt(DAMAGED), 'blk.zstd');
    store.objects.set(key, Buffer.from(bytes));
    const parts = blockParts();
    const source = createBlockBucket({
      name: 's3://blocks',
      bucket: 's3://blocks',
      store,
      top: '',
      clock: new ManualClock(0),
      makeUnit: (block) => createBlockUnit(block, parts),
    });
    const ledger = memoryLedger();
    const fault = await ledger.import(source, { verify: 'chain' }).then(
      ({ refused }) => refused[0]?.message,
      (error: Error) => error.message,
    );
    expect(fault).toMatch(/\b003\.blk\.zstd\b/);
    expect(ledger.units.map(({ header }) => header.blockNumber)).toEqual([0n, 1n, 2n]);
    store.objects.set(key, whole);
    expect(await ledger.import(source, { verify: 'chain' })).toMatchObject({ units: 3, refused: [] });
  });
});
