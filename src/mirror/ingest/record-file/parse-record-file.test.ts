import { expect, test } from 'vitest';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { writeRecordFile } from '../../../../tools/network/record-file-writer.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { ZERO_HASH } from '../sha384.ts';
import { parseRecordFile } from './parse-record-file.ts';

const AT = consensusTimestamp(1_700_000_000_000_000_000n);
const ITEM = ledgerItem(
  {
    consensus: AT,
    validStart: AT,
    payer: 800n,
    data: { cryptoTransfer: {} },
    status: 22,
    fee: 0n,
    node: null,
  },
  { shard: 0n, realm: 0n },
);
const { bytes } = writeRecordFile([ITEM, ITEM], ZERO_HASH, 7n, [0, 65, 0]);
/** `block_number`, again and again: the last one counts. */
const NUMBER_8 = Buffer.from([0x28, 8]);
const withMore = (count: number) => Buffer.concat([bytes, Buffer.alloc(2 * count, NUMBER_8)]);

test('a file of version 6 has its items and its small members, wherever they stand', () => {
  expect(parseRecordFile(bytes, 'a.rcd')).toMatchObject({ blockNumber: 7n, items: [ITEM, ITEM] });
  expect(parseRecordFile(withMore(1000), 'a.rcd')).toMatchObject({ blockNumber: 8n, items: [ITEM, ITEM] });
});

test('one of more members than any real one is refused', () => {
  expect(() => parseRecordFile(withMore(1_000_000), 'a.rcd')).toThrow(
    expect.objectContaining({
      code: 'malformed',
      message: expect.stringContaining('more than 800000 members'),
    }),
  );
});
