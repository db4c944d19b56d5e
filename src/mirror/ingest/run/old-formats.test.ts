import { describe, expect, test } from 'vitest';
import { memoryFileTree } from '../../../../test/kit/mirror/ingest/memory-file-tree.ts';
import { memoryLedger } from '../../../../test/kit/mirror/ingest/memory-ledger.ts';
import {
  recordFileV1V2,
  recordFileV5,
  signatureFileV2,
  signatureFileV5,
} from '../../../../test/kit/mirror/ingest/old-formats.ts';
import { ledgerItem } from '../../../../tools/network/ledger-item.ts';
import { makeNodeSigners } from '../../../../tools/network/node-signer.ts';
import { writeRecordFile, writeSignatureFile } from '../../../../tools/network/record-file-writer.ts';
import { seededRandom } from '../../../../tools/network/seeded-random.ts';
import { type ConsensusTimestamp, consensusTimestamp } from '../../../values/consensus-timestamp.ts';
import { messages } from '../../protobuf/messages.ts';
import { parseRecordFile } from '../record-file/parse-record-file.ts';
import { ZERO_HASH } from '../sha384.ts';
import { parseSignatureFile } from '../signature/parse-signature-file.ts';
import { createDirectorySource } from '../source/directory-source.ts';

const ids = { shard: 0n, realm: 0n };
const [signer] = makeNodeSigners(1, seededRandom('old formats'), 1024);
if (signer === undefined) throw new Error('one signer was asked for');

const START = 1_569_000_000_000_000_000n;
const secondsLater = (seconds: bigint) => consensusTimestamp(START + seconds * 1_000_000_000n);

function transferAt(consensus: ConsensusTimestamp) {
  return ledgerItem(
    {
      consensus,
      validStart: consensusTimestamp(consensus - 5n),
      payer: 1001n,
      data: { cryptoTransfer: {} },
      status: 22,
      fee: 100n,
      node: 3n,
      transfers: [
        [1001n, -5n],
        [1002n, 5n],
      ],
    },
    ids,
  );
}

const itemsAt = (seconds: bigint) => [
  transferAt(secondsLater(seconds)),
  transferAt(secondsLater(seconds + 1n)),
];
const v1 = recordFileV1V2(1, ZERO_HASH, itemsAt(0n));
const v1Hash = parseRecordFile(v1, 'v1').hash;
const v2 = recordFileV1V2(2, v1Hash, itemsAt(10n));
const v2Hash = parseRecordFile(v2, 'v2').hash;
const v5 = recordFileV5(v2Hash, itemsAt(20n));
const v5File = parseRecordFile(v5, 'v5');
const v6 = writeRecordFile(itemsAt(30n), v5File.hash, 77n, [0, 30, 1]);

/** Versions 1, 2, 5 and 6 in one chain, each signed in its own format. */
function mixedStream() {
  const book = messages.NodeAddressBook.encode({
    nodeAddress: [{ memo: Buffer.from('0.0.3'), RSA_PubKey: signer?.publicKey ?? '' }],
  });
  const names = ['20_00.000000Z', '20_10Z', '20_20.000000000Z', '20_30.000000000Z'].map(
    (rest) => `2019-09-20T17_${rest}`,
  );
  const [first, second, third, fourth] = names.map((name) => `/stream/recordstreams/record0.0.3/${name}`);
  const sign = (hash: Uint8Array) => signatureFileV2(hash, signer as NonNullable<typeof signer>);
  const node = signer as NonNullable<typeof signer>;
  return memoryFileTree(
    new Map<string, Uint8Array>([
      ['/stream/address_book.bin', book],
      [`${first}.rcd`, v1],
      [`${first}.rcd_sig`, sign(v1Hash)],
      [`${second}.rcd`, v2],
      [`${second}.rcd_sig`, sign(v2Hash)],
      [`${third}.rcd`, v5],
      [`${third}.rcd_sig`, signatureFileV5(v5File.fileHash, v5File.metadataHash ?? ZERO_HASH, node)],
      [`${fourth}.rcd`, v6.bytes],
      [`${fourth}.rcd_sig`, writeSignatureFile(v6, node)],
    ]),
  );
}

describe('createImporter', () => {
  test('follows a chain through versions 1, 2, 5 and 6', async () => {
    const ledger = memoryLedger();
    const report = await ledger.import(createDirectorySource('/stream', mixedStream()));
    expect(report).toMatchObject({ units: 4, transactions: 8, refused: [], verification: 'signatures' });
    expect(ledger.units.map(({ header }) => header.version)).toEqual([1, 2, 5, 6]);
    expect(ledger.units.map(({ header }) => header.blockNumber)).toEqual([null, null, null, 77n]);
    expect(ledger.units.map(({ header }) => header.hapiVersion)).toEqual([null, null, '0.11.0', '0.30.1']);
  });
});

describe('parseRecordFile', () => {
  const files = [
    ['version 1', v1],
    ['version 2', v2],
    ['version 5', v5],
    ['version 6', v6.bytes],
  ] as const;

  test.each(files)('%s cut off inside an item is refused', (_name, bytes) => {
    for (const cut of [3, 30, 60, 90, bytes.length - 1]) {
      expect(() => parseRecordFile(bytes.subarray(0, cut), 'a.rcd'), `at ${cut}`).toThrowError(/a\.rcd/);
    }
  });

  test.each([
    ['an unknown version', Uint8Array.of(0, 0, 0, 4, 0), 'unsupported_version'],
    ['no items in version 5', recordFileV5(ZERO_HASH, []), 'no_items'],
    ['no items in version 6', writeRecordFile([], ZERO_HASH, 0n, [0, 1, 0]).bytes, 'no_items'],
    ['bytes after the end of version 5', Buffer.concat([v5, Uint8Array.of(0)]), 'malformed'],
    ['a wrong marker', v1.map((byte, index) => (index === 8 ? 2 : byte)), 'malformed'],
    ['a wrong class id', v5.map((byte, index) => (index === 20 ? byte ^ 1 : byte)), 'malformed'],
    ['an empty file', new Uint8Array(), 'malformed'],
  ])('%s is refused', (_name, bytes, code) => {
    expect(() => parseRecordFile(bytes, 'a.rcd')).toThrowError(expect.objectContaining({ code }));
  });
});

describe('parseSignatureFile', () => {
  const node = signer as NonNullable<typeof signer>;
  const formats = [
    ['2', signatureFileV2(v1Hash, node)],
    ['5', signatureFileV5(v5File.fileHash, v5File.metadataHash ?? ZERO_HASH, node)],
    ['6', writeSignatureFile(v6, node)],
  ] as const;

  test.each(formats)('format %s is read back', (version, bytes) => {
    expect(String(parseSignatureFile(bytes, 'a.rcd_sig').version)).toBe(version);
  });

  test.each(formats)('format %s with a byte more or less is refused', (_version, bytes) => {
    for (const damaged of [bytes.subarray(0, -1), Buffer.concat([bytes, Uint8Array.of(0)])]) {
      expect(() => parseSignatureFile(damaged, 'a.rcd_sig')).toThrowError(
        expect.objectContaining({ code: 'malformed' }),
      );
    }
  });

  test('unknown formats and empty files are refused', () => {
    expect(() => parseSignatureFile(Uint8Array.of(7), 'a')).toThrowError(
      'Unsupported signature file version: 7',
    );
    expect(() => parseSignatureFile(new Uint8Array(), 'a')).toThrowError(/empty/);
  });
});
