import { expect, test } from 'vitest';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import { recordFileV5 } from '../../../../test/kit/mirror/ingest/old-formats.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { writeRecordFile } from '../../../../tools/network/record-file-writer.ts';
import { consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { MIN_INT64 } from '../../../values/int64.ts';
import { noGaps } from '../../ledger/upkeep/ledger-gaps.ts';
import { parseRecordFile } from '../record-file/parse-record-file.ts';
import { ZERO_HASH } from '../sha384.ts';
import { createDirectorySource } from '../source/directory-source.ts';
import { streamInstant } from '../units/stream-file-name.ts';
import { findOpenGap } from './find-open-gap.ts';
import { createImporter } from './importer.ts';

/** Files whose hashes join, with these numbers; null makes one of version 5, which has none. */
function chainOf(numbers: readonly (bigint | null)[]) {
  let hash: Uint8Array = ZERO_HASH;
  const files = numbers.map((number, index): [string, Uint8Array] => {
    const consensus = consensusTimestamp(1_700_000_000_000_000_000n + BigInt(index) * 1_000_000_000n);
    const data = { cryptoTransfer: {} };
    const event = { consensus, validStart: consensus, payer: 800n, data, status: 22, fee: 0n, node: null };
    const items = [ledgerItem(event, { shard: 0n, realm: 0n })];
    const bytes =
      number === null ? recordFileV5(hash, items) : writeRecordFile(items, hash, number, [0, 65, 0]).bytes;
    hash = parseRecordFile(bytes, 'a file').hash;
    return [`/streams/${streamInstant(consensus)}.rcd`, bytes];
  });
  return createDirectorySource('/streams', memoryFileTree(new Map(files)));
}

async function importOf(numbers: readonly (bigint | null)[], gaps = noGaps) {
  const { repository, units } = memoryLedger();
  const source = chainOf(numbers);
  const importer = createImporter({ repository, source, gaps, options: { verify: 'chain' } });
  const { refused } = await importer.run();
  const { gap, state } = importer.state();
  const open = await findOpenGap(source, repository, gaps);
  return { stored: units.length, refused, gap, state, openAt: open?.unit ?? null };
}

const accepted = { ...noGaps, accepts: async () => true };

/** @see contracts/streams.md section 11, rows Next unit, Allowed jumps and Block number */
test.each([
  ['of version 6 behind ones without', [null, null, 77n, 78n], noGaps],
  // Mainnet wrote block 44029066 twice, when nodes restarted within its two seconds.
  ['repeated in a chain', [7n, 8n, 8n, 9n], noGaps],
  ['of a network that is told its own later', [MIN_INT64 + 11n, MIN_INT64 + 12n, 300n, 301n], noGaps],
  ['behind an accepted hole', [5n, 6n, 8n, 9n], accepted],
])('numbers %s are taken', async (_what, numbers, gaps) => {
  const { openAt, refused, state, stored } = await importOf(numbers, gaps);
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
    const found = await importOf(numbers);
    expect(found).toMatchObject({ stored, state, refused: [{ code }] });
    expect(found.gap?.message).toMatch(text);
    // An operator may accept missing blocks, not those of another ledger.
    expect(found.openAt).toBe(state === 'gap' ? found.gap?.name : null);
  },
);
