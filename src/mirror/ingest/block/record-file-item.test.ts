import { expect, test } from 'vitest';
import { lengthField } from '../../../../test/kit/mirror/ingest/block-bytes.ts';
import { readRecordFileItem } from './rebuild-record-file.ts';

const CONTENTS = lengthField(2, new Uint8Array(3));
const sidecars = (count: number) => Array.from({ length: count }, () => lengthField(3, new Uint8Array()));

test('a wrapped record file has no more sidecars than fit into memory', () => {
  const read = (count: number) => readRecordFileItem(Buffer.concat([CONTENTS, ...sidecars(count)]), 'a.blk');
  expect(read(1000).sidecars).toHaveLength(1000);
  expect(() => read(1001)).toThrow(/more than 1000 sidecars/);
});
