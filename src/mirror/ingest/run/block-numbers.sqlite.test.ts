import { expect, onTestFinished, test } from 'vitest';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { recordFileV5 } from '../../../../test/kit/mirror/ingest/old-formats.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { writeRecordFile } from '../../../../tools/network/record-file-writer.ts';
import { openDatabase } from '../../../storage/open-database.ts';
import { sqliteSql } from '../../../storage/sql/sqlite-sql.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { MIN_INT64 } from '../../../values/int64.ts';
import { createLedgerGaps } from '../../ledger/upkeep/ledger-gaps.sql.ts';
import type { IngestError } from '../errors.ts';
import { parseRecordFile } from '../record-file/parse-record-file.ts';
import { ZERO_HASH } from '../sha384.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { streamInstant } from '../units/stream-file-name.ts';
import { findOpenGap } from './find-open-gap.ts';
import { createImporter } from './importer.ts';

type Files = readonly (readonly [path: string, bytes: Uint8Array])[];

/**
 * Files whose hashes join, with these numbers; null makes one of version 5, which has none.
 *
 * @param hash that the first one names
 */
function chainOf(numbers: readonly (bigint | null)[], second = 0, hash: Uint8Array = ZERO_HASH) {
  let last = hash;
  const files = numbers.map((number, index): [string, Uint8Array] => {
    const at = BigInt(1_700_000_000 + second + index);
    const consensus = consensusTimestamp(at * 1_000_000_000n);
    const data = { cryptoTransfer: {} };
    const event = { consensus, validStart: consensus, payer: 800n, data, status: 22, fee: 0n, node: null };
    const items = [ledgerItem(event, { shard: 0n, realm: 0n })];
    const bytes =
      number === null ? recordFileV5(last, items) : writeRecordFile(items, last, number, [0, 65, 0]).bytes;
    last = parseRecordFile(bytes, 'a file').hash;
    return [`/streams/${streamInstant(consensus)}.rcd`, bytes];
  });
  return { files, last };
}

/** A ledger with the table of its gaps. */
function numberedLedger() {
  const { repository, units } = memoryLedger();
  const database = openDatabase(':memory:');
  onTestFinished(() => void database.close());
  const gaps = createLedgerGaps(sqliteSql(database));
  const sourceOf = (files: Files) => createDirectorySource('/streams', memoryFileTree(new Map(files)));
  return {
    numbers: () => units.map(({ header }) => header.blockNumber),
    async import(files: Files) {
      const source = sourceOf(files);
      const importer = createImporter({ repository, source, gaps, options: { verify: 'chain' } });
      const { refused } = await importer.run();
      const { gap, state } = importer.state();
      const openAt = await findOpenGap(source, repository, gaps).then(
        (open) => open?.unit ?? null,
        (error: IngestError) => error.code,
      );
      return { stored: units.length, refused, gap, state, openAt };
    },
    /** As `ledger accept-gap` does; null when it finds none. */
    async accept(files: Files) {
      const gap = await findOpenGap(sourceOf(files), repository, gaps);
      if (gap !== null) await gaps.accept({ ...gap, reason: 'lost' });
      return gap?.unit ?? null;
    },
  };
}

/** @see contracts/streams.md section 11, rows Next unit, Allowed jumps and Block number */
test.each([
  ['of version 6 behind ones without', [null, null, 77n, 78n]],
  // Mainnet wrote block 44029066 twice, when nodes restarted within its two seconds.
  ['repeated in a chain', [7n, 8n, 8n, 9n]],
  ['of a network whose own are known later', [MIN_INT64 + 11n, MIN_INT64 + 12n, 300n, 301n]],
])('numbers %s are taken', async (_what, numbers) => {
  const { openAt, refused, state, stored } = await numberedLedger().import(chainOf(numbers).files);
  expect({ openAt, refused, state, stored }).toEqual({
    openAt: null,
    refused: [],
    state: 'finished',
    stored: 4,
  });
});

test.each([
  ['a hole', [5n, 6n, 8n, 9n], 2, 'chain_mismatch', 'gap', /expected block 7, found block 8$/],
  [
    'a hole behind files without',
    [null, 5n, 7n],
    2,
    'chain_mismatch',
    'gap',
    /expected block 6, found block 7$/,
  ],
  ['one that the ledger has', [0n, 1n, 2n, 0n], 3, 'fork', 'fork', /is block 0, but .* ends with block 2/],
])(
  'numbers with %s stop the import, although the hashes join',
  async (_what, numbers, stored, code, state, text) => {
    const found = await numberedLedger().import(chainOf(numbers).files);
    expect(found).toMatchObject({ stored, state, refused: [{ code }] });
    expect(found.gap?.message).toMatch(text);
    // An operator may accept missing blocks, not those of another ledger.
    expect(found.openAt).toBe(state === 'gap' ? found.gap?.name : 'fork');
  },
);

test.each([
  ['earlier ones', [3n, 4n, 5n, 6n, 7n]],
  ['the last one', [6n, 7n]],
  ['the last one of less than 0', [MIN_INT64, MIN_INT64 + 1n], [MIN_INT64, MIN_INT64 + 1n]],
])(
  'numbers of another ledger, %s, stop the import and cannot be accepted',
  async (_what, numbers, own = [5n, 6n]) => {
    const ledger = numberedLedger();
    await ledger.import(chainOf(own).files);
    const { files } = chainOf(numbers, own.length, new Uint8Array(48).fill(7));
    expect(await ledger.import(files)).toMatchObject({ state: 'gap', openAt: 'fork' });
    await expect(ledger.accept(files)).rejects.toThrow('is of another ledger');
    expect(ledger.numbers()).toEqual(own);
  },
);

test('an accepted hole whose hashes join lets only the file behind it pass', async () => {
  const ledger = numberedLedger();
  const { files: own, last } = chainOf([5n, 6n]);
  const { files: behind } = chainOf([8n, 9n], 4, last);
  await ledger.import(own);
  expect(await ledger.accept(behind)).toBe(behind[0]?.[0].replace('/streams/', ''));
  for (const [numbers, second, state] of [
    [[2n, 3n], 4, 'fork'],
    [[11n, 12n], 6, 'gap'],
  ] as const) {
    expect(await ledger.import(chainOf(numbers, second, last).files)).toMatchObject({ state, stored: 2 });
  }
  expect(await ledger.import(behind)).toMatchObject({ state: 'finished', refused: [], openAt: null });
  expect(ledger.numbers()).toEqual([5n, 6n, 8n, 9n]);
});
